// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/player/record_scene.h"

#include <utility>
#include <vector>

#include "app/player/record.h"

namespace limber::app {

namespace {

/// Frames a second that the shows of scenes keep.
constexpr double kSceneRate = 60.0;

}  // namespace

SceneWatcher::SceneWatcher(figure::FigureScene& scene, double duration)
    : scene_(scene), watched_(viewer::WatchScene(scene)) {
  const std::optional<SampleTimes> times =
      TimesFor(duration, kSceneRate, watched_.show->parts().size());
  if (!times) return;
  end_ = static_cast<double>(times->num_frames) / times->rate_hz;
}

void SceneWatcher::AfterStep() {
  // What no page holds need not be kept.
  if (scene_.stage->time() <= end_) watched_.after_step();
}

std::optional<PlayerRecording> SceneWatcher::Record(std::string title) {
  std::vector<PlayedShow> shows;
  shows.push_back({"Scene", std::move(watched_.show)});
  return RecordShows(std::move(title), kSceneRate, std::move(shows),
                     scene_.stage->time());
}

}  // namespace limber::app
