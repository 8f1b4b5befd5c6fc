// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/math.h"

namespace limber::mocap {

/// A body of an OpenSim model and where it is while every coordinate is 0, in
/// OpenSim's axes: X forward, Y up, Z to the right.
struct OsimBody {
  std::string name;
  int parent = -1;  ///< Index of the body its joint hangs on; -1 the ground.
  Transform X_GB;   ///< In the ground [m].
};

/// A marker of the model's marker set.
struct OsimMarker {
  std::string name;
  std::string body;
  Vector3 p_BM = Vector3::Zero();  ///< [m]
};

/// A coordinate with the range that the model gives it.
struct OsimCoordinate {
  std::string name;
  double lower = 0.0;  ///< [rad] or [m].
  double upper = 0.0;
};

/// What Limber needs of an OpenSim model, or of a marker set stored alone
/// (which has no bodies).
struct OsimModel {
  std::string name;
  std::vector<OsimBody> bodies;  ///< Parents before children.
  std::vector<OsimMarker> markers;
  std::vector<OsimCoordinate> coordinates;

  const OsimBody* FindBody(std::string_view body) const;
  const OsimCoordinate* FindCoordinate(std::string_view coordinate) const;
};

}  // namespace limber::mocap
