// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/constraints/body_point.h"
#include "dynamics/row.h"

namespace limber::dynamics {

/// Adds the row of a C that depends on x alone, the place of point A as seen
/// from body `frame`, with gradient g and second derivative c = x'^T C_xx x':
///
///     C' = g . x',   C'' = g . x'' + c
void AddSeenRow(BodyMotions bodies, BodyId frame, BodyId body,
                const SeenPoint& seen, double error, const Vector3& gradient_B,
                double curvature, const RowSettings& settings, RowBuffer& rows);

}  // namespace limber::dynamics
