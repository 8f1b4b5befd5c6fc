// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/math.h"
#include "figure/body_plan.h"
#include "figure/pose.h"
#include "mocap/retarget/foot_planter.h"

namespace limber::mocap {

/// One leg over a clip, as the poses have it before anything is moved; one
/// entry per frame, in the world.
struct LegTrack {
  struct Rotations {
    Quaternion thigh_parent, thigh, shank_parent, shank, foot_parent, foot,
        toes;
  };
  std::vector<Vector3> hip, knee, ankle, toe;  ///< [m]
  std::vector<Vector3> hinge;                  ///< The knee's axis, see Limb.
  std::vector<double> height;                  ///< By `SoleHeight` [m].
  std::vector<double> lowest;       ///< Of the sole, bending toes left out [m].
  std::vector<double> toes_height;  ///< Of the joint of the toes [m].
  std::vector<Rotations> R;
  double length = 0.0;  ///< [m]
};

std::array<LegTrack, 2> TrackLegs(const HumanBody& body,
                                  const std::array<FootGoal, 2>& goals,
                                  double rounding,
                                  const std::vector<figure::Pose>& poses);

/// R_PJ of the joints of a leg, and how far the ankle stays from its goal [m].
struct LegTurn {
  Quaternion thigh, shank, foot;
  Quaternion foot_parent;                 ///< R_WP of the foot.
  Quaternion Q = Quaternion::Identity();  ///< How the foot turned in the world.
  double miss = 0.0;
  Vector3 lack = Vector3::Zero();  ///< The same with its direction [m].
};

/// The leg in frame `i` with its hip shifted by `r` and its ankle by `g` [m],
/// the foot turned in the world by `Q`.
LegTurn TurnLeg(const LegTrack& leg, std::size_t i, const Vector3& r,
                const Vector3& g, const Quaternion& Q = Quaternion::Identity());

/// R_PJ of the toes, turned up about the foot's own left until none of their
/// points is lower than `ground`, the foot being turned by `Q` and lifted by
/// `lift` [m].
Quaternion BendToes(const figure::LegPlan& plan, const LegTrack& leg,
                    std::size_t i, const Quaternion& Q, double lift,
                    double ground);

}  // namespace limber::mocap
