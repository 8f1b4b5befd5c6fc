// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/simulate.h"

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/file.h"
#include "jobs/bad_call.h"
#include "jobs/data_path.h"
#include "jobs/load.h"
#include "jobs/words.h"

namespace limber::jobs {

Result<figure::FigureScene> LoadScene(const std::filesystem::path& path,
                                      double physics_rate_hz) {
  figure::FigureSceneOptions reading;
  reading.read_clip = LoadClip;
  reading.rate_hz = physics_rate_hz;
  return figure::ReadFigureScene(DataPath(kScenes, path), reading);
}

Result<figure::SceneOutcome> Play(figure::FigureScene& scene,
                                  const std::string& file,
                                  const SimulateOptions& options) {
  const double duration =
      options.duration > 0.0 ? options.duration : scene.scene->duration;
  const double step = scene.stage->step();
  if (const std::string wrong =
          figure::WrongLength(duration, step, scene.figures.size());
      !wrong.empty()) {
    throw BadCall(wrong);
  }
  const double most_work = options.unbounded
                               ? std::numeric_limits<double>::infinity()
                               : figure::kMostSceneWork;
  std::string too_much = figure::TooMuchWork(scene.scene->world.num_bodies(),
                                             duration, step, most_work);
  figure::SceneOutcome outcome;
  if (too_much.empty()) {
    Result<figure::SceneOutcome> played =
        RunStoppable(options.progress, file, [&] {
          return Result<figure::SceneOutcome>(
              figure::SimulateScene(scene, options.duration,
                                    TellFrom(options.progress), most_work),
              Diagnostics());
        });
    if (!played.ok()) return played;
    outcome = std::move(played).value();
    if (outcome.too_much_work) {
      too_much = "after " + Count(outcome.num_steps, "step") + " of " +
                 std::to_string(std::llround(duration / step)) +
                 " its bodies and contacts were too much work";
    }
  }
  Diagnostics findings(file);
  if (!too_much.empty()) {
    findings.Error("too-much-work", {},
                   too_much + "; --unbounded plays it however long it takes");
  }
  return {std::move(outcome), std::move(findings)};
}

Result<SimulatedScene> Simulate(const std::filesystem::path& path,
                                const SimulateOptions& options) {
  Result<figure::FigureScene> scene = LoadScene(path, options.physics_rate_hz);
  Diagnostics findings = scene.diagnostics();
  if (!scene.ok()) return Result<SimulatedScene>(std::move(findings));
  const auto begin = std::chrono::steady_clock::now();
  Result<figure::SceneOutcome> outcome =
      Play(scene.value(), PathText(path), options);
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - begin;
  findings.Append(outcome.diagnostics());
  if (!outcome.ok()) return Result<SimulatedScene>(std::move(findings));
  return {SimulatedScene{std::move(scene).value(), std::move(outcome).value(),
                         took.count()},
          std::move(findings)};
}

figure::Motion MotionOf(const figure::FigureScene& scene,
                        const figure::SceneFigure& figure, double rate_hz) {
  const auto animation = figure.animation;
  const std::function<figure::Pose(double)> idle =
      animation == nullptr
          ? std::function<figure::Pose(double)>()
          : [animation](double time) { return animation->PoseAt(time); };
  return scene.stage->recorder(figure.index)
      .Bake(*figure.performer, rate_hz > 0.0 ? rate_hz : figure.clip_rate_hz,
            idle, figure.source);
}

}  // namespace limber::jobs
