// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "viewer/camera.h"
#include "viewer/edit_desk.h"
#include "viewer/player.h"
#include "viewer/show.h"
#include "viewer/time_line.h"

namespace limber::viewer {

/// What keys and pointer do to a show: no drawing, so that every key can be
/// tested. Pointer places are x and y from -1 to 1, y up.
class Controls {
 public:
  explicit Controls(Show& show);

  /// A key as it is typed: letters, digits, ' ' and the names below. Returns
  /// whether it means anything.
  bool Key(int key);
  static constexpr int kLeft = 0x10001;
  static constexpr int kRight = 0x10002;
  static constexpr int kHome = 0x10003;
  static constexpr int kEscape = 0x1B;

  enum class Button { kLeft, kMiddle, kRight };
  /// `part` is what is under the pointer, -1 nothing; `p_W` its place there.
  void Press(Button button, double x, double y, int part, const Vector3& p_W);
  void Drag(double x, double y);
  void Lift();
  /// Positive comes nearer.
  void Scroll(double notches);
  /// Of the window [px], for rays and for the time line.
  void SetSize(int width, int height);

  /// Moves clock and camera on by `seconds` of wall time, and lets the show
  /// compute what will be drawn, for `kBudget` at most: if that is not enough
  /// the clock waits, and the time is counted as dropped.
  void Advance(double seconds);
  static constexpr double kBudget = 0.012;  ///< [s].

  Show& show() { return show_; }
  Player& player() { return player_; }
  Camera& camera() { return camera_; }
  const Player& player() const { return player_; }
  const Camera& camera() const { return camera_; }
  /// As wide as the window.
  const TimeLine& time_line() const { return time_line_; }
  bool help() const { return help_; }
  bool shadows() const { return shadows_; }
  bool follow() const { return follow_; }
  bool closing() const { return closing_; }
  bool wants_screenshot() const { return wants_screenshot_; }
  void ScreenshotTaken() { wants_screenshot_ = false; }
  int picked() const { return picked_; }
  bool pulling() const { return pulling_; }
  /// From the grabbed point, where it is now, to the pointer, while pulling.
  Line rubber_band() const;
  /// The time that was asked for and is still being computed, or nothing.
  const std::optional<double>& waiting_for() const { return waiting_for_; }
  /// Which of several files is wanted: +1 the next one, -1 the last one.
  int wanted_file() const { return wanted_file_; }
  void set_num_files(int num_files) { num_files_ = num_files; }
  /// The mode as the show calls it, or empty.
  const std::string& mode() const { return mode_; }
  void SetMode(const std::string& mode);

  /// The desk of a clip that is worked on, which outlives this object: what
  /// keys and pointer do becomes events.
  void SetDesk(EditDesk* desk);
  EditDesk* desk() const { return desk_; }

  /// The lines of the help overlay: key and what it does.
  std::vector<std::pair<std::string, std::string>> Help() const;

 private:
  void PointTo(double x, double y);
  /// To the frame of the time line at `x`.
  void Scrub(double x);
  void Seek(double time);
  /// What acts on bodies acts at the end of what has been computed: goes there.
  void GoLive();
  bool LayerKey(int key);
  /// Keys that make and change events.
  bool DeskKey(int key);
  /// Goes over to the mode that the desk wants.
  void FollowDesk();
  void PressOnPicture(double x, double y, int part, const Vector3& p_W);

  Show& show_;
  EditDesk* desk_ = nullptr;
  Player player_;
  Camera camera_;
  std::string mode_;
  TimeLine time_line_;
  double aspect_ = 16.0 / 9.0;
  int width_ = 1280;
  int height_ = 720;
  bool help_ = false;
  bool shadows_ = true;
  bool follow_ = true;
  bool closing_ = false;
  bool wants_screenshot_ = false;
  int picked_ = -1;

  enum class Hold {
    kNothing,
    kOrbit,
    kPan,
    kZoom,
    kTimeLine,
    kBody,
    kMark,
    kHandle
  };
  Hold hold_ = Hold::kNothing;
  bool pulling_ = false;
  double last_x_ = 0.0;
  double last_y_ = 0.0;
  double grab_distance_ = 0.0;
  Vector3 pointer_W_ = Vector3::Zero();
  std::optional<double> waiting_for_;
  int num_files_ = 1;
  int wanted_file_ = 0;
};

}  // namespace limber::viewer
