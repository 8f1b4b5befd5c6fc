// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/goals.h"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace limber::figure {

using dynamics::PointNail;
using dynamics::PointOnPath;
using dynamics::RowSettings;
using dynamics::Stabilisation;

namespace {

/// Of the rows that hold a segment [1/kg, 1/(kg m^2)].
constexpr double kHoldSoftness = 0.02;
constexpr double kHoldTurnSoftness = 1.0;

/// Root of the sum of the squared impulses of the last step.
double Size(const dynamics::Constraint& constraint) {
  double sum = 0.0;
  for (const double impulse : constraint.impulses()) sum += impulse * impulse;
  return std::sqrt(sum);
}

}  // namespace

PointAt::PointAt(Stage& stage, dynamics::BodyId body, const Vector3& p_BA,
                 std::function<Vector3(double time)> target)
    : body_(body), p_BA_(p_BA), target_(std::move(target)) {
  if (!target_) throw std::invalid_argument("PointAt: target is empty");
  nail_ = &stage.world().Add(PointNail({body, p_BA}, target_(stage.time())));
  set_max_force(200.0);
}

void PointAt::set_max_force(double newton) {
  RowSettings settings;
  settings.lo = -newton;
  settings.hi = newton;
  settings.stabilisation = Stabilisation::Implicit();
  nail_->set_settings(settings);
}

void PointAt::set_enabled(bool enabled) {
  nail_->set_enabled(enabled);
  last_target_.reset();
}

double PointAt::Distance(const Stage& stage) const {
  return (stage.world().motion(body_).Point(p_BA_) - target_(stage.time()))
      .norm();
}

void PointAt::BeforeStep(Stage& stage, double h) {
  if (!nail_->enabled()) return;
  const double t = stage.time();
  const Vector3 p_WA = stage.world().motion(body_).Point(p_BA_);
  const Vector3 now = target_(t);
  Vector3 next = target_(t + h);
  if (next == now && last_target_) next += now - *last_target_;
  const Vector3 e_now = p_WA - now;
  const Vector3 e_before = last_target_ ? last_error_ : e_now;
  const double rho = time_constant > 0.0 ? std::exp(-h / time_constant) : 0.0;
  nail_->set_p_WN(next + NextError(e_now, e_before, rho, max_pull));
  last_target_ = now;
  last_error_ = e_now;
}

HoldSegment::HoldSegment(Stage& stage, dynamics::BodyId body,
                         const Vector3& p_BC,
                         std::function<Transform(double time)> wanted,
                         double max_force, double max_torque)
    : p_BC_(p_BC), wanted_(std::move(wanted)) {
  if (!wanted_) throw std::invalid_argument("HoldSegment: wanted is empty");
  dynamics::World& world = stage.world();
  const Transform now = world.X_WB(body);
  nail_ = &world.Add(PointNail({body, p_BC}, now * p_BC));
  turn_ =
      &world.Add(dynamics::AlignOrientation(body, dynamics::kGround, now.R));
  RowSettings settings;
  settings.stabilisation = Stabilisation::Implicit();
  settings.lo = -max_force;
  settings.hi = max_force;
  settings.softness = kHoldSoftness;
  nail_->set_settings(settings);
  settings.softness = kHoldTurnSoftness;
  settings.lo = -max_torque;
  settings.hi = max_torque;
  turn_->set_settings(settings);
}

void HoldSegment::set_enabled(bool enabled) {
  nail_->set_enabled(enabled);
  turn_->set_enabled(enabled);
}

double HoldSegment::Force(double h) const { return Size(*nail_) / h; }

double HoldSegment::Torque(double h) const { return Size(*turn_) / h; }

void HoldSegment::BeforeStep(Stage& stage, double) {
  if (!nail_->enabled()) return;
  const Transform X_WB = wanted_(stage.time());
  nail_->set_p_WN(X_WB * p_BC_);
  turn_->set_R_RB(X_WB.R);
}

MarkerPull::MarkerPull(Stage& stage, std::vector<Marker> markers, Track track,
                       double stiffness, double carried_mass)
    : track_(std::move(track)) {
  if (!track_) throw std::invalid_argument("MarkerPull: track is empty");
  RowSettings settings;
  settings.stabilisation = Stabilisation::Spring(
      stiffness, 2.0 * std::sqrt(stiffness * carried_mass));
  for (const Marker& marker : markers) {
    Pulled pulled;
    pulled.marker = marker;
    pulled.sample = std::make_unique<PointOnPath::Sample>();
    pulled.since = std::make_unique<double>(0.0);
    const PointOnPath::Sample* sample = pulled.sample.get();
    const double* since = pulled.since.get();
    pulled.constraint = &stage.world().Add(
        PointOnPath({marker.body, marker.p_BA}, [sample, since](double time) {
          PointOnPath::Sample at = *sample;
          at.position += (time - *since) * at.velocity;
          return at;
        }));
    pulled.constraint->set_settings(settings);
    pulled.constraint->set_enabled(false);
    markers_.push_back(std::move(pulled));
  }
}

void MarkerPull::BeforeStep(Stage& stage, double h) {
  const double t = stage.time();
  for (int i = 0; i < num_markers(); ++i) {
    Pulled& pulled = markers_[static_cast<std::size_t>(i)];
    const std::optional<Vector3> now = track_(i, t);
    const std::optional<Vector3> next = track_(i, t + h);
    pulled.constraint->set_enabled(now.has_value() && next.has_value());
    if (!now || !next) continue;
    pulled.sample->position = *now;
    pulled.sample->velocity = (*next - *now) / h;
    *pulled.since = t;
  }
}

std::vector<double> MarkerPull::Distances(const Stage& stage) const {
  std::vector<double> distances;
  for (int i = 0; i < num_markers(); ++i) {
    const Pulled& pulled = markers_[static_cast<std::size_t>(i)];
    const std::optional<Vector3> wanted = track_(i, stage.time());
    if (!wanted) continue;
    const dynamics::BodyMotion& body = stage.world().motion(pulled.marker.body);
    distances.push_back((body.Point(pulled.marker.p_BA) - *wanted).norm());
  }
  return distances;
}

}  // namespace limber::figure
