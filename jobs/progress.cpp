// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/progress.h"

namespace limber::jobs {

namespace {

/// The share that a job of this thread told last.
thread_local double last_share = 0.0;  // NOLINT

void Ask(const Progress& progress, double share) {
  last_share = share;
  if (!progress(share)) throw Stopped();
}

}  // namespace

std::function<void(double)> TellFrom(const Progress& progress, double from,
                                     double to) {
  if (!progress) return nullptr;
  return [progress, from, to](double share) {
    Ask(progress, from + (to - from) * share);
  };
}

void Tell(const Progress& progress, double share) {
  if (progress) Ask(progress, share);
}

ProgressScope::ProgressScope(const Progress& progress) {
  last_share = 0.0;
  if (!progress) return;
  checkpoints_.emplace([&progress] { Ask(progress, last_share); });
}

Diagnostics StoppedFindings(const std::string& file) {
  Diagnostics findings(file);
  findings.Error("stopped", {}, "the caller stopped the job");
  return findings;
}

}  // namespace limber::jobs
