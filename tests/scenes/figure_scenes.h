// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "figure/dynamic/colliders.h"
#include "figure/dynamic/goals.h"
#include "figure/dynamic/stage.h"
#include "figure/motion.h"

namespace limber::scenes {

/// A BVH clip with guessed units, without its lead-in pose.
/// @throws std::runtime_error with the reader's words.
figure::Motion LoadClip(const std::filesystem::path& path);

/// A body for the skeleton of a clip, able to play it.
std::shared_ptr<const figure::FigureModel> BodyFor(const figure::Motion& clip);

struct PlayOptions {
  double rate_hz = 240.0;
  figure::Strength strength = figure::Strength::Powered();
  /// Removes noise above that frequency; 0 leaves the clip as it is [Hz].
  double low_pass_hz = 0.0;
  /// A floor under the clip, colliders, and a root that only helps.
  bool ground = false;
  bool self_contact = false;
  double seconds = 0.0;  ///< The clip is looped to this length, if longer.
};

/// One figure that plays a clip on a stage.
struct PlayedClip {
  figure::Motion clip;  ///< As loaded, before any smoothing.
  std::shared_ptr<const figure::FigureModel> model;
  std::unique_ptr<figure::Stage> stage;
  std::shared_ptr<figure::AnimationController> task;
  figure::Performer* performer = nullptr;
  double floor = 0.0;  ///< Height [m]; 0 without ground.

  double duration() const { return task->track().duration(); }
  const figure::Recorder& recorder() const { return stage->recorder(); }
};
PlayedClip Play(const figure::Motion& clip,
                std::shared_ptr<const figure::FigureModel> model,
                const PlayOptions& options = {});

/// Root mean square of the angles between the joints of two motions at the
/// frames they share, every `stride`-th of them, roots apart [rad].
double JointRms(const figure::Motion& a, const figure::Motion& b,
                int stride = 1);

/// A floor at `height`.
void AddFloor(dynamics::World& world, double height);

/// Largest speed of a segment's mass centre [m/s].
double LargestSpeed(const dynamics::World& world,
                    const figure::ArticulatedFigure& figure);

}  // namespace limber::scenes
