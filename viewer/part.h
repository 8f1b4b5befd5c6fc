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
inline const Colour kForce(0.95, 0.60, 0.05);
inline const Colour kReaction(0.20, 0.50, 0.85);
inline const Colour kRootHelp(0.60, 0.25, 0.75);
inline const Colour kSticking(0.05, 0.60, 0.30);
inline const Colour kSliding(0.90, 0.35, 0.10);
inline const Colour kTrail(0.35, 0.40, 0.55);
inline const Colour kMassCentre(0.95, 0.80, 0.10);
inline const Colour kEvent(0.76, 0.09, 0.36);  ///< What is done to a figure.
/// Motors: at rest, and at their bound.
inline const Colour kIdle(0.74, 0.76, 0.78);
inline const Colour kSaturated(0.85, 0.10, 0.12);
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
  bool on_top = false;  ///< Seen through bodies.
};

/// A sign for what acts at a place. Windows draw it with a few strokes, pages
/// as a solid.
struct Sign {
  enum class Kind {
    kArrow,   ///< `vector` long, from `point`.
    kTouch,   ///< Something touches at `point`.
    kTarget,  ///< Somebody reaches for `point`, or looks at it.
  };
  Kind kind = Kind::kArrow;
  Vector3 point = Vector3::Zero();
  /// As it is drawn [m]; of a place that touches, the force that it carries.
  Vector3 vector = Vector3::Zero();
  Colour colour = palette::kForce;
  /// A force, which readers may switch off; not what an event is seen by.
  bool is_force = true;
  int body = -1;   ///< What it acts on, and by what; -1 where that says
  int other = -1;  ///< nothing. Signs of one pair may be drawn as one.
};

/// A part that is not in its own colour just now.
struct PartColour {
  int part = 0;
  Colour colour = palette::kBody;
};

/// Where a part is put that is not to be seen.
inline const Transform kHidden{Quaternion::Identity(), Vector3(0, -1e3, 0)};
inline bool IsHidden(const Transform& X_WS) { return X_WS.p.y() < -900.0; }

/// Everything that is seen at one moment: one pose X_WS per part, and lines.
struct Picture {
  std::vector<Transform> poses;
  std::vector<PartColour> colours;
  std::vector<Line> lines;
  std::vector<Sign> signs;
  /// Text in the corner, one line each.
  std::vector<std::string> notes;

  void Clear() {
    poses.clear();
    colours.clear();
    lines.clear();
    signs.clear();
    notes.clear();
  }
};

}  // namespace limber::viewer
