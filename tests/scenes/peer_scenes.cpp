// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/scenes/peer_scenes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/joints/free_joint.h"

namespace limber::scenes {

using dynamics::BallJoint;
using dynamics::BodyId;
using dynamics::BodyKind;
using dynamics::BodySpec;
using dynamics::PoweredAxis;
using dynamics::World;

namespace {

Segment Capsule(int parent, double mass, const Vector3& joint, const Vector3& a,
                const Vector3& b, int axis, double radius) {
  Segment segment;
  segment.parent = parent;
  segment.mass = mass;
  segment.joint = joint;
  segment.com = 0.5 * (a + b);
  const double length = (b - a).norm();
  segment.inertia = Vector3::Constant(
      mass * (3.0 * radius * radius + length * length) / 12.0);
  segment.inertia[axis] = 0.5 * mass * radius * radius;
  return segment;
}

Segment Box(int parent, double mass, const Vector3& joint, const Vector3& com,
            const Vector3& half) {
  Segment segment;
  segment.parent = parent;
  segment.mass = mass;
  segment.joint = joint;
  segment.com = com;
  const Vector3 q = (2.0 * half).cwiseAbs2();
  segment.inertia =
      Vector3(q.y() + q.z(), q.x() + q.z(), q.x() + q.y()) * (mass / 12.0);
  return segment;
}

// The standing figure of S3 and S6, arms level to the sides. `detailed` makes
// the neck and the clavicles segments of their own, out of head and chest.
std::vector<Segment> FigureSegments(bool detailed) {
  std::vector<Segment> s;
  const auto add = [&s](const Segment& segment) {
    s.push_back(segment);
    return static_cast<int>(s.size()) - 1;
  };
  const int hips =
      add(Box(-1, 10.0, {0, 0, 0.97}, {0, 0, 0.97}, {0.15, 0.09, 0.08}));
  const int waist =
      add(Box(hips, 10.0, {0, 0, 1.05}, {0, 0, 1.13}, {0.13, 0.08, 0.08}));
  const int chest = add(Box(waist, detailed ? 16.0 : 17.6, {0, 0, 1.21},
                            {0, 0, 1.34}, {0.16, 0.10, 0.13}));
  if (detailed) {
    const int neck = add(
        Capsule(chest, 1.0, {0, 0, 1.47}, {0, 0, 1.47}, {0, 0, 1.55}, 2, 0.06));
    add(Capsule(neck, 4.0, {0, 0, 1.55}, {0, 0, 1.55}, {0, 0, 1.75}, 2, 0.09));
  } else {
    add(Capsule(chest, 5.0, {0, 0, 1.50}, {0, 0, 1.49}, {0, 0, 1.75}, 2, 0.09));
  }
  for (const double side : {1.0, -1.0}) {
    const double x = 0.09 * side;
    const int thigh = add(
        Capsule(hips, 8.0, {x, 0, 0.93}, {x, 0, 0.93}, {x, 0, 0.50}, 2, 0.07));
    const int shank = add(Capsule(thigh, 3.5, {x, 0, 0.50}, {x, 0, 0.50},
                                  {x, 0, 0.08}, 2, 0.045));
    const int foot = add(Capsule(shank, 0.8, {x, 0, 0.08}, {x, -0.06, 0.04},
                                 {x, 0.14, 0.04}, 1, 0.035));
    add(Capsule(foot, 0.2, {x, 0.13, 0.03}, {x, 0.12, 0.03}, {x, 0.21, 0.03}, 1,
                0.025));
    const auto arm = [side](double at) {
      return Vector3(at * side, 0.0, 1.42);
    };
    const int shoulder =
        detailed
            ? add(Capsule(chest, 0.8, arm(0.03), arm(0.03), arm(0.20), 0, 0.03))
            : chest;
    const int upper =
        add(Capsule(shoulder, 2.0, arm(0.20), arm(0.20), arm(0.49), 0, 0.045));
    const int fore =
        add(Capsule(upper, 1.2, arm(0.49), arm(0.49), arm(0.74), 0, 0.035));
    add(Capsule(fore, 0.5, arm(0.74), arm(0.74), arm(0.92), 0, 0.03));
  }
  return s;
}

}  // namespace

PeerScene Chain(int n) {
  PeerScene scene;
  scene.name = "S1-chain-" + std::to_string(n);
  for (int i = 0; i < n; ++i) {
    const Vector3 start(0.25 * i, 0.0, 0.0);
    const Vector3 end(0.25 * (i + 1), 0.0, 0.0);
    scene.segments.push_back(Capsule(i - 1, 1.0, start, start, end, 0, 0.04));
  }
  return scene;
}

PeerScene SpringTree() {
  constexpr int kSegments = 127;
  PeerScene scene;
  scene.name = "S2-tree-127";
  scene.root = Root::kFixed;
  scene.drive = Drive::kSpring;
  std::vector<Vector3> tip, direction;
  const Vector3 sideways[2] = {Vector3::UnitX(), Vector3::UnitY()};
  for (int i = 0; i < kSegments; ++i) {
    const std::size_t parent = static_cast<std::size_t>((i - 1) / 2);
    const int depth = static_cast<int>(std::floor(std::log2(i + 1.0)));
    const double length = 0.5 * std::pow(0.8, depth);
    const Vector3 start = i > 0 ? tip[parent] : Vector3::Zero();
    Vector3 along = Vector3::UnitZ();
    if (i > 0) {
      along =
          (direction[parent] + (i % 2 == 1 ? 0.6 : -0.6) * sideways[depth % 2])
              .normalized();
    }
    tip.push_back(start + length * along);
    direction.push_back(along);
    Segment segment;
    segment.parent = i > 0 ? static_cast<int>(parent) : -1;
    segment.mass = 4.0 * std::pow(0.6, depth);
    segment.joint = start;
    segment.com = start + 0.5 * length * along;
    segment.inertia = Vector3::Constant(segment.mass * length * length / 12.0);
    scene.segments.push_back(segment);
  }
  // k = (15 rad/s)^2 I of the branch about its joint, damping ratio 0.3.
  for (int i = 1; i < kSegments; ++i) {
    Segment& base = scene.segments[static_cast<std::size_t>(i)];
    double inertia = 0.0;
    for (int j = i; j < kSegments; ++j) {
      int a = j;
      while (a > i) a = (a - 1) / 2;
      if (a != i) continue;
      const Segment& part = scene.segments[static_cast<std::size_t>(j)];
      inertia +=
          part.inertia.x() + part.mass * (part.com - base.joint).squaredNorm();
    }
    base.stiffness = 15.0 * 15.0 * inertia;
    base.damping = 2.0 * 0.3 * 15.0 * inertia;
  }
  return scene;
}

PeerScene TrackedFigure() {
  PeerScene scene;
  scene.name = "S3-figure-track";
  scene.segments = FigureSegments(false);
  scene.root = Root::kFixed;
  scene.drive = Drive::kTrack;
  return scene;
}

PeerScene MarkerDrivenFigure() {
  PeerScene scene;
  scene.name = "S6-marker-figure";
  scene.segments = FigureSegments(true);
  scene.root = Root::kFree;
  scene.marker_stiffness = 2e4;
  scene.marker_damping = 200.0;
  // Where the markers are at the start.
  const auto put = [&scene](int segment, const Vector3& p_WA) {
    const Segment& s = scene.segments[static_cast<std::size_t>(segment)];
    scene.markers.push_back({segment, p_WA - s.com});
  };
  enum { kHips, kWaist, kChest, kNeck, kHead, kLeftThigh, kRightThigh = 13 };
  put(kHips, {0.13, 0.09, 1.03});
  put(kHips, {-0.13, 0.09, 1.03});
  put(kHips, {0.0, -0.09, 1.02});
  put(kWaist, {0.0, -0.08, 1.13});
  put(kChest, {0.0, 0.10, 1.45});
  put(kChest, {0.05, 0.10, 1.28});
  put(kChest, {0.0, -0.10, 1.38});
  put(kNeck, {0.0, -0.06, 1.51});
  put(kHead, {0.07, 0.06, 1.70});
  put(kHead, {-0.07, 0.06, 1.70});
  put(kHead, {0.0, -0.09, 1.70});
  for (const int first : {int{kLeftThigh}, int{kRightThigh}}) {
    const double side = first == kLeftThigh ? 1.0 : -1.0;
    const auto at = [side](double x, double y, double z) {
      return Vector3(side * x, y, z);
    };
    put(first, at(0.16, 0.0, 0.72));  // thigh
    put(first, at(0.14, 0.0, 0.51));
    put(first + 1, at(0.135, 0.0, 0.30));  // shank
    put(first + 1, at(0.13, 0.0, 0.09));
    put(first + 2, at(0.09, -0.06, 0.05));  // foot
    put(first + 2, at(0.12, 0.10, 0.06));
    put(first + 3, at(0.07, 0.20, 0.05));  // toes
    put(first + 3, at(0.11, 0.17, 0.05));
    put(first + 4, at(0.17, 0.0, 1.45));     // clavicle
    put(first + 5, at(0.35, -0.045, 1.42));  // upper arm
    put(first + 5, at(0.48, 0.0, 1.465));
    put(first + 6, at(0.62, -0.035, 1.42));  // forearm
    put(first + 6, at(0.73, 0.03, 1.44));
    put(first + 7, at(0.84, 0.03, 1.44));  // hand
    put(first + 7, at(0.84, -0.03, 1.44));
  }
  return scene;
}

std::vector<PeerScene> AllPeerScenes() {
  return {Chain(8),     Chain(32),       Chain(127),          Chain(512),
          SpringTree(), TrackedFigure(), MarkerDrivenFigure()};
}

Vector3 ReferenceTip(const PeerScene& scene) {
  if (scene.name == "S1-chain-8") return {-1.657618111, 0.0, -0.863489306};
  if (scene.name == "S1-chain-32") return {5.071844861, 0.0, -4.904952966};
  if (scene.name == "S1-chain-127") return {30.149584132, 0.0, -4.905};
  if (scene.name == "S2-tree-127") {
    return {-0.565491314, -0.855226178, 1.170445899};
  }
  return Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
}

Vector3 TrackingAngles(int segment, double time) {
  const double x = std::clamp(time / 0.5, 0.0, 1.0);
  const double ramp = x * x * x * (10.0 + x * (6.0 * x - 15.0));
  Vector3 q;
  for (int a = 0; a < 3; ++a) {
    const double n = 3.0 * segment + a;
    const double frequency = 0.3 + 0.7 * std::fmod(n * 0.618034, 1.0);
    const double phase = 2.0 * kPi * std::fmod(n * 0.754878, 1.0);
    q[a] = 0.4 * ramp * std::sin(2.0 * kPi * frequency * time + phase);
  }
  return q;
}

std::vector<Quaternion> TrackingTargets(const PeerScene& scene, double time) {
  std::vector<Quaternion> targets;
  for (std::size_t i = 0; i < scene.segments.size(); ++i) {
    const Vector3 q = TrackingAngles(static_cast<int>(i), time);
    targets.push_back(Quaternion(Eigen::AngleAxisd(q.x(), Vector3::UnitX()) *
                                 Eigen::AngleAxisd(q.y(), Vector3::UnitY()) *
                                 Eigen::AngleAxisd(q.z(), Vector3::UnitZ())));
  }
  return targets;
}

std::vector<Vector3> MarkerTargets(const PeerScene& scene, double time) {
  const std::vector<Quaternion> R_PS = TrackingTargets(scene, time);
  std::vector<Transform> X_WS;
  for (std::size_t i = 0; i < scene.segments.size(); ++i) {
    const Segment& segment = scene.segments[i];
    if (segment.parent < 0) {
      X_WS.push_back({Quaternion::Identity(), segment.com});
      continue;
    }
    const std::size_t p = static_cast<std::size_t>(segment.parent);
    const Quaternion R_WS = X_WS[p].R * R_PS[i];
    const Vector3 joint = X_WS[p] * (segment.joint - scene.segments[p].com);
    X_WS.push_back({R_WS, joint + R_WS * (segment.com - segment.joint)});
  }
  std::vector<Vector3> targets;
  for (const Marker& marker : scene.markers) {
    targets.push_back(X_WS[static_cast<std::size_t>(marker.segment)] *
                      marker.p_SA);
  }
  return targets;
}

void AddToWorld(const PeerScene& scene, const Vector3& offset, World& world,
                std::vector<BodyId>& bodies, std::vector<BallJoint*>& joints) {
  const std::size_t first = bodies.size();
  for (std::size_t i = 0; i < scene.segments.size(); ++i) {
    const Segment& segment = scene.segments[i];
    BodySpec spec;
    spec.mass.mass = segment.mass;
    spec.mass.I_BC = segment.inertia.asDiagonal();
    spec.X_WB.p = offset + segment.com;
    if (i == 0 && scene.root == Root::kFixed) spec.kind = BodyKind::kFixed;
    bodies.push_back(world.AddBody(spec));
  }
  for (std::size_t i = 0; i < scene.segments.size(); ++i) {
    const Segment& segment = scene.segments[i];
    if (segment.parent < 0 && scene.root != Root::kBall) {
      joints.push_back(nullptr);
      continue;
    }
    BodyId parent = dynamics::kGround;
    Vector3 p_PF = offset + segment.joint;
    if (segment.parent >= 0) {
      const std::size_t p = static_cast<std::size_t>(segment.parent);
      parent = bodies[first + p];
      p_PF = segment.joint - scene.segments[p].com;
    }
    BallJoint& joint = world.Add(BallJoint(parent, p_PF, bodies[first + i],
                                           segment.joint - segment.com));
    PoweredAxis axis;
    if (scene.drive == Drive::kSpring) {
      axis.drive = PoweredAxis::Drive::kSpring;
      axis.stiffness = segment.stiffness;
      axis.damping = segment.damping;
    } else if (scene.drive == Drive::kTrack) {
      axis.drive = PoweredAxis::Drive::kPosition;
      axis.max_force = scene.max_torque;
    }
    joint.set_drive(axis);
    joints.push_back(&joint);
  }
}

PlayedScene Play(const PeerScene& scene, dynamics::WorldSettings settings) {
  settings.gravity = Vector3(0.0, 0.0, -kGravity);
  PlayedScene played{World(settings), {}, {}, {}};
  AddToWorld(scene, Vector3::Zero(), played.world, played.bodies,
             played.joints);
  dynamics::RowSettings pull;
  pull.stabilisation = dynamics::Stabilisation::Spring(scene.marker_stiffness,
                                                       scene.marker_damping);
  const std::vector<Vector3> targets = MarkerTargets(scene, 0.0);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Marker& marker = scene.markers[i];
    played.markers.push_back(&played.world.Add(
        PointPull(played.bodies[static_cast<std::size_t>(marker.segment)],
                  marker.p_SA, pull)));
    played.markers.back()->set_target(targets[i]);
  }
  return played;
}

void PlayedScene::MoveMarkers(std::span<const Vector3> targets, double h) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    markers[i]->set_target(targets[i], (targets[i] - markers[i]->p_WT()) / h);
  }
}

StandingFigure MakeStandingFigure(double contact_softness,
                                  dynamics::WorldSettings settings) {
  StandingFigure figure;
  figure.scene = TrackedFigure();
  figure.scene.root = Root::kFree;
  figure.played = Play(figure.scene, settings);
  World& world = figure.played.world;
  const std::vector<BodyId>& bodies = figure.played.bodies;
  for (const std::size_t foot : {std::size_t{6}, std::size_t{13}}) {
    const Segment& segment = figure.scene.segments[foot];
    for (const double x : {-0.035, 0.035}) {
      for (const double y : {-0.06, 0.14}) {
        const Vector3 point(segment.com.x() + x, y, 0.005);
        world.Add(EdgeContact(bodies[foot], point - segment.com, 0.005,
                              contact_softness, 0.8, 2));
      }
    }
    for (int k = 0; k < 3; ++k) {
      figure.played.joints[foot]->axis(k).max_force = 15.0;
      figure.played.joints[foot + 1]->axis(k).max_force = 3.0;
    }
  }
  auto& drive = world.Add(dynamics::FreeJoint(
      dynamics::kGround,
      Transform{Quaternion::Identity(), figure.scene.segments[0].com},
      bodies[0], Transform::Identity()));
  for (int k = 0; k < 6; ++k) {
    PoweredAxis& axis = drive.axis(k);
    axis.drive = PoweredAxis::Drive::kSpring;
    axis.stiffness = 2000.0;
    axis.damping = 200.0;
    axis.max_force = 75.0;
  }
  return figure;
}

void StandingFigure::SetTargets(double time) {
  const std::vector<Quaternion> targets = TrackingTargets(scene, time);
  for (std::size_t j = 1; j < targets.size(); ++j) {
    const bool leg = (j >= 4 && j <= 7) || (j >= 11 && j <= 14);
    const double share = leg ? 0.03 : 0.2;
    played.joints[j]->set_target(ExpRotation(share * LogRotation(targets[j])));
  }
}

MarkerFigure MakeMarkerFigure(dynamics::WorldSettings settings) {
  PeerScene scene = TrackedFigure();
  scene.root = Root::kFree;
  scene.drive = Drive::kNone;
  // Three more segments: the head's crown and two finger parts.
  for (const int parent : {3, 10, 17}) {
    Segment part = scene.segments[static_cast<std::size_t>(parent)];
    part.parent = parent;
    part.mass *= 0.3;
    part.inertia *= 0.1;
    part.joint = part.com;
    scene.segments.push_back(part);
  }
  settings.gravity = Vector3::Zero();
  MarkerFigure figure{PlayedScene{World(settings), {}, {}, {}}, {}};
  AddToWorld(scene, Vector3::Zero(), figure.played.world, figure.played.bodies,
             figure.played.joints);
  dynamics::RowSettings pull;
  pull.softness = 1e-2;
  pull.stabilisation = dynamics::Stabilisation::Implicit();
  for (int i = 0; i < 41; ++i) {
    const std::size_t b = static_cast<std::size_t>(i % 21);
    const Vector3 p_BA(0.05 * (i % 3 - 1), 0.05 * (i % 2), 0.03 * (i % 5 - 2));
    figure.played.markers.push_back(&figure.played.world.Add(
        PointPull(figure.played.bodies[b], p_BA, pull)));
    figure.rest.push_back(scene.segments[b].com + p_BA);
  }
  return figure;
}

void MarkerFigure::SetTargets(double time) {
  const double ramp = time < 1.0 ? time * time * (3.0 - 2.0 * time) : 1.0;
  const Vector3 shift(std::sin(3.0 * time), std::sin(2.0 * time), 0.0);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    played.markers[i]->set_target(rest[i] + 0.05 * ramp * shift);
  }
}

double LargestGap(const PeerScene& scene, const PlayedScene& played) {
  double gap = 0.0;
  for (std::size_t i = 0; i < scene.segments.size(); ++i) {
    const BallJoint* joint = played.joints[i];
    if (joint == nullptr) continue;
    const Vector3 on_child =
        played.world.X_WB(joint->child()) * joint->X_BM().p;
    const Vector3 on_parent =
        played.world.X_WB(joint->parent()) * joint->X_PF().p;
    gap = std::max(gap, (on_child - on_parent).norm());
  }
  return gap;
}

double EnergyScale(const PeerScene& scene) {
  double mass = 0.0;
  double reach = 0.0;
  for (const Segment& segment : scene.segments) {
    mass += segment.mass;
    reach = std::max(reach, segment.com.norm());
  }
  return 0.5 * mass * kGravity * reach;
}

double Energy(const World& world) {
  return world.KineticEnergy() + world.PotentialEnergy();
}

}  // namespace limber::scenes
