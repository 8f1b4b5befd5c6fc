// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/pose_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace limber::figure {

JointError CompareJoints(const Motion& motion, const Motion& reference) {
  constexpr double kSameRate = 1e-3;
  if (std::abs(motion.rate_hz() - reference.rate_hz()) >
      kSameRate * reference.rate_hz()) {
    throw std::invalid_argument(
        "rate_hz differs: " + std::to_string(motion.rate_hz()) + " and " +
        std::to_string(reference.rate_hz()));
  }
  std::vector<std::pair<int, int>> pairs;
  for (int joint = 0; joint < motion.skeleton().num_joints(); ++joint) {
    const int other =
        reference.skeleton().Find(motion.skeleton().joint(joint).name);
    if (other >= 0) pairs.emplace_back(joint, other);
  }
  JointError error;
  error.num_joints = static_cast<int>(pairs.size());
  error.num_frames = std::min(motion.num_frames(), reference.num_frames());
  Pose a;
  Pose b;
  double sum = 0.0;
  for (std::int64_t frame = 0; frame < error.num_frames; ++frame) {
    motion.GetPose(frame, a);
    reference.GetPose(frame, b);
    for (const auto& [joint, other] : pairs) {
      const double angle = AngleBetween(a.X_PJ[joint].R, b.X_PJ[other].R);
      sum += angle * angle;
      if (angle <= error.worst) continue;
      error.worst = angle;
      error.joint = motion.skeleton().joint(joint).name;
      error.frame = frame;
    }
  }
  const double count = static_cast<double>(error.num_frames) *
                       static_cast<double>(error.num_joints);
  if (count > 0.0) error.rms = std::sqrt(sum / count);
  return error;
}

double LimitViolation(const Anchor& anchor, const Quaternion& R_PJ) {
  if (!anchor.has_limits()) return 0.0;
  const AnchorAngles angles = MeasureAnchor(anchor, R_PJ);
  double beyond = 0.0;
  for (int axis = 0; axis < anchor.num_axes(); ++axis) {
    const double q = angles.q[axis];
    beyond = std::max(
        {beyond, anchor.axes[axis].lower - q, q - anchor.axes[axis].upper});
  }
  return beyond;
}

Quaternion WithinLimits(const Anchor& anchor, const Quaternion& R_PJ,
                        double beyond) {
  std::array<double, 3> q = MeasureAnchor(anchor, R_PJ).q;
  for (int axis = 0; axis < anchor.num_axes(); ++axis) {
    q[axis] = std::clamp(q[axis], anchor.axes[axis].lower - beyond,
                         anchor.axes[axis].upper + beyond);
  }
  return RotationOfAnchor(anchor, q);
}

LimitReport MeasureLimits(const FigureModel& figure, const Motion& motion) {
  if (motion.skeleton().num_joints() != figure.skeleton->num_joints()) {
    throw std::invalid_argument(
        "motion has " + std::to_string(motion.skeleton().num_joints()) +
        " joints, the figure " + std::to_string(figure.skeleton->num_joints()));
  }
  LimitReport report;
  report.per_segment.assign(figure.segments.size(), 0.0);
  Pose pose;
  for (std::int64_t frame = 0; frame < motion.num_frames(); ++frame) {
    motion.GetPose(frame, pose);
    for (std::size_t s = 0; s < figure.segments.size(); ++s) {
      const FigureSegment& segment = figure.segments[s];
      const double beyond =
          LimitViolation(segment.anchor, pose.X_PJ[segment.joint].R);
      report.per_segment[s] = std::max(report.per_segment[s], beyond);
      if (beyond <= report.worst) continue;
      report.worst = beyond;
      report.segment = segment.name;
      report.frame = frame;
    }
  }
  return report;
}

}  // namespace limber::figure
