// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

/// The one of `known` that `word` was most likely meant to be: at most a third
/// of the letters differ (inserted, left out, changed, or two swapped). Nothing
/// when none is that near.
std::optional<std::string> Suggest(std::string_view word,
                                   const std::vector<std::string>& known);

}  // namespace limber
