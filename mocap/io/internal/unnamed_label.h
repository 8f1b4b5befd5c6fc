// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace limber::mocap::internal {

/// The label of a point that its file does not name: "*12" for the twelfth, as
/// Vicon calls unlabelled tracks.
inline std::string UnnamedLabel(std::size_t number) {
  std::string label(1, '*');
  label += std::to_string(number);
  return label;
}

}  // namespace limber::mocap::internal
