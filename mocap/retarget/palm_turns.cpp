// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/palm_turns.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/clip_time.h"
#include "figure/figure_model.h"
#include "figure/pose.h"

namespace limber::mocap {

namespace {

using figure::ArmPlan;
using figure::Pose;

/// A joint that is so near its limit is held by it [rad].
constexpr double kAtLimit = 0.01;
/// How long what a limit turns comes and goes [s].
constexpr double kAround = 0.15;

/// The anchors from the chest to the hand that have limits.
std::vector<const figure::FigureSegment*> LimitedSegments(const HumanBody& body,
                                                          const ArmPlan& arm) {
  std::vector<const figure::FigureSegment*> segments;
  if (!body.figure) return segments;
  const int above = body.skeleton->joint(arm.upper_arm).parent;
  for (const figure::FigureSegment& segment : body.figure->segments) {
    if (!segment.anchor.has_limits()) continue;
    if (segment.joint == arm.upper_arm || segment.joint == arm.forearm ||
        segment.joint == arm.hand || segment.joint == above) {
      segments.push_back(&segment);
    }
  }
  return segments;
}

bool IsAtLimit(const figure::FigureSegment& segment, const Pose& pose) {
  const figure::Anchor& anchor = segment.anchor;
  const auto q = figure::MeasureAnchor(anchor, pose.X_PJ[segment.joint].R).q;
  for (int i = 0; i < anchor.num_axes(); ++i) {
    if (q[i] < anchor.axes[i].lower + kAtLimit ||
        q[i] > anchor.axes[i].upper - kAtLimit) {
      return true;
    }
  }
  return false;
}

/// Frames in which a limit of the arm has a say.
std::vector<char> BoundFrames(const figure::Motion& motion,
                              const HumanBody& body, const ArmPlan& arm,
                              const std::vector<MendedJoint>& mended) {
  const auto segments = LimitedSegments(body, arm);
  const auto around = FramesIn(kAround, motion.rate_hz());
  std::vector<char> bound(static_cast<std::size_t>(motion.num_frames()), 0);
  const auto mark = [&](std::int64_t frame) {
    const std::int64_t last = std::min(frame + around, motion.num_frames() - 1);
    for (std::int64_t i = std::max<std::int64_t>(0, frame - around); i <= last;
         ++i) {
      bound[i] = 1;
    }
  };
  Pose pose;
  for (std::int64_t i = 0; i < motion.num_frames() && !segments.empty(); ++i) {
    motion.GetPose(i, pose);
    if (std::ranges::any_of(segments, [&](const auto* segment) {
          return IsAtLimit(*segment, pose);
        })) {
      mark(i);
    }
  }
  for (const auto* segment : segments) {
    for (const MendedJoint& joint : mended) {
      if (joint.joint != segment->joint) continue;
      for (const std::int64_t frame : joint.where) mark(frame);
    }
  }
  return bound;
}

double AngleOf(const Vector3& a, const Vector3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

}  // namespace

PalmTurn MeasurePalms(const figure::Motion& source_motion,
                      const HumanBody& source, const figure::Motion& result,
                      const HumanBody& target,
                      const std::vector<MendedJoint>& mended) {
  PalmTurn turn;
  std::vector<double> angles;
  Pose pose;
  std::vector<Transform> X_s;
  std::vector<Transform> X_t;
  for (int side = 0; side < 2; ++side) {
    const ArmPlan& s = source.plan.arms[side];
    const ArmPlan& t = target.plan.arms[side];
    if (s.hand < 0 || t.hand < 0 || s.palm.p_JQ.isZero() ||
        t.palm.p_JQ.isZero()) {
      continue;
    }
    const std::vector<char> bound = BoundFrames(result, target, t, mended);
    for (std::int64_t i = 0; i < result.num_frames(); ++i) {
      if (bound[i]) {
        ++turn.bound_frames;
        continue;
      }
      source_motion.GetPose(i, pose);
      figure::WorldTransforms(*source.skeleton, pose, X_s);
      result.GetPose(i, pose);
      figure::WorldTransforms(*target.skeleton, pose, X_t);
      angles.push_back(
          AngleOf(X_s[s.hand].R * s.palm.p_JQ, X_t[t.hand].R * t.palm.p_JQ));
      if (angles.back() <= turn.worst) continue;
      turn.worst = angles.back();
      turn.frame = i;
      turn.side = side;
    }
  }
  turn.free_frames = static_cast<std::int64_t>(angles.size());
  if (angles.empty()) return turn;
  const auto middle =
      angles.begin() + static_cast<std::ptrdiff_t>(angles.size() / 2);
  std::ranges::nth_element(angles, middle);
  turn.median = *middle;
  return turn;
}

}  // namespace limber::mocap
