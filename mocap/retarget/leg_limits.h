// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "figure/figure_model.h"
#include "figure/pose.h"
#include "mocap/retarget/joint_map.h"
#include "mocap/retarget/leg_track.h"

namespace limber::mocap {

/// The limits of both legs of a figure, and how far its joints went beyond them
/// before anything was moved; a bare skeleton has none.
class LegLimits {
 public:
  LegLimits(const HumanBody& body, const std::vector<figure::Pose>& poses);

  /// The anchor of a foot; null where there is no figure.
  const figure::Anchor* ankle(int side) const { return anchors_[side][2]; }
  double ankle_allowed(int side) const { return allowed_[side][2]; }  ///< [rad]

  /// How far beyond what is allowed a turn of the leg goes [rad].
  double Excess(int side, const LegTurn& turn) const;

 private:
  /// Of thigh, shank and foot.
  std::array<std::array<const figure::Anchor*, 3>, 2> anchors_ = {};
  std::array<std::array<double, 3>, 2> allowed_ = {};
};

}  // namespace limber::mocap
