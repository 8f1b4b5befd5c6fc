// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "figure/motion.h"

namespace limber::test {

/// Whose names and bones a rig has.
enum class RigKind {
  kMixamo,  ///< "mixamorig:LeftArm", fingers, toes, ends as joints.
  kBandai,  ///< "UpperArm_L", no fingers.
  kNeuron,  ///< "LeftArm", "LeftInHandIndex", fingers, no toes.
  kDaz      ///< "lShldrBend", twist bones, fingers, toes, a face: 170 joints.
};

/// The pose in which all rotations of a rig are zero.
enum class RigRest {
  kT,
  kA,         ///< Arms 45 degrees down.
  kArmsDown,  ///< Arms along the body.
  kBoneAxes   ///< Every bone along X, on the right side along -X: no pose that
              ///< a body can take.
};

/// A foreign character: names, bones, rest pose and channels of some program's
/// export, on the bones of the bundled adult.
struct RigStyle {
  RigKind kind = RigKind::kMixamo;
  RigRest rest = RigRest::kT;
  std::string prefix;              ///< "mixamorig:".
  std::vector<std::string> roots;  ///< Joints above the hips, the first on top.
  bool root_travels = false;  ///< The first of `roots` moves over the floor.
  /// Position channels on every joint, which hold the bone's offset.
  bool positions_everywhere = false;
  /// The OFFSET of the file is zero: only the position channels say how long
  /// bones are. Needs `positions_everywhere`.
  bool zero_offsets = false;
  /// End sites of the hands point down in the T-pose and not along the forearm.
  bool hand_sites_down = false;
  double size = 1.0;  ///< Of the adult.
};

/// Mixamo-like with fingers, T-pose.
RigStyle MixamoLike();
/// Bandai-Namco-like: extra root, positions on every joint, bone axes.
RigStyle BandaiLike();
/// Perception-Neuron-like with fingers and positions on every joint, T-pose.
RigStyle NeuronLike();
/// DAZ-like, 170 joints, A-pose.
RigStyle DazLike();

/// The clip, which must be on the bundled adult of 18 joints, as that rig does
/// it. Joints turn exactly as the adult's do: places of the same joints are the
/// same in every rig of the same size. Fingers, jaw and eyes have a motion of
/// their own, the same in all rigs. What it returns has the rig's channels as
/// its form (centimetres, +Y up).
figure::Motion OnRig(const figure::Motion& adult, const RigStyle& style);

/// The same through the text of a BVH file and back.
figure::Motion ReadBack(const figure::Motion& motion);

}  // namespace limber::test
