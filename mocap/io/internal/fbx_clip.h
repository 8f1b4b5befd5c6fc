// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "mocap/io/fbx.h"

namespace limber::mocap::internal {

/// The clip of a scene that `ReadAndPackFbx` has packed: the part of reading
/// that trusts nothing and needs no process of its own.
/// @param packed     as another process sent it; indices are checked.
/// @param num_bytes  of the file, which bound the length of the clip.
Result<CharacterClip> ClipOfPackedFbx(std::string_view packed,
                                      std::size_t num_bytes,
                                      const FbxReadOptions& options);

}  // namespace limber::mocap::internal
