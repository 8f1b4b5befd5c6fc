// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// A model that follows markers with its own joints, on a small man made here:
// pelvis, a sliding knee, a coupled kneecap.
#include "mocap/solve/model_motion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace limber::mocap {
namespace {

using ::testing::HasSubstr;

enum Index { kTilt, kList, kTurn, kX, kY, kZ, kKnee, kCap, kToe };

OsimCoordinate Coordinate(const char* name, double lower, double upper) {
  OsimCoordinate coordinate;
  coordinate.name = name;
  coordinate.lower = lower;
  coordinate.upper = upper;
  coordinate.is_clamped = true;
  return coordinate;
}

OsimModel MakeMan() {
  OsimModel man;
  for (const char* name : {"tilt", "list", "turn", "x", "y", "z"}) {
    man.coordinates.push_back(Coordinate(name, -1, 1));
  }
  man.coordinates.push_back(Coordinate("knee", -2, 0));
  man.coordinates.push_back(Coordinate("cap", -9, 9));
  man.coordinates.push_back(Coordinate("toe", -1, 1));
  const auto linear = OsimFunction::Linear(1, 0);
  OsimJoint base{"base", {}, {}, {}};
  base.axes = {{true, Vector3::UnitZ(), kTilt, linear},
               {true, Vector3::UnitX(), kList, linear},
               {true, Vector3::UnitY(), kTurn, linear},
               {false, Vector3::UnitX(), kX, linear},
               {false, Vector3::UnitY(), kY, linear},
               {false, Vector3::UnitZ(), kZ, linear}};
  OsimJoint knee{"knee", {ExpRotation({0.1, 0, 0.2}), {0, -0.4, 0.1}}, {}, {}};
  knee.axes = {{true, Vector3(0.1, 0, 1).normalized(), kKnee, linear},
               {false, Vector3::UnitX(), kKnee,
                *OsimFunction::Spline(std::array{-2.0, -1.0, -0.4, 0.0},
                                      std::array{0.03, 0.02, -0.01, 0.0})}};
  OsimJoint cap{"cap", {{1, 0, 0, 0}, {0, -0.4, 0}}, {}, {}};
  cap.axes = {{true, Vector3::UnitZ(), kCap, linear}};
  OsimJoint toe{"toe", {{1, 0, 0, 0}, {0.1, -0.4, 0}}, {}, {}};
  toe.X_BF.p = {0.01, 0, 0};
  toe.axes = {{true, Vector3::UnitZ(), kToe, linear}};
  man.bodies = {
      {"pelvis", -1, {}}, {"tibia", 0, {}}, {"cap", 0, {}}, {"toe", 1, {}}};
  man.joints = {base, knee, cap, toe};
  man.couplings = {{kCap, kKnee, OsimFunction::Linear(0.5, 0.1)}};
  const auto add = [&man](const char* name, const char* body, Vector3 at) {
    man.markers.push_back({name, body, at});
  };
  add("A", "pelvis", {0.1, 0, 0.1});
  add("B", "pelvis", {0.1, 0, -0.12});
  add("C", "pelvis", {-0.1, 0.05, 0});
  add("D", "tibia", {0, -0.1, 0.05});
  add("E", "tibia", {0.05, -0.3, 0});
  add("F", "cap", {0.08, 0, 0});
  add("G", "toe", {0.1, 0, 0.02});
  return man;
}

/// The markers of the man for each q; points of all of them.
Observations Record(const OsimModel& man, const std::vector<VectorX>& motion) {
  Observations seen;
  seen.num_markers = int(man.markers.size());
  ModelPose pose(man);
  for (const VectorX& q : motion) {
    pose.Update(q);
    for (const OsimMarker& marker : man.markers) {
      const int body = int(man.FindBody(marker.body) - man.bodies.data());
      seen.points.push_back(pose.X_GB(body) * marker.p_BM);
    }
  }
  return seen;
}

std::vector<std::string> Labels(const OsimModel& man) {
  std::vector<std::string> labels;
  for (const OsimMarker& marker : man.markers) labels.push_back(marker.name);
  return labels;
}

/// A walk of 40 frames that turns round.
std::vector<VectorX> Walk() {
  std::vector<VectorX> motion;
  for (int t = 0; t < 40; ++t) {
    VectorX q(9);
    const double s = t / 40.0;
    q << 0.1 * std::sin(6 * s), 0.05, 2.5 + 2 * s, 3 * s, 0.9, -0.2,
        -0.6 + 0.5 * std::cos(7 * s), 0.0, 0.2 * s;
    q[kCap] = 0.5 * q[kKnee] + 0.1;
    motion.push_back(q);
  }
  return motion;
}

VectorX RowOf(const ModelMotion& motion, std::int64_t t) {
  return Eigen::Map<const VectorX>(motion.values.data() + 9 * t, 9);
}

ModelMotion Follow(const OsimModel& man, const Observations& seen,
                   const OsimTasks& tasks) {
  const Result<ModelMotion> motion =
      FollowMarkers(man, tasks, Labels(man), seen, "take");
  EXPECT_TRUE(motion.ok()) << motion.diagnostics().ToString();
  return motion.value();
}

TEST(ModelPose, JacobianIsThatOfFiniteDifferences) {
  const OsimModel man = MakeMan();
  ModelPose pose(man);
  VectorX q = Walk()[17];
  for (int body = 0; body < 4; ++body) {
    const Vector3 p_B(0.1, -0.2, 0.3);
    pose.Update(q);
    Eigen::Matrix3Xd J = Eigen::Matrix3Xd::Zero(3, 9);
    pose.AddJacobian(body, pose.X_GB(body) * p_B, J);
    for (int c = 0; c < 9; ++c) {
      constexpr double h = 1e-6;
      VectorX moved = q;
      moved[c] += h;
      pose.Update(moved);
      const Vector3 after = pose.X_GB(body) * p_B;
      moved[c] -= 2 * h;
      pose.Update(moved);
      const Vector3 slope = (after - pose.X_GB(body) * p_B) / (2 * h);
      EXPECT_LT((slope - J.col(c)).norm(), 1e-8) << body << " " << c;
    }
  }
}

// Facing any way, walking out of the range of its base, through gaps of
// markers and frames without any.
TEST(FollowMarkers, FindsTheCoordinatesBehindTheMarkers) {
  const OsimModel man = MakeMan();
  const std::vector<VectorX> walk = Walk();
  Observations seen = Record(man, walk);
  for (int t = 10; t < 15; ++t) {
    for (Vector3& point : seen.frame(t)) point = Unseen();
  }
  for (int t = 20; t < 25; ++t) seen.frame(t)[3] = Unseen();
  const ModelMotion motion = Follow(man, seen, OsimTasks::Equal(man));
  EXPECT_EQ(motion.num_empty, 5);
  EXPECT_LT(motion.rms, 1e-6);
  for (int t = 0; t < 40; ++t) {
    if (t >= 10 && t < 15) continue;
    const VectorX q = RowOf(motion, t);
    for (int c = 0; c < 9; ++c) {
      const double off = q[c] - walk[std::size_t(t)][c];
      EXPECT_NEAR(c == kTurn ? std::remainder(off, 2 * kPi) : off, 0.0, 1e-5)
          << t << " " << c;
    }
  }
}

TEST(FollowMarkers, WeightsSayWhichMarkerIsBelieved) {
  const OsimModel man = MakeMan();
  const std::vector<VectorX> walk = Walk();
  Observations seen = Record(man, walk);
  // Skin: one marker of the shank is 3 cm off.
  for (int t = 0; t < 40; ++t) seen.frame(t)[4] += Vector3(0.03, 0, 0);
  OsimTasks tasks = OsimTasks::Equal(man);
  const auto knee_off = [&] {
    return std::abs(RowOf(Follow(man, seen, tasks), 5)[kKnee] - walk[5][kKnee]);
  };
  const double equal = knee_off();
  tasks.markers[4].weight = 1e-3;
  const double light = knee_off();
  EXPECT_GT(equal, 0.02);
  EXPECT_LT(light, 0.05 * equal);
  tasks.markers[4].is_applied = false;
  EXPECT_LT(knee_off(), 1e-5);
  tasks.markers[4] = {"E", true, 0.0};
  EXPECT_LT(knee_off(), 1e-5);
}

TEST(FollowMarkers, LocksRangesAndWishesHold) {
  OsimModel man = MakeMan();
  const std::vector<VectorX> walk = Walk();
  const Observations seen = Record(man, walk);
  man.coordinates[kKnee].lower = -0.5;
  const ModelMotion clamped = Follow(man, seen, OsimTasks::Equal(man));
  bool stops = false;
  for (int t = 0; t < 40; ++t) {
    const double knee = RowOf(clamped, t)[kKnee];
    EXPECT_GE(knee, -0.5);
    stops |= knee == -0.5;
    EXPECT_NEAR(RowOf(clamped, t)[kCap], 0.5 * knee + 0.1, 1e-12);
  }
  EXPECT_TRUE(stops);
  man = MakeMan();
  man.coordinates[kToe].is_locked = true;
  man.coordinates[kToe].default_value = 0.3;
  EXPECT_EQ(RowOf(Follow(man, seen, OsimTasks::Equal(man)), 39)[kToe], 0.3);
  man.coordinates[kToe].is_locked = false;
  OsimTasks tasks = OsimTasks::Equal(man);
  OsimCoordinateTask wish;
  wish.name = "toe";
  wish.weight = 1000;
  tasks.coordinates = {wish};
  EXPECT_NEAR(RowOf(Follow(man, seen, tasks), 39)[kToe], 0.3, 1e-4);
  tasks.coordinates[0].has_value = true;
  tasks.coordinates[0].value = -0.2;
  EXPECT_NEAR(RowOf(Follow(man, seen, tasks), 39)[kToe], -0.2, 1e-4);
  tasks.coordinates[0].is_applied = false;
  EXPECT_NEAR(RowOf(Follow(man, seen, tasks), 39)[kToe], walk[39][kToe], 1e-5);
}

// Without a start of its own a model whose default pose lies on its back
// still finds the person who stands.
TEST(FollowMarkers, TheFirstFrameIsFoundFromAnyTurn) {
  const OsimModel man = MakeMan();
  for (const double tilt : {0.0, 1.2, -1.2}) {
    for (int k = 0; k < 8; ++k) {
      VectorX q = Walk()[3];
      q[kTilt] = tilt;
      q[kTurn] = k * kPi / 4;
      const ModelMotion motion =
          Follow(man, Record(man, {q, q}), OsimTasks::Equal(man));
      EXPECT_LT(motion.rms, 1e-6) << tilt << " " << k;
      EXPECT_NEAR(RowOf(motion, 0)[kKnee], q[kKnee], 1e-5);
      // Of turns that are one the plain one: no body stands on its head.
      EXPECT_NEAR(RowOf(motion, 0)[kTilt], tilt, 1e-5) << k;
    }
  }
}

TEST(FollowMarkers, WhatCannotBeFollowedIsAnError) {
  OsimModel man = MakeMan();
  const Observations seen = Record(man, Walk());
  OsimTasks tasks = OsimTasks::Equal(man);
  tasks.is_default = false;
  tasks.markers.push_back({"nobody"});
  const Result<ModelMotion> lacking =
      FollowMarkers(man, tasks, Labels(man), seen, "take");
  ASSERT_TRUE(lacking.ok());
  EXPECT_THAT(lacking.diagnostics().ToString(), HasSubstr("nobody"));
  tasks.markers.resize(2);
  EXPECT_THAT(FollowMarkers(man, tasks, Labels(man), seen, "take")
                  .diagnostics()
                  .ToString(),
              HasSubstr("found 2"));
  man.unknown = {"joint \"knee\" of type EllipsoidJoint"};
  EXPECT_THAT(
      FollowMarkers(man, OsimTasks::Equal(man), Labels(man), seen, "take")
          .diagnostics()
          .ToString(),
      HasSubstr("EllipsoidJoint"));
  Observations nothing = seen;
  for (Vector3& point : nothing.points) point = Unseen();
  man.unknown.clear();
  EXPECT_EQ(Follow(man, nothing, OsimTasks::Equal(man)).num_empty, 40);
}

// Doubt begins between what scaled models leave (19 mm) and what unscaled ones
// do (37 mm).
TEST(JudgeModelMotion, AModelOfSomebodyElseIsDoubted) {
  ModelMotion motion;
  motion.weighted_rms = 0.0195;
  EXPECT_TRUE(JudgeModelMotion(motion).looks_right());
  motion.weighted_rms = 0.037;
  EXPECT_TRUE(JudgeModelMotion(motion).Has("model-off"));
}

}  // namespace
}  // namespace limber::mocap
