// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/edges.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "dynamics/constraints/internal/entry_sum.h"
#include "dynamics/internal/unit_motion.h"

namespace limber::dynamics {
namespace {

UnitMotion MotionOfEdge(BodyMotions bodies, const Edge& edge) {
  return MotionOfUnit(MotionOfPoint(bodies, edge.first),
                      MotionOfPoint(bodies, edge.second));
}

// Adds g . a' for the unit vector a of the edge:
//     a' = (1 - a a^T) (p_second' - p_first') / |d|
void AddUnitRate(BodyMotions bodies, const Edge& edge, const UnitMotion& a,
                 const Vector3& g, EntrySum& entries) {
  const Vector3 direction = (g - a.n.dot(g) * a.n) / a.length;
  entries.AtPoint(edge.first.body,
                  MotionOf(bodies, edge.first.body).Point(edge.first.p_BA),
                  -direction);
  entries.AtPoint(edge.second.body,
                  MotionOf(bodies, edge.second.body).Point(edge.second.p_BA),
                  direction);
}

}  // namespace

EdgeAngle::EdgeAngle(const Edge& a, const Edge& b, double angle)
    : Link("EdgeAngle",
           {a.first.body, a.second.body, b.first.body, b.second.body}),
      a_(a),
      b_(b),
      angle_(angle) {
  if (!(angle > 0.0 && angle < kPi)) {
    throw std::invalid_argument(
        "EdgeAngle: angle must lie between 0 and pi, is " +
        std::to_string(angle));
  }
}

void EdgeAngle::AddRows(BodyMotions bodies, double /*time*/,
                        RowBuffer& rows) const {
  const UnitMotion a = MotionOfEdge(bodies, a_);
  const UnitMotion b = MotionOfEdge(bodies, b_);
  // c = cos(C + angle):  c' = -sin C',  c'' = -sin C'' - c C'^2
  const double c = a.n.dot(b.n);
  constexpr double kSmallestSine = 1e-9;
  const double sine = std::max(a.n.cross(b.n).norm(), kSmallestSine);
  const double c_rate = a.rate.dot(b.n) + a.n.dot(b.rate);
  const double c_drift =
      a.drift.dot(b.n) + 2.0 * a.rate.dot(b.rate) + a.n.dot(b.drift);
  const double rate = -c_rate / sine;
  rows.Add(std::atan2(sine, c) - angle_, 0.0,
           -(c_drift + c * rate * rate) / sine, AngleSettings());
  EntrySum entries(bodies);
  AddUnitRate(bodies, a_, a, -b.n / sine, entries);
  AddUnitRate(bodies, b_, b, -a.n / sine, entries);
  entries.MoveInto(rows);
}

EdgesParallel::EdgesParallel(const Edge& a, const Edge& b, BodyMotions bodies)
    : Link("EdgesParallel",
           {a.first.body, a.second.body, b.first.body, b.second.body}),
      a_(a),
      b_(b) {
  AfterStep(bodies, 0.0);
}

void EdgesParallel::AddRows(BodyMotions bodies, double /*time*/,
                            RowBuffer& rows) const {
  const UnitMotion a = MotionOfEdge(bodies, a_);
  const UnitMotion b = MotionOfEdge(bodies, b_);
  const Vector3 cross = a.n.cross(b.n);
  const Vector3 rate = a.rate.cross(b.n) + a.n.cross(b.rate);
  const Vector3 drift =
      a.drift.cross(b.n) + 2.0 * a.rate.cross(b.rate) + a.n.cross(b.drift);
  for (const Vector3* axis : {&u_, &v_}) {
    const PointMotion u = MotionOfDirection(bodies, b_.first.body, *axis);
    rows.Add(
        u.position.dot(cross), 0.0,
        u.drift.dot(cross) + 2.0 * u.rate.dot(rate) + u.position.dot(drift),
        AngleSettings());
    // u . (a' x b + a x b') + (w x u) . (a x b)
    //     = a' . (b x u) + b' . (u x a) + w . (u x (a x b))
    EntrySum entries(bodies);
    AddUnitRate(bodies, a_, a, b.n.cross(u.position), entries);
    AddUnitRate(bodies, b_, b, u.position.cross(a.n), entries);
    entries.Turning(b_.first.body, u.position.cross(cross));
    entries.MoveInto(rows);
  }
}

void EdgesParallel::AfterStep(BodyMotions bodies, double /*time*/) {
  const Vector3 b = MotionOf(bodies, b_.first.body).R_WB.transpose() *
                    MotionOfEdge(bodies, b_).n;
  u_ = AnyPerpendicular(b);
  v_ = b.cross(u_);
}

void EdgesParallel::SaveMemory(std::vector<double>& memory) const {
  memory.insert(memory.end(), {u_.x(), u_.y(), u_.z(), v_.x(), v_.y(), v_.z()});
}

std::span<const double> EdgesParallel::RestoreMemory(
    std::span<const double> memory) {
  u_ = Vector3(memory[0], memory[1], memory[2]);
  v_ = Vector3(memory[3], memory[4], memory[5]);
  return memory.subspan(6);
}

}  // namespace limber::dynamics
