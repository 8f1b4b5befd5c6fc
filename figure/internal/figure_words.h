// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

/// The words of figure files, in the order of the enumerators.
namespace limber::figure::internal {

inline constexpr std::array<std::string_view, 5> kAnchorWords = {
    "free", "ball", "universal", "hinge", "weld"};
inline constexpr std::array<std::string_view, 3> kShapeWords = {
    "capsule", "box", "ellipsoid"};
inline constexpr std::array<std::string_view, 2> kSexWords = {"male", "female"};

}  // namespace limber::figure::internal
