// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "figure/pose_metrics.h"
#include "tests/figure/dynamic/random_events.h"

namespace limber::figure {

/// How far the result of an edit leaves limits [deg] and floor [mm], beyond
/// what the clip itself does, measured on the motion alone.
struct Excess {
  double limits_deg = 0.0;
  double floor_mm = 0.0;
};

inline Excess Measure(const EditedClip& clip, const EditResult& result) {
  Excess excess;
  Pose of_clip;
  Pose of_result;
  for (std::int64_t f = 0; f < result.motion.num_frames(); ++f) {
    clip.clip.GetPose(f, of_clip);
    result.motion.GetPose(f, of_result);
    for (const FigureSegment& segment : clip.model->segments) {
      if (segment.parent < 0) continue;
      const auto joint = std::size_t(segment.joint);
      excess.limits_deg =
          std::max(excess.limits_deg,
                   (LimitViolation(segment.anchor, of_result.X_PJ[joint].R) -
                    LimitViolation(segment.anchor, of_clip.X_PJ[joint].R)) /
                       kDegree);
    }
  }
  excess.floor_mm = 1e3 * result.penetration;
  return excess;
}

/// Random edits of a clip: the worst of them, each checked.
inline Excess WorstOf(const EditedClip& clip, unsigned first_seed, int edits) {
  Excess worst;
  for (int i = 0; i < edits; ++i) {
    const unsigned seed = first_seed + unsigned(i);
    std::vector<EditEvent> events = RandomEvents(clip, seed, 0.3).Make();
    try {
      const EditResult result = clip.Edit(events);
      const Excess excess = Measure(clip, result);
      EXPECT_LE(excess.limits_deg, 1.0) << "seed " << seed;
      EXPECT_LE(excess.floor_mm, 5.0) << "seed " << seed;
      worst.limits_deg = std::max(worst.limits_deg, excess.limits_deg);
      worst.floor_mm = std::max(worst.floor_mm, excess.floor_mm);
      for (std::int64_t f = 0; f < result.motion.num_frames(); ++f) {
        for (const double value : result.motion.row(f)) {
          EXPECT_TRUE(std::isfinite(value)) << "seed " << seed;
        }
      }
    } catch (const std::runtime_error&) {
      // Too strong an event is told in words.
    }
  }
  return worst;
}

}  // namespace limber::figure
