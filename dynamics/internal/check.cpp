// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/check.h"

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace limber::dynamics::internal {

void ThrowBadValue(std::string_view field, std::string_view expected,
                   std::string_view value) {
  std::string message;
  message.append(field).append(" must be ").append(expected);
  message.append(", found ").append(value);
  throw std::invalid_argument(message);
}

void ThrowBadValue(std::string_view field, std::string_view expected,
                   double value) {
  ThrowBadValue(field, expected, ToText(value));
}

std::string ToText(double value) {
  std::array<char, 32> text;
  const std::to_chars_result end =
      std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

std::string ToText(const Vector3& value) {
  std::string text = "(";
  text.append(ToText(value.x())).append(", ");
  text.append(ToText(value.y())).append(", ");
  text.append(ToText(value.z())).append(")");
  return text;
}

void CheckPositive(std::string_view field, double value) {
  if (!(value > 0.0) || !std::isfinite(value)) {
    ThrowBadValue(field, "finite and positive", value);
  }
}

void CheckFinite(std::string_view field, const Vector3& value) {
  if (!value.allFinite()) ThrowBadValue(field, "finite", ToText(value));
}

}  // namespace limber::dynamics::internal
