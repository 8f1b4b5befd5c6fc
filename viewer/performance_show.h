// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "viewer/show.h"

namespace limber::viewer {

/// A clip played by the physical figure. Modes: "kinematic" (the clip itself),
/// "dynamic" (bounded motors, feet on the floor), "compare" (both, the clip as
/// a ghost), "loose-arms", "rag-doll". Bodies can be pulled, pushed and shot
/// at. It is simulated as far as it is looked at; what has been computed is
/// kept, so that the time line can be moved back. What pointer and keys do
/// happens at the end of what has been computed. It is an `EditedFigure`
/// (viewer/edited_figure.h), with the mode "edited" once somebody edits it.
/// @throws std::invalid_argument as `figure::ArticulatedFigure`.
std::unique_ptr<Show> ShowPerformance(
    std::shared_ptr<const figure::Motion> motion,
    std::shared_ptr<const figure::FigureModel> figure);

}  // namespace limber::viewer
