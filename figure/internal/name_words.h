// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/joint_names.h"

namespace limber::figure::internal {

/// A joint's name taken apart: what its words mean and on which side.
struct ReadName {
  Role part = Role::kOther;  ///< As the left one where it comes in pairs.
  Side side = Side::kMiddle;
  std::string text;  ///< The words put together.
};

/// Takes one name apart by its words alone, whatever hangs on the joint.
ReadName ReadJointName(std::string_view name);

/// The words of a name in lower case: cut at everything that is no letter and
/// where a small letter meets a capital one ("LeftUpLeg", "J_Bip_L_Arm").
std::vector<std::string> WordsOf(std::string_view name);

/// The side that a word names; kMiddle for every other word.
Side SideOfWord(std::string_view word);

/// The name behind its name space: "mixamorig:LeftArm", "Actor01|Hips".
std::string_view WithoutSpace(std::string_view name);

}  // namespace limber::figure::internal
