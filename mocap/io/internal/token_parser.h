// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/diagnostics.h"
#include "mocap/io/internal/token_reader.h"

namespace limber::mocap::internal {

/// What the parsers of text formats share. Their functions return false after
/// they have reported an error, and reading stops there.
class TokenParser {
 protected:
  TokenParser(std::string_view text, const TokenSyntax& syntax,
              std::string file, bool strict);

  /// Reports an error; always false.
  bool Fail(std::string_view kind, Place place, std::string message);

  /// The same for "expected ..., found ...", of kind "unexpected-word" or
  /// "end-of-file".
  bool FailExpected(std::string_view expected, const Token& found);

  /// A name as UTF-8, with a warning "name-encoding" when it was not.
  std::string Utf8Name(std::string_view name, const Token& at);

  Diagnostics diagnostics_;
  TokenReader tokens_;
};

}  // namespace limber::mocap::internal
