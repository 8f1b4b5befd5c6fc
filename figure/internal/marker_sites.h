// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "figure/internal/body_pieces.h"

namespace limber::figure::internal {

/// The 41 markers of the CMU recordings (Vicon names) on the skin of a human
/// body. Markers of parts that the skeleton lacks are left out.
std::vector<FigureSite> MarkerSites(const Body& body);

}  // namespace limber::figure::internal
