// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/dynamics/random_trees.h"

namespace limber::test {

inline constexpr double kStep = 1.0 / 240.0;

inline void SetSolver(dynamics::World& world, dynamics::SolverKind solver) {
  dynamics::WorldSettings settings = world.settings();
  settings.solver = solver;
  world.set_settings(settings);
}

/// What one step led to. Velocities are those at the kick, where the solver
/// works: the closing that follows may differ in its last digits.
struct Kick {
  std::vector<dynamics::BodyMotion> motions;
  std::vector<std::vector<double>> impulses;
  dynamics::StepReport report;
};

inline Kick StepWith(RandomTree& tree, dynamics::SolverKind solver) {
  SetSolver(tree.world, solver);
  Kick kick;
  kick.report = tree.world.Step(kStep);
  kick.motions = tree.world.SynchronisedMotions();
  for (const dynamics::Joint* joint : tree.joints) {
    kick.impulses.emplace_back(joint->impulses().begin(),
                               joint->impulses().end());
  }
  return kick;
}

/// Largest difference of a velocity, relative to the largest speed or to the
/// largest impulse over the smallest mass, whatever is more: the numbers that
/// the velocities are sums of.
inline double Difference(const Kick& a, const Kick& b) {
  constexpr double kSmallestMass = 0.2;
  double difference = 0.0;
  double scale = 1.0;
  for (std::size_t i = 0; i < a.motions.size(); ++i) {
    // The mean of two velocities, of which the first is common.
    difference = std::max(
        {difference,
         2.0 * (a.motions[i].v_WC - b.motions[i].v_WC).cwiseAbs().maxCoeff(),
         2.0 * (a.motions[i].w_WB - b.motions[i].w_WB).cwiseAbs().maxCoeff()});
    scale =
        std::max({scale, a.motions[i].v_WC.norm(), a.motions[i].w_WB.norm()});
  }
  for (const std::vector<double>& impulses : a.impulses) {
    for (const double impulse : impulses) {
      scale = std::max(scale, std::abs(impulse) / kSmallestMass);
    }
  }
  return difference / scale;
}

}  // namespace limber::test
