// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// read_seconds FILE COUNT: reads a file as `limber.read` does, COUNT times, and
// prints the processor seconds and the page faults of each. For overhead.py.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "jobs/load.h"

namespace {

long PageFaults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  for (int i = 0; i < std::atoi(argv[2]); ++i) {
    const long faults = PageFaults();
    const std::clock_t begin = std::clock();
    const auto file = limber::jobs::Load(argv[1], {});
    const std::clock_t end = std::clock();
    if (!file.ok()) {
      std::fputs(file.diagnostics().ToString().c_str(), stderr);
      return 1;
    }
    std::printf("%.6f %ld\n", static_cast<double>(end - begin) / CLOCKS_PER_SEC,
                PageFaults() - faults);
  }
}
