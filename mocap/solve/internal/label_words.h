// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace limber::mocap::internal {

enum class LabelSide { kNone, kLeft, kRight };

/// The words of a label in lower case and in English: cut where a separator
/// stands or a capital begins a new word ("LShoulderTop": l, shoulder, top),
/// without accents, and translated from the languages of other laboratories
/// ("Knie_aussen_links": knee, lateral, left).
std::vector<std::string> SplitLabel(std::string_view label);

/// What a whole word says about the side; letters count as words.
LabelSide SideOfWord(std::string_view word);

}  // namespace limber::mocap::internal
