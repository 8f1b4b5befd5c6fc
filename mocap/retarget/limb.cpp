// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/limb.h"

#include <algorithm>
#include <cmath>

namespace limber::mocap {

namespace {

constexpr double kUsual = 0.19;  // |a x b| / ℓ² at 45 degrees.
constexpr double kLeast = 0.1;   // Of that: limbs that are all but straight.
/// Where |a x b| / ℓ² is kLeast of the usual, for bones of equal length [rad].
constexpr double kStraightBend = 4.0 * kUsual * kLeast;

/// The smallest rotation from direction `from` to direction `to`.
Quaternion SmallestTurn(const Vector3& from, const Vector3& to) {
  return Quaternion::FromTwoVectors(from, to);
}

}  // namespace

LimbTurn ReachFor(const Limb& limb, const Vector3& d) {
  LimbTurn turn;
  const double length_a = limb.a.norm();
  const double wanted = d.norm();
  if (length_a <= 0.0 || limb.b.norm() <= 0.0 || wanted <= 0.0) {
    turn.lack = d - limb.a - limb.b;
    turn.miss = turn.lack.norm();
    return turn;
  }
  if ((limb.a + limb.b - d).norm() <= 1e-14 * wanted) return turn;

  const Vector3 along = limb.a / length_a;
  Vector3 n = limb.hinge - along * along.dot(limb.hinge);
  // A hinge along the bone bends nothing: take the plane the limb is in.
  if (n.norm() < 1e-6) n = limb.a.cross(limb.b);
  n = n.norm() < 1e-12 * length_a ? AnyPerpendicular(along) : n.normalized();
  const Vector3 side = n.cross(along);
  const Vector3 b_flat = limb.b - n * n.dot(limb.b);
  const double length_flat = b_flat.norm();
  const double theta = std::atan2(side.dot(b_flat), along.dot(b_flat));

  // Straight knees of recordings bend back by a degree: they keep their side
  // beyond this, and below it where hardly any other bend is wanted; otherwise
  // they bend as knees do.
  constexpr double kStraight = 0.01;  // [rad]
  const double c =
      (wanted * wanted - length_a * length_a - limb.b.squaredNorm()) /
      (2.0 * length_a * length_flat);
  const double bend = std::acos(std::clamp(c, -1.0, 1.0));
  const bool is_back =
      theta < -kStraight || (theta < 0.0 && bend <= -2.0 * theta);
  const double new_theta = is_back ? -bend : bend;
  const Quaternion flex = ExpRotation((new_theta - theta) * n);
  const Vector3 reached = limb.a + flex * limb.b;
  const Quaternion swing = SmallestTurn(reached, d);
  turn.Q_a = swing;
  turn.Q_b = swing * flex;
  turn.miss = std::abs(reached.norm() - wanted);
  turn.lack = (1.0 - reached.norm() / wanted) * d;
  return turn;
}

double BendWeight(const Vector3& a, const Vector3& b) {
  const double squared = (a + b).squaredNorm();
  if (squared <= 0.0) return 1.0;
  const double s = a.cross(b).norm() / squared / kUsual;
  return (1.0 + kLeast * kLeast) / (s * s + kLeast * kLeast);
}

BendChange ChangeOfBend(double a, double b, double wanted, double length) {
  BendChange change;
  if (a <= 0.0 || b <= 0.0 || wanted <= 0.0 || length <= 0.0) {
    change.too_long = length - wanted;
    return change;
  }
  const double straight =
      std::sqrt(a * a + b * b + 2.0 * a * b * std::cos(kStraightBend));
  const double shortest = std::abs(a - b) + 0.01 * (a + b);
  const auto rate = [&](double l) {
    const double c = (l * l - a * a - b * b) / (2.0 * a * b);
    return l / (a * b * std::sqrt(1.0 - c * c));
  };
  const auto bend = [&](double l) {
    const double inside = std::clamp(l, shortest, straight);
    const double c = (inside * inside - a * a - b * b) / (2.0 * a * b);
    return std::acos(c) - rate(inside) * (l - inside);
  };
  const double here = rate(std::clamp(length, shortest, straight));
  change.too_long = (bend(wanted) - bend(length)) / here;
  change.weight = std::pow(kUsual * wanted * here, 2.0);
  return change;
}

}  // namespace limber::mocap
