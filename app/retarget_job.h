// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/load.h"
#include "app/report.h"
#include "core/result.h"
#include "figure/working_rig.h"
#include "mocap/retarget/proportions.h"
#include "mocap/retarget/retarget.h"

namespace limber::app {

/// Whom clips are carried over to: a body of its own, or the clip's own body
/// with other proportions.
struct RetargetTarget {
  std::string name;
  std::optional<mocap::Body> body;
  /// Where the body comes from a clip: what it is written on.
  std::optional<figure::WorkingRig> rig;
  std::filesystem::path character;  ///< Its file if that is a glTF.
  figure::MotionSource form;  ///< Unit, axes and channels of the written file.
  std::vector<mocap::Proportion> proportions;  ///< Where there is no body.
};

/// Reads a figure file, a clip or an ASF skeleton as the target. Error kinds
/// beside those of the readers: "no-body", "no-skeleton".
Result<RetargetTarget> LoadTarget(const std::filesystem::path& path,
                                  const mocap::MapFile& map, bool strict);

/// How one clip is carried over.
struct RetargetJob {
  std::filesystem::path input;
  std::filesystem::path output;  ///< .bvh, .glb, .npz or .usda.
  std::filesystem::path report;  ///< .json or .html; may be empty.
  LoadOptions load;
  mocap::RetargetOptions options;
  /// Played by the physical figure with this share of its strength, and baked.
  std::optional<double> dynamic_strength;
};

/// What became of it.
struct RetargetOutcome {
  std::string input;
  bool done = false;
  Diagnostics findings;
  std::optional<Report> report;
  std::string map_text;            ///< The joint map, see mocap::ToText.
  std::vector<std::string> lines;  ///< What was done, for people.
  Verdict verdict;
};

/// Reads, retargets, measures and writes one clip. Throws nothing but BadCall.
RetargetOutcome RunRetargetJob(const RetargetJob& job,
                               const RetargetTarget& target,
                               const mocap::MapFile& map);

}  // namespace limber::app
