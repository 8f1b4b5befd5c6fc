// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/hold_out.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace limber::mocap {

HeldOut MeasureHeldOut(const PreparedTake& take, const Actor& actor,
                       double share, const SolveOptions& options) {
  if (!(share > 0) || share > 0.5) {
    throw std::invalid_argument("share must be in (0, 0.5], is " +
                                std::to_string(share));
  }
  HeldOut held_out;
  const int count = static_cast<int>(actor.markers.size());
  held_out.num_rounds = std::max(2, static_cast<int>(std::round(1 / share)));
  held_out.per_marker.resize(actor.markers.size());
  // Dealt out by segment, so that neighbours are not left out together.
  std::vector<int> order(actor.markers.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, {}, [&actor](int m) { return actor.markers[m].segment; });
  constexpr std::int64_t kMostFrames = 3000;
  const std::int64_t frames = std::min(kMostFrames, take.observed.num_frames());
  PreparedTake part;
  part.rate_hz = take.rate_hz;
  part.markers = take.markers;
  part.columns = take.columns;
  part.observed.num_markers = count;
  for (int round = 0; round < held_out.num_rounds; ++round) {
    part.observed.points.assign(take.observed.points.begin(),
                                take.observed.points.begin() + frames * count);
    Observations hidden;
    hidden.num_markers = count;
    hidden.points.assign(part.observed.points.size(), Unseen());
    for (int k = round; k < count; k += held_out.num_rounds) {
      const int m = order[k];
      for (std::int64_t t = 0; t < frames; ++t) {
        hidden.frame(t)[m] = part.observed.frame(t)[m];
        part.observed.frame(t)[m] = Unseen();
      }
    }
    const TakeSolution solution = SolveTake(part, nullptr, actor, options);
    const FitQuality quality = MeasureFit(actor, solution.poses, hidden);
    for (int m = 0; m < count; ++m) {
      if (quality.per_marker[m].count > 0) {
        held_out.per_marker[m] = quality.per_marker[m];
      }
    }
  }
  double sum = 0.0;
  for (const MarkerError& error : held_out.per_marker) {
    sum += error.rms * error.rms * double(error.count);
    held_out.all.count += error.count;
    held_out.all.max = std::max(held_out.all.max, error.max);
  }
  if (held_out.all.count > 0) {
    held_out.all.rms = std::sqrt(sum / double(held_out.all.count));
  }
  return held_out;
}

}  // namespace limber::mocap
