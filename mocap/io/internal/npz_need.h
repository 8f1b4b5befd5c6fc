// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "mocap/io/internal/npy.h"
#include "mocap/io/npz.h"

namespace limber::mocap::internal {

/// The array of that name with the shape that is asked for, where kAny stands
/// for any number; nothing after an error: "missing-member", "shape",
/// "not-finite", or one of NpyReader.
inline constexpr std::uint64_t kAny = ~std::uint64_t{0};
std::optional<NumberArray> NeedNumbers(
    std::string_view name, std::initializer_list<std::uint64_t> shape,
    NpyReader& reader, Diagnostics& diagnostics);

/// Whether all numbers are finite and at most 1e9; else the error "not-finite"
/// with the place of the first that is not.
bool CheckFinite(const NumberArray& array, Diagnostics& diagnostics);

/// The rate of the caller, else of the file. Error kind "no-rate".
std::optional<double> NeedRate(const NpzReadOptions& options, NpyReader& reader,
                               Diagnostics& diagnostics);

}  // namespace limber::mocap::internal
