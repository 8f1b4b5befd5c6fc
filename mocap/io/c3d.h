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

struct C3dReadOptions {
  /// Warnings become errors.
  bool strict = false;
  /// Axes of the file. Without it POINT:X_SCREEN and Y_SCREEN decide, and where
  /// the file has none, +Z is up and +X right. `origin.axes_decision` of the
  /// take says which of the three it was.
  std::optional<AxisConvention> axes = std::nullopt;
  /// Length of the file's unit [m]. Without it POINT:UNITS decides, and where
  /// the file has none, millimetres.
  std::optional<double> metres_per_unit = std::nullopt;
  /// Many programs store an unseen point as exactly (0, 0, 0) and forget to
  /// mark it. Such samples are missing (warning "zero-position") unless this
  /// is false.
  bool zero_is_missing = true;
};

/// Reads a C3D file: any of the three byte orders, integers or floats. What is
/// repaired, with which warning, and what is refused: docs/formats.md. The
/// take's metadata holds every parameter of the file.
Result<MarkerTake> ReadC3d(const std::filesystem::path& path,
                           const C3dReadOptions& options = {});

/// As above from the bytes of a file; `name` is used in messages.
/// @throws std::invalid_argument if `options.axes` is not valid or
///         `options.metres_per_unit` is not positive and finite.
Result<MarkerTake> ReadC3d(std::string_view bytes, std::string name,
                           const C3dReadOptions& options = {});

enum class C3dByteOrder { kPc, kDec, kSgi };
enum class C3dNumbers { kFloat, kInt16 };

struct C3dWriteOptions {
  C3dByteOrder byte_order = C3dByteOrder::kPc;
  /// kInt16 keeps POINT:SCALE where it suits the take and else chooses the
  /// smallest one that holds every coordinate; positions are then rounded to
  /// it.
  C3dNumbers numbers = C3dNumbers::kFloat;
};

/// The take as the bytes of a C3D file, in the unit and axes of `take.origin`.
/// Every parameter of the metadata is kept; those that describe the data
/// (POINT, ANALOG, EVENT, TRIAL) are brought up to date, and made where the
/// take has none. Errors: "c3d-limit" when the take holds more than the format
/// can (a parameter section over 255 blocks, more than 65535 points).
Result<std::string> FormatC3d(const MarkerTake& take,
                              const C3dWriteOptions& options = {});

/// Writes `FormatC3d` to a file; the diagnostics hold the reasons if it could
/// not be done.
Diagnostics WriteC3d(const std::filesystem::path& path, const MarkerTake& take,
                     const C3dWriteOptions& options = {});

}  // namespace limber::mocap
