// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

#include "core/verdict.h"
#include "jobs/bad_call.h"

namespace limber::app {

/// What the program's exit code means.
enum ExitCode : int {
  kDone = 0,
  kBadInput = 1,  ///< A file cannot be read or written; the reason is printed.
  kBadCall = 2,   ///< The command line asks for something that makes no sense.
  /// Everything was done and written, and what came out does not pass its own
  /// checks: a scene's criteria, or the verdict of a job.
  kCriteriaFailed = 3,
};

/// The exit code of a job that was done and judged itself.
inline int ExitCodeOf(const Verdict& verdict) {
  return verdict.looks_right() ? kDone : kCriteriaFailed;
}

/// What an exception says, in words for people: the C++ library's own names for
/// "too much" become a sentence.
std::string WordsOf(const std::exception& error);

/// Thrown by a command, too, for a call that makes no sense; ends the program
/// with `kBadCall`.
using jobs::BadCall;

}  // namespace limber::app
