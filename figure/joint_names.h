// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figure/skeleton.h"

namespace limber::figure {

/// Which part of a human body a joint moves: the joint at the near end of that
/// part, so kLeftForearm is the left elbow. Left is the figure's own left. The
/// spine may have several joints; every other role is given once at most.
enum class Role {
  kOther,  ///< Not recognised: a tail, a prop, a helper bone, an eye.
  kPelvis,
  kSpine,  ///< Each joint between pelvis and chest.
  kChest,  ///< The spine's last joint, which carries arms and neck.
  kNeck,   ///< The first of them.
  kHead,
  kLeftClavicle,
  kLeftUpperArm,
  kLeftForearm,
  kLeftHand,
  kLeftThumb,  ///< The first joint of each finger.
  kLeftIndex,
  kLeftMiddle,
  kLeftRing,
  kLeftPinky,
  kLeftUpperLeg,
  kLeftLowerLeg,
  kLeftFoot,
  kLeftToes,
  kRightClavicle,
  kRightUpperArm,
  kRightForearm,
  kRightHand,
  kRightThumb,
  kRightIndex,
  kRightMiddle,
  kRightRing,
  kRightPinky,
  kRightUpperLeg,
  kRightLowerLeg,
  kRightFoot,
  kRightToes
};
inline constexpr int kNumRoles = static_cast<int>(Role::kRightToes) + 1;

enum class Side { kMiddle, kLeft, kRight };

Side SideOf(Role role);
/// The same part on the other side; a middle role is its own mirror image.
Role Mirrored(Role role);
/// The role of the left side for a role of either side.
Role LeftOf(Role role);
/// "left-upper-arm", "pelvis", "other": the words of figure files.
std::string_view ToString(Role role);
std::optional<Role> RoleFromString(std::string_view word);

/// What a joint's name alone says. Reads the spellings of CMU, Mixamo, Rokoko,
/// Xsens, Perception Neuron, DAZ and Poser, 3ds Max Biped, VRM, Unreal, Blender
/// Rigify and OpenSim: side as a word, a letter or a prefix, any case, any
/// separator, with or without a name space ("mixamorig:LeftArm", "Bip01 L
/// UpperArm", "J_Bip_L_UpperArm", "upperarm_l", "lhumerus", "humerus_l").
/// Words that different programs use for different joints (shoulder, leg) get
/// their usual meaning here; `RecogniseRoles` decides by the chain.
Role RoleOfName(std::string_view name);

/// The role of every joint: by names, then by how the named ones hang together
/// (what the legs hang on is the pelvis, what the arms hang on the chest, what
/// lies between them the spine). No two joints share a role except kSpine.
std::vector<Role> RecogniseRoles(const Skeleton& skeleton);

/// The joint of that role, or -1. For kSpine the lowest one.
int FindRole(const std::vector<Role>& roles, Role role);

/// Whether pelvis, both upper and lower legs and both upper and lower arms are
/// there.
bool IsHumanoid(const std::vector<Role>& roles);

/// The directions of a body in the rest pose, unit and at right angles:
/// forward = left x up.
struct BodyAxes {
  Vector3 left = Vector3::UnitX();
  Vector3 up = Vector3::UnitY();
  Vector3 forward = Vector3::UnitZ();
};

/// Found from where the roles' joints lie: left from pairs of limbs, up = +Y
/// unless the figure lies in its rest pose (then from pelvis to head). The
/// defaults where there is nothing to go by.
BodyAxes FindBodyAxes(const Skeleton& skeleton, const std::vector<Role>& roles);

}  // namespace limber::figure
