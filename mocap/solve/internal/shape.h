// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mocap/solve/internal/draft.h"

namespace limber::mocap::internal {

/// A cloud of tracks that nobody named, identified by the body that fits it.
struct ShapeResult {
  bool is_found = false;
  std::vector<Draft> drafts;
  std::string layout;  ///< Name of the set with the same layout.
  std::string why;     ///< Why not.
};

/// Whether two readings of the same tracks give them to about the same parts of
/// a body: six of seven, where a neighbour of a segment counts as the same.
bool AreSameBody(std::span<const Draft> a, std::span<const Draft> b);

/// Lays bodies into the cloud, takes the few best over the whole take, and
/// keeps the one that moves best with the tracks; none if it is not clearly
/// better than a different one.
ShapeResult IdentifyByShape(std::span<const MarkerSet> sets,
                            const MarkerTake& take,
                            const std::vector<NamedColumn>& columns);

}  // namespace limber::mocap::internal
