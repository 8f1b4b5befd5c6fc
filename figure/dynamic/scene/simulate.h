// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "figure/dynamic/scene/figure_scene.h"

namespace limber::figure {

/// The work of a play is the number of bodies and of contact points, summed
/// over its steps: five million take about ten seconds of one core, more where
/// the solver does not find an end. A play beyond this bound is no accident of
/// a user but mostly one of a file, so that it is refused unless asked for.
inline constexpr double kMostSceneWork = 2e7;

/// What forbids to play `num_bodies` bodies for `seconds` in steps of `step`
/// within so much work, or nothing. Contacts are not known before the play.
std::string TooMuchWork(double num_bodies, double seconds, double step,
                        double most_work = kMostSceneWork);

/// What came of a scene that was played.
struct SceneOutcome {
  std::vector<Verdict> verdicts;  ///< One per criterion of the scene.
  int num_steps = 0;
  double seconds = 0.0;  ///< Simulated.
  /// Everything stayed a number; if not, the play ended there.
  bool finite = true;
  /// The play ended because its contacts made it more work than was allowed.
  bool too_much_work = false;
  int unsolved_steps = 0;    ///< That the solver left at its iteration limit.
  double largest_gap = 0.0;  ///< Of any joint of a figure or of the props [m].
  double deepest_overlap = 0.0;  ///< Of any contact [m].

  bool AllMet() const;
};

/// Plays `scene` from its start for its duration, or for `seconds` if positive;
/// criteria are judged after every step.
/// @throws std::invalid_argument as `WrongLength` and `TooMuchWork` say.
/// @param progress   called after every step that counts, with the share that
///                   is done, in [0, 1].
/// @param most_work  bodies and contact points, summed over the steps; the same
///                   scene is stopped after the same step on every machine.
SceneOutcome SimulateScene(FigureScene& scene, double seconds = 0.0,
                           const std::function<void(double)>& progress = {},
                           double most_work = kMostSceneWork);

/// Deepest overlap of all contacts of the last step [m].
double DeepestOverlap(const dynamics::World& world);

}  // namespace limber::figure
