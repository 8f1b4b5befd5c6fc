// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/anthropometry.h"

#include <cmath>
#include <cstddef>

namespace limber::figure {

namespace {

/// Lengths of [de Leva 1996] in millimetres over the mean heights of the
/// subjects, 1741 mm (male) and 1735 mm (female).
constexpr std::array<PartNumbers, kNumBodyParts> kMaleParts = {{
    {0.0694, 0.5002, 0.303, 0.315, 0.261, 242.9 / 1741},
    {0.1596, 0.5066, 0.505, 0.320, 0.465, 242.1 / 1741},
    {0.1633, 0.4502, 0.482, 0.383, 0.468, 215.5 / 1741},
    {0.1117, 0.6115, 0.615, 0.551, 0.587, 145.7 / 1741},
    {0.0271, 0.5772, 0.285, 0.269, 0.158, 281.7 / 1741},
    {0.0162, 0.4574, 0.276, 0.265, 0.121, 268.9 / 1741},
    {0.0061, 0.3624, 0.288, 0.235, 0.184, 187.9 / 1741},
    {0.1416, 0.4095, 0.329, 0.329, 0.149, 422.2 / 1741},
    {0.0433, 0.4395, 0.251, 0.246, 0.102, 440.3 / 1741},
    {0.0137, 0.4415, 0.257, 0.245, 0.124, 258.1 / 1741},
}};
constexpr std::array<PartNumbers, kNumBodyParts> kFemaleParts = {{
    {0.0668, 0.4841, 0.271, 0.295, 0.261, 243.7 / 1735},
    {0.1545, 0.5050, 0.466, 0.314, 0.449, 228.0 / 1735},
    {0.1465, 0.4512, 0.433, 0.354, 0.415, 205.3 / 1735},
    {0.1247, 0.4920, 0.433, 0.402, 0.444, 181.5 / 1735},
    {0.0255, 0.5754, 0.278, 0.260, 0.148, 275.1 / 1735},
    {0.0138, 0.4559, 0.261, 0.257, 0.094, 264.3 / 1735},
    {0.0056, 0.3427, 0.244, 0.208, 0.154, 170.1 / 1735},
    {0.1478, 0.3612, 0.369, 0.364, 0.162, 368.5 / 1735},
    {0.0481, 0.4352, 0.267, 0.263, 0.092, 438.6 / 1735},
    {0.0129, 0.4014, 0.299, 0.279, 0.139, 228.3 / 1735},
}};

/// Axes for the left side; `Mirror` makes those of the right.
Matrix3 Columns(const Vector3& x, const Vector3& y, const Vector3& z) {
  Matrix3 R;
  R.col(0) = x;
  R.col(1) = y;
  R.col(2) = z;
  return R;
}

/// A turn about axis a, seen in a mirror that swaps left and right, is the turn
/// by the same angle about (a_left, -a_up, -a_forward).
Matrix3 Mirror(const Matrix3& R) {
  return Vector3(1.0, -1.0, -1.0).asDiagonal() * R;
}

Matrix3 LeftAxes(Role left_role) {
  const Vector3 l = Vector3::UnitX();
  const Vector3 u = Vector3::UnitY();
  const Vector3 f = Vector3::UnitZ();
  switch (left_role) {
    case Role::kLeftUpperLeg:
    case Role::kLeftFoot:
      return Columns(-l, f, u);
    case Role::kLeftLowerLeg:
      return Columns(u, f, l);
    case Role::kLeftToes:
      return Columns(f, u, -l);
    case Role::kLeftClavicle:
      return Columns(u, f, l);
    case Role::kLeftUpperArm:
      return Columns((l - f) * std::sqrt(0.5), u, (l + f) * std::sqrt(0.5));
    case Role::kLeftForearm:
      return Columns(-l, u, -f);
    case Role::kLeftHand:
      return Columns(-f, -l, u);
    default:
      return Columns(l, -f, u);
  }
}

}  // namespace

const PartNumbers& NumbersOf(BodyPart part, Sex sex) {
  const std::size_t index = static_cast<std::size_t>(part);
  return sex == Sex::kMale ? kMaleParts[index] : kFemaleParts[index];
}

BodyPart PartOf(Role role) {
  switch (LeftOf(role)) {
    case Role::kNeck:
    case Role::kHead:
      return BodyPart::kHead;
    case Role::kChest:
    case Role::kLeftClavicle:
      return BodyPart::kUpperTrunk;
    case Role::kSpine:
      return BodyPart::kMiddleTrunk;
    case Role::kLeftUpperArm:
      return BodyPart::kUpperArm;
    case Role::kLeftForearm:
      return BodyPart::kForearm;
    case Role::kLeftHand:
    case Role::kLeftThumb:
    case Role::kLeftIndex:
    case Role::kLeftMiddle:
    case Role::kLeftRing:
    case Role::kLeftPinky:
      return BodyPart::kHand;
    case Role::kLeftUpperLeg:
      return BodyPart::kThigh;
    case Role::kLeftLowerLeg:
      return BodyPart::kShank;
    case Role::kLeftFoot:
    case Role::kLeftToes:
      return BodyPart::kFoot;
    default:
      return BodyPart::kLowerTrunk;
  }
}

JointNumbers NumbersOfJoint(Role role) {
  using Kind = AnchorKind;
  switch (LeftOf(role)) {
    case Role::kSpine:
    case Role::kChest:
      return {Kind::kBall, {-40, -50, -60}, {95, 50, 60}, {288, 159, 74}};
    case Role::kNeck:
    case Role::kHead:
      return {Kind::kBall, {-75, -60, -85}, {75, 60, 85}, {52, 36, 15}};
    case Role::kLeftUpperLeg:
      return {Kind::kBall, {-40, -45, -60}, {140, 65, 60}, {207, 120, 80}};
    case Role::kLeftLowerLeg:
      return {Kind::kHinge, {-15, 0, 0}, {160, 0, 0}, {210, 0, 0}};
    case Role::kLeftFoot:
      return {Kind::kBall, {-65, -50, -45}, {50, 35, 45}, {122, 40, 40}};
    case Role::kLeftToes:
      return {Kind::kHinge, {-55, 0, 0}, {85, 0, 0}, {12, 0, 0}};
    case Role::kLeftClavicle:
      return {Kind::kBall, {-45, -30, -45}, {45, 60, 45}, {90, 90, 50}};
    case Role::kLeftUpperArm:
      return {Kind::kBall, {-120, -85, -130}, {155, 85, 130}, {90, 90, 50}};
    case Role::kLeftForearm:
      return {Kind::kBall, {-15, -88, -45}, {165, 88, 45}, {70, 24, 70}};
    case Role::kLeftHand:
      return {Kind::kBall, {-85, -45, -60}, {95, 45, 60}, {15, 13, 13}};
    default:
      return {Kind::kBall, {-60, -60, -60}, {60, 60, 60}, {20, 20, 20}};
  }
}

AnatomicalAxes AxesOf(Role role) {
  AnatomicalAxes axes;
  axes.R_BF = LeftAxes(LeftOf(role));
  if (SideOf(role) == Side::kRight) axes.R_BF = Mirror(axes.R_BF);
  if (LeftOf(role) == Role::kLeftUpperArm) {
    axes.angle_at_rest =
        Quaternion(Eigen::AngleAxisd(kPi / 2, Vector3::UnitX()));
  }
  return axes;
}

}  // namespace limber::figure
