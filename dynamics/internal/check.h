// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/math.h"

namespace limber::dynamics::internal {

/// @throws std::invalid_argument "<field> must be <expected>, found <value>".
[[noreturn]] void ThrowBadValue(std::string_view field,
                                std::string_view expected,
                                std::string_view value);
[[noreturn]] void ThrowBadValue(std::string_view field,
                                std::string_view expected, double value);

/// With enough digits to tell any two numbers apart.
std::string ToText(double value);
std::string ToText(const Vector3& value);

void CheckPositive(std::string_view field, double value);  ///< and finite
void CheckFinite(std::string_view field, const Vector3& value);

}  // namespace limber::dynamics::internal
