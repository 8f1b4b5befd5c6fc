// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "mocap/marker_take.h"

namespace limber::test {

inline constexpr std::array kAxes = {
    mocap::SignedAxis::kPlusX, mocap::SignedAxis::kMinusX,
    mocap::SignedAxis::kPlusY, mocap::SignedAxis::kMinusY,
    mocap::SignedAxis::kPlusZ, mocap::SignedAxis::kMinusZ};

inline mocap::AxisConvention WithUp(mocap::SignedAxis up) {
  const bool is_x =
      up == mocap::SignedAxis::kPlusX || up == mocap::SignedAxis::kMinusX;
  return {is_x ? mocap::SignedAxis::kPlusY : mocap::SignedAxis::kPlusX, up};
}

/// `take` as a reader gives it whose file has `is` up and counts in units of
/// `is_unit` metres, if the file, or nobody, says `said` and `said_unit`.
inline mocap::MarkerTake AsRead(const mocap::MarkerTake& take,
                                mocap::SignedAxis is, double is_unit,
                                mocap::SignedAxis said, double said_unit,
                                mocap::Decision decision) {
  mocap::MarkerTake read = take;
  for (std::int64_t t = 0; t < take.num_frames(); ++t) {
    for (int m = 0; m < take.num_markers(); ++m) {
      if (!take.IsVisible(t, m)) continue;
      if (take.kind(m) != mocap::PointKind::kMarker) continue;
      const Vector3 in_file =
          WithUp(is).FromInside(take.Position(t, m)) / is_unit;
      read.SetPosition(t, m, WithUp(said).ToInside(in_file) * said_unit);
    }
  }
  read.origin.axes = WithUp(said);
  read.origin.metres_per_unit = said_unit;
  read.origin.axes_decision = decision;
  read.origin.unit_decision = decision;
  return read;
}

}  // namespace limber::test
