// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/forces/spring_damper.h"

#include <algorithm>

#include "dynamics/forces/internal/followed.h"
#include "dynamics/internal/arguments.h"
#include "dynamics/internal/pair_force.h"
#include "dynamics/internal/unit_motion.h"

namespace limber::dynamics {

SpringDamper::SpringDamper(const BodyPoint& a, const BodyPoint& b,
                           const SpringDamperSettings& settings)
    : a_(a), b_(b), bodies_{a.body, b.body} {
  RequireTwoBodies(a.body, b.body, "SpringDamper");
  set_settings(settings);
}

void SpringDamper::set_settings(const SpringDamperSettings& settings) {
  RequireNotNegative(settings.stiffness, "SpringDamper: stiffness");
  RequireFinite(settings.stiffness, "SpringDamper: stiffness");
  RequireNotNegative(settings.damping, "SpringDamper: damping");
  RequireFinite(settings.damping, "SpringDamper: damping");
  RequireNotNegative(settings.rest_length, "SpringDamper: rest_length");
  RequireFinite(settings.rest_length, "SpringDamper: rest_length");
  settings_ = settings;
}

void SpringDamper::AddForces(BodyMotions bodies, double /*time*/, double h,
                             ForceBuffer& forces) {
  const UnitMotion d =
      MotionOfUnit(MotionOfPoint(bodies, a_), MotionOfPoint(bodies, b_));
  double x = d.length;
  if (settings_.predict_half_step) x += 0.5 * h * d.length_rate;
  force_ = settings_.stiffness * (x - settings_.rest_length) +
           settings_.damping * d.length_rate;
  // Without a direction there is nothing to pull along.
  if (d.length < kShortestDirection) return;
  AddPairForce(a_, b_, -force_ * d.n, forces);
}

void SpringDamper::BeginStep(BodyMotions bodies, const Mobility& mobility,
                             double h) {
  const Vector3 p_WA = MotionOf(bodies, a_.body).Point(a_.p_BA);
  const Vector3 p_WB = MotionOf(bodies, b_.body).Point(b_.p_BA);
  const Vector3 d = p_WB - p_WA;
  const double x = d.norm();
  axes_[0] =
      x < kShortestDirection ? Vector3(Vector3::UnitX()) : Vector3(d / x);
  axes_[1] = AnyPerpendicular(axes_[0]);
  axes_[2] = axes_[0].cross(axes_[1]);
  const auto response = [&](const Vector3& axis) {
    return mobility.AtPoint(a_.body, p_WA, axis) +
           mobility.AtPoint(b_.body, p_WB, axis);
  };
  const double k = settings_.stiffness;
  const double damping = settings_.damping;
  const double W = response(axes_[0]);
  start_ = x - settings_.rest_length;
  mode_ = IsFollowed(k, damping, W, h) ? Mode::kMean : Mode::kEnd;
  if (mode_ == Mode::kMean) return;
  // Across the line a taut spring pulls back as one of f / x, with f that of
  // the last step or what it will be if nothing else acts.
  const double rate =
      axes_[0].dot(MotionOf(bodies, b_.body).PointVelocity(p_WB) -
                   MotionOf(bodies, a_.body).PointVelocity(p_WA));
  const double expected = (k * start_ + (h * k + damping) * rate) /
                          (1.0 + h * (h * k + damping) * W);
  const double f = std::max({0.0, force_, expected});
  // Where there is no line it does so as along it, if it wants to be there.
  stiffness_across_ =
      settings_.rest_length == 0.0 ? k : f / std::max(x, kShortestDirection);
  const double across = std::max(response(axes_[1]), response(axes_[2]));
  if (!IsFollowed(stiffness_across_, 0.0, across, h)) mode_ = Mode::kEndAcross;
}

void SpringDamper::AddRows(BodyMotions bodies, RowBuffer& rows) const {
  const PointMotion a = MotionOfPoint(bodies, a_);
  const PointMotion b = MotionOfPoint(bodies, b_);
  const auto add = [&](double error, const Vector3& axis,
                       const Stabilisation& stabilisation, double start) {
    RowSettings settings;
    settings.stabilisation = stabilisation;
    rows.Add(error, 0.0, 0.0, settings).start = start;
    if (a_.body != kGround) {
      rows.TouchPoint(bodies, a_.body, a.position, -axis);
    }
    if (b_.body != kGround) rows.TouchPoint(bodies, b_.body, b.position, axis);
  };
  const double k = settings_.stiffness;
  const Vector3 d = b.position - a.position;
  const Stabilisation at_end = Stabilisation::EndSpring(k, settings_.damping);
  // Beyond the point where the ends meet x goes on below zero.
  const double size = d.norm();
  double x = axes_[0].dot(d) < 0.0 ? -size : size;
  Vector3 n = size < kShortestDirection ? axes_[0] : Vector3(d / x);
  if (mode_ == Mode::kEndAcross && settings_.rest_length == 0.0) {
    // Three rows are the vector d itself.
    n = axes_[0];
    x = n.dot(d);
  }
  add(x - settings_.rest_length, n,
      mode_ == Mode::kMean ? Stabilisation::MeanSpring(k, settings_.damping)
                           : at_end,
      start_);
  if (mode_ != Mode::kEndAcross) return;
  for (const Vector3& axis : {axes_[1], axes_[2]}) {
    add(axis.dot(d), axis, Stabilisation::EndSpring(stiffness_across_, 0.0),
        0.0);
  }
}

void SpringDamper::TakeForces(std::span<const double> row_forces) {
  force_ = -row_forces[0];
}

void SpringDamper::SaveMemory(std::vector<double>& memory) const {
  memory.push_back(force_);
}

std::span<const double> SpringDamper::RestoreMemory(
    std::span<const double> memory) {
  force_ = memory[0];
  return memory.subspan(1);
}

}  // namespace limber::dynamics
