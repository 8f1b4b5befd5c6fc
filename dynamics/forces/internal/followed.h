// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace limber::dynamics {

/// Whether a step of `h` seconds follows the motion of a spring `k` with a
/// damper `d` that acts on what has the mobility `W`: the swing of the spring
/// takes 25 steps, a quarter of a radian a step, and the time in which a damper
/// slows down to 1/e one. Such a force is taken at the mean of the step, which
/// keeps the energy of a spring; a faster one at the end, which lets it die
/// away.
inline bool IsFollowed(double k, double d, double W, double h) {
  constexpr double kSwing = 0.25;                           // [rad]
  return !(h * (h * k / (kSwing * kSwing) + d) * W > 1.0);  // W may be inf.
}

}  // namespace limber::dynamics
