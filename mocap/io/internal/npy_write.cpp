// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>

#include "mocap/io/internal/npy.h"

namespace limber::mocap::internal {

namespace {

/// Magic, version 1.0, length, text: filled up with blanks to a multiple of
/// 64 bytes, as numpy does it, so that the items are aligned.
std::string Header(const std::string& type,
                   std::span<const std::uint64_t> shape) {
  std::string text = "{'descr': '" + type + "', 'fortran_order': False, " +
                     "'shape': " + ShapeText(shape) + ", }";
  constexpr std::size_t kBefore = 10;
  constexpr std::size_t kAligned = 64;
  const std::size_t used = kBefore + text.size() + 1;
  text.append((kAligned - used % kAligned) % kAligned, ' ');
  text += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += char(text.size() & 0xFF);
  bytes += char(text.size() >> 8);
  return bytes + text;
}

template <typename T>
void AppendLittleEndian(std::string& bytes, std::span<const T> items) {
  const std::size_t begin = bytes.size();
  bytes.resize(begin + items.size_bytes());
  if (!items.empty()) {
    std::memcpy(bytes.data() + begin, items.data(), items.size_bytes());
  }
  if constexpr (std::endian::native == std::endian::big) {
    for (std::size_t at = begin; at < bytes.size(); at += sizeof(T)) {
      std::reverse(bytes.begin() + std::ptrdiff_t(at),
                   bytes.begin() + std::ptrdiff_t(at + sizeof(T)));
    }
  }
}

/// The characters of a UTF-8 text; bytes that are none become U+FFFD.
std::vector<std::uint32_t> Characters(const std::string& text) {
  std::vector<std::uint32_t> characters;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const int tails = lead < 0x80             ? 0
                      : (lead & 0xE0) == 0xC0 ? 1
                      : (lead & 0xF0) == 0xE0 ? 2
                      : (lead & 0xF8) == 0xF0 ? 3
                                              : -1;
    std::uint32_t c = tails <= 0 ? lead : lead & (0x3Fu >> tails);
    bool good = tails >= 0 && i + std::size_t(tails) < text.size();
    for (int k = 1; good && k <= tails; ++k) {
      const auto tail = static_cast<unsigned char>(text[i + std::size_t(k)]);
      good = (tail & 0xC0) == 0x80;
      c = c << 6 | (tail & 0x3Fu);
    }
    characters.push_back(good ? c : 0xFFFD);
    i += good ? std::size_t(tails) + 1 : 1;
  }
  return characters;
}

}  // namespace

std::string FormatNpy(std::span<const double> numbers,
                      std::span<const std::uint64_t> shape) {
  std::string bytes = Header("<f8", shape);
  AppendLittleEndian(bytes, numbers);
  return bytes;
}

std::string FormatNpy(std::span<const std::int32_t> numbers) {
  const std::uint64_t count = numbers.size();
  std::string bytes = Header("<i4", {&count, 1});
  AppendLittleEndian(bytes, numbers);
  return bytes;
}

std::string FormatNpy(std::span<const std::string> texts) {
  std::vector<std::vector<std::uint32_t>> all;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    all.push_back(Characters(text));
    longest = std::max(longest, all.back().size());
  }
  const std::uint64_t count = texts.size();
  std::string bytes = Header("<U" + std::to_string(longest), {&count, 1});
  for (std::vector<std::uint32_t>& characters : all) {
    characters.resize(longest, 0);
    AppendLittleEndian(bytes, std::span<const std::uint32_t>(characters));
  }
  return bytes;
}

}  // namespace limber::mocap::internal
