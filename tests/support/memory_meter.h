// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace limber::test {

/// Measures how much memory a piece of a test takes from operator new at most,
/// above what was held when the meter was made:
///
///     PeakMemory meter;
///     const auto result = ReadBvh(text, units);
///     EXPECT_LE(meter.peak_bytes(), 20 * text.size() + kSmall);
///
/// Programs that link limber_memory_meter have their global operator new and
/// delete replaced. One thread at a time; meters may not be nested.
class PeakMemory {
 public:
  PeakMemory();

  /// Largest amount held at once since the meter was made [bytes].
  std::size_t peak_bytes() const;
  /// Amount held now that was not held when the meter was made; 0 = no leak.
  std::ptrdiff_t held_bytes() const;

 private:
  std::ptrdiff_t start_;
};

}  // namespace limber::test
