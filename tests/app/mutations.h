// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <random>
#include <string>

namespace limber::test {

/// Numbers that programs are rarely tried with.
std::string ExtremeNumber(std::mt19937& random);

/// One to five edits of a file, text or binary: numbers become extreme ones,
/// bytes are overwritten, pieces cut out, doubled or moved, the end lost.
std::string Mutated(std::string bytes, std::mt19937& random);

/// A number below `limit`, 0 for an empty range.
std::size_t Below(std::size_t limit, std::mt19937& random);

}  // namespace limber::test
