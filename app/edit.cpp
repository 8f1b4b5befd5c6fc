// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/describe.h"
#include "app/edit_events.h"
#include "app/exit_code.h"
#include "app/load.h"
#include "app/load_options.h"
#include "app/report.h"
#include "core/file.h"
#include "figure/dynamic/edit.h"
#include "figure/figure_file.h"
#include "figure/make_figure.h"
#include "mocap/io/bvh.h"

namespace limber::app {

namespace {

namespace fs = std::filesystem;

struct EditOptions {
  fs::path clip;
  fs::path output;
  fs::path report;
  fs::path figure;
  fs::path events_file;
  std::vector<std::string> pushes;
  std::vector<std::string> loosens;
  std::vector<std::string> carries;
  std::string rag_doll;
  double strength = 1.0;
  double rate_hz = 240.0;
  double let_go_deg = 0.0;
  bool no_floor = false;
  LoadOptions load;
};

constexpr double kDegrees = 180.0 / kPi;

void FillReport(const figure::EditResult& result,
                const figure::FigureModel& model, double seconds,
                Report& report) {
  const double frames = static_cast<double>(result.frames.size());
  double most = 0.0;
  for (const figure::EditFrame& frame : result.frames) {
    most = std::max(most, frame.difference);
  }
  report.Set("frames", result.motion.num_frames(), "frames");
  report.Set("largest_difference_deg", most * kDegrees, "largest difference",
             "deg");
  report.Set("return_time_s", result.return_time, "back within 2 degrees after",
             "s");
  report.Set("root_help_fraction", result.summary.root_help_mean,
             "root help, mean", "of body weight");
  report.Set("root_help_max_fraction", result.summary.root_help_max,
             "root help, largest", "of body weight");
  report.Set("saturation_fraction", result.summary.saturation,
             "motors at their bound");
  report.Set("limit_violation_deg",
             result.summary.max_limit_violation * kDegrees,
             "beyond a joint limit", "deg");
  report.Set("floor_penetration_mm", result.deepest_contact * 1e3,
             "into the floor, more than the clip", "mm");
  report.Set("joint_gap_mm", result.summary.max_dislocation * 1e3,
             "largest joint gap", "mm");
  report.Set("frames_per_second", frames / std::max(seconds, 1e-9), "speed",
             "frames/s");
  Plot difference{.title = "Where the result differs from the clip",
                  .y_label = "largest joint angle [deg]",
                  .curves = {{"difference", {}, {}}},
                  .spans = {}};
  Plot help{.title = "Help of the root, motors at their bound",
            .y_label = "share",
            .curves = {{"root help / body weight", {}, {}},
                       {"motors at their bound", {}, {}}},
            .spans = {}};
  for (const figure::EditFrame& frame : result.frames) {
    difference.curves[0].x.push_back(frame.time);
    difference.curves[0].y.push_back(frame.difference * kDegrees);
    for (Curve& curve : help.curves) curve.x.push_back(frame.time);
    help.curves[0].y.push_back(frame.root_help);
    help.curves[1].y.push_back(frame.saturation);
  }
  report.AddPlot("difference", std::move(difference));
  report.AddPlot("root_help", std::move(help));
  ReportTable table{"segments",
                    "Largest difference of each joint",
                    "",
                    {"segment", "difference [deg]"},
                    {}};
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    if (model.segments[s].parent < 0) continue;
    table.rows.push_back(
        {model.segments[s].name, result.deflection[s] * kDegrees});
  }
  report.AddTable(std::move(table));
}

int RunEdit(const EditOptions& options) {
  if (!options.report.empty()) CheckReportPath(options.report);
  if (options.output.extension() != ".bvh") {
    throw BadCall("the result is written as BVH: \"" +
                  PathText(options.output) + "\" must end in .bvh");
  }
  Result<LoadedFile> file = Load(options.clip, options.load);
  std::cerr << file.diagnostics().ToString();
  if (!file) return kBadInput;
  const auto* clip = std::get_if<figure::Motion>(&file.value().content);
  if (clip == nullptr || clip->num_frames() == 0) {
    std::cerr << PathText(options.clip)
              << ": error: expected a clip with frames (BVH or AMC)\n";
    return kBadInput;
  }
  figure::FigureOptions body;
  body.clip = clip;
  Result<figure::FigureModel> made =
      options.figure.empty() ? figure::MakeFigure(clip->shared_skeleton(), body)
                             : figure::ReadFigureFile(options.figure);
  if (!made) {
    std::cerr << made.diagnostics().ToString();
    return kBadInput;
  }
  const auto model =
      std::make_shared<const figure::FigureModel>(std::move(made).value());
  std::vector<figure::EditEvent> events;
  if (!options.events_file.empty()) {
    Result<std::vector<figure::EditEvent>> read =
        ReadEvents(options.events_file, *model);
    std::cerr << read.diagnostics().ToString();
    if (!read) return kBadInput;
    events = std::move(read).value();
  }
  const auto add = [&events](const std::vector<figure::EditEvent>& more) {
    events.insert(events.end(), more.begin(), more.end());
  };
  for (const std::string& text : options.pushes) add(ParsePush(text, *model));
  for (const std::string& text : options.loosens) {
    add(ParseLoosen(text, *model));
  }
  for (const std::string& text : options.carries) {
    add(ParseCarry(text, *model));
  }
  if (!options.rag_doll.empty()) add(ParseRagDoll(options.rag_doll));
  std::ranges::stable_sort(events, {}, &figure::EditEvent::time);
  for (const figure::EditEvent& event : events) {
    if (event.time >= 0.0 && event.time <= clip->duration()) continue;
    throw BadCall("an event at " + Rounded(event.time, 3) +
                  " s lies outside the clip, which lasts from 0 to " +
                  Rounded(clip->duration(), 3) + " s");
  }

  figure::EditSettings settings;
  settings.rate_hz = options.rate_hz;
  settings.strength = figure::Strength::Powered(options.strength);
  settings.floor = !options.no_floor;
  if (options.let_go_deg > 0.0) {
    settings.let_go_angle = options.let_go_deg / kDegrees;
  }
  const auto begin = std::chrono::steady_clock::now();
  const figure::EditResult result =
      figure::EditMotion(*clip, model, events, settings);
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - begin;

  const Diagnostics written =
      mocap::WriteBvhFile(options.output, result.motion);
  std::cerr << written.ToString();
  if (written.has_errors()) return kBadInput;
  Report report("Edit of " + PathText(options.clip));
  FillReport(result, *model, took.count(), report);
  std::cout << PathText(options.output) << ": "
            << Count(result.motion.num_frames(), "frame") << ", "
            << Count(static_cast<std::int64_t>(events.size()), "event") << "\n"
            << "  largest difference "
            << Rounded(report.ToJson()["largest_difference_deg"].get<double>(),
                       2)
            << " deg\n  back within 2 deg "
            << (std::isfinite(result.return_time)
                    ? Rounded(result.return_time, 3) + " s after the last event"
                    : std::string("not before the end"))
            << "\n  root help "
            << Rounded(100.0 * result.summary.root_help_mean, 1)
            << " % of the body weight, motors at their bound "
            << Rounded(100.0 * result.summary.saturation, 1) << " %\n";
  if (!options.report.empty()) {
    const Diagnostics reported = report.Write(options.report);
    std::cerr << reported.ToString();
    if (reported.has_errors()) return kBadInput;
  }
  return kDone;
}

}  // namespace

void AddEdit(CLI::App& app, Job& job) {
  CLI::App* command = app.add_subcommand(
      "edit", "Push, load or loosen a figure while it plays a clip");
  auto options = std::make_shared<EditOptions>();
  command->add_option("CLIP", options->clip, "BVH or AMC")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", options->output, "the edited clip")
      ->required()
      ->type_name("FILE.bvh");
  command->add_option("--report", options->report, "what happened")
      ->type_name("FILE.html|json");
  command
      ->add_option("--events", options->events_file,
                   "events on a time line (docs/editing.md)")
      ->type_name("FILE.json");
  command->add_option("--push", options->pushes,
                      "SEGMENT@TIME:IMPULSE:DIRECTION, e.g. "
                      "left-forearm@1.2s:10Ns:+x; with a force over time "
                      "200N/0.3s instead of 10Ns");
  command->add_option("--loosen", options->loosens,
                      "SEGMENTS@FROM..TO, e.g. arms@0.5s..2s");
  command->add_option("--carry", options->carries,
                      "SEGMENT@FROM..TO:MASS, e.g. right-hand@0s..3s:5kg");
  command->add_option("--rag-doll", options->rag_doll,
                      "TIME or FROM..TO: let go, and recover at TO");
  command->add_option("--figure", options->figure, "figure file of the clip")
      ->type_name("FILE");
  command
      ->add_option("--strength", options->strength,
                   "share of the figure's own strength")
      ->check(PositiveNumber());
  command->add_option("--physics-rate", options->rate_hz, "steps a second")
      ->check(CLI::Range(30.0, 10000.0));
  command
      ->add_option("--let-go", options->let_go_deg,
                   "error of a joint at which the figure lets go [deg]")
      ->check(PositiveNumber());
  command->add_flag("--no-floor", options->no_floor,
                    "hold the root on its path instead of standing");
  AddLoadOptions(*command, options->load);
  command->footer(
      "Examples:\n"
      "  limber edit data/clips/walk.bvh --push left-forearm@1.2s:10Ns:+x -o "
      "pushed.bvh\n"
      "  limber edit data/clips/walk.bvh --loosen arms@0.5s..2s -o loose.bvh");
  command->callback(
      [options, &job] { job = [options] { return RunEdit(*options); }; });
}

}  // namespace limber::app
