// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "figure/dynamic/motor_reading.h"
#include "figure/figure_model.h"
#include "viewer/part.h"

namespace limber::viewer::internal {

/// How hard the motors of a joint worked: the largest torque of an axis by the
/// strength of the figure there, or 1 where one was at its bound.
double EffortOf(const figure::Anchor& anchor,
                const figure::MotorReading& reading);

/// From `palette::kIdle` at 0 over orange to `palette::kSaturated` at 1.
Colour EffortColour(double effort);

}  // namespace limber::viewer::internal
