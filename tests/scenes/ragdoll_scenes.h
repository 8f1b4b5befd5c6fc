// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "dynamics/joints/ball_joint.h"
#include "dynamics/world.h"

namespace limber::scenes {

/// A segment of a limp figure, in the figure's own frame: z up, upright, arms
/// level to the sides.
struct RagdollSegment {
  int parent = -1;
  double mass = 1.0;
  Vector3 com = Vector3::Zero();
  Vector3 inertia = Vector3::Ones();  ///< Principal, along x, y, z.
  Vector3 joint = Vector3::Zero();    ///< Ball joint to the parent.
  Vector3 lower = Vector3::Zero();    ///< Limits of its x-y-z angles [rad].
  Vector3 upper = Vector3::Zero();
  bool box = false;
  int axis = 0;                            ///< Capsule: along x, y or z.
  double radius = 0.0;                     ///< Capsule.
  double half_length = 0.0;                ///< Capsule: half of the cylinder.
  Vector3 half_extents = Vector3::Zero();  ///< Box.
};

/// The figure of the comparison with other engines: 18 segments, 75 kg, 1.75 m.
/// `capsules_only` gives the trunk capsules instead of boxes.
std::vector<RagdollSegment> RagdollFigure(bool capsules_only = false);

/// A step of a staircase: a box along the axes.
struct StairBox {
  Vector3 centre = Vector3::Zero();
  Vector3 half_extents = Vector3::Zero();
};

/// Limp figures that fall on the ground z = 0 and on steps. Segments of one
/// figure do not touch each other.
struct RagdollScene {
  std::string name;
  std::vector<RagdollSegment> segments;
  std::vector<Transform> figures;  ///< Frame of each at the start.
  std::vector<StairBox> steps;
  double step = 1.0 / 240.0;  ///< [s].
  double length = 4.0;        ///< [s].
  /// Dry friction about each axis of a joint, as a share of the moment about it
  /// of the weight of all that hangs on it, stretched out and level; S4 and S5
  /// have none. A limb let go at the angle a comes to rest after a / (4
  /// friction) swings; without friction it swings for ever.
  double friction = 0.0;
};

/// S4: one figure falls from 1.6 m.
RagdollScene RagdollDrop();
/// S5: twenty fall on six steps of 0.25 m.
RagdollScene RagdollsOnStairs();
/// The six steps of S5.
std::vector<StairBox> Staircase();

/// A scene in a world: body f * num_segments + i is segment i of figure f, and
/// so are the joints, with null for the hips.
struct PlayedRagdolls {
  dynamics::World world;
  std::vector<dynamics::BodyId> bodies;
  std::vector<dynamics::BallJoint*> joints;
};
PlayedRagdolls Play(const RagdollScene& scene,
                    dynamics::WorldSettings settings = {});

/// Largest distance between the two points of a joint [m].
double LargestGap(const RagdollScene& scene, const PlayedRagdolls& played);
/// Largest depth of a segment below the ground z = 0 [m].
double GroundPenetration(const RagdollScene& scene,
                         const PlayedRagdolls& played);
/// Largest excess of a joint angle over its limits [rad].
double LimitViolation(const RagdollScene& scene, const PlayedRagdolls& played);
/// Energy of the last step's drift: that of the velocities in it, and half way
/// in gravity [J].
double DriftEnergy(const RagdollScene& scene, const PlayedRagdolls& played);
/// Root of the mean square speed, by mass [m/s].
double RestSpeed(const RagdollScene& scene, const PlayedRagdolls& played);

}  // namespace limber::scenes
