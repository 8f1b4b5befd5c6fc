// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "figure/motion.h"
#include "mocap/io/character_clip.h"

namespace limber::mocap {

/// How a glTF file is read.
struct GltfReadOptions {
  std::string file = {};         ///< For messages.
  bool strict = false;           ///< Warnings become errors.
  double metres_per_unit = 1.0;  ///< glTF says metres; some files do not.
  /// Frames per second of the motion; without it that of the keys where they
  /// are evenly spaced, else 30 [Hz].
  std::optional<double> rate_hz = {};
  /// Name of the animation, or its number from 0; empty for the first.
  std::string animation = {};
  /// Where the buffers that a .gltf names lie; empty: none is opened.
  std::filesystem::path folder = {};
};

/// Reads the skeleton and one animation of a glTF 2.0 file, as .glb or .gltf.
///
/// The joints are those of the skins, or all nodes where there is no skin; a
/// joint's parent is the nearest joint above its node. The rest pose is the
/// bind pose, from the inverse bind matrices. With N the node's own axes and
/// index 0 for the bind pose, the joint frame J is parallel to the world at
/// rest:
///
///     R_WJ = R_WN R_WN0ᵀ        p_WJ = p_WN
///
/// Keys (step, linear, cubic) are sampled from the first to the last at the
/// motion's rate. Scales act on places; a scale that changes and the weights
/// of morph targets are dropped with a warning ("scale-dropped",
/// "morph-dropped"). A file without animation gives one frame, the pose of its
/// nodes. A bare end node below a joint becomes a site.
///
/// Errors name the place as the path in the JSON ("nodes/3/children/0") or as
/// a byte: "syntax", "container", "buffer", "accessor", "index", "cycle",
/// "no-nodes", "no-animation", "not-finite", "too-long" (a motion that would
/// take more than 20 times the file and 32 MB), "extension" (a required
/// extension that Limber does not know).
Result<CharacterClip> ReadGltf(std::string_view bytes,
                               const GltfReadOptions& options);

struct GltfWriteOptions {
  std::string file = {};        ///< For messages.
  bool strict = false;          ///< Warnings become errors.
  std::string name = "limber";  ///< Of the animation.
};

/// The motion as a GLB with a plain body: a capsule round every bone, skinned
/// to the skeleton, so that any viewer shows somebody. Joints and sites are
/// nodes, metres, +Y up.
Result<std::string> WriteGlb(const figure::Motion& motion,
                             const GltfWriteOptions& options);

/// The file `character` (.glb or .gltf) as a GLB with one animation more: the
/// motion, which must be on the skeleton that `ReadGltf` gives for it. Meshes,
/// skins, images and other animations stay as they are: the bytes of the
/// buffers are kept and the new ones put behind them.
/// @param metres_per_unit, folder  as the character was read.
/// Error beside those of reading: "other-skeleton".
Result<std::string> WriteGlbOnto(std::string_view character,
                                 const figure::Motion& motion,
                                 const GltfReadOptions& character_options,
                                 const GltfWriteOptions& options);

}  // namespace limber::mocap
