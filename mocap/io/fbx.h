// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "mocap/io/character_clip.h"

namespace limber::mocap {

/// How an FBX file is read.
struct FbxReadOptions {
  std::string file = {};  ///< For messages.
  bool strict = false;    ///< Warnings become errors.
  /// Metres per unit of the file's numbers, instead of what it says.
  std::optional<double> metres_per_unit = {};
  /// Frames per second of the motion; without it those of the file [Hz].
  std::optional<double> rate_hz = {};
  /// Name of the animation, or its number from 0; empty for the first.
  std::string animation = {};
};

/// Reads the skeleton and one animation of an FBX file of version 7.1 and
/// later, binary or text, by Assimp. It runs in a process of its own, with
/// bounds of time and memory, so that a broken file breaks nothing else.
///
/// Joints are the bones of the skins and the nodes between them, up to the one
/// that all are below; without a skin all nodes but meshes, cameras, lights
/// and the root. Pivots become part of the motion: a joint is where all nodes
/// above put it. The rest pose is the bind pose of the skins, elsewhere the
/// pose of the nodes. The up axis and the unit are as the file says them
/// (UpAxis, CoordAxis, UnitScaleFactor; the front follows); joint frames are
/// parallel to the world at rest, as those of `ReadGltf`.
///
/// Errors: "fbx" (not understood; says what Assimp says, or that the
/// version is before 7.1), "fbx-broken" (the reading process was ended by a
/// signal, ran out of time or of memory), "no-nodes", "no-animation",
/// "not-finite", "too-long".
Result<CharacterClip> ReadFbx(std::string_view bytes,
                              const FbxReadOptions& options);

}  // namespace limber::mocap
