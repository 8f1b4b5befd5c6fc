// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/c3d_codec.h"

#include <cmath>
#include <limits>

namespace limber::mocap::internal {

namespace {

constexpr std::uint32_t kFractionMask = 0x007FFFFF;
constexpr std::uint32_t kSignMask = 0x80000000;
constexpr int kFractionBits = 23;
/// DEC: value = 1.fraction * 2^(exponent - 129).
constexpr int kDecBias = 129;
constexpr int kIeeeBias = 127;

}  // namespace

float FloatFromDecBits(std::uint32_t bits) {
  const std::uint32_t exponent = (bits >> kFractionBits) & 0xFF;
  if (exponent == 0) return 0.0f;
  constexpr std::uint32_t kShift = kDecBias - kIeeeBias;
  if (exponent > kShift) {
    return std::bit_cast<float>(bits - (kShift << kFractionBits));
  }
  // Below IEEE's smallest normal number.
  const float fraction =
      1.0f + static_cast<float>(bits & kFractionMask) * 0x1p-23f;
  const float value =
      std::ldexp(fraction, static_cast<int>(exponent) - kDecBias);
  return (bits & kSignMask) != 0 ? -value : value;
}

std::uint32_t DecBitsFromFloat(float value) {
  if (std::isnan(value) || value == 0.0f) return 0;
  const std::uint32_t sign = std::signbit(value) ? kSignMask : 0;
  constexpr std::uint32_t kLargest = 0x7FFFFFFF;
  if (std::isinf(value)) return sign | kLargest;
  int exponent = 0;
  // |value| = 2 * fraction * 2^(exponent - 1), fraction in [0.5, 1).
  const float fraction = std::frexp(std::fabs(value), &exponent);
  const int dec_exponent = exponent - 1 + kDecBias;
  if (dec_exponent > 255) return sign | kLargest;
  if (dec_exponent < 1) return 0;
  const std::uint32_t mantissa =
      static_cast<std::uint32_t>(std::ldexp(fraction, kFractionBits + 1));
  return sign | static_cast<std::uint32_t>(dec_exponent) << kFractionBits |
         (mantissa & kFractionMask);
}

std::uint16_t LoadU16(const char* p, C3dByteOrder order) {
  return WithByteOrder(
      order, [p]<C3dByteOrder kOrder>() { return LoadU16<kOrder>(p); });
}

float LoadFloat(const char* p, C3dByteOrder order) {
  return WithByteOrder(
      order, [p]<C3dByteOrder kOrder>() { return LoadFloat<kOrder>(p); });
}

void StoreU16(char* p, std::uint16_t value, C3dByteOrder order) {
  WithByteOrder(order,
                [=]<C3dByteOrder kOrder>() { StoreU16<kOrder>(p, value); });
}

void StoreFloat(char* p, float value, C3dByteOrder order) {
  WithByteOrder(order,
                [=]<C3dByteOrder kOrder>() { StoreFloat<kOrder>(p, value); });
}

void AppendU16(std::string& bytes, std::uint16_t value, C3dByteOrder order) {
  char buffer[2];
  StoreU16(buffer, value, order);
  bytes.append(buffer, sizeof(buffer));
}

void AppendFloat(std::string& bytes, float value, C3dByteOrder order) {
  char buffer[4];
  StoreFloat(buffer, value, order);
  bytes.append(buffer, sizeof(buffer));
}

}  // namespace limber::mocap::internal
