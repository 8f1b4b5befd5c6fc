// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "dynamics/internal/small_algebra.h"

// What one solve of a contact island is asked, as plain numbers:
//
//     minimise over V   1/2 (V - V_free)^T M (V - V_free) + sum psi_k(z_k) ,
//     z = J V - u ,     lambda = -psi'(z) ,     M (V - V_free) = J^T lambda
//
// V are the velocities of the bodies or, where gaps are closed, small
// displacements. Every psi is convex, so that the minimum is the answer, and
// what a row does is its law lambda(z), a decreasing function:
//
//     bounded row   lambda = -z/s , kept within lo .. hi
//     contact       lambda = -z/s , brought to the nearest impulse with
//                   |lambda_t| <= mu lambda_n , nearest in the energy of s
//
// z of a contact is shifted along its normal by mu times its slip, which makes
// this Coulomb's law; finding the shift is the solver's business (newton.h).

namespace limber::dynamics::solve {

using internal::Sym;
using internal::Vec;

/// A body that forces move.
struct ProblemBody {
  double mass = 1.0;
  Sym inertia;  ///< About the mass centre, world axes; positive definite.
  /// Axes about which the body does not turn, as a projector: a point mass, or
  /// a rod without thickness. No row acts about them.
  bool stiff = false;
  Sym turns;           ///< If `stiff`: the projector on the other axes.
  Vec free_v, free_w;  ///< V_free, of the mass centre.
  Vec v, w;            ///< To begin with; then the answer.
};

/// How a contact point stands.
enum class Grip : char { kOpen, kSticks, kSlides };

/// A point where two bodies meet. Its rows are those of the velocity of b
/// against a at the point: along the normal, and in the surface.
struct ContactPoint {
  int a = -1, b = -1;     ///< Bodies; -1: one whose motion is given.
  Vec arm_a, arm_b;       ///< From the mass centres.
  Vec n, t1, t2;          ///< From a to b; the tangents complete the axes.
  double u[3] = {};       ///< Targets; with what a given body does.
  double s_n = 0.0;       ///< Softness, positive.
  double s_t = 0.0;       ///< The same of the cone.
  double mu = 0.0;        ///< 0: frictionless, it slides wherever.
  double bound = 0.0;     ///< The normal impulse expected; bounds rows of it.
  double response = 0.0;  ///< J W J^T along the normal.

  // In: of the solve before. Out: of this one.
  double lambda[3] = {};
  bool pressed = false;  ///< Closed, and not only by touching now.
  Grip grip = Grip::kSticks;
  double slip[2] = {};  ///< Out: z_t, while sliding.
  double shift = 0.0;   ///< Out: of z along the normal.
};

/// Any other row between two bodies.
struct BoundedRow {
  int a = -1, b = -1;
  Vec linear_a, angular_a, linear_b, angular_b;  ///< J.
  double u = 0.0, s = 0.0, lo = 0.0, hi = 0.0;
  double response = 0.0;  ///< J W J^T.
  /// If >= 0: lo and hi are -mu and mu times the bound of this contact.
  int contact = -1;
  double mu = 0.0;
  double lambda = 0.0;  ///< Of the solve before; then of this one.
  int state = 0;        ///< -1 at lo, 0 between, 1 at hi.
};

struct Problem {
  std::vector<ProblemBody> bodies;
  std::vector<ContactPoint> contacts;
  std::vector<BoundedRow> rows;
  /// What lambda of a row may be off by, times its response [V].
  double tolerance = 0.0;

  void Clear() {
    bodies.clear();
    contacts.clear();
    rows.clear();
  }
};

}  // namespace limber::dynamics::solve
