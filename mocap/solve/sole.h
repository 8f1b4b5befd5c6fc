// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "mocap/solve/actor.h"

namespace limber::mocap {

/// The sole as a rectangle in the axes of a foot, level in the rest pose [m].
/// Guessed from the actor's size: markers do not touch the floor.
struct Sole {
  double height = 0.0;      ///< y of the sole, below the ankle: negative.
  double heel = 0.0;        ///< z of its ends.
  double ball = 0.0;        ///< Likewise.
  double half_width = 0.0;  ///< In x.
};
Sole SoleOf(const Actor& actor);

/// Height of the lowest of heels and balls in a pose [m].
double LowestSole(const Actor& actor, const BodyPose& pose);

/// The height that the feet keep to: the 5th percentile over the poses of
/// `LowestSole`; 0 without poses [m].
double FindFloor(const Actor& actor, std::span<const BodyPose> poses);

}  // namespace limber::mocap
