// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/progress.h"

namespace limber::jobs {

std::function<void(double)> TellFrom(const Progress& progress, double from,
                                     double to) {
  if (!progress) return nullptr;
  return [progress, from, to](double share) {
    if (!progress(from + (to - from) * share)) throw Stopped();
  };
}

void Tell(const Progress& progress, double share) {
  if (progress && !progress(share)) throw Stopped();
}

Diagnostics StoppedFindings(const std::string& file) {
  Diagnostics findings(file);
  findings.Error("stopped", {}, "the caller stopped the job");
  return findings;
}

}  // namespace limber::jobs
