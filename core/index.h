// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace limber {

/// An index as the containers of the standard library want it. Limber counts in
/// `int`, so that differences may be negative; `i` must not be.
constexpr std::size_t Index(int i) { return static_cast<std::size_t>(i); }

}  // namespace limber
