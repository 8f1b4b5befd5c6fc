// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/first_actor.h"

#include "core/checkpoint.h"

#include <algorithm>
#include <cstdint>

namespace limber::mocap::internal {

std::optional<SimilarityFit> FindSize(std::span<const SetMarker> markers,
                                      const Observations& observed) {
  std::optional<SimilarityFit> best;
  for (std::int64_t frame = 0; frame < observed.num_frames(); ++frame) {
    Checkpoint();
    const std::optional<SimilarityFit> fit =
        FitRestPose(markers, observed.frame(frame));
    if (fit && (!best || fit->misfit < best->misfit)) best = fit;
  }
  return best;
}

Actor MakeFirstActor(std::span<const SetMarker> markers, double scale) {
  Actor actor;
  actor.scale = scale;
  for (int j = 0; j < kNumSegments; ++j) {
    actor.p_PJ[j] = scale * Body()[j].offset;
  }
  for (const SetMarker& marker : markers) {
    actor.markers.push_back(
        {marker.label, marker.segment, scale * marker.at, marker.weight, 0.0});
  }
  actor.moves = MovingSegments(actor.markers);
  return actor;
}

}  // namespace limber::mocap::internal
