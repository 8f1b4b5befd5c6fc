// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>

#include "figure/figure_model.h"
#include "figure/motion.h"

namespace limber::figure::test {

/// A trunk with a limb of a ball, a universal joint and a hinge, a second limb
/// on a ball with limits, and a welded tip: every kind of anchor, frames that
/// are not parallel to the bodies. Motors of `torque` N m.
inline std::shared_ptr<const FigureModel> HandMadeFigure(double torque) {
  auto model = std::make_shared<FigureModel>();
  model->name = "hand-made";
  model->skeleton = Skeleton::Make({{"trunk", -1, Vector3(0.0, 1.0, 0.0)},
                                    {"ball", 0, Vector3(0.1, 0.3, 0.0)},
                                    {"universal", 1, Vector3(0.3, 0.0, 0.05)},
                                    {"hinge", 2, Vector3(0.25, 0.0, 0.0)},
                                    {"limited", 0, Vector3(-0.1, 0.3, 0.0)},
                                    {"tip", 4, Vector3(-0.2, -0.1, 0.0)},
                                    {"beyond", 5, Vector3(-0.1, 0.0, 0.0)}});
  model->roles.assign(7, Role::kOther);
  model->segment_of_joint = {0, 1, 2, 3, 4, 4, 5};
  const auto add = [&model, torque](const char* name, int joint, int parent,
                                    std::vector<int> joints, AnchorKind kind,
                                    double mass, const Vector3& p_JC) {
    FigureSegment s;
    s.name = name;
    s.joint = joint;
    s.parent = parent;
    s.joints = std::move(joints);
    s.anchor.kind = kind;
    s.anchor.R_PF = ExpRotation({0.3, -0.2, 0.5});
    s.anchor.R_JM = ExpRotation({-0.1, 0.4, 0.2});
    for (AnchorAxis& axis : s.anchor.axes) axis.max_torque = torque;
    s.mass = mass;
    s.p_JC = p_JC;
    s.I_JC = Vector3(0.006, 0.008, 0.009).asDiagonal() * mass;
    model->segments.push_back(s);
  };
  add("trunk", 0, -1, {0}, AnchorKind::kFree, 10.0, {0.0, 0.15, 0.0});
  add("ball", 1, 0, {1}, AnchorKind::kBall, 2.0, {0.15, 0.0, 0.02});
  add("universal", 2, 1, {2}, AnchorKind::kUniversal, 1.5, {0.12, 0.0, 0.0});
  add("hinge", 3, 2, {3}, AnchorKind::kHinge, 0.8, {0.05, 0.01, 0.0});
  add("limited", 4, 0, {4, 5}, AnchorKind::kBall, 2.0, {-0.1, -0.05, 0.0});
  add("beyond", 6, 4, {6}, AnchorKind::kBall, 0.6, {-0.05, 0.0, 0.0});
  for (AnchorAxis& axis : model->segments[4].anchor.axes) {
    axis.lower = -1.2;
    axis.upper = 1.2;
  }
  return model;
}

/// A pose that every anchor of the figure can take up: coordinates
/// amplitude * sin(rate t + phase), the root along a curve.
inline Pose HandMadePose(const FigureModel& model, double t, double amplitude,
                         double rate) {
  Pose pose = RestPose(*model.skeleton);
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const FigureSegment& segment = model.segments[s];
    const auto q = [&](int k) {
      return amplitude *
             std::sin(rate * t + 1.3 * static_cast<double>(s) + 0.7 * k);
    };
    Transform& X_PJ = pose.X_PJ[static_cast<std::size_t>(segment.joint)];
    if (segment.parent < 0) {
      X_PJ.R = ExpRotation({q(0), q(1), q(2)});
      X_PJ.p += Vector3(0.2 * q(1), 0.1 * q(0), 0.3 * q(2));
    } else {
      X_PJ.R = RotationOfAnchor(segment.anchor, {q(0), q(1), q(2)});
    }
  }
  return pose;
}

/// The same as a clip.
inline Motion HandMadeClip(const FigureModel& model, double seconds,
                           double rate_hz, double amplitude, double rate) {
  Motion motion(model.skeleton, rate_hz);
  const int frames = static_cast<int>(std::lround(seconds * rate_hz)) + 1;
  for (int f = 0; f < frames; ++f) {
    motion.Append(HandMadePose(model, f / rate_hz, amplitude, rate));
  }
  return motion;
}

}  // namespace limber::figure::test
