// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/internal/simulated_show.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "dynamics/collision/shape.h"
#include "viewer/internal/glyphs.h"

namespace limber::viewer::internal {

namespace {

using Clock = std::chrono::steady_clock;
using dynamics::BodyId;

constexpr std::size_t kMostBalls = 8;
constexpr double kBallRadius = 0.09;  // [m]
constexpr double kBallMass = 1.5;     // [kg]
constexpr double kBallSpeed = 15.0;   // [m/s]
/// The pointer pulls like a spring, along each axis at most so hard.
constexpr double kPullForce = 600.0;       // [N]
constexpr double kPullStiffness = 3000.0;  // [N/m]
constexpr double kPullDamping = 150.0;     // [N s/m]

double Seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

std::string Note(const char* format, double value) {
  char text[80];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::size_t SimulatedShow::IndexAt(double time) const {
  const double clamped = std::clamp(time, 0.0, duration());
  return static_cast<std::size_t>(std::lround(clamped / kFrame));
}

double SimulatedShow::Prepare(double time, double budget) {
  const std::size_t wanted = IndexAt(time);
  const Clock::time_point begin = Clock::now();
  while (frames_.size() <= wanted) {
    AddFrame();
    if (Seconds(Clock::now() - begin) > budget) break;
  }
  return frames_.size() > wanted ? time : live_time();
}

double SimulatedShow::live_time() const {
  return kFrame * static_cast<double>(frames_.size() - 1);
}

const SimulatedShow::Frame& SimulatedShow::At(double time) {
  shown_ = IndexAt(time);
  while (frames_.size() <= shown_) AddFrame();
  return frames_[shown_];
}

void SimulatedShow::Begin() {
  nail_ = nullptr;
  balls_.clear();
  frames_.clear();
  collected_.clear();
  num_collected_steps_ = 0;
  collected_seconds_ = 0.0;
  shown_ = 0;
  AddFrame();
}

void SimulatedShow::AddFrame() {
  while (!FrameIsOver()) {
    const Clock::time_point begin = Clock::now();
    StepWorld();
    collected_seconds_ += Seconds(Clock::now() - begin);
    ++num_collected_steps_;
    CollectContacts();
  }
  KeepFrame();
}

void SimulatedShow::AfterWatchedStep() {
  ++num_collected_steps_;
  CollectContacts();
  while (FrameIsOver()) KeepFrame();
}

double SimulatedShow::NextFrameTime() const {
  return kFrame * static_cast<double>(frames_.size());
}

bool SimulatedShow::FrameIsOver() const {
  return world().time() >= NextFrameTime() - 0.5 * step();
}

void SimulatedShow::KeepFrame() {
  Frame frame;
  for (int b = 0; b < world().num_bodies(); ++b) {
    frame.X_WB.push_back(world().X_WB(BodyId{b}));
  }
  const double steps =
      static_cast<double>(std::max<std::size_t>(1, num_collected_steps_));
  frame.step_seconds = collected_seconds_ / steps;
  frame.contacts = ContactForces(steps * step());
  collected_.clear();
  num_collected_steps_ = 0;
  collected_seconds_ = 0.0;
  FillFrame(frame);
  frames_.push_back(std::move(frame));
}

void SimulatedShow::CollectContacts() {
  // One for each pair of bodies that meets in a place.
  constexpr double kOnePlace = 0.03;  // [m]
  for (const dynamics::Contact& contact : world().contacts()) {
    if (!(contact.normal_impulse > 0.0)) continue;
    const auto same = std::ranges::find_if(collected_, [&](const Touch& old) {
      return old.a == contact.body_a && old.b == contact.body_b &&
             (old.p_W - contact.p_W).norm() < kOnePlace;
    });
    Touch& touch = same == collected_.end() ? collected_.emplace_back() : *same;
    touch.a = contact.body_a;
    touch.b = contact.body_b;
    touch.p_W = contact.p_W;
    touch.impulse +=
        contact.normal_impulse * contact.normal_W + contact.friction_impulse_W;
    touch.sliding = contact.state == dynamics::Contact::State::kSliding;
  }
}

std::vector<ForceOnBody> SimulatedShow::ContactForces(double seconds) const {
  std::vector<ForceOnBody> forces;
  for (const Touch& touch : collected_) {
    ForceOnBody on;
    on.p_W = touch.p_W;
    on.sliding = touch.sliding;
    // The force is what acts on the body that can move.
    const bool b_is_fixed = touch.b == dynamics::kGround;
    on.body = touch.b;
    on.other = touch.a.value;
    on.force = touch.impulse / seconds;
    on.reaction = b_is_fixed;
    forces.push_back(on);
    on.body = touch.a;
    on.other = touch.b.value;
    on.force = -on.force;
    on.reaction = !b_is_fixed;
    forces.push_back(on);
  }
  return forces;
}

void SimulatedShow::PushBody(BodyId body, const Vector3& impulse_W) {
  world().ApplyForce(body, world().mass(body).p_BC, impulse_W / step());
}

bool SimulatedShow::Grab(int part, const Vector3& p_W) {
  const std::optional<BodyId> body = BodyOf(part);
  if (!body) return false;
  Release();
  // The picture may be older than the simulation: the same point of the body.
  grabbed_ = *body;
  const auto index = static_cast<std::size_t>(body->value);
  p_BA_ = shown().X_WB[index].Inverse() * p_W;
  nail_ = &world().Add(
      dynamics::PointNail({grabbed_, p_BA_}, world().X_WB(grabbed_) * p_BA_));
  dynamics::RowSettings settings;
  settings.lo = -kPullForce;
  settings.hi = kPullForce;
  settings.stabilisation =
      dynamics::Stabilisation::Spring(kPullStiffness, kPullDamping);
  nail_->set_settings(settings);
  return true;
}

void SimulatedShow::Pull(const Vector3& target_W) {
  if (nail_ != nullptr) nail_->set_p_WN(target_W);
}

void SimulatedShow::Release() {
  if (nail_ != nullptr) world().Remove(*nail_);
  nail_ = nullptr;
}

std::optional<Vector3> SimulatedShow::grabbed_point() const {
  if (nail_ == nullptr) return std::nullopt;
  return world().X_WB(grabbed_) * p_BA_;
}

void SimulatedShow::AddBalls() {
  for (std::size_t i = 0; i < kMostBalls; ++i) {
    Part ball;
    ball.shape.radius = kBallRadius;
    ball.colour = Colour(0.30, 0.32, 0.36);
    ball.name = "ball";
    parts_.push_back(ball);
  }
}

void SimulatedShow::Fire(const Vector3& eye, const Vector3& direction) {
  if (balls_.size() == kMostBalls) return;
  dynamics::BodySpec ball;
  ball.name = "ball";
  ball.mass = dynamics::MassOfSphere(kBallRadius,
                                     dynamics::Material::WithMass(kBallMass));
  ball.X_WB.p = eye + 0.5 * direction;
  ball.v_WC = kBallSpeed * direction;
  const BodyId id = world().AddBody(ball);
  dynamics::ColliderSpec collider;
  collider.shape = dynamics::Shape::Sphere(kBallRadius);
  collider.surface.restitution = 0.4;
  world().AddCollider(id, collider);
  balls_.push_back(id);
}

void SimulatedShow::Push(int part, const Vector3& impulse_W) {
  if (const std::optional<BodyId> body = BodyOf(part)) {
    PushBody(*body, impulse_W);
  }
}

std::vector<std::string> SimulatedShow::Describe(int part) const {
  std::vector<std::string> lines = Show::Describe(part);
  const std::optional<BodyId> body = BodyOf(part);
  if (!body) return lines;
  const dynamics::MassProperties& mass = world().mass(*body);
  const auto index = static_cast<std::size_t>(body->value);
  const Transform& X_WB = shown().X_WB[index];
  lines.push_back(Note("mass %.2f kg", mass.mass));
  lines.push_back(Note("height %.3f m", (X_WB * mass.p_BC).y()));
  if (shown_ == 0 || frames_[shown_ - 1].X_WB.size() <= index) return lines;
  // Means over the frame.
  const Transform& last = frames_[shown_ - 1].X_WB[index];
  lines.push_back(Note("speed %.2f m/s",
                       (X_WB * mass.p_BC - last * mass.p_BC).norm() / kFrame));
  lines.push_back(
      Note("spin %.2f rad/s", AngleBetween(last.R, X_WB.R) / kFrame));
  return lines;
}

void SimulatedShow::DrawBalls(const Frame& frame, Picture& picture) const {
  for (std::size_t i = 0; i < kMostBalls; ++i) {
    const bool there =
        i < balls_.size() &&
        static_cast<std::size_t>(balls_[i].value) < frame.X_WB.size();
    picture.poses.push_back(
        there ? frame.X_WB[static_cast<std::size_t>(balls_[i].value)]
              : kHidden);
  }
}

void SimulatedShow::DrawForces(const Frame& frame, Picture& picture) const {
  const auto draw = [&](const ForceOnBody& on) {
    if (on.reaction ? !layers().reactions : !layers().forces) return;
    picture.signs.push_back({Sign::Kind::kArrow, on.p_W,
                             force_scale_ * on.force,
                             on.reaction ? palette::kReaction : palette::kForce,
                             true, on.body.value, on.other});
  };
  for (const ForceOnBody& on : frame.forces) draw(on);
  for (const ForceOnBody& on : frame.contacts) {
    draw(on);
    if (!layers().contacts || on.reaction) continue;
    picture.signs.push_back(
        {Sign::Kind::kTouch, on.p_W, force_scale_ * on.force,
         on.sliding ? palette::kSliding : palette::kSticking, true,
         on.body.value, on.other});
  }
  if (layers().mass_centre) {
    const Vector3& c = frame.mass_centre;
    AddCross(c, 0.06, palette::kMassCentre, picture.lines);
    picture.lines.push_back(
        {c, Vector3(c.x(), 0.0, c.z()), palette::kMassCentre, true});
  }
  if (layers().forces || layers().reactions) {
    picture.notes.push_back(Note("arrow of 1 m: %.0f N", 1.0 / force_scale_));
  }
}

}  // namespace limber::viewer::internal
