// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/recorder.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/clip_time.h"
#include "core/index.h"
#include "figure/dynamic/colliders.h"
#include "figure/smooth_motion.h"

namespace limber::figure {

using dynamics::World;

namespace {

// A frame this near to the end of a step is that step's [s].
constexpr double kSameTime = 1e-9;

double LimitViolation(const Anchor& anchor, const Quaternion& R_PB) {
  if (!anchor.has_limits()) return 0.0;
  const AnchorAngles angles = MeasureAnchor(anchor, R_PB);
  // As `BallLimits`: near gimbal lock the outer angles mean little.
  const double weight =
      anchor.kind == AnchorKind::kBall ? std::cos(angles.q[1]) : 1.0;
  double worst = 0.0;
  for (int k = 0; k < anchor.num_axes(); ++k) {
    const AnchorAxis& axis = anchor.axes[Index(k)];
    const double q = angles.q[Index(k)];
    const double beyond = std::max(axis.lower - q, q - axis.upper);
    worst = std::max(worst, k == 1 ? beyond : weight * beyond);
  }
  return worst;
}

}  // namespace

Recorder::Recorder(const World& world, const Performer& performer) {
  poses_.emplace_back();
  performer.figure().ReadPose(world, poses_.back());
  times_.push_back(world.time());
  for (int s = 0; s < performer.figure().num_segments(); ++s) {
    is_root_.push_back(performer.figure().is_root(s));
  }
}

void Recorder::AddStep(const World& world, const Performer& performer,
                       double h) {
  const ArticulatedFigure& figure = performer.figure();
  const SegmentPose& wanted = performer.demand().after;
  StepRecord record;
  record.time = world.time();
  record.step = h;
  poses_.emplace_back();
  SegmentPose& actual = poses_.back();
  figure.ReadPose(world, actual);
  times_.push_back(world.time());
  for (int s = 0; s < figure.num_segments(); ++s) {
    const MotorReading motors = ReadMotors(figure.joint(s), h);
    record.motors.push_back(motors);
    record.contact_force.push_back(ContactForce(world, figure.body(s), h));
    record.error.push_back(
        AngleBetween(actual[Index(s)].R, wanted[Index(s)].R));
    record.limit_violation =
        std::max(record.limit_violation,
                 LimitViolation(figure.segment(s).anchor, actual[Index(s)].R));
    if (!figure.is_root(s)) continue;
    const dynamics::BodyMotion& body = world.motion(figure.body(s));
    record.root_force += motors.force;
    record.root_torque += motors.torque;
    record.root_power += motors.force.dot(body.PointVelocity(body.p_WB)) +
                         motors.torque.dot(body.w_WB);
    root_squares_ +=
        h * (actual[Index(s)].p - wanted[Index(s)].p).squaredNorm();
  }
  const double weight = figure.weight(world);
  if (weight > 0.0) record.root_help = record.root_force.norm() / weight;
  record.dislocation = figure.Dislocation(world);
  steps_.push_back(std::move(record));

  if (poses_.size() < 3 || steps_.size() < 2) return;
  const double last_h = steps_[steps_.size() - 2].step;
  for (std::size_t s = 0; s < actual.size(); ++s) {
    const Quaternion& a = poses_[poses_.size() - 3][s].R;
    const Quaternion& b = poses_[poses_.size() - 2][s].R;
    const Quaternion& c = poses_.back()[s].R;
    const Vector3 before = LogRotation(b * a.conjugate()) / last_h;
    const Vector3 after = LogRotation(c * b.conjugate()) / h;
    max_speed_change_ = std::max(max_speed_change_, (after - before).norm());
  }
}

PerformanceSummary Recorder::Summary() const {
  PerformanceSummary sum;
  double total = 0.0, joint_time = 0.0, squares = 0.0, motors = 0.0;
  for (const StepRecord& step : steps_) {
    total += step.step;
    for (std::size_t s = 0; s < step.motors.size(); ++s) {
      motors += step.step * step.motors[s].num_motors;
      sum.saturation += step.step * step.motors[s].num_saturated;
    }
    for (std::size_t s = 0; s < step.error.size(); ++s) {
      if (is_root_[s]) continue;
      squares += step.step * step.error[s] * step.error[s];
      joint_time += step.step;
    }
    sum.root_help_mean += step.step * step.root_help;
    sum.root_help_max = std::max(sum.root_help_max, step.root_help);
    sum.root_work += step.step * std::abs(step.root_power);
    sum.max_dislocation = std::max(sum.max_dislocation, step.dislocation);
    sum.max_limit_violation =
        std::max(sum.max_limit_violation, step.limit_violation);
  }
  if (joint_time > 0.0) sum.joint_rms = std::sqrt(squares / joint_time);
  if (motors > 0.0) sum.saturation /= motors;
  if (total > 0.0) {
    sum.root_help_mean /= total;
    sum.root_rms = std::sqrt(root_squares_ / total);
  }
  sum.max_speed_change = max_speed_change_;
  return sum;
}

Motion Recorder::Bake(const Performer& performer, double rate_hz,
                      const std::function<Pose(double time)>& idle,
                      const MotionSource& source) const {
  if (!(rate_hz > 0.0) || !std::isfinite(rate_hz)) {
    throw std::invalid_argument("Bake: rate_hz must be positive, is " +
                                std::to_string(rate_hz));
  }
  const ArticulatedFigure& figure = performer.figure();
  const std::shared_ptr<const Skeleton>& skeleton = figure.model().skeleton;
  Motion motion(skeleton, rate_hz, source);
  const double length = times_.back() - times_.front();
  const std::int64_t num_frames = FramesIn(length, rate_hz, Frames::kDown) + 1;
  std::unique_ptr<SmoothMotion> curve;
  std::size_t at = 0;
  Pose pose;
  for (std::int64_t f = 0; f < num_frames; ++f) {
    const double time = times_.front() + static_cast<double>(f) / rate_hz;
    while (at + 1 < times_.size() && times_[at] < time - kSameTime) ++at;
    if (std::abs(times_[at] - time) <= kSameTime) {
      if (idle) {
        figure.Join(poses_[at], idle(time), pose);
      } else {
        figure.Join(poses_[at], pose);
      }
      motion.Append(pose);
      continue;
    }
    if (!curve) {
      const double h = length / static_cast<double>(times_.size() - 1);
      Motion steps(skeleton, 1.0 / h);
      for (std::size_t i = 0; i < poses_.size(); ++i) {
        const double even = times_.front() + static_cast<double>(i) * h;
        if (std::abs(times_[i] - even) > 1e-6) {
          throw std::invalid_argument(
              "Bake: rate_hz puts frames between steps of unequal length, is " +
              std::to_string(rate_hz));
        }
        figure.Join(poses_[i], pose);
        steps.Append(pose);
      }
      curve = std::make_unique<SmoothMotion>(steps);
    }
    curve->Sample(time - times_.front(), pose);
    if (idle) {
      SegmentPose X_PB;
      figure.Split(pose, X_PB);
      figure.Join(X_PB, idle(time), pose);
    }
    motion.Append(pose);
  }
  return motion;
}

}  // namespace limber::figure
