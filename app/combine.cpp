// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/clip_report.h"
#include "app/command.h"
#include "app/describe.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "app/jobs.h"
#include "app/load_options.h"
#include "app/player/record.h"
#include "app/report.h"
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

ReportTable JoinTable() {
  ReportTable table;
  table.key = "joins";
  table.title = "Joins";
  table.columns = {"clip",          "begins at [s]", "frame before",
                   "frame of clip", "blend [s]",     "joints apart [mm]",
                   "turned [deg]"};
  return table;
}

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

  Report report("Combination of " +
                Count(static_cast<std::int64_t>(clips.size()), "clip"));
  report.AddWarnings(findings);
  ReportTable joins = JoinTable();
  const figure::Motion& motion = combined->motion;
  const double rate = motion.rate_hz();
  for (std::size_t i = 0; i < combined->joins.size(); ++i) {
    const mocap::CombineReport& done = combined->joins[i];
    joins.rows.push_back({PathText(command.inputs[i + 1]),
                          static_cast<double>(done.frame_a) / rate,
                          done.frame_a, done.frame_b,
                          static_cast<double>(done.num_blend) / rate,
                          1000.0 * done.distance, Degrees(done.turn)});
  }
  report.SetMain({"frames", "planted_off_mm", "stance_speed_cm_s",
                  "stance_drift_cm", "floor_penetration_mm"});
  report.Set("frames", motion.num_frames(), "frames");
  report.Set("planted_off_mm", 1000.0 * combined->worst_off,
             "a standing foot off its place at most", "mm");
  AddClipMetrics(combined->metrics, report);
  const nlohmann::ordered_json rows = joins.rows;
  report.AddTable(std::move(joins));

  const Diagnostics written =
      WriteClip({command.output, command.inputs.front(), command.load}, motion);
  std::cerr << written.ToString();
  if (written.has_errors()) return kBadInput;
  report.AddWarnings(written);
  if (IsPage(command.report)) {
    const auto played = RecordClips("The clips as one", {{"Result", &motion}});
    if (played) report.AddPlayer(*played);
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
  for (const auto& row : rows) {
    std::cout << row[0].get<std::string>() << " joined at "
              << Rounded(row[1].get<double>(), 3) << " s, its frame "
              << row[3].dump() << ", joints "
              << Rounded(row[5].get<double>(), 1) << " mm apart, turned "
              << Rounded(row[6].get<double>(), 1) << " degrees\n";
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
