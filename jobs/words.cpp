// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace limber::jobs {

std::string Join(const std::vector<std::string>& words, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, words.size()); ++i) {
    if (i > 0) text += ", ";
    text += words[i];
  }
  if (words.size() > most) {
    text += ", and " + std::to_string(words.size() - most) + " more";
  }
  return text;
}

std::string Count(std::int64_t number, const std::string& thing) {
  return std::to_string(number) + " " + thing + (number == 1 ? "" : "s");
}

std::string Rounded(double value, int digits) {
  // No file holds larger numbers; nobody counts their digits.
  constexpr double kLargest = 1e9;
  std::array<char, 400> buffer{};
  if (std::abs(value) >= kLargest) {
    std::snprintf(buffer.data(), buffer.size(), "%g", value);
    return buffer.data();
  }
  const int length =
      std::snprintf(buffer.data(), buffer.size(), "%.*f", digits, value);
  std::string text(buffer.data(), static_cast<std::size_t>(length));
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace limber::jobs
