// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/verdict.h"
#include "figure/figure_model.h"
#include "figure/motion.h"
#include "figure/pose_metrics.h"
#include "figure/stance_metrics.h"
#include "jobs/body_clip.h"
#include "jobs/progress.h"

namespace limber::jobs {

/// What clips are measured against.
struct ClipReference {
  const BodyClip* clip = nullptr;
  /// Height of the floor of the measured clip; without it the reference's,
  /// carried over [m].
  std::optional<double> floor = {};
  /// Whether joints of the same name mean the same and are compared.
  bool compare_joints = true;
};

/// A clip beside its reference.
struct ClipComparison {
  /// Jerk by that of the reference; nothing where that one is still.
  std::optional<double> jerk_ratio;
  std::optional<double> place_jerk_ratio;
  double stance_speed_per_leg = 0.0;         ///< Of the reference [1/s].
  double floor_penetration = 0.0;            ///< Of the reference [m].
  std::optional<figure::JointError> joints;  ///< Where names are shared.
  std::vector<std::string> notes;            ///< What was not compared.
};

/// What a clip is like, in numbers.
struct ClipMetrics {
  std::int64_t num_frames = 0;
  double rate_hz = 0.0;
  double leg_length = 0.0;         ///< [m]
  figure::StanceSlide toe;         ///< Over stances of the toes.
  figure::StanceSlide heel;        ///< Over stances of the heels.
  double floor = 0.0;              ///< Height of the floor [m].
  double floor_penetration = 0.0;  ///< Of the soles [m].
  figure::Jerk jerk;
  std::optional<ClipComparison> reference;
  std::optional<figure::LimitReport> limits;  ///< Of the figure it is on.
};

/// The metrics of a clip. With a reference, stances are those of the reference.
ClipMetrics MeasureClip(const BodyClip& clip,
                        const ClipReference& reference = {});

struct MeasureOptions {
  ClipOrigin origin;
  /// The clip it was made from: stances and floor are taken from there, joint
  /// angles compared. Its rate must be the same.
  const figure::Motion* against = nullptr;
  ClipOrigin against_origin;
  /// The figure that the clip is on: its joint limits are checked.
  const figure::FigureModel* figure = nullptr;
  Progress progress;
};

struct MeasuredClip {
  BodyClip clip;
  ClipMetrics metrics;
  Verdict verdict;
};

/// Measures and judges a clip whose body is known.
/// @param reference  may be null, as `figure`.
/// @throws BadCall if the figure or the reference does not fit the clip.
MeasuredClip MeasureBody(BodyClip clip, const BodyClip* reference,
                         const figure::FigureModel* figure,
                         const ClipOrigin& origin = {});

/// Measures and judges a clip of a human body. Errors as `MakeBodyClip`.
/// @throws BadCall if the figure or the reference does not fit the clip.
Result<MeasuredClip> Measure(const figure::Motion& motion,
                             const MeasureOptions& options = {});

}  // namespace limber::jobs
