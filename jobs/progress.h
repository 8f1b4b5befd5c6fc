// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "core/checkpoint.h"
#include "core/diagnostics.h"

namespace limber::jobs {

/// Called by a job with the share that is done, in [0, 1], always from the
/// thread that called the job and several times a second. The job goes on while
/// it returns true; otherwise it ends with the error "stopped". May be empty.
using Progress = std::function<bool(double share)>;

/// What the parts of a job throw through their own callbacks when they are to
/// stop; no job lets it out.
struct Stopped {};

/// A callback for the parts of a job that covers [from, to] of the whole.
/// It throws `Stopped`.
std::function<void(double)> TellFrom(const Progress& progress, double from = 0,
                                     double to = 1);

/// Says that `share` is done. @throws Stopped.
void Tell(const Progress& progress, double share);

/// The one error of a job that was stopped.
Diagnostics StoppedFindings(const std::string& file);

/// While it lives, `progress` is also asked at every checkpoint of this thread,
/// with the share that was told last, so that stretches in which nothing new is
/// told can be stopped as well. Those throw `Stopped`.
class ProgressScope {
 public:
  /// Does nothing if `progress` is empty; else it must outlive this object.
  explicit ProgressScope(const Progress& progress);

 private:
  std::optional<CheckpointScope> checkpoints_;
};

/// What `job()` returns, a Result; the error "stopped" in place of it if
/// `progress` stopped the job, wherever that was.
template <typename Job>
auto RunStoppable(const Progress& progress, const std::string& file,
                  Job&& job) {
  using Outcome = decltype(job());
  try {
    const ProgressScope scope(progress);
    return std::forward<Job>(job)();
  } catch (const Stopped&) {
    return Outcome(StoppedFindings(file));
  }
}

}  // namespace limber::jobs
