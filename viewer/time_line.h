// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace limber::viewer {

/// The band at the lower edge of a window that stands for the whole of a show:
/// which pixel is which time, and where its ticks are. It is as wide as the
/// window and always as high, so that it is there in the smallest window too.
/// No drawing. Pixels count from the left, and from the lower edge up.
class TimeLine {
 public:
  /// @param duration  [s], zero or positive.  @param rate_hz  of frames.
  TimeLine(double duration, double rate_hz);

  void SetWidth(double width) { width_ = width > 1.0 ? width : 1.0; }

  static constexpr double kBar = 14.0;     ///< The bar itself [px].
  static constexpr double kTicks = 22.0;   ///< And its ticks [px].
  static constexpr double kHeight = 42.0;  ///< And their numbers [px].

  double XOf(double time) const;
  /// Of the frame that is nearest to `x`, within the show [s].
  double TimeAt(double x) const;

  struct Tick {
    double x = 0.0;
    std::string label;  ///< Seconds, "1.5"; empty for one between.
  };
  /// Labels are seconds, as many as can be read beside one another; between
  /// them are the frames, or tenths, fifths or halves, as far as they can be
  /// told apart.
  std::vector<Tick> Ticks() const;

  /// "1.20 s of 2.00 s, frame 72 of 120".
  std::string Reading(double time) const;

  /// Labels stand so far apart at least, and ticks [px].
  static constexpr double kLabelsApart = 60.0;
  static constexpr double kTicksApart = 6.0;

 private:
  double PixelsPerSecond() const;
  double LabelStep() const;

  double duration_;
  double rate_hz_;
  double width_ = 1.0;
};

}  // namespace limber::viewer
