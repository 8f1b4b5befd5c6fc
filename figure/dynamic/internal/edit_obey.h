// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "figure/dynamic/articulated_figure.h"

namespace limber::figure::internal {

/// One frame of an edit, by segments.
struct EditMoment {
  SegmentPose clip;
  SegmentPose result;  ///< What the events made of it (`EditReturn`).
  SegmentPose bodies;  ///< Of the playing with the events.
  Transform X_WF;      ///< The floor: it is the plane y = 0 of F.
  /// The result is the clip, bit for bit, and stays it.
  bool at_clip = true;
};

/// The least curve that lies on or above `need`, smoothed over `half` frames to
/// both sides; values that are not needed there stay 0 where `is_fixed`, and
/// the curve leaves that 0 and comes back to it within `half` frames.
/// @param need  zero or positive, as many as `is_fixed`.
std::vector<double> EvenCover(const std::vector<double>& need,
                              const std::vector<bool>& is_fixed,
                              std::int64_t half);

/// The least share in [from, 1] that is good, almost exactly, where what is
/// good is at least a 24th of the way wide; 1 counts as good. Asks at most 37
/// times.
double LeastGood(double from, const std::function<bool(double)>& is_good);

/// Turns the joints of the results back to within the limits of their figure.
/// The difference of two playings on top of a clip, and the way over to the
/// bodies in a fall, may pass what neither the clip nor the bodies pass. With v
/// how far a rotation is beyond a limit, R the result and T the bodies'
/// rotation (the clip's where even that is beyond), the joint becomes
///
///     slerp(R, T, u)      the least u with v <= v(clip), covered evenly in
///     time
void ObeyLimits(const ArticulatedFigure& figure, double rate_hz,
                std::vector<EditMoment>& moments);

/// Raises the results so that no frame is deeper in its floor than allowed.
/// @param heights  of the lowest point over the floor, per moment [m].
/// @param allowed  how deep the clip itself is there, zero or positive [m].
void StayAbove(const ArticulatedFigure& figure, double rate_hz,
               const std::vector<double>& heights,
               const std::vector<double>& allowed,
               std::vector<EditMoment>& moments);

}  // namespace limber::figure::internal
