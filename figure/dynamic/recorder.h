// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "figure/dynamic/motor_reading.h"
#include "figure/dynamic/performer.h"
#include "figure/motion.h"

namespace limber::figure {

/// One step as recorded.
struct StepRecord {
  double time = 0.0;                 ///< At the end of the step [s].
  double step = 0.0;                 ///< h [s].
  std::vector<MotorReading> motors;  ///< Per segment.
  std::vector<double> error;         ///< Angle to the wanted one, per segment.
  std::vector<Vector3> contact_force;     ///< Of all contacts, per segment [N].
  Vector3 root_force = Vector3::Zero();   ///< Of all roots together [N].
  Vector3 root_torque = Vector3::Zero();  ///< Sum of the roots' own [N m].
  double root_power = 0.0;                ///< Of force and torque [W].
  double root_help = 0.0;        ///< |root_force| / (m |g|); 0 without gravity.
  double dislocation = 0.0;      ///< Largest gap of a joint [m].
  double limit_violation = 0.0;  ///< Farthest beyond a limit [rad].
};

/// Over all recorded steps, weighted by their length.
struct PerformanceSummary {
  double joint_rms = 0.0;       ///< Over all joints but the roots [rad].
  double root_rms = 0.0;        ///< Distance of the roots from their path [m].
  double saturation = 0.0;      ///< Share of bounded motors at their bound.
  double root_help_mean = 0.0;  ///< Share of the body weight.
  double root_help_max = 0.0;
  double root_work = 0.0;            ///< Sum of |power| h [J].
  double max_dislocation = 0.0;      ///< [m]
  double max_limit_violation = 0.0;  ///< [rad]
  double max_speed_change = 0.0;     ///< Of a joint, from step to step [rad/s].
};

/// Watches a performer and bakes what it did to a `Motion`. Poses are taken at
/// the ends of steps, where they are exact; under the leapfrog velocities
/// belong to the middle of a step, and nothing here uses them but `root_power`,
/// which is so the mean over the step.
class Recorder {
 public:
  /// Notes the pose to begin with.
  Recorder(const dynamics::World& world, const Performer& performer);
  /// To be called after every step, with its length.
  void AddStep(const dynamics::World& world, const Performer& performer,
               double h);

  const std::vector<StepRecord>& steps() const { return steps_; }
  /// Poses at the beginning and after every step, and their times.
  const std::vector<SegmentPose>& poses() const { return poses_; }
  const std::vector<double>& times() const { return times_; }

  PerformanceSummary Summary() const;
  /// Poses at start + k / rate_hz up to the last step. Frames that fall on the
  /// end of a step (to 1e-9 s) are those poses; others are interpolated on the
  /// curve of `SmoothMotion` through poses at equal times.
  /// @throws std::invalid_argument if `rate_hz` is not positive, or frames fall
  ///         between steps of unequal length.
  /// @param idle    the pose whose welded joints (fingers) are taken over at a
  ///                time of the world; without it they keep the rest pose.
  /// @param source  of the motion that is returned, for writers.
  Motion Bake(const Performer& performer, double rate_hz,
              const std::function<Pose(double time)>& idle = {},
              const MotionSource& source = {}) const;

 private:
  std::vector<bool> is_root_;
  std::vector<StepRecord> steps_;
  std::vector<SegmentPose> poses_;
  std::vector<double> times_;
  double root_squares_ = 0.0;
  double max_speed_change_ = 0.0;
};

}  // namespace limber::figure
