// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "figure/motion.h"
#include "mocap/solve/calibrate.h"
#include "mocap/solve/tracker.h"

namespace limber::mocap {

struct SolveOptions {
  TrackerOptions tracker;
  /// Solve neighbouring frames together, with these speeds as ordinary.
  bool smooth = true;
  double turn_rate = 20.0;  ///< [rad/s]
  double speed = 5.0;       ///< Of the pelvis [m/s].
  /// Called with the share done, in [0, 1]; may be empty.
  std::function<void(double)> progress;
};

/// Something the solver did to the data, over a run of frames.
struct Repair {
  MarkerFate what = MarkerFate::kMissing;
  int marker = 0;  ///< Of the actor.
  std::int64_t first_frame = 0;
  std::int64_t num_frames = 0;
  int from = -1;  ///< kSwapped: marker whose point was taken; kAssigned: track.
};

/// "swapped", "gap bridged", "unlabelled point taken", "rejected".
std::string_view ToString(MarkerFate fate);

struct TakeSolution {
  std::vector<BodyPose> poses;
  Observations used;  ///< What was fitted, after repairs.
  std::vector<Repair> repairs;
  std::int64_t num_restarts = 0;  ///< Frames found without their neighbours.
  std::int64_t num_empty = 0;     ///< Frames with fewer than 3 markers used.
};

/// Solves every frame of a take. Unlabelled tracks are taken from `raw`, which
/// may be null.
TakeSolution SolveTake(const PreparedTake& take, const MarkerTake* raw,
                       const Actor& actor, const SolveOptions& options = {});

/// Runs of samples that were not seen (kMissing), or seen and not used
/// (kRejected).
std::vector<Repair> FindRepairs(const Observations& seen,
                                const Observations& used);

/// The solution on the actor's skeleton.
figure::Motion ToMotion(const TakeSolution& solution, const Actor& actor,
                        double rate_hz);

/// How well a solution fits. All in metres over the samples that were used.
struct MarkerError {
  double rms = 0.0;
  double max = 0.0;
  std::int64_t count = 0;
};
struct FitQuality {
  MarkerError all;
  double mean_of_frame_max = 0.0;
  std::vector<MarkerError> per_marker;   ///< Per marker of the actor.
  std::vector<MarkerError> per_segment;  ///< Per segment.
  std::vector<double> frame_rms;         ///< NaN for a frame without markers.
  std::vector<double> frame_max;
};
FitQuality MeasureFit(const Actor& actor, const std::vector<BodyPose>& poses,
                      const Observations& observed);

}  // namespace limber::mocap
