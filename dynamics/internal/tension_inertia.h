// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/internal/lanes.h"

namespace limber::dynamics::internal {

/// The sum of the d e e^T of a symmetric array B = sum d e e^T whose d are
/// positive, for four at once; bits do not depend on the neighbours. Errs by
/// rounding times |d1|/|d2|, the two largest in size, and by less than 4 |d2| +
/// 1e-8 |d1|.
SymLanes PositivePart(const SymLanes& B);

/// What tension adds to the inertias of four bodies, I_eff - I in world axes; 0
/// where it adds nothing. See `TensionInertia` in leapfrog.h.
/// @param inertia    principal inertias, all positive.
/// @param stiffness  the sum, before pos().
SymLanes AddedTensionInertia(const VecLanes& inertia, const MatLanes& R_WC,
                             const SymLanes& stiffness, double h);

}  // namespace limber::dynamics::internal
