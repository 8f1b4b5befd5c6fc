// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mocap/osim_model.h"
#include "mocap/solve/actor.h"

namespace limber::mocap {

/// The two families of OpenSim's models of walking people. Their coordinates
/// have the same names; knees and toes count the other way round.
enum class OpenSimFamily {
  kRajagopal,  ///< Rajagopal 2015, OpenCap, AddBiomechanics: knees positive.
  kGait2354,   ///< gait2354, gait2392: bent knees are negative.
};

/// The family that a model belongs to: the range of its knee tells.
OpenSimFamily FamilyOf(const OsimModel& model);

/// Coordinates of OpenSim over the frames of a take.
struct OpenSimCoordinates {
  std::vector<std::string> names;  ///< "pelvis_tilt", "hip_flexion_r", ...
  std::vector<bool> is_angle;      ///< Else a place [m].
  /// Row-major, one row per pose [rad], [m]. Angles run on through 180
  /// degrees instead of jumping.
  std::vector<double> values;
};

/// The poses in OpenSim's coordinates. Its axes are X forward, Y up, Z to the
/// right; the ground is the world of the take. Joints turn as in its models:
///
///     pelvis, hip, back   R = Rz(flexion) Rx(adduction) Ry(rotation)
///     shoulder            the same, from hanging arms
///     ankle, elbow        R = Exp(a1 angle) Exp(a2 angle2) Exp(a3 rest)
///
/// with the slanted axes a1 of ankle and elbow and a2 of subtalar and forearm
/// of the models [Rajagopal 2016], and a3 = a1 x a2. At the left, adduction and
/// rotation count mirrored. All are 0 in a person who stands upright with
/// hanging arms and palms forward. Joints that no marker moves are left out.
OpenSimCoordinates ToOpenSim(const Actor& actor,
                             std::span<const BodyPose> poses,
                             OpenSimFamily family);

}  // namespace limber::mocap
