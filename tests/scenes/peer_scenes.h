// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dynamics/joints/ball_joint.h"
#include "dynamics/world.h"
#include "tests/scenes/soft_rows.h"

namespace limber::scenes {

/// One rigid segment of a scene that several engines play, in the scene's own
/// frame: z up, everything parallel to the world at the start.
struct Segment {
  int parent = -1;  ///< Index, or -1: hangs on the ground, or is the root.
  double mass = 1.0;
  Vector3 com = Vector3::Zero();
  Vector3 inertia = Vector3::Ones();  ///< Principal, along x, y, z.
  Vector3 joint = Vector3::Zero();    ///< Ball joint to the parent.
  double stiffness = 0.0;             ///< Spring of the joint [N m/rad].
  double damping = 0.0;               ///< [N m s/rad].
};

/// A point of a segment that a spring and a damper pull to a moving target.
struct Marker {
  int segment = 0;
  Vector3 p_SA = Vector3::Zero();  ///< From the mass centre, segment's axes.
};

enum class Root {
  kBall,   ///< The first segment hangs on the ground by a ball joint.
  kFixed,  ///< The first segment does not move.
  kFree,
};
enum class Drive { kNone, kSpring, kTrack };

/// A scene of the comparison with other engines: same masses, joints, motors,
/// markers, step (1/240 s) and length (5 s).
struct PeerScene {
  std::string name;
  std::vector<Segment> segments;
  Root root = Root::kBall;
  Drive drive = Drive::kNone;
  double max_torque = 200.0;  ///< Of each servo [N m].
  std::vector<Marker> markers;
  double marker_stiffness = 0.0;  ///< k of each marker [N/m].
  double marker_damping = 0.0;    ///< d of each marker [N s/m].
  double step = 1.0 / 240.0;      ///< [s].
  double length = 5.0;            ///< [s].
};

/// S1: a chain of n links of 0.25 m and 1 kg, held at one end, let go level.
PeerScene Chain(int n);
/// S2: a binary tree of 127 segments with springs at every joint.
PeerScene SpringTree();
/// S3: a figure of 18 segments and 75 kg with the hips held, whose 17 joints
/// follow moving targets.
PeerScene TrackedFigure();
/// S6: the figure of S3 with a neck and two clavicles of their own (21
/// segments, 75 kg), free and limp in gravity. 41 markers pull it after the
/// figure that has its hips fixed and its joints at `TrackingAngles`, each with
/// the implicit force at the end of the step
///
///     f = -k (p - p_target) - d (v - v_target),   k = 20 kN/m, d = 200 N s/m
PeerScene MarkerDrivenFigure();

/// Every scene of the comparison, shortest first.
std::vector<PeerScene> AllPeerScenes();

/// The last segment's mass centre at 1 s, from runs with steps 10 to 40 times
/// shorter by a fourth-order integrator; not finite where there is none.
Vector3 ReferenceTip(const PeerScene& scene);

/// The wanted x-y-z angles of segment `segment` relative to its parent.
Vector3 TrackingAngles(int segment, double time);
/// The wanted rotation of each segment relative to its parent at `time`.
std::vector<Quaternion> TrackingTargets(const PeerScene& scene, double time);
/// Where the markers of `scene` should be at `time`.
std::vector<Vector3> MarkerTargets(const PeerScene& scene, double time);

/// A scene in a world. Bodies are in the order of the segments, joints too;
/// the joint of a root without one is null. Markers start on their targets.
struct PlayedScene {
  dynamics::World world;
  std::vector<dynamics::BodyId> bodies;
  std::vector<dynamics::BallJoint*> joints;
  std::vector<PointPull*> markers;

  /// Moves the markers' targets to `targets` in a step of h seconds.
  void MoveMarkers(std::span<const Vector3> targets, double h);
};
PlayedScene Play(const PeerScene& scene, dynamics::WorldSettings settings = {});

/// Adds a scene without its markers to `world`, moved by `offset`.
void AddToWorld(const PeerScene& scene, const Vector3& offset,
                dynamics::World& world, std::vector<dynamics::BodyId>& bodies,
                std::vector<dynamics::BallJoint*>& joints);

/// The figure of S3 standing on both feet: free hips that a weak drive helps to
/// stay (75 N, 75 N m), four contact points under each foot, weak ankles, legs
/// that move.
struct StandingFigure {
  PeerScene scene;
  PlayedScene played;
  /// Targets of the joints for the step that ends at `time`.
  void SetTargets(double time);
};
StandingFigure MakeStandingFigure(double contact_softness,
                                  dynamics::WorldSettings settings = {});

/// A figure of 21 segments that 41 markers pull (123 soft rows), limp joints.
struct MarkerFigure {
  PlayedScene played;
  std::vector<Vector3> rest;  ///< Where the markers are at the start.
  void SetTargets(double time);
};
MarkerFigure MakeMarkerFigure(dynamics::WorldSettings settings = {});

/// Largest distance between the two points of a joint [m].
double LargestGap(const PeerScene& scene, const PlayedScene& played);
/// (E - E0) / (M g R / 2), R the farthest mass centre from the origin.
double EnergyScale(const PeerScene& scene);
double Energy(const dynamics::World& world);

}  // namespace limber::scenes
