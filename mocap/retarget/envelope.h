// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace limber::mocap {

/// Smooths values [begin, end) without making them less: each takes the largest
/// of those around it by `size`, and then the mean of these; twice over, so
/// that the rate has no step either. Wider than the smoothing, the first part
/// keeps the second from falling below what was there.
template <typename Value, typename Size>
void Envelope(std::vector<Value>& values, std::int64_t begin, std::int64_t end,
              std::int64_t half, const Size& size) {
  const auto pass = [&](auto&& combine) {
    const std::vector<Value> before = values;
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t first = std::max(begin, i - half);
      const std::int64_t last = std::min(end - 1, i + half);
      values[i] = combine(before, first, last);
    }
  };
  const auto largest = [&size](const std::vector<Value>& from,
                               std::int64_t first, std::int64_t last) {
    return *std::max_element(
        from.begin() + first, from.begin() + last + 1,
        [&size](const Value& a, const Value& b) { return size(a) < size(b); });
  };
  const auto mean = [](const std::vector<Value>& from, std::int64_t first,
                       std::int64_t last) -> Value {
    Value sum = 0.0 * from[first];
    for (std::int64_t i = first; i <= last; ++i) sum += from[i];
    return sum / static_cast<double>(last - first + 1);
  };
  pass(largest);
  pass(largest);
  pass(mean);
  pass(mean);
}

}  // namespace limber::mocap
