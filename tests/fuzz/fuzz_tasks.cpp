// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "mocap/io/osim.h"
#include "tests/fuzz/fuzz.h"

namespace {

/// Tasks have names and weights that can be multiplied.
void DemandTask(const limber::mocap::OsimTask& task) {
  limber::fuzz::Demand(!task.name.empty(), "tasks have names");
  limber::fuzz::Demand(std::isfinite(task.weight) && task.weight >= 0.0,
                       "weights are numbers of 0 or more");
}

}  // namespace

// What OpenSim's inverse kinematics is to heed: `limber solve --tasks`.
LIMBER_FUZZ(tasks, bytes) {
  using namespace limber;
  const Result<mocap::OsimTasks> tasks = mocap::ReadOsimTasks(bytes, "fuzz");
  if (!tasks.ok()) {
    fuzz::Demand(tasks.diagnostics().has_errors(), "a refusal says why",
                 tasks.diagnostics());
    return;
  }
  for (const mocap::OsimTask& task : tasks->markers) DemandTask(task);
  for (const mocap::OsimCoordinateTask& task : tasks->coordinates) {
    DemandTask(task);
    fuzz::Demand(std::isfinite(task.value), "values are numbers");
  }
}
