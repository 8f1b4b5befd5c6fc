// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/math.h"
#include "figure/joint_names.h"
#include "figure/pose.h"
#include "figure/skeleton.h"

namespace limber::figure {

/// A point Q fixed to a joint J.
struct BodyPoint {
  int joint = -1;                  ///< J, or -1 where there is no such point.
  Vector3 p_JQ = Vector3::Zero();  ///< [m]

  /// p_WQ [m].
  Vector3 At(const std::vector<Transform>& X_WJ) const {
    return X_WJ[joint] * p_JQ;
  }
};

/// One leg with the sole of its foot. All joints but `toes` are there.
struct LegPlan {
  int thigh = -1;  ///< The hip joint, whose turning moves the thigh.
  int shank = -1;  ///< The knee.
  int foot = -1;   ///< The ankle.
  int toes = -1;   ///< -1 where the foot is one piece.
  /// The joint of the toes; where there is none, or where it lies no farther
  /// forward than the heel, the far end of the foot.
  BodyPoint toe;
  /// The directions of the foot in the rest pose, unit and at right angles:
  /// away from the sole, and along it from the heel to the toe. The sole is
  /// level in the rest pose, except where foot and shank slant sidewards alike:
  /// then the foot is rolled with the leg (the zero pose of ASF files).
  Vector3 sole_up = Vector3::UnitY();
  Vector3 sole_forward = Vector3::UnitZ();
  /// Below the ankle on the sole, which passes through the lowest of the toes.
  BodyPoint heel;
  /// What must not sink into the floor: heel, toe, tip of the toes.
  std::vector<BodyPoint> sole;
  double length = 0.0;        ///< Hip to ankle along the bones [m].
  double foot_length = 0.0;   ///< From below the ankle to the toe [m].
  double ankle_height = 0.0;  ///< Ankle to heel [m].
};

/// One arm; the clavicle and the hand may be missing (-1).
struct ArmPlan {
  int clavicle = -1;
  int upper_arm = -1;  ///< The shoulder.
  int forearm = -1;    ///< The elbow.
  int hand = -1;       ///< The wrist.
  BodyPoint palm;  ///< Half-way from the wrist to the fingers' first joints.
  double length = 0.0;  ///< Shoulder to wrist (or end of the forearm) [m].
};

/// Which joints are which part of a human body, and where its soles are. Index
/// 0 of a pair is the figure's own left.
struct BodyPlan {
  int pelvis = -1;
  std::vector<int> spine;  ///< Above the pelvis, the chest last; may be empty.
  std::vector<int> neck;   ///< Above the chest, the head last; may be empty.
  std::array<LegPlan, 2> legs;
  std::array<ArmPlan, 2> arms;
  BodyAxes axes;
  double leg_length = 0.0;  ///< Mean of the two [m].
};

/// Nothing when pelvis, thighs, shanks or feet are missing: then there is no
/// floor to stand on.
std::optional<BodyPlan> MakeBodyPlan(const Skeleton& skeleton,
                                     const std::vector<Role>& roles);

/// How much longer the feet of `target` are than those of `source`; the ratio
/// of the legs where a foot has no length.
double FootRatio(const BodyPlan& source, const BodyPlan& target);

/// Puts `points` (heel, ball, tip, ... of a figure's foot, at least one) in
/// place of the sole of `leg`: the one farthest back becomes the heel, and the
/// toe stays where it is in the foot but sinks or rises to the sole.
void SetSole(const Skeleton& skeleton, const std::vector<BodyPoint>& points,
             LegPlan& leg);

/// Length of the bones from `ancestor` down to `joint` [m]; 0 when `ancestor`
/// is not above it.
double BoneLength(const Skeleton& skeleton, int ancestor, int joint);

/// Whether `ancestor` is `joint` or above it.
bool IsAbove(const Skeleton& skeleton, int ancestor, int joint);

}  // namespace limber::figure
