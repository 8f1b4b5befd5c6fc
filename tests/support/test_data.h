// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace limber::test {

/// The root of this source tree.
std::filesystem::path SourceDir();

/// A file of data/, for instance BundledData("clips/march.bvh").
std::filesystem::path BundledData(const std::filesystem::path& relative);

/// A real recording, for instance RealData("cmu/02/02_01.c3d"). Real
/// recordings are not part of the repository: they lie in ../shared/data
/// beside it, or where the environment variable LIMBER_TEST_DATA says.
std::filesystem::path RealData(const std::filesystem::path& relative);

/// Whether the folder of real recordings is there at all.
bool HasRealData();

}  // namespace limber::test

/// Ends the test as SKIPPED, visibly, where the real recordings are missing.
#define LIMBER_NEEDS_REAL_DATA()      \
  if (!::limber::test::HasRealData()) \
  GTEST_SKIP() << "no real recordings at " << ::limber::test::RealData("")
