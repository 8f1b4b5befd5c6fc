// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "figure/motion.h"

namespace limber::figure {

/// What keeps a clip of skeleton `from` from being played joint by joint on
/// skeleton `to`: another number, name or parent of a joint; nothing if they
/// match. Bones may be of any length.
std::optional<std::string> RecastObstacle(const Skeleton& from,
                                          const Skeleton& to);

/// The clip's rotations on another skeleton with the same joints, unchanged;
/// paths of roots are scaled by the heights of the roots at rest. Nothing keeps
/// feet from sliding or sinking: that is what retargeting is for.
/// @throws std::invalid_argument with `RecastObstacle`'s words.
Motion Recast(const Motion& clip, std::shared_ptr<const Skeleton> skeleton);

/// The clip with everything moved by X_WA over the world.
Motion Moved(const Motion& clip, const Transform& X_WA);

}  // namespace limber::figure
