// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line of batch.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/batch/batch_command.h"
#include "app/batch/slurm.h"
#include "app/batch/summary.h"
#include "app/commands/command.h"
#include "app/commands/load_options.h"
#include "app/exit_code.h"
#include "app/reports/describe.h"
#include "app/reports/report.h"
#include "core/file.h"

namespace limber::app {

namespace {

namespace fs = std::filesystem;

struct BatchOptions {
  fs::path manifest;
  std::string from;
  std::string command;
  std::string format;
  fs::path out;
  fs::path merge;
  std::string shard;
  std::string memory;
  double timeout_s = batch::kUsualTimeout;
  int jobs = 0;
  bool retry_failed = false;
  bool dry_run = false;
  bool json = false;
  bool slurm = false;
  batch::SlurmSettings cluster;
};

/// "2G", "500M", "65536K" in bytes.
std::uint64_t ParseMemory(const std::string& text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  const std::string_view letter(at, static_cast<std::size_t>(end - at));
  const int shift = letter == "G"   ? 30
                    : letter == "M" ? 20
                    : letter == "K" ? 10
                                    : -1;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 33;
  if (error != std::errc() || shift < 0 || number == 0 || number > kMost) {
    throw BadCall("--memory " + text +
                  ": expected a size with its unit, such as 2G or 500M");
  }
  return number << shift;
}

/// What the options of the commands are called, from the parser itself.
batch::CommandTable TableOf(const CLI::App& app) {
  batch::CommandTable table;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (batch::FindForm(command->get_name()) == nullptr) continue;
    batch::OptionTable& options = table[command->get_name()];
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        options[name] = {.is_flag = option->get_items_expected_max() == 0};
      }
    }
  }
  return table;
}

/// Command and options of --command, checked as far as they can be without a
/// file.
batch::BatchJob ParseCommand(const BatchOptions& options,
                             const batch::Program& program) {
  const auto words = batch::SplitWords(options.command);
  if (!words || words->empty()) {
    throw BadCall(
        "--command: expected a command and its options, such as \"retarget "
        "--to fat_man\"" +
        std::string(words ? "" : "; a quote is not closed"));
  }
  batch::BatchJob job;
  job.command = words->front();
  job.options.assign(words->begin() + 1, words->end());
  job.format = options.format;
  const batch::CommandForm* form = batch::FindForm(job.command);
  if (form == nullptr) {
    throw BadCall("--command: no command for a batch: \"" + job.command +
                  "\"; expected one of " + batch::FormNames());
  }
  for (const std::string& word : job.options) {
    const std::string name = word.substr(0, word.find('='));
    const std::string why =
        name.starts_with("--") ? batch::WhyNotAllowed(name.substr(2))
        : name == "-o" || name == "-h"
            ? batch::WhyNotAllowed(name == "-o" ? "output" : "help")
            : "";
    if (!why.empty()) throw BadCall("--command: " + name + ": " + why);
  }
  if (form->has_output && form->ending.empty() && job.format.empty()) {
    throw BadCall(job.command +
                  " needs --format, the ending of its output, such as trc");
  }
  batch::BatchJob trial = job;
  trial.input = "input";
  trial.name = "output";
  if (program.check(batch::WordsOf(trial, ".")) != kDone) {
    throw BadCall("--command \"" + options.command + "\" makes no sense");
  }
  return job;
}

/// The words that make another process do the same, a shard of it.
std::vector<std::string> WordsForShards(const BatchOptions& options) {
  std::vector<std::string> words;
  const auto add = [&words](const std::string& name, const std::string& value) {
    if (value.empty()) return;
    words.push_back(name);
    words.push_back(value);
  };
  if (!options.manifest.empty()) words.push_back(PathText(options.manifest));
  add("--from", options.from);
  add("--command", options.command);
  add("--format", options.format);
  add("--out", PathText(options.out));
  add("--memory", options.memory);
  if (options.timeout_s != batch::kUsualTimeout) {
    add("--timeout", nlohmann::json(options.timeout_s).dump());
  }
  if (options.retry_failed) words.emplace_back("--retry-failed");
  return words;
}

int Merge(const BatchOptions& options) {
  if (batch::LogsIn(options.merge).empty()) {
    std::cerr << PathText(options.merge)
              << ": error: expected the results of a batch, found no log\n";
    return kBadInput;
  }
  return batch::FinishBatch(options.merge, /*merge=*/true, options.json);
}

void CheckCall(const BatchOptions& options) {
  if (options.manifest.empty() == options.from.empty() ||
      options.from.empty() != options.command.empty()) {
    throw BadCall(
        "say what to do: a manifest, or both --from PATTERN and --command "
        "TEXT");
  }
  if (!options.manifest.empty() && !options.format.empty()) {
    throw BadCall("--format goes with --command; a manifest has \"format\"");
  }
  if (options.out.empty()) throw BadCall("--out says where results go");
}

batch::BatchSettings SettingsOf(const BatchOptions& options) {
  batch::BatchSettings settings;
  settings.results = options.out;
  settings.num_workers = options.jobs;
  settings.limits.timeout_s = options.timeout_s;
  settings.limits.memory_bytes = options.memory.empty()
                                     ? batch::MemoryPerWorker(options.jobs)
                                     : ParseMemory(options.memory);
  settings.retry_failed = options.retry_failed;
  if (!options.shard.empty()) {
    settings.shard = batch::ParseShard(options.shard);
    if (!settings.shard) {
      throw BadCall("--shard " + options.shard +
                    ": expected PART/PARTS, such as 3/40");
    }
  }
  settings.on_end = [](const batch::LogEntry& entry, const std::string&) {
    std::cerr << batch::DoubtLine(entry);
  };
  return settings;
}

bool IsBelow(const fs::path& path, const fs::path& folder) {
  const fs::path below = fs::weakly_canonical(path).lexically_relative(
      fs::weakly_canonical(folder));
  return !below.empty() && *below.begin() != "..";
}

/// The files of --from. Where the results lie among them, what an earlier start
/// wrote is no input of this one.
std::vector<fs::path> InputsOf(const BatchOptions& options) {
  std::vector<fs::path> files = batch::FilesOf(options.from);
  const fs::path root = batch::RootOf(options.from);
  if (!IsBelow(root.empty() ? "." : root, options.out)) {
    std::erase_if(files, [&options](const fs::path& file) {
      return IsBelow(file, options.out);
    });
  }
  if (files.empty()) throw BadCall("no file matches " + options.from);
  return files;
}

/// Null, and the reason printed, if the manifest cannot be opened.
std::unique_ptr<batch::JobSource> SourceOf(const BatchOptions& options,
                                           const batch::CommandTable& table,
                                           const batch::Program& program) {
  if (options.manifest.empty()) {
    batch::BatchJob job = ParseCommand(options, program);
    return std::make_unique<batch::FileJobs>(
        InputsOf(options), batch::RootOf(options.from), std::move(job));
  }
  auto manifest = std::make_unique<batch::Manifest>(options.manifest, table);
  std::cerr << manifest->open_findings().ToString();
  if (manifest->open_findings().has_errors()) return nullptr;
  return manifest;
}

int RunOnSlurm(const BatchOptions& options) {
  std::error_code error;
  const batch::SlurmScripts scripts = batch::MakeScripts(
      options.cluster, fs::read_symlink("/proc/self/exe", error),
      WordsForShards(options), options.out, fs::current_path());
  if (options.dry_run) {
    std::cout << scripts.array << "\n" << scripts.merge;
    return kDone;
  }
  const Diagnostics submitted = batch::Submit(scripts, options.out);
  std::cerr << submitted.ToString();
  return submitted.has_errors() ? kBadInput : kDone;
}

int RunBatchCommand(const BatchOptions& options, const CLI::App& app,
                    const batch::Program& program) {
  if (!options.merge.empty()) return Merge(options);
  CheckCall(options);
  const batch::BatchSettings settings = SettingsOf(options);
  const batch::CommandTable table = TableOf(app);
  const std::unique_ptr<batch::JobSource> source =
      SourceOf(options, table, program);
  if (!source) return kBadInput;
  const Result<batch::JobPlan> plan =
      batch::JobPlan::Make(*source, PathText(options.manifest));
  std::cerr << plan.diagnostics().ToString();
  if (!plan.ok()) return kBadInput;
  if (options.slurm) return RunOnSlurm(options);
  if (options.dry_run) {
    batch::PrintJobs(*source, *plan, settings);
    return kDone;
  }
  const std::optional<batch::BatchCounts> counts =
      batch::RunBatch(*source, *plan, program, settings);
  if (!counts) return kBadInput;
  if (settings.shard) {
    std::cout << batch::CountsLine(*counts) << "\n";
    return batch::ExitCodeOf(*counts);
  }
  return batch::FinishBatch(options.out, /*merge=*/false, options.json,
                            &*counts);
}

}  // namespace

void AddBatch(CLI::App& app, Job& job, const batch::Program& program) {
  CLI::App* command = app.add_subcommand(
      "batch",
      "Run a command on thousands of files: all cores, shards, resumed where "
      "it stopped");
  auto options = std::make_shared<BatchOptions>();
  command
      ->add_option("MANIFEST", options->manifest,
                   "jobs, one JSON object a line (docs/batch.md)")
      ->type_name("");
  command
      ->add_option("--from", options->from,
                   "files instead of a manifest: a pattern in quotes; ** "
                   "stands for any folders")
      ->type_name("PATTERN");
  command
      ->add_option("--command", options->command,
                   "what to do with each: " + batch::FormNames() +
                       ", with options but without files")
      ->type_name("TEXT");
  command
      ->add_option("--format", options->format,
                   "with --command: ending of the outputs, such as trc")
      ->type_name("ENDING");
  command->add_option("--out", options->out, "folder for results and log")
      ->type_name("FOLDER");
  command
      ->add_option("--shard", options->shard,
                   "do only this part of the jobs, such as 3/40")
      ->type_name("PART/PARTS");
  command
      ->add_option("--merge", options->merge,
                   "put the logs of all shards in this folder together")
      ->type_name("FOLDER");
  command
      ->add_option("--jobs", options->jobs,
                   "at the same time; without it one per core")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  command
      ->add_option("--timeout", options->timeout_s,
                   "stop a job after so long; an hour by default [s]")
      ->type_name("SECONDS")
      ->check(PositiveNumber());
  command
      ->add_option("--memory", options->memory,
                   "stop a job that needs more, such as 2G; by default the "
                   "machine's, shared out")
      ->type_name("SIZE");
  command->add_flag("--retry-failed", options->retry_failed,
                    "try again what failed with the same input and options");
  command->add_flag("--dry-run", options->dry_run,
                    "print the calls, or Slurm's scripts, and do nothing");
  command->add_flag("--json", options->json, "print the summary for machines");
  command
      ->add_flag("--slurm", options->slurm,
                 "submit the shards to a Slurm cluster")
      ->group("Slurm");
  command
      ->add_option("--nodes", options->cluster.num_nodes,
                   "machines at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 100000))
      ->group("Slurm");
  command
      ->add_option("--tasks", options->cluster.num_tasks,
                   "shards; as many as nodes without it")
      ->type_name("N")
      ->check(CLI::Range(1, 100000))
      ->group("Slurm");
  command
      ->add_option("--cpus", options->cluster.num_cpus,
                   "cores of a task; the whole machine without it")
      ->type_name("N")
      ->check(CLI::Range(1, 4096))
      ->group("Slurm");
  command
      ->add_option("--partition", options->cluster.partition,
                   "Slurm's partition")
      ->type_name("NAME")
      ->group("Slurm");
  command
      ->add_option("--slurm-option", options->cluster.options,
                   "further option of sbatch, such as --mem=8G; may be "
                   "repeated")
      ->type_name("TEXT")
      ->group("Slurm");
  command->footer(
      "Exit codes: 0 all look right, 1 some failed, 2 the call is wrong, 3 "
      "some look wrong.\n"
      "Example:\n"
      "  limber batch --from 'clips/**/*.bvh' --command \"retarget --to "
      "fat_man\" --out results\n"
      "  limber batch jobs.jsonl --out results --shard 3/40\n"
      "  limber batch --merge results\n"
      "  limber batch jobs.jsonl --out results --slurm --nodes 4 --tasks 40");
  command->callback([options, &app, &job, program] {
    job = [options, &app, program] {
      return RunBatchCommand(*options, app, program);
    };
  });
}

}  // namespace limber::app
