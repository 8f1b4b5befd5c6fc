// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <string_view>

#include "core/math.h"
#include "figure/pose.h"
#include "figure/skeleton.h"

namespace limber::mocap {

/// The body that markers are solved for: 21 segments in a tree, each turned by
/// a ball joint whose unlikely directions are held by soft priors (a knee is a
/// ball with two stiff axes). Axes of every segment in the rest pose, a T-pose
/// with palms down: X to the body's left, Y up, Z forward.
inline constexpr int kNumSegments = 21;

/// Indices into every array over segments. Parents come before children.
enum Segment : int {
  kPelvis,
  kSpine,
  kChest,
  kNeck,
  kHead,
  kLeftClavicle,
  kLeftUpperArm,
  kLeftForearm,
  kLeftHand,
  kRightClavicle,
  kRightUpperArm,
  kRightForearm,
  kRightHand,
  kLeftUpperLeg,
  kLeftLowerLeg,
  kLeftFoot,
  kLeftToes,
  kRightUpperLeg,
  kRightLowerLeg,
  kRightFoot,
  kRightToes
};

enum class JointPrior {
  kNone,   ///< Root and shoulders: any rotation is as good as any other.
  kBall,   ///< Sigmas and limits on the rotation vector Log(R_PJ).
  kHinge,  ///< Axis `a` should stay where it is; the angle about it is limited.
};

/// What is known of a joint before any marker is seen.
struct JointModel {
  JointPrior prior = JointPrior::kNone;
  /// kBall: standard deviation of each component of Log(R_PJ) [rad].
  Vector3 sigma = Vector3::Constant(std::numeric_limits<double>::infinity());
  /// kBall: soft limits of each component [rad].
  Vector3 lower = Vector3::Constant(-std::numeric_limits<double>::infinity());
  Vector3 upper = Vector3::Constant(std::numeric_limits<double>::infinity());
  /// kHinge: axis a, the bone's direction l; both unit, at right angles.
  Vector3 axis = Vector3::UnitX();
  Vector3 bone = -Vector3::UnitY();
  double sigma_side = 0.0;   ///< kHinge: a leaning along the bone [rad].
  double sigma_twist = 0.0;  ///< kHinge: a turning about the bone [rad].
  double lower_angle = 0.0;  ///< kHinge [rad].
  double upper_angle = 0.0;  ///< kHinge [rad].
};

struct SegmentModel {
  std::string_view name;   ///< The word of marker-set and figure files.
  std::string_view joint;  ///< Its joint's name in the skeletons written.
  int parent = -1;
  /// p_PJ in the rest pose for a person of `kReferenceHeight` [m].
  Vector3 offset = Vector3::Zero();
  /// p_JE of the far end where no segment follows; zero elsewhere [m].
  Vector3 end = Vector3::Zero();
  JointModel model;
  int mirror = 0;           ///< The segment of the other side, or itself.
  double mass_share = 0.0;  ///< Of the body's mass [de Leva 1996].
};

inline constexpr double kReferenceHeight = 1.75;  ///< [m]

/// The table of all segments.
const std::array<SegmentModel, kNumSegments>& Body();

/// Index of the segment of that name, or -1.
int FindSegment(std::string_view name);

/// Where the pelvis is and how every joint is turned.
struct BodyPose {
  Vector3 p_WR = Vector3::Zero();  ///< Origin of the pelvis [m].
  /// R_PJ; for the pelvis R_WJ.
  std::array<Quaternion, kNumSegments> R_PJ;

  static BodyPose Rest();
};

/// Joint offsets p_PJ of one person in the rest pose [m].
using BodyOffsets = std::array<Vector3, kNumSegments>;

/// World pose of every segment for given offsets.
struct BodyKinematics {
  std::array<Matrix3, kNumSegments> R_WJ;
  std::array<Vector3, kNumSegments> p_WJ;

  void Update(const BodyOffsets& p_PJ, const BodyPose& pose);
};

/// The body as a skeleton for files, with end sites scaled by `scale`.
std::shared_ptr<const figure::Skeleton> MakeSkeleton(const BodyOffsets& p_PJ,
                                                     double scale);
/// The pose for that skeleton. `pose` must have its number of joints.
void ToFigurePose(const BodyOffsets& p_PJ, const BodyPose& body,
                  figure::Pose& pose);

/// Angles as clinicians give them [rad]: R_PJ = Rx(flexion) Rz(side) Ry(twist)
/// for legs and trunk; for elbows flexion about the elbow's axis and twist
/// about the forearm. Knees, elbows, hips and ankles are positive in flexion.
struct ClinicalAngles {
  double flexion = 0.0;
  double side = 0.0;
  double twist = 0.0;
};
ClinicalAngles MeasureJoint(int segment, const Quaternion& R_PJ);

}  // namespace limber::mocap
