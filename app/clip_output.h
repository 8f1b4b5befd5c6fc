// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "app/load.h"
#include "core/diagnostics.h"
#include "figure/motion.h"

namespace limber::app {

/// Refuses endings that `WriteClip` cannot write. @throws BadCall.
void CheckClipPath(const std::filesystem::path& path);

struct ClipOutput {
  std::filesystem::path file;  ///< .bvh, .glb, .npz or .usda.
  /// The character that a GLB shows: a glTF file on whose skeleton the motion
  /// is. Any other file, or none, gives a plain body.
  std::filesystem::path character = {};
  LoadOptions load = {};  ///< As the character was read.
};

/// Writes a clip by the name's ending. A GLB of a character is its own file
/// with one animation more, called after the output; where the motion is on
/// another skeleton a plain body is written, with the warning
/// "character-left-out".
Diagnostics WriteClip(const ClipOutput& output, const figure::Motion& motion);

}  // namespace limber::app
