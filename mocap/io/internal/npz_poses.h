// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "mocap/io/internal/npy.h"
#include "mocap/io/npz.h"

namespace limber::mocap::internal {

/// The clip in the member `poses`, which is there.
std::optional<NpzClip> ReadPoses(const NpzReadOptions& options,
                                 NpyReader& reader, Diagnostics& diagnostics);

}  // namespace limber::mocap::internal
