// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "figure/pose.h"
#include "viewer/show.h"

namespace limber::viewer {

namespace {

using figure::FigureModel;
using figure::FigureSegment;
using figure::Motion;
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

/// The pose of a solid whose Y axis runs from `a` to `b`, in their middle.
Transform Between(const Vector3& a, const Vector3& b) {
  const Vector3 along = b - a;
  const double length = along.norm();
  Transform X;
  X.p = 0.5 * (a + b);
  if (length > 1e-9) {
    X.R = Quaternion::FromTwoVectors(Vector3::UnitY(), along / length);
  }
  return X;
}

class ClipShow final : public Show {
 public:
  ClipShow(std::shared_ptr<const Motion> motion,
           std::shared_ptr<const FigureModel> figure, const ClipLook& look)
      : motion_(std::move(motion)), figure_(std::move(figure)), look_(look) {
    if (look_.bones) {
      AddBones();
    } else {
      AddSolids();
    }
    if (parts_.empty()) AddBones();
  }

  const std::vector<Part>& parts() const override { return parts_; }
  double duration() const override { return motion_->duration(); }

  void Draw(double time, Picture& picture) override {
    SetTime(time);
    for (const Placed& placed : placed_) {
      picture.poses.push_back(
          Shifted(X_WJ_[static_cast<std::size_t>(placed.joint)] * placed.X_JS));
    }
  }

  Vector3 Centre(double time) override {
    SetTime(time);
    Vector3 lowest = X_WJ_.front().p;
    Vector3 highest = lowest;
    for (const Transform& X : X_WJ_) {
      lowest = lowest.cwiseMin(X.p);
      highest = highest.cwiseMax(X.p);
    }
    return 0.5 * (lowest + highest) + look_.shift;
  }

  double Radius() override {
    return std::max(0.1, 0.6 * figure::RestExtent(motion_->skeleton()).norm());
  }

 private:
  struct Placed {
    int joint = 0;
    Transform X_JS;
  };

  void SetTime(double time) {
    const figure::Pose pose =
        motion_->Sample(std::clamp(time, 0.0, motion_->duration()));
    figure::WorldTransforms(motion_->skeleton(), pose, X_WJ_);
  }

  Transform Shifted(Transform X) const {
    X.p += look_.shift;
    return X;
  }

  void Add(const PartShape& shape, Side side, const std::string& name,
           const Placed& placed) {
    Part part;
    part.shape = shape;
    part.colour = look_.ghost ? palette::kGhost : ColourOf(side);
    part.opacity = look_.ghost ? 0.35 : 1.0;
    part.name = name;
    part.body = placed.joint;
    parts_.push_back(part);
    placed_.push_back(placed);
  }

  void AddSolids() {
    for (const FigureSegment& segment : figure_->segments) {
      const Side side = figure::SideOf(
          figure_->roles[static_cast<std::size_t>(segment.joint)]);
      for (const SegmentShape& shape : segment.shapes) {
        Add(ShapeOf(shape), side, segment.name, {segment.joint, shape.X_JS});
      }
    }
  }

  void AddBones() {
    const figure::Skeleton& skeleton = motion_->skeleton();
    const double size = figure::RestExtent(skeleton).norm();
    const double ball = 0.006 * size;
    const auto side_of = [this](int joint) {
      return figure::SideOf(figure_->roles[static_cast<std::size_t>(joint)]);
    };
    const auto add_bone = [&](int joint, const Vector3& end) {
      const double length = end.norm();
      if (length < 1e-6) return;
      PartShape bone;
      bone.kind = PartShape::Kind::kCapsule;
      bone.radius = 0.5 * ball;
      bone.length = length;
      Add(bone, side_of(joint), skeleton.joint(joint).name,
          {joint, Between(Vector3::Zero(), end)});
    };
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      PartShape sphere;
      sphere.radius = ball;
      Add(sphere, side_of(j), skeleton.joint(j).name, {j, {}});
      if (!skeleton.is_root(j)) {
        add_bone(skeleton.joint(j).parent, skeleton.joint(j).offset);
      }
    }
    for (const figure::Site& site : skeleton.sites()) {
      add_bone(site.joint, site.offset);
    }
  }

  std::shared_ptr<const Motion> motion_;
  std::shared_ptr<const FigureModel> figure_;
  ClipLook look_;
  std::vector<Part> parts_;
  std::vector<Placed> placed_;
  std::vector<Transform> X_WJ_;
};

class TogetherShow final : public Show {
 public:
  explicit TogetherShow(std::vector<std::unique_ptr<Show>> shows)
      : shows_(std::move(shows)) {
    for (const std::unique_ptr<Show>& show : shows_) {
      parts_.insert(parts_.end(), show->parts().begin(), show->parts().end());
    }
  }
  const std::vector<Part>& parts() const override { return parts_; }
  double duration() const override {
    double longest = 0.0;
    for (const std::unique_ptr<Show>& show : shows_) {
      longest = std::max(longest, show->duration());
    }
    return longest;
  }
  void Draw(double time, Picture& picture) override {
    for (const std::unique_ptr<Show>& show : shows_) show->Draw(time, picture);
  }
  Vector3 Centre(double time) override {
    Vector3 sum = Vector3::Zero();
    for (const std::unique_ptr<Show>& show : shows_) sum += show->Centre(time);
    return sum / static_cast<double>(shows_.size());
  }
  double Radius() override {
    const Vector3 centre = Centre(0.0);
    double radius = 0.0;
    for (const std::unique_ptr<Show>& show : shows_) {
      radius = std::max(radius,
                        (show->Centre(0.0) - centre).norm() + show->Radius());
    }
    return radius;
  }

 private:
  std::vector<std::unique_ptr<Show>> shows_;
  std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<Show> ShowClip(std::shared_ptr<const Motion> motion,
                               std::shared_ptr<const FigureModel> figure,
                               const ClipLook& look) {
  return std::make_unique<ClipShow>(std::move(motion), std::move(figure), look);
}

std::unique_ptr<Show> ShowTogether(std::vector<std::unique_ptr<Show>> shows) {
  return std::make_unique<TogetherShow>(std::move(shows));
}

}  // namespace limber::viewer
