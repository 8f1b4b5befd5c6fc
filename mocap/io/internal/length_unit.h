// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mocap/marker_take.h"

namespace limber::mocap::internal {

/// Metres per unit for the words files use ("mm", "cm", "m", "inches", ...),
/// case ignored. Nothing for other words.
std::optional<double> MetresPerUnit(std::string_view word);

/// The unit to write a take in: the one of its origin, or, when the origin's
/// word does not mean its length (the caller of the reader knew better), a word
/// that does, or millimetres.
struct WrittenUnit {
  std::string word;
  double metres = 0.001;
};
WrittenUnit UnitForWriting(const TakeOrigin& origin);

}  // namespace limber::mocap::internal
