// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/math.h"

namespace limber::mocap::internal {

/// The rotation R that maximises tr(Rᵀ B); with B = Σ b aᵀ it is the one that
/// turns the vectors a best onto the vectors b [Kabsch 1976].
Matrix3 NearestRotation(const Matrix3& B);

}  // namespace limber::mocap::internal
