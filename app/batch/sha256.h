// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace limber::app::batch {

/// The hash SHA-256 of bytes that come in pieces [FIPS 180-4], as `sha256sum`
/// prints it.
class Sha256 {
 public:
  void Add(std::string_view bytes);
  /// 64 hexadecimal digits. Nothing may be added afterwards.
  std::string Finish();

 private:
  static constexpr std::size_t kBlock = 64;
  void Compress(const unsigned char* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                         0xa54ff53a, 0x510e527f, 0x9b05688c,
                                         0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, kBlock> rest_{};  ///< What fills no block yet.
  std::size_t num_rest_ = 0;
  std::uint64_t num_bytes_ = 0;
};

std::string Sha256Of(std::string_view bytes);

/// Of a file's content; nothing if it cannot be read.
std::optional<std::string> Sha256OfFile(const std::filesystem::path& path);

/// A hash of 64 bits that is the same on every machine and in every version:
/// shards and names depend on it. (FNV-1a, then the finaliser of MurmurHash3,
/// because the low bits of FNV alone follow the last letters.)
std::uint64_t StableHash(std::string_view text);

}  // namespace limber::app::batch
