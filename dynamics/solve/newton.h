// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "dynamics/solve/contact_law.h"

namespace limber::dynamics::solve {

/// What `Solve` below works on: contact points, and whatever else moves or acts
/// (bodies, trees, rows between bounds), which the system knows by itself.
class System {
 public:
  virtual ~System() = default;

  /// Slope and curvature along a step.
  struct Slope {
    double slope = 0.0, curvature = 0.0;
  };

  /// Of one length; they are the system's.
  virtual std::span<ContactPoint> contacts() = 0;
  virtual std::span<Point> points() = 0;
  /// What lambda of a row may be off by, times its response [V].
  virtual double tolerance() const = 0;

  /// One linear solve in the states of points and rows: the whole step, and g
  /// of every point. False if there is no answer.
  virtual bool Direction() = 0;
  /// Whether the rows obey their laws after the whole step.
  virtual bool RowsFit() = 0;
  /// The states that the rows' laws give at the present velocities; in whole
  /// steps none goes from one bound to the other.
  virtual void TakeNextRowStates(bool whole_steps) = 0;
  /// Bounds of rows that depend on contacts: whether they agree with `linear`
  /// of the points, and making them those of the bounds of contacts.
  virtual bool RowsAgree() const = 0;
  virtual void SetBounds() = 0;

  /// Before the first search for a minimum along a step, at the present
  /// velocities, and before every single one.
  virtual void StartSearches() {}
  virtual void StartSearch() = 0;
  /// Of all but the points at this share of the step.
  virtual Slope SlopeAt(double share) const = 0;
  /// Goes by a share of the step.
  virtual void Advance(double share) = 0;
};

/// How a solve went.
struct Report {
  bool solved = false;   ///< Every row obeys its law.
  bool agrees = true;    ///< Shifts and slips, bounds and normals agree.
  bool answered = true;  ///< Every linear solve had an answer.
  int solves = 0;
  int searches = 0;
  int rounds = 0;  ///< Solves after which bounds followed.
};

/// The minimum of a problem (problem.h), by a semismooth Newton method.
///
/// Every row has a state: between its bounds (lambda = -z/s) or at one of them
/// (lambda constant); a contact is open, sticks, or slides (contact_law.h). In
/// given states lambda is linear in z, and one solve gives V:
///
///     (M + J^T D J) p = J^T lambda - M (V - V_free) ,   V += p ,  D =
///     -dlambda/dz
///
/// If the law of every row gives the lambda of the solve, V is the answer: the
/// exact one of a linear system, so that momenta balance to rounding. If not,
/// rows take the states that their laws ask for, but none goes from one bound
/// to the other at once: it is between them first (or sticks). That rule makes
/// whole steps end in nearly every case. Where they have not ended after
/// `kWholeSteps`, the steps become those of Newton's method on the convex
/// function, each to its minimum along the line; these always end.
///
/// The convex law of a cone lets what slides part at mu |z_t|. Coulomb's law is
/// the same one with the normal speed shifted by that [De Saxce, Feng 1998]:
/// the shifts follow the slips during the first solves. At rest they are zero
/// and there is nothing to follow. Whatever they are, contacts add no energy
/// and friction is within its cone; one that is too small parts the bodies, and
/// one that is too large, which lets them sink in, is lowered at the end.
///
/// Points and rows begin in the states that they have.
///
/// @see D. P. Bertsekas, Projected Newton methods, SIAM J. Control Optim. 20
///      (1982); L. Qi, J. Sun, A nonsmooth version of Newton's method, Math.
///      Programming 58 (1993); G. De Saxce, Z.-Q. Feng, The bipotential method,
///      Math. Comput. Modelling 28 (1998); V. Acary, F. Cadoux, C. Lemarechal,
///      J. Malick, A formulation of the linear discrete Coulomb friction
///      problem via convex optimization, ZAMM 91 (2011).
Report Solve(System& system);

}  // namespace limber::dynamics::solve
