// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/batch/job_source.h"
#include "app/batch/log.h"
#include "app/batch/log_line.h"
#include "tests/fuzz/fuzz.h"

// A manifest, its bytes as a command, as a shard and as a line of a log.
LIMBER_FUZZ(manifest, bytes) {
  using namespace limber;
  using namespace limber::app::batch;
  static const CommandTable table = {
      {"retarget", {{"to", {}}, {"lock-feet", {}}, {"copy-only", {true}}}},
      {"solve", {{"csv", {}}, {"up", {}}}},
      {"edit", {{"push", {}}, {"sweep", {}}}},
      {"measure", {}},
      {"markers", {{"seed", {}}}},
      {"convert", {}}};
  const fuzz::MemoryFile file(bytes);
  Manifest manifest(file.path(), table);
  const Result<JobPlan> plan = JobPlan::Make(manifest, "fuzz");
  if (plan.ok()) {
    Diagnostics findings;
    manifest.Rewind();
    while (std::optional<BatchJob> job = manifest.Next(findings)) {
      plan->Settle(*job);
      fuzz::Demand(
          !job->name.starts_with('/') &&
              ("/" + job->name + "/").find("/../") == std::string::npos,
          "outputs stay below the results' folder");
      fuzz::Demand(WordsOf(*job, "out").size() >= 3, "a job has words");
    }
    fuzz::Demand(findings.all().empty(), "the second reading is the first");
  }
  (void)ParseKnown(bytes);
  (void)SplitWords(bytes);
  (void)ParseShard(bytes);
  if (const auto entry = ParseEntry(bytes)) {
    const std::string line = ToLine(*entry);
    const auto again = ParseEntry(line);
    fuzz::Demand(again.has_value(), "a written line is read");
    const auto known = ParseKnown(line);
    fuzz::Demand(LogLine::Scan(line).has_value() && known.has_value(),
                 "a written line is scanned");
    fuzz::Demand(known->job == again->job && known->input == again->input &&
                     known->options_hash == again->options_hash &&
                     known->mark.bytes == again->mark.bytes &&
                     known->mark.time_ns == again->mark.time_ns &&
                     known->ending == again->ending &&
                     known->outputs == again->outputs,
                 "both readers of a line agree");
  }
}
