// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/osim_model.h"

#include <algorithm>

namespace limber::mocap {

Transform OsimJoint::Moved(const VectorX& q) const {
  Transform X;
  for (const OsimAxis& axis : axes) {
    const double amount =
        axis.function.Value(axis.coordinate < 0 ? 0.0 : q[axis.coordinate]);
    if (axis.is_turn) {
      X.R = X.R * ExpRotation(amount * axis.axis);
    } else {
      X.p += amount * axis.axis;
    }
  }
  return X;
}

const OsimBody* OsimModel::FindBody(std::string_view body) const {
  const auto found = std::ranges::find(bodies, body, &OsimBody::name);
  return found == bodies.end() ? nullptr : &*found;
}

const OsimCoordinate* OsimModel::FindCoordinate(
    std::string_view coordinate) const {
  const auto found =
      std::ranges::find(coordinates, coordinate, &OsimCoordinate::name);
  return found == coordinates.end() ? nullptr : &*found;
}

OsimTasks OsimTasks::Equal(const OsimModel& model) {
  OsimTasks tasks;
  tasks.name = "equal";
  tasks.is_default = true;
  for (const OsimMarker& marker : model.markers) {
    tasks.markers.push_back({marker.name});
  }
  return tasks;
}

}  // namespace limber::mocap
