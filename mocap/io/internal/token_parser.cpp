// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/token_parser.h"

#include <utility>

namespace limber::mocap::internal {

TokenParser::TokenParser(std::string_view text, const TokenSyntax& syntax,
                         std::string file, bool strict)
    : diagnostics_(std::move(file), strict), tokens_(text, syntax) {}

bool TokenParser::Fail(std::string_view kind, Place place,
                       std::string message) {
  diagnostics_.Error(kind, place, std::move(message));
  return false;
}

bool TokenParser::FailExpected(std::string_view expected, const Token& found) {
  return Fail(found.at_end() ? "end-of-file" : "unexpected-word", found.place(),
              "expected " + std::string(expected) + ", found " + Found(found));
}

std::string TokenParser::Utf8Name(std::string_view name, const Token& at) {
  bool changed = false;
  std::string utf8 = ToUtf8(name, changed);
  if (changed) {
    diagnostics_.Warning(
        "name-encoding", at.place(),
        "name " + Quoted(utf8) + " is not UTF-8; reading it as Latin-1");
  }
  return utf8;
}

}  // namespace limber::mocap::internal
