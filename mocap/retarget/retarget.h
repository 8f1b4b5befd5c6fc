// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "figure/motion.h"
#include "mocap/retarget/foot_planter.h"
#include "mocap/retarget/hand_contacts.h"
#include "mocap/retarget/joint_limits.h"
#include "mocap/retarget/joint_map.h"
#include "mocap/retarget/smoothness.h"

namespace limber::mocap {

struct RetargetOptions {
  /// False leaves the plain copy of angles with the root scaled by the legs.
  bool plant_feet = true;
  /// Share of the source's own sliding that is taken out of stances, in [0, 1]:
  /// 0 keeps feet as steady as the source has them, 1 nails them down.
  double lock_feet = 0.0;
  /// Hands that rest on each other or on the body do so on the target.
  bool keep_touching = true;
  /// Joints of a figure stay within its limits, see `HoldLimits`.
  bool hold_limits = true;
  /// Tremor that grows with the proportions is taken out again, see
  /// `MatchSmoothness`.
  bool keep_smooth = false;
  /// The clip's floor is laid to height zero, wherever it was.
  bool ground = false;
  PlantOptions plant;
};

struct RetargetReport {
  double leg_ratio = 1.0;     ///< k, target by source.
  double foot_ratio = 1.0;    ///< f, likewise.
  double floor_source = 0.0;  ///< [m]
  double floor_target = 0.0;  ///< [m]
  int num_phases = 0;         ///< Times a foot stands.
  /// Joints that the copy of angles took beyond their limits, the farthest
  /// first: they were brought back, see `HoldLimits`.
  std::vector<MendedJoint> mended;
  /// In the result, 0 without a figure [rad]; and where, empty when all hold.
  double largest_limit_violation = 0.0;
  std::string limit_joint;
  /// A sole below the ground it stands on, or the lower of the two that it goes
  /// between, at most [m].
  double deepest_sole = 0.0;
  /// The same of the source [m].
  double deepest_sole_of_source = 0.0;
  SmoothReport smooth;
  PlantReport plant;
  HandReport hands;
  /// What had to give way, in words; empty when every demand was met.
  std::vector<std::string> relaxed;
};

struct Retargeted {
  figure::Motion motion;
  RetargetReport report;
};

/// Carries a clip over to a body of other proportions. The motion's frames,
/// rate and shots stay; the result is on `target.skeleton`, and its source is
/// `form` (unit, axes and channels of a file to be written).
///
/// Promises, where the legs can reach (the report says where not): to its own
/// skeleton the clip comes back; on a body scaled by k every place is scaled by
/// k and no angle changes; in stances toes move over the floor k times as far
/// as in the source, no farther; soles do not sink below the floor by more than
/// the source's, those of figures by no more than 3 mm; joints of figures stay
/// within their limits. The answer for a frame depends on frames within about a
/// second only, so it does not matter where the clip starts.
///
/// @throws std::invalid_argument if the motion is not on `source.skeleton`, the
///         map has another number of joints, or an option is out of range.
Retargeted Retarget(const figure::Motion& motion, const HumanBody& source,
                    const HumanBody& target, const JointMap& map,
                    const RetargetOptions& options = {},
                    figure::MotionSource form = {});

}  // namespace limber::mocap
