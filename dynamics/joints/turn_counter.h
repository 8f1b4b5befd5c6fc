// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "core/math.h"

namespace limber::dynamics {

/// Remembers an angle from step to step, so that it may run over many turns:
/// of all angles that look the same, it takes the one nearest to the last. The
/// angle must change by less than half a turn per step.
class TurnCounter {
 public:
  /// `angle` plus the whole number of turns that fits the memory [rad].
  double Unwrap(double angle) const {
    return angle + 2.0 * kPi * std::round((last_ - angle) / (2.0 * kPi));
  }
  void Remember(double angle) { last_ = Unwrap(angle); }

  double last() const { return last_; }
  void set_last(double last) { last_ = last; }

 private:
  double last_ = 0.0;
};

}  // namespace limber::dynamics
