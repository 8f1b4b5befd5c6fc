// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "dynamics/joint.h"
#include "dynamics/world.h"

namespace limber::dynamics::test {

inline WorldSettings Weightless(Scheme scheme = Scheme::kLeapfrog) {
  WorldSettings settings;
  settings.gravity.setZero();
  settings.scheme = scheme;
  return settings;
}

inline BodySpec Solid(double mass, const Vector3& inertia,
                      const Transform& X_WB = {},
                      const Vector3& p_BC = Vector3::Zero()) {
  BodySpec spec;
  spec.mass.mass = mass;
  spec.mass.p_BC = p_BC;
  spec.mass.I_BC = inertia.asDiagonal();
  spec.X_WB = X_WB;
  return spec;
}

/// Joins two bodies as they stand, with F and M both at X_WF: all coordinates
/// and errors are 0.
template <typename T, typename... Arguments>
T& Join(World& world, BodyId parent, const Transform& X_WF, BodyId child,
        Arguments... arguments) {
  return world.Add(T(parent, world.X_WB(parent).Inverse() * X_WF, child,
                     world.X_WB(child).Inverse() * X_WF, arguments...));
}

inline double Position(const World& world, const Joint& joint, int k = 0) {
  return joint.Position(world.motions(), k);
}
inline double Speed(const World& world, const Joint& joint, int k = 0) {
  return joint.Speed(world.motions(), k);
}
/// Force of one row in the last step of `h` seconds.
inline double RowForce(const Constraint& constraint, std::size_t row,
                       double h) {
  return constraint.impulses()[row] / h;
}

inline void RunUntil(World& world, double end, double h) {
  while (world.time() < end - 0.5 * h) world.Step(h);
}

/// Steps until `end` [s] and returns the times at which `value` passes 0
/// upwards, interpolated between steps.
inline std::vector<double> UpwardCrossings(
    World& world, double h, double end, const std::function<double()>& value) {
  std::vector<double> times;
  double last = value();
  while (world.time() < end - 0.5 * h) {
    world.Step(h);
    const double now = value();
    if (last < 0.0 && now >= 0.0) {
      times.push_back(world.time() - h * now / (now - last));
    }
    last = now;
  }
  return times;
}

inline double MeanPeriod(const std::vector<double>& crossings) {
  return (crossings.back() - crossings.front()) /
         static_cast<double>(crossings.size() - 1);
}

}  // namespace limber::dynamics::test
