// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "figure/dynamic/recorder.h"
#include "figure/dynamic/strength.h"
#include "figure/figure_model.h"
#include "figure/motion.h"

namespace limber::figure {

/// A point of a segment that keeps to the path it has in the clip, as the toe
/// of a foot that stands does: the ground's hold on the figure.
struct HeldPoint {
  int segment = 0;                    ///< Of the model.
  Vector3 point_B = Vector3::Zero();  ///< In the segment's frame [m].
  /// One per frame of the clip, in [0, 1]: share of `PlaySettings::held_force`.
  std::vector<double> share;
};

struct PlaySettings {
  double rate_hz = 240.0;  ///< Steps per second.
  /// Of every joint. Twice the model's own: a body that plays another's clip
  /// has another's pace, to which its muscles are not made.
  Strength strength = Strength::Powered(2.0);
  std::vector<HeldPoint> held;
  double held_force = 3.0;  ///< Bound of each held point, in body weights.
  /// How stiffly the root keeps to its path, in units of `RootServo::Helping`;
  /// positive.
  double root_stiffness = 10.0;
};

struct PlayResult {
  Motion motion;  ///< As many frames as the clip, at its rate, in its form.
  PerformanceSummary summary;
  double largest_difference = 0.0;  ///< Of a joint to the clip [rad].
  double rms_difference = 0.0;      ///< Of all joints [rad].
  double root_shift = 0.0;          ///< Of the root, at most [m].
};

/// Plays `clip` on the physical figure `model`, with motors of bounded strength
/// and gravity, and bakes what the bodies do. Held points carry the figure, the
/// root's servo helps to keep it on its path and upright; how much is in the
/// summary. A calibration pose in front stays as it is; joints that the figure
/// does not move (fingers) follow the clip. Deterministic.
///
/// @throws std::invalid_argument naming the field and its value if the clip has
///         no frames or another skeleton, or a setting is out of range;
///         std::runtime_error if the motion does not stay finite.
PlayResult PlayMotion(const Motion& clip,
                      std::shared_ptr<const FigureModel> model,
                      const PlaySettings& settings = {});

}  // namespace limber::figure
