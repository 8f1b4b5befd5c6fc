// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/math.h"

namespace limber::mocap {

/// A limb of two bones in the world: a from the near joint (hip, shoulder) to
/// the middle one (knee, elbow), b from there to the far one (ankle, wrist).
struct Limb {
  Vector3 a;  ///< [m]
  Vector3 b;  ///< [m]
  /// The axis about which the middle joint bends from straight: b turns about
  /// it by the right-hand rule. Unit, need not be at right angles to a.
  Vector3 hinge;
};

/// How to turn the two bones: a' = Q_a a, b' = Q_b b.
struct LimbTurn {
  Quaternion Q_a = Quaternion::Identity();
  Quaternion Q_b = Quaternion::Identity();
  /// How far the far joint stays from where it was wanted: 0 unless the limb
  /// is too short or too long for it [m].
  double miss = 0.0;
  Vector3 lack = Vector3::Zero();  ///< The same with its direction [m].
};

/// The turn that brings the far joint of `limb` to `d` from the near one [m],
/// in closed form: the middle joint bends about its hinge until the length is
/// right, then the whole limb turns by the smallest rotation. Nothing to do
/// gives exactly no turn. The bend keeps its side; a limb that is all but
/// straight bends the way its hinge says.
///
///     n = hinge at right angles to a,   θ = angle from a to b about n
///     cos θ' = (|d|² - |a|² - |b|²) / (2 |a| |b⊥n|)
LimbTurn ReachFor(const Limb& limb, const Vector3& d);

/// How much the bend of a knee or an elbow changes with the length of its limb,
/// squared, against that of one bent by half a right angle; bounded for
/// straight limbs.
///
///     dℓ/dθ = -|a x b| / ℓ
double BendWeight(const Vector3& a, const Vector3& b);

/// How a limb of bones a and b that ought to be `wanted` long bends when it is
/// `length` long. Straight limbs bend ever more for the same length,
///
///     cos θ = (ℓ² - a² - b²) / (2 a b)      dθ/dℓ = -ℓ / (a b sin θ)
///
/// so a knee that is pulled straight and let go jumps. What counts is therefore
/// the bend; below 4.4 degrees it goes on in a straight line, beyond the length
/// of the limb, too.
struct BendChange {
  /// Length by which the bend differs, at its rate of change here [m].
  double too_long = 0.0;
  /// The square of that rate, as `BendWeight` has it.
  double weight = 1.0;
};
BendChange ChangeOfBend(double a, double b, double wanted, double length);

}  // namespace limber::mocap
