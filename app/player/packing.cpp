// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/player/packing.h"

#include <zlib.h>

#include <stdexcept>

namespace limber::app {

std::string Base64(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 |
              (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k])
                                    : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const bool filled = i + k <= bytes.size();
      text += filled ? kLetters[group >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return text;
}

std::string Deflate(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string packed(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()),
                               bytes.size(), Z_BEST_COMPRESSION);
  if (status != Z_OK) throw std::runtime_error("deflate failed");
  packed.resize(size);
  return packed;
}

void PackedChannels::Add(const std::vector<std::int16_t>& channel) {
  if (channel.size() != frames_) {
    throw std::invalid_argument("a channel needs one number a frame");
  }
  // Differences wrap round at 16 bits, there and back.
  std::int16_t before = 0;
  for (const std::int16_t value : channel) {
    const auto difference = static_cast<std::int16_t>(value - before);
    stored_.push_back(
        static_cast<std::uint16_t>(static_cast<std::uint16_t>(difference) << 1 ^
                                   (difference < 0 ? 0xffff : 0)));
    before = value;
  }
}

std::string PackedChannels::ToBase64() const {
  std::string bytes(2 * stored_.size(), '\0');
  for (std::size_t i = 0; i < stored_.size(); ++i) {
    bytes[i] = static_cast<char>(stored_[i] & 0xff);
    bytes[stored_.size() + i] = static_cast<char>(stored_[i] >> 8);
  }
  return Base64(Deflate(bytes));
}

}  // namespace limber::app
