// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/solve/problem.h"

// The law of a contact point (problem.h), and what it means in a given state.

namespace limber::dynamics::solve {

/// What a contact point does at z, by its law: the state, and lambda.
struct Law {
  Grip grip = Grip::kOpen;
  double lambda[3] = {};
};

/// The impulse -z/s, brought to the nearest one within the cone. `z[0]` is that
/// along the normal with the shift.
Law LawOf(const ContactPoint& contact, const double z[3]);

/// A contact point during a solve. In a given state lambda = -D (z + shift n)
/// is linear in z:
///
///     open     0
///     sticks   D = 1/s
///     slides   lambda_n = (mu z_t.e - z_n) / (s_n + mu^2 s_t)
///     along e  lambda_t = -mu lambda_n e - c (z_t across e) ,
///              c = mu lambda_n / |z_t|
struct Point {
  double z[3] = {}, g[3] = {};  ///< J V - u, and how it changes in the step.
  double lambda[3] = {};        ///< In the present states, at z.
  double linear[3] = {};        ///< The same after the whole step.
  double shift = 0.0;           ///< Of z along the normal.
  Grip grip = Grip::kOpen;
  double along[2] = {1.0, 0.0};  ///< e, while sliding,
  double across = 0.0;           ///< and c.
  bool fits = false;

  /// The state of the last solve, seen at z of the old velocities: what did not
  /// touch must be about to, and what friction alone could not stop slides.
  void TakeFirstGrip(ContactPoint& contact);
  /// The state that the law gives at z. `whole_steps`: a slide that would turn
  /// round sticks first, and one that fits stays as it is.
  void TakeNextGrip(const ContactPoint& contact, bool whole_steps);
  /// Slides along `slip` under the given normal impulse.
  void Slide(const ContactPoint& contact, const double slip[2], double normal);

  /// product = D x
  void TimesStiffness(const ContactPoint& contact, const double x[3],
                      double product[3]) const;
  /// D in world axes.
  Sym Stiffness(const ContactPoint& contact) const;
  /// lambda at z.
  void Linearise(const ContactPoint& contact);
  /// `linear`, and whether it misses the law by less than the tolerance.
  bool Fits(const ContactPoint& contact, double tolerance);
  /// By how much `linear` misses the law [V]: what one projected step would
  /// change, as `LcpResidual` has it.
  double OffBy(const ContactPoint& contact) const;
  /// Impulse, state and slip for the contact to keep. Not `solved`: lambda by
  /// the law at z.
  void Store(ContactPoint& contact, bool solved) const;
  /// mu times the slip, but for what the softness of the contact takes.
  double SlipOf(const ContactPoint& contact) const;
};

}  // namespace limber::dynamics::solve
