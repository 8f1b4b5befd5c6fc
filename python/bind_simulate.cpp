// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Scene files, played and judged.
#include <chrono>
#include <cmath>
#include <mutex>
#include <optional>

#include "app/player/record_scene.h"
#include "app/reports/simulate_report.h"
#include "core/file.h"
#include "jobs/simulate.h"
#include "python/job_handles.h"

namespace limber::python {

namespace {

/// A scene, the play of it, and who watched it for the page.
struct PlayedScene {
  explicit PlayedScene(figure::FigureScene read) : scene(std::move(read)) {}

  figure::FigureScene scene;
  figure::SceneOutcome outcome;
  double took = 0.0;  ///< [s]
  std::optional<app::SceneWatcher> watcher;
  std::once_flag recorded;
  std::optional<app::PlayerRecording> recording;
};

jobs::SimulateOptions SimulateOptionsOf(const Words& words) {
  jobs::SimulateOptions options;
  options.duration = words.Get("duration", 0.0);
  options.physics_rate_hz = words.Get("physics_rate", 0.0);
  options.unbounded = words.Get("unbounded", false);
  if (words.Has("duration") &&
      (!(options.duration > 0.0) || !std::isfinite(options.duration))) {
    throw py::value_error("duration: expected a positive number [s], found " +
                          py::repr(words["duration"]).cast<std::string>());
  }
  if (words.Has("physics_rate") && !(options.physics_rate_hz >= 30.0 &&
                                     options.physics_rate_hz <= 10000.0)) {
    throw py::value_error(
        "physics_rate: expected 30 to 10000 steps a second, found " +
        py::repr(words["physics_rate"]).cast<std::string>());
  }
  return options;
}

/// Reads and plays a scene; every step is seen by the watcher.
Result<std::shared_ptr<PlayedScene>> Play(const std::string& path,
                                          jobs::SimulateOptions options,
                                          const jobs::Progress& tell) {
  using Played = Result<std::shared_ptr<PlayedScene>>;
  Result<figure::FigureScene> read =
      jobs::LoadScene(path, options.physics_rate_hz);
  Diagnostics findings = read.diagnostics();
  if (!read.ok()) return Played(std::move(findings));
  const auto played = std::make_shared<PlayedScene>(std::move(read).value());
  const double duration =
      options.duration > 0.0 ? options.duration : played->scene.scene->duration;
  played->watcher.emplace(played->scene, duration);
  options.progress = [&](double share) {
    played->watcher->AfterStep();
    return tell(share);
  };
  const auto begin = std::chrono::steady_clock::now();
  Result<figure::SceneOutcome> outcome =
      jobs::Play(played->scene, path, options);
  played->took =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  findings.Append(outcome.diagnostics());
  if (!outcome.ok()) return Played(std::move(findings));
  played->outcome = std::move(outcome).value();
  return {played, std::move(findings)};
}

ResultHandle Simulate(const std::string& path, const py::dict& dictionary,
                      const py::object& progress) {
  const jobs::SimulateOptions options = SimulateOptionsOf(Words(dictionary));
  Result<std::shared_ptr<PlayedScene>> result = RunJob(
      progress,
      [&](const jobs::Progress& tell) { return Play(path, options, tell); });
  ResultHandle handle;
  handle.findings = result.diagnostics();
  const std::shared_ptr<PlayedScene> played = Must(std::move(result));
  py::dict clips;
  for (const figure::SceneFigure& one : played->scene.figures) {
    if (played->outcome.finite) {
      clips[TextOf(one.name)] = MakeClip(jobs::MotionOf(played->scene, one));
    }
  }
  handle.contents["clips"] = clips;
  py::list criteria;
  for (const figure::Verdict& verdict : played->outcome.verdicts) {
    criteria.append(py::make_tuple(TextOf(verdict.name), verdict.met,
                                   verdict.value, TextOf(verdict.unit)));
    if (!verdict.met) {
      handle.verdict.Add({"criterion", verdict.name + " is not met", "",
                          verdict.value, 0.0, verdict.unit});
    }
  }
  handle.contents["criteria"] = criteria;
  handle.report = [played, path](bool page) {
    app::Report report("Simulation of " + path);
    app::FillSceneReport(played->scene, played->outcome, played->took, report);
    if (page) {
      // The watcher gives its recording once, and pages may be asked for often.
      std::call_once(played->recorded, [&] {
        played->recording = played->watcher->Record(
            PathText(std::filesystem::path(path).filename()));
      });
      if (played->recording) report.AddPlayer(*played->recording);
    }
    return report;
  };
  return handle;
}

}  // namespace

void BindSimulate(py::module_& module) { module.def("simulate", &Simulate); }

}  // namespace limber::python
