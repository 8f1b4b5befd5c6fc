// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "mocap/solve/calibrate.h"
#include "mocap/solve/solve_take.h"
#include "mocap/solve/unsure.h"

namespace limber::mocap {

/// How far the bends of hips, knees, ankles and elbows depend on what was
/// expected rather than on what was seen. The body is calibrated anew for
/// several draws of where the markers might have been put, each place drawn
/// from the spread that its set gives it, and each body follows the same
/// points:
///
///     sigma_j² = median over draws of the variance over frames of
///                bend_j(draw, t) - bend_j(t)
///
/// so a constant offset does not count. Where the motion shows the joint, all
/// draws end in the same body and sigma is small; a joint that rests on the
/// expected places, or that has a second body about as good, gets a large one.
/// The draws are the same in every run. One entry for each such joint that
/// moves; none if fewer than two frames are there.
std::vector<UnsureJoint> MeasureBendSpread(const PreparedTake& take,
                                           const Calibration& calibration,
                                           const TakeSolution& solution);

}  // namespace limber::mocap
