// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "dynamics/collision/internal/convex_pair.h"
#include "dynamics/collision/internal/triangle_set.h"

namespace limber::dynamics::internal {

/// Patches of one surface with one convex set, merged by their normal.
struct SurfacePatches {
  struct Group {
    Patch patch;
    int triangle = 0;  ///< The first that gave a point.
  };
  std::vector<Group> groups;  ///< The first num_groups count.
  int num_groups = 0;
};

struct SurfaceScratch {
  Polytope triangle;
  ClipScratch clip;
  Patch patch;
  SurfacePatches patches;
};

/// The surface is A, in whose frame `b` is given; `box` is b's box in it.
///
/// A triangle is touched along its own normal, or along another one at an edge
/// or corner that sticks out of the surface (TriangleSet::active). So what
/// slides over a floor of many triangles never meets the edges between them.
void CollideSurface(const TriangleSet& surface, const Polytope& b,
                    const BoundingBox& box, double margin,
                    SurfaceScratch& scratch);

}  // namespace limber::dynamics::internal
