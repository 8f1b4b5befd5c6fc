// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/player/recording.h"
#include "figure/dynamic/edit.h"
#include "figure/figure_model.h"
#include "figure/motion.h"

namespace limber::app {

/// The edited clip with what happened to it, and the clip before as a ghost.
std::optional<PlayerRecording> RecordEdit(
    const figure::EditResult& result, const figure::Motion& clip,
    const std::shared_ptr<const figure::FigureModel>& model,
    const std::vector<figure::EditEvent>& events);

}  // namespace limber::app
