// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/math.h"

namespace limber::viewer {

/// Red, green, blue in [0, 1], as the screen shows them.
using Colour = Vector3;

/// Colours that mean the same thing in every picture.
namespace palette {
inline const Colour kBody(0.82, 0.72, 0.60);
inline const Colour kLeft(0.42, 0.62, 0.80);  ///< The figure's own left.
inline const Colour kRight(0.85, 0.52, 0.40);
inline const Colour kGhost(0.45, 0.55, 0.95);  ///< The clip beside physics.
inline const Colour kMarker(0.10, 0.55, 0.35);
inline const Colour kCaptured(0.90, 0.30, 0.25);
inline const Colour kForce(0.95, 0.75, 0.15);
}  // namespace palette

/// A solid that is drawn. In its own frame S; the axis of revolution is Y.
struct PartShape {
  enum class Kind { kSphere, kBox, kCapsule, kCylinder, kEllipsoid };
  Kind kind = Kind::kSphere;
  double radius = 0.0;             ///< Sphere, capsule, cylinder [m].
  double length = 0.0;             ///< Capsule (without caps), cylinder [m].
  Vector3 size = Vector3::Zero();  ///< Box, ellipsoid: whole extents [m].
};

struct Part {
  PartShape shape;
  Colour colour = palette::kBody;
  double opacity = 1.0;
  std::string name;  ///< What a click on it reports; parts may share one.
  int body = -1;     ///< Which moving thing it belongs to; -1 none.
};

/// A straight line in the world: bones, error lines, trails, arrows.
struct Line {
  Vector3 begin = Vector3::Zero();
  Vector3 end = Vector3::Zero();
  Colour colour = palette::kCaptured;
};

/// Everything that is seen at one moment: one pose X_WS per part, and lines.
struct Picture {
  std::vector<Transform> poses;
  std::vector<Line> lines;
  /// Text in the corner, one line each.
  std::vector<std::string> notes;
};

}  // namespace limber::viewer
