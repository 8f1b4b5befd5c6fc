// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/load_options.h"
#include "app/solve_report.h"
#include "core/result.h"
#include "mocap/marker_take.h"
#include "mocap/osim_model.h"
#include "mocap/solve/actor.h"
#include "mocap/solve/marker_set.h"

namespace limber::app {

/// A call of `limber solve`.
struct SolveCommand {
  std::filesystem::path take;
  std::vector<std::filesystem::path> outputs;
  std::filesystem::path standing;
  std::filesystem::path marker_set;
  std::filesystem::path model;
  std::filesystem::path neutral;
  std::filesystem::path actor;
  std::filesystem::path figure_out;
  std::filesystem::path csv;
  std::filesystem::path report;
  std::optional<std::string> subject;
  std::string method = "least-squares";
  std::string hold_out;
  std::string floor;
  LoadOptions load;
  bool asymmetric = false;
  bool no_clean_up = false;
  bool gravity = false;
  bool floor_contact = false;
  bool force = false;
  bool json = false;
};

/// "10%", "10 %" or "0.1", above 0 and up to a half. @throws BadCall.
double ParseShare(const std::string& text);

/// The take of a file that must hold markers.
Result<mocap::MarkerTake> LoadTake(const std::filesystem::path& path,
                                   const LoadOptions& options);

/// The model of --model; an empty one without it.
Result<mocap::OsimModel> LoadModel(const SolveCommand& command);

/// The sets to choose from: the user's own, those of the model or the actor, or
/// ours.
Result<std::vector<mocap::MarkerSet>> LoadSets(
    const SolveCommand& command, const std::optional<mocap::Actor>& actor,
    const mocap::OsimModel& model);

/// Everything up to the solved take, or the reasons why not.
Result<SolvedTake> Solve(const SolveCommand& command);

}  // namespace limber::app
