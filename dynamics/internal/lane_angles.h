// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/internal/lanes.h"

namespace limber::dynamics::internal {

/// The angles of the points (x, y) to the x axis, in [-pi, pi], as std::atan2
/// up to 5e-16; 0 for (0, 0). Neither may be infinite. Four cost less than one
/// of the library's.
///
/// In the octant between the nearer axis and the diagonal the point is turned
/// back by the nearest b of 0, pi / 8 and pi / 4,
///
///     tan(a - b) = (lo - hi tan b) / (hi + lo tan b) ,   |a - b| <= pi / 16 ,
///
/// where the series of the arc tangent needs eleven terms.
inline Lane ArcTangent(const Lane& y, const Lane& x) {
  constexpr double kEighthPi = 0.39269908169872415481;
  constexpr double kTangent1 = 0.19891236737965800691;  // Of pi / 16,
  constexpr double kTangent2 = 0.41421356237309504880;  // of pi / 8,
  constexpr double kTangent3 = 0.66817863791929891999;  // of 3 pi / 16.
  const Lane zero{};
  const Lane along = Size(x);
  const Lane across = Size(y);
  const LaneMask steep = across > along;
  const Lane hi = steep ? across : along;
  const Lane lo = steep ? along : across;
  const LaneMask beyond_first = lo > kTangent1 * hi;
  const LaneMask beyond_second = lo > kTangent3 * hi;
  Lane tangent = beyond_first ? AllLanes(kTangent2) : zero;
  tangent = beyond_second ? AllLanes(1.0) : tangent;
  Lane b = beyond_first ? AllLanes(kEighthPi) : zero;
  b = beyond_second ? AllLanes(2.0 * kEighthPi) : b;
  const Lane below = hi + lo * tangent;
  const Lane t = (lo - hi * tangent) / (below > zero ? below : AllLanes(1.0));
  const Lane z = t * t;
  Lane series = AllLanes(1.0 / 21.0);
  series = AllLanes(1.0 / 19.0) - z * series;
  series = AllLanes(1.0 / 17.0) - z * series;
  series = AllLanes(1.0 / 15.0) - z * series;
  series = AllLanes(1.0 / 13.0) - z * series;
  series = AllLanes(1.0 / 11.0) - z * series;
  series = AllLanes(1.0 / 9.0) - z * series;
  series = AllLanes(1.0 / 7.0) - z * series;
  series = AllLanes(1.0 / 5.0) - z * series;
  series = AllLanes(1.0 / 3.0) - z * series;
  Lane a = b + (t - t * z * series);
  a = steep ? AllLanes(4.0 * kEighthPi) - a : a;
  a = x < zero ? AllLanes(8.0 * kEighthPi) - a : a;
  return y < zero ? -a : a;
}

}  // namespace limber::dynamics::internal
