// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/scenes/ragdoll_scenes.h"

#include <algorithm>
#include <cmath>

#include "core/index.h"

namespace limber::scenes {

using dynamics::BallJoint;
using dynamics::BodyId;
using dynamics::BodyKind;
using dynamics::BodySpec;
using dynamics::ColliderSpec;
using dynamics::Shape;
using dynamics::World;

namespace {

RagdollSegment Limb(int parent, double mass, const Vector3& joint,
                    const Vector3& a, const Vector3& b, int axis,
                    double radius) {
  RagdollSegment segment;
  segment.parent = parent;
  segment.mass = mass;
  segment.joint = joint;
  segment.com = 0.5 * (a + b);
  segment.axis = axis;
  segment.radius = radius;
  const double length = (b - a).norm();
  segment.half_length = std::max(0.005, 0.5 * length - radius);
  segment.inertia = Vector3::Constant(
      mass * (3.0 * radius * radius + length * length) / 12.0);
  segment.inertia[axis] = 0.5 * mass * radius * radius;
  return segment;
}

RagdollSegment Trunk(int parent, double mass, const Vector3& joint,
                     const Vector3& com, const Vector3& half) {
  RagdollSegment segment;
  segment.parent = parent;
  segment.mass = mass;
  segment.joint = joint;
  segment.com = com;
  segment.box = true;
  segment.half_extents = half;
  const Vector3 q = (2.0 * half).cwiseAbs2();
  segment.inertia =
      Vector3(q.y() + q.z(), q.x() + q.z(), q.x() + q.y()) * (mass / 12.0);
  return segment;
}

dynamics::ShapePointer ShapeOf(const RagdollSegment& segment) {
  return segment.box ? Shape::Box(segment.half_extents)
                     : Shape::Capsule(segment.radius, segment.half_length);
}

// From the capsule's own axis y to that of the segment.
Quaternion AxisTurn(int axis) {
  if (axis == 0) return ExpRotation(Vector3(0.0, 0.0, -0.5 * kPi));
  if (axis == 2) return ExpRotation(Vector3(0.5 * kPi, 0.0, 0.0));
  return Quaternion::Identity();
}

Vector3 EulerAngles(const Matrix3& R) {
  return {std::atan2(-R(1, 2), R(2, 2)),
          std::asin(std::clamp(R(0, 2), -1.0, 1.0)),
          std::atan2(-R(0, 1), R(0, 0))};
}

// Moment about the joint of segment i of the weight of all that hangs on it, in
// the figure's pose turned so that it is largest [N m].
double BranchMoment(const RagdollScene& scene, std::size_t i) {
  Vector3 moment = Vector3::Zero();
  for (std::size_t k = i; k < scene.segments.size(); ++k) {
    std::size_t above = k;
    while (above > i && scene.segments[above].parent >= 0) {
      above = Index(scene.segments[above].parent);
    }
    if (above != i) continue;
    const RagdollSegment& segment = scene.segments[k];
    moment += segment.mass * (segment.com - scene.segments[i].joint);
  }
  return kGravity * moment.norm();
}

}  // namespace

std::vector<RagdollSegment> RagdollFigure(bool capsules_only) {
  std::vector<RagdollSegment> s;
  const auto add = [&s](RagdollSegment segment, const Vector3& lower,
                        const Vector3& upper) {
    segment.lower = lower;
    segment.upper = upper;
    s.push_back(segment);
    return static_cast<int>(s.size()) - 1;
  };
  const Vector3 bend_lower(-0.5, -0.35, -0.5);
  const Vector3 bend_upper(0.7, 0.35, 0.5);
  const int hips =
      add(Trunk(-1, 10.0, {0, 0, 0.97}, {0, 0, 0.97}, {0.15, 0.09, 0.08}),
          Vector3::Zero(), Vector3::Zero());
  const int waist =
      add(Trunk(hips, 10.0, {0, 0, 1.05}, {0, 0, 1.13}, {0.13, 0.08, 0.08}),
          bend_lower, bend_upper);
  const int chest =
      add(Trunk(waist, 17.6, {0, 0, 1.21}, {0, 0, 1.34}, {0.16, 0.10, 0.13}),
          bend_lower, bend_upper);
  add(Limb(chest, 5.0, {0, 0, 1.50}, {0, 0, 1.49}, {0, 0, 1.75}, 2, 0.09),
      {-0.7, -0.5, -1.0}, {0.7, 0.5, 1.0});
  for (const double side : {1.0, -1.0}) {
    const double x = 0.09 * side;
    const int thigh =
        add(Limb(hips, 8.0, {x, 0, 0.93}, {x, 0, 0.93}, {x, 0, 0.50}, 2, 0.07),
            {-0.5, -0.6, -0.6}, {2.0, 0.6, 0.6});
    const int shank = add(
        Limb(thigh, 3.5, {x, 0, 0.50}, {x, 0, 0.50}, {x, 0, 0.08}, 2, 0.045),
        {-2.3, -0.05, -0.05}, {0.02, 0.05, 0.05});
    const int foot = add(Limb(shank, 0.8, {x, 0, 0.08}, {x, -0.06, 0.04},
                              {x, 0.14, 0.04}, 1, 0.035),
                         {-0.6, -0.3, -0.2}, {0.5, 0.3, 0.2});
    add(Limb(foot, 0.2, {x, 0.13, 0.03}, {x, 0.12, 0.03}, {x, 0.21, 0.03}, 1,
             0.025),
        {-0.1, -0.05, -0.05}, {0.8, 0.05, 0.05});
    const auto arm = [side](double at) {
      return Vector3(at * side, 0.0, 1.42);
    };
    const int upper =
        add(Limb(chest, 2.0, arm(0.20), arm(0.20), arm(0.49), 0, 0.045),
            {-1.0, -1.0, -1.3}, {1.0, 1.0, 1.3});
    const int fore =
        add(Limb(upper, 1.2, arm(0.49), arm(0.49), arm(0.74), 0, 0.035),
            {-1.0, -0.05, side > 0 ? -0.02 : -2.4},
            {1.0, 0.05, side > 0 ? 2.4 : 0.02});
    add(Limb(fore, 0.5, arm(0.74), arm(0.74), arm(0.92), 0, 0.03),
        {-0.1, -0.8, -0.5}, {0.1, 0.8, 0.5});
  }
  if (!capsules_only) return s;
  for (RagdollSegment& segment : s) {
    if (!segment.box) continue;
    // Across the body, as thick as the trunk is deep.
    segment.box = false;
    segment.axis = 0;
    segment.radius =
        std::min(segment.half_extents.y(), segment.half_extents.z());
    segment.half_length =
        std::max(0.005, segment.half_extents.x() - segment.radius);
  }
  return s;
}

RagdollScene RagdollDrop() {
  RagdollScene scene;
  scene.name = "S4-ragdoll-drop";
  scene.segments = RagdollFigure();
  scene.figures.push_back({ExpRotation(Vector3(0.25, 0.0, 0.0)) *
                               ExpRotation(Vector3(0.0, 0.15, 0.0)),
                           Vector3(0.0, 0.0, 1.6)});
  return scene;
}

std::vector<StairBox> Staircase() {
  std::vector<StairBox> steps;
  for (int i = 0; i < 6; ++i) {
    const double half = 0.125 * (i + 1);
    steps.push_back({{0.0, -1.5 + 0.5 * i, half}, {4.0, 0.25, half}});
  }
  return steps;
}

RagdollScene RagdollsOnStairs() {
  RagdollScene scene;
  scene.name = "S5-ragdolls-x20";
  scene.segments = RagdollFigure();
  scene.steps = Staircase();
  for (int k = 0; k < 20; ++k) {
    const int layer = k / 8;
    scene.figures.push_back(
        {ExpRotation(Vector3(0.0, 0.0, 0.7 * k)) *
             ExpRotation(Vector3(0.3, 0.0, 0.0)) *
             ExpRotation(Vector3(0.0, 0.2 * std::sin(1.0 + k), 0.0)),
         Vector3(-3.0 + 2.0 * (k % 4) + 0.15 * layer, -1.2 + 2.1 * (k / 4 % 2),
                 2.2 + 2.1 * layer)});
  }
  return scene;
}

PlayedRagdolls Play(const RagdollScene& scene,
                    dynamics::WorldSettings settings) {
  settings.gravity = Vector3(0.0, 0.0, -kGravity);
  PlayedRagdolls played{World(settings), {}, {}};
  World& world = played.world;
  ColliderSpec ground;
  ground.shape = Shape::Plane();
  ground.X_BS.R = ExpRotation(Vector3(0.5 * kPi, 0.0, 0.0));
  world.AddCollider(dynamics::kGround, ground);
  for (const StairBox& step : scene.steps) {
    ColliderSpec spec;
    spec.shape = Shape::Box(step.half_extents);
    spec.X_BS.p = step.centre;
    world.AddCollider(dynamics::kGround, spec);
  }
  for (std::size_t f = 0; f < scene.figures.size(); ++f) {
    const Transform& X_WF = scene.figures[f];
    const std::size_t first = played.bodies.size();
    for (const RagdollSegment& segment : scene.segments) {
      BodySpec body;
      body.mass.mass = segment.mass;
      body.mass.I_BC = segment.inertia.asDiagonal();
      body.X_WB = {X_WF.R, X_WF * segment.com};
      played.bodies.push_back(world.AddBody(body));
      ColliderSpec spec;
      spec.shape = ShapeOf(segment);
      spec.X_BS.R =
          segment.box ? Quaternion::Identity() : AxisTurn(segment.axis);
      spec.family = static_cast<int>(f) + 1;
      world.AddCollider(played.bodies.back(), spec);
    }
    for (std::size_t i = 0; i < scene.segments.size(); ++i) {
      const RagdollSegment& segment = scene.segments[i];
      if (segment.parent < 0) {
        played.joints.push_back(nullptr);
        continue;
      }
      const RagdollSegment& parent = scene.segments[Index(segment.parent)];
      BallJoint& joint = world.Add(BallJoint(
          played.bodies[first + Index(segment.parent)],
          Transform{Quaternion::Identity(), segment.joint - parent.com},
          played.bodies[first + i],
          Transform{Quaternion::Identity(), segment.joint - segment.com},
          BallJoint::Axes::kEulerXyz));
      for (int k = 0; k < 3; ++k) {
        joint.axis(k).lower = segment.lower[k];
        joint.axis(k).upper = segment.upper[k];
        if (scene.friction == 0.0) continue;
        joint.axis(k).drive = dynamics::PoweredAxis::Drive::kSpeed;
        joint.axis(k).max_force = scene.friction * BranchMoment(scene, i);
      }
      played.joints.push_back(&joint);
    }
  }
  return played;
}

double LargestGap(const RagdollScene&, const PlayedRagdolls& played) {
  double gap = 0.0;
  for (const BallJoint* joint : played.joints) {
    if (joint == nullptr) continue;
    gap = std::max(gap, (played.world.X_WB(joint->child()) * joint->X_BM().p -
                         played.world.X_WB(joint->parent()) * joint->X_PF().p)
                            .norm());
  }
  return gap;
}

double GroundPenetration(const RagdollScene& scene,
                         const PlayedRagdolls& played) {
  double depth = 0.0;
  for (std::size_t b = 0; b < played.bodies.size(); ++b) {
    const RagdollSegment& segment = scene.segments[b % scene.segments.size()];
    const dynamics::BodyMotion& motion = played.world.motion(played.bodies[b]);
    const double reach =
        segment.box
            ? motion.R_WB.row(2).cwiseAbs().dot(
                  segment.half_extents.transpose())
            : segment.radius +
                  segment.half_length * std::abs(motion.R_WB(2, segment.axis));
    depth = std::max(depth, reach - motion.p_WC.z());
  }
  return depth;
}

double LimitViolation(const RagdollScene& scene, const PlayedRagdolls& played) {
  double excess = 0.0;
  for (std::size_t b = 0; b < played.bodies.size(); ++b) {
    const BallJoint* joint = played.joints[b];
    if (joint == nullptr) continue;
    const RagdollSegment& segment = scene.segments[b % scene.segments.size()];
    const Matrix3 R = played.world.motion(joint->parent()).R_WB.transpose() *
                      played.world.motion(joint->child()).R_WB;
    const Vector3 q = EulerAngles(R);
    excess = std::max({excess, (segment.lower - q).maxCoeff(),
                       (q - segment.upper).maxCoeff()});
  }
  return excess;
}

double DriftEnergy(const RagdollScene& scene, const PlayedRagdolls& played) {
  double energy = 0.0;
  for (const dynamics::BodyId body : played.bodies) {
    const dynamics::BodyMotion& motion = played.world.motion(body);
    const dynamics::MassProperties& mass = played.world.mass(body);
    const Vector3 w_B = motion.R_WB.transpose() * motion.w_WB;
    const double height = motion.p_WC.z() - 0.5 * scene.step * motion.v_WC.z();
    energy += 0.5 * (mass.mass * motion.v_WC.squaredNorm() +
                     w_B.dot(mass.I_BC * w_B)) +
              mass.mass * kGravity * height;
  }
  return energy;
}

double RestSpeed(const RagdollScene& scene, const PlayedRagdolls& played) {
  double sum = 0.0, mass = 0.0;
  for (std::size_t b = 0; b < played.bodies.size(); ++b) {
    const double m = scene.segments[b % scene.segments.size()].mass;
    sum += m * played.world.motion(played.bodies[b]).v_WC.squaredNorm();
    mass += m;
  }
  return std::sqrt(sum / mass);
}

}  // namespace limber::scenes
