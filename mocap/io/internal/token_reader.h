// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/diagnostics.h"
#include "core/math.h"

namespace limber::mocap::internal {

/// The largest length or angle a text file may hold, in file units. Beyond it a
/// double cannot keep six decimals through a change of unit; what files hold
/// there is a mark for "missing", not a measurement.
inline constexpr double kLargestValue = 1e9;

/// Whether a file may hold these: finite, and at most that large.
bool IsWritable(double value);
bool IsWritable(const Vector3& values);

/// A number (as `ParseNumber` reads it) of at most that size.
std::optional<double> ParseValue(std::string_view text);

/// A word of a text and where it stands. Empty text = the end of the file.
struct Token {
  std::string_view text;
  long line = 0;
  long column = 0;           ///< In bytes, from 1.
  bool starts_line = false;  ///< Nothing but blanks before it on its line.

  bool at_end() const { return text.empty(); }
  Place place() const { return Place::AtLine(line, column); }
};

/// An excerpt of `text` in quotation marks, for messages.
std::string Quoted(std::string_view text);

/// How a message names what was found: the token's text in quotation marks, or
/// "the end of the file".
std::string Found(const Token& token);

/// What besides blanks and line ends separates words.
struct TokenSyntax {
  std::string_view punctuation = {};  ///< Each is a token of its own.
  std::string_view blanks = {};       ///< Count as blanks.
  char comment = '\0';                ///< From here the line is ignored.
};

/// Walks over the words of a text. Lines end in LF, CRLF or CR alone; a UTF-8
/// byte order mark at the start is skipped.
class TokenReader {
 public:
  explicit TokenReader(std::string_view text, const TokenSyntax& syntax = {});

  /// The next word, which `Next` takes and `Peek` leaves.
  Token Next();
  Token Peek();

  /// What stands between the last word and the end of its line, or the first
  /// `stop` on it, without blanks at the ends. The text before `stop` is taken.
  std::string_view RestOfLine(char stop = '\0');

  /// The whole text, and where in it the next character is.
  std::string_view text() const { return text_; }
  std::size_t position() const { return position_; }
  long line() const { return line_; }
  /// Position of the first character of the current line.
  std::size_t line_start() const { return line_start_; }

 private:
  enum class CharKind : unsigned char {
    kWord,
    kBlank,
    kLineEnd,
    kPunctuation,
    kComment
  };

  CharKind KindOf(char c) const {
    return kinds_[static_cast<unsigned char>(c)];
  }
  void SkipBlanks();

  std::string_view text_;
  std::array<CharKind, 256> kinds_ = {};
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  long line_ = 1;
  bool line_has_token_ = false;
};

/// `bytes` as UTF-8: itself when it is valid UTF-8, otherwise every byte taken
/// as a Latin-1 character. `changed` says which.
std::string ToUtf8(std::string_view bytes, bool& changed);

}  // namespace limber::mocap::internal
