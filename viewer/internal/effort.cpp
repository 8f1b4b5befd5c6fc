// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/internal/effort.h"

#include <algorithm>
#include <cmath>

namespace limber::viewer::internal {

double EffortOf(const figure::Anchor& anchor,
                const figure::MotorReading& reading) {
  if (reading.num_saturated > 0) return 1.0;
  double effort = 0.0;
  for (int k = 0; k < anchor.num_axes(); ++k) {
    const double bound = anchor.axes[static_cast<std::size_t>(k)].max_torque;
    if (!(bound > 0.0)) continue;
    effort = std::max(effort, std::abs(reading.torque[k]) / bound);
  }
  return std::min(effort, 0.99);
}

Colour EffortColour(double effort) {
  const Colour orange(0.95, 0.62, 0.20);
  const double x = std::clamp(effort, 0.0, 1.0);
  if (x >= 1.0) return palette::kSaturated;
  // Most joints work with a small share of their strength: show that too.
  return palette::kIdle + std::sqrt(x) * (orange - palette::kIdle);
}

}  // namespace limber::viewer::internal
