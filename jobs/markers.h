// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "figure/figure_model.h"
#include "figure/motion.h"
#include "jobs/progress.h"
#include "mocap/marker_take.h"
#include "mocap/virtual_markers.h"

namespace limber::jobs {

struct MarkersOptions {
  std::string file;                  ///< How findings call the clip.
  std::string marker_set = "cmu41";  ///< Labels and places: cmu41 or pig39.
  /// The figure whose markers are used, on the clip's joints; null: one is
  /// made for the clip.
  std::shared_ptr<const figure::FigureModel> figure;
  std::string figure_file;  ///< How findings call it.
  mocap::TakeFaults faults;
  Progress progress;
};

struct VirtualMarkers {
  mocap::MarkerTake take;
  int num_markers = 0;  ///< Worn; ghosts are not among them.
  mocap::FaultReport report;
};

/// Virtual markers from a clip, as cameras would see them. Errors: "no-frames",
/// "too-long", "other-skeleton", "no-sites" (no human body was recognised), and
/// those of `figure::MakeFigure`.
/// @throws BadCall for an unknown set or faults out of range.
Result<VirtualMarkers> Markers(const figure::Motion& clip,
                               const MarkersOptions& options = {});

}  // namespace limber::jobs
