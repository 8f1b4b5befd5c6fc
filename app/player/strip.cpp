// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/player/strip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "app/reports/describe.h"
#include "app/reports/plot.h"

namespace limber::app {

namespace {

using viewer::Part;
using viewer::PartShape;

constexpr std::size_t kNumPoses = 8;
constexpr double kCell = 110.0;    // Width of a pose [px].
constexpr double kHeight = 150.0;  // Of a row [px].

/// The picture's axes in the world: right, up, towards the eye. The eye is to
/// the front left of who comes towards it, a little above.
Matrix3 ViewAlong(const Vector3& forward) {
  const Vector3 left = Vector3::UnitY().cross(forward);
  const Vector3 eye =
      (0.78 * forward + 0.62 * left + 0.3 * Vector3::UnitY()).normalized();
  const Vector3 right = Vector3::UnitY().cross(eye).normalized();
  Matrix3 view;
  view << right.transpose(), eye.cross(right).transpose(), eye.transpose();
  return view;
}

std::string Colour(const Part& part) {
  char text[64];
  const auto byte = [&](int i) {
    return static_cast<int>(std::lround(255.0 * part.colour[i]));
  };
  std::snprintf(text, sizeof text, "rgb(%d %d %d / %.2g)", byte(0), byte(1),
                byte(2), part.opacity);
  return text;
}

/// A pose drawn into the cell whose middle is `origin` [px].
class PoseDrawing {
 public:
  PoseDrawing(const Matrix3& view, double scale, const Vector2& origin)
      : view_(view), scale_(scale), origin_(origin) {}

  std::string Draw(const ShowSamples& samples, std::size_t frame) {
    const bool has_bodies =
        std::ranges::count(samples.layers, PartLayer::kBody) > 0;
    centre_ = samples.centre[frame];
    std::vector<std::pair<double, std::string>> pieces;
    for (std::size_t i = 0; i < samples.parts.size(); ++i) {
      const bool is_other = has_bodies && samples.layers[i] == PartLayer::kBone;
      if (is_other || !samples.is_seen(frame, i)) continue;
      const Transform& X_WS = samples.pose(frame, i);
      pieces.emplace_back((view_ * (X_WS.p - centre_)).z(),
                          Piece(samples.parts[i], X_WS));
    }
    // What is near is drawn over what is far.
    std::ranges::stable_sort(pieces, {},
                             &std::pair<double, std::string>::first);
    std::string svg;
    for (const auto& [depth, piece] : pieces) svg += piece;
    return svg;
  }

 private:
  std::string At(const Vector3& p_W) const {
    const Vector3 p = scale_ * (view_ * (p_W - centre_));
    return Rounded(origin_.x() + p.x(), 1) + " " +
           Rounded(origin_.y() - p.y(), 1);
  }

  std::string Piece(const Part& part, const Transform& X_WS) const {
    const PartShape& shape = part.shape;
    if (shape.kind == PartShape::Kind::kBox) return Box(part, X_WS);
    // A ball is a line of no length with round ends.
    Vector3 half = Vector3::Zero();
    double radius = shape.radius;
    if (shape.kind == PartShape::Kind::kEllipsoid) {
      int longest = 0;
      shape.size.maxCoeff(&longest);
      radius = 0.25 * (shape.size.sum() - shape.size[longest]);
      half[longest] = std::max(0.0, 0.5 * shape.size[longest] - radius);
    } else if (shape.kind != PartShape::Kind::kSphere) {
      half.y() = 0.5 * shape.length;
    }
    const bool flat = shape.kind == PartShape::Kind::kCylinder;
    return "<path d=\"M" + At(X_WS * Vector3(-half)) + "L" + At(X_WS * half) +
           "\" stroke=\"" + Colour(part) + "\" stroke-width=\"" +
           Rounded(std::max(1.0, 2.0 * scale_ * radius), 1) +
           "\" stroke-linecap=\"" + (flat ? "butt" : "round") + "\"/>";
  }

  /// The three sides of a box that are seen.
  std::string Box(const Part& part, const Transform& X_WS) const {
    std::string path;
    for (int axis = 0; axis < 3; ++axis) {
      const Vector3 normal = view_ * (X_WS.R * Vector3::Unit(axis));
      Vector3 corner = Vector3::Zero();
      corner[axis] = normal.z() > 0.0 ? 0.5 : -0.5;
      constexpr std::array<std::array<double, 2>, 4> kRound = {
          {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}};
      for (std::size_t i = 0; i < kRound.size(); ++i) {
        corner[(axis + 1) % 3] = kRound[i][0];
        corner[(axis + 2) % 3] = kRound[i][1];
        path += (i == 0 ? "M" : "L") +
                At(X_WS * Vector3(corner.cwiseProduct(part.shape.size)));
      }
      path += "Z";
    }
    return "<path d=\"" + path + "\" fill=\"" + Colour(part) +
           "\" stroke=\"var(--line)\" stroke-width=\"0.5\"/>";
  }

  Matrix3 view_;
  double scale_;
  Vector2 origin_;
  Vector3 centre_ = Vector3::Zero();
};

}  // namespace

std::string StripSvg(const PlayerRecording& recording) {
  const Matrix3 view = ViewAlong(ForwardOf(recording.actors.front().samples));
  double radius = 0.1;
  for (const PlayerActor& actor : recording.actors) {
    radius = std::max(radius, actor.samples.radius);
  }
  // Bodies are taller than wide; what leaves its cell is still seen.
  const double scale = 0.5 * kHeight / radius;
  const auto rows = static_cast<double>(recording.actors.size());
  std::string svg = "<svg viewBox=\"0 0 " + Rounded(kNumPoses * kCell, 0) +
                    " " + Rounded(rows * kHeight, 0) +
                    "\" role=\"img\" fill=\"none\"><title>" +
                    EscapeForPage(recording.title) + "</title>";
  for (std::size_t row = 0; row < recording.actors.size(); ++row) {
    const PlayerActor& actor = recording.actors[row];
    const double top = kHeight * static_cast<double>(row);
    for (std::size_t i = 0; i < kNumPoses; ++i) {
      PoseDrawing drawing(
          view, scale,
          Vector2((static_cast<double>(i) + 0.5) * kCell, top + 0.5 * kHeight));
      svg +=
          drawing.Draw(actor.samples, (2 * i + 1) * actor.samples.num_frames /
                                          (2 * kNumPoses));
    }
    if (recording.actors.size() > 1) {
      svg += "<text x=\"4\" y=\"" + Rounded(top + 13.0, 0) + "\">" +
             EscapeForPage(actor.name) + "</text>";
    }
  }
  return svg + "</svg>";
}

}  // namespace limber::app
