// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/scene_show.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "viewer/forces.h"
#include "viewer/internal/simulated_show.h"

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

class SceneShow final : public internal::SimulatedShow {
 public:
  explicit SceneShow(SceneMaker make) : make_(std::move(make)) {
    Restart();
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
    AddBalls();
    double weight = 0.0;
    for (const BodyId body : moving_) {
      weight += kGravity * scene_->world.mass(body).mass;
    }
    if (weight > 0.0) set_force_scale(Radius() / weight);
  }

  double duration() const override { return scene_->duration; }

  void Draw(double time, Picture& picture) override {
    const Frame& frame = At(time);
    for (std::size_t i = 0; i < X_BS_.size(); ++i) {
      picture.poses.push_back(
          frame.X_WB[static_cast<std::size_t>(parts_[i].body)] * X_BS_[i]);
    }
    DrawBalls(frame, picture);
    picture.lines.insert(picture.lines.end(), track_.begin(), track_.end());
    DrawForces(frame, picture);
    picture.notes.push_back(
        internal::Note("step %.3f ms", 1000.0 * frame.step_seconds) +
        internal::Note(" of %.3f ms", 1000.0 * step()));
  }

  Vector3 Centre(double time) override {
    const Frame& frame = At(time);
    Vector3 sum = Vector3::Zero();
    for (std::size_t i = 0; i < X_BS_.size(); ++i) {
      sum += frame.X_WB[static_cast<std::size_t>(parts_[i].body)].p;
    }
    return X_BS_.empty() ? Vector3(0, 1, 0)
                         : Vector3(sum / static_cast<double>(X_BS_.size()));
  }

  double Radius() override {
    const Vector3 centre = Centre(0.0);
    double radius = 0.5;
    for (std::size_t i = 0; i < X_BS_.size(); ++i) {
      const PartShape& shape = parts_[i].shape;
      const double size = std::max(
          {shape.radius + shape.length, shape.radius, shape.size.norm() / 2});
      const auto body = static_cast<std::size_t>(parts_[i].body);
      radius = std::max(radius,
                        (frames().front().X_WB[body].p - centre).norm() + size);
    }
    return radius;
  }

  void Restart() override {
    scene_ = make_();
    moving_.clear();
    for (const auto& [name, body] : scene_->bodies) {
      if (body != dynamics::kGround) moving_.push_back(body);
    }
    Begin();
  }
  void Rewind() override { Restart(); }

 protected:
  dynamics::World& world() override { return scene_->world; }
  const dynamics::World& world() const override { return scene_->world; }
  double step() const override { return scene_->step; }
  void StepWorld() override { scene_->world.Step(scene_->step); }

  std::optional<BodyId> BodyOf(int part) const override {
    if (part < 0 || static_cast<std::size_t>(part) >= X_BS_.size()) {
      return std::nullopt;
    }
    const BodyId body{parts_[static_cast<std::size_t>(part)].body};
    if (body == dynamics::kGround) return std::nullopt;
    return body;
  }

  void FillFrame(Frame& frame) override {
    double mass = 0.0;
    for (const BodyId body : moving_) {
      const dynamics::MassProperties& of = scene_->world.mass(body);
      mass += of.mass;
      frame.mass_centre +=
          of.mass *
          (frame.X_WB[static_cast<std::size_t>(body.value)] * of.p_BC);
    }
    if (mass > 0.0) frame.mass_centre /= mass;
    for (const auto& [name, constraint] : scene_->constraints) {
      const std::vector<ForceOnBody> forces =
          ConstraintForces(scene_->world, *constraint, scene_->step);
      frame.forces.insert(frame.forces.end(), forces.begin(), forces.end());
    }
  }

 private:
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

  SceneMaker make_;
  std::shared_ptr<Scene> scene_;
  std::vector<BodyId> moving_;
  std::vector<Transform> X_BS_;
  std::vector<Line> track_;
};

}  // namespace

std::unique_ptr<Show> ShowScene(SceneMaker make) {
  return std::make_unique<SceneShow>(std::move(make));
}

}  // namespace limber::viewer
