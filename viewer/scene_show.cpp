// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/scene_show.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace limber::viewer {

namespace {

using dynamics::BodyId;
using dynamics::Scene;
using dynamics::SceneShape;

PartShape ShapeOf(const SceneShape& shape) {
  PartShape part;
  part.radius = shape.radius;
  part.length = shape.length;
  part.size = shape.size;
  switch (shape.kind) {
    case SceneShape::Kind::kSphere:
      part.kind = PartShape::Kind::kSphere;
      break;
    case SceneShape::Kind::kBox:
      part.kind = PartShape::Kind::kBox;
      break;
    case SceneShape::Kind::kCapsule:
      part.kind = PartShape::Kind::kCapsule;
      break;
    case SceneShape::Kind::kCylinder:
      part.kind = PartShape::Kind::kCylinder;
      break;
    case SceneShape::Kind::kRod:
      part.kind = PartShape::Kind::kCylinder;
      part.radius = 0.01;
      break;
  }
  return part;
}

class SceneShow final : public Show {
 public:
  explicit SceneShow(std::shared_ptr<Scene> scene) : scene_(std::move(scene)) {
    for (const auto& [name, body] : scene_->bodies) {
      for (const SceneShape& shape :
           scene_->shapes[static_cast<std::size_t>(body.value)]) {
        Part part;
        part.shape = ShapeOf(shape);
        part.colour = shape.colour;
        part.name = name;
        part.body = body.value;
        parts_.push_back(part);
        X_BS_.push_back(shape.X_BS);
      }
    }
    for (const auto& [name, curve] : scene_->curves) AddTrack(*curve);
    Keep();
  }

  const std::vector<Part>& parts() const override { return parts_; }
  double duration() const override { return scene_->duration; }

  void Draw(double time, Picture& picture) override {
    const std::vector<Transform>& X_WB = At(time);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      picture.poses.push_back(X_WB[static_cast<std::size_t>(parts_[i].body)] *
                              X_BS_[i]);
    }
    picture.lines.insert(picture.lines.end(), track_.begin(), track_.end());
  }

  Vector3 Centre(double time) override {
    const std::vector<Transform>& X_WB = At(time);
    Vector3 sum = Vector3::Zero();
    for (const Part& part : parts_) {
      sum += X_WB[static_cast<std::size_t>(part.body)].p;
    }
    return parts_.empty() ? Vector3(0, 1, 0)
                          : Vector3(sum / static_cast<double>(parts_.size()));
  }

  double Radius() override {
    const Vector3 centre = Centre(0.0);
    double radius = 0.5;
    for (const Part& part : parts_) {
      const double size =
          std::max({part.shape.radius + part.shape.length, part.shape.radius,
                    part.shape.size.norm() / 2});
      radius = std::max(
          radius,
          (kept_[0][static_cast<std::size_t>(part.body)].p - centre).norm() +
              size);
    }
    return radius;
  }

 private:
  static constexpr double kFrame = 1.0 / 60.0;

  void AddTrack(const dynamics::Curve& curve) {
    const dynamics::ParameterRange range = curve.domain();
    if (!std::isfinite(range.min) || !std::isfinite(range.max)) return;
    constexpr int kPieces = 400;
    Vector3 last = curve.Position(range.min);
    for (int i = 1; i <= kPieces; ++i) {
      const double s = range.min + (range.max - range.min) * i / kPieces;
      const Vector3 next = curve.Position(s);
      track_.push_back({last, next, Colour(0.35, 0.38, 0.42)});
      last = next;
    }
  }

  void Keep() {
    std::vector<Transform>& X_WB = kept_.emplace_back();
    for (int b = 0; b < scene_->world.num_bodies(); ++b) {
      X_WB.push_back(scene_->world.X_WB(BodyId{b}));
    }
  }

  const std::vector<Transform>& At(double time) {
    const double clamped = std::clamp(time, 0.0, scene_->duration);
    const auto frame = static_cast<std::size_t>(std::lround(clamped / kFrame));
    while (kept_.size() <= frame) {
      const double until = static_cast<double>(kept_.size()) * kFrame;
      while (scene_->world.time() < until - 0.5 * scene_->step) {
        scene_->world.Step(scene_->step);
      }
      Keep();
    }
    return kept_[frame];
  }

  std::shared_ptr<Scene> scene_;
  std::vector<Part> parts_;
  std::vector<Transform> X_BS_;
  std::vector<Line> track_;
  std::vector<std::vector<Transform>> kept_;
};

}  // namespace

std::unique_ptr<Show> ShowScene(std::shared_ptr<Scene> scene) {
  return std::make_unique<SceneShow>(std::move(scene));
}

}  // namespace limber::viewer
