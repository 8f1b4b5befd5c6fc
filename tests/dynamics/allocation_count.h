// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace limber::test {

/// Heap allocations of this program so far, by new, malloc and relatives. The
/// program that links this counts; needs glibc or a sanitizer.
long AllocationCount();

}  // namespace limber::test
