// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/scene_show.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/constraints/rope.h"
#include "figure/pose.h"
#include "viewer/forces.h"
#include "viewer/internal/effort.h"
#include "viewer/internal/figure_parts.h"
#include "viewer/internal/glyphs.h"
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
    BeginAnew();
    MakeParts();
  }

  /// Of a scene that somebody else plays.
  explicit SceneShow(figure::FigureScene& scene)
      : SceneShow([&scene] {
          return std::shared_ptr<figure::FigureScene>(
              std::shared_ptr<figure::FigureScene>(), &scene);
        }) {
    Watch();
  }
  void AfterStep() { AfterWatchedStep(); }

  double duration() const override {
    return is_watching() ? live_time() : scene().duration;
  }

  void Draw(double time, Picture& picture) override {
    const Frame& frame = At(time);
    const std::size_t index = shown_index();
    const auto first = static_cast<int>(picture.poses.size());
    for (std::size_t i = 0; i < num_body_parts_; ++i) {
      picture.poses.push_back(
          IsSeen(i) ? X_WBOf(frame, parts_[i].body) * X_BS_[i] : kHidden);
    }
    if (layers().effort) ColourEffort(index, first, picture);
    DrawMarkers(frame, static_cast<double>(index) * kFrame, picture);
    DrawBalls(frame, picture);
    picture.lines.insert(picture.lines.end(), track_.begin(), track_.end());
    DrawRopes(index, picture);
    DrawForces(frame, picture);
    DrawEvents(index, picture);
    if (layers().trails) DrawTrails(index, picture);
    if (!layers().details) return;
    picture.notes.push_back(
        internal::Note("step %.3f ms", 1000.0 * frame.step_seconds) +
        internal::Note(" of %.3f ms", 1000.0 * step()));
  }

  std::vector<ShownEvent> events() const override {
    std::vector<ShownEvent> events;
    const double end = duration();
    for (const dynamics::SceneEvent& event : scene().events) {
      if (event.from > end) continue;
      events.push_back({event.from, std::min(event.to, end), event.text});
    }
    for (const figure::SceneFigure& one : all_->figures) {
      if (one.animation == nullptr || !one.animation->let_go_time()) continue;
      const double time = *one.animation->let_go_time();
      events.push_back({time, time, one.name + " lets go"});
    }
    return events;
  }

  Vector3 Centre(double time) override {
    const Frame& frame = At(time);
    // Of the segments, or where there is no figure of the props.
    const std::size_t begin = HasFigures() ? num_prop_parts_ : 0;
    const std::size_t end = HasFigures() ? num_body_parts_ : num_prop_parts_;
    Vector3 sum = Vector3::Zero();
    for (std::size_t i = begin; i < end; ++i) {
      sum += X_WBOf(frame, parts_[i].body).p;
    }
    return begin == end ? Vector3(0, 1, 0)
                        : Vector3(sum / static_cast<double>(end - begin));
  }

  double Radius() override {
    const Vector3 centre = Centre(0.0);
    if (HasFigures()) {
      // A figure stretched out in any direction, and some of what is around.
      double radius = 0.0;
      for (const Cast& cast : cast_) {
        const Vector3 extent = figure::RestExtent(*cast.model->skeleton);
        const Vector3 p = X_WBOf(frames().front(), cast.bodies.front().value).p;
        radius = std::max(radius, 0.7 * extent.norm() + (p - centre).norm());
      }
      return radius;
    }
    double radius = 0.5;
    for (std::size_t i = 0; i < num_prop_parts_; ++i) {
      const PartShape& shape = parts_[i].shape;
      const double size = std::max(
          {shape.radius + shape.length, shape.radius, shape.size.norm() / 2});
      const Vector3& p = X_WBOf(frames().front(), parts_[i].body).p;
      radius = std::max(radius, (p - centre).norm() + size);
    }
    return radius;
  }

  void Restart() override {
    if (!is_watching()) BeginAnew();
  }
  void Rewind() override { Restart(); }

 protected:
  dynamics::World& world() override { return all_->scene->world; }
  const dynamics::World& world() const override { return all_->scene->world; }
  double step() const override { return scene().step; }
  void StepWorld() override { all_->stage->Step(); }
  void PushBody(BodyId body, const Vector3& impulse_W) override {
    all_->stage->Push(body, world().mass(body).p_BC, impulse_W);
  }

  std::optional<BodyId> BodyOf(int part) const override {
    if (part < 0 || static_cast<std::size_t>(part) >= num_body_parts_) {
      return std::nullopt;
    }
    const BodyId body{parts_[static_cast<std::size_t>(part)].body};
    if (body == dynamics::kGround) return std::nullopt;
    return body;
  }

  void FillFrame(Frame& frame) override {
    double mass = 0.0;
    for (const BodyId body : moving_) {
      const dynamics::MassProperties& of = scene().world.mass(body);
      mass += of.mass;
      frame.mass_centre += of.mass * (X_WBOf(frame, body.value) * of.p_BC);
    }
    if (mass > 0.0) frame.mass_centre /= mass;
    for (const auto& [name, constraint] : scene().constraints) {
      const std::vector<ForceOnBody> forces =
          ConstraintForces(scene().world, *constraint, scene().step);
      frame.forces.insert(frame.forces.end(), forces.begin(), forces.end());
    }
    KeepRopes(frame);
    KeepTargets();
    std::vector<double>& effort = effort_.emplace_back();
    for (const Cast& cast : cast_) {
      const auto& steps = all_->stage->recorder(cast.index).steps();
      for (std::size_t s = 0; s < cast.bodies.size(); ++s) {
        effort.push_back(
            steps.empty() ? 0.0
                          : internal::EffortOf(cast.model->segments[s].anchor,
                                               steps.back().motors[s]));
      }
    }
  }

 private:
  /// A figure of the scene.
  struct Cast {
    int index = 0;  ///< On the stage.
    std::shared_ptr<const figure::FigureModel> model;
    std::vector<BodyId> bodies;  ///< Per segment.
  };

  const Scene& scene() const { return *all_->scene; }
  bool HasFigures() const { return num_body_parts_ > num_prop_parts_; }
  static const Transform& X_WBOf(const Frame& frame, int body) {
    return frame.X_WB[static_cast<std::size_t>(body)];
  }
  bool IsSeen(std::size_t part) const {
    if (part < num_prop_parts_) return true;
    return is_bone_[part - num_prop_parts_] == layers().bones;
  }

  void BeginAnew() {
    all_ = make_();
    moving_.clear();
    cast_.clear();
    effort_.clear();
    ropes_.clear();
    targets_.clear();
    for (const auto& [name, body] : scene().bodies) {
      if (body == dynamics::kGround ||
          std::ranges::find(moving_, body) != moving_.end()) {
        continue;
      }
      moving_.push_back(body);
    }
    for (const figure::SceneFigure& one : all_->figures) {
      const figure::ArticulatedFigure& body = one.performer->figure();
      Cast& cast = cast_.emplace_back();
      cast.index = one.index;
      cast.model = body.shared_model();
      for (int s = 0; s < body.num_segments(); ++s) {
        cast.bodies.push_back(body.body(s));
      }
    }
    Begin();
  }

  void MakeParts() {
    for (const auto& [name, body] : scene().bodies) {
      for (const SceneShape& shape :
           scene().shapes[static_cast<std::size_t>(body.value)]) {
        Part part;
        part.shape = ShapeOf(shape);
        part.colour = shape.colour;
        part.name = name;
        part.body = body.value;
        parts_.push_back(part);
        X_BS_.push_back(shape.X_BS);
      }
    }
    num_prop_parts_ = parts_.size();
    for (const figure::SceneFigure& figure : all_->figures) AddFigure(figure);
    num_body_parts_ = parts_.size();
    AddMarkers();
    for (const auto& [name, curve] : scene().curves) AddTrack(*curve);
    AddBalls();
    radius_ = Radius();
    double weight = 0.0;
    for (const BodyId body : moving_) {
      weight += kGravity * scene().world.mass(body).mass;
    }
    if (weight > 0.0) set_force_scale(RoundForceScale(weight, radius_));
  }

  void AddFigure(const figure::SceneFigure& one) {
    const figure::ArticulatedFigure& body = one.performer->figure();
    const figure::FigureModel& model = body.model();
    const internal::FigureParts made =
        internal::MakeFigureParts(model, /*ghost=*/false);
    int first = 0;
    for (int i = 0; i < one.index; ++i) {
      first +=
          static_cast<int>(cast_[static_cast<std::size_t>(i)].bodies.size());
    }
    for (std::size_t i = 0; i < made.parts.size(); ++i) {
      const internal::FigureParts::Placed& placed = made.placed[i];
      const int s =
          model.segment_of_joint[static_cast<std::size_t>(placed.joint)];
      Part part = made.parts[i];
      part.body = body.body(s).value;
      part.name = one.name + "/" + part.name;
      parts_.push_back(part);
      Transform X_BJ;
      X_BJ.p = figure::PlaceInSegment(model, placed.joint);
      X_BS_.push_back(X_BJ * placed.X_JS);
      is_bone_.push_back(placed.bone);
      effort_of_part_.push_back(first + s);
    }
  }

  void AddMarkers() {
    for (const auto& [name, goal] : all_->marker_goals) {
      for (std::size_t i = 0; i < goal.markers.size(); ++i) {
        Part part;
        part.shape.radius = 0.014;
        part.colour = palette::kCaptured;
        part.name = name;
        parts_.push_back(part);
      }
    }
  }

  /// Where the markers are to be, and a line from where the figure has them.
  void DrawMarkers(const Frame& frame, double time, Picture& picture) const {
    for (const auto& [name, goal] : all_->marker_goals) {
      for (std::size_t i = 0; i < goal.markers.size(); ++i) {
        const auto index = static_cast<int>(i);
        if (!goal.seen(index, time)) {
          picture.poses.push_back(kHidden);
          continue;
        }
        Transform X;
        X.p = goal.position(index, time);
        picture.poses.push_back(X);
        const figure::MarkerPull::Marker& marker = goal.markers[i];
        picture.lines.push_back({X_WBOf(frame, marker.body.value) * marker.p_BA,
                                 X.p, palette::kCaptured, true});
      }
    }
  }

  /// The ropes that hold now: events cut them.
  void KeepRopes(const Frame& frame) {
    std::vector<std::vector<Vector3>>& ropes = ropes_.emplace_back();
    for (const auto& [name, constraint] : scene().constraints) {
      const auto* rope = dynamic_cast<const dynamics::Rope*>(constraint);
      if (rope == nullptr || !rope->enabled()) continue;
      std::vector<Vector3>& points = ropes.emplace_back();
      for (const dynamics::BodyPoint& point : rope->points()) {
        points.push_back(X_WBOf(frame, point.body.value) * point.p_BA);
      }
    }
  }

  void DrawRopes(std::size_t frame, Picture& picture) const {
    for (const std::vector<Vector3>& points : ropes_[frame]) {
      internal::AddPath(points, Colour(0.45, 0.33, 0.20), picture.lines);
    }
  }

  /// Where the goals that pull now want their points.
  void KeepTargets() {
    std::vector<Vector3>& targets = targets_.emplace_back();
    for (const auto& [name, goal] : all_->point_goals) {
      if (goal->max_force() > 0.0) {
        targets.push_back(goal->Target(scene().world.time()));
      }
    }
  }

  /// Pushes as arrows that end at the body, and targets of goals.
  void DrawEvents(std::size_t index, Picture& picture) const {
    constexpr double kSeen = 0.25;   // An instant is seen so long [s].
    constexpr double kLength = 0.6;  // Of an arrow, in radii.
    const double time = static_cast<double>(index) * kFrame;
    for (std::size_t i = 0; i < scene().events.size(); ++i) {
      const dynamics::SceneEvent& event = scene().events[i];
      const bool is_now = event.from <= time && time <= event.from + kSeen;
      if (!is_now || event.impulse.norm() == 0.0) continue;
      const Vector3 p = X_WBOf(frames()[index], event.body.value) * event.p_BA;
      const Vector3 arrow = kLength * radius_ * event.impulse.normalized();
      picture.signs.push_back({Sign::Kind::kArrow, p - arrow, arrow,
                               palette::kEvent, false, static_cast<int>(i)});
    }
    for (const Vector3& p : targets_[index]) {
      picture.signs.push_back(
          {Sign::Kind::kTarget, p, Vector3::Zero(), palette::kEvent, false});
    }
  }

  void ColourEffort(std::size_t frame, int first, Picture& picture) const {
    for (std::size_t i = num_prop_parts_; i < num_body_parts_; ++i) {
      const auto of =
          static_cast<std::size_t>(effort_of_part_[i - num_prop_parts_]);
      picture.colours.push_back({first + static_cast<int>(i),
                                 internal::EffortColour(effort_[frame][of])});
    }
  }

  void DrawTrails(std::size_t last, Picture& picture) const {
    constexpr std::size_t kLength = 60;  // Frames: a second.
    for (const Cast& cast : cast_) {
      for (const int s : internal::TrailSegments(*cast.model)) {
        const auto index = static_cast<std::size_t>(s);
        std::vector<Vector3> points;
        for (std::size_t i = last > kLength ? last - kLength : 0; i <= last;
             ++i) {
          points.push_back(X_WBOf(frames()[i], cast.bodies[index].value) *
                           cast.model->segments[index].p_JC);
        }
        internal::AddPath(points, palette::kTrail, picture.lines);
      }
    }
  }

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
  std::shared_ptr<figure::FigureScene> all_;
  std::vector<BodyId> moving_;
  std::vector<Cast> cast_;
  /// Parts: props, then segments of figures, then markers, then balls.
  std::size_t num_prop_parts_ = 0;
  std::size_t num_body_parts_ = 0;
  std::vector<Transform> X_BS_;  ///< Of props and segments.
  std::vector<bool> is_bone_;    ///< Of the parts of segments.
  std::vector<int> effort_of_part_;
  std::vector<std::vector<double>> effort_;  ///< Per frame and segment.
  /// Per frame, the points of each rope.
  std::vector<std::vector<std::vector<Vector3>>> ropes_;
  std::vector<std::vector<Vector3>> targets_;  ///< Per frame.
  double radius_ = 1.0;                        ///< At the start [m].
  std::vector<Line> track_;
};

}  // namespace

std::unique_ptr<Show> ShowScene(SceneMaker make) {
  return std::make_unique<SceneShow>(std::move(make));
}

WatchedScene WatchScene(figure::FigureScene& scene) {
  auto show = std::make_unique<SceneShow>(scene);
  SceneShow* watcher = show.get();
  return {std::move(show), [watcher] { watcher->AfterStep(); }};
}

}  // namespace limber::viewer
