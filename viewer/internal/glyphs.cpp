// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/internal/glyphs.h"

#include <algorithm>

namespace limber::viewer::internal {

void AddArrow(const Vector3& point, const Vector3& vector, const Colour& colour,
              std::vector<Line>& lines) {
  const double length = vector.norm();
  if (!(length > 1e-3)) return;
  const Vector3 along = vector / length;
  const Vector3 side = along.unitOrthogonal();
  const Vector3 other = along.cross(side);
  const Vector3 tip = point + vector;
  const double head = std::min(0.06, 0.35 * length);
  lines.push_back({point, tip, colour, true});
  for (const Vector3& out : {side, Vector3(-side), other, Vector3(-other)}) {
    lines.push_back(
        {tip, tip - head * along + 0.45 * head * out, colour, true});
  }
}

void AddCross(const Vector3& point, double half, const Colour& colour,
              std::vector<Line>& lines) {
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3 stroke = half * Vector3::Unit(axis);
    lines.push_back({point - stroke, point + stroke, colour, true});
  }
}

void AddSign(const Sign& sign, std::vector<Line>& lines) {
  constexpr double kTouch = 0.025;  // [m]
  constexpr double kTarget = 0.05;  // [m]
  switch (sign.kind) {
    case Sign::Kind::kArrow:
      return AddArrow(sign.point, sign.vector, sign.colour, lines);
    case Sign::Kind::kTouch:
      return AddCross(sign.point, kTouch, sign.colour, lines);
    case Sign::Kind::kTarget:
      return AddCross(sign.point, kTarget, sign.colour, lines);
  }
}

void AddPath(const std::vector<Vector3>& points, const Colour& colour,
             std::vector<Line>& lines) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    lines.push_back({points[i - 1], points[i], colour, false});
  }
}

}  // namespace limber::viewer::internal
