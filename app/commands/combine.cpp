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
#include "app/reports/combine_report.h"
#include "app/reports/describe.h"
#include "app/reports/report.h"
#include "core/angle.h"
#include "core/file.h"
#include "jobs/combine.h"

namespace limber::app {

namespace {

/// Nobody mixes two clips for longer than a minute [s].
constexpr double kMostBlend = 60.0;

struct CombineCommand {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;
  std::filesystem::path report;
  mocap::CombineOptions options;
  LoadOptions load;
  bool force = false;
  bool json = false;
};

int RunCombine(const CombineCommand& command) {
  if (command.inputs.size() < 2) throw BadCall("two clips or more are joined");
  if (!command.report.empty()) CheckReportPath(command.report);
  CheckClipPath(command.output);
  JobFiles files{
      command.inputs, {command.output, command.report}, command.force};
  files.inputs.push_back(command.load.asf);
  files.inputs.push_back(command.load.offsets);
  if (!CheckJobFiles(files)) return kBadInput;
  Diagnostics findings;
  std::vector<figure::Motion> clips;
  jobs::CombineOptions options;
  options.parts = command.options;
  for (const std::filesystem::path& path : command.inputs) {
    const Result<LoadedFile> file = Load(path, command.load);
    findings.Append(file.diagnostics());
    if (!file.ok()) continue;
    if (const auto* motion = std::get_if<figure::Motion>(&file->content)) {
      clips.push_back(*motion);
      options.origins.push_back(jobs::OriginOf(*file, command.load));
    } else {
      Diagnostics own(PathText(path), command.load.strict);
      own.Error("no-motion", {},
                "expected a skeletal clip (BVH or AMC), found " +
                    std::string(Name(file->format)));
      findings.Append(own);
    }
  }
  if (clips.size() < command.inputs.size()) {
    std::cerr << findings.ToString();
    return kBadInput;
  }
  const Result<jobs::CombinedClips> combined = jobs::Combine(clips, options);
  findings.Append(combined.diagnostics());
  std::cerr << findings.ToString();
  if (!combined.ok()) return kBadInput;

  std::vector<std::string> names;
  for (const std::filesystem::path& path : command.inputs) {
    names.push_back(PathText(path));
  }
  Report report = MakeCombineReport(names, *combined, findings);
  const figure::Motion& motion = combined->motion;
  const Diagnostics written =
      WriteClip({command.output, command.inputs.front(), command.load}, motion);
  std::cerr << written.ToString();
  if (written.has_errors()) return kBadInput;
  report.AddWarnings(written);
  if (IsPage(command.report)) {
    AddCombinePlayer(*combined, report);
  }
  if (!command.report.empty()) {
    const Diagnostics saved = report.Write(command.report);
    std::cerr << saved.ToString();
    if (saved.has_errors()) return kBadInput;
  }
  if (command.json) {
    std::cout << report.ToJson().dump(2, ' ', false,
                                      nlohmann::json::error_handler_t::replace)
              << "\n";
    return kDone;
  }
  for (std::size_t i = 0; i < combined->joins.size(); ++i) {
    const mocap::CombineReport& join = combined->joins[i];
    std::cout << names[i + 1] << " joined at "
              << Rounded(static_cast<double>(join.frame_a) / motion.rate_hz(),
                         3)
              << " s, its frame " << join.frame_b << ", joints "
              << Rounded(1000.0 * join.distance, 1) << " mm apart, turned "
              << Rounded(Degrees(join.turn), 1) << " degrees\n";
  }
  std::cout << PathText(command.output) << ": "
            << Count(motion.num_frames(), "frame") << "\n";
  return kDone;
}

}  // namespace

void AddCombine(CLI::App& app, Job& job) {
  CLI::App* command = app.add_subcommand(
      "combine", "Join clips: align them, find where they fit, blend");
  auto options = std::make_shared<CombineCommand>();
  command
      ->add_option(
          "CLIP", options->inputs,
          "two or more clips of one skeleton; the first one's rate counts")
      ->required()
      ->type_name("");
  command
      ->add_option("-o,--output", options->output,
                   "clip to write, .bvh, .glb, .npz or .usda")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--blend", options->options.blend,
                   "seconds over which two clips are mixed (0.4)")
      ->type_name("S")
      ->check(PositiveNumber(kMostBlend));
  command
      ->add_option("--search", options->options.search,
                   "seconds at the end and the beginning to look for a good "
                   "place (1)")
      ->type_name("S")
      ->check(PositiveNumber(kMostBlend));
  command
      ->add_option("--report", options->report,
                   "where clips were joined, and measures, as .json or .html")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "report for machines");
  AddForceOption(*command, options->force);
  AddLoadOptions(*command, options->load);
  command->footer(
      "Example:\n"
      "  limber combine data/clips/walk.bvh data/clips/run.bvh -o "
      "walk_run.bvh");
  command->callback(
      [options, &job] { job = [options] { return RunCombine(*options); }; });
}

}  // namespace limber::app
