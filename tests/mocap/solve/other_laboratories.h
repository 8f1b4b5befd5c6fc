// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mocap/marker_take.h"
#include "mocap/solve/actor.h"
#include "mocap/solve/body.h"

namespace limber::test {

/// How one laboratory marks a body: labels and the landmarks they stand for.
struct Laboratory {
  std::string name;
  std::string left;   ///< What stands for "%" in labels of the left side.
  std::string right;  ///< The same of the right side.
  /// "label=landmark" parted by blanks; "~" is a blank in a label. A label with
  /// "%" stands for two markers, one on each side.
  std::string markers;
};

/// Marker sets of many schools, programs and languages, written down from their
/// manuals; none of them is read by the library.
const std::vector<Laboratory>& Laboratories();

/// Poses of somebody, to be put on other bodies.
struct RecordedPoses {
  std::string name;
  double rate_hz = 0.0;
  double scale = 1.0;  ///< Of the body that they were recorded on.
  std::vector<mocap::BodyPose> poses;
};

/// What makes one take different from the next.
struct LaboratoryOptions {
  double height = 1.75;      ///< Of the actor [m].
  double odd_bones = 0.03;   ///< Standard deviation of bone lengths, as share.
  double misplaced = 0.008;  ///< Of markers, per axis [m].
  double skin = 0.004;       ///< How far skin slides when joints bend [m].
  double noise = 0.0007;     ///< Per axis [m].
  double gaps = 0.0;         ///< Share of samples.
  int swaps = 0;
  int ghosts = 0;
  bool has_prop = false;  ///< A rigid thing with four markers beside.
  double nonsense = 0.0;  ///< Share of labels that say nothing.
  int spelling = 0;       ///< In [0, kNumSpellings).
  unsigned seed = 1;
};
inline constexpr int kNumSpellings = 7;

/// A take whose truth is known.
struct LaboratoryTake {
  mocap::MarkerTake take;
  mocap::Actor actor;
  std::vector<mocap::BodyPose> poses;
  std::vector<int> segments;  ///< Per column; -1 for what nobody wears.
};

LaboratoryTake MakeLaboratoryTake(const Laboratory& laboratory,
                                  const RecordedPoses& recorded,
                                  const LaboratoryOptions& options);

}  // namespace limber::test
