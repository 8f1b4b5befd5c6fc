// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace limber::mocap::internal {

/// One file of data/marker_sets as it was when the library was built.
struct BuiltInSet {
  std::string_view name;
  std::string_view text;
};

/// Made by CMake from the folder.
std::span<const BuiltInSet> BuiltInSetFiles();

}  // namespace limber::mocap::internal
