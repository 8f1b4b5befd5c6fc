// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/asf_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

void ExpectSame(const AsfSkeleton& a, const AsfSkeleton& b) {
  ASSERT_EQ(a.skeleton->num_joints(), b.skeleton->num_joints());
  for (int j = 0; j < a.skeleton->num_joints(); ++j) {
    EXPECT_EQ(a.skeleton->joint(j).name, b.skeleton->joint(j).name);
    EXPECT_EQ(a.skeleton->joint(j).parent, b.skeleton->joint(j).parent);
    EXPECT_LT(
        (a.skeleton->joint(j).offset - b.skeleton->joint(j).offset).norm(),
        1e-14);
    EXPECT_LT((a.channels->R_FA()[j].toRotationMatrix() -
               b.channels->R_FA()[j].toRotationMatrix())
                  .norm(),
              1e-12);
  }
  ASSERT_EQ(a.skeleton->sites().size(), b.skeleton->sites().size());
  for (std::size_t i = 0; i < a.skeleton->sites().size(); ++i) {
    EXPECT_LT(
        (a.skeleton->sites()[i].offset - b.skeleton->sites()[i].offset).norm(),
        1e-14);
  }
  EXPECT_EQ(a.channels->channels(), b.channels->channels());
  ASSERT_EQ(a.limits.size(), b.limits.size());
  for (std::size_t i = 0; i < a.limits.size(); ++i) {
    const auto same = [](double x, double y) {
      return x == y || std::abs(x - y) < 1e-12;
    };
    EXPECT_TRUE(same(a.limits[i].low, b.limits[i].low)) << i;
    EXPECT_TRUE(same(a.limits[i].high, b.limits[i].high)) << i;
  }
  EXPECT_NEAR(a.metres_per_unit, b.metres_per_unit, 1e-17);
  EXPECT_LT((a.root_position - b.root_position).norm(), 1e-14);
}

TEST(WriteAsf, TurnedAxesLimitsAndUnitsComeBack) {
  const AsfSkeleton asf = ReadAsf(R"(:version 1.10
:name Test man
:units
  mass 1.0
  length 0.45
  angle deg
:root
  order TX TY TZ RZ RX RY
  axis XYZ
  position 1 2 3
  orientation 5 -10 20
:bonedata
  begin
    id 1 name hip direction 1 0 0 length 2 axis 0 0 0 XYZ
  end
  begin
    id 2 name shin direction 0.6 -0.8 0 length 5 axis 10 20 30 XYZ
    dof rz rx
    limits (-10.0 170.0)
           (-inf 20)
  end
  begin
    id 3 name foot direction 0 0 1 length 3 axis 40 90 -20 XYZ
    dof ry
  end
:hierarchy
  begin
    root hip
    hip shin
    shin foot
  end
)")
                              .value();
  const auto again = ReadAsf(WriteAsf(asf));
  ASSERT_EQ(again.diagnostics().ToString(), "");
  ExpectSame(asf, *again);
}

TEST(WriteAsf, RealSkeletonsComeBack) {
  LIMBER_NEEDS_REAL_DATA();
  for (const char* file : {"cmu/07/07.asf", "cmu/09/09.asf"}) {
    const AsfSkeleton asf = ReadAsfFile(test::RealData(file)).value();
    const auto again = ReadAsf(WriteAsf(asf));
    ASSERT_EQ(again.diagnostics().ToString(), "") << file;
    ExpectSame(asf, *again);
  }
}

/// A pelvis with two legs and a spine that begins elsewhere, a chest with arms
/// that do not begin at its end, and names that a file cannot hold.
std::shared_ptr<const figure::Skeleton> BranchedSkeleton() {
  return figure::Skeleton::Make({{"Hips", -1, {0, 1, 0}},
                                 {"left leg", 0, {0.1, -0.05, 0}},
                                 {"shin", 1, {0, -0.4, 0.01}},
                                 {"right leg", 0, {-0.1, -0.05, 0}},
                                 {"shin", 3, {0, -0.4, 0.01}},
                                 {"spine", 0, {0, 0, 0}},
                                 {"neck", 5, {0, 0.5, 0}},
                                 {"arm", 5, {0.2, 0.4, 0}}},
                                {{"", 2, {0, -0.4, 0}}, {"", 6, {0, 0.2, 0}}});
}

TEST(MakeAsf, AnyMotionIsTheSameAfterItsFiles) {
  const auto skeleton = BranchedSkeleton();
  figure::Motion motion(skeleton, 120.0);
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  figure::Pose pose = figure::RestPose(*skeleton);
  for (int t = 0; t < 20; ++t) {
    for (Transform& X_PJ : pose.X_PJ) {
      X_PJ.R =
          ExpRotation(Vector3(normal(random), normal(random), normal(random)));
    }
    pose.X_PJ[0].p = Vector3(normal(random), normal(random), normal(random));
    motion.Append(pose);
  }
  const AsfSkeleton asf = ReadAsf(WriteAsf(MakeAsf(*skeleton))).value();
  const auto text = WriteAmc(OnAsf(motion), asf);
  ASSERT_EQ(text.diagnostics().ToString(), "");
  const figure::Motion read = ReadAmc(*text, asf, {.rate_hz = 120.0}).value();
  ASSERT_EQ(read.num_frames(), 20);
  const std::vector<std::string> names = {"root",      "left_leg", "shin",
                                          "right_leg", "shin_2",   "spine",
                                          "neck",      "arm"};
  for (std::int64_t t = 0; t < 20; ++t) {
    const auto before = figure::WorldTransforms(*skeleton, motion.pose(t));
    const auto after = figure::WorldTransforms(read.skeleton(), read.pose(t));
    for (std::size_t j = 0; j < names.size(); ++j) {
      const int at = read.skeleton().Find(names[j]);
      ASSERT_GE(at, 0) << names[j];
      EXPECT_LT((after[at].p - before[j].p).norm(), 1e-8) << names[j];
      EXPECT_LT(AngleBetween(after[at].R, before[j].R), 1e-8) << names[j];
    }
  }
}

TEST(MakeAsf, SecondRootThrows) {
  EXPECT_THROW(MakeAsf(*figure::Skeleton::Make(
                   {{"a", -1, {0, 0, 0}}, {"b", -1, {1, 0, 0}}})),
               std::invalid_argument);
}

}  // namespace
}  // namespace limber::mocap
