// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// From markers to a fat man who is pushed: each job is one call.
#include <cstdio>
#include <vector>

#include "jobs/edit.h"
#include "jobs/retarget.h"
#include "jobs/save.h"
#include "jobs/solve_save.h"

using namespace limber;

/// The value, or the end of the program with the reasons why there is none.
template <typename T>
T Must(Result<T> result) {
  std::fputs(result.diagnostics().ToString().c_str(), stderr);
  if (!result.ok()) std::exit(1);
  return std::move(result).value();
}

int main(int argc, char** argv) {
  if (argc != 3) return std::puts("usage: TAKE.c3d OUT.bvh"), 2;
  const jobs::SolvedTake solved =
      Must(jobs::Solve(Must(jobs::LoadTake(argv[1]))));
  std::printf("solved: %.1f mm RMS, %s\n", 1e3 * solved.fit.all.rms,
              solved.verdict.ToString().c_str());
  const jobs::RetargetedClip fat = Must(jobs::Retarget(
      jobs::MotionOf(solved), Must(jobs::LoadTarget("fat_man"))));
  std::printf("retargeted: %s\n", fat.verdict.ToString().c_str());
  const std::vector<jobs::Event> events = {
      jobs::Push{.segment = "chest", .at = 0.5, .impulse = {40, 0, 0}}};
  jobs::EditOptions options;
  options.figure = fat.body.figure;
  const jobs::EditedClip pushed = Must(jobs::Edit(fat.motion, events, options));
  std::printf("pushed: back %.2f s later\n", pushed.result.return_time);
  return jobs::Save(pushed.result.motion, argv[2]).has_errors() ? 1 : 0;
}
