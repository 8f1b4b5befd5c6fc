// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "dynamics/solve/linear_solver.h"
#include "dynamics/solve/problem.h"

namespace limber::dynamics::solve {

/// The minimum of a `Problem`, by a semismooth Newton method.
///
/// Every row has a state: between its bounds (lambda = -z/s) or at one of them
/// (lambda constant); a contact is open, sticks, or slides along e:
///
///     lambda_n = (mu z_t.e - z_n) / (s_n + mu^2 s_t)
///     lambda_t = -mu lambda_n e - c (z_t across e) ,   c = mu lambda_n / |z_t|
///
/// In given states lambda is linear in z, and one solve gives V:
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
/// @see D. P. Bertsekas, Projected Newton methods, SIAM J. Control Optim. 20
///      (1982); L. Qi, J. Sun, A nonsmooth version of Newton's method, Math.
///      Programming 58 (1993); G. De Saxce, Z.-Q. Feng, The bipotential method,
///      Math. Comput. Modelling 28 (1998); V. Acary, F. Cadoux, C. Lemarechal,
///      J. Malick, A formulation of the linear discrete Coulomb friction
///      problem via convex optimization, ZAMM 91 (2011).
class NewtonSolver {
 public:
  struct Report {
    bool solved = false;  ///< Every row obeys its law.
    bool agrees = true;   ///< Shifts and slips, bounds and normals agree.
    int solves = 0;
    int searches = 0;
    int rounds = 0;  ///< Solves after which bounds followed.
  };

  /// Velocities and impulses of the problem are the answer afterwards.
  Report Solve(Problem& problem, LinearSolver& linear);

 private:
  /// A contact point during a solve.
  struct Point {
    double z[3] = {}, g[3] = {};  ///< J V - u, and how it changes along p.
    double lambda[3] = {};        ///< In the present states, at z.
    double linear[3] = {};        ///< The same after the whole step.
    double shift = 0.0;           ///< Of z along the normal.
    Grip grip = Grip::kOpen;
    double along[2] = {1.0, 0.0};  ///< e, while sliding,
    double across = 0.0;           ///< and c.
    bool fits = false;
  };
  /// What the stiffness of a point depends on.
  struct State {
    Grip grip = Grip::kOpen;
    double along_1 = 0.0, along_2 = 0.0, across = -1.0;
    bool operator==(const State&) const = default;
  };
  struct Line {
    double z = 0.0, g = 0.0, lambda = 0.0, linear = 0.0;
  };
  /// Slope and curvature along the line.
  struct Slope {
    double slope = 0.0, curvature = 0.0;
  };

  void FirstStates(Problem& problem);
  void NextStates(Problem& problem, bool whole_steps);
  static void NextGrip(const ContactPoint& contact, Point& point,
                       bool whole_steps);
  static void SetSlide(const ContactPoint& contact, Point& point,
                       const double slip[2], double normal);
  void SetBounds(Problem& problem);
  void Linearise(const Problem& problem);
  static void TimesStiffness(const ContactPoint& contact, const Point& point,
                             const double x[3], double product[3]);
  void SetStiffness(std::size_t i, const ContactPoint& contact);
  void Rates(const Problem& problem);
  void Direction(const Problem& problem, LinearSolver& linear);
  static double OffBy(const ContactPoint& contact, const Point& point);
  bool Fits(const Problem& problem);
  static double SlipOf(const ContactPoint& contact, const Point& point);
  bool Agrees(const Problem& problem) const;
  void Follow(Problem& problem, double share);
  bool LowerShifts(const Problem& problem);
  double LineSearch(const Problem& problem);
  Slope SlopeAt(const Problem& problem, double share) const;
  void Advance(Problem& problem, double share);
  void Finish(Problem& problem, bool solved);

  std::vector<Point> points_;
  std::vector<State> states_;
  std::vector<Line> lines_;
  std::vector<PointStiffness> point_stiffness_;
  std::vector<RowStiffness> row_stiffness_;
  std::vector<Six> step_;  ///< p, and before that the right side.
};

}  // namespace limber::dynamics::solve
