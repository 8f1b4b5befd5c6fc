// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "mocap/solve/actor.h"
#include "mocap/solve/internal/body_fit.h"
#include "mocap/solve/marker_set.h"

namespace limber::mocap::internal {

/// The size of the body from the frame that looks most like the rest pose.
std::optional<SimilarityFit> FindSize(std::span<const SetMarker> markers,
                                      const Observations& observed);

/// The reference body at `scale` with the markers where the set has them.
Actor MakeFirstActor(std::span<const SetMarker> markers, double scale);

}  // namespace limber::mocap::internal
