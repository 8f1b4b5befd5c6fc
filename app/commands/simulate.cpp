// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/command.h"
#include "app/commands/load_options.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "app/jobs.h"
#include "app/player/record_scene.h"
#include "app/progress.h"
#include "app/reports/describe.h"
#include "app/reports/report.h"
#include "app/reports/simulate_report.h"
#include "core/clip_time.h"
#include "core/file.h"
#include "core/suggest.h"
#include "jobs/simulate.h"

namespace limber::app {

namespace {

namespace fs = std::filesystem;

struct SimulateOptions {
  fs::path scene;
  fs::path output;
  fs::path report;
  std::string figure;
  double duration = 0.0;
  double rate_hz = 0.0;
  double physics_rate_hz = 0.0;
  bool force = false;
  bool unbounded = false;
};

/// The figures that are written: all, or the one that was named.
std::vector<const figure::SceneFigure*> Chosen(
    const SimulateOptions& options, const figure::FigureScene& scene) {
  std::vector<const figure::SceneFigure*> chosen;
  std::vector<std::string> names;
  for (const figure::SceneFigure& one : scene.figures) {
    names.push_back(one.name);
    if (options.figure.empty() || options.figure == one.name) {
      chosen.push_back(&one);
    }
  }
  if (!options.figure.empty() && chosen.empty()) {
    std::string text = "no figure \"" + options.figure + "\" in the scene";
    if (const auto meant = Suggest(options.figure, names)) {
      text += "; did you mean \"" + *meant + "\"?";
    }
    text += names.empty() ? " (it has none" : " (it has:";
    for (const std::string& name : names) text += " " + name;
    throw BadCall(text + ")");
  }
  if (!options.output.empty() && chosen.empty()) {
    throw BadCall(
        "the scene has no figure whose motion could be written to \"" +
        PathText(options.output) + "\"; leave out -o");
  }
  return chosen;
}

/// out.bvh, or out-NAME.bvh for one of several.
fs::path OutputOf(const fs::path& output, const std::string& name, bool one) {
  if (one) return output;
  std::string word = name;
  std::ranges::replace_if(
      word, [](char c) { return c == '/' || c == '\\' || c == ' '; }, '_');
  fs::path path = output;
  path.replace_filename(output.stem().string() + "-" + word +
                        output.extension().string());
  return path;
}

std::string Bounds(const figure::Verdict& verdict) {
  std::string text;
  if (std::isfinite(verdict.above)) text = "> " + Rounded(verdict.above, 4);
  if (!std::isinf(verdict.below)) {
    text += (text.empty() ? "< " : ", < ") + Rounded(verdict.below, 4);
  }
  return text;
}

void Print(const figure::FigureScene& scene,
           const figure::SceneOutcome& outcome) {
  std::cout << Count(outcome.num_steps, "step") << ", "
            << Rounded(outcome.seconds, 3) << " s";
  if (!outcome.finite) std::cout << ": NOT A NUMBER, the play ended there";
  std::cout << "\n";
  std::size_t width = 0;
  for (const figure::Verdict& verdict : outcome.verdicts) {
    width = std::max(width, verdict.name.size());
  }
  for (const figure::Verdict& verdict : outcome.verdicts) {
    std::ostringstream line;
    line << (verdict.met ? "  met      " : "  NOT MET  ") << std::left
         << std::setw(static_cast<int>(width)) << verdict.name << "  "
         << (std::isnan(verdict.value)
                 ? std::string("never measured")
                 : Rounded(verdict.value, 4) +
                       (verdict.unit.empty() ? "" : " ") + verdict.unit)
         << " (" << Bounds(verdict) << ")";
    std::cout << line.str() << "\n";
  }
  for (const figure::SceneFigure& one : scene.figures) {
    const figure::PerformanceSummary sum =
        scene.stage->recorder(one.index).Summary();
    std::cout << "  " << one.name << ": root help "
              << Rounded(100.0 * sum.root_help_mean, 1)
              << " % of the weight (largest "
              << Rounded(100.0 * sum.root_help_max, 1)
              << " %), motors at their bound "
              << Rounded(100.0 * sum.saturation, 2) << " %\n";
  }
  std::cout << "  worst joint gap " << Rounded(1e3 * outcome.largest_gap, 4)
            << " mm, deepest penetration "
            << Rounded(1e3 * outcome.deepest_overlap, 2)
            << " mm, unsolved steps " << outcome.unsolved_steps << "\n";
}

/// Refuses a call that makes no sense before anything is read.
void CheckCall(const SimulateOptions& options) {
  if (!options.report.empty()) CheckReportPath(options.report);
  if (!options.output.empty()) CheckClipPath(options.output);
  const std::string ending = options.scene.extension().string();
  if (ending == ".bvh" || ending == ".amc" || ending == ".c3d" ||
      ending == ".trc") {
    throw BadCall("\"" + PathText(options.scene) +
                  "\" is a recording, and a scene is a JSON file "
                  "(docs/scenes.md); to play a clip on a physical figure use "
                  "\"limber edit\" or \"limber view --mode dynamic\"");
  }
}

double DurationOf(const SimulateOptions& options,
                  const figure::FigureScene& scene) {
  return options.duration > 0.0 ? options.duration : scene.scene->duration;
}

/// Plays the scene; nothing, and the reason printed, if that is too much work.
/// @param watcher  of the play, for a page; may be null.
std::optional<figure::SceneOutcome> Play(const SimulateOptions& options,
                                         figure::FigureScene& scene,
                                         SceneWatcher* watcher) {
  jobs::SimulateOptions play;
  play.duration = options.duration;
  play.unbounded = options.unbounded;
  Progress progress("simulating");
  play.progress = [&](double share) {
    progress.Show(share);
    if (watcher != nullptr) watcher->AfterStep();
    return true;
  };
  Result<figure::SceneOutcome> outcome =
      jobs::Play(scene, PathText(options.scene), play);
  if (outcome.ok()) return std::move(outcome).value();
  std::cerr << outcome.diagnostics().ToString();
  return std::nullopt;
}

/// Writes the motion of the chosen figures; false if that failed.
bool WriteFigures(const SimulateOptions& options, figure::FigureScene& scene,
                  const std::vector<const figure::SceneFigure*>& chosen) {
  for (const figure::SceneFigure* one : chosen) {
    const figure::Motion motion = jobs::MotionOf(scene, *one, options.rate_hz);
    const fs::path path =
        OutputOf(options.output, one->name, chosen.size() == 1);
    const Diagnostics written = WriteClip({path}, motion);
    std::cerr << written.ToString();
    if (written.has_errors()) return false;
    std::cout << "  " << one->name << " -> " << PathText(path) << ": "
              << Count(motion.num_frames(), "frame") << "\n";
  }
  return true;
}

int RunSimulate(const SimulateOptions& options) {
  CheckCall(options);
  if (!CheckJobFiles(
          {{options.scene}, {options.output, options.report}, options.force})) {
    return kBadInput;
  }
  Result<figure::FigureScene> read =
      jobs::LoadScene(options.scene, options.physics_rate_hz);
  std::cerr << read.diagnostics().ToString();
  if (!read) return kBadInput;
  figure::FigureScene& scene = read.value();
  const std::vector<const figure::SceneFigure*> chosen = Chosen(options, scene);
  if (!options.output.empty() && chosen.size() > 1) {
    JobFiles files{{options.scene}, {options.report}, options.force};
    for (const figure::SceneFigure* one : chosen) {
      files.outputs.push_back(OutputOf(options.output, one->name, false));
    }
    if (!CheckJobFiles(files)) return kBadInput;
  }
  std::optional<SceneWatcher> watcher;
  if (IsPage(options.report)) {
    watcher.emplace(scene, DurationOf(options, scene));
  }
  const auto begin = std::chrono::steady_clock::now();
  const std::optional<figure::SceneOutcome> outcome =
      Play(options, scene, watcher ? &*watcher : nullptr);
  if (!outcome) return kBadInput;
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - begin;

  std::cout << PathText(options.scene) << ": ";
  Print(scene, *outcome);
  std::cerr << "speed: " << Rounded(outcome->seconds / took.count(), 1)
            << " x real time\n";
  if (!options.output.empty() && outcome->finite &&
      !WriteFigures(options, scene, chosen)) {
    return kBadInput;
  }
  if (!options.report.empty()) {
    Report report("Simulation of " + PathText(options.scene));
    FillSceneReport(scene, *outcome, took.count(), report);
    if (watcher) {
      const auto played = watcher->Record(PathText(options.scene.filename()));
      if (played) report.AddPlayer(*played);
    }
    const Diagnostics reported = report.Write(options.report);
    std::cerr << reported.ToString();
    if (reported.has_errors()) return kBadInput;
  }
  return outcome->AllMet() ? kDone : kCriteriaFailed;
}

}  // namespace

void AddSimulate(CLI::App& app, Job& job) {
  CLI::App* command = app.add_subcommand(
      "simulate", "Play a scene file without a window and judge it");
  auto options = std::make_shared<SimulateOptions>();
  command->add_option("SCENE", options->scene, "scene file (docs/scenes.md)")
      ->required()
      ->type_name("");
  command
      ->add_option("-o,--output", options->output,
                   "the motion of the figure, .bvh, .glb, .npz or .usda; of "
                   "several figures NAME goes before the ending: out-NAME.bvh")
      ->type_name("FILE");
  command->add_option("--report", options->report, "what came out")
      ->type_name("FILE.html|json");
  command->add_option("--figure", options->figure, "write only this figure")
      ->type_name("NAME");
  command
      ->add_option("--duration", options->duration,
                   "seconds instead of those of the scene")
      ->check(PositiveNumber(kLongestClip));
  command
      ->add_option("--rate", options->rate_hz,
                   "frames a second of the output, instead of the clip's (60 "
                   "for a rag doll)")
      ->check(CLI::Range(kSlowestRate, kFastestRate).description(""));
  command
      ->add_option("--physics-rate", options->physics_rate_hz,
                   "steps a second instead of those of the scene")
      ->check(CLI::Range(30.0, 10000.0));
  command->add_flag("--unbounded", options->unbounded,
                    "play also what takes very long: more than 20 million "
                    "steps of bodies and contacts");
  AddForceOption(*command, options->force);
  command->footer(
      "Exit codes: 0 all criteria are met, 3 some are not, 1 the scene is "
      "bad, 2 the call is wrong.\n"
      "Examples:\n"
      "  limber simulate data/scenes/limited_forces.json -o fall.bvh\n"
      "  limber simulate data/scenes/umbrella.json --report r.html");
  command->callback(
      [options, &job] { job = [options] { return RunSimulate(*options); }; });
}

}  // namespace limber::app
