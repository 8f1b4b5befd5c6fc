// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace limber::jobs {

/// "1 frame", "2 frames".
std::string Count(std::int64_t number, const std::string& thing);

/// `value` with at most `digits` digits after the point, no trailing zeros.
std::string Rounded(double value, int digits);

/// The first `most` of `words`, "a, b, and 3 more".
std::string Join(const std::vector<std::string>& words, std::size_t most);

}  // namespace limber::jobs
