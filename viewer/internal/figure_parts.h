// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "figure/figure_model.h"
#include "viewer/part.h"

namespace limber::viewer::internal {

/// The parts of a figure: the solids of its segments, then its bones, each
/// fixed to a joint. One of the two is seen.
struct FigureParts {
  struct Placed {
    int joint = 0;
    Transform X_JS;
    bool bone = false;
  };
  std::vector<Part> parts;
  std::vector<Placed> placed;  ///< One per part.
  bool has_solids = false;

  bool IsSeen(std::size_t part, bool bones) const {
    return placed[part].bone == (bones || !has_solids);
  }
};

/// @param ghost  see-through, in the ghost's colour.
FigureParts MakeFigureParts(const figure::FigureModel& figure, bool ghost);

/// The mass centre of a figure whose segments are at `X_WB`, by segment.
Vector3 MassCentre(const figure::FigureModel& figure,
                   const std::vector<Transform>& X_WB);

/// The segments whose paths are trails: hands, or what comes nearest, and feet.
std::vector<int> TrailSegments(const figure::FigureModel& figure);

}  // namespace limber::viewer::internal
