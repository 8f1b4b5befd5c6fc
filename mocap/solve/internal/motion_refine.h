// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mocap/solve/internal/draft.h"
#include "mocap/solve/internal/motion_evidence.h"

namespace limber::mocap::internal {

/// How far a place that shape or motion found may be off, in the axes of a
/// roughly calibrated body [m].
inline constexpr double kMotionSpread = 0.04;

/// Where markers are expected that no label names: the rest of the set, and
/// the other side of what is named on one side only.
std::vector<SetMarker> ExpectedPlaces(std::span<const Draft> drafts,
                                      const RecognisedSet* recognised);

/// A body that was calibrated roughly from the known markers, and how the
/// tracks move against it.
struct RoughBody {
  Actor actor;
  MotionEvidence seen;
  double rms = 0.0;   ///< Of the known markers [m].
  double cost = 0.0;  ///< With priors, per sample.
};
/// Nothing if the known markers make no body.
std::optional<RoughBody> MakeRoughBody(std::span<const Draft> drafts,
                                       const Observations& tracks,
                                       double rate_hz);

/// Compares all tracks with the segments of rough bodies until nothing changes:
/// nameless ones go to `expected` places or to the segment they move with,
/// names that the motion contradicts are overruled. The last body that could be
/// made; it is that of the drafts as they are now if they settled in time.
struct RefinedBody {
  std::optional<RoughBody> body;
  bool has_settled = false;
};
RefinedBody RefineByMotion(std::vector<Draft>& drafts,
                           const std::vector<SetMarker>& expected,
                           const Observations& tracks, double rate_hz);

/// Gives the tracks the places of one of `sets` if most of them are at these on
/// the body that was found; the others become unknown. Whether there is such a
/// set; it is put into `snapped_to`.
bool SnapToSet(std::span<const MarkerSet> sets, const RoughBody& body,
               std::vector<Draft>& drafts, const MarkerSet*& snapped_to);

}  // namespace limber::mocap::internal
