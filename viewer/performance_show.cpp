// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/performance_show.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "dynamics/collision/shape.h"
#include "dynamics/constraints/point_to_point.h"
#include "figure/dynamic/colliders.h"
#include "figure/dynamic/stage.h"
#include "figure/motion_track.h"
#include "figure/smooth_motion.h"

namespace limber::viewer {

namespace {

using dynamics::BodyId;
using figure::FigureModel;
using figure::Motion;
using figure::Role;
using figure::Strength;

constexpr double kFrame = 1.0 / 60.0;
constexpr int kMostBalls = 8;
constexpr double kBallRadius = 0.09;
constexpr double kBallMass = 2.0;     // [kg]
constexpr double kBallSpeed = 12.0;   // [m/s]
constexpr double kPullForce = 600.0;  // [N]
const Vector3 kOutOfSight(0.0, -1e3, 0.0);

enum Mode { kKinematic, kDynamic, kCompare, kLooseArms, kRagDoll };
constexpr std::array<const char*, 5> kModes = {
    "kinematic", "dynamic", "compare", "loose-arms", "rag-doll"};

class PerformanceShow final : public Show {
 public:
  PerformanceShow(std::shared_ptr<const Motion> motion,
                  std::shared_ptr<const FigureModel> model)
      : motion_(std::make_shared<const Motion>(figure::WithoutLeadIn(*motion))),
        model_(std::move(model)),
        clip_(ShowClip(motion_, model_)) {
    ClipLook look;
    look.ghost = true;
    ghost_ = ShowClip(motion_, model_, look);
    parts_ = clip_->parts();
    segment_of_part_.resize(parts_.size());
    std::size_t part = 0;
    for (int s = 0; s < model_->num_segments(); ++s) {
      const auto& segment = model_->segments[std::size_t(s)];
      for (const figure::SegmentShape& shape : segment.shapes) {
        segment_of_part_[part] = s;
        X_BS_.push_back(shape.X_JS);
        ++part;
      }
    }
    parts_.insert(parts_.end(), ghost_->parts().begin(), ghost_->parts().end());
    for (int i = 0; i < kMostBalls; ++i) {
      Part ball;
      ball.shape.radius = kBallRadius;
      ball.colour = Colour(0.30, 0.32, 0.36);
      ball.name = "ball";
      parts_.push_back(ball);
    }
    Restart();
  }

  const std::vector<Part>& parts() const override { return parts_; }
  double duration() const override { return motion_->duration(); }
  Vector3 Centre(double time) override {
    if (mode_ == kKinematic) return clip_->Centre(time);
    const State& state = At(time);
    Vector3 sum = Vector3::Zero();
    for (const Transform& X : state.X_WB) sum += X.p;
    return sum / static_cast<double>(state.X_WB.size());
  }
  double Radius() override { return clip_->Radius(); }

  void Draw(double time, Picture& picture) override {
    const std::size_t solid = X_BS_.size();
    if (mode_ == kKinematic) {
      clip_->Draw(time, picture);
    } else {
      const State& state = At(time);
      for (std::size_t i = 0; i < solid; ++i) {
        picture.poses.push_back(state.X_WB[std::size_t(segment_of_part_[i])] *
                                X_BS_[i]);
      }
      picture.notes.push_back(
          Note("root help %.0f %% of body weight", 100.0 * state.root_help));
      picture.notes.push_back(Note("difference %.1f deg", state.error));
    }
    if (mode_ == kCompare) {
      ghost_->Draw(time, picture);
    } else {
      Transform hidden;
      hidden.p = kOutOfSight;
      picture.poses.resize(picture.poses.size() + ghost_->parts().size(),
                           hidden);
    }
    const State& state = At(time);
    for (int i = 0; i < kMostBalls; ++i) {
      Transform X;
      X.p = std::size_t(i) < state.balls.size() ? state.balls[std::size_t(i)]
                                                : kOutOfSight;
      picture.poses.push_back(X);
    }
  }

  std::vector<std::string> modes() const override {
    return {kModes.begin(), kModes.end()};
  }

  void SetMode(std::string_view mode) override {
    const auto found = std::ranges::find(kModes, mode);
    if (found == kModes.end()) return Show::SetMode(mode);
    mode_ = static_cast<Mode>(found - kModes.begin());
    const double now = stage_->time();
    figure::StrengthSchedule& schedule = task_->schedule();
    constexpr double kChange = 0.25;
    const bool limp = mode_ == kRagDoll;
    schedule.ChangeAll(now, kChange,
                       limp ? Strength::Limp() : Strength::Powered());
    if (mode_ == kLooseArms) {
      schedule.Change(Arms(), now + kChange, kChange, Strength::Loose());
    }
    stage_->figure(0).root_servo().driven.fill(!limp);
  }

  bool Grab(int part, const Vector3& p_W) override {
    const int s = SegmentOfPart(part);
    if (s < 0 || mode_ == kKinematic) return false;
    Release();
    const BodyId body = stage_->figure(0).figure().body(s);
    // The picture may be older than the simulation: the point on the body.
    const Transform X_WB = kept_.back().X_WB[std::size_t(s)];
    const Transform X_then =
        last_drawn_.empty() ? X_WB : last_drawn_[std::size_t(s)];
    const Vector3 p_BA = X_then.Inverse() * p_W;
    nail_ = &stage_->world().Add(dynamics::PointNail({body, p_BA}, p_W));
    dynamics::RowSettings settings;
    settings.lo = -kPullForce;
    settings.hi = kPullForce;
    settings.stabilisation = dynamics::Stabilisation::Spring(3000.0, 150.0);
    nail_->set_settings(settings);
    return true;
  }
  void Pull(const Vector3& target_W) override {
    if (nail_ != nullptr) nail_->set_p_WN(target_W);
  }
  void Release() override {
    if (nail_ != nullptr) stage_->world().Remove(*nail_);
    nail_ = nullptr;
  }

  void Fire(const Vector3& eye, const Vector3& direction) override {
    if (mode_ == kKinematic || int(balls_.size()) == kMostBalls) return;
    dynamics::BodySpec ball;
    ball.name = "ball";
    ball.mass = dynamics::MassOfSphere(kBallRadius,
                                       dynamics::Material::WithMass(kBallMass));
    ball.X_WB.p = eye + 0.5 * direction;
    ball.v_WC = kBallSpeed * direction;
    const BodyId id = stage_->world().AddBody(ball);
    dynamics::ColliderSpec collider;
    collider.shape = dynamics::Shape::Sphere(kBallRadius);
    collider.surface.restitution = 0.4;
    stage_->world().AddCollider(id, collider);
    balls_.push_back(id);
  }

  void Push(int part, const Vector3& impulse_W) override {
    const int s = SegmentOfPart(part);
    if (s < 0 || mode_ == kKinematic) return;
    stage_->Push(stage_->figure(0).figure().body(s),
                 model_->segments[std::size_t(s)].p_JC, impulse_W);
  }

  void Restart() override {
    nail_ = nullptr;
    balls_.clear();
    kept_.clear();
    stage_ = std::make_unique<figure::Stage>();
    figure::MotionTrack track;
    track.Append(std::make_shared<const figure::SmoothMotion>(*motion_));
    task_ = std::make_shared<figure::AnimationController>(
        std::move(track),
        figure::StrengthSchedule(model_->num_segments(), Strength::Powered()));
    figure::Performer& performer = stage_->AddFigure("figure", model_, task_);
    dynamics::ColliderSpec floor;
    floor.shape = dynamics::Shape::Plane();
    floor.X_BS.p.y() = figure::FloorHeight(*model_, *motion_);
    stage_->world().AddCollider(dynamics::kGround, floor);
    figure::AddColliders(stage_->world(), performer.figure());
    for (int s = 0; s < model_->num_segments(); ++s) {
      if (!performer.figure().is_root(s)) continue;
      performer.set_raw(s,
                        std::make_shared<figure::RootServo>(
                            figure::RootServo::Helping(model_->total_mass())));
    }
    Keep();
    if (mode_ != kKinematic) SetMode(kModes[std::size_t(mode_)]);
  }

  std::vector<std::string> Describe(int part) const override {
    const int s = SegmentOfPart(part);
    if (s < 0) return Show::Describe(part);
    const BodyId body = stage_->figure(0).figure().body(s);
    const dynamics::BodyMotion& motion = stage_->world().motion(body);
    return {parts_[std::size_t(part)].name,
            Note("mass %.2f kg", stage_->world().mass(body).mass),
            Note("height %.3f m", motion.p_WC.y()),
            Note("speed %.2f m/s", motion.v_WC.norm()),
            Note("spin %.2f rad/s", motion.w_WB.norm())};
  }

 private:
  struct State {
    std::vector<Transform> X_WB;  ///< Per segment.
    std::vector<Vector3> balls;
    double root_help = 0.0;
    double error = 0.0;  ///< Largest, of a joint [deg].
  };

  static std::string Note(const char* format, double value) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
  }

  int SegmentOfPart(int part) const {
    return part >= 0 && std::size_t(part) < X_BS_.size()
               ? segment_of_part_[std::size_t(part)]
               : -1;
  }

  std::vector<int> Arms() const {
    std::vector<int> arms;
    for (const Role role :
         {Role::kLeftUpperArm, Role::kLeftForearm, Role::kLeftHand,
          Role::kRightUpperArm, Role::kRightForearm, Role::kRightHand}) {
      const int s = model_->SegmentOf(role);
      if (s >= 0 && std::ranges::find(arms, s) == arms.end()) {
        arms.push_back(s);
      }
    }
    return arms;
  }

  void Keep() {
    State& state = kept_.emplace_back();
    const figure::ArticulatedFigure& body = stage_->figure(0).figure();
    for (int s = 0; s < body.num_segments(); ++s) {
      state.X_WB.push_back(stage_->world().X_WB(body.body(s)));
    }
    for (const BodyId ball : balls_) {
      state.balls.push_back(stage_->world().motion(ball).p_WC);
    }
    const std::vector<figure::StepRecord>& steps = stage_->recorder(0).steps();
    if (steps.empty()) return;
    state.root_help = steps.back().root_help;
    for (const double error : steps.back().error) {
      state.error = std::max(state.error, error * 180.0 / kPi);
    }
  }

  const State& At(double time) {
    const double clamped = std::clamp(time, 0.0, duration());
    const auto frame = std::size_t(std::lround(clamped / kFrame));
    while (kept_.size() <= frame) {
      const double until = double(kept_.size()) * kFrame;
      while (stage_->time() < until - 0.5 * stage_->step()) stage_->Step();
      Keep();
    }
    last_drawn_ = kept_[frame].X_WB;
    return kept_[frame];
  }

  std::shared_ptr<const Motion> motion_;
  std::shared_ptr<const FigureModel> model_;
  std::unique_ptr<Show> clip_;
  std::unique_ptr<Show> ghost_;
  std::vector<Part> parts_;
  std::vector<int> segment_of_part_;
  std::vector<Transform> X_BS_;
  std::unique_ptr<figure::Stage> stage_;
  std::shared_ptr<figure::AnimationController> task_;
  std::vector<State> kept_;
  std::vector<Transform> last_drawn_;
  std::vector<BodyId> balls_;
  dynamics::PointNail* nail_ = nullptr;
  Mode mode_ = kKinematic;
};

}  // namespace

std::unique_ptr<Show> ShowPerformance(
    std::shared_ptr<const Motion> motion,
    std::shared_ptr<const FigureModel> figure) {
  return std::make_unique<PerformanceShow>(std::move(motion),
                                           std::move(figure));
}

}  // namespace limber::viewer
