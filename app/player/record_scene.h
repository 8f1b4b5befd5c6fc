// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "app/player/recording.h"
#include "app/player/samples.h"
#include "figure/dynamic/scene/figure_scene.h"
#include "viewer/scene_show.h"

namespace limber::app {

/// Watches a scene while it is played, so that a page can show that very play.
class SceneWatcher {
 public:
  /// @param scene     at its start; it outlives the watcher.
  /// @param duration  that will be played [s].
  SceneWatcher(figure::FigureScene& scene, double duration);
  /// To be called after every step.
  void AfterStep();
  /// What was seen, once; nothing where there are too many parts for a page.
  std::optional<PlayerRecording> Record(std::string title);

 private:
  figure::FigureScene& scene_;
  viewer::WatchedScene watched_;
  double end_ = 0.0;  ///< Of what a page can hold [s].
};

}  // namespace limber::app
