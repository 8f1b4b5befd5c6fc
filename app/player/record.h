// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/player/recording.h"
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

/// A clip on a stage.
struct PlayedClip {
  std::string name;  ///< "Result".
  const figure::Motion* motion = nullptr;
  std::shared_ptr<const figure::FigureModel> figure = nullptr;
};

/// A clip, and those it was made from or is compared with as ghosts, which can
/// be put beside it.
/// @param clips  at least one.
std::optional<PlayerRecording> RecordClips(
    std::string title, const std::vector<PlayedClip>& clips);

/// Lets a character be seen instead of the plain bodies, if `file` is a GLB
/// that is not too large for a page.
/// @param animation  its index; -1: the last.
void AddCharacter(const std::filesystem::path& file, int animation,
                  PlayerActor& actor);

}  // namespace limber::app
