// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_data.h"

#include <cstdlib>

namespace limber::test {

std::filesystem::path SourceDir() { return LIMBER_SOURCE_DIR; }

std::filesystem::path BundledData(const std::filesystem::path& relative) {
  return SourceDir() / "data" / relative;
}

std::filesystem::path RealData(const std::filesystem::path& relative) {
  const char* folder = std::getenv("LIMBER_TEST_DATA");
  const std::filesystem::path root =
      folder != nullptr ? std::filesystem::path(folder)
                        : SourceDir().parent_path() / "shared" / "data";
  return root / relative;
}

bool HasRealData() { return std::filesystem::is_directory(RealData("")); }

}  // namespace limber::test
