// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "app/clip_report.h"
#include "app/command.h"
#include "app/describe.h"
#include "app/exit_code.h"
#include "app/figure_path.h"
#include "app/job_files.h"
#include "app/load_options.h"
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

int RunMeasure(const MeasureOptions& options) {
  if (!options.report.empty()) CheckReportPath(options.report);
  if (!CheckJobFiles(
          {{options.clip, options.against, options.figure, options.load.asf},
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
  if (figure && clip->motion.skeleton().num_joints() !=
                    (*figure)->skeleton->num_joints()) {
    throw BadCall(
        "--figure has " + Count((*figure)->skeleton->num_joints(), "joint") +
        ", the clip " + Count(clip->motion.skeleton().num_joints(), "joint"));
  }
  if (reference &&
      std::abs(clip->motion.rate_hz() - (*reference)->motion.rate_hz()) >
          1e-3 * clip->motion.rate_hz()) {
    throw BadCall("the clip has " + Rounded(clip->motion.rate_hz(), 3) +
                  " frames per second, the reference " +
                  Rounded((*reference)->motion.rate_hz(), 3) +
                  ": clips are compared frame by frame");
  }
  Report report("Measures of " + PathText(options.clip));
  for (const Guess& guess : clip->guesses) {
    report.Set("guessed_" + guess.what, guess.value,
               "guessed " + guess.what + " (" + guess.reason + ")");
  }
  report.AddWarnings(findings);
  ClipReference against;
  if (reference) against.clip = &**reference;
  AddClipMetrics(*clip, against, report);
  if (figure) AddLimitMetrics(**figure, clip->motion, report);
  if (!options.report.empty()) {
    const Diagnostics written = report.Write(options.report);
    std::cerr << written.ToString();
    if (written.has_errors()) return kBadInput;
  }
  if (options.json) {
    std::cout << report.ToJson().dump(2, ' ', false,
                                      nlohmann::json::error_handler_t::replace)
              << "\n";
    return kDone;
  }
  std::cout << PathText(options.clip) << "\n";
  PrintMetrics(report);
  return kDone;
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
