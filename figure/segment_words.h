// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/figure_model.h"

namespace limber::figure {

/// The segments that a word names, empty if none: a segment by its name or its
/// role ("left-forearm", "forearm_l"), or a group of them: "arms", "legs",
/// "feet" (with toes), "torso" (spine and chest), "head" (with the neck) and
/// "all".
std::vector<int> SegmentsNamed(std::string_view word, const FigureModel& model);

/// The words for the segments of a figure, for messages: groups first, then
/// names.
std::vector<std::string> SegmentWords(const FigureModel& model);

}  // namespace limber::figure
