// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace limber::mocap::internal {

/// The fields of a TRC line: between tabs, or between blanks in a line without
/// tabs. Blanks around a field are not part of it.
class TrcFields {
 public:
  explicit TrcFields(std::string_view line);

  /// The next field, maybe empty; nothing after the last one.
  std::optional<std::string_view> Next();

  /// The next field of a row of numbers, in which blanks part fields too.
  /// Sets `had_blanks` where they did, and leaves it alone otherwise.
  std::optional<std::string_view> NextNumber(bool& had_blanks);

  /// Where the field last returned begins, from 1.
  std::int64_t column() const { return column_; }

 private:
  std::string_view Found(std::string_view raw, std::size_t begin);
  void SkipBlanks();

  std::string_view line_;
  bool by_tab_;
  bool done_ = false;
  std::size_t at_ = 0;
  std::int64_t column_ = 1;
};

}  // namespace limber::mocap::internal
