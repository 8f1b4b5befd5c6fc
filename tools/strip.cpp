// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tools/strip.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "figure/joint_names.h"
#include "figure/pose.h"

namespace limber {

namespace {

using figure::Motion;
using figure::Role;

constexpr double kPixelsPerMetre = 90.0;
constexpr double kColumn = 190.0;  // [pixel]

struct View {
  Vector3 right;  ///< What goes to the right in the picture.
  Vector3 away;   ///< What goes away, drawn a little up and to the side.
};

/// Seen from the body's left, a little from the front.
View ViewOf(const Motion& motion, const std::vector<Role>& roles) {
  const figure::BodyAxes axes = figure::FindBodyAxes(motion.skeleton(), roles);
  const std::int64_t frame = std::min<std::int64_t>(1, motion.num_frames() - 1);
  const auto X_WJ =
      figure::WorldTransforms(motion.skeleton(), motion.pose(frame));
  const int pelvis = std::max(0, figure::FindRole(roles, Role::kPelvis));
  Vector3 forward = X_WJ[pelvis].R * axes.forward;
  forward.y() = 0.0;
  forward = forward.norm() > 1e-6 ? forward.normalized() : Vector3::UnitZ();
  return {forward, Vector3::UnitY().cross(forward)};
}

Vector2 Project(const View& view, const Vector3& p, const Vector3& base,
                double floor) {
  const Vector3 d = p - base;
  const double depth = view.away.dot(d);
  return {kPixelsPerMetre * (view.right.dot(d) + 0.35 * depth),
          -kPixelsPerMetre * (p.y() - floor + 0.10 * depth)};
}

/// Left or right by the nearest joint above that says so.
figure::Side SideOfJoint(const figure::Skeleton& skeleton,
                         const std::vector<Role>& roles, int joint) {
  for (; joint >= 0; joint = skeleton.joint(joint).parent) {
    const figure::Side side = figure::SideOf(roles[joint]);
    if (side != figure::Side::kMiddle) return side;
  }
  return figure::Side::kMiddle;
}

const char* ColourOf(figure::Side side) {
  switch (side) {
    case figure::Side::kLeft:
      return "#1f4e79";
    case figure::Side::kRight:
      return "#e08a3c";
    case figure::Side::kMiddle:
      break;
  }
  return "#555";
}

void DrawFigure(const Motion& motion, const std::vector<Role>& roles,
                const View& view, std::int64_t frame, double floor,
                std::ostringstream& svg) {
  const figure::Skeleton& skeleton = motion.skeleton();
  const auto X_WJ = figure::WorldTransforms(skeleton, motion.pose(frame));
  const int pelvis = std::max(0, figure::FindRole(roles, Role::kPelvis));
  const Vector3 base = X_WJ[pelvis].p;
  const auto line = [&](const Vector3& a, const Vector3& b, int joint) {
    const Vector2 from = Project(view, a, base, floor);
    const Vector2 to = Project(view, b, base, floor);
    svg << "<line x1='" << from.x() << "' y1='" << from.y() << "' x2='"
        << to.x() << "' y2='" << to.y() << "' stroke='"
        << ColourOf(SideOfJoint(skeleton, roles, joint))
        << "' stroke-width='4' stroke-linecap='round'/>\n";
  };
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    const int parent = skeleton.joint(joint).parent;
    if (parent < 0) continue;
    line(X_WJ[parent].p, X_WJ[joint].p, joint);
  }
  for (const figure::Site& site : skeleton.sites()) {
    line(X_WJ[site.joint].p, X_WJ[site.joint] * site.offset, site.joint);
  }
}

}  // namespace

std::string StripSvg(const std::vector<StripRow>& rows, int num_times) {
  double tallest = 1.0;
  for (const StripRow& row : rows) {
    for (std::int64_t i = 0; i < row.motion.num_frames(); i += 10) {
      for (const Transform& X :
           figure::WorldTransforms(row.motion.skeleton(), row.motion.pose(i))) {
        tallest = std::max(tallest, X.p.y() - row.floor);
      }
    }
  }
  const double height = kPixelsPerMetre * (tallest + 0.35) + 40.0;
  std::ostringstream svg;
  svg.precision(5);
  svg << "<svg xmlns='http://www.w3.org/2000/svg' width='"
      << kColumn * num_times + 20.0 << "' height='"
      << height * static_cast<double>(rows.size())
      << "' font-family='sans-serif' font-size='14'>\n"
      << "<rect width='100%' height='100%' fill='white'/>\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const StripRow& row = rows[r];
    const std::vector<Role> roles =
        figure::RecogniseRoles(row.motion.skeleton());
    const View view = ViewOf(row.motion, roles);
    const double floor_y = height * static_cast<double>(r + 1) - 30.0;
    svg << "<text x='6' y='" << height * static_cast<double>(r) + 18.0 << "'>"
        << row.title << "</text>\n<line x1='0' x2='" << kColumn * num_times + 20
        << "' y1='" << floor_y << "' y2='" << floor_y << "' stroke='#999'/>\n";
    for (int column = 0; column < num_times; ++column) {
      // The first frame is often an added T-pose.
      const std::int64_t last = row.motion.num_frames() - 1;
      const std::int64_t first = std::min<std::int64_t>(1, last);
      std::int64_t frame =
          first + (last - first) * column / std::max(1, num_times - 1);
      if (!row.frames.empty()) {
        frame =
            row.frames[std::min<std::size_t>(column, row.frames.size() - 1)];
      }
      svg << "<g transform='translate(" << kColumn * (column + 0.5) << " "
          << floor_y << ")'>\n";
      DrawFigure(row.motion, roles, view, frame, row.floor, svg);
      svg << "<text x='0' y='20' text-anchor='middle' fill='#777'>"
          << static_cast<double>(frame) / row.motion.rate_hz()
          << " s</text></g>\n";
    }
  }
  svg << "</svg>\n";
  return svg.str();
}

}  // namespace limber
