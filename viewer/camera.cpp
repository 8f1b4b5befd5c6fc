// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/camera.h"

#include <algorithm>
#include <cmath>

#include "core/angle.h"

namespace limber::viewer {

Vector3 Camera::Eye() const { return target - distance * Forward(); }

Vector3 Camera::Forward() const {
  return -Vector3(std::cos(height) * std::sin(turn), std::sin(height),
                  std::cos(height) * std::cos(turn));
}

void Camera::Orbit(double by_turn, double by_height) {
  constexpr double kSteepest = Radians(89.0);
  turn += by_turn;
  height = std::clamp(height + by_height, -kSteepest, kSteepest);
}

void Camera::Pan(double right, double up) {
  const double picture_height = 2.0 * distance * std::tan(0.5 * field_of_view);
  const Vector3 forward = Forward();
  const Vector3 to_right = forward.cross(Vector3::UnitY()).normalized();
  const Vector3 to_top = to_right.cross(forward);
  target += picture_height * (right * to_right + up * to_top);
}

void Camera::Zoom(double factor) {
  distance = std::clamp(distance * factor, 0.05, 500.0);
}

void Camera::Fit(double radius) {
  distance =
      std::clamp(1.05 * radius / std::sin(0.5 * field_of_view), 0.05, 500.0);
}

Vector3 Camera::RayThrough(double x, double y, double width_by_height) const {
  const double half = std::tan(0.5 * field_of_view);
  const Vector3 forward = Forward();
  const Vector3 to_right = forward.cross(Vector3::UnitY()).normalized();
  const Vector3 to_top = to_right.cross(forward);
  return (forward + half * (y * to_top + x * width_by_height * to_right))
      .normalized();
}

std::optional<Vector2> Camera::PlaceOf(const Vector3& p_W,
                                       double width_by_height) const {
  const double half = std::tan(0.5 * field_of_view);
  const Vector3 forward = Forward();
  const Vector3 to_right = forward.cross(Vector3::UnitY()).normalized();
  const Vector3 to_top = to_right.cross(forward);
  const Vector3 from_eye = p_W - Eye();
  const double depth = from_eye.dot(forward);
  if (!(depth > 0.0)) return std::nullopt;
  return Vector2(from_eye.dot(to_right) / (depth * half * width_by_height),
                 from_eye.dot(to_top) / (depth * half));
}

}  // namespace limber::viewer
