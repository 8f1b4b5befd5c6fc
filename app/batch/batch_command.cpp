// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/batch/batch_command.h"

#include <iostream>

#include "app/batch/summary.h"
#include "app/exit_code.h"
#include "app/reports/describe.h"
#include "core/file.h"
#include "jobs/shell_word.h"

namespace limber::app::batch {

int ExitCodeOf(const BatchCounts& counts) {
  return counts.failed > 0  ? kBadInput
         : counts.wrong > 0 ? kCriteriaFailed
                            : kDone;
}

std::string CountsLine(const BatchCounts& counts) {
  std::string line = Count(counts.all(), "job") + ": " +
                     std::to_string(counts.right) + " look right, " +
                     std::to_string(counts.wrong) + " look wrong, " +
                     std::to_string(counts.failed) + " failed";
  if (counts.skipped > 0) {
    line += " (" + std::to_string(counts.skipped) + " known from the log)";
  }
  return line;
}

std::string DoubtLine(const LogEntry& entry) {
  if (entry.ending == Ending::kRight) return "";
  std::string line = entry.job + ": " + std::string(ToString(entry.ending));
  std::string sign = ": ";
  if (!entry.error.empty()) line += std::exchange(sign, "; ") + entry.error;
  for (const nlohmann::ordered_json& doubt : entry.doubts) {
    line += std::exchange(sign, "; ") + doubt.value("message", "");
  }
  return line + "\n";
}

void PrintJobs(JobSource& source, const JobPlan& plan,
               const BatchSettings& settings) {
  Diagnostics ignored;
  source.Rewind();
  while (std::optional<BatchJob> job = source.Next(ignored)) {
    plan.Settle(*job);
    if (settings.shard && !settings.shard->Has(job->name)) continue;
    std::cout << "limber";
    for (const std::string& word :
         WordsOf(*job, settings.results / FolderOf(*job))) {
      std::cout << " " << jobs::ShellWord(word);
    }
    std::cout << "\n";
  }
}

int FinishBatch(const std::filesystem::path& results, bool merge, bool json,
                const BatchCounts* counts) {
  const Result<Summary> summary = WriteSummary(results, merge);
  std::cerr << summary.diagnostics().ToString();
  if (!summary.ok()) return kBadInput;
  const BatchCounts& shown = counts != nullptr ? *counts : summary->counts;
  if (json) {
    std::cout << ToJson(*summary).dump(
                     2, ' ', false,
                     nlohmann::ordered_json::error_handler_t::replace)
              << "\n";
  } else {
    std::cout << CountsLine(shown) << "\n"
              << PathText(results / "index.html") << "\n";
  }
  return ExitCodeOf(shown);
}

}  // namespace limber::app::batch
