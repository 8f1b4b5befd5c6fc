// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "viewer/part.h"

namespace limber::viewer::internal {

/// An arrow of `vector` that begins at `point`: a shaft and four strokes of a
/// head. Nothing for an arrow shorter than a millimetre.
void AddArrow(const Vector3& point, const Vector3& vector, const Colour& colour,
              std::vector<Line>& lines);
/// Strokes per arrow.
inline constexpr int kArrowLines = 5;

/// Three short strokes through a point.
void AddCross(const Vector3& point, double half, const Colour& colour,
              std::vector<Line>& lines);

/// A sign as strokes.
void AddSign(const Sign& sign, std::vector<Line>& lines);

/// A line through the points.
void AddPath(const std::vector<Vector3>& points, const Colour& colour,
             std::vector<Line>& lines);

}  // namespace limber::viewer::internal
