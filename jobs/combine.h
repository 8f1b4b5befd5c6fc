// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "core/result.h"
#include "figure/motion.h"
#include "jobs/body_clip.h"
#include "jobs/measure.h"
#include "jobs/progress.h"
#include "mocap/retarget/combine.h"

namespace limber::jobs {

struct CombineOptions {
  mocap::CombineOptions parts;
  /// What is known of each clip; empty or one for each.
  std::vector<ClipOrigin> origins;
  Progress progress;
};

struct CombinedClips {
  figure::Motion motion;
  std::vector<mocap::CombineReport>
      joins;               ///< One for each clip but the first.
  double worst_off = 0.0;  ///< A standing foot off its place at most [m].
  ClipMetrics metrics;     ///< Of the whole.
};

/// Joins clips of one skeleton in their order: aligns them, finds where they
/// fit, blends; the first one's rate counts. Errors as `MakeBodyClip`, and
/// "stopped".
/// @throws BadCall if there are fewer than two clips, or clips have other
///         skeletons or are shorter than the blend.
Result<CombinedClips> Combine(std::span<const figure::Motion> clips,
                              const CombineOptions& options = {});

}  // namespace limber::jobs
