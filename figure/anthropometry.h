// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "figure/figure_model.h"

namespace limber::figure {

/// The parts of [de Leva 1996], table 4, in which bodies were measured.
enum class BodyPart {
  kHead,         ///< With the neck: vertex to cervicale.
  kUpperTrunk,   ///< Cervicale to xiphion.
  kMiddleTrunk,  ///< Xiphion to navel.
  kLowerTrunk,   ///< Navel to the middle of the hips.
  kUpperArm,
  kForearm,
  kHand,  ///< Wrist to the tip of the third finger.
  kThigh,
  kShank,  ///< Knee to ankle.
  kFoot    ///< Heel to the tip of the longest toe.
};
inline constexpr int kNumBodyParts = static_cast<int>(BodyPart::kFoot) + 1;

enum class Sex { kMale, kFemale };

/// One line of the table. Lengths and radii of gyration r are fractions: about
/// the mass centre, I = m (r L)² with L the length of the part.
struct PartNumbers {
  double mass;          ///< m / body mass.
  double centre;        ///< Mass centre from the near (trunk, head: upper) end.
  double r_sagittal;    ///< About the axis that points forward.
  double r_transverse;  ///< About the axis that points to the side.
  double r_long;        ///< About the long axis.
  double length;        ///< L / body height, of the mean subject.
};

/// [de Leva 1996], table 4, with his alternative end points for head, upper
/// trunk, hand and shank. Both arms and legs counted, the masses sum to 1
/// within 1e-4.
const PartNumbers& NumbersOf(BodyPart part, Sex sex);

/// The part that the joint of `role` moves; fingers count to the hand, toes to
/// the foot, clavicles to the upper trunk. kOther has none: kLowerTrunk.
BodyPart PartOf(Role role);

/// What a share of a part's mass a joint of `role` moves where the skeleton
/// divides the part: toes of the foot (0.138, OpenSim's gait2392 after [Delp
/// 1990]), neck of the head (0.2), each clavicle of the upper trunk (0.05).
inline constexpr double kToesOfFoot = 0.138;
inline constexpr double kNeckOfHead = 0.2;
inline constexpr double kClavicleOfTrunk = 0.05;

/// Mean tissue density used to find a part's thickness [kg/m^3].
inline constexpr double kBodyDensity = 1050.0;
/// Body mass / height² where only the height is known [kg/m^2]: 75 kg at 1.75.
inline constexpr double kUsualBodyMassIndex = 24.49;

/// Kind, limits and strength of the joint of a role, in the axes of
/// `AnatomicalAxes`. Ranges are the normal ones of [AAOS 1994] widened by 15
/// degrees, because people who are worth recording are supple. Strengths are
/// peak joint torques for a person of 75 kg and 1.75 m (`kStrengthMass`,
/// `kStrengthHeight`), the larger of the two directions; they scale with
/// weight times height as in [Anderson 2007]. Sources: docs/figures.md.
struct JointNumbers {
  AnchorKind kind = AnchorKind::kBall;
  std::array<double, 3> lower_deg = {};
  std::array<double, 3> upper_deg = {};
  std::array<double, 3> torque = {};  ///< [N m]
};
JointNumbers NumbersOfJoint(Role role);
inline constexpr double kStrengthMass = 75.0;    ///< [kg]
inline constexpr double kStrengthHeight = 1.75;  ///< [m]

/// The axes x, y, z of F and M of the joint of a role, in a body that stands in
/// the anatomical position. Columns in the axes (left, up, forward) of the
/// body. What a positive angle does (mirrored on the right side):
///
///     role         q0 about x        q1 about y         q2 about z
///     spine..head  bends forward     bends to the left  turns to the left
///     upper leg    flexes            abducts            turns outward
///     lower leg    flexes (z)
///     foot         dorsiflexes       everts             turns outward
///     toes         extend (z)
///     clavicle     retracts          lifts              rolls
///     upper arm    lowers            moves back         turns
///     forearm      flexes            supinates          (carrying angle)
///     hand         flexes            deviates radially  turns
///
/// The upper arm's sequence has its zero where the arm points level, 45 degrees
/// forward of the side, the middle of its range; its poles (q1 = 90 degrees)
/// are the ends of the level range, which an arm hardly reaches. An arm that
/// hangs has q0 = 90 degrees: `angle_at_rest` is the rotation R_FM then.
struct AnatomicalAxes {
  Matrix3 R_BF = Matrix3::Identity();
  Quaternion angle_at_rest = Quaternion::Identity();
};
AnatomicalAxes AxesOf(Role role);

}  // namespace limber::figure
