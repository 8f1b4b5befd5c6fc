// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/batch/slurm.h"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <optional>

#include "core/file.h"
#include "jobs/shell_word.h"

namespace limber::app::batch {

namespace {

namespace fs = std::filesystem;

/// What both scripts begin with.
std::string Head(const SlurmSettings& settings, const std::string& name,
                 const fs::path& log, const fs::path& folder) {
  std::string text = "#!/bin/sh\n";
  const auto add = [&text](const std::string& option) {
    text += "#SBATCH " + option + "\n";
  };
  add("--job-name=" + name);
  add("--nodes=1");
  add("--ntasks=1");
  // A task that is killed begins again and goes on where its log ends.
  add("--requeue");
  add("--open-mode=append");
  add("--chdir=" + jobs::ShellWord(PathText(folder)));
  add("--output=" + jobs::ShellWord(PathText(log)));
  if (!settings.partition.empty()) {
    add("--partition=" + jobs::ShellWord(settings.partition));
  }
  return text;
}

/// What a command prints, without the newline; nothing if it fails.
std::optional<std::string> OutputOf(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "re");
  if (pipe == nullptr) return std::nullopt;
  std::string text;
  std::array<char, 256> piece{};
  while (std::fgets(piece.data(), piece.size(), pipe) != nullptr) {
    text += piece.data();
  }
  if (::pclose(pipe) != 0) return std::nullopt;
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

SlurmScripts MakeScripts(const SlurmSettings& settings, const fs::path& program,
                         const std::vector<std::string>& words,
                         const fs::path& results, const fs::path& folder) {
  const int num_tasks =
      settings.num_tasks > 0 ? settings.num_tasks : settings.num_nodes;
  const std::string count = std::to_string(num_tasks);
  const fs::path logs = fs::absolute(results) / "slurm";
  SlurmScripts scripts;
  scripts.array = Head(settings, "limber", logs / "task_%a.log", folder);
  scripts.array += "#SBATCH --array=1-" + count + "%" +
                   std::to_string(std::min(settings.num_nodes, num_tasks)) +
                   "\n";
  scripts.array +=
      settings.num_cpus > 0
          ? "#SBATCH --cpus-per-task=" + std::to_string(settings.num_cpus) +
                "\n"
          : "#SBATCH --exclusive\n";
  for (const std::string& option : settings.options) {
    scripts.array += "#SBATCH " + option + "\n";
  }
  const std::string call = jobs::ShellWord(PathText(program)) + " batch";
  scripts.array += "exec " + call;
  for (const std::string& word : words)
    scripts.array += " " + jobs::ShellWord(word);
  if (settings.num_cpus > 0) {
    scripts.array += " --jobs " + std::to_string(settings.num_cpus);
  }
  scripts.array += " --shard \"$SLURM_ARRAY_TASK_ID/" + count + "\"\n";
  scripts.merge = Head(settings, "limber-merge", logs / "merge.log", folder);
  for (const std::string& option : settings.options) {
    scripts.merge += "#SBATCH " + option + "\n";
  }
  scripts.merge +=
      "exec " + call + " --merge " + jobs::ShellWord(PathText(results)) + "\n";
  return scripts;
}

Diagnostics Submit(const SlurmScripts& scripts, const fs::path& results) {
  const fs::path folder = results / "slurm";
  Diagnostics findings(PathText(folder));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    findings.Error("cannot-write", {}, "cannot write: " + error.message());
    return findings;
  }
  findings.Append(WriteWholeFile(folder / "array.sh", scripts.array));
  findings.Append(WriteWholeFile(folder / "merge.sh", scripts.merge));
  if (findings.has_errors()) return findings;
  const auto array = OutputOf("sbatch --parsable " +
                              jobs::ShellWord(PathText(folder / "array.sh")));
  if (!array) {
    findings.Error("no-slurm", {},
                   "sbatch did not take array.sh; its message is above");
    return findings;
  }
  // "12" or "12;cluster".
  const std::string number = array->substr(0, array->find(';'));
  const auto merge = OutputOf(
      "sbatch --parsable --dependency=afterany:" + jobs::ShellWord(number) +
      " " + jobs::ShellWord(PathText(folder / "merge.sh")));
  if (!merge) {
    findings.Error("no-slurm", {},
                   "sbatch took array.sh as job " + number +
                       ", but not merge.sh; its message is above");
    return findings;
  }
  std::cout << "submitted: array " << number << ", merging "
            << merge->substr(0, merge->find(';')) << "\n";
  return findings;
}

}  // namespace limber::app::batch
