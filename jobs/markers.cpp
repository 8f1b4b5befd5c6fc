// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/markers.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/clip_time.h"
#include "figure/make_figure.h"
#include "jobs/bad_call.h"
#include "jobs/load.h"
#include "jobs/words.h"

namespace limber::jobs {

namespace {

bool HasSameJoints(const figure::Skeleton& a, const figure::Skeleton& b) {
  bool same = a.num_joints() == b.num_joints();
  for (int j = 0; same && j < a.num_joints(); ++j) {
    same = a.joint(j).name == b.joint(j).name;
  }
  return same;
}

/// The figure that wears the markers: the one given, or one made for the clip.
Result<figure::FigureModel> FigureFor(const MarkersOptions& options,
                                      const figure::Motion& motion) {
  if (!options.figure) return figure::MakeFigure(motion.shared_skeleton());
  if (HasSameJoints(*options.figure->skeleton, motion.skeleton())) {
    return {*options.figure, Diagnostics()};
  }
  Diagnostics findings(options.figure_file);
  findings.Error("other-skeleton", {}, "its joints are not those of the clip");
  return Result<figure::FigureModel>(std::move(findings));
}

Result<VirtualMarkers> MakeMarkers(const figure::Motion& clip,
                                   const MarkersOptions& options) {
  Diagnostics findings(options.file);
  CheckTime(clip, findings);
  if (clip.num_frames() == 0) {
    findings.Error("no-frames", {}, "the clip has no frames");
  }
  if (options.faults.ghosts * clip.num_frames() > kMostFrames) {
    throw BadCall("--ghosts " + std::to_string(options.faults.ghosts) +
                  " over " + Count(clip.num_frames(), "frame") + ": at most " +
                  std::to_string(kMostFrames) + " places of ghosts are made");
  }
  if (findings.has_errors()) return Result<VirtualMarkers>(std::move(findings));
  const Result<figure::FigureModel> figure = FigureFor(options, clip);
  if (!figure.ok()) return Result<VirtualMarkers>(figure.diagnostics());
  try {
    const std::vector<figure::FigureSite> sites =
        mocap::MarkerSitesOf(*figure, options.marker_set);
    if (sites.empty()) {
      findings.Error("no-sites", {},
                     "no human body was recognised by the joints' names, "
                     "so there is no place for the markers; --figure FILE with "
                     "\"markers\" says where they sit");
      return Result<VirtualMarkers>(std::move(findings));
    }
    VirtualMarkers made{mocap::MakeVirtualTake(clip, sites),
                        static_cast<int>(sites.size()),
                        {}};
    made.report = mocap::AddFaults(options.faults, made.take);
    return {std::move(made), std::move(findings)};
  } catch (const std::invalid_argument& error) {
    throw BadCall(error.what());
  }
}

}  // namespace

Result<VirtualMarkers> Markers(const figure::Motion& clip,
                               const MarkersOptions& options) {
  return RunStoppable(options.progress, options.file,
                      [&] { return MakeMarkers(clip, options); });
}

}  // namespace limber::jobs
