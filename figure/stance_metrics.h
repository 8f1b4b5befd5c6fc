// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "figure/clip_tracks.h"

namespace limber::figure {

/// When a foot stands, by the definition that the reports use: its point is
/// lower than `max_height` above the clip's floor and moves slower than
/// `max_speed` from one sample to the next, at `sample_rate_hz`. Both hold for
/// a leg of kReferenceLeg and grow in proportion to the clip's own legs, so
/// that a clip and the same clip at another scale have the same stances.
struct StanceRule {
  double max_height = 0.05;      ///< [m]
  double max_speed = 0.2;        ///< [m/s]
  double sample_rate_hz = 30.0;  ///< [Hz]
};

/// Hip to ankle of an adult [m].
inline constexpr double kReferenceLeg = 0.85;

enum class FootPoint { kToe, kHeel };

/// One time a foot stands: from the first sample to the end of the last step.
struct Stance {
  int side = 0;        ///< 0 left, 1 right.
  double begin = 0.0;  ///< Time of the first sample [s].
  int num_steps = 0;   ///< Steps of 1 / sample_rate, at least 1.
};

/// The stances of a clip, in the order of time, left foot first. Samples begin
/// at the first frame of each shot.
std::vector<Stance> FindStances(const ClipTracks& tracks, FootPoint point,
                                const StanceRule& rule = {});

/// How much feet slide in given stances, horizontally.
struct StanceSlide {
  int num_stances = 0;
  double time = 0.0;           ///< Sum of the stances [s].
  double speed = 0.0;          ///< Mean over the steps of all stances [m/s].
  double drift = 0.0;          ///< Mean over the stances of the farthest
                               ///< distance from where the stance began [m].
  double speed_per_leg = 0.0;  ///< Divided by the leg length [1/s].
  double drift_per_leg = 0.0;  ///< Likewise [1].
};

/// Measures `tracks` in stances that may come from another clip: the source
/// when a retargeted clip is judged. Uniform scaling changes neither of the
/// values per leg.
StanceSlide MeasureSlide(const ClipTracks& tracks, FootPoint point,
                         const std::vector<Stance>& stances,
                         const StanceRule& rule = {});

}  // namespace limber::figure
