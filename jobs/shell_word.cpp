// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/shell_word.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace limber::jobs {

std::string ShellWord(const std::string& word) {
  const bool plain =
      !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
        return std::isalnum(c) != 0 || c >= 0x80 ||
               std::string_view("-_./=:,+@%").find(static_cast<char>(c)) !=
                   std::string_view::npos;
      });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace limber::jobs
