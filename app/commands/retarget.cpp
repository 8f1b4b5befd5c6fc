// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/batch/batch_command.h"
#include "app/batch/summary.h"
#include "app/commands/command.h"
#include "app/commands/load_options.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "app/reports/clip_report.h"
#include "app/reports/describe.h"
#include "app/reports/retarget_report.h"
#include "core/file.h"
#include "core/job_files.h"

namespace limber::app {

namespace {

namespace fs = std::filesystem;

struct RetargetCommand {
  std::vector<std::string> inputs;
  fs::path to;
  std::string scale;
  fs::path output;
  std::optional<std::string> format;  ///< Of the clips in a folder.
  fs::path report;
  fs::path map;
  LoadOptions load;
  double lock_feet = 0.0;
  double strength = 2.0;
  bool copy_only = false;
  bool smooth = false;
  bool ground = false;
  bool dynamic = false;
  bool show_map = false;
  bool json = false;
  bool force = false;
  int jobs = 0;
};

/// The files a name with * or ? stands for; a plain name stands for itself.
std::vector<fs::path> Expand(const std::vector<std::string>& names) {
  std::vector<fs::path> files;
  for (const std::string& name : names) {
    const std::vector<fs::path> found = batch::FilesOf(name);
    if (found.empty()) throw BadCall("no file matches " + name);
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

/// The ending of the clips in a folder.
std::string EndingOf(const RetargetCommand& command) {
  return "." + command.format.value_or("bvh");
}

bool IsFolder(const fs::path& path) {
  return fs::is_directory(path) || !path.has_filename();
}

/// The job of one clip.
RetargetJob MakeJob(const RetargetCommand& command, const fs::path& input) {
  RetargetJob job;
  job.input = input;
  job.output = command.output;
  job.report = command.report;
  job.load = command.load;
  job.options.plant_feet = !command.copy_only;
  job.options.keep_touching = !command.copy_only;
  job.options.hold_limits = !command.copy_only;
  job.options.keep_smooth = command.smooth;
  job.options.ground = command.ground;
  job.options.lock_feet = command.lock_feet;
  if (command.dynamic) job.dynamic_strength = command.strength;
  return job;
}

/// What several clips are written to. Clips of one name from different folders
/// get folders of their own by the batch; the same clip twice is refused.
void AddFolderOutputs(const RetargetCommand& command,
                      const std::vector<fs::path>& clips, JobFiles& files) {
  const fs::path& folder = command.output;
  std::set<fs::path> seen;
  std::set<fs::path> names;
  for (const fs::path& clip : clips) {
    if (!seen.insert(ResolvedPath(clip)).second) {
      throw BadCall(PathText(clip) + " is named twice: both are one file");
    }
    if (!names.insert(clip.stem()).second) continue;
    for (const std::string& ending :
         {EndingOf(command), std::string(".report.json")}) {
      fs::path& output = files.outputs.emplace_back(folder / clip.stem());
      output += ending;
    }
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw BadCall("cannot make the folder " + PathText(folder) + ": " +
                  error.message());
  }
}

/// The options of the call that each clip of several gets too.
std::vector<std::string> SharedOptions(const CLI::App& call) {
  std::vector<std::string> words;
  for (const CLI::Option* option : call.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string name = option->get_lnames().front();
    // The name of its output tells each clip the format.
    if (name == "format" || !batch::WhyNotAllowed(name).empty()) continue;
    if (option->get_items_expected_max() == 0) {
      words.push_back("--" + name);
      continue;
    }
    for (const std::string& value : option->results()) {
      words.push_back("--" + name + "=" + value);
    }
  }
  return words;
}

/// The report on several clips: a row each.
Report MakeSummary(const std::vector<batch::LogEntry>& clips) {
  Report report("Retarget of " +
                Count(static_cast<std::int64_t>(clips.size()), "clip"));
  ReportTable table;
  table.key = "clips";
  table.title = "Clips";
  const std::vector<std::string> keys = {"frames",
                                         "stance_speed_per_leg",
                                         "source_stance_speed_per_leg",
                                         "stance_drift_per_leg",
                                         "floor_penetration_mm",
                                         "source_floor_penetration_mm",
                                         "jerk_ratio",
                                         "place_jerk_ratio",
                                         "planted_off_mm"};
  table.columns = {"clip"};
  table.columns.insert(table.columns.end(), keys.begin(), keys.end());
  table.columns.insert(table.columns.end(), {"verdict", "failed"});
  std::int64_t failures = 0;
  for (const batch::LogEntry& clip : clips) {
    std::vector<nlohmann::ordered_json> row = {clip.input};
    for (const std::string& key : keys) {
      row.push_back(clip.metrics.value(key, nlohmann::ordered_json()));
    }
    row.push_back(ToString(clip.ending));
    row.push_back(clip.error.empty() ? nlohmann::ordered_json()
                                     : nlohmann::ordered_json(clip.error));
    failures += clip.error.empty() ? 0 : 1;
    table.rows.push_back(std::move(row));
    if (!clip.error.empty()) report.AddWarning(clip.error);
  }
  report.Set("clips_done", static_cast<std::int64_t>(clips.size()) - failures,
             "clips done");
  report.Set("clips_failed", failures, "clips failed");
  report.AddTable(std::move(table));
  return report;
}

/// Several clips are a batch, each in a process of its own.
int RunMany(const RetargetCommand& command, const CLI::App& call,
            std::vector<fs::path> files, const batch::Program& program) {
  batch::BatchJob shared;
  shared.command = "retarget";
  shared.options = SharedOptions(call);
  shared.format = command.format.value_or("");
  batch::FileJobs source(std::move(files), std::nullopt, std::move(shared));
  const Result<batch::JobPlan> plan = batch::JobPlan::Make(source, "");
  std::cerr << plan.diagnostics().ToString();
  if (!plan.ok()) return kBadInput;
  batch::BatchSettings settings;
  settings.results = command.output;
  settings.num_workers = command.jobs;
  settings.limits.memory_bytes = batch::MemoryPerWorker(command.jobs);
  settings.on_end = [&command](const batch::LogEntry& entry,
                               const std::string& out) {
    std::cerr << batch::DoubtLine(entry);
    if (command.json || !entry.error.empty()) return;
    std::cout << entry.input << " -> "
              << PathText(command.output / (entry.job + EndingOf(command)))
              << "\n";
    if (command.show_map) std::cout << out;
  };
  const std::optional<batch::BatchCounts> counts =
      batch::RunBatch(source, *plan, program, settings);
  if (!counts) return kBadInput;
  const Result<batch::Summary> summary =
      batch::WriteSummary(command.output, /*merge=*/false);
  std::cerr << summary.diagnostics().ToString();
  if (!summary.ok()) return kBadInput;
  // The folder's log may know other clips too.
  std::vector<batch::LogEntry> clips;
  const batch::LogIndex index = batch::LogIndex::Read(command.output);
  Diagnostics ignored;
  source.Rewind();
  while (std::optional<batch::BatchJob> job = source.Next(ignored)) {
    plan->Settle(*job);
    if (auto entry = index.FindEntry(job->name)) {
      clips.push_back(std::move(*entry));
    }
  }
  const Report report = MakeSummary(clips);
  if (!command.report.empty()) {
    const Diagnostics written = report.Write(command.report);
    std::cerr << written.ToString();
    if (written.has_errors()) return kBadInput;
  }
  if (command.json) {
    std::cout << report.ToJson().dump(2, ' ', false,
                                      nlohmann::json::error_handler_t::replace)
              << "\n";
  } else {
    std::cout << Count(counts->right + counts->wrong, "clip") << " done, "
              << counts->failed << " failed, " << counts->wrong
              << " look wrong\n";
  }
  return batch::ExitCodeOf(*counts);
}

void PrintOutcome(const RetargetOutcome& outcome, bool show_map) {
  for (const std::string& line : outcome.lines) std::cout << line << "\n";
  if (show_map) std::cout << outcome.map_text;
  std::cout << outcome.verdict.ToString() << "\n";
}

int RunRetarget(const RetargetCommand& command, const CLI::App& call,
                const batch::Program& program) {
  if (command.to.empty() == command.scale.empty()) {
    throw BadCall(
        "say whom to retarget to: either --to FILE or --scale "
        "legs=1.25,...");
  }
  if (!command.report.empty()) CheckReportPath(command.report);
  if (command.dynamic && command.copy_only) {
    throw BadCall("--dynamic needs planted feet: leave --copy-only out");
  }
  std::vector<fs::path> files = Expand(command.inputs);
  const bool is_many = files.size() > 1 || IsFolder(command.output);
  JobFiles read_and_written{
      {command.to, command.map, command.load.asf, command.load.offsets},
      {command.report},
      command.force};
  read_and_written.inputs.insert(read_and_written.inputs.end(), files.begin(),
                                 files.end());
  if (is_many) {
    AddFolderOutputs(command, files, read_and_written);
  } else {
    if (command.output.extension().empty()) {
      throw BadCall(
          PathText(command.output) +
          ": expected a name ending in .bvh, .glb, .npz or .usda, or a folder, "
          "which ends with /");
    }
    if (command.format) {
      throw BadCall(
          "--format is for clips in a folder; the ending of -o says what one "
          "clip is written as");
    }
    CheckClipPath(command.output);
    read_and_written.outputs.push_back(command.output);
  }
  if (!CheckJobFiles(read_and_written)) return kBadInput;

  mocap::MapFile map;
  if (!command.map.empty()) {
    Result<mocap::MapFile> read = mocap::ReadMapFile(command.map);
    std::cerr << read.diagnostics().ToString();
    if (!read.ok()) return kBadInput;
    map = std::move(read).value();
  }
  jobs::RetargetTarget target;
  if (command.to.empty()) {
    target = jobs::ScaledTarget(command.scale);
  } else {
    Result<jobs::RetargetTarget> loaded =
        jobs::LoadTarget(command.to, map, command.load.strict);
    std::cerr << loaded.diagnostics().ToString();
    if (!loaded.ok()) return kBadInput;
    target = std::move(loaded).value();
  }
  if (is_many) {
    // Each clip is a call of its own from here on.
    ReleaseJobFiles();
    return RunMany(command, call, std::move(files), program);
  }

  const RetargetJob job = MakeJob(command, files.front());
  const RetargetOutcome outcome = RunRetargetJob(job, target, map);
  std::cerr << outcome.findings.ToString();
  if (command.json && outcome.report) {
    std::cout << outcome.report->ToJson().dump(
                     2, ' ', false, nlohmann::json::error_handler_t::replace)
              << "\n";
  } else if (outcome.done) {
    PrintOutcome(outcome, command.show_map);
  }
  return outcome.done ? ExitCodeOf(outcome.verdict) : kBadInput;
}

}  // namespace

void AddRetarget(CLI::App& app, Job& job, const batch::Program& program) {
  CLI::App* command = app.add_subcommand(
      "retarget",
      "Carry clips over to a body of other proportions, feet planted");
  auto options = std::make_shared<RetargetCommand>();
  command
      ->add_option("CLIP", options->inputs,
                   "BVH or AMC; several, or a pattern in quotes, with -o "
                   "FOLDER/")
      ->required()
      ->type_name("");
  command
      ->add_option("--to", options->to,
                   "whom to: a figure file, another BVH or AMC, or an ASF")
      ->type_name("FILE");
  command
      ->add_option(
          "--scale", options->scale,
          "the clip's own body with other lengths: " + mocap::ProportionNames())
      ->type_name("LENGTH=FACTOR,...");
  command
      ->add_option("-o,--output", options->output,
                   "clip to write, .bvh, .npz, .usda or .glb (onto the "
                   "character where --to is "
                   "one), or a folder for several clips")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--format", options->format,
                   "what clips in a folder are written as: bvh (default) or "
                   "glb")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"bvh", "glb"}).description(""));
  command
      ->add_option("--report", options->report,
                   "what was done and measured, as .json or .html")
      ->type_name("FILE");
  command
      ->add_option("--map", options->map,
                   "joint map in JSON, where the names do not say enough")
      ->type_name("FILE");
  command->add_flag("--show-map", options->show_map, "print the joint map");
  command
      ->add_option("--lock-feet", options->lock_feet,
                   "share of the source's own sliding to take out of stances, "
                   "0 (default) to 1")
      ->type_name("SHARE")
      ->check(CLI::Range(0.0, 1.0));
  command->add_flag("--copy-only", options->copy_only,
                    "copy the angles and scale the root, nothing else");
  command->add_flag("--smooth", options->smooth,
                    "take tremor out that grows with the proportions");
  command->add_flag("--ground", options->ground,
                    "lay the clip's floor to height zero");
  command->add_flag("--dynamic", options->dynamic,
                    "play the result on the physical figure, with bounded "
                    "motors and standing feet held by the ground, and write "
                    "that");
  command
      ->add_option("--strength", options->strength,
                   "with --dynamic: share of the figure's own strength, 2 by "
                   "default")
      ->type_name("SHARE")
      ->check(PositiveNumber(1000.0));
  command
      ->add_option("--jobs", options->jobs,
                   "clips at the same time; without it one per core")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--json", options->json, "report for machines");
  AddForceOption(*command, options->force);
  AddLoadOptions(*command, options->load);
  command->footer(
      "Example:\n"
      "  limber retarget data/clips/march.bvh --scale legs=1.25,arms=0.8 -o "
      "long.bvh\n"
      "  limber retarget walk.bvh --to data/figures/fat_man.json -o fat.bvh "
      "--report fat.html\n"
      "  limber retarget 'clips/*.bvh' --to figure.json -o out/");
  command->callback([options, command, &job, program] {
    job = [options, command, program] {
      return RunRetarget(*options, *command, program);
    };
  });
}

}  // namespace limber::app
