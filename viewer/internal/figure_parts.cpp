// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/internal/figure_parts.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "figure/pose.h"
#include "figure/skeleton.h"

namespace limber::viewer::internal {

namespace {

using figure::FigureModel;
using figure::FigureSegment;
using figure::Role;
using figure::SegmentShape;
using figure::Side;

Colour ColourOf(Side side) {
  switch (side) {
    case Side::kLeft:
      return palette::kLeft;
    case Side::kRight:
      return palette::kRight;
    case Side::kMiddle:
      break;
  }
  return palette::kBody;
}

PartShape ShapeOf(const SegmentShape& shape) {
  PartShape part;
  switch (shape.kind) {
    case SegmentShape::Kind::kCapsule:
      part.kind = PartShape::Kind::kCapsule;
      break;
    case SegmentShape::Kind::kBox:
      part.kind = PartShape::Kind::kBox;
      break;
    case SegmentShape::Kind::kEllipsoid:
      part.kind = PartShape::Kind::kEllipsoid;
      break;
  }
  part.radius = shape.radius;
  part.length = shape.length;
  part.size = shape.size;
  return part;
}

/// The pose of a solid whose Y axis runs from the origin to `end`, in the
/// middle.
Transform Towards(const Vector3& end) {
  Transform X;
  X.p = 0.5 * end;
  X.R = Quaternion::FromTwoVectors(Vector3::UnitY(), end.normalized());
  return X;
}

class Maker {
 public:
  Maker(const FigureModel& figure, bool ghost)
      : figure_(figure), ghost_(ghost) {}

  FigureParts Make() {
    for (const FigureSegment& segment : figure_.segments) {
      for (const SegmentShape& shape : segment.shapes) {
        Add(ShapeOf(shape), segment.name, {segment.joint, shape.X_JS, false});
        made_.has_solids = true;
      }
    }
    AddBones();
    return std::move(made_);
  }

 private:
  void Add(const PartShape& shape, const std::string& name,
           const FigureParts::Placed& placed) {
    const Side side =
        figure::SideOf(figure_.roles[static_cast<std::size_t>(placed.joint)]);
    Part part;
    part.shape = shape;
    part.colour = ghost_ ? palette::kGhost : ColourOf(side);
    part.opacity = ghost_ ? 0.35 : 1.0;
    part.name = name;
    part.body = placed.joint;
    made_.parts.push_back(part);
    made_.placed.push_back(placed);
  }

  void AddBones() {
    const figure::Skeleton& skeleton = *figure_.skeleton;
    const double ball = 0.006 * figure::RestExtent(skeleton).norm();
    const auto add_bone = [&](int joint, const Vector3& end) {
      const double length = end.norm();
      if (length < 1e-6) return;
      PartShape bone;
      bone.kind = PartShape::Kind::kCapsule;
      bone.radius = 0.5 * ball;
      bone.length = length;
      Add(bone, skeleton.joint(joint).name, {joint, Towards(end), true});
    };
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      PartShape sphere;
      sphere.radius = ball;
      Add(sphere, skeleton.joint(j).name, {j, {}, true});
      if (!skeleton.is_root(j)) {
        add_bone(skeleton.joint(j).parent, skeleton.joint(j).offset);
      }
    }
    for (const figure::Site& site : skeleton.sites()) {
      add_bone(site.joint, site.offset);
    }
  }

  const FigureModel& figure_;
  bool ghost_;
  FigureParts made_;
};

}  // namespace

FigureParts MakeFigureParts(const FigureModel& figure, bool ghost) {
  return Maker(figure, ghost).Make();
}

Vector3 MassCentre(const FigureModel& figure,
                   const std::vector<Transform>& X_WB) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t s = 0; s < figure.segments.size(); ++s) {
    const FigureSegment& segment = figure.segments[s];
    sum += segment.mass * (X_WB[s] * segment.p_JC);
  }
  return sum / figure.total_mass();
}

std::vector<int> TrailSegments(const FigureModel& figure) {
  std::vector<int> found;
  // The first of each group that the figure has.
  const std::initializer_list<std::initializer_list<Role>> ends = {
      {Role::kLeftHand, Role::kLeftForearm},
      {Role::kRightHand, Role::kRightForearm},
      {Role::kLeftFoot, Role::kLeftLowerLeg},
      {Role::kRightFoot, Role::kRightLowerLeg}};
  for (const auto& roles : ends) {
    for (const Role role : roles) {
      const int s = figure.SegmentOf(role);
      if (s < 0) continue;
      found.push_back(s);
      break;
    }
  }
  return found;
}

}  // namespace limber::viewer::internal
