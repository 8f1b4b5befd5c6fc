// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "figure/figure_model.h"
#include "figure/motion.h"

namespace limber::figure::internal {

/// The clip as a body can play it: without what lies above the frequencies of
/// movement, and lifted or lowered so that whenever a foot is near the floor
/// the lowest point of the body is on it. With d(t) the height of that point
/// over the floor, the root is moved up by
///
///     y(t) = -d (1 - S((d - near) / near))        S = SmoothStep
///
/// smoothed: nothing while the figure is in the air (d > 2 near).
Motion PlayableClip(const Motion& clip, const FigureModel& model, double floor);

}  // namespace limber::figure::internal
