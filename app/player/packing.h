// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace limber::app {

/// Three bytes become four letters of six bits each.
std::string Base64(std::string_view bytes);

/// Bytes as zlib's deflate packs them, which a browser unpacks by itself.
std::string Deflate(std::string_view bytes);

/// Curves of 16-bit numbers that take little room on a page.
///
/// Each channel has one number a frame and is kept as differences, for what
/// moves smoothly has small ones; 0, -1, 1, -2 ... become 0, 1, 2, 3 ... Then
/// come all low bytes and all high bytes, deflated, in base64.
class PackedChannels {
 public:
  /// @param frames  of every channel, positive.
  explicit PackedChannels(std::size_t frames) : frames_(frames) {}

  /// @throws std::invalid_argument for another number of frames.
  void Add(const std::vector<std::int16_t>& channel);
  std::size_t num_channels() const { return stored_.size() / frames_; }
  std::string ToBase64() const;

 private:
  std::size_t frames_;
  std::vector<std::uint16_t> stored_;
};

}  // namespace limber::app
