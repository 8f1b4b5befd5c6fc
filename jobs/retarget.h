// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/verdict.h"
#include "figure/dynamic/play.h"
#include "figure/working_rig.h"
#include "jobs/body_clip.h"
#include "jobs/data_path.h"
#include "jobs/load.h"
#include "jobs/progress.h"
#include "mocap/retarget/proportions.h"
#include "mocap/retarget/retarget.h"

namespace limber::jobs {

/// Whom clips are carried over to: a body of its own, or the clip's own body
/// with other proportions.
struct RetargetTarget {
  std::string name;
  std::optional<mocap::HumanBody> body;
  /// Where the body comes from a clip: what it is written on.
  std::optional<figure::WorkingRig> rig;
  std::filesystem::path character;  ///< Its file if that is a glTF.
  figure::MotionSource form;  ///< Unit, axes and channels of the written file.
  std::vector<mocap::Proportion> proportions;  ///< Where there is no body.
};

/// A figure, a clip's body or an ASF skeleton as the target. Error kinds:
/// "no-body", "no-skeleton".
Result<RetargetTarget> MakeTarget(const LoadedFile& file,
                                  const mocap::MapFile& map = {},
                                  bool strict = false);

/// The same of a file, or of a figure that comes with Limber by its name.
Result<RetargetTarget> LoadTarget(const std::filesystem::path& path,
                                  const mocap::MapFile& map = {},
                                  bool strict = false);

/// The clip's own body with other lengths: "legs=1.25,arms=0.8".
/// @throws BadCall saying what was expected.
RetargetTarget ScaledTarget(const std::string& lengths);

/// How a clip is carried over.
struct RetargetOptions {
  ClipOrigin origin;
  mocap::MapFile map;  ///< Where the names of joints do not say enough.
  mocap::RetargetOptions parts;
  /// Played by the physical figure with this share of its strength.
  std::optional<double> dynamic_strength;
  Progress progress;
};

struct RetargetedClip {
  /// The clip on the target, as its files have it.
  figure::Motion motion;
  /// The same and what was done, on the body that the retargeter works with.
  mocap::Retargeted result;
  BodyClip source;
  mocap::HumanBody source_body;
  mocap::HumanBody body;
  mocap::JointMap map;
  std::optional<figure::PlayResult> played;
  double seconds = 0.0;  ///< Of processor time.
  Verdict verdict;
};

/// Carries a clip over to a body of other proportions, feet planted, and judges
/// the result. Errors: "no-motion", "no-body", those of the map, and "stopped".
Result<RetargetedClip> Retarget(const figure::Motion& clip,
                                const RetargetTarget& target,
                                const RetargetOptions& options = {});

}  // namespace limber::jobs
