// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace limber::jobs {

/// Thrown by a job for a call that makes no sense, whatever is in the files;
/// `what` is the sentence that the user reads. It calls an option as the
/// program does: `--lock-feet` is the field `lock_feet` of the options.
class BadCall : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace limber::jobs
