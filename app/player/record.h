// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/player/recording.h"
#include "figure/dynamic/edit_event.h"
#include "figure/figure_model.h"
#include "figure/motion.h"
#include "viewer/show.h"

namespace limber::app {

/// A show that goes onto a page.
struct PlayedShow {
  std::string name;
  std::unique_ptr<viewer::Show> show;
  bool ghost = false;
};

/// Shows on one clock, the first one's. Nothing where there are too many parts
/// for a page.
/// @param rate_hz   of the clip or take that is shown.
/// @param duration  instead of the first show's where it is positive [s].
std::optional<PlayerRecording> RecordShows(std::string title, double rate_hz,
                                           std::vector<PlayedShow> shows,
                                           double duration = 0.0);

/// A figure made for a clip's skeleton; one without segments where its joints
/// are no body.
std::shared_ptr<const figure::FigureModel> FigureFor(
    const figure::Motion& motion);

/// A clip on its figure; without one, on a figure made for it, or as bones.
std::unique_ptr<viewer::Show> ShowOf(
    const figure::Motion& motion,
    std::shared_ptr<const figure::FigureModel> figure, bool ghost);

/// A clip, and what it was made from as a ghost that can be put beside it.
struct PlayedClip {
  const figure::Motion* motion = nullptr;
  std::shared_ptr<const figure::FigureModel> figure = nullptr;
};
std::optional<PlayerRecording> RecordBoth(std::string title,
                                          const PlayedClip& result,
                                          const PlayedClip& source);

/// Lets a character be seen instead of the plain bodies, if `file` is a GLB
/// that is not too large for a page.
/// @param animation  its index; -1: the last.
void AddCharacter(const std::filesystem::path& file, int animation,
                  PlayerActor& actor);

/// Events for a time line, with arrows for pushes.
std::vector<PlayerEvent> EventsForPlayer(
    const std::vector<figure::EditEvent>& events,
    const figure::FigureModel& model, double clip_end);

}  // namespace limber::app
