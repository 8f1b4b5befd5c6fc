// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/skeleton.h"

namespace limber::figure {

/// What the names say without name space, decoration, case and separators, with
/// the side in front and numbers at the end: "mixamorig:LeftHandIndex2" and
/// "l_hand_index_02" are both "left-handindex2", "lEye" and "Eye.L" "left-eye".
/// Joints of two skeletons that agree in this are taken for the same thing.
std::vector<std::string> NormalisedNames(const Skeleton& skeleton);

/// Whether the name says that the bone shares the twist of a limb
/// ("upperarm_twist_01_l", "LeftForeArmRoll").
bool IsTwistName(std::string_view name);

}  // namespace limber::figure
