// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "mocap/marker_take.h"

namespace limber::mocap {

struct TrcReadOptions {
  /// Warnings become errors.
  bool strict = false;
  /// TRC does not say which axis is up. Without this +Y is (OpenSim's way);
  /// `origin.axes_decision` of the take says who decided.
  std::optional<AxisConvention> axes = std::nullopt;
  /// Length of the file's unit [m]. Without it the word under Units decides.
  std::optional<double> metres_per_unit = std::nullopt;
  /// Samples that are exactly (0, 0, 0) are missing (warning "zero-position")
  /// unless this is false.
  bool zero_is_missing = true;
};

/// Reads a TRC file (tab-separated marker positions). What is repaired, with
/// which warning, and what is refused: docs/formats.md.
Result<MarkerTake> ReadTrc(const std::filesystem::path& path,
                           const TrcReadOptions& options = {});

/// As above from the text of a file; `name` is used in messages.
/// @throws std::invalid_argument if `options.axes` is not valid or
///         `options.metres_per_unit` is not positive and finite.
Result<MarkerTake> ReadTrc(std::string_view text, std::string name,
                           const TrcReadOptions& options = {});

struct TrcWriteOptions {
  /// Stands in the first line of the file.
  std::string file_name = "take.trc";
};

/// The markers of a take (points of another kind, analog channels, events and
/// residuals have no place in TRC) as text, in the unit and axes of
/// `take.origin`. Missing samples are blank. Reading the text gives the same
/// positions, bit for bit those that came from a file, others to the last bit.
std::string FormatTrc(const MarkerTake& take,
                      const TrcWriteOptions& options = {});

/// Why a reader would not take what `FormatTrc` makes of this take: a position
/// beyond 1e9 of the file's unit ("too-large"), frames below 0 ("frame-count").
Diagnostics CheckTrc(const MarkerTake& take);

/// Writes `FormatTrc` to a file under its own name, unless `CheckTrc` finds
/// something; the diagnostics hold the reason if it could not be done.
Diagnostics WriteTrc(const std::filesystem::path& path, const MarkerTake& take);

}  // namespace limber::mocap
