// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/colliders.h"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "core/index.h"
#include "dynamics/collision/collide.h"

namespace limber::figure {

using dynamics::Shape;
using dynamics::ShapePointer;
using dynamics::World;

namespace {

// Corners of an icosahedron and the middles of its edges, on the unit sphere.
std::vector<Vector3> SpherePoints() {
  const double g = 0.5 * (1.0 + std::sqrt(5.0));
  std::vector<Vector3> points;
  for (const double a : {-1.0, 1.0}) {
    for (const double b : {-g, g}) {
      points.push_back(Vector3(0.0, a, b).normalized());
      points.push_back(Vector3(a, b, 0.0).normalized());
      points.push_back(Vector3(b, 0.0, a).normalized());
    }
  }
  const std::size_t corners = points.size();
  const double edge = 2.0 / std::sqrt(1.0 + g * g);
  for (std::size_t i = 0; i < corners; ++i) {
    for (std::size_t j = i + 1; j < corners; ++j) {
      if ((points[i] - points[j]).norm() < 1.01 * edge) {
        points.push_back((points[i] + points[j]).normalized());
      }
    }
  }
  return points;
}

struct Placed {
  ShapePointer shape;
  Transform X_BS;
};

std::vector<std::vector<Placed>> ShapesOf(const FigureModel& model) {
  std::vector<std::vector<Placed>> shapes(model.segments.size());
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    for (const SegmentShape& shape : model.segments[s].shapes) {
      shapes[s].push_back({MakeShape(shape), shape.X_JS});
    }
  }
  return shapes;
}

std::vector<Transform> SegmentTransforms(const FigureModel& model,
                                         const Pose& pose) {
  const std::vector<Transform> X_WJ = WorldTransforms(*model.skeleton, pose);
  std::vector<Transform> X_WB;
  for (const FigureSegment& segment : model.segments) {
    X_WB.push_back(X_WJ[Index(segment.joint)]);
  }
  return X_WB;
}

bool Meet(const std::vector<Placed>& a, const Transform& X_WA,
          const std::vector<Placed>& b, const Transform& X_WB, double gap) {
  for (const Placed& one : a) {
    for (const Placed& other : b) {
      if (dynamics::Distance(*one.shape, X_WA * one.X_BS, *other.shape,
                             X_WB * other.X_BS)
              .distance < gap) {
        return true;
      }
    }
  }
  return false;
}

// Whether segments a and b are one or two joints apart.
bool AreNear(const FigureModel& model, int a, int b) {
  const int parent_a = model.segments[Index(a)].parent;
  const int parent_b = model.segments[Index(b)].parent;
  if (parent_a == b || parent_b == a) return true;
  if (parent_a >= 0 && parent_a == parent_b) return true;
  return (parent_a >= 0 && model.segments[Index(parent_a)].parent == b) ||
         (parent_b >= 0 && model.segments[Index(parent_b)].parent == a);
}

}  // namespace

ShapePointer MakeShape(const SegmentShape& shape) {
  switch (shape.kind) {
    case SegmentShape::Kind::kCapsule:
      return Shape::Capsule(shape.radius, 0.5 * shape.length);
    case SegmentShape::Kind::kBox:
      return Shape::Box(0.5 * shape.size);
    case SegmentShape::Kind::kEllipsoid:
      break;
  }
  std::vector<Vector3> points = SpherePoints();
  for (Vector3& point : points) {
    point = 0.5 * shape.size.cwiseProduct(point);
  }
  return Shape::ConvexHull(std::move(points));
}

std::vector<std::vector<dynamics::ColliderId>> AddColliders(
    World& world, const ArticulatedFigure& figure,
    const ColliderOptions& options, std::span<const Pose> at_ease) {
  const FigureModel& model = figure.model();
  const std::vector<std::vector<Placed>> shapes = ShapesOf(model);
  std::vector<std::vector<dynamics::ColliderId>> ids(shapes.size());
  for (int s = 0; s < model.num_segments(); ++s) {
    for (const Placed& placed : shapes[Index(s)]) {
      dynamics::ColliderSpec spec;
      spec.shape = placed.shape;
      spec.X_BS = placed.X_BS;
      spec.surface = options.surface;
      spec.group = options.group;
      spec.mask = options.mask;
      ids[Index(s)].push_back(world.AddCollider(figure.body(s), spec));
    }
  }
  std::vector<Pose> poses(at_ease.begin(), at_ease.end());
  poses.push_back(RestPose(*model.skeleton));
  std::vector<std::vector<Transform>> X_WB;
  for (const Pose& pose : poses) X_WB.push_back(SegmentTransforms(model, pose));
  for (int a = 0; a < model.num_segments(); ++a) {
    for (int b = a + 1; b < model.num_segments(); ++b) {
      const bool apart =
          options.self_contact && !AreNear(model, a, b) &&
          std::none_of(X_WB.begin(), X_WB.end(), [&](const auto& X) {
            return Meet(shapes[Index(a)], X[Index(a)], shapes[Index(b)],
                        X[Index(b)], options.allowed_gap);
          });
      if (!apart) world.SetContact(figure.body(a), figure.body(b), false);
    }
  }
  return ids;
}

std::vector<double> LowestPoints(const FigureModel& model,
                                 const Motion& motion) {
  return LowestPoints(
      model, motion,
      std::vector<Transform>(static_cast<std::size_t>(motion.num_frames())));
}

std::vector<double> LowestPoints(const FigureModel& model, const Motion& motion,
                                 std::span<const Transform> X_WF) {
  if (X_WF.size() != static_cast<std::size_t>(motion.num_frames())) {
    throw std::invalid_argument("LowestPoints: needs a floor a frame, has " +
                                std::to_string(X_WF.size()) + " for " +
                                std::to_string(motion.num_frames()));
  }
  const std::vector<std::vector<Placed>> shapes = ShapesOf(model);
  std::vector<double> lowest;
  for (std::int64_t f = 0; f < motion.num_frames(); ++f) {
    const std::vector<Transform> X_WB =
        SegmentTransforms(model, motion.pose(f));
    const Transform X_FW = X_WF[static_cast<std::size_t>(f)].Inverse();
    double low = std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s < shapes.size(); ++s) {
      for (const Placed& placed : shapes[s]) {
        low = std::min(
            low, placed.shape->BoxAt(X_FW * X_WB[s] * placed.X_BS).min.y());
      }
    }
    lowest.push_back(low);
  }
  return lowest;
}

double FloorHeight(const FigureModel& model, const Motion& motion) {
  std::vector<double> lowest = LowestPoints(model, motion);
  if (lowest.empty() || !std::isfinite(lowest.front())) {
    throw std::invalid_argument(
        "FloorHeight: needs frames, and a segment with a shape");
  }
  const auto middle =
      lowest.begin() + static_cast<std::ptrdiff_t>(lowest.size() / 2);
  std::nth_element(lowest.begin(), middle, lowest.end());
  return *middle;
}

Vector3 ContactForce(const World& world, dynamics::BodyId body, double h) {
  Vector3 impulse = Vector3::Zero();
  for (const dynamics::Contact& contact : world.contacts()) {
    const Vector3 on_b =
        contact.normal_impulse * contact.normal_W + contact.friction_impulse_W;
    if (contact.body_b == body) impulse += on_b;
    if (contact.body_a == body) impulse -= on_b;
  }
  return impulse / h;
}

}  // namespace limber::figure
