// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace limber::mocap::internal {

/// Reads one decimal number that is the whole of `text`: "-1.5", "+0.0", ".5",
/// "15.", "1e-005". Not "nan", "inf", hexadecimal, or anything with trailing
/// characters: those give nothing.
std::optional<double> ParseNumber(std::string_view text);

/// As `ParseNumber` for a whole number that fits `int`.
std::optional<int> ParseInteger(std::string_view text);

/// Same letters, ASCII case ignored.
bool EqualIgnoringCase(std::string_view a, std::string_view b);

/// `text` without blanks, tabs and line ends at both ends.
std::string_view Trim(std::string_view text);

/// At most `limit` characters of `text` for a message, unprintable bytes
/// replaced by '?' and a cut marked by "...". Keeps UTF-8 sequences whole.
std::string Excerpt(std::string_view text, std::size_t limit = 40);

/// Appends the shortest text that reads back as exactly `value`.
void AppendNumber(std::string& text, double value);

/// Appends `value` with `digits` digits after the point, without trailing
/// zeros and without "-0".
void AppendFixed(std::string& text, double value, int digits);

/// Walks over the lines of a text whose lines end in LF, CRLF or CR alone. A
/// UTF-8 byte order mark at the start is skipped.
class LineReader {
 public:
  explicit LineReader(std::string_view text);

  /// The next line without its end, or nothing after the last one. A text that
  /// ends in a line end has no empty line after it.
  std::optional<std::string_view> Next();

  /// Number of the line last returned by `Next`, from 1.
  long line() const { return line_; }

 private:
  std::string_view rest_;
  long line_ = 0;
};

}  // namespace limber::mocap::internal
