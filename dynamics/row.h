// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <limits>
#include <vector>

#include "dynamics/body_motion.h"

namespace limber::dynamics {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// How the position error C of a row becomes the row's target speed u (and
/// softness s) in a velocity-level step of h seconds, and its demand on C'' on
/// acceleration level. docs/dynamics.md derives each; all share one matrix.
///
///     policy        C' wanted after the step      C'' wanted
///     kDefault      the stepping scheme's own     -2 a C' - a^2 C
///     kNone         0                             -2 a C'
///     kImplicit     -C / h                        -C' / h - C / h^2
///     kBaumgarte    -alpha C; with beta           -2 alpha C' - beta^2 C
///                   C' + h (the C'' beside)
///     kCritically-  (C' - h C / tau^2)            -2 C' / tau - C / tau^2
///     Damped        / (1 + h / tau)^2
///     kSpring       -k C / (h k + d) and          the force -k C - d C'
///                   s += 1 / (h (h k + d))
///     kMeanSpring   as kSpring, but under the     the force -k C - d C'
///                   leapfrog with the mean of C
///                   and C' over the kick
///
/// with a = min(20 / s, 1 / (4h)).
struct Stabilisation {
  enum class Policy {
    kDefault,
    kNone,
    kImplicit,
    kBaumgarte,
    kCriticallyDamped,
    kSpring,
    kMeanSpring,
  };
  Policy policy = Policy::kDefault;
  double alpha = 0.0;      ///< Baumgarte gain on C' [1/s].
  double beta = 0.0;       ///< Baumgarte gain on C, acceleration level [1/s].
  double tau = 0.0;        ///< Time constant [s].
  double stiffness = 0.0;  ///< k [N/m or N m/rad].
  double damping = 0.0;    ///< d [N s/m or N m s/rad].
  /// More damping [as d]. kMeanSpring: taken with C' at the end of the step.
  /// kSpring: with what C changes by in the step, C(t + h) less the `start` of
  /// the row.
  double end_damping = 0.0;

  static Stabilisation None() { return {Policy::kNone}; }
  static Stabilisation Implicit() { return {Policy::kImplicit}; }
  static Stabilisation Baumgarte(double alpha, double beta) {
    return {Policy::kBaumgarte, alpha, beta};
  }
  static Stabilisation CriticallyDamped(double tau) {
    return {Policy::kCriticallyDamped, 0.0, 0.0, tau};
  }
  static Stabilisation Spring(double stiffness, double damping) {
    return {Policy::kSpring, 0.0, 0.0, 0.0, stiffness, damping};
  }
  static Stabilisation MeanSpring(double stiffness, double damping,
                                  double end_damping = 0.0) {
    return {Policy::kMeanSpring, 0.0,     0.0,        0.0,
            stiffness,           damping, end_damping};
  }
  /// kSpring whose damper sees the change of C.
  static Stabilisation EndSpring(double stiffness, double damping) {
    return {Policy::kSpring, 0.0, 0.0, 0.0, stiffness, 0.0, damping};
  }
  /// Whether the row is a spring or a damper, which gives way.
  bool springy() const {
    return policy == Policy::kSpring || policy == Policy::kMeanSpring;
  }
};

/// What a row asks beside its Jacobian. The force f = lambda / h stays in
/// lo <= f <= hi; inside the bounds the target is met up to the softness.
struct RowSettings {
  double lo = -kInfinity;  ///< [N or N m], at most hi.
  double hi = kInfinity;   ///< [N or N m].
  /// Share of an impulse that the target gives way: e = J V+ - u + s lambda
  /// [1/kg or 1/(kg m^2)], zero or positive.
  double softness = 0.0;
  /// Dry friction beside a row whose bounds are -T and T, as `PoweredAxis` says
  /// [N or N m], and its damping [N s/m or N m s/rad].
  double friction = 0.0;
  double friction_damping = 0.0;
  Stabilisation stabilisation;
  bool angular = false;  ///< Measures an angle [rad]; else a length [m].
};

/// The rows of a world at one instant, in one flat store that is filled anew
/// in every step without allocating. Row i says, for its error C(q, t),
///
///     C'  = sum_b J_b V_b + rate_bias              V_b = (v_WC, w_WB) of body
///     b C'' = sum_b J_b V_b' + acceleration_bias
///
/// where rate_bias is dC/dt at fixed bodies (moving targets). A row of finite
/// bounds or one that is not the derivative of any C (rolling) leaves C at 0.
class RowBuffer {
 public:
  struct Entry {
    int body = 0;
    Vector3 linear = Vector3::Zero();   ///< Part of J on v_WC.
    Vector3 angular = Vector3::Zero();  ///< Part of J on w_WB.
    /// From the mass centre to the point where `linear` acts, if it does.
    Vector3 arm = Vector3::Zero();
  };
  struct Row {
    int first_entry = 0;
    int num_entries = 0;
    double error = 0.0;              ///< C [m or rad].
    double rate_bias = 0.0;          ///< [m/s or rad/s].
    double acceleration_bias = 0.0;  ///< [m/s^2 or rad/s^2].
    RowSettings settings;
    /// Row whose force bounds this one: |f| <= friction * max(0, f_normal), or
    /// -1. Counted in this buffer.
    int normal_row = -1;
    double friction = 0.0;
    double start = 0.0;  ///< C at the start of the step, for `end_damping`.
  };

  void Clear();
  /// Starts a row; `Touch` then adds the bodies it acts on.
  Row& Add(double error, double rate_bias, double acceleration_bias,
           const RowSettings& settings) {
    return rows_.emplace_back(Row{static_cast<int>(entries_.size()), 0, error,
                                  rate_bias, acceleration_bias, settings});
  }
  /// Adds the bodies' part of J to the row started last.
  void Touch(BodyId body, const Vector3& linear, const Vector3& angular,
             const Vector3& arm = Vector3::Zero()) {
    assert(!rows_.empty());
    entries_.push_back({body.value, linear, angular, arm});
    ++rows_.back().num_entries;
  }
  /// `Touch` for a row that acts along `direction` at the world point `p_WA`
  /// of `body`: J V = direction . (velocity of that point).
  void TouchPoint(BodyMotions bodies, BodyId body, const Vector3& p_WA,
                  const Vector3& direction) {
    // d . (v + w x r) = d . v + (r x d) . w
    const Vector3 r = p_WA - MotionOf(bodies, body).p_WC;
    Touch(body, direction, r.cross(direction), r);
  }

  int size() const { return static_cast<int>(rows_.size()); }
  const Row& row(int i) const { return rows_[static_cast<std::size_t>(i)]; }
  Row& row(int i) { return rows_[static_cast<std::size_t>(i)]; }
  std::span<const Entry> entries(int i) const {
    const Row& r = row(i);
    return {entries_.data() + r.first_entry,
            static_cast<std::size_t>(r.num_entries)};
  }
  /// J V of row i (without rate_bias).
  double Speed(int i, BodyMotions bodies) const;

 private:
  std::vector<Row> rows_;
  std::vector<Entry> entries_;
};

}  // namespace limber::dynamics
