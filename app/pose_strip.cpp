// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/pose_strip.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "app/describe.h"

namespace limber::app {

namespace {

constexpr int kNumPoses = 8;
constexpr double kCell = 110.0;    // Width of a pose [px].
constexpr double kHeight = 150.0;  // Of a row [px].
constexpr double kMargin = 14.0;   // [px]

/// A bone as a line of the picture [m].
struct Line {
  Vector2 a, b;
};

/// Seen from the front left: right of the picture is the body's left, turned.
Matrix3 ViewOf(const BodyClip& clip) {
  const auto X_WJ =
      figure::WorldTransforms(clip.motion.skeleton(), clip.motion.pose(0));
  Vector3 left =
      X_WJ[clip.plan.legs[0].thigh].p - X_WJ[clip.plan.legs[1].thigh].p;
  left.y() = 0.0;
  if (left.norm() < 1e-6) left = Vector3::UnitX();
  left.normalize();
  const Vector3 forward = left.cross(Vector3::UnitY());
  const Vector3 right = (left - 0.8 * forward).normalized();
  Matrix3 view;
  view << right.transpose(), Vector3::UnitY().transpose(),
      right.cross(Vector3::UnitY()).transpose();
  return view;
}

/// The bones of one pose about the place below the pelvis.
std::vector<Line> Bones(const BodyClip& clip, std::int64_t frame,
                        const Matrix3& view) {
  const figure::Skeleton& skeleton = clip.motion.skeleton();
  const auto X_WJ = figure::WorldTransforms(skeleton, clip.motion.pose(frame));
  Vector3 centre = X_WJ[clip.plan.pelvis].p;
  centre.y() = 0.0;
  const auto seen = [&](const Vector3& p) -> Vector2 {
    return (view * (p - centre)).head<2>();
  };
  std::vector<Line> lines;
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    const int parent = skeleton.joint(joint).parent;
    // What is above the pelvis is no bone.
    if (parent < 0 || !figure::IsAbove(skeleton, clip.plan.pelvis, parent)) {
      continue;
    }
    lines.push_back({seen(X_WJ[parent].p), seen(X_WJ[joint].p)});
  }
  for (const figure::Site& site : skeleton.sites()) {
    lines.push_back(
        {seen(X_WJ[site.joint].p), seen(X_WJ[site.joint] * site.offset)});
  }
  return lines;
}

/// One row of poses; returns its SVG.
std::string Row(const BodyClip& clip, const Matrix3& view, double top,
                const std::string& title, const char* style) {
  std::vector<std::vector<Line>> poses;
  Vector2 least(1e9, 1e9);
  Vector2 most(-1e9, -1e9);
  for (int i = 0; i < kNumPoses; ++i) {
    const std::int64_t frame =
        (2 * i + 1) * clip.motion.num_frames() / (2 * kNumPoses);
    poses.push_back(Bones(clip, frame, view));
    for (const Line& line : poses.back()) {
      least = least.cwiseMin(line.a).cwiseMin(line.b);
      most = most.cwiseMax(line.a).cwiseMax(line.b);
    }
  }
  const double tall = std::max(most.y() - least.y(), 1e-6);
  const double wide = 2.0 * std::max({most.x(), -least.x(), 1e-6});
  const double scale =
      std::min((kHeight - 2.0 * kMargin) / tall, (kCell - 8.0) / wide);
  std::string svg = "<text class=\"label\" x=\"4\" y=\"" +
                    Rounded(top + 11.0, 1) + "\">" + EscapeForPage(title) +
                    "</text>";
  const double bottom = top + kHeight - kMargin;
  for (int i = 0; i < kNumPoses; ++i) {
    const double middle = (i + 0.5) * kCell;
    std::string path;
    const auto add = [&](char command, const Vector2& p) {
      path += command + Rounded(middle + scale * p.x(), 1) + " " +
              Rounded(bottom - scale * (p.y() - least.y()), 1);
    };
    for (const Line& line : poses[static_cast<std::size_t>(i)]) {
      add('M', line.a);
      add('L', line.b);
    }
    svg += std::string("<path class=\"") + style + "\" fill=\"none\" d=\"" +
           path + "\"/>";
  }
  return svg;
}

}  // namespace

std::string PoseStripSvg(const BodyClip& source, const BodyClip& target) {
  const Matrix3 view = ViewOf(source);
  return "<figure><svg viewBox=\"0 0 " + Rounded(kNumPoses * kCell, 0) + " " +
         Rounded(2.0 * kHeight, 0) + "\" role=\"img\">" +
         Row(source, view, 0.0, "source", "curve c0") +
         Row(target, view, kHeight, "target", "curve c1") +
         "</svg><figcaption>Source and target at the same times</figcaption>"
         "</figure>";
}

}  // namespace limber::app
