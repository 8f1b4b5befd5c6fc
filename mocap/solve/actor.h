// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/math.h"
#include "mocap/solve/body.h"

namespace limber::mocap {

/// A marker M on a segment J of one person.
struct ActorMarker {
  std::string label;               ///< As in the marker set.
  int segment = 0;                 ///< The segment J it is on.
  Vector3 p_JM = Vector3::Zero();  ///< [m]
  double weight = 1.0;             ///< Trust relative to other markers.
  double scatter = 0.0;  ///< Usual distance from its place in calibration [m].
};

/// One person as the solver sees them: bone lengths and where the markers sit.
struct Actor {
  std::string name;
  std::string marker_set;
  BodyOffsets p_PJ;  ///< Joint offsets in the rest pose [m].
  std::vector<ActorMarker> markers;
  /// Whether the markers can tell how the segment is turned; the others are
  /// posed by `PoseUnseen`.
  std::array<bool, kNumSegments> moves{};
  double scale = 1.0;   ///< Size relative to the reference body.
  double height = 0.0;  ///< Estimated standing height [m].
  double mass = 0.0;    ///< Guessed from the height, for physics [kg].
};

/// Marks the segments that markers can turn: those with markers and those
/// between them and the pelvis.
std::array<bool, kNumSegments> MovingSegments(
    std::span<const ActorMarker> markers);

/// Standing height from bone lengths and body mass at a body-mass index
/// of 22.5.
double EstimateHeight(const BodyOffsets& p_PJ, double scale);
double EstimateMass(double height);

/// The actor with only these markers, in this order.
/// @throws std::invalid_argument naming a label the actor does not have.
Actor WithMarkers(const Actor& actor, std::span<const std::string> labels);

/// What was seen of an actor's markers: frame-major, NaN where nothing was.
struct Observations {
  int num_markers = 0;
  std::vector<Vector3> points;

  std::int64_t num_frames() const {
    return num_markers == 0
               ? 0
               : static_cast<std::int64_t>(points.size()) / num_markers;
  }
  std::span<const Vector3> frame(std::int64_t index) const {
    return {points.data() + index * num_markers, std::size_t(num_markers)};
  }
  std::span<Vector3> frame(std::int64_t index) {
    return {points.data() + index * num_markers, std::size_t(num_markers)};
  }
};

inline bool IsSeen(const Vector3& point) { return point.x() == point.x(); }
inline Vector3 Unseen() {
  return Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace limber::mocap
