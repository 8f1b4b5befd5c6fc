// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// NPZ files through the program: poses of a body model, with whose bones.
#include <string>
#include <vector>

#include "core/file.h"
#include "mocap/io/bvh.h"
#include "tests/app/program_test.h"
#include "tests/mocap/io/npz_samples.h"

namespace limber::test {
namespace {

using mocap::test::BytesOf;
using mocap::test::Npy;
using nlohmann::json;
using testing::HasSubstr;

class NpzProgramTest : public ProgramTest {
 protected:
  /// 24 joints that stand along +Z with the pelvis at 0.9 m, four frames.
  std::string WritePoses() const {
    std::vector<float> poses(4 * 72, 0.0f);
    std::vector<double> trans;
    for (std::size_t f = 0; f < 4; ++f) {
      poses[72 * f] = float(kPi / 2);
      trans.insert(trans.end(), {0.0, 0.1 * double(f), 0.9});
    }
    Write("poses.npz",
          {{"poses.npy", Npy("<f4", "(4, 72)", BytesOf(poses))},
           {"trans.npy", Npy("<f8", "(4, 3)", BytesOf(trans))},
           {"mocap_framerate.npy", Npy("<f8", "()", BytesOf<double>({60}))}});
    return In("poses.npz");
  }
  void Write(const std::string& name,
             const std::vector<mocap::test::ZipEntry>& entries) const {
    EXPECT_FALSE(
        WriteWholeFile(In(name), mocap::test::Zipped(entries)).has_errors());
  }
};

TEST_F(NpzProgramTest, InfoSaysWhatPosesLeaveOpen) {
  const Outcome info = RunLimber({"info", "--json", WritePoses()});
  ASSERT_EQ(info.code, 0) << info.err;
  const json said = json::parse(info.out);
  EXPECT_EQ(said["format"], "NPZ");
  EXPECT_EQ(said["joints"], 24);
  EXPECT_EQ(said["rate_hz"], 60.0);
  EXPECT_EQ(said["up_axis"], "+Z");
  EXPECT_THAT(info.out, HasSubstr("SMPL"));
  EXPECT_THAT(info.out, HasSubstr("Limber's figure, 1.68 m"));
  EXPECT_THAT(info.out, HasSubstr("--offsets names some"));
}

TEST_F(NpzProgramTest, PosesAreASourceForOtherFigures) {
  const Outcome fat = RunLimber(
      {"retarget", WritePoses(), "--to", "fat_man", "-o", In("fat.bvh")});
  EXPECT_TRUE(fat.code == 0 || fat.code == 3) << fat.err;
  EXPECT_EQ(mocap::ReadBvhFileGuessed(In("fat.bvh"))->num_frames(), 4);
}

TEST_F(NpzProgramTest, BonesMayBeAFilesOwnOrAnothers) {
  const std::string poses = WritePoses();
  std::vector<double> places(72, 0.0);
  for (std::size_t j = 0; j < 24; ++j) places[3 * j + 1] = 0.1 * double(j);
  Write("model.npz", {{"J.npy", Npy("<f8", "(24, 3)", BytesOf(places))}});
  const Outcome model =
      RunLimber({"convert", poses, In("a.bvh"), "--offsets", In("model.npz")});
  ASSERT_EQ(model.code, 0) << model.err;
  const figure::Motion bones =
      mocap::ReadBvhFile(In("a.bvh"), {1.0, figure::UpAxis::kZ}).value();
  EXPECT_NEAR(
      bones.skeleton().joint(bones.skeleton().Find("left_knee")).offset.norm(),
      0.3, 1e-6);
  // A clip with the model's names: here the one made of our own figure.
  ASSERT_EQ(RunLimber({"convert", poses, In("own.bvh")}).code, 0);
  const Outcome clip =
      RunLimber({"convert", poses, In("b.bvh"), "--offsets", In("own.bvh")});
  EXPECT_EQ(clip.code, 0) << clip.err;
  // One without them, and a file that has its own.
  const Outcome other = RunLimber(
      {"convert", poses, In("c.bvh"), "--offsets", Bundled("clips/walk.bvh")});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("no joint \"pelvis\""));
  const Outcome needless = RunLimber(
      {"convert", Bundled("clips/walk.bvh"), In("d.npz"), "--offsets", poses});
  EXPECT_EQ(needless.code, 2);
  EXPECT_THAT(needless.err, HasSubstr("only poses in an NPZ need bones"));
}

TEST_F(NpzProgramTest, UnitAndAxesAreNotAskedOfWhatHasThem) {
  const Outcome unit = RunLimber(
      {"convert", Bundled("clips/walk.bvh"), In("w.npz"), "--to-unit", "cm"});
  EXPECT_EQ(unit.code, 2);
  EXPECT_THAT(unit.err, HasSubstr("NPZ: it is in metres, and +Y is up"));
  ASSERT_EQ(RunLimber({"convert", Bundled("clips/walk.bvh"), In("w.npz")}).code,
            0);
  const Outcome asf =
      RunLimber({"info", In("w.npz"), "--asf", Bundled("clips/chain.asf")});
  EXPECT_EQ(asf.code, 2);
}

}  // namespace
}  // namespace limber::test
