// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace limber::app {

/// What the program's exit code means.
enum ExitCode : int {
  kDone = 0,
  kBadInput = 1,  ///< A file cannot be read or written; the reason is printed.
  kBadCall = 2,   ///< The command line asks for something that makes no sense.
  kCriteriaFailed = 3,  ///< Everything was done, and what came out is not good.
};

/// Thrown by a command for a call that makes no sense; `what` is the sentence
/// the user reads. Ends the program with `kBadCall`.
class BadCall : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace limber::app
