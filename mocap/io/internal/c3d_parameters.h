// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/diagnostics.h"
#include "mocap/io/c3d.h"
#include "mocap/metadata.h"

namespace limber::mocap::internal {

/// Reads the chain of group and parameter records in bytes [begin, end) of a
/// file; `begin` is the first record, `end` what the chain must not pass (the
/// data section or the end of the file). Broken chains are followed as far as
/// they make sense, each repair with a warning (docs/formats.md).
/// @param chain_end  receives the byte after the last record.
Metadata ParseC3dParameters(std::string_view file, std::size_t begin,
                            std::size_t end, C3dByteOrder order,
                            Diagnostics& diagnostics, std::size_t* chain_end);

/// The records of `metadata`, ended by a zero record. Groups keep their ids
/// where these are distinct and get a free one elsewhere. Errors go to
/// `diagnostics` ("c3d-limit").
std::string FormatC3dParameters(const Metadata& metadata, C3dByteOrder order,
                                Diagnostics& diagnostics);

}  // namespace limber::mocap::internal
