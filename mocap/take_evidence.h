// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnostics.h"
#include "mocap/marker_take.h"

namespace limber::mocap {

/// What the points of a take say themselves about the way up and the unit.
/// Each witness is a vector in the axes of the take: its direction is up, its
/// length in [0, 1] how often the frames agree; zero where it has nothing to
/// say.
struct TakeEvidence {
  /// From the feet to the shoulders and the head, or to the pelvis where
  /// neither is there, by the words in the labels.
  Vector3 body = Vector3::Zero();
  /// From points that stand while the others go (feet) to the middle of all.
  Vector3 stance = Vector3::Zero();
  /// Against the acceleration of the middle of all in free flight.
  Vector3 flight = Vector3::Zero();
  /// Half the points are nearer to their middle than this, as the median over
  /// frames [m in the unit that was believed]; 0 without points.
  double size = 0.0;

  /// The mean of the witnesses that say something.
  Vector3 up() const;
};

TakeEvidence FindEvidence(const MarkerTake& take);

/// Compares what was believed about the axes and the unit of a take with what
/// its points say. Where they contradict it clearly, the points win: the take
/// is turned or scaled, `origin` says what the file is then (kEvidence), and
/// one warning in `diagnostics` ("up-axis", "unit") says what was said, what
/// was seen, and how to overrule it. What the caller decided (kCaller) is left
/// alone. About which way is forward the points are not asked.
///
/// Contradicted is a unit only by 100 or 1000 times, and an axis only if
/// people would lie or hang in the take.
void SettleAxesAndUnit(MarkerTake& take, Diagnostics& diagnostics);

}  // namespace limber::mocap
