// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

enum class Severity { kWarning, kError };

/// Where in a file something was found. Text has line and column (from 1),
/// binary a byte offset (from 0). Unknown parts stay at their default.
struct Place {
  std::int64_t line = 0;    ///< 0 = not known.
  std::int64_t column = 0;  ///< 0 = not known.
  std::int64_t byte = -1;   ///< -1 = not known.

  static Place AtLine(std::int64_t line, std::int64_t column = 0) {
    return {line, column, -1};
  }
  static Place AtByte(std::int64_t byte) { return {0, 0, byte}; }
};

/// One finding about a file. `kind` is a stable word in kebab case that tests
/// and programs may compare ("frame-count"); `message` is for people and says
/// what was expected and what was found.
struct Diagnostic {
  Severity severity = Severity::kError;
  std::string kind;
  std::string file;  ///< As the caller named it; may be empty.
  Place place;
  std::string message;
  std::int64_t count = 1;  ///< How many times this kind of repair was made.
};

/// Prints in the compiler's form, with " (N times)" when count > 1:
///
///     walk.bvh:37:3: error: OFFSET needs 3 numbers, found 2: "0.0 5.21"
///     walk.c3d: byte 1: error: expected key 0x50, found 0x00
std::string ToString(const Diagnostic& diagnostic);

/// The findings of one reader. Repairs are warnings; `strict` turns every
/// warning into an error as it is added.
class Diagnostics {
 public:
  Diagnostics() = default;
  explicit Diagnostics(std::string file, bool strict = false)
      : file_(std::move(file)), strict_(strict) {}

  void Error(std::string_view kind, Place place, std::string message);

  /// Adds a warning. Further warnings of the same kind are counted on the
  /// first one, whose place and message stay, so a broken file of a million
  /// rows gives one line and not a million.
  void Warning(std::string_view kind, Place place, std::string message);

  /// Adds copies of the findings of `other`, which keep their file.
  void Append(const Diagnostics& other);

  bool has_errors() const { return num_errors_ > 0; }
  bool strict() const { return strict_; }
  const std::string& file() const { return file_; }
  const std::vector<Diagnostic>& all() const { return all_; }
  std::vector<Diagnostic> warnings() const;
  /// The number of warnings of `kind`, repeats counted.
  std::int64_t CountOf(std::string_view kind) const;
  /// All findings, one per line, each ended by a newline.
  std::string ToString() const;

 private:
  void Add(Severity severity, std::string_view kind, Place place,
           std::string message);

  std::string file_;
  bool strict_ = false;
  int num_errors_ = 0;
  std::vector<Diagnostic> all_;
};

}  // namespace limber
