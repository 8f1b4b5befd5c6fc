// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/actor.h"

#include <algorithm>
#include <stdexcept>

namespace limber::mocap {

std::array<bool, kNumSegments> MovingSegments(
    std::span<const ActorMarker> markers) {
  std::array<bool, kNumSegments> moves{};
  for (const ActorMarker& marker : markers) moves[marker.segment] = true;
  for (int j = kNumSegments - 1; j > 0; --j) {
    if (moves[j]) moves[Body()[j].parent] = true;
  }
  return moves;
}

Actor WithMarkers(const Actor& actor, std::span<const std::string> labels) {
  Actor chosen = actor;
  chosen.markers.clear();
  for (const std::string& label : labels) {
    const auto found =
        std::ranges::find(actor.markers, label, &ActorMarker::label);
    if (found == actor.markers.end()) {
      throw std::invalid_argument("the actor has no marker \"" + label + "\"");
    }
    chosen.markers.push_back(*found);
  }
  chosen.moves = MovingSegments(chosen.markers);
  return chosen;
}

double EstimateHeight(const BodyOffsets& p_PJ, double scale) {
  // Sole to ankle and head joint to crown are not between joints; they are
  // those of the reference body.
  constexpr double kSole = 0.075;
  double height = (kSole + Body()[kHead].end.y()) * scale;
  for (const Segment j : {kSpine, kChest, kNeck, kHead}) height += p_PJ[j].y();
  height -= 0.5 * (p_PJ[kLeftLowerLeg].y() + p_PJ[kRightLowerLeg].y() +
                   p_PJ[kLeftFoot].y() + p_PJ[kRightFoot].y());
  return height;
}

double EstimateMass(double height) {
  constexpr double kBodyMassIndex = 22.5;  // [kg/m^2]
  return kBodyMassIndex * height * height;
}

}  // namespace limber::mocap
