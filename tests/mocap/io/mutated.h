// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <utility>

namespace limber::mocap::test {

/// One to eight edits: bytes overwritten, words of extreme value, pieces cut
/// out, doubled or moved, the end lost.
inline std::string Mutated(std::string bytes, std::mt19937& random) {
  const auto below = [&](std::size_t limit) {
    return limit == 0 ? std::size_t{0} : std::size_t{random()} % limit;
  };
  const std::size_t edits = 1 + below(8);
  for (std::size_t edit = 0; edit < edits && !bytes.empty(); ++edit) {
    const std::size_t at = below(bytes.size());
    const std::size_t length = std::min(1 + below(40), bytes.size() - at);
    switch (below(7)) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 2: {
        constexpr unsigned char kExtremes[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};
        for (std::size_t i = at; i < std::min(at + 2, bytes.size()); ++i) {
          bytes[i] = static_cast<char>(kExtremes[below(5)]);
        }
        break;
      }
      case 3:
        bytes.erase(at, length);
        break;
      case 4:
        bytes.insert(below(bytes.size()), bytes.substr(at, length));
        break;
      case 5:
        bytes.replace(below(bytes.size() - length + 1), length,
                      bytes.substr(at, length));
        break;
      default:
        if (below(4) == 0) bytes.resize(at);
    }
  }
  return bytes;
}

}  // namespace limber::mocap::test
