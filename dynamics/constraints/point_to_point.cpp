// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/point_to_point.h"

#include <stdexcept>
#include <utility>

#include "dynamics/constraints/internal/entry_sum.h"
#include "dynamics/constraints/internal/seen_row.h"
#include "dynamics/internal/arguments.h"

namespace limber::dynamics {
namespace {

// Three rows along the world's axes on the velocity of B less that of A.
void AddDifferenceRows(BodyMotions bodies, BodyId body_a, const PointMotion& a,
                       BodyId body_b, const PointMotion& b,
                       const Vector3& error, const RowSettings& settings,
                       RowBuffer& rows) {
  for (int i = 0; i < 3; ++i) {
    rows.Add(error[i], 0.0, b.drift[i] - a.drift[i], settings);
    EntrySum entries(bodies);
    entries.AtPoint(body_a, a.position, -Vector3::Unit(i));
    entries.AtPoint(body_b, b.position, Vector3::Unit(i));
    entries.MoveInto(rows);
  }
}

}  // namespace

PointToPoint::PointToPoint(const BodyPoint& a, const BodyPoint& b, Axes axes)
    : Link("PointToPoint", {a.body, b.body}), a_(a), b_(b), axes_(axes) {
  RequireTwoBodies(a.body, b.body, "PointToPoint");
  if (b.body == kGround) axes_ = Axes::kWorld;
}

void PointToPoint::AddRows(BodyMotions bodies, double /*time*/,
                           RowBuffer& rows) const {
  if (axes_ == Axes::kWorld) {
    const PointMotion a = MotionOfPoint(bodies, a_);
    const PointMotion b = MotionOfPoint(bodies, b_);
    AddDifferenceRows(bodies, a_.body, a, b_.body, b, b.position - a.position,
                      LengthSettings(), rows);
    return;
  }
  const SeenPoint seen = SeeFrom(bodies, a_.body, b_);
  for (int i = 0; i < 3; ++i) {
    AddSeenRow(bodies, a_.body, b_.body, seen, seen.x[i] - a_.p_BA[i],
               Vector3::Unit(i), 0.0, LengthSettings(), rows);
  }
}

PointNail::PointNail(const BodyPoint& point, const Vector3& p_WN)
    : Link("PointNail", {point.body}), point_(point), p_WN_(p_WN) {}

void PointNail::AddRows(BodyMotions bodies, double /*time*/,
                        RowBuffer& rows) const {
  const PointMotion a = MotionOfPoint(bodies, point_);
  AddDifferenceRows(bodies, kGround, {}, point_.body, a, a.position - p_WN_,
                    LengthSettings(), rows);
}

bool PointNail::GetPointForm(double /*time*/, PointForm& form) const {
  form = {point_.body, point_.p_BA, p_WN_, Vector3::Zero(), &settings()};
  return true;
}

PointOnPath::PointOnPath(const BodyPoint& point, Path path)
    : Link("PointOnPath", {point.body}), point_(point), path_(std::move(path)) {
  if (!path_) throw std::invalid_argument("PointOnPath: path is empty");
}

void PointOnPath::AddRows(BodyMotions bodies, double time,
                          RowBuffer& rows) const {
  const PointMotion a = MotionOfPoint(bodies, point_);
  const Sample x = path_(time);
  const int first = rows.size();
  AddDifferenceRows(bodies, kGround, {}, point_.body, a,
                    a.position - x.position, LengthSettings(), rows);
  for (int i = 0; i < 3; ++i) {
    rows.row(first + i).rate_bias = -x.velocity[i];
    rows.row(first + i).acceleration_bias -= x.acceleration[i];
  }
}

bool PointOnPath::GetPointForm(double time, PointForm& form) const {
  const Sample x = path_(time);
  form = {point_.body, point_.p_BA, x.position, x.velocity, &settings()};
  return true;
}

VelocityMatch::VelocityMatch(const BodyPoint& a, const BodyPoint& b)
    : Link("VelocityMatch", {a.body, b.body}), a_(a), b_(b) {
  RequireTwoBodies(a.body, b.body, "VelocityMatch");
}

void VelocityMatch::AddRows(BodyMotions bodies, double /*time*/,
                            RowBuffer& rows) const {
  AddDifferenceRows(bodies, a_.body, MotionOfPoint(bodies, a_), b_.body,
                    MotionOfPoint(bodies, b_), Vector3::Zero(),
                    LengthSettings(), rows);
}

}  // namespace limber::dynamics
