// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace limber::dynamics {

/// Whether a step of `h` seconds follows the motion of a spring `k` with a
/// damper `d` that acts on what has the mobility `W`: a radian of its swing, or
/// the time in which its speed falls to 1/e, takes a step or longer. Such a
/// force is taken at the mean of the step, which keeps the energy of a spring;
/// a faster one at the end, which lets it die away.
inline bool IsFollowed(double k, double d, double W, double h) {
  return h * (h * k + d) * W <= 1.0;
}

}  // namespace limber::dynamics
