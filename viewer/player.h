// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace limber::viewer {

/// The clock of a show: play, pause, step, speed, loop, scrub. Runs on the wall
/// clock; a picture that comes late skips time instead of slowing down.
class Player {
 public:
  /// @param duration  [s], zero or positive.  @param frame  of a step [s].
  Player(double duration, double frame);

  double time() const { return time_; }
  double duration() const { return duration_; }
  bool playing() const { return playing_; }
  bool looping() const { return looping_; }
  double speed() const { return speed_; }
  /// Wall time that was not shown because a picture came late [s], in all.
  double dropped() const { return dropped_; }

  void SetPlaying(bool playing) { playing_ = playing; }
  void SetLooping(bool looping) { looping_ = looping; }
  /// In [1/64, 64]; negative plays backwards.
  void SetSpeed(double speed);
  void Faster() { SetSpeed(2.0 * speed_); }
  void Slower() { SetSpeed(0.5 * speed_); }
  /// Pauses and goes `frames` on, or back.
  void StepFrames(int frames);
  /// Brought into [0, duration].
  void Seek(double time);
  void Restart() { Seek(0.0); }

  /// What is to be shown is there up to `time` only: goes back to it, and what
  /// is lost so counts as dropped.
  void HoldAt(double time);

  /// `seconds` of wall time have passed since the last call. More than a
  /// quarter of a second at once is not made up for and counts as dropped.
  void Advance(double seconds);

 private:
  double duration_;
  double frame_;
  double time_ = 0.0;
  double speed_ = 1.0;
  double dropped_ = 0.0;
  bool playing_ = true;
  bool looping_ = true;
};

}  // namespace limber::viewer
