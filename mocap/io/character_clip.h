// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "figure/motion.h"

namespace limber::mocap {

/// A character and one of its animations.
struct CharacterClip {
  figure::Motion motion;
  std::vector<std::string> animations;  ///< Names; "" where a file has none.
  int animation = -1;  ///< Index of the one that was read; -1: there is none.
};

}  // namespace limber::mocap
