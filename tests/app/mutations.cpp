// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/mutations.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace limber::test {

namespace {

bool IsOfNumber(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' ||
         c == '-' || c == '+' || c == 'e';
}

/// Replaces the number at or after `at` by an extreme one, if there is one.
void ReplaceNumber(std::string& bytes, std::size_t at, std::mt19937& random) {
  const auto begin = std::find_if(
      bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(),
      [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
  const auto end = std::find_if_not(begin, bytes.end(), IsOfNumber);
  bytes.replace(begin, end, ExtremeNumber(random));
}

}  // namespace

std::size_t Below(std::size_t limit, std::mt19937& random) {
  return limit == 0 ? std::size_t{0} : std::size_t{random()} % limit;
}

std::string ExtremeNumber(std::mt19937& random) {
  constexpr std::array kNumbers = {
      "0",           "-1",         "1",
      "1e9",         "-1e9",       "1e18",
      "1e30",        "1e38",       "-1e300",
      "1e308",       "1e999",      "1e-300",
      "5e-324",      "nan",        "inf",
      "-inf",        "2147483647", "2147483648",
      "-2147483649", "4294967296", "9223372036854775807",
      "65536",       "1e-9",       "16.667",
      "0.5",         "100000",     "360",
      "-0"};
  return kNumbers[Below(kNumbers.size(), random)];
}

std::string Mutated(std::string bytes, std::mt19937& random) {
  const std::size_t edits = 1 + Below(5, random);
  for (std::size_t edit = 0; edit < edits && !bytes.empty(); ++edit) {
    const std::size_t at = Below(bytes.size(), random);
    const std::size_t length =
        std::min(1 + Below(60, random), bytes.size() - at);
    switch (Below(8, random)) {
      case 0:
      case 1:
        ReplaceNumber(bytes, at, random);
        break;
      case 2:
        bytes[at] = static_cast<char>(random());
        break;
      case 3:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << Below(8, random)));
        break;
      case 4:
        bytes.erase(at, length);
        break;
      case 5:
        bytes.insert(Below(bytes.size(), random), bytes.substr(at, length));
        break;
      case 6:
        bytes.replace(Below(bytes.size() - length + 1, random), length,
                      bytes.substr(at, length));
        break;
      default:
        if (Below(6, random) == 0) bytes.resize(at);
    }
  }
  return bytes;
}

}  // namespace limber::test
