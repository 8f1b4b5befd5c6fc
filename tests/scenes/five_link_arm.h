// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "dynamics/constraint.h"
#include "dynamics/world.h"

namespace limber::test {

/// |x_j - x_i|^2 = L^2 between two point masses, the row form of the published
/// five-link arm; no constant to tune but the policy.
class SquaredDistance : public dynamics::Constraint {
 public:
  SquaredDistance(dynamics::BodyId i, dynamics::BodyId j, double length,
                  const dynamics::Stabilisation& stabilisation)
      : bodies_{i, j}, length_(length) {
    settings_.stabilisation = stabilisation;
  }

  std::span<const dynamics::BodyId> bodies() const override { return bodies_; }

  void AddRows(dynamics::BodyMotions bodies, double /*time*/,
               dynamics::RowBuffer& rows) const override {
    const dynamics::BodyMotion& a = MotionOf(bodies, bodies_[0]);
    const dynamics::BodyMotion& b = MotionOf(bodies, bodies_[1]);
    const Vector3 d = b.p_WC - a.p_WC;
    const Vector3 dv = b.v_WC - a.v_WC;
    // C = d.d - L^2, C' = 2 d.d', C'' = 2 d.d'' + 2 d'.d'
    rows.Add(d.squaredNorm() - length_ * length_, 0.0, 2.0 * dv.squaredNorm(),
             settings_);
    rows.Touch(bodies_[0], -2.0 * d, Vector3::Zero());
    rows.Touch(bodies_[1], 2.0 * d, Vector3::Zero());
  }

 private:
  std::array<dynamics::BodyId, 2> bodies_;
  double length_;
  dynamics::RowSettings settings_;
};

/// Five links of length 1 m between point masses, one end fixed, horizontal at
/// rest (H-18).
struct FiveLinkArm {
  explicit FiveLinkArm(const dynamics::WorldSettings& settings,
                       const dynamics::Stabilisation& stabilisation,
                       double mass = 1.0, double end_mass = 1.0)
      : world(settings) {
    dynamics::BodyId last = dynamics::kGround;
    for (int i = 1; i <= 5; ++i) {
      dynamics::BodySpec node;
      node.point_mass = true;
      node.mass.mass = i == 5 ? end_mass : mass;
      node.X_WB.p = Vector3(i, 0, 0);
      const dynamics::BodyId body = world.AddBody(node);
      world.Add(SquaredDistance(last, body, 1.0, stabilisation));
      nodes.push_back(body);
      last = body;
    }
  }

  /// Sum over the links of |length - 1| now (H-19).
  double LinkError() const {
    double sum = 0.0;
    Vector3 last = Vector3::Zero();
    for (const dynamics::BodyId node : nodes) {
      const Vector3 p = world.motion(node).p_WC;
      sum += std::abs((p - last).norm() - 1.0);
      last = p;
    }
    return sum;
  }

  /// Steps for `seconds` and returns the link error summed over all steps.
  double AccumulatedError(double h, double seconds) {
    double sum = 0.0;
    const int steps = static_cast<int>(std::lround(seconds / h));
    for (int i = 0; i < steps; ++i) {
      world.Step(h);
      sum += LinkError();
    }
    return sum;
  }

  double Energy() const {
    return world.KineticEnergy() + world.PotentialEnergy();
  }

  dynamics::World world;
  std::vector<dynamics::BodyId> nodes;
};

}  // namespace limber::test
