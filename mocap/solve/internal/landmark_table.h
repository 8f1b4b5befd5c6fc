// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "core/math.h"

namespace limber::mocap::internal {

/// A place on the body that people mark, and what they call it.
struct Landmark {
  std::string_view name;  ///< In plain words, without a side.
  int segment = 0;        ///< Of the left side for parts that come in pairs.
  Vector3 at;             ///< p_JM on the reference body, left side [m].
  double spread = 0.03;   ///< [m]
  /// Labels without side and separators in lower case, parted by blanks. A
  /// word may stand for several landmarks.
  std::string_view words;
};

std::span<const Landmark> Landmarks();

}  // namespace limber::mocap::internal
