// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "mocap/io/c3d.h"

namespace limber::mocap::internal {

inline constexpr std::size_t kC3dBlock = 512;
inline constexpr std::uint8_t kC3dKey = 0x50;
/// The processor byte of the parameter section is this plus 1 (PC), 2 (DEC) or
/// 3 (SGI).
inline constexpr int kC3dProcessorBase = 83;

/// A DEC float is read as two little-endian words, the high one first; its
/// exponent is biased by 129 where IEEE has 127, so its value is a quarter of
/// the IEEE number of the same bits. It has no infinities and no NaN.
float FloatFromDecBits(std::uint32_t bits);
/// Too large numbers become the largest, too small ones and NaN zero.
std::uint32_t DecBitsFromFloat(float value);

/// @pre two (four) bytes are readable at `p`.
template <C3dByteOrder kOrder>
inline std::uint16_t LoadU16(const char* p) {
  std::uint16_t value;
  std::memcpy(&value, p, sizeof(value));
  constexpr bool kSwap = (kOrder == C3dByteOrder::kSgi) !=
                         (std::endian::native == std::endian::big);
  if constexpr (kSwap)
    value = static_cast<std::uint16_t>(value >> 8 | value << 8);
  return value;
}

template <C3dByteOrder kOrder>
inline float LoadFloat(const char* p) {
  const std::uint32_t first = LoadU16<kOrder>(p);
  const std::uint32_t second = LoadU16<kOrder>(p + 2);
  if constexpr (kOrder == C3dByteOrder::kDec) {
    return FloatFromDecBits(first << 16 | second);
  } else if constexpr (kOrder == C3dByteOrder::kSgi) {
    return std::bit_cast<float>(first << 16 | second);
  } else {
    return std::bit_cast<float>(second << 16 | first);
  }
}

template <C3dByteOrder kOrder>
inline void StoreU16(char* p, std::uint16_t value) {
  const char low = static_cast<char>(value & 0xFF);
  const char high = static_cast<char>(value >> 8);
  p[0] = kOrder == C3dByteOrder::kSgi ? high : low;
  p[1] = kOrder == C3dByteOrder::kSgi ? low : high;
}

template <C3dByteOrder kOrder>
inline void StoreFloat(char* p, float value) {
  const std::uint32_t bits = kOrder == C3dByteOrder::kDec
                                 ? DecBitsFromFloat(value)
                                 : std::bit_cast<std::uint32_t>(value);
  const std::uint16_t low = static_cast<std::uint16_t>(bits & 0xFFFF);
  const std::uint16_t high = static_cast<std::uint16_t>(bits >> 16);
  StoreU16<kOrder>(p, kOrder == C3dByteOrder::kPc ? low : high);
  StoreU16<kOrder>(p + 2, kOrder == C3dByteOrder::kPc ? high : low);
}

/// Calls `function.template operator()<kOrder>()` for a byte order known only
/// at run time.
template <typename Function>
decltype(auto) WithByteOrder(C3dByteOrder order, Function&& function) {
  switch (order) {
    case C3dByteOrder::kDec:
      return function.template operator()<C3dByteOrder::kDec>();
    case C3dByteOrder::kSgi:
      return function.template operator()<C3dByteOrder::kSgi>();
    case C3dByteOrder::kPc:
      break;
  }
  return function.template operator()<C3dByteOrder::kPc>();
}

std::uint16_t LoadU16(const char* p, C3dByteOrder order);
float LoadFloat(const char* p, C3dByteOrder order);
void StoreU16(char* p, std::uint16_t value, C3dByteOrder order);
void StoreFloat(char* p, float value, C3dByteOrder order);
void AppendU16(std::string& bytes, std::uint16_t value, C3dByteOrder order);
void AppendFloat(std::string& bytes, float value, C3dByteOrder order);

}  // namespace limber::mocap::internal
