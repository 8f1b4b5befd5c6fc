// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "figure/dynamic/articulated_figure.h"
#include "figure/dynamic/strength.h"
#include "figure/motion_track.h"

namespace limber::figure {

/// What a figure did in a step, told to its task controller.
struct Observation {
  double time = 0.0;  ///< At the end of the step [s].
  const SegmentPose* wanted = nullptr;
  const SegmentPose* actual = nullptr;
};

/// A brain: says over time what pose a figure should have and how hard each
/// joint should try. Never touches motors: raw controllers do.
class TaskController {
 public:
  virtual ~TaskController() = default;
  /// The wanted pose at `time`, a smooth curve; also asked for times shortly
  /// before and after the present one.
  virtual void Reference(const ArticulatedFigure& figure, double time,
                         SegmentPose& X_PB) = 0;
  virtual Strength StrengthOf(int segment, double time) const = 0;
  /// Called after every step.
  virtual void Observe(const Observation& observation);
};

/// Which time of the track is played when: speed 1 at first, then changes,
/// each eased in over a duration. Never jumps.
class TimeWarp {
 public:
  /// Track time at world time `start`, before which the track stands at it.
  explicit TimeWarp(double start = 0.0) : start_(start) {}
  /// @throws std::invalid_argument unless speed >= 0, duration >= 0 and
  ///         `time` is not before the end of the last change.
  void ChangeSpeed(double time, double duration, double speed);
  double TrackTime(double time) const;

 private:
  struct Key {
    double time = 0.0;
    double duration = 0.0;
    double from = 1.0;
    double to = 1.0;
    double track_time = 0.0;  ///< At `time`.
  };
  double start_ = 0.0;
  std::vector<Key> keys_;
};

/// When an animated figure gives up, and whether it tries again.
struct LetGo {
  /// Errors of any joint, or of the root's place, beyond which it lets go.
  double joint_angle = std::numeric_limits<double>::infinity();    ///< [rad]
  double root_distance = std::numeric_limits<double>::infinity();  ///< [m]
  Strength strength = Strength::Limp();
  double duration = 0.1;  ///< Of the letting go [s].
  /// Time after which it goes back to the strengths it had; never by default.
  double recover_after = std::numeric_limits<double>::infinity();  ///< [s]
  double recover_duration = 0.5;                                   ///< [s]
};

/// Plays a track of clips with a schedule of strengths.
class AnimationController : public TaskController {
 public:
  /// @throws std::invalid_argument if the track is empty.
  AnimationController(MotionTrack track, StrengthSchedule schedule);

  const MotionTrack& track() const { return track_; }
  StrengthSchedule& schedule() { return schedule_; }
  TimeWarp& warp() { return warp_; }
  const LetGo& let_go() const { return rule_; }
  void set_let_go(const LetGo& rule) { rule_ = rule; }
  /// The clip's own pose at a time of the world, fingers included.
  Pose PoseAt(double time) const;
  /// When it let go last, if it has not recovered since [s].
  std::optional<double> let_go_time() const { return let_go_time_; }
  /// Lets go at once, as if the rule had been broken.
  void LetGoNow(double time);

  void Reference(const ArticulatedFigure& figure, double time,
                 SegmentPose& X_PB) override;
  Strength StrengthOf(int segment, double time) const override;
  void Observe(const Observation& observation) override;

 private:
  MotionTrack track_;
  StrengthSchedule schedule_;
  TimeWarp warp_;
  LetGo rule_;
  std::optional<double> let_go_time_;
  /// Ends of the last recovery: not watched meanwhile.
  double watch_from_ = -std::numeric_limits<double>::infinity();
  Pose pose_;
};

/// A rag doll: joints resist motion (`Strength::friction`), or are drawn to a
/// comfortable pose (`Strength::torque`), or both. Nothing holds the root.
/// Every joint has at least the friction of a living one, that of
/// `Strength::Limp`: where a motor is at its bound nothing else would bring the
/// limb to rest.
///
/// A doll that has come to lie still stops pulling and holds on to where it is:
/// its motors then brake with 1.3 times the torque and friction they have (a
/// muscle that is stretched holds more than it lifts), until something moves it
/// again. Pulls that strain against the floor would else creep on, and limbs
/// that they just carry sink, for many seconds. The longer it has lain, the
/// faster its limbs may still turn when it does so.
class RagDollController : public TaskController {
 public:
  /// @throws std::invalid_argument as `Validate`.
  RagDollController(Pose comfortable, const Strength& strength);

  void Reference(const ArticulatedFigure& figure, double time,
                 SegmentPose& X_PB) override;
  Strength StrengthOf(int segment, double time) const override;
  void Observe(const Observation& observation) override;

  /// Whether it lies still and holds on.
  bool rests() const { return rests_; }

 private:
  Pose comfortable_;
  Strength strength_;
  SegmentPose last_;
  double last_time_ = 0.0;
  double lying_ = 0.0;  ///< Since it has lain down [s].
  double still_ = 0.0;  ///< How long it has been so [s].
  bool rests_ = false;
};

/// Goes from one task to another and back: share 0 is all `a`, 1 all `b`.
/// References meet on the great arc, strengths by `Blend`.
class MixController : public TaskController {
 public:
  MixController(std::shared_ptr<TaskController> a,
                std::shared_ptr<TaskController> b);

  /// From `time` on, over `duration` seconds, towards `share`. Times may not
  /// run backwards.
  void Fade(double time, double duration, double share);
  double Share(double time) const;

  void Reference(const ArticulatedFigure& figure, double time,
                 SegmentPose& X_PB) override;
  Strength StrengthOf(int segment, double time) const override;
  void Observe(const Observation& observation) override;

 private:
  struct Key {
    double time = 0.0;
    double duration = 0.0;
    double share = 0.0;
  };
  std::shared_ptr<TaskController> a_;
  std::shared_ptr<TaskController> b_;
  std::vector<Key> keys_;
  SegmentPose other_;
};

}  // namespace limber::figure
