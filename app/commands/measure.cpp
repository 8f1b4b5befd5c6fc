// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/command.h"
#include "app/commands/load_options.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "app/jobs.h"
#include "app/reports/clip_report.h"
#include "app/reports/describe.h"
#include "app/reports/measure_report.h"
#include "core/file.h"
#include "figure/figure_file.h"

namespace limber::app {

namespace {

struct MeasureOptions {
  std::filesystem::path clip;
  std::filesystem::path against;
  std::filesystem::path figure;
  std::filesystem::path report;
  LoadOptions load;
  bool force = false;
  bool json = false;
};

/// The measures in five lines.
void PrintSummary(const MeasureOptions& options, const BodyClip& clip,
                  const Report& report) {
  const nlohmann::ordered_json json = report.ToJson();
  const auto number = [&json](const char* key, int decimals) {
    return Rounded(json.value(key, 0.0), decimals);
  };
  std::cout << PathText(options.clip) << ": "
            << Count(clip.motion.num_frames(), "frame") << " at "
            << number("rate_hz", 3) << " Hz, "
            << Rounded(clip.motion.duration(), 2) << " s, legs of "
            << number("leg_length_m", 3) << " m";
  if (!clip.guesses.empty()) std::cout << "; " << GuessText(clip.guesses);
  std::cout << "\n  feet    " << number("stances", 0)
            << " stances of toes, which slide at "
            << number("stance_speed_cm_s", 1) << " cm/s and drift by "
            << number("stance_drift_cm", 1) << " cm each\n";
  std::cout << "  floor   at " << number("floor_m", 3) << " m, soles sink by "
            << number("floor_penetration_mm", 1) << " mm\n";
  std::cout << "  jerk    " << number("jerk", 0) << " 1/s^3 of the pose, "
            << number("place_jerk", 0) << " 1/s^3 of places";
  if (json.contains("jerk_ratio")) {
    std::cout << "; " << number("jerk_ratio", 2) << " and "
              << number("place_jerk_ratio", 2) << " times the reference's";
  }
  std::cout << "\n";
  if (json.contains("joint_rms_deg")) {
    std::cout << "  joints  " << number("joint_rms_deg", 2)
              << " deg RMS off the reference's, at most "
              << number("joint_worst_deg", 1) << " deg ("
              << json.value("worst_joint", "") << ")\n";
  }
  if (json.contains("limit_violation_deg")) {
    std::cout << "  limits  passed by " << number("limit_violation_deg", 1)
              << " deg " << json.value("limit_violation_segment", "") << "\n";
  }
}

int RunMeasure(const MeasureOptions& options) {
  if (!options.report.empty()) CheckReportPath(options.report);
  if (!CheckJobFiles({{options.clip, options.against, options.figure,
                       options.load.asf, options.load.offsets},
                      {options.report},
                      options.force})) {
    return kBadInput;
  }
  Result<BodyClip> clip = LoadBodyClip(options.clip, options.load);
  Diagnostics findings = clip.diagnostics();
  std::optional<Result<BodyClip>> reference;
  if (!options.against.empty()) {
    reference = LoadBodyClip(options.against, options.load);
    findings.Append(reference->diagnostics());
  }
  std::optional<Result<figure::FigureModel>> figure;
  if (!options.figure.empty()) {
    figure = figure::ReadFigureFile(FigurePath(options.figure));
    findings.Append(figure->diagnostics());
  }
  std::cerr << findings.ToString();
  if (!clip.ok() || (reference && !reference->ok()) ||
      (figure && !figure->ok())) {
    return kBadInput;
  }
  const BodyClip* against = reference ? &**reference : nullptr;
  const figure::FigureModel* body = figure ? &**figure : nullptr;
  jobs::ClipOrigin origin;
  origin.up_is_said = options.load.up.has_value();
  origin.rate_is_said = options.load.rate_hz.has_value();
  const jobs::MeasuredClip measured =
      jobs::MeasureBody(std::move(clip).value(), against, body, origin);
  const Verdict& verdict = measured.verdict;
  Report report = MakeMeasureReport(PathText(options.clip), measured, findings);
  if (IsPage(options.report)) {
    const auto own = [](const BodyClip& of) {
      return of.own ? &*of.own : &of.motion;
    };
    AddMeasurePlayer(measured, against == nullptr ? nullptr : own(*against),
                     body == nullptr
                         ? nullptr
                         : std::make_shared<const figure::FigureModel>(*body),
                     report);
  }
  if (!options.report.empty()) {
    const Diagnostics written = report.Write(options.report);
    std::cerr << written.ToString();
    if (written.has_errors()) return kBadInput;
  }
  if (options.json) {
    std::cout << report.ToJson().dump(2, ' ', false,
                                      nlohmann::json::error_handler_t::replace)
              << "\n";
    return ExitCodeOf(verdict);
  }
  PrintSummary(options, measured.clip, report);
  std::cout << verdict.ToString() << "\n";
  return ExitCodeOf(verdict);
}

}  // namespace

void AddMeasure(CLI::App& app, Job& job) {
  CLI::App* command = app.add_subcommand(
      "measure",
      "Measure a clip: sliding and sinking feet, jerk, and joint angles "
      "against a reference");
  auto options = std::make_shared<MeasureOptions>();
  command->add_option("CLIP", options->clip, "BVH or AMC of a human body")
      ->required()
      ->type_name("");
  command
      ->add_option("--against", options->against,
                   "the clip it was made from: stances and floor are taken "
                   "from there, joint angles compared")
      ->type_name("FILE");
  command
      ->add_option("--figure", options->figure,
                   "the figure the clip is on: its joint limits are checked")
      ->type_name("FILE");
  command
      ->add_option("--report", options->report,
                   "write the measures as .json or .html")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "for machines");
  AddForceOption(*command, options->force);
  AddLoadOptions(*command, options->load);
  command->footer(
      "Stance: toe lower than 5 cm above the clip's floor and slower than\n"
      "0.2 m/s at 30 frames per second, for a leg of 0.85 m and in "
      "proportion.\n"
      "Example:\n"
      "  limber measure data/clips/march.bvh\n"
      "  limber measure out.bvh --against walk.bvh --json");
  command->callback(
      [options, &job] { job = [options] { return RunMeasure(*options); }; });
}

}  // namespace limber::app
