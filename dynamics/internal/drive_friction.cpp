// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/drive_friction.h"

#include <algorithm>
#include <cmath>

#include "core/index.h"

namespace limber::dynamics::internal {

namespace {

// Forces that differ by less than this share are the same.
constexpr double kSameForce = 1e-9;
// Slower is at rest, and no speed to aim at: more than what rounding leaves of
// a row that holds, or lent softness [m/s, rad/s].
constexpr double kAtRest = 1e-6;

}  // namespace

bool AddFriction(const DriveFriction& friction, double kick, RowTarget& target,
                 RowTarget& other) {
  const double F = friction.bound;
  const double d = friction.damping;
  const double T = target.hi / kick;
  const double s = target.softness;
  // All signs as for u > 0.
  const double sign = target.u < 0.0 ? -1.0 : 1.0;
  const double u = sign * target.u;
  // A rigid drive does not notice.
  if (T == kInfinity) return false;
  if (T == 0.0) {
    // Friction alone.
    target = {0.0, d > 0.0 ? 1.0 / (kick * d) : 0.0, -F * kick, F * kick};
    return false;
  }
  if (u < kAtRest) {
    target.lo -= F * kick;
    target.hi += F * kick;
    return false;
  }
  const double P = s > 0.0 ? std::min(T, u / (s * kick)) : T;
  const double slides = d > 0.0 ? std::min(F, d * u) : F;
  const auto riser = [&](double aim, double softness, double least,
                         double most) {
    return sign > 0.0 ? RowTarget{aim, softness, least * kick, most * kick}
                      : RowTarget{-aim, softness, -most * kick, -least * kick};
  };
  // A soft drive gives way to friction as to any load.
  const RowTarget pulls =
      riser(u - s * slides * kick, s, -T - slides, P - slides);
  const RowTarget sticks =
      riser(d > 0.0 ? P / d : 0.0, d > 0.0 ? 1.0 / (kick * d) : 0.0, P - slides,
            P + F);
  // It sticks if the last step had to push with more than the pull can, or with
  // as much and does not move towards the aim.
  const double rate = sign * friction.rate;
  const double force = sign * friction.last_force;
  const double same = kSameForce * (F + std::abs(force));
  const bool held =
      rate <= kAtRest ? force >= P - slides - same : force > P - slides + same;
  target = held && rate < u ? sticks : pulls;
  other = held && rate < u ? pulls : sticks;
  return true;
}

void AddFrictionToRows(Data& data, const Constraint& constraint, int first,
                       int count, double kick) {
  for (int i = 0; i < count; ++i) {
    const RowBuffer::Row& row = data.rows.row(first + i);
    if (row.settings.friction <= 0.0) continue;
    if (data.other_targets.size() < data.targets.size()) {
      data.other_targets.resize(data.targets.size());
    }
    RowTarget& target = data.targets[Index(first + i)];
    RowTarget& other = data.other_targets[Index(first + i)];
    const bool has_other =
        AddFriction({row.settings.friction, row.settings.friction_damping,
                     data.rows.Speed(first + i, data.motions),
                     RowForceBefore(data, constraint, Index(i))},
                    kick, target, other);
    target.has_other = has_other;
  }
}

}  // namespace limber::dynamics::internal
