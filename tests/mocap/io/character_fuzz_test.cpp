// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// 100 000 seeded mutations each of GLB, NPZ and FBX: no crash, no file that
// asks for more than 20 times its size and 64 MB, ten seconds at most.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "mocap/io/fbx.h"
#include "mocap/io/gltf.h"
#include "mocap/io/npz.h"
#include "tests/mocap/io/mutated.h"
#include "tests/mocap/io/npz_samples.h"
#include "tests/support/memory_meter.h"

namespace limber::mocap {
namespace {

constexpr int kMutations = 100'000;
constexpr std::size_t kSmallConstant = std::size_t{64} << 20;

/// Two joints that move, three frames.
figure::Motion SmallMotion() {
  figure::Motion motion(
      figure::Skeleton::Make(
          {{"a", -1, Vector3(0, 1, 0)}, {"b", 0, Vector3(0, 0.5, 0)}},
          {{"end", 1, Vector3(0, 0.2, 0)}}),
      30.0);
  for (int f = 0; f < 3; ++f) {
    figure::Pose pose = figure::RestPose(motion.skeleton());
    pose.X_PJ[1].R = ExpRotation(Vector3(0.1 * f, 0, 0));
    motion.Append(pose);
  }
  return motion;
}

/// Whether all joints of the last frame are somewhere.
bool IsFinite(const figure::Motion& motion) {
  if (motion.num_frames() == 0) return true;
  for (const double number : motion.row(motion.num_frames() - 1)) {
    if (!std::isfinite(number)) return false;
  }
  return true;
}

/// `make(i, random)` is the file, `read` says whether it was accepted.
template <typename Make, typename Read>
int Fuzz(int count, unsigned seed, Make make, Read read) {
  std::mt19937 random(seed);
  int opened = 0;
  for (int i = 0; i < count; ++i) {
    const std::string bytes = make(i, random);
    const auto begin = std::chrono::steady_clock::now();
    limber::test::PeakMemory meter;
    opened += read(bytes) ? 1 : 0;
    EXPECT_LE(meter.peak_bytes(), 20 * bytes.size() + kSmallConstant) << i;
    const std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - begin;
    EXPECT_LT(taken.count(), 10.0) << i;
    if (testing::Test::HasFailure()) break;
  }
  return opened;
}

TEST(CharacterFuzz, GlbSurvivesRandomMutations) {
  const std::string good = WriteGlb(SmallMotion(), {}).value();
  const int opened = Fuzz(
      kMutations, 20270,
      [&](int, std::mt19937& random) { return test::Mutated(good, random); },
      [](const std::string& bytes) {
        const Result<CharacterClip> clip = ReadGltf(bytes, {});
        EXPECT_TRUE(!clip.ok() || IsFinite(clip->motion));
        if (clip.ok()) (void)WriteGlbOnto(bytes, clip->motion, {}, {});
        return clip.ok();
      });
  EXPECT_GT(opened, kMutations / 50);
  EXPECT_LT(opened, kMutations);
}

// Every other file is an archive that was changed; in the others an array was,
// which the checksums would not let through.
TEST(CharacterFuzz, NpzSurvivesRandomMutations) {
  const std::vector<test::ZipEntry> arrays = test::SmallArrays();
  const std::string good = test::Zipped(arrays);
  const int opened = Fuzz(
      kMutations, 20271,
      [&](int i, std::mt19937& random) {
        if (i % 2 == 0) return test::Mutated(good, random);
        std::vector<test::ZipEntry> changed = arrays;
        test::ZipEntry& one = changed[random() % changed.size()];
        one.bytes = test::Mutated(one.bytes, random);
        return test::Zipped(changed);
      },
      [](const std::string& bytes) {
        const Result<NpzClip> clip = ReadNpz(bytes, {});
        EXPECT_TRUE(!clip.ok() || IsFinite(clip->motion));
        EXPECT_TRUE(!clip.ok() ||
                    ReadNpz(*WriteNpz(clip->motion, {}), {}).ok());
        return clip.ok();
      });
  EXPECT_GT(opened, kMutations / 50);
  EXPECT_LT(opened, kMutations);
}

// Each reading is a process of its own: in five parts, none of which takes
// long.
class FbxFuzz : public testing::TestWithParam<unsigned> {};

TEST_P(FbxFuzz, SurvivesRandomMutations) {
  const std::string good =
      "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n"
      "\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n"
      "GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n"
      "\t\tP: \"UpAxis\", \"int\", \"Integer\", \"\",1\n"
      "\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1\n"
      "\t}\n}\nObjects:  {\n"
      "\tModel: 1, \"Model::Low\", \"LimbNode\" {\n\t\tVersion: 232\n"
      "\t\tProperties70:  {\n\t\t\tP: \"Lcl Translation\", \"Lcl "
      "Translation\", \"\", \"A\",0,100,0\n\t\t}\n\t}\n"
      "\tModel: 2, \"Model::High\", \"LimbNode\" {\n\t\tVersion: 232\n"
      "\t\tProperties70:  {\n\t\t\tP: \"Lcl Translation\", \"Lcl "
      "Translation\", \"\", \"A\",0,50,0\n\t\t}\n\t}\n"
      "}\nConnections:  {\n\tC: \"OO\",1,0\n\tC: \"OO\",2,1\n}\n";
  ASSERT_TRUE(ReadFbx(good, {}).ok());
  const int count = kMutations / 5;
  const int opened = Fuzz(
      count, GetParam(),
      [&](int, std::mt19937& random) { return test::Mutated(good, random); },
      [](const std::string& bytes) {
        const Result<CharacterClip> clip = ReadFbx(bytes, {.file = "f.fbx"});
        EXPECT_TRUE(!clip.ok() || IsFinite(clip->motion));
        return clip.ok();
      });
  EXPECT_GT(opened, count / 50);
  EXPECT_LT(opened, count);
}

INSTANTIATE_TEST_SUITE_P(Parts, FbxFuzz,
                         testing::Values(20272u, 20273u, 20274u, 20275u,
                                         20276u));

}  // namespace
}  // namespace limber::mocap
