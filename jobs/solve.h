// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/verdict.h"
#include "figure/figure_model.h"
#include "jobs/data_path.h"
#include "jobs/progress.h"
#include "mocap/marker_take.h"
#include "mocap/osim_model.h"
#include "mocap/solve/actor.h"
#include "mocap/solve/hold_out.h"
#include "mocap/solve/judge_solution.h"
#include "mocap/solve/marker_set.h"
#include "mocap/solve/model_motion.h"
#include "mocap/solve/opensim_angles.h"
#include "mocap/solve/solve_take.h"

namespace limber::jobs {

enum class SolveMethod {
  kLeastSquares,
  kPhysical,  ///< Bodies in a world, each frame from the past only.
  kBoth       ///< The first is the solution, the second stands beside it.
};
/// "least-squares", "physical", "both".
std::string_view ToString(SolveMethod method);

/// A take, and how findings call it.
struct NamedTake {
  mocap::MarkerTake take;
  std::string file;
};

struct SolveOptions {
  std::string file;  ///< How findings call the take; may be empty.
  /// Whose markers, where the labels name several people.
  std::optional<std::string> subject;
  SolveMethod method = SolveMethod::kLeastSquares;
  /// The sets to choose from. Empty: the markers of the model or the actor,
  /// else the built-in ones, and what labels and motion tell.
  std::vector<mocap::MarkerSet> marker_sets;
  std::optional<mocap::OsimModel> model;  ///< An OpenSim model, by its markers.
  std::string model_file;                 ///< How findings call it.
  /// Also lets the model itself, with its own joints and marker places, follow
  /// the markers as these tasks want it: OpenSim's inverse kinematics.
  std::optional<mocap::OsimTasks> tasks;
  std::string tasks_file;  ///< How findings call them.
  /// The body, calibrated before: no calibration is done.
  std::optional<mocap::Actor> actor;
  /// A standing pose with the same markers: helps calibration.
  std::optional<NamedTake> standing;
  /// A pose that joint angles are counted from, instead of the rest pose.
  std::optional<NamedTake> neutral;
  /// Also solve without this share of the markers, in (0, 0.5], and measure
  /// how far off these are.
  std::optional<double> hold_out;
  /// Moves the result so that the floor is at 0: the one at this height of the
  /// take [m], or with `ground` alone the one that the feet show.
  std::optional<double> floor;
  bool ground = false;
  bool asymmetric = false;     ///< Left and right bones may differ.
  bool clean_up = true;        ///< Labels may be repaired.
  bool gravity = false;        ///< Physical: the figure has weight.
  bool floor_contact = false;  ///< Physical: soles stay above the floor.
  Progress progress;
};

/// The floor that soles could not pass, and how far they did nevertheless.
struct FloorContact {
  double height = 0.0;        ///< In the take [m].
  double deepest = 0.0;       ///< Lowest point of a sole below it [m].
  double deepest_free = 0.0;  ///< The same without contact [m].
};

/// A solved take.
struct SolvedTake {
  std::string file;
  std::string marker_set;
  std::string subject;
  SolveMethod method = SolveMethod::kLeastSquares;
  mocap::PreparedTake take;
  mocap::Calibration calibration;
  mocap::TakeSolution solution;
  std::vector<std::string> unlabelled;  ///< Labels of the unnamed tracks.
  double calibration_s = 0.0;           ///< 0 when the actor was given.
  double solve_s = 0.0;
  /// The physical solution beside `solution`, if both were asked for.
  std::optional<mocap::TakeSolution> physical;
  double physical_s = 0.0;
  std::optional<FloorContact> contact;  ///< Of the physical method.
  double floor = 0.0;  ///< Height of the floor in the output [m].
  std::optional<mocap::HeldOut> held_out;
  double hold_out_share = 0.0;
  double start_time_s = 0.0;  ///< Of the first frame, as the file has it.
  mocap::OpenSimFamily family = mocap::OpenSimFamily::kRajagopal;
  /// The model that followed the markers; its coordinates are what `.mot`
  /// holds then.
  std::optional<mocap::ModelMotion> model;
  /// The standing pose that angles are counted from; empty: the rest pose.
  std::string neutral_file;
  std::vector<mocap::BodyPose> neutral;
  mocap::FitQuality fit;  ///< Marker errors, per marker, segment and frame.
  mocap::SolutionMeasures measures;
  Verdict verdict;
};

/// Markers to the motion of a body: recognises the marker set, calibrates the
/// actor, repairs labels, bridges gaps, and judges the result. Errors:
/// "several-subjects", "no-subject", "no-marker-set", those of calibration, and
/// "stopped". @throws BadCall if options contradict each other.
Result<SolvedTake> Solve(mocap::MarkerTake take,
                         const SolveOptions& options = {});

/// The people of a take whose labels name several; else empty.
std::vector<std::string> SubjectsOf(const mocap::MarkerTake& take,
                                    const SolveOptions& options = {});

/// A built-in marker set by its name, or one of a file, or of the files that
/// come with Limber.
Result<mocap::MarkerSet> LoadMarkerSet(const std::filesystem::path& named);

/// The tasks of an OpenSim set-up file for a model; the word "equal" stands for
/// all markers of the model with weight 1.
Result<mocap::OsimTasks> LoadTasks(const std::filesystem::path& named,
                                   const mocap::OsimModel& model);

/// The actor of a figure file that an earlier solve wrote.
Result<mocap::Actor> LoadActor(const std::filesystem::path& path);

}  // namespace limber::jobs
