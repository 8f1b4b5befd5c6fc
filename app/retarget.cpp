// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <glob.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/clip_report.h"
#include "app/command.h"
#include "app/describe.h"
#include "app/exit_code.h"
#include "app/load_options.h"
#include "app/progress.h"
#include "app/retarget_job.h"
#include "core/file.h"

namespace limber::app {

namespace {

namespace fs = std::filesystem;

struct RetargetCommand {
  std::vector<std::string> inputs;
  fs::path to;
  std::string scale;
  fs::path output;
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
  int jobs = 0;
};

/// The files a name with * or ? stands for; a plain name stands for itself.
std::vector<fs::path> Expand(const std::vector<std::string>& names) {
  std::vector<fs::path> files;
  for (const std::string& name : names) {
    if (name.find_first_of("*?[") == std::string::npos || fs::exists(name)) {
      files.emplace_back(name);
      continue;
    }
    glob_t found{};
    const int code = ::glob(name.c_str(), 0, nullptr, &found);
    for (std::size_t i = 0; code == 0 && i < found.gl_pathc; ++i) {
      files.emplace_back(found.gl_pathv[i]);
    }
    ::globfree(&found);
    if (code != 0) throw BadCall("no file matches " + name);
  }
  return files;
}

bool IsFolder(const fs::path& path) {
  return fs::is_directory(path) || !path.has_filename();
}

/// One job per clip. Several clips go into a folder, each with a report.
std::vector<RetargetJob> MakeJobs(const RetargetCommand& command,
                                  const std::vector<fs::path>& inputs) {
  std::vector<RetargetJob> jobs;
  const bool is_batch = inputs.size() > 1 || IsFolder(command.output);
  std::set<fs::path> outputs;
  for (const fs::path& input : inputs) {
    RetargetJob job;
    job.input = input;
    job.load = command.load;
    job.options.plant_feet = !command.copy_only;
    job.options.keep_touching = !command.copy_only;
    job.options.hold_limits = !command.copy_only;
    job.options.keep_smooth = command.smooth;
    job.options.ground = command.ground;
    job.options.lock_feet = command.lock_feet;
    if (command.dynamic) job.dynamic_strength = command.strength;
    if (is_batch) {
      job.output = command.output / input.stem();
      job.output += ".bvh";
      job.report = command.output / input.stem();
      job.report += ".report.json";
    } else {
      job.output = command.output;
      job.report = command.report;
    }
    if (!outputs.insert(job.output).second) {
      throw BadCall("two clips would both be written to " +
                    PathText(job.output));
    }
    std::error_code ignored;
    if (fs::equivalent(job.input, job.output, ignored)) {
      throw BadCall(PathText(job.output) + " is the input itself");
    }
    jobs.push_back(std::move(job));
  }
  if (is_batch) {
    std::error_code error;
    fs::create_directories(command.output, error);
    if (error) {
      throw BadCall("cannot make the folder " + PathText(command.output) +
                    ": " + error.message());
    }
  }
  return jobs;
}

/// All jobs on as many threads as there are cores; outcomes in their order.
std::vector<RetargetOutcome> RunAll(const std::vector<RetargetJob>& jobs,
                                    const RetargetTarget& target,
                                    const mocap::MapFile& map, int threads) {
  std::vector<RetargetOutcome> outcomes(jobs.size());
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> done = 0;
  Progress progress("retargeting");
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      // What goes wrong with one clip must not stop the others.
      try {
        outcomes[i] = RunRetargetJob(jobs[i], target, map);
      } catch (const std::exception& error) {
        outcomes[i].input = PathText(jobs[i].input);
        outcomes[i].findings = Diagnostics(outcomes[i].input);
        outcomes[i].findings.Error("failed", {}, error.what());
      }
      progress.Show(static_cast<double>(++done) /
                    static_cast<double>(jobs.size()));
    }
  };
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int most = std::max(1, threads > 0 ? threads : cores);
  const auto num = std::min(static_cast<std::size_t>(most), jobs.size());
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < num; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  return outcomes;
}

/// The report on a batch: a row per clip.
Report MakeSummary(const std::vector<RetargetOutcome>& outcomes,
                   const std::string& target) {
  Report report("Retarget of " +
                Count(static_cast<std::int64_t>(outcomes.size()), "clip") +
                " to " + target);
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
  table.columns.push_back("failed");
  std::int64_t failures = 0;
  for (const RetargetOutcome& outcome : outcomes) {
    std::vector<nlohmann::ordered_json> row = {outcome.input};
    const nlohmann::ordered_json json =
        outcome.report ? outcome.report->ToJson() : nlohmann::ordered_json();
    for (const std::string& key : keys) {
      row.push_back(json.contains(key) ? json[key] : nlohmann::ordered_json());
    }
    row.push_back(outcome.done
                      ? nlohmann::ordered_json()
                      : nlohmann::ordered_json(outcome.findings.ToString()));
    failures += outcome.done ? 0 : 1;
    table.rows.push_back(std::move(row));
    report.AddWarnings(outcome.findings);
  }
  report.Set("clips_done",
             static_cast<std::int64_t>(outcomes.size()) - failures,
             "clips done");
  report.Set("clips_failed", failures, "clips failed");
  report.AddTable(std::move(table));
  return report;
}

void PrintOutcome(const RetargetOutcome& outcome, const RetargetJob& job,
                  bool show_map) {
  std::cout << outcome.input << " -> " << PathText(job.output) << "\n";
  if (show_map) {
    std::cout << outcome.map_text;
  } else {
    std::cout << "  joint map: lowest confidence "
              << Rounded(outcome.lowest_confidence, 2)
              << " (--show-map prints it)\n";
  }
}

int RunRetarget(const RetargetCommand& command) {
  if (command.to.empty() == command.scale.empty()) {
    throw BadCall(
        "say whom to retarget to: either --to FILE or --scale "
        "legs=1.25,...");
  }
  if (!command.report.empty()) CheckReportPath(command.report);
  if (command.dynamic && command.copy_only) {
    throw BadCall("--dynamic needs planted feet: leave --copy-only out");
  }
  const std::vector<RetargetJob> jobs =
      MakeJobs(command, Expand(command.inputs));
  if (!CanWrite({command.report})) return kBadInput;
  if (jobs.size() == 1 && !CanWrite({jobs[0].output})) return kBadInput;

  mocap::MapFile map;
  if (!command.map.empty()) {
    Result<mocap::MapFile> read = mocap::ReadMapFile(command.map);
    std::cerr << read.diagnostics().ToString();
    if (!read.ok()) return kBadInput;
    map = std::move(read).value();
  }
  RetargetTarget target;
  if (command.to.empty()) {
    std::string error;
    const auto proportions = mocap::ParseProportions(command.scale, error);
    if (!proportions) throw BadCall("--scale: " + error);
    target.name = command.scale;
    target.proportions = *proportions;
  } else {
    Result<RetargetTarget> loaded =
        LoadTarget(command.to, map, command.load.strict);
    std::cerr << loaded.diagnostics().ToString();
    if (!loaded.ok()) return kBadInput;
    target = std::move(loaded).value();
  }

  const std::vector<RetargetOutcome> outcomes =
      RunAll(jobs, target, map, command.jobs);
  const bool is_single = jobs.size() == 1 && jobs[0].report == command.report;
  std::vector<const RetargetOutcome*> failed;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    std::cerr << outcomes[i].findings.ToString();
    if (!outcomes[i].done) {
      failed.push_back(&outcomes[i]);
    } else if (!command.json) {
      PrintOutcome(outcomes[i], jobs[i], command.show_map);
      if (is_single) PrintMetrics(*outcomes[i].report);
    }
  }
  if (is_single) {
    if (command.json && outcomes[0].report) {
      std::cout << outcomes[0].report->ToJson().dump(
                       2, ' ', false, nlohmann::json::error_handler_t::replace)
                << "\n";
    }
    return failed.empty() ? kDone : kBadInput;
  }
  const Report summary = MakeSummary(outcomes, target.name);
  if (!command.report.empty()) {
    const Diagnostics written = summary.Write(command.report);
    std::cerr << written.ToString();
    if (written.has_errors()) return kBadInput;
  }
  if (command.json) {
    std::cout << summary.ToJson().dump(2, ' ', false,
                                       nlohmann::json::error_handler_t::replace)
              << "\n";
  } else {
    std::cout << Count(
                     static_cast<std::int64_t>(outcomes.size() - failed.size()),
                     "clip")
              << " done, " << failed.size() << " failed\n";
    for (const RetargetOutcome* outcome : failed) {
      std::cout << "  failed: " << outcome->input << "\n";
    }
  }
  return failed.empty() ? kDone : kBadInput;
}

}  // namespace

void AddRetarget(CLI::App& app, Job& job) {
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
                   "BVH to write, or a folder for several clips")
      ->required()
      ->type_name("FILE");
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
      ->check(PositiveNumber());
  command
      ->add_option("--jobs", options->jobs,
                   "clips at the same time; without it one per core")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--json", options->json, "report for machines");
  AddLoadOptions(*command, options->load);
  command->footer(
      "Example:\n"
      "  limber retarget data/clips/march.bvh --scale legs=1.25,arms=0.8 -o "
      "long.bvh\n"
      "  limber retarget walk.bvh --to data/figures/fat_man.json -o fat.bvh "
      "--report fat.html\n"
      "  limber retarget 'clips/*.bvh' --to figure.json -o out/");
  command->callback(
      [options, &job] { job = [options] { return RunRetarget(*options); }; });
}

}  // namespace limber::app
