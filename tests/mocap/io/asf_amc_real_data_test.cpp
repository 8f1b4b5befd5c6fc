// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// What the ASF and AMC files of the real recordings must give, and that they
// agree with the BVH files of the same trials.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/file.h"
#include "mocap/io/asf_amc.h"
#include "mocap/io/bvh.h"
#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

struct TrialCase {
  const char* asf;
  const char* amc;
  const char* bvh;
  int frames;
};

const std::vector<TrialCase> kTrials = {
    {"cmu/07/07.asf", "cmu/07/07_01.amc", "cmu/07/07_01.bvh", 316},
    {"cmu/09/09.asf", "cmu/09/09_06.amc", "cmu/09/09_06.bvh", 141},
    {"cmu/131/131.asf", "cmu/131/131_04.amc", "cmu/131/131_04.bvh", 1086},
};

std::string TestName(const testing::TestParamInfo<TrialCase>& info) {
  return "Trial" + std::filesystem::path(info.param.amc).stem().string();
}

class RealAmc : public testing::TestWithParam<TrialCase> {};

TEST_P(RealAmc, IsReadWithoutWarnings) {
  LIMBER_NEEDS_REAL_DATA();
  const auto asf = ReadAsfFile(test::RealData(GetParam().asf));
  ASSERT_EQ(asf.diagnostics().ToString(), "");
  EXPECT_EQ(asf->skeleton->num_joints(), 31);
  // Toes, head, fingers and thumbs end in the open.
  EXPECT_EQ(asf->skeleton->sites().size(), 7u);
  EXPECT_EQ(asf->channels->num_channels(), 62);
  EXPECT_EQ(asf->limits.size(), 62u);
  EXPECT_DOUBLE_EQ(asf->metres_per_unit, 0.0254 / 0.45);
  const auto motion =
      ReadAmcFile(test::RealData(GetParam().amc), *asf, {.rate_hz = 120.0});
  ASSERT_EQ(motion.diagnostics().ToString(), "");
  EXPECT_EQ(motion->num_frames(), GetParam().frames);
}

// The file's bones without the lines that start a frame or hold no values.
std::vector<std::pair<std::string, std::vector<double>>> Bones(
    const std::string& text) {
  std::vector<std::pair<std::string, std::vector<double>>> bones;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.empty() || !std::isalpha(static_cast<unsigned char>(line[0]))) {
      continue;
    }
    const std::size_t blank = line.find(' ');
    bones.push_back({line.substr(0, blank), {}});
    const char* p = line.c_str() + blank;
    char* next = nullptr;
    for (double value = std::strtod(p, &next); next != p;
         value = std::strtod(p, &next)) {
      bones.back().second.push_back(value);
      p = next;
    }
  }
  return bones;
}

TEST_P(RealAmc, RoundTripKeepsBonesOrderAndValues) {
  LIMBER_NEEDS_REAL_DATA();
  const auto asf = ReadAsfFile(test::RealData(GetParam().asf));
  const auto text = ReadWholeFile(test::RealData(GetParam().amc));
  const auto motion = ReadAmc(*text, *asf, {.rate_hz = 120.0});
  const auto written = WriteAmc(*motion, *asf);
  ASSERT_EQ(written.diagnostics().ToString(), "");
  const auto before = Bones(*text);
  const auto after = Bones(*written);
  ASSERT_EQ(before.size(), 29u * static_cast<std::size_t>(GetParam().frames));
  ASSERT_EQ(after.size(), before.size());
  double change = 0.0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(after[i].first, before[i].first);
    ASSERT_EQ(after[i].second.size(), before[i].second.size());
    for (std::size_t k = 0; k < before[i].second.size(); ++k) {
      change =
          std::max(change, std::abs(after[i].second[k] - before[i].second[k]));
    }
  }
  EXPECT_LE(change, 1e-6);
  EXPECT_EQ(*WriteAmc(*ReadAmc(*written, *asf, {.rate_hz = 120.0}), *asf),
            *written);
}

// Frame k of the AMC is frame k + 1 of the BVH file, whose frame 0 is an added
// T-pose. The BVH files lose the thorax bone, so legs and spine are compared.
TEST_P(RealAmc, ForwardKinematicsAgreeWithTheBvhFile) {
  LIMBER_NEEDS_REAL_DATA();
  const auto asf = ReadAsfFile(test::RealData(GetParam().asf));
  const auto amc =
      ReadAmcFile(test::RealData(GetParam().amc), *asf, {.rate_hz = 120.0});
  const auto bvh = ReadBvhFile(test::RealData(GetParam().bvh),
                               {asf->metres_per_unit, figure::UpAxis::kY});
  const std::vector<std::pair<const char*, const char*>> pairs = {
      {"root", "Hips"},           {"lhipjoint", "LHipJoint"},
      {"lfemur", "LeftUpLeg"},    {"ltibia", "LeftLeg"},
      {"lfoot", "LeftFoot"},      {"ltoes", "LeftToeBase"},
      {"rhipjoint", "RHipJoint"}, {"rfemur", "RightUpLeg"},
      {"rtibia", "RightLeg"},     {"rfoot", "RightFoot"},
      {"rtoes", "RightToeBase"},  {"lowerback", "LowerBack"},
      {"upperback", "Spine"},     {"thorax", "Spine1"}};
  ASSERT_EQ(amc->num_frames() + 1, bvh->num_frames());
  double worst = 0.0;
  for (std::int64_t frame = 0; frame < amc->num_frames(); ++frame) {
    const auto X_amc =
        figure::WorldTransforms(amc->skeleton(), amc->pose(frame));
    const auto X_bvh =
        figure::WorldTransforms(bvh->skeleton(), bvh->pose(frame + 1));
    for (const auto& [bone, joint] : pairs) {
      const int a = amc->skeleton().Find(bone);
      const int b = bvh->skeleton().Find(joint);
      ASSERT_GE(a, 0) << bone;
      ASSERT_GE(b, 0) << joint;
      worst = std::max(worst, (X_amc[a].p - X_bvh[b].p).norm());
    }
  }
  EXPECT_LT(worst / asf->metres_per_unit, 1e-4);
}

// AMC to BVH: the poses survive the change of channels and axes.
TEST_P(RealAmc, WrittenAsBvhKeepsEveryJointPosition) {
  LIMBER_NEEDS_REAL_DATA();
  const auto asf = ReadAsfFile(test::RealData(GetParam().asf));
  const auto amc =
      ReadAmcFile(test::RealData(GetParam().amc), *asf, {.rate_hz = 120.0});
  const auto written = WriteBvh(*amc);
  ASSERT_EQ(written.diagnostics().ToString(), "");
  const auto bvh =
      ReadBvh(*written, {asf->metres_per_unit, figure::UpAxis::kY});
  double worst = 0.0;
  for (std::int64_t frame = 0; frame < amc->num_frames(); ++frame) {
    const auto X_amc =
        figure::WorldTransforms(amc->skeleton(), amc->pose(frame));
    const auto X_bvh =
        figure::WorldTransforms(bvh->skeleton(), bvh->pose(frame));
    for (std::size_t i = 0; i < X_amc.size(); ++i) {
      worst = std::max(worst, (X_amc[i].p - X_bvh[i].p).norm());
    }
  }
  // Ten offsets of six decimals in a chain.
  EXPECT_LT(worst / asf->metres_per_unit, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Files, RealAmc, testing::ValuesIn(kTrials), TestName);

TEST(RealAmc, EveryFileHasAnExpectation) {
  LIMBER_NEEDS_REAL_DATA();
  std::vector<std::string> known;
  for (const TrialCase& trial : kTrials) {
    known.push_back(trial.asf);
    known.push_back(trial.amc);
  }
  const std::filesystem::path root = test::RealData("");
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(root)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".asf" && extension != ".amc") continue;
    const std::string relative =
        entry.path().lexically_relative(root).generic_string();
    EXPECT_NE(std::find(known.begin(), known.end(), relative), known.end())
        << relative;
  }
}

}  // namespace
}  // namespace limber::mocap
