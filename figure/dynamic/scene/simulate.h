// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "figure/dynamic/scene/figure_scene.h"

namespace limber::figure {

/// What came of a scene that was played.
struct SceneOutcome {
  std::vector<Verdict> verdicts;  ///< One per criterion of the scene.
  int num_steps = 0;
  double seconds = 0.0;  ///< Simulated.
  /// Everything stayed a number; if not, the play ended there.
  bool finite = true;
  int unsolved_steps = 0;    ///< That the solver left at its iteration limit.
  double largest_gap = 0.0;  ///< Of any joint of a figure or of the props [m].
  double deepest_overlap = 0.0;  ///< Of any contact [m].

  bool AllMet() const;
};

/// Plays `scene` from its start for its duration, or for `seconds` if positive;
/// criteria are judged after every step.
/// @throws std::invalid_argument as `WrongLength` says.
/// @param progress  called with the share that is done, in [0, 1].
SceneOutcome SimulateScene(FigureScene& scene, double seconds = 0.0,
                           const std::function<void(double)>& progress = {});

/// Deepest overlap of all contacts of the last step [m].
double DeepestOverlap(const dynamics::World& world);

}  // namespace limber::figure
