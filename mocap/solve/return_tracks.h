// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnostics.h"
#include "mocap/marker_take.h"

namespace limber::mocap {

/// Where people meet, markers of one name may change hands: from one frame to
/// the next each has the other's point. Looks at all pairs of columns that have
/// the same label but for the subject, and changes such runs back (warning
/// "tracks-exchanged" with the frames); most frames are believed to be right.
void ReturnTracks(MarkerTake& take, Diagnostics& diagnostics);

}  // namespace limber::mocap
