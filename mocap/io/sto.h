// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace limber::mocap {

/// A table over time as OpenSim stores it (.sto, .mot): coordinates, forces,
/// moments. The numbers are those of the file; what they mean is in the names.
struct StoTable {
  std::string name;                 ///< The first line, "Coordinates".
  bool in_degrees = false;          ///< Of those columns that are angles.
  std::vector<std::string> labels;  ///< Without "time".
  std::vector<double> times;        ///< [s]
  /// Row-major: value of column c in row r is [r * labels.size() + c]; NaN
  /// where the file has none.
  std::vector<double> values;

  std::int64_t num_rows() const {
    return static_cast<std::int64_t>(times.size());
  }
  /// Index of the column of that name.
  std::optional<int> Find(std::string_view label) const;
  double At(std::int64_t row, int column) const {
    return values[static_cast<std::size_t>(row) * labels.size() +
                  static_cast<std::size_t>(column)];
  }
  /// Rows per second by the middle step of the times; 0 for fewer than two
  /// rows.
  double rate_hz() const;
};

/// What is repaired, with which warning, and what is refused: docs/formats.md.
Result<StoTable> ReadSto(std::string_view text, std::string name,
                         bool strict = false);
Result<StoTable> ReadStoFile(const std::filesystem::path& path);

/// The table with the header that OpenSim writes above its motions; numbers
/// with up to ten digits. A table that `ReadSto` would refuse or read otherwise
/// (infinite values, times that are no number, names with blanks) is an error;
/// `name` is that of the file, for messages.
Result<std::string> FormatSto(const StoTable& table, std::string name);
/// Writes `FormatSto` to a file; the diagnostics hold the reason if it could
/// not be written.
Diagnostics WriteStoFile(const std::filesystem::path& path,
                         const StoTable& table);

}  // namespace limber::mocap
