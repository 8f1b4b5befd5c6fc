// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "dynamics/constraints/link.h"

namespace limber::dynamics {

/// Any relation Phi(q, t) = 0 written by the user as a function, without a
/// class of its own. (Relations as text are not read: a lambda is the
/// expression.)
///
///     C = valid * Phi
///
/// `valid` is the switchable factor of [Dumont et al. 1990, 3.2]: 0 takes the
/// rows away, every other value leaves the hard rows' motion as it is.
///
/// Without a Jacobian from the user J and both biases are found by central
/// differences: good to about 1e-7 in J, at 12 calls of the function per body.
class FunctionConstraint : public Link {
 public:
  /// Writes the num_rows errors Phi [m or rad]. May read the time and the poses
  /// of the constraint's bodies and the ground, not the velocities nor other
  /// bodies; must not allocate.
  using Error =
      std::function<void(BodyMotions, double time, std::span<double> error)>;
  /// Writes the Jacobian of row `row`: one entry per body of the constraint, in
  /// the order given, with `body` already set and the rest at zero.
  using Jacobian = std::function<void(BodyMotions, double time, int row,
                                      std::span<RowBuffer::Entry> entries)>;

  /// @param angular  whether the rows measure angles [rad].
  /// @throws std::invalid_argument if num_rows < 1, `error` is empty, or a body
  ///         is named twice or is the ground.
  FunctionConstraint(std::vector<BodyId> bodies, int num_rows, Error error,
                     Jacobian jacobian = {}, bool angular = false);

  double valid() const { return valid_; }
  void set_valid(double valid) { valid_ = valid; }

  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;
  bool rows_vary() const override { return true; }

 private:
  void FillNumericJacobian(BodyMotions bodies, double time) const;
  std::span<RowBuffer::Entry> Entries(int row) const;

  int num_rows_;
  Error error_;
  Jacobian jacobian_;
  bool angular_;
  double valid_ = 1.0;

  /// Space reused from call to call.
  struct Scratch {
    std::vector<BodyMotion> moved;
    std::vector<double> now, plus, minus, still_plus, still_minus;
    std::vector<RowBuffer::Entry> entries;  ///< num_rows x num_bodies.
  };
  mutable Scratch scratch_;
};

}  // namespace limber::dynamics
