// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/usd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "core/angle.h"
#include "mocap/io/bvh.h"
#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

using testing::HasSubstr;
using testing::Not;

figure::Motion Walk() {
  return ReadBvhFile(limber::test::BundledData("clips/walk.bvh"),
                     {.metres_per_unit = 0.01, .up = figure::UpAxis::kY})
      .value();
}

std::string Written(const figure::Motion& motion) {
  const Result<std::string> text = WriteUsda(motion, {.file = "o.usda"});
  EXPECT_TRUE(text.ok()) << text.diagnostics().ToString();
  return *text;
}

/// What stands behind `label`, up to the end of the line.
std::string After(const std::string& text, const std::string& label) {
  const std::size_t at = text.find(label);
  EXPECT_NE(at, std::string::npos) << label;
  if (at == std::string::npos) return {};
  const std::size_t begin = at + label.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// All numbers of a line.
std::vector<double> Numbers(const std::string& line) {
  std::vector<double> numbers;
  const char* at = line.c_str();
  while (*at != '\0') {
    char* end = nullptr;
    const double number = std::strtod(at, &end);
    if (end == at) {
      ++at;
      continue;
    }
    numbers.push_back(number);
    at = end;
  }
  return numbers;
}

std::int64_t Count(const std::string& text, const std::string& part) {
  std::int64_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

TEST(Usd, StageSaysMetresUpAndRate) {
  const figure::Motion walk = Walk();
  const std::string text = Written(walk);
  EXPECT_TRUE(text.starts_with("#usda 1.0\n"));
  EXPECT_EQ(After(text, "metersPerUnit = "), "1");
  EXPECT_EQ(After(text, "upAxis = "), "\"Y\"");
  EXPECT_EQ(After(text, "defaultPrim = "), "\"Limber\"");
  EXPECT_EQ(std::stod(After(text, "timeCodesPerSecond = ")), walk.rate_hz());
  EXPECT_EQ(After(text, "endTimeCode = "),
            std::to_string(walk.num_frames() - 1));
  for (const auto& [open, close] :
       std::vector<std::pair<const char*, const char*>>{
           {"(", ")"}, {"[", "]"}, {"{", "}"}}) {
    EXPECT_EQ(Count(text, open), Count(text, close)) << open;
  }
}

// The samples put together again are the joints of the clip.
TEST(Usd, SamplesAreTheMotion) {
  const figure::Motion walk = Walk();
  const std::string text = Written(walk);
  const auto joints = std::size_t(walk.skeleton().num_joints());
  EXPECT_EQ(Count(After(text, "uniform token[] joints = "), "\""),
            std::int64_t(2 * joints));
  const std::string rotations =
      text.substr(text.find("quatf[] rotations.timeSamples"));
  const std::string places =
      text.substr(text.find("float3[] translations.timeSamples"));
  for (std::int64_t f = 0; f < walk.num_frames(); ++f) {
    const std::string label = "            " + std::to_string(f) + ": ";
    const std::vector<double> q = Numbers(After(rotations, label));
    const std::vector<double> p = Numbers(After(places, label));
    ASSERT_EQ(q.size(), 4 * joints);
    ASSERT_EQ(p.size(), 3 * joints);
    figure::Pose pose;
    for (std::size_t j = 0; j < joints; ++j) {
      pose.X_PJ.push_back(
          {Quaternion(q[4 * j], q[4 * j + 1], q[4 * j + 2], q[4 * j + 3])
               .normalized(),
           Vector3(p[3 * j], p[3 * j + 1], p[3 * j + 2])});
    }
    const auto X_usd = figure::WorldTransforms(walk.skeleton(), pose);
    const auto X_own = figure::WorldTransforms(walk.skeleton(), walk.pose(f));
    for (std::size_t j = 0; j < joints; ++j) {
      ASSERT_LT((X_usd[j].p - X_own[j].p).norm(), 1e-5) << f << " " << j;
      ASSERT_LT(AngleBetween(X_usd[j].R, X_own[j].R),
                0.001 * kRadiansPerDegree);
    }
  }
}

TEST(Usd, BindPoseIsTheWorldAndRestPoseTheParent) {
  figure::Motion motion(figure::Skeleton::Make({{"a", -1, Vector3(0, 1, 0)},
                                                {"b", 0, Vector3(0, 0.5, 0)},
                                                {"c", 1, Vector3(0.25, 0, 0)}}),
                        30.0);
  motion.Append(figure::RestPose(motion.skeleton()));
  const std::string text = Written(motion);
  // Rows times columns: the last row of each matrix is the place.
  const std::vector<double> bind = Numbers(After(text, "bindTransforms = "));
  const std::vector<double> rest = Numbers(After(text, "restTransforms = "));
  ASSERT_EQ(bind.size(), 48u);
  EXPECT_EQ(std::vector<double>(bind.begin() + 44, bind.end()),
            (std::vector<double>{0.25, 1.5, 0, 1}));
  EXPECT_EQ(std::vector<double>(rest.begin() + 44, rest.end()),
            (std::vector<double>{0.25, 0, 0, 1}));
}

TEST(Usd, NamesAreMadePathsAndKept) {
  const figure::Motion motion(
      figure::Skeleton::Make({{"mixamorig:Hips", -1, Vector3::Zero()},
                              {"1\"\\\xC3\xA4", 0, Vector3::UnitY()},
                              {"leg", 0, Vector3::UnitX()},
                              {"leg", 0, -Vector3::UnitX()},
                              {"", 0, Vector3::UnitZ()}}),
      30.0);
  const std::string text = Written(motion);
  EXPECT_EQ(After(text, "uniform token[] joints = "),
            "[\"mixamorig_Hips\", \"mixamorig_Hips/_1____\", "
            "\"mixamorig_Hips/leg\", \"mixamorig_Hips/leg_2\", "
            "\"mixamorig_Hips/joint\"]");
  EXPECT_EQ(After(text, "jointNames = "),
            "[\"mixamorig:Hips\", \"1\\\"\\\\\xC3\xA4\", \"leg\", \"leg\", "
            "\"\"]");
  // Without frames there is a skeleton and nothing that moves it.
  EXPECT_THAT(text, Not(HasSubstr("SkelAnimation")));
  EXPECT_THAT(text, Not(HasSubstr("animationSource")));
}

TEST(Usd, WhatCannotBeWrittenIsNamed) {
  const auto skeleton = figure::Skeleton::Make({{"a", -1, Vector3::Zero()}});
  const Result<std::string> slow =
      WriteUsda(figure::Motion(skeleton, 0.5), {.file = "o.usda"});
  ASSERT_FALSE(slow.ok());
  EXPECT_EQ(slow.diagnostics().all()[0].kind, "rate");
  figure::Motion far(skeleton, 30.0);
  for (const double x : {3e8, 3e9}) {
    far.Append({{{Quaternion::Identity(), Vector3(x, 0, 0)}}});
    EXPECT_EQ(WriteUsda(far, {}).ok(), x < 1e9);
  }
  EXPECT_THAT(WriteUsda(far, {}).diagnostics().ToString(),
              HasSubstr("the joint \"a\" is farther away than 1e9 m"));
}

}  // namespace
}  // namespace limber::mocap
