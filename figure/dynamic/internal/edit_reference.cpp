// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/internal/edit_reference.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/clip_time.h"
#include "figure/dynamic/colliders.h"
#include "figure/dynamic/strength.h"
#include "figure/low_pass.h"

namespace limber::figure::internal {

namespace {

// Above it a recording has noise and impacts, but no movement [Hz].
constexpr double kMovement = 12.0;
// A foot so far over the floor may be meant to stand on it [m].
constexpr double kNear = 0.05;
// Time over which lifts are evened out, to both sides [s].
constexpr double kEven = 0.06;

// Two passes of a moving mean over 2 half + 1 frames, shorter at the ends.
void EvenOut(std::vector<double>& values, std::ptrdiff_t half) {
  const auto count = static_cast<std::ptrdiff_t>(values.size());
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<double> sums(values.size() + 1, 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
      sums[i + 1] = sums[i] + values[i];
    }
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const std::ptrdiff_t reach = std::min({half, i, count - 1 - i});
      values[std::size_t(i)] =
          (sums[std::size_t(i + reach + 1)] - sums[std::size_t(i - reach)]) /
          static_cast<double>(2 * reach + 1);
    }
  }
}

}  // namespace

Motion PlayableClip(const Motion& clip, const FigureModel& model,
                    double floor) {
  Motion playable = LowPass(clip, kMovement);
  std::vector<double> lift = LowestPoints(model, playable);
  if (lift.empty() || !std::isfinite(lift.front())) return playable;
  for (double& y : lift) {
    const double d = y - floor;
    y = -d * (1.0 - SmoothStep((d - kNear) / kNear));
  }
  EvenOut(lift, FramesIn(kEven, clip.rate_hz()));
  Pose pose;
  for (std::int64_t f = 0; f < playable.num_frames(); ++f) {
    playable.GetPose(f, pose);
    for (const FigureSegment& segment : model.segments) {
      if (segment.parent >= 0) continue;
      pose.X_PJ[std::size_t(segment.joint)].p.y() += lift[std::size_t(f)];
    }
    playable.SetPose(f, pose);
  }
  return playable;
}

}  // namespace limber::figure::internal
