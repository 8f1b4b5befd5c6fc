// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "figure/dynamic/articulated_figure.h"
#include "figure/dynamic/strength.h"

namespace limber::figure {

/// What the task level wants of a figure in the step from t to t + h: where
/// each segment should have been, be, and get to, and how hard to try.
struct Demand {
  SegmentPose before;              ///< At t - h.
  SegmentPose now;                 ///< At t.
  SegmentPose after;               ///< At t + h.
  std::vector<Strength> strength;  ///< One per segment.
};

/// Where a figure is at the start of a step. `before` is where its present
/// velocities come from: where it was a step ago, but for what pushes, bodies
/// put elsewhere and rounding of the step have changed since.
struct Situation {
  SegmentPose before;  ///< At t - h.
  SegmentPose now;     ///< At t.
  /// By how much rigid motors go past what they are aimed at, O(h^3) and nearly
  /// the same from step to step: to be taken off the aim. Rotation vectors in
  /// the parent's axes, and shifts of roots.
  std::vector<Vector3> turn_excess;
  std::vector<Vector3> shift_excess;
};

/// A muscle: turns what is wanted of one joint into the settings of its
/// motors for one step. Knows nothing of clips and tasks, so that one kind can
/// take the place of another.
class RawController {
 public:
  virtual ~RawController() = default;
  /// Programs the joint of segment `s` for a step of `h` seconds. Returns where
  /// in its parent the segment will then be, if the motors are rigid and strong
  /// enough; nothing if they are not meant to take it to any place.
  virtual std::optional<Transform> Program(const ArticulatedFigure& figure,
                                           const dynamics::World& world, int s,
                                           const Situation& situation,
                                           const Demand& demand, double h) = 0;
};

/// Angle tracking by bounded motors, without lag. With R the rotation in the
/// joint, R_ref the wanted one and e = log(R R_ref^-1) in the axes of F, each
/// step aims the motors at
///
///     e(t + h) = 2 rho e(t) - rho^2 e(t - h) ,     rho = exp(-h / tau) (1) R(t
///     + h) = exp(e(t + h)) R_ref(t + h)
///
/// the exact steps of e'' = -2 e'/tau - e/tau^2. What holds the reference's own
/// speed and acceleration is found by the world's solver, since the motor is a
/// row aimed at where the clip will be: without error there is no delay and no
/// gain to tune. Beyond `max_pull` an error pulls no harder
/// (docs/figures_dynamic.md).
class AngleServo : public RawController {
 public:
  double max_pull = 0.6;  ///< [rad]

  std::optional<Transform> Program(const ArticulatedFigure& figure,
                                   const dynamics::World& world, int s,
                                   const Situation& situation,
                                   const Demand& demand, double h) override;
};

/// Angle tracking by a spring and a damper about each axis, as game engines do:
/// torque = -k log(R R_ref^-1) - d (w - w_ref), bounded by (torque + friction)
/// T of the strength.
class AngleSpring : public RawController {
 public:
  double stiffness = 300.0;  ///< k [N m/rad]
  double damping = 30.0;     ///< d [N m s/rad]

  std::optional<Transform> Program(const ArticulatedFigure& figure,
                                   const dynamics::World& world, int s,
                                   const Situation& situation,
                                   const Demand& demand, double h) override;
};

/// Leaves the motors of its joint off.
class NoControl : public RawController {
 public:
  std::optional<Transform> Program(const ArticulatedFigure& figure,
                                   const dynamics::World& world, int s,
                                   const Situation& situation,
                                   const Demand& demand, double h) override;
};

/// The six-axis motor between a root and the ground: (1) for the position and
/// for the rotation. The strength's shares multiply `max_force` and
/// `max_torque`; its friction is not used.
class RootServo : public RawController {
 public:
  /// Holds the root where it should be, whatever it takes.
  RootServo() = default;
  /// For a figure of `mass` kg that stands on its own feet: lets the ground
  /// carry it and helps a little to stay on its path (375 N/m at 75 kg), more
  /// to stay upright; bounded by the body's weight on a lever of 2 m.
  static RootServo Helping(double mass);

  /// Per axis of the world: x, y, z. +inf is unbounded.
  Vector3 max_force = Vector3::Constant(dynamics::kInfinity);   ///< [N]
  Vector3 max_torque = Vector3::Constant(dynamics::kInfinity);  ///< [N m]
  /// Which directions are driven: turning about x, y, z, then x, y, z.
  std::array<bool, 6> driven = {true, true, true, true, true, true};
  /// The force that holds an error e: f = e / (softness tau^2). Zero is rigid;
  /// with feet on the ground it must not be, or the root carries the figure.
  double softness = 0.0;       ///< [1/kg]
  double turn_softness = 0.0;  ///< [1/(kg m^2)]
  /// tau of the root; 0 takes that of its strength [s].
  double time_constant = 0.0;
  double max_pull = 0.25;      ///< Largest error that pulls more [m]
  double max_turn_pull = 0.6;  ///< [rad]

  std::optional<Transform> Program(const ArticulatedFigure& figure,
                                   const dynamics::World& world, int s,
                                   const Situation& situation,
                                   const Demand& demand, double h) override;
};

/// The step (1), with the pull limited: an error beyond `max_pull` is followed
/// as if the reference were so much nearer.
double NextError(double e_now, double e_before, double rho, double max_pull);
Vector3 NextError(const Vector3& e_now, const Vector3& e_before, double rho,
                  double max_pull);

}  // namespace limber::figure
