// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/internal/edit_playing.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/index.h"
#include "dynamics/collision/shape.h"
#include "figure/dynamic/colliders.h"
#include "figure/motion_track.h"

namespace limber::figure::internal {

namespace {

using dynamics::BodyId;

/// No recorded foot that stands slides faster; a faster one swings [m/s].
constexpr double kFastestSlide = 2.0;

/// Nothing that a step can follow is faster [m/s].
constexpr double kFastest = 1e4;

/// Turning a body that stands on two feet needs more help than shifting it:
/// twice that of `RootServo::Helping`.
constexpr double kTurnHelp = 2.0;

/// Time of letting go [s].
constexpr double kLettingGo = 0.15;

/// A root that lifts: its virtual mass as a share of the body's, how far its
/// pull grows with the distance [m], and its bound in body weights.
constexpr double kLiftMass = 1.0;
constexpr double kLiftPull = 0.6;
constexpr double kLiftWeights = 1.6;

}  // namespace

void PlaceSegments(const ArticulatedFigure& figure, const SegmentPose& X_PB,
                   std::vector<Transform>& X_WB) {
  X_WB.resize(X_PB.size());
  for (std::size_t s = 0; s < X_PB.size(); ++s) {
    const int parent = figure.segment(static_cast<int>(s)).parent;
    X_WB[s] = parent < 0 ? X_PB[s] : X_WB[Index(parent)] * X_PB[s];
  }
}

void EditTask::Reference(const ArticulatedFigure& figure, double time,
                         SegmentPose& X_PB) {
  AnimationController::Reference(figure, time, X_PB);
  const bool moved = X_T_.p != Vector3::Zero() ||
                     X_T_.R.coeffs() != Quaternion::Identity().coeffs();
  for (int s = 0; s < figure.num_segments(); ++s) {
    if (!figure.is_root(s)) continue;
    if (moved) X_PB[Index(s)] = X_T_ * X_PB[Index(s)];
    X_PB[Index(s)].p.y() += hover_;
    if (rise_) X_PB[Index(s)].p.y() += rise_(X_PB[Index(s)].p);
  }
}

Playing::Playing(std::shared_ptr<const SmoothMotion> reference,
                 const std::shared_ptr<const FigureModel>& model, double floor,
                 const EditSettings& settings, bool touches)
    : stage_({.world = {}, .rate_hz = settings.rate_hz}), floor_(floor) {
  MotionTrack track;
  track.Append(std::move(reference));
  task_ = std::make_shared<EditTask>(
      std::move(track),
      StrengthSchedule(model->num_segments(), settings.strength));
  LetGo rule;  // Never by itself: `Editing` says when.
  rule.duration = kLettingGo;
  task_->set_let_go(rule);
  performer_ = &stage_.AddFigure("figure", model, task_);
  if (settings.floor || touches) {
    colliders_ = AddColliders(stage_.world(), figure());
    segment_of_body_.assign(Index(stage_.world().num_bodies()), -1);
    for (int s = 0; s < model->num_segments(); ++s) {
      segment_of_body_[Index(figure().body(s).value)] = s;
    }
    slides_.assign(colliders_.size(), Vector3::Zero());
  }
  if (!settings.floor) return;
  dynamics::ColliderSpec plane;
  plane.shape = dynamics::Shape::Plane();
  plane.X_BS.p.y() = floor;
  floor_id_ = stage_.world().AddCollider(dynamics::kGround, plane);
  at_rest_ = RootServo::Helping(model->total_mass());
  at_rest_.turn_softness /= kTurnHelp;
  for (int s = 0; s < model->num_segments(); ++s) {
    if (!figure().is_root(s)) continue;
    performer_->set_raw(s, std::make_shared<RootServo>(at_rest_));
  }
}

void Playing::SetLift(double share) {
  lift_ = share;
  if (at_rest_.softness == 0.0) return;
  RootServo& servo = performer_->root_servo();
  const double mass = figure().model().total_mass();
  // Virtual masses add up, so that help grows evenly.
  const double usual = 1.0 / at_rest_.softness;
  servo.softness = 1.0 / (usual + share * (kLiftMass * mass - usual));
  const double usual_turn = 1.0 / at_rest_.turn_softness;
  servo.turn_softness = 1.0 / (usual_turn * (1.0 + 2.0 * share));
  servo.max_pull = at_rest_.max_pull + share * (kLiftPull - at_rest_.max_pull);
  servo.max_force = (1.0 + share * (kLiftWeights - 1.0)) * at_rest_.max_force;
}

void Playing::MoveFloor(const Vector3& normal, double rise, double duration) {
  dynamics::World& world = stage_.world();
  const Vector3 n = normal.normalized();
  const Transform X_root = performer_->actual()[0];
  const Vector3 pivot(X_root.p.x(), floor_ + rise, X_root.p.z());
  // A plane on a body that only its velocity moves.
  if (floor_body_ == dynamics::kGround) {
    world.RemoveCollider(floor_id_);
    dynamics::BodySpec body;
    body.kind = dynamics::BodyKind::kKinematic;
    body.name = "floor";
    body.X_WB.p = Vector3(pivot.x(), floor_, pivot.z());
    floor_body_ = world.AddBody(body);
    dynamics::ColliderSpec plane;
    plane.shape = dynamics::Shape::Plane();
    floor_id_ = world.AddCollider(floor_body_, plane);
  }
  const Transform from = world.X_WB(floor_body_);
  const double h = stage_.step();
  const auto steps = std::max(1LL, std::llround(duration / h));
  const double time = static_cast<double>(steps) * h;
  const Vector3 turn =
      LogRotation(Quaternion::FromTwoVectors(from.R * Vector3::UnitY(), n));
  // The plane's own point below the pivot, so that it ends at the pivot.
  const Vector3 n_from = from.R * Vector3::UnitY();
  const double below = n_from.dot(from.p - pivot) / n_from.y();
  world.SetPose(floor_body_, {from.R, pivot + Vector3(0.0, below, 0.0)});
  world.SetVelocity(floor_body_, Vector3(0.0, -below / time, 0.0), turn / time);
  const BodyId body = floor_body_;
  stage_.At(stage_.time() + time, [body, pivot, n](Stage& on) {
    on.world().SetVelocity(body, Vector3::Zero(), Vector3::Zero());
    on.world().SetPose(
        body, {Quaternion::FromTwoVectors(Vector3::UnitY(), n), pivot});
  });
  task_->set_rise([this](const Vector3& p) { return FloorAt(p) - floor_; });
}

Transform Playing::X_WFloor() const {
  if (floor_body_ == dynamics::kGround) {
    return {Quaternion::Identity(), Vector3(0.0, floor_, 0.0)};
  }
  return stage_.world().X_WB(floor_body_);
}

double Playing::FloorAt(const Vector3& p_W) const {
  if (floor_body_ == dynamics::kGround) return floor_;
  const dynamics::BodyMotion& plane = stage_.world().motion(floor_body_);
  const Vector3 up = plane.R_WB.col(1);
  return p_W.y() + up.dot(plane.p_WB - p_W) / up.y();
}

void Playing::Follow(const Playing& other, const Transform& X_T) {
  dynamics::World& world = stage_.world();
  for (int s = 0; s < figure().num_segments(); ++s) {
    const dynamics::BodyMotion& there = other.motion(s);
    world.SetPose(figure().body(s), X_T * Transform{there.q_WB, there.p_WB});
    world.SetVelocity(figure().body(s), X_T.R * there.v_WC, X_T.R * there.w_WB);
  }
}

// The surface of a foot runs backwards at the speed at which the clip's foot
// slides, so that it sticks to a floor on which that foot would slide so.
void Playing::SlideFloor() {
  const std::vector<Transform>& now = X_WB_now_;
  const std::vector<Transform>& after = X_WB_after_;
  const Demand& demand = performer_->demand();
  PlaceSegments(figure(), demand.now, X_WB_now_);
  PlaceSegments(figure(), demand.after, X_WB_after_);
  std::vector<Vector3> slides(slides_.size(), Vector3::Zero());
  std::vector<int> counts(slides_.size(), 0);
  std::vector<bool> elsewhere(slides_.size(), false);
  for (const dynamics::Contact& contact : stage_.world().contacts()) {
    for (const BodyId body : {contact.body_a, contact.body_b}) {
      if (Index(body.value) >= segment_of_body_.size()) continue;
      const int s = segment_of_body_[Index(body.value)];
      if (s < 0) continue;
      // Only the floor slides: what touches something else does not.
      if (contact.collider_a != floor_id_ && contact.collider_b != floor_id_) {
        elsewhere[Index(s)] = true;
        continue;
      }
      const dynamics::BodyMotion& foot = stage_.world().motion(body);
      const Vector3 p_B = foot.q_WB.conjugate() * (contact.p_W - foot.p_WB);
      slides[Index(s)] +=
          (after[Index(s)] * p_B - now[Index(s)] * p_B) / stage_.step();
      ++counts[Index(s)];
    }
  }
  // Whoever lets go lies on the floor like a thing.
  const double share =
      std::min(1.0, task_->StrengthOf(0, stage_.time()).torque);
  for (std::size_t s = 0; s < slides.size(); ++s) {
    Vector3& v = slides[s];
    if (counts[s] > 0) v *= share / counts[s];
    if (elsewhere[s]) v.setZero();
    v.y() = 0.0;
    const double speed = v.norm();
    if (speed > kFastestSlide) v *= kFastestSlide / speed;
    if (v == slides_[s]) continue;
    slides_[s] = v;
    dynamics::ContactSurface surface = surface_;
    surface.surface_velocity =
        -(motion(static_cast<int>(s)).q_WB.conjugate() * v);
    for (const dynamics::ColliderId id : colliders_[s]) {
      stage_.world().SetSurface(id, surface);
    }
  }
}

void Playing::NoteOverlap() {
  for (const dynamics::Contact& contact : stage_.world().contacts()) {
    for (const BodyId body : {contact.body_a, contact.body_b}) {
      if (body == dynamics::kGround || body == floor_body_) {
        deepest_ = std::max(deepest_, -contact.distance);
      }
    }
  }
}

void Playing::Step() {
  if (!colliders_.empty() && stage_.time() > 0.0) SlideFloor();
  bool finite = true;
  try {
    stage_.Step();
    finite = figure().IsFinite(stage_.world());
    for (int s = 0; s < figure().num_segments(); ++s) {
      finite = finite && motion(s).v_WC.norm() < kFastest;
    }
  } catch (const std::invalid_argument&) {
    // What is no number has no place among the contacts; any other reason is
    // told as it is.
    finite = figure().IsFinite(stage_.world());
    if (finite) throw;
  }
  if (!finite) {
    throw std::runtime_error(
        "the figure's motion is no number any more, or beyond all measure, " +
        std::to_string(stage_.time()) +
        " s after its start: an event, or the clip itself, is too violent for "
        "steps of " +
        std::to_string(stage_.step()) + " s");
  }
  NoteOverlap();
}

}  // namespace limber::figure::internal
