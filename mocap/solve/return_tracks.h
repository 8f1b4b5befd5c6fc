// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnostics.h"
#include "mocap/marker_take.h"

namespace limber::mocap {

/// Labels may change hands: from one frame to the next each of two has the
/// other's point, be it that people meet or that markers of one person come
/// near each other. Follows all labelled tracks through the take and gives each
/// the label under which most of its frames are (warning "tracks-exchanged"
/// with the frames). Exchanges within 1.5 cm, or over gaps longer than a
/// quarter of a second, are not seen.
void ReturnTracks(MarkerTake& take, Diagnostics& diagnostics);

}  // namespace limber::mocap
