// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "mocap/solve/solve_take.h"

namespace limber::mocap {

/// How well the body tells where markers are that it did not see.
struct HeldOut {
  MarkerError all;                      ///< Over all held-out samples [m].
  std::vector<MarkerError> per_marker;  ///< Per marker of the actor.
  int num_rounds = 0;
};

/// Solves the take several times, each time without `share` of the markers and
/// every marker left out once, and measures those left out against the place
/// the body gives them. Markers of one segment go into different rounds. At
/// most the first 3000 frames are used.
/// @throws std::invalid_argument if `share` is not in (0, 0.5].
HeldOut MeasureHeldOut(const PreparedTake& take, const Actor& actor,
                       double share, const SolveOptions& options = {});

}  // namespace limber::mocap
