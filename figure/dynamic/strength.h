// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace limber::figure {

/// How hard a joint tries to follow what it is told. Strengths blend into each
/// other smoothly, so that a figure passes from kinematic over powered and
/// loose to limp and back without a jump of force at e = 0.
///
/// With T the torque of the model's motor about an axis and e the error:
///
///     bound of the motor     torque T
///     dry friction           friction T, against every motion of the joint
///     error in free motion   e'' = -2 e'/tau - e/tau^2
///
/// with tau = time_constant. A load between (torque - friction) T and
/// (torque + friction) T does not move the joint (`dynamics::PoweredAxis`);
/// where friction is all there is, it is a brake, and with zero it is limp.
struct Strength {
  double torque = 1.0;          ///< Share of T; +inf is unbounded, kinematic.
  double time_constant = 0.03;  ///< tau, zero is as fast as possible [s].
  double friction = 0.0;        ///< Share of T.
  double damping = 0.0;         ///< Of friction; 0 is dry [N m s/rad].

  /// Exactly on the target, whatever it takes.
  static Strength Kinematic();
  /// The strength of the model's motors.
  static Strength Powered(double share = 1.0);
  /// Three times the strength of the model's motors, and twice as fast.
  static Strength Stiff();
  /// Follows weakly and late: swings, but comes back.
  static Strength Loose();
  /// Hangs down, with the friction of a living joint.
  static Strength Limp();
};

/// @throws std::invalid_argument naming the field and its value unless all are
///         zero or positive and all but `torque` finite.
void Validate(const Strength& strength);

/// From `a` (x <= 0) to `b` (x >= 1). The torque goes by y = torque/(1+torque),
/// in which limp, powered and kinematic lie at 0, 1/2 and 1.
Strength Blend(const Strength& a, const Strength& b, double x);

/// 0 up to x = 0, 1 from x = 1, with continuous second derivative:
/// x^3 (10 - 15 x + 6 x^2).
double SmoothStep(double x);

/// The strength of every segment's joint over time: a value to begin with and
/// changes, each of which blends from whatever holds at the time.
class StrengthSchedule {
 public:
  /// @throws std::invalid_argument as `Validate`, or if `num_segments` < 1.
  StrengthSchedule(int num_segments, const Strength& initial);

  int num_segments() const { return static_cast<int>(keys_.size()); }
  /// From `start` on, over `duration` seconds, `segments` go over to
  /// `strength`. Starts may not run backwards on a segment.
  /// @throws std::invalid_argument as `Validate`, for a segment that does not
  ///         exist, a negative duration, or a start before the last one.
  void Change(std::span<const int> segments, double start, double duration,
              const Strength& strength);
  void ChangeAll(double start, double duration, const Strength& strength);

  Strength At(int segment, double time) const;

 private:
  struct Key {
    double start = 0.0;
    double duration = 0.0;
    Strength strength;
  };
  std::vector<std::vector<Key>> keys_;
};

}  // namespace limber::figure
