// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/base64.h"

#include <cstddef>
#include <cstdint>

namespace limber::mocap::internal {

std::optional<std::string> DecodeBase64(std::string_view text) {
  const auto value = [](char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    if (c == '/' || c == '_') return 63;
    return -1;
  };
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const int six = value(c);
    if (six < 0) return std::nullopt;
    bits = bits << 6 | std::uint32_t(six);
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes += static_cast<char>(bits >> held & 0xFF);
    }
  }
  return bytes;
}

std::string EncodeBase64(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 |
             (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k])
                                   : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text +=
          i + k > bytes.size() ? '=' : kLetters[bits >> (18 - 6 * k) & 0x3F];
    }
  }
  return text;
}

}  // namespace limber::mocap::internal
