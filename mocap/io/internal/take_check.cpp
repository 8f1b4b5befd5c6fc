// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/take_check.h"

#include <string>

#include "mocap/io/internal/text.h"
#include "mocap/io/internal/token_reader.h"

namespace limber::mocap::internal {

void CheckPlaces(const MarkerTake& take, double metres,
                 Diagnostics& diagnostics) {
  for (std::int64_t frame = 0; frame < take.num_frames(); ++frame) {
    for (int marker = 0; marker < take.num_markers(); ++marker) {
      const double unit =
          take.kind(marker) == PointKind::kMarker ? metres : 1.0;
      if (!take.IsVisible(frame, marker) ||
          IsWritable(Vector3(take.Position(frame, marker) / unit))) {
        continue;
      }
      diagnostics.Error(
          "too-large", {},
          "frame " + std::to_string(take.first_frame + frame) + ", marker \"" +
              Excerpt(take.labels()[static_cast<std::size_t>(marker)]) +
              "\": a coordinate is beyond what files hold: at most 1000000000 "
              "of the file's unit");
      return;
    }
  }
}

}  // namespace limber::mocap::internal
