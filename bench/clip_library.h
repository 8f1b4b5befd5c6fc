// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "figure/motion.h"
#include "mocap/retarget/joint_map.h"

namespace limber::mocap {

/// A recording that clips are made from.
struct Recording {
  std::string name;
  figure::Motion motion;  ///< On a skeleton whose rest pose means something.
  HumanBody body;
  /// Every third by name in its folder: kept aside while programs are made.
  bool is_kept_aside = false;
};

/// Every BVH file below `folder` that is a body with at least a second of
/// motion, in the order of their names; what is left out is printed.
std::vector<Recording> ReadRecordings(const std::filesystem::path& folder);

/// One clip of a library that nobody recorded as it is: a part of a recording,
/// mirrored or not, faster or slower, turned and shifted over the floor, on a
/// body of other proportions, with another part after it, with noise, at
/// another rate.
struct MadeClip {
  std::string name;  ///< What was done: "02_01 [1.2 s 3.4 s] mirrored x0.91".
  bool is_kept_aside = false;  ///< It is made from a recording that is.
  figure::Motion motion;
  HumanBody body;
};

/// Clip `number` of the library; the same number gives the same clip.
///  - the recording: all in turn;
///  - the part: 1.5 to 6 s of it, or all where it is shorter;
///  - one after the other: one in four is two parts joined by `Combine`;
///  - mirrored: one in two;
///  - time: times 0.8 to 1.25, one in two;
///  - the rate: 24, 30, 50, 60 or 120 frames per second, or as it was (one in
///    two), never higher than it was;
///  - the body: legs, arms and trunk times 0.8 to 1.2 each, one in two. Hips,
///    legs and feet grow together and the path of the pelvis with them, so that
///    feet stand as they did;
///  - turned about the vertical by any angle, and shifted by up to 5 m;
///  - noise: one in four, joints by 0.1 degrees and the root by 0.3 mm (root
///    mean square), without any memory from frame to frame.
/// Nothing where two parts could not be joined.
std::optional<MadeClip> MakeClip(const std::vector<Recording>& recordings,
                                 std::int64_t number);

}  // namespace limber::mocap
