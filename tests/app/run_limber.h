// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace limber::test {

/// What a program did. `code` is its exit code; 1000 + n when signal n ended
/// it; 99 when a sanitizer stopped it.
struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
  double seconds = 0.0;         ///< From start to end.
  double cpu_seconds = 0.0;     ///< Of processors, from start to end.
  double peak_megabytes = 0.0;  ///< Of memory.
};

/// Runs the built program `limber` with these arguments and waits for its end.
Outcome RunLimber(const std::vector<std::string>& arguments);

/// As above, but sends the program the signal of Ctrl-C after `seconds`; the
/// outcome's times are those from the signal to the end. On a machine with
/// other work only the processors' time says what the program did with it.
Outcome InterruptLimber(double seconds,
                        const std::vector<std::string>& arguments);

/// As `RunLimber`, ended by a signal (code 1014) after so many seconds.
Outcome RunLimberFor(int seconds, const std::vector<std::string>& arguments);

/// Starts the program, sends it a signal after `seconds`, and waits for its
/// end.
Outcome SignalLimber(int signal, double seconds,
                     const std::vector<std::string>& arguments);

/// As `RunLimber`, with standard output going to `out_path` instead of the
/// outcome.
Outcome RunLimberInto(const std::filesystem::path& out_path,
                      const std::vector<std::string>& arguments);

/// Runs the generator of the bundled data.
Outcome RunMakeData(const std::vector<std::string>& arguments);

}  // namespace limber::test
