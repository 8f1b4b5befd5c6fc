// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "figure/dynamic/edit.h"
#include "figure/motion.h"
#include "jobs/events.h"
#include "jobs/progress.h"

namespace limber::jobs {

struct EditOptions {
  std::string file;  ///< How findings call the clip; may be empty.
  /// The body that plays the clip, on its skeleton; null: one is made.
  std::shared_ptr<const figure::FigureModel> figure;
  /// Rate, strength, floor, what comes back; its `progress` is not used.
  figure::EditSettings settings;
  /// Segments that the events do not move, such as "feet,head".
  std::string keep;
  Progress progress;
};

struct EditedClip {
  figure::EditResult result;  ///< With the clip that came out, `motion`.
  std::shared_ptr<const figure::FigureModel> figure;  ///< That played it.
  std::vector<figure::EditEvent> events;              ///< As they were played.
};

/// A body with masses and limits for a clip. Errors of `figure::MakeFigure`,
/// "no-frames" and "too-long".
Result<std::shared_ptr<const figure::FigureModel>> FigureForClip(
    const figure::Motion& clip, const std::string& file = {});

/// Plays a clip on the physical figure, lets events happen to it, and returns
/// what becomes of the clip (`figure::EditMotion`). Errors as `FigureForClip`,
/// and "stopped".
/// @throws BadCall if an event names no segment, lies outside the clip or has a
///         number out of range; std::runtime_error if one is so strong that the
///         motion does not stay finite.
Result<EditedClip> Edit(const figure::Motion& clip,
                        std::span<const Event> events,
                        const EditOptions& options = {});

}  // namespace limber::jobs
