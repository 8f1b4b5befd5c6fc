// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "figure/dynamic/scene/figure_scene.h"
#include "viewer/show.h"

namespace limber::viewer {

/// Makes the scene as it stands at its start; called again when it restarts.
using SceneMaker = std::function<std::shared_ptr<figure::FigureScene>()>;

/// A scene that is simulated as far as it is looked at. What has been computed
/// is kept, one state per drawn frame of 1/60 s, so that the time line can be
/// moved to and fro. Bodies and segments of figures can be pulled, pushed and
/// shot at. Where there are figures the camera looks at them.
std::unique_ptr<Show> ShowScene(SceneMaker make);

/// A show of a scene that somebody else plays.
struct WatchedScene {
  /// Shows what has been watched; nothing can be pulled or pushed.
  std::unique_ptr<Show> show;
  /// To be called after every step of the scene, while `show` lives.
  std::function<void()> after_step;
};

/// Watches `scene`, which stands at its start and outlives the show, so that
/// one play serves its judges and its pictures. The show lasts as long as has
/// been watched.
WatchedScene WatchScene(figure::FigureScene& scene);

}  // namespace limber::viewer
