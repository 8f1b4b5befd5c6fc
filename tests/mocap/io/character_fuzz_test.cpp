// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// 100 000 seeded mutations each of GLB, NPZ and FBX: no crash, no file that
// asks for more than 20 times its size and 64 MB, ten seconds at most.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "mocap/io/fbx.h"
#include "mocap/io/gltf.h"
#include "mocap/io/internal/apart.h"
#include "mocap/io/internal/fbx_clip.h"
#include "mocap/io/internal/fbx_scene.h"
#include "mocap/io/npz.h"
#include "tests/mocap/io/mutated.h"
#include "tests/mocap/io/npz_samples.h"
#include "tests/support/memory_meter.h"

namespace limber::mocap {
namespace {

constexpr int kMutations = 100'000;
constexpr std::size_t kSmallConstant = std::size_t{64} << 20;
/// FBX files that one process reads, and its processor time [s].
constexpr int kFilesOfCopy = 250;
constexpr int kSecondsOfCopy = 60;

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

/// Many files read by one copy of this process, as bytes for
/// `ClipOfPackedFbx`. Where the copy does not come back, halves are tried, so
/// that what breaks it stands alone; such a file has no bytes. A copy for each
/// file would take most of its time for being made.
std::vector<std::string> ReadTogether(const std::vector<std::string>& files,
                                      std::size_t begin, std::size_t end) {
  const internal::ApartResult read = internal::RunApart(
      [&] {
        std::string all;
        for (std::size_t i = begin; i < end; ++i) {
          const std::string packed = internal::ReadAndPackFbx(files[i]);
          const std::uint64_t size = packed.size();
          all.append(reinterpret_cast<const char*>(&size), sizeof size);
          all += packed;
        }
        return all;
      },
      kSecondsOfCopy, kSmallConstant * 8);
  std::vector<std::string> packed;
  if (!read.is_done && end - begin > 1) {
    const std::size_t middle = begin + (end - begin) / 2;
    packed = ReadTogether(files, begin, middle);
    for (std::string& one : ReadTogether(files, middle, end)) {
      packed.push_back(std::move(one));
    }
    return packed;
  }
  if (!read.is_done) {
    // Signals and exceptions are Assimp's; a sanitizer ends the copy without
    // either, and has something to say of our own part.
    EXPECT_NE(read.why, "it gave no answer");
    return {""};
  }
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= read.bytes.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, read.bytes.data() + at, sizeof size);
    packed.push_back(read.bytes.substr(at + sizeof size, size));
    at += sizeof size + size;
  }
  return packed;
}

// In five parts, none of which takes long.
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
  std::mt19937 random(GetParam());
  int opened = 0;
  int broken = 0;
  for (int done = 0; done < count; done += kFilesOfCopy) {
    std::vector<std::string> files;
    for (int i = 0; i < std::min(kFilesOfCopy, count - done); ++i) {
      files.push_back(test::Mutated(good, random));
    }
    const std::vector<std::string> packed =
        ReadTogether(files, 0, files.size());
    ASSERT_EQ(packed.size(), files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (packed[i].empty()) {
        // The copy broke; the reader says so and goes on.
        ++broken;
        EXPECT_FALSE(ReadFbx(files[i], {.file = "f.fbx"}).ok());
        continue;
      }
      limber::test::PeakMemory meter;
      const Result<CharacterClip> clip = internal::ClipOfPackedFbx(
          packed[i], files[i].size(), {.file = "f.fbx"});
      EXPECT_LE(meter.peak_bytes(), 20 * files[i].size() + kSmallConstant);
      EXPECT_TRUE(!clip.ok() || IsFinite(clip->motion));
      opened += clip.ok() ? 1 : 0;
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(opened, count / 50);
  EXPECT_LT(opened, count);
  std::printf("%d files read, %d refused, %d broke the copy\n", opened,
              count - opened - broken, broken);
}

INSTANTIATE_TEST_SUITE_P(Parts, FbxFuzz,
                         testing::Values(20272u, 20273u, 20274u, 20275u,
                                         20276u));

}  // namespace
}  // namespace limber::mocap
