// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "mocap/solve/calibrate.h"
#include "mocap/solve/solve_take.h"

namespace limber::test {

/// A person with known bones, known marker places and known poses.
struct SyntheticTake {
  mocap::Actor actor;
  std::vector<mocap::BodyPose> poses;
  mocap::MarkerTake take;  ///< Labels "Syn:LFHD" of the set cmu-41.
};

struct SyntheticOptions {
  std::int64_t num_frames = 240;
  double rate_hz = 120.0;
  double noise = 0.0;   ///< Standard deviation per axis [m].
  double scale = 1.04;  ///< Of the reference body.
  /// How far markers sit from where the set has them, per axis [m].
  double misplacement = 0.012;
};

/// A walk with turning trunk, swinging arms and nodding head, all markers seen.
SyntheticTake MakeSyntheticTake(const SyntheticOptions& options = {});

/// The built-in set of that name.
const mocap::MarkerSet& BuiltInSet(std::string_view name);

/// Recognised and prepared; the test ends if that fails.
mocap::PreparedTake Prepare(const mocap::MarkerTake& take);

/// RMS over frames of the rotation between the poses of each joint that moves
/// [deg].
double PoseRmsDeg(const std::vector<mocap::BodyPose>& a,
                  const std::vector<mocap::BodyPose>& b, int segment);

}  // namespace limber::test
