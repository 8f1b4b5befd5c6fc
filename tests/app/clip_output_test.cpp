// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Clips as GLB: every job writes them, alone or onto a character.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "figure/pose.h"
#include "mocap/io/bvh.h"
#include "mocap/io/gltf.h"
#include "mocap/io/npz.h"
#include "tests/app/program_test.h"

namespace limber::test {
namespace {

using testing::HasSubstr;
using Call = std::vector<std::string>;

struct Chunks {
  nlohmann::json json;
  std::string binary;
};
/// The two chunks of a GLB: 12 bytes of head, then length, kind and bytes each.
Chunks ChunksOf(const std::string& glb) {
  const auto length_at = [&glb](std::size_t at) {
    std::uint32_t length = 0;
    std::memcpy(&length, glb.data() + at, sizeof length);
    return std::size_t(length);
  };
  const std::size_t json = length_at(12);
  const std::size_t binary = length_at(20 + json);
  return {nlohmann::json::parse(glb.substr(20, json)),
          glb.substr(28 + json, binary)};
}

class ClipOutputTest : public ProgramTest {
 protected:
  mocap::CharacterClip Read(const std::string& name,
                            const std::string& animation = "") const {
    return mocap::ReadGltf(ReadWholeFile(In(name)).value(),
                           {.file = name, .animation = animation})
        .value();
  }
  /// The joints of x.npz are where those of x.bvh are.
  void ExpectNpzIsBvh() const {
    const figure::Motion bvh = mocap::ReadBvhFileGuessed(In("x.bvh")).value();
    const figure::Motion npz =
        mocap::ReadNpz(ReadWholeFile(In("x.npz")).value(), {}).value().motion;
    ASSERT_EQ(npz.num_frames(), bvh.num_frames());
    const std::int64_t last = npz.num_frames() - 1;
    const auto a = figure::WorldTransforms(npz.skeleton(), npz.pose(last));
    const auto b = figure::WorldTransforms(bvh.skeleton(), bvh.pose(last));
    for (int j = 0; j < npz.skeleton().num_joints(); ++j) {
      const int k = bvh.skeleton().Find(npz.skeleton().joint(j).name);
      ASSERT_GE(k, 0) << npz.skeleton().joint(j).name;
      EXPECT_LT((a[std::size_t(j)].p - b[std::size_t(k)].p).norm(), 1e-5);
    }
  }
  /// Runs the call with -o x.bvh, x.glb and x.npz: the joints are in the same
  /// places.
  void ExpectSameMotion(Call call) const {
    Call as_bvh = call;
    as_bvh.insert(as_bvh.end(), {"-o", In("x.bvh")});
    Call as_npz = call;
    as_npz.insert(as_npz.end(), {"-o", In("x.npz")});
    call.insert(call.end(), {"-o", In("x.GLB")});
    const Outcome bvh = RunLimber(as_bvh);
    ASSERT_EQ(RunLimber(as_npz).code, bvh.code);
    ExpectNpzIsBvh();
    const Outcome glb = RunLimber(call);
    ASSERT_EQ(glb.code, bvh.code) << glb.err;
    const figure::Motion expected =
        mocap::ReadBvhFileGuessed(In("x.bvh")).value();
    const figure::Motion found = Read("x.GLB").motion;
    ASSERT_EQ(found.num_frames(), expected.num_frames());
    ASSERT_EQ(found.skeleton().num_joints(), expected.skeleton().num_joints());
    for (const std::int64_t frame : {std::int64_t{0}, found.num_frames() / 2}) {
      const std::vector<Transform> a =
          figure::WorldTransforms(found.skeleton(), found.pose(frame));
      const std::vector<Transform> b =
          figure::WorldTransforms(expected.skeleton(), expected.pose(frame));
      for (int j = 0; j < found.skeleton().num_joints(); ++j) {
        const int k = expected.skeleton().Find(found.skeleton().joint(j).name);
        ASSERT_GE(k, 0) << found.skeleton().joint(j).name;
        EXPECT_LT((a[std::size_t(j)].p - b[std::size_t(k)].p).norm(), 1e-4)
            << call.front() << " " << found.skeleton().joint(j).name;
      }
    }
  }
};

TEST_F(ClipOutputTest, EveryJobWritesGlbAndNpz) {
  ExpectSameMotion({"solve", Bundled("takes/march.c3d")});
  ExpectSameMotion({"edit", Bundled("clips/march.bvh"), "--push",
                    "left-forearm@0.2s:5Ns:+x"});
  ExpectSameMotion(
      {"combine", Bundled("clips/walk.bvh"), Bundled("clips/march.bvh")});
  ExpectSameMotion(
      {"simulate", Bundled("scenes/umbrella.json"), "--duration", "0.2"});
  ExpectSameMotion({"retarget", Bundled("clips/march.bvh"), "--to", "fat_man"});
}

TEST_F(ClipOutputTest, ACharacterKeepsAllItHasAndGetsOneAnimationMore) {
  ASSERT_EQ(
      RunLimber({"convert", Bundled("clips/walk.bvh"), In("hero.glb")}).code,
      0);
  const Outcome outcome =
      RunLimber({"retarget", Bundled("clips/march.bvh"), "--to", In("hero.glb"),
                 "-o", In("hero_march.glb")});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const Chunks before = ChunksOf(ReadWholeFile(In("hero.glb")).value());
  const Chunks after = ChunksOf(ReadWholeFile(In("hero_march.glb")).value());
  for (const char* part : {"meshes", "skins", "nodes", "scenes"}) {
    EXPECT_EQ(after.json[part], before.json[part]) << part;
  }
  EXPECT_TRUE(after.binary.starts_with(before.binary));
  ASSERT_EQ(after.json["animations"].size(), 2);
  EXPECT_EQ(after.json["animations"][0], before.json["animations"][0]);
  EXPECT_EQ(after.json["animations"][1]["name"], "hero_march");

  // The character is edited as it is retargeted: its mesh stays.
  const Outcome edit =
      RunLimber({"edit", In("hero_march.glb"), "--animation", "hero_march",
                 "--push", "left-forearm@0.2s:5Ns:+x", "-o", In("e.glb")});
  EXPECT_EQ(edit.code, 0) << edit.err;
  const Chunks edited = ChunksOf(ReadWholeFile(In("e.glb")).value());
  EXPECT_EQ(edited.json["meshes"], before.json["meshes"]);
  EXPECT_EQ(edited.json["animations"].size(), 3);
}

TEST_F(ClipOutputTest, UsdIsWrittenAndNotRead) {
  ASSERT_EQ(RunLimber({"retarget", Bundled("clips/march.bvh"), "--to",
                       "fat_man", "-o", In("fat.usda")})
                .code,
            0);
  EXPECT_THAT(ReadWholeFile(In("fat.usda")).value(),
              HasSubstr("def SkelAnimation"));
  const Outcome info = RunLimber({"info", In("fat.usda")});
  EXPECT_EQ(info.code, 1);
  EXPECT_THAT(info.err, HasSubstr("USD files are written but not read"));
}

TEST_F(ClipOutputTest, OtherEndingsAreRefusedBeforeTheWork) {
  const std::string clip = Bundled("clips/march.bvh");
  const std::vector<Call> calls = {
      {"edit", clip, "--push", "left-forearm@0.2s:5Ns:+x", "-o", In("x.fbx")},
      {"combine", clip, clip, "-o", In("x.gltf")},
      {"simulate", Bundled("scenes/umbrella.json"), "-o", In("x.txt")},
      {"retarget", clip, "--to", "fat_man", "-o", In("x.usd")}};
  for (const Call& call : calls) {
    const Outcome outcome = RunLimber(call);
    EXPECT_EQ(outcome.code, 2) << call.front();
    EXPECT_THAT(outcome.err, HasSubstr(".bvh, .glb, .npz or .usda"))
        << call.front();
    EXPECT_LT(outcome.seconds, 1.0) << call.front();
  }
}

}  // namespace
}  // namespace limber::test
