// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/angle.h"
#include "core/math.h"

namespace limber::viewer {

/// A camera that looks at a point from a distance, angles as on a globe.
///
///     eye = target + distance (cos(height) sin(turn), sin(height),
///                              cos(height) cos(turn))
///
/// Turn 0 looks along -Z (at a figure that faces +Z: from the front), 90
/// degrees from +X.
struct Camera {
  Vector3 target = Vector3(0, 1, 0);
  double distance = 4.0;                 ///< [m], positive.
  double turn = Radians(35.0);           ///< [rad].
  double height = Radians(12.0);         ///< [rad], within +-89 degrees.
  double field_of_view = Radians(35.0);  ///< Vertical [rad].

  Vector3 Eye() const;
  /// Unit, from the eye into the picture.
  Vector3 Forward() const;
  /// Turns the camera about its target, by angles [rad].
  void Orbit(double by_turn, double by_height);
  /// Moves eye and target in the picture plane, by shares of its height.
  void Pan(double right, double up);
  /// Factor below 1 comes nearer.
  void Zoom(double factor);
  /// Steps back until a sphere about the target fills the picture's height.
  void Fit(double radius);
  /// The ray through a point of the picture, x and y from -1 to 1 (y up).
  Vector3 RayThrough(double x, double y, double width_by_height) const;
  /// The point of the picture where `p_W` is seen, as for `RayThrough`; nothing
  /// for what lies behind the eye.
  std::optional<Vector2> PlaceOf(const Vector3& p_W,
                                 double width_by_height) const;
};

}  // namespace limber::viewer
