// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/result.h"
#include "mocap/marker_take.h"
#include "mocap/solve/marker_set.h"

namespace limber::mocap {

/// A marker set for labels that no known set has, from a person who stands in a
/// T-pose or with hanging arms in the fullest frame of `take`: the reference
/// body is laid over the points by their extent, and each marker goes to the
/// nearest segment. Forward is where the feet point; labels that begin with L
/// and R decide where feet are not seen. To be read over by a person: the
/// places are rough, which calibration mends, but a marker on the wrong segment
/// is not mended.
///
/// Errors: "no-standing-pose" when fewer than 8 markers are seen at once, their
/// extent is not that of a person, or fewer than 2 come to lie on the pelvis.
/// Warnings: "side-doubtful" when labels and feet disagree.
Result<MarkerSet> ProposeMarkerSet(const MarkerTake& take,
                                   const std::string& file,
                                   const std::string& name);

}  // namespace limber::mocap
