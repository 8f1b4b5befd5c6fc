// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/articulated_figure.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/index.h"
#include "dynamics/joints/ball_joint.h"
#include "dynamics/joints/hinge_joint.h"
#include "dynamics/joints/universal_joint.h"
#include "dynamics/joints/weld_joint.h"
#include "figure/dynamic/ball_limits.h"

namespace limber::figure {

using dynamics::BallJoint;
using dynamics::BodyId;
using dynamics::BodySpec;
using dynamics::World;

namespace {

// Limits of a ball joint give way by this share of what the segment alone does
// about the joint, about as much as `dynamics` lends to those of hinges.
constexpr double kSoftLimits = 5e-4;

double SoftnessOfLimits(const FigureSegment& segment) {
  // I = I_C + m (p^2 1 - p p^T), the mean of its three.
  const double inertia =
      (segment.I_JC.trace() + 2.0 * segment.mass * segment.p_JC.squaredNorm()) /
      3.0;
  return kSoftLimits / inertia;
}

// What an anchor makes of a wanted rotation.
Quaternion Admissible(const Anchor& anchor, const Quaternion& R_PB,
                      double& loss) {
  switch (anchor.kind) {
    case AnchorKind::kFree:
    case AnchorKind::kBall:
      return R_PB;
    case AnchorKind::kHinge:
    case AnchorKind::kUniversal: {
      const AnchorAngles angles = MeasureAnchor(anchor, R_PB);
      const Quaternion kept = RotationOfAnchor(anchor, angles.q);
      loss = std::max(loss, AngleBetween(kept, R_PB));
      return kept;
    }
    case AnchorKind::kWeld:
      break;
  }
  const Quaternion kept = anchor.R_PF * anchor.R_JM.conjugate();
  loss = std::max(loss, AngleBetween(kept, R_PB));
  return kept;
}

}  // namespace

ArticulatedFigure::ArticulatedFigure(World& world,
                                     std::shared_ptr<const FigureModel> model,
                                     const Pose& pose,
                                     const FigureBuildOptions& options)
    : model_(std::move(model)) {
  if (!model_) throw std::invalid_argument("ArticulatedFigure: model is null");
  CheckFigure(*model_);
  for (const FigureSegment& s : model_->segments) {
    if (s.parent < 0) {
      p_PJ_.push_back(Vector3::Zero());
      continue;
    }
    const Joint& joint = model_->skeleton->joint(s.joint);
    p_PJ_.push_back(PlaceInSegment(*model_, joint.parent) + joint.offset);
  }
  SegmentPose X_PB;
  Split(pose, X_PB);
  std::vector<Transform> X_WB;
  PlaceBodies(X_PB, X_WB);
  AddBodies(world, X_WB, options);
  AddJoints(world, options);
}

void ArticulatedFigure::AddBodies(World& world,
                                  const std::vector<Transform>& X_WB,
                                  const FigureBuildOptions& options) {
  for (int s = 0; s < num_segments(); ++s) {
    BodySpec spec;
    spec.mass = {segment(s).mass, segment(s).p_JC, segment(s).I_JC};
    spec.X_WB = X_WB[Index(s)];
    spec.linear_damping = options.damping;
    spec.angular_damping = options.damping;
    spec.name = segment(s).name;
    bodies_.push_back(world.AddBody(spec));
  }
}

void ArticulatedFigure::AddJoints(World& world,
                                  const FigureBuildOptions& options) {
  for (int s = 0; s < num_segments(); ++s) {
    const Anchor& anchor = segment(s).anchor;
    if (is_root(s)) {
      joints_.push_back(&world.Add(
          dynamics::FreeJoint(dynamics::kGround, Transform::Identity(),
                              bodies_[Index(s)], Transform::Identity())));
      continue;
    }
    const BodyId parent = bodies_[Index(segment(s).parent)];
    const BodyId child = bodies_[Index(s)];
    const Transform X_PF{anchor.R_PF, p_PJ_[Index(s)]};
    const Transform X_BM{anchor.R_JM, Vector3::Zero()};
    const bool limits = options.limits && anchor.has_limits();
    switch (anchor.kind) {
      case AnchorKind::kFree:
        throw std::invalid_argument("ArticulatedFigure: segment \"" +
                                    segment(s).name +
                                    "\" is free but hangs on another");
      case AnchorKind::kBall:
        joints_.push_back(&world.Add(BallJoint(parent, X_PF, child, X_BM)));
        if (limits) {
          BallLimits rows(parent, child, anchor);
          rows.set_softness(SoftnessOfLimits(segment(s)));
          world.Add(std::move(rows));
        }
        break;
      case AnchorKind::kUniversal:
        joints_.push_back(
            &world.Add(dynamics::UniversalJoint(parent, X_PF, child, X_BM)));
        break;
      case AnchorKind::kHinge:
        joints_.push_back(
            &world.Add(dynamics::HingeJoint(parent, X_PF, child, X_BM)));
        break;
      case AnchorKind::kWeld:
        joints_.push_back(
            &world.Add(dynamics::WeldJoint(parent, X_PF, child, X_BM)));
        break;
    }
    if (!limits || anchor.kind == AnchorKind::kBall) continue;
    for (int k = 0; k < anchor.num_axes(); ++k) {
      joints_.back()->axis(k).lower = anchor.axes[Index(k)].lower;
      joints_.back()->axis(k).upper = anchor.axes[Index(k)].upper;
    }
  }
}

double ArticulatedFigure::weight(const World& world) const {
  return model_->total_mass() * world.settings().gravity.norm();
}

PoseLoss ArticulatedFigure::Split(const Pose& pose, SegmentPose& X_PB) const {
  const Skeleton& skeleton = *model_->skeleton;
  if (pose.num_joints() != skeleton.num_joints()) {
    throw std::invalid_argument(
        "the pose has " + std::to_string(pose.num_joints()) +
        " joints, the figure has " + std::to_string(skeleton.num_joints()));
  }
  PoseLoss loss;
  X_PB.resize(Index(num_segments()));
  for (int s = 0; s < num_segments(); ++s) {
    const FigureSegment& own = segment(s);
    const Transform& X_PJ = pose.X_PJ[Index(own.joint)];
    if (own.parent < 0) {
      X_PB[Index(s)] = X_PJ;
      continue;
    }
    // Through the welded joints between this one and the parent segment's.
    const int parent_joint = segment(own.parent).joint;
    Quaternion R_PB = X_PJ.R;
    for (int j = skeleton.joint(own.joint).parent; j != parent_joint;
         j = skeleton.joint(j).parent) {
      R_PB = pose.X_PJ[Index(j)].R * R_PB;
    }
    X_PB[Index(s)] = {Admissible(own.anchor, R_PB, loss.angle),
                      p_PJ_[Index(s)]};
    loss.distance = std::max(
        loss.distance, (X_PJ.p - skeleton.joint(own.joint).offset).norm());
  }
  return loss;
}

void ArticulatedFigure::Join(const SegmentPose& X_PB, Pose& pose) const {
  const Skeleton& skeleton = *model_->skeleton;
  pose.X_PJ.resize(Index(skeleton.num_joints()));
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    pose.X_PJ[Index(j)] = {Quaternion::Identity(), skeleton.joint(j).offset};
  }
  for (int s = 0; s < num_segments(); ++s) {
    Transform& X_PJ = pose.X_PJ[Index(segment(s).joint)];
    X_PJ.R = X_PB[Index(s)].R;
    if (is_root(s)) X_PJ.p = X_PB[Index(s)].p;
  }
}

void ArticulatedFigure::Join(const SegmentPose& X_PB, const Pose& idle,
                             Pose& pose) const {
  const Skeleton& skeleton = *model_->skeleton;
  Join(X_PB, pose);
  for (const FigureSegment& own : model_->segments) {
    for (const int joint : own.joints) {
      if (joint == own.joint) continue;
      pose.X_PJ[Index(joint)].R = idle.X_PJ[Index(joint)].R;
    }
  }
  for (const FigureSegment& own : model_->segments) {
    if (own.parent < 0) continue;
    // What the welded joints on the way turn is not the segment's own.
    Quaternion R_PP = Quaternion::Identity();
    for (int j = skeleton.joint(own.joint).parent;
         j != segment(own.parent).joint; j = skeleton.joint(j).parent) {
      R_PP = pose.X_PJ[Index(j)].R * R_PP;
    }
    Quaternion& R_PJ = pose.X_PJ[Index(own.joint)].R;
    R_PJ = (R_PP.conjugate() * R_PJ).normalized();
  }
}

void ArticulatedFigure::PlaceBodies(const SegmentPose& X_PB,
                                    std::vector<Transform>& X_WB) const {
  X_WB.resize(X_PB.size());
  for (int s = 0; s < num_segments(); ++s) {
    const int parent = segment(s).parent;
    X_WB[Index(s)] =
        parent < 0 ? X_PB[Index(s)] : X_WB[Index(parent)] * X_PB[Index(s)];
  }
}

PoseLoss ArticulatedFigure::SetPose(World& world, const Pose& pose) const {
  SegmentPose X_PB;
  const PoseLoss loss = Split(pose, X_PB);
  std::vector<Transform> X_WB;
  PlaceBodies(X_PB, X_WB);
  for (int s = 0; s < num_segments(); ++s) {
    world.SetPose(body(s), X_WB[Index(s)]);
    world.SetVelocity(body(s), Vector3::Zero(), Vector3::Zero());
  }
  return loss;
}

void ArticulatedFigure::SetVelocities(
    World& world, std::span<const SegmentVelocity> velocities) const {
  if (velocities.size() != Index(num_segments())) {
    throw std::invalid_argument(
        "SetVelocities: " + std::to_string(velocities.size()) +
        " velocities for " + std::to_string(num_segments()) + " segments");
  }
  for (int s = 0; s < num_segments(); ++s) {
    const SegmentVelocity& velocity = velocities[Index(s)];
    world.SetVelocity(body(s), velocity.v_WC, velocity.w_WB);
  }
}

std::vector<SegmentVelocity> ArticulatedFigure::VelocitiesBetween(
    const Pose& a, const Pose& b, double dt) const {
  if (!(dt > 0.0)) {
    throw std::invalid_argument("VelocitiesBetween: dt must be positive, is " +
                                std::to_string(dt));
  }
  SegmentPose X_PB;
  std::vector<Transform> X_WBa, X_WBb;
  Split(a, X_PB);
  PlaceBodies(X_PB, X_WBa);
  Split(b, X_PB);
  PlaceBodies(X_PB, X_WBb);
  std::vector<SegmentVelocity> velocities;
  for (int s = 0; s < num_segments(); ++s) {
    const Transform& from = X_WBa[Index(s)];
    const Transform& to = X_WBb[Index(s)];
    const Vector3& p_BC = segment(s).p_JC;
    velocities.push_back({(to * p_BC - from * p_BC) / dt,
                          LogRotation(to.R * from.R.conjugate()) / dt});
  }
  return velocities;
}

void ArticulatedFigure::ReadPose(const World& world, SegmentPose& X_PB) const {
  X_PB.resize(Index(num_segments()));
  for (int s = 0; s < num_segments(); ++s) {
    const Transform X_WB = world.X_WB(body(s));
    if (is_root(s)) {
      X_PB[Index(s)] = X_WB;
      continue;
    }
    const Quaternion& R_WP = world.motion(body(segment(s).parent)).q_WB;
    X_PB[Index(s)] = {(R_WP.conjugate() * X_WB.R).normalized(),
                      p_PJ_[Index(s)]};
  }
}

Pose ArticulatedFigure::ReadPose(const World& world) const {
  SegmentPose X_PB;
  ReadPose(world, X_PB);
  Pose pose;
  Join(X_PB, pose);
  return pose;
}

double ArticulatedFigure::Dislocation(const World& world) const {
  double largest = 0.0;
  for (int s = 0; s < num_segments(); ++s) {
    if (is_root(s)) continue;
    const Vector3 p_WF =
        world.motion(body(segment(s).parent)).Point(p_PJ_[Index(s)]);
    const double gap = (world.motion(body(s)).p_WB - p_WF).norm();
    if (!(gap <= largest)) largest = gap;
  }
  return largest;
}

bool ArticulatedFigure::IsFinite(const World& world) const {
  return std::all_of(bodies_.begin(), bodies_.end(), [&world](BodyId id) {
    const dynamics::BodyMotion& motion = world.motion(id);
    return motion.p_WC.allFinite() && motion.q_WB.coeffs().allFinite() &&
           motion.v_WC.allFinite() && motion.w_WB.allFinite();
  });
}

}  // namespace limber::figure
