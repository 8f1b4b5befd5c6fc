// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace limber::dynamics {

/// The PID law by itself, for hosts that bring their own sensor and actuator.
/// With the error i = reference - sensed, sampled every h seconds:
///
///     o = kp i + ki sum(h i) + kd i'
///     i' = d + (d - d_before) / 2,   d = (i - i_before) / h
///
/// [Barenbrug 2000, 4.2.2] takes i with the other sign, which needs negative
/// gains; sums i without h, which makes ki depend on the step; and takes d for
/// i', which lags by half a step and slows a critically damped loop of 10 rad/s
/// by 7 % at h = 0.01.
struct PidGains {
  double proportional = 0.0;  ///< kp
  double integral = 0.0;      ///< ki [1/s]
  double derivative = 0.0;    ///< kd [s]
  /// Uses i + (h/2) i' in the proportional term: the mean over the step.
  bool predict_half_step = false;
};

class Pid {
 public:
  explicit Pid(const PidGains& gains) : gains_(gains) {}

  const PidGains& gains() const { return gains_; }
  void set_gains(const PidGains& gains) { gains_ = gains; }

  /// Takes the next sample and returns the output. The derivative of the first
  /// sample is 0, that of the second d. With h = 0, a look between samples,
  /// nothing is remembered and the last integral and derivative stand.
  double Update(double error, double h);
  /// Forgets integral and last error.
  void Reset();
  double integral() const { return integral_; }  ///< sum(h i)

  /// As those of `Force`.
  void SaveMemory(std::vector<double>& memory) const;
  std::span<const double> RestoreMemory(std::span<const double> memory);

 private:
  PidGains gains_;
  std::optional<double> last_error_;
  std::optional<double> last_difference_;
  double integral_ = 0.0;
  double rate_ = 0.0;
};

}  // namespace limber::dynamics
