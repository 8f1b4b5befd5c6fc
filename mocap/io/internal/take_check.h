// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnostics.h"
#include "mocap/marker_take.h"

namespace limber::mocap::internal {

/// Adds the error "too-large" for the first position of the take that a reader
/// of a file in units of `metres` would take for missing.
void CheckPlaces(const MarkerTake& take, double metres,
                 Diagnostics& diagnostics);

}  // namespace limber::mocap::internal
