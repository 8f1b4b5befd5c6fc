// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "figure/joint_names.h"

namespace limber::figure::internal {

/// Roles by shape alone, for skeletons whose names say nothing: a joint from
/// which two like limbs go down (legs) and one goes up to a joint with two like
/// limbs (arms). Up is +Y; forward is where the feet point, else +Z. Empty
/// where there is no such shape.
std::vector<Role> RolesByTopology(const Skeleton& skeleton);

}  // namespace limber::figure::internal
