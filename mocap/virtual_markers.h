// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure_model.h"
#include "figure/motion.h"
#include "mocap/marker_take.h"

namespace limber::mocap {

/// The names of the built-in marker sets: "cmu41" (the labels of the CMU
/// recordings) and "pig39" (Vicon's Plug-in Gait, full body).
const std::vector<std::string_view>& VirtualMarkerSets();

/// The marker sites of a figure made by `figure::MakeFigure`, under the labels
/// of a marker set.
/// @throws std::invalid_argument if there is no such set.
std::vector<figure::FigureSite> MarkerSitesOf(const figure::FigureModel& figure,
                                              std::string_view marker_set);

/// The take that cameras without fault would record of `motion`: every site
/// moves with its joint, p_WM = X_WJ p_JM. In millimetres, +Z up, as most takes
/// are; `origin` says so and may be changed.
/// @throws std::invalid_argument if a site is on no joint of the skeleton.
MarkerTake MakeVirtualTake(const figure::Motion& motion,
                           const std::vector<figure::FigureSite>& sites);

/// What goes wrong in real recordings, with a seed: the same settings spoil a
/// take in the same way.
struct TakeFaults {
  /// Standard deviation of an independent error of each coordinate [m].
  double noise = 0.0;
  /// Share of all samples that are missing, in [0, 1), in gaps of
  /// `gap_seconds` that do not touch each other.
  double gap_share = 0.0;
  double gap_seconds = 0.5;  ///< [s]
  /// How often two markers that lie near each other trade labels, for half a
  /// second or until the end.
  int swaps = 0;
  /// Unlabelled points ("*1", "*2", ...) that hang near the body for a while.
  int ghosts = 0;
  std::uint32_t seed = 1;
};

/// What was done to a take, so that a test can look for it.
struct FaultReport {
  struct Swap {
    int first = 0;
    int second = 0;
    std::int64_t first_frame = 0;
    std::int64_t num_frames = 0;
  };
  std::int64_t missing_samples = 0;
  std::vector<Swap> swaps;
};

/// Spoils a take: swaps, then noise, gaps and ghosts. Fewer gaps or swaps than
/// asked are made where the take has no room for more; the report says how
/// many.
/// @throws std::invalid_argument naming the field and its value if a setting is
///         out of range.
FaultReport AddFaults(const TakeFaults& faults, MarkerTake& take);

}  // namespace limber::mocap
