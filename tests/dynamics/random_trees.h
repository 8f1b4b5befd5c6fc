// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "dynamics/joints/ball_joint.h"
#include "dynamics/joints/cylindrical_joint.h"
#include "dynamics/joints/hinge_joint.h"
#include "dynamics/joints/slider_joint.h"
#include "dynamics/joints/universal_joint.h"
#include "dynamics/joints/weld_joint.h"
#include "dynamics/world.h"
#include "tests/scenes/soft_rows.h"

namespace limber::test {

using scenes::EdgeContact;

/// Trees of all kinds of joints, with drives, limits at their stops, contacts
/// and loops, in random poses and motion. The same seed gives the same world.
struct RandomTree {
  dynamics::World world;
  std::vector<dynamics::BodyId> bodies;
  std::vector<dynamics::Joint*> joints;
  std::vector<EdgeContact*> contacts;
};

struct RandomTreeOptions {
  int min_bodies = 2;
  int max_bodies = 60;
  bool loops = true;
  bool contacts = true;
  bool held = true;  ///< Half of the trees hang on the ground; else none.
};

inline RandomTree MakeRandomTree(unsigned seed,
                                 const RandomTreeOptions& options) {
  using namespace dynamics;
  std::mt19937 random(seed);
  const auto uniform = [&random](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto pick = [&random](int n) {
    return std::uniform_int_distribution<int>(0, n - 1)(random);
  };
  const auto vector = [&uniform](double size) {
    return Vector3(uniform(-size, size), uniform(-size, size),
                   uniform(-size, size));
  };
  const auto rotation = [&] { return ExpRotation(vector(2.0)); };

  RandomTree tree;
  const int n =
      options.min_bodies + pick(options.max_bodies - options.min_bodies + 1);
  const bool held = pick(2) == 0 && options.held;
  const bool chain = pick(3) == 0;
  for (int i = 0; i < n; ++i) {
    BodySpec spec;
    spec.mass.mass = uniform(0.2, 5.0);
    const Vector3 size(uniform(0.05, 0.2), uniform(0.05, 0.2),
                       uniform(0.05, 0.2));
    const Vector3 q = size.cwiseAbs2();
    spec.mass.I_BC = (spec.mass.mass / 3.0 *
                      Vector3(q.y() + q.z(), q.x() + q.z(), q.x() + q.y()))
                         .asDiagonal();
    if (pick(2) == 0) spec.mass.p_BC = vector(0.1);
    spec.X_WB = {rotation(), vector(1.0)};
    spec.v_WC = vector(1.0);
    spec.w_WB = vector(2.0);
    tree.bodies.push_back(tree.world.AddBody(spec));
  }
  constexpr std::array<double, 4> kSoftness = {0.0, 1e-6, 1e-4, 1e-2};
  const auto power = [&](Joint& joint) {
    for (int k = 0; k < joint.num_free(); ++k) {
      PoweredAxis& axis = joint.axis(k);
      const int kind = pick(5);
      if (kind < 4) {
        axis.drive = static_cast<PoweredAxis::Drive>(kind);
        axis.target_speed = uniform(-2.0, 2.0);
        axis.target_position = uniform(-0.5, 0.5);
        axis.max_force = std::pow(10.0, uniform(-1.0, 3.0));
        axis.softness = kSoftness[static_cast<std::size_t>(pick(4))];
        axis.stiffness = uniform(0.0, 100.0);
        axis.damping = uniform(0.1, 10.0);
      }
    }
  };
  const auto connect = [&](BodyId parent, BodyId child, int kind) -> Joint& {
    // Frames that coincide now, up to a small gap.
    const Transform X_WF{rotation(), tree.world.X_WB(child) * vector(0.2)};
    const Transform X_PF = tree.world.X_WB(parent).Inverse() * X_WF;
    const Transform gap{ExpRotation(vector(1e-4)), vector(1e-4)};
    const Transform X_BM = tree.world.X_WB(child).Inverse() * X_WF * gap;
    World& world = tree.world;
    switch (kind) {
      case 0:
        return world.Add(HingeJoint(parent, X_PF, child, X_BM));
      case 1:
        return world.Add(SliderJoint(parent, X_PF, child, X_BM));
      case 2:
        return world.Add(UniversalJoint(parent, X_PF, child, X_BM));
      case 3:
        return world.Add(WeldJoint(parent, X_PF, child, X_BM));
      case 4:
        return world.Add(CylindricalJoint(parent, X_PF, child, X_BM));
      case 5:
        return world.Add(
            BallJoint(parent, X_PF, child, X_BM, BallJoint::Axes::kEulerXyz));
      default:
        return world.Add(BallJoint(parent, X_PF, child, X_BM));
    }
  };
  for (int i = 0; i < n; ++i) {
    if (i == 0 && !held) continue;
    BodyId parent = kGround;
    if (i > 0) {
      parent = tree.bodies[static_cast<std::size_t>(chain ? i - 1 : pick(i))];
    }
    BodyId child = tree.bodies[static_cast<std::size_t>(i)];
    if (pick(4) == 0) std::swap(parent, child);
    Joint& joint = connect(parent, child, pick(10));
    power(joint);
    for (int k = 0; k < joint.num_free(); ++k) {
      if (pick(3) != 0) continue;
      // At a stop, or a little beyond it.
      const double q = joint.Position(tree.world.motions(), k);
      PoweredAxis& axis = joint.axis(k);
      axis.limit_softness = kSoftness[static_cast<std::size_t>(pick(4))];
      if (pick(2) == 0) {
        axis.lower = q + uniform(-0.01, 0.01);
      } else {
        axis.upper = q + uniform(-0.01, 0.01);
      }
      if (std::isfinite(axis.lower) && pick(4) == 0) {
        axis.upper = axis.lower + 1.0;
      }
    }
    if (pick(10) == 0) {
      RowSettings soft;
      soft.softness = 1e-3;
      soft.stabilisation = Stabilisation::Implicit();
      joint.set_locked_settings(soft);
    }
    tree.joints.push_back(&joint);
  }
  if (options.contacts) {
    for (int i = 0; i < n / 4; ++i) {
      const BodyId body = tree.bodies[static_cast<std::size_t>(pick(n))];
      const Vector3 p_BA = vector(0.2);
      const double height =
          (tree.world.X_WB(body) * p_BA).y() + uniform(-0.005, 0.002);
      tree.contacts.push_back(&tree.world.Add(EdgeContact(
          body, p_BA, height, std::pow(10.0, uniform(-4.0, -2.0)))));
    }
  }
  if (options.loops && n > 3 && pick(3) == 0) {
    for (int i = 0; i < 1 + pick(2); ++i) {
      const int a = pick(n);
      const int b = pick(n);
      if (a == b) continue;
      connect(tree.bodies[static_cast<std::size_t>(a)],
              tree.bodies[static_cast<std::size_t>(b)], 9);
    }
  }
  return tree;
}

}  // namespace limber::test
