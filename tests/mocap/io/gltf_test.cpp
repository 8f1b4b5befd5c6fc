// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/gltf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/angle.h"
#include "core/file.h"
#include "mocap/io/bvh.h"
#include "mocap/io/internal/base64.h"
#include "mocap/io/internal/bone_mesh.h"
#include "mocap/io/internal/glb_builder.h"
#include "mocap/io/internal/gltf_document.h"
#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

using testing::HasSubstr;

figure::Motion BundledClip(const char* name) {
  Result<figure::Motion> motion =
      ReadBvhFile(test::BundledData(name),
                  {.metres_per_unit = 0.01, .up = figure::UpAxis::kY});
  return std::move(motion).value();
}

/// Largest differences of joints of two motions on alike skeletons.
struct Difference {
  double angle = 0.0;     // [rad]
  double distance = 0.0;  // [m]
};

Difference Compare(const figure::Motion& a, const figure::Motion& b) {
  Difference largest;
  EXPECT_EQ(a.num_frames(), b.num_frames());
  for (std::int64_t t = 0; t < std::min(a.num_frames(), b.num_frames()); ++t) {
    const auto X_a = figure::WorldTransforms(a.skeleton(), a.pose(t));
    const auto X_b = figure::WorldTransforms(b.skeleton(), b.pose(t));
    for (std::size_t j = 0; j < X_a.size(); ++j) {
      largest.angle = std::max(largest.angle, AngleBetween(X_a[j].R, X_b[j].R));
      largest.distance =
          std::max(largest.distance, (X_a[j].p - X_b[j].p).norm());
    }
  }
  return largest;
}

/// The joints of `motion` in the order of those of `like`, by name.
figure::Motion Reordered(const figure::Motion& motion,
                         const figure::Skeleton& like) {
  figure::Motion out(figure::Skeleton::Make(like.joints(), like.sites()),
                     motion.rate_hz());
  std::vector<int> from;
  for (const figure::Joint& joint : like.joints()) {
    from.push_back(motion.skeleton().Find(joint.name));
    EXPECT_GE(from.back(), 0) << joint.name;
  }
  for (std::int64_t t = 0; t < motion.num_frames(); ++t) {
    const figure::Pose pose = motion.pose(t);
    figure::Pose moved;
    for (const int j : from) moved.X_PJ.push_back(pose.X_PJ[std::size_t(j)]);
    out.Append(moved);
  }
  return out;
}

std::string Written(const figure::Motion& motion) {
  Result<std::string> bytes = WriteGlb(motion, {});
  EXPECT_TRUE(bytes.ok()) << bytes.diagnostics().ToString();
  return std::move(bytes).value();
}

TEST(Gltf, AClipComesBackToAThousandthOfADegree) {
  for (const char* name : {"clips/walk.bvh", "clips/march.bvh"}) {
    const figure::Motion clip = BundledClip(name);
    const Result<CharacterClip> back = ReadGltf(Written(clip), {});
    ASSERT_TRUE(back.ok()) << back.diagnostics().ToString();
    EXPECT_TRUE(back.diagnostics().all().empty());
    EXPECT_EQ(back->motion.rate_hz(), clip.rate_hz());
    EXPECT_EQ(back->motion.skeleton().num_joints(),
              clip.skeleton().num_joints());
    EXPECT_EQ(back->motion.skeleton().sites().size(),
              clip.skeleton().sites().size());
    const Difference found =
        Compare(Reordered(back->motion, clip.skeleton()), clip);
    EXPECT_LT(found.angle, 0.001 * kRadiansPerDegree);
    EXPECT_LT(found.distance, 1e-5);
  }
}

TEST(Gltf, ACharacterGetsOneAnimationMoreAndKeepsItsBytes) {
  const figure::Motion walk = BundledClip("clips/walk.bvh");
  const std::string character = Written(walk);
  const Result<CharacterClip> rig = ReadGltf(character, {});
  ASSERT_TRUE(rig.ok());
  // Another motion on the character's skeleton: the clip backwards.
  figure::Motion other(rig->motion.shared_skeleton(), 60.0);
  for (std::int64_t t = 99; t >= 0; --t) other.Append(rig->motion.pose(t));
  const Result<std::string> bytes =
      WriteGlbOnto(character, other, {}, {.name = "back"});
  ASSERT_TRUE(bytes.ok()) << bytes.diagnostics().ToString();
  const Result<CharacterClip> back = ReadGltf(*bytes, {.animation = "back"});
  ASSERT_TRUE(back.ok()) << back.diagnostics().ToString();
  EXPECT_THAT(back->animations, testing::ElementsAre("limber", "back"));
  EXPECT_EQ(back->animation, 1);
  EXPECT_EQ(back->motion.rate_hz(), 60.0);
  const Difference found = Compare(back->motion, other);
  EXPECT_LT(found.angle, 0.001 * kRadiansPerDegree);
  EXPECT_LT(found.distance, 1e-5);
  // The old animation is what it was, and so is every byte of the buffer.
  const Result<CharacterClip> old = ReadGltf(*bytes, {.animation = "0"});
  ASSERT_TRUE(old.ok());
  EXPECT_LT(Compare(old->motion, rig->motion).angle, 1e-12);
  const auto before = internal::ParseGltf(character, "", false, "");
  const auto after = internal::ParseGltf(*bytes, "", false, "");
  EXPECT_TRUE(after->buffers[0].starts_with(before->buffers[0]));
  EXPECT_EQ(after->json["meshes"], before->json["meshes"]);
}

// After ten minutes a float is a time within 0.03 ms: the key is still that of
// the frame, and not a mixture with the one before.
TEST(Gltf, FramesOfALongClipAreItsKeys) {
  figure::Motion clip(figure::Skeleton::Make({{"a", -1, Vector3(0, 1, 0)},
                                              {"b", 0, Vector3(0, 0.5, 0)}}),
                      120.0);
  figure::Pose pose = figure::RestPose(clip.skeleton());
  for (int f = 0; f < 100'000; ++f) {
    pose.X_PJ[1].R = ExpRotation(Vector3(f % 2 == 0 ? 0.5 : -0.5, 0, 0));
    clip.Append(pose);
  }
  const Result<CharacterClip> back = ReadGltf(Written(clip), {});
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->motion.rate_hz(), 120.0);
  ASSERT_EQ(back->motion.num_frames(), clip.num_frames());
  double worst = 0.0;
  for (std::int64_t f = 0; f < clip.num_frames(); ++f) {
    worst = std::max(worst, AngleBetween(back->motion.pose(f).X_PJ[1].R,
                                         clip.pose(f).X_PJ[1].R));
  }
  EXPECT_LT(worst, 0.001 * kRadiansPerDegree);
}

// Joints that hang directly on each other are read without their places in the
// world; a node that is no joint in between takes the long way. Both are the
// same motion.
// A root on the floor stays behind when the body walks away from it.
TEST(Gltf, TheBodyOfAPersonBeginsAtThePelvis) {
  const figure::Motion walk = BundledClip("clips/walk.bvh");
  std::vector<figure::Joint> joints = {{"Root", -1, Vector3::Zero()},
                                       {"Handle", 0, Vector3(0, 0, 1)}};
  for (figure::Joint joint : walk.skeleton().joints()) {
    joint.parent = joint.parent < 0 ? 0 : joint.parent + 2;
    joints.push_back(joint);
  }
  const auto rig = figure::Skeleton::Make(joints, {});
  const internal::BoneMesh mesh = internal::MakeBoneMesh(*rig);
  EXPECT_EQ(std::ranges::count(mesh.joints, 0), 0);
  EXPECT_EQ(std::ranges::count(mesh.joints, 1), 0);
  for (int j = 2; j < rig->num_joints(); ++j) {
    EXPECT_GT(std::ranges::count(mesh.joints, j), 0) << rig->joint(j).name;
  }
  // What is no person is seen whole.
  const auto chain = figure::Skeleton::Make(
      {{"a", -1, Vector3::Zero()}, {"b", 0, Vector3(0, 1, 0)}}, {});
  EXPECT_GT(std::ranges::count(internal::MakeBoneMesh(*chain).joints, 0), 0);
}

TEST(Gltf, TheShortWayIsTheLongWay) {
  figure::Motion walk = BundledClip("clips/walk.bvh");
  // A turned and moved root and an offset that changes.
  figure::Motion clip(walk.shared_skeleton(), 60.0);
  for (std::int64_t t = 0; t < 60; ++t) {
    figure::Pose pose = walk.pose(t);
    pose.X_PJ[2].p += Vector3(0, 0.001 * double(t), 0);
    clip.Append(pose);
  }
  const std::string direct = Written(clip);
  Result<internal::GltfDocument> parsed =
      internal::ParseGltf(direct, "", false, "");
  internal::GltfDocument document = std::move(parsed).value();
  nlohmann::ordered_json& nodes = document.json["nodes"];
  const nlohmann::ordered_json children = nodes[0]["children"];
  nodes[0]["children"] = {nodes.size()};
  nodes.push_back({{"name", "between"}, {"children", children}});
  const std::string around = internal::GlbBuilder(std::move(document)).Finish();
  const Result<CharacterClip> a = ReadGltf(direct, {});
  const Result<CharacterClip> b = ReadGltf(around, {});
  ASSERT_TRUE(a.ok() && b.ok()) << b.diagnostics().ToString();
  ASSERT_EQ(b->motion.skeleton().num_joints(), clip.skeleton().num_joints());
  const Difference found = Compare(Reordered(a->motion, clip.skeleton()),
                                   Reordered(b->motion, clip.skeleton()));
  EXPECT_LT(found.angle, 1e-7);
  EXPECT_LT(found.distance, 1e-9);
  EXPECT_LT(Compare(Reordered(a->motion, clip.skeleton()), clip).distance,
            1e-5);
}

TEST(Gltf, AMotionOfAnotherSkeletonIsRefused) {
  const std::string character = Written(BundledClip("clips/walk.bvh"));
  const Result<std::string> bytes =
      WriteGlbOnto(character, BundledClip("clips/march.bvh"), {}, {});
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.diagnostics().all()[0].kind, "other-skeleton");
}

/// A .gltf with one buffer of floats and these parts of JSON.
std::string MakeGltf(nlohmann::ordered_json json,
                     const std::vector<float>& floats) {
  std::string bytes(4 * floats.size(), '\0');
  std::memcpy(bytes.data(), floats.data(), bytes.size());
  json["asset"]["version"] = "2.0";
  json["buffers"] = nlohmann::ordered_json::array(
      {{{"byteLength", bytes.size()},
        {"uri", "data:application/octet-stream;base64," +
                    internal::EncodeBase64(bytes)}}});
  return json.dump();
}

nlohmann::ordered_json View(std::size_t first, std::size_t count) {
  return {{"buffer", 0}, {"byteOffset", 4 * first}, {"byteLength", 4 * count}};
}

nlohmann::ordered_json Accessor(int view, std::size_t count, const char* type) {
  return {{"bufferView", view},
          {"componentType", 5126},
          {"count", count},
          {"type", type}};
}

/// Two nodes, the lower one animated by `keys` of `path` at 0 and 1 s.
std::string TwoNodes(const char* path, const char* interpolation,
                     const std::vector<float>& keys, const char* type,
                     std::size_t elements) {
  std::vector<float> floats = {0.0f, 1.0f};
  floats.insert(floats.end(), keys.begin(), keys.end());
  nlohmann::ordered_json json;
  const double half = std::sqrt(0.5);
  json["nodes"] = {{{"name", "up"},
                    {"rotation", {0.0, 0.0, half, half}},
                    {"scale", {2.0, 2.0, 2.0}},
                    {"translation", {0.0, 1.0, 0.0}},
                    {"children", {1}}},
                   {{"name", "low"}, {"translation", {3.0, 0.0, 0.0}}}};
  json["bufferViews"] = {View(0, 2), View(2, keys.size())};
  json["accessors"] = {Accessor(0, 2, "SCALAR"), Accessor(1, elements, type)};
  json["animations"] = nlohmann::ordered_json::array(
      {{{"channels",
         nlohmann::ordered_json::array(
             {{{"sampler", 0}, {"target", {{"node", 1}, {"path", path}}}}})},
        {"samplers", nlohmann::ordered_json::array(
                         {{{"input", 0},
                           {"output", 1},
                           {"interpolation", interpolation}}})}}});
  return MakeGltf(std::move(json), floats);
}

Vector3 LowAt(const CharacterClip& clip, std::int64_t frame) {
  return figure::WorldTransforms(clip.motion.skeleton(),
                                 clip.motion.pose(frame))[1]
      .p;
}

TEST(Gltf, TurnsAndScalesOfNodesPlaceTheJointsBelow) {
  // Turned by 90 degrees about Z and twice as large: (x, 0, 0) is at
  // (0, 1 + 2 x, 0).
  const Result<CharacterClip> clip =
      ReadGltf(TwoNodes("translation", "LINEAR", {3, 0, 0, 5, 0, 0}, "VEC3", 2),
               {.rate_hz = 10.0});
  ASSERT_TRUE(clip.ok()) << clip.diagnostics().ToString();
  EXPECT_EQ(clip->motion.num_frames(), 11);
  EXPECT_LT((LowAt(*clip, 0) - Vector3(0, 7, 0)).norm(), 1e-6);
  EXPECT_LT((LowAt(*clip, 5) - Vector3(0, 9, 0)).norm(), 1e-6);
  EXPECT_LT((LowAt(*clip, 10) - Vector3(0, 11, 0)).norm(), 1e-6);
  // At rest frames are parallel to the world, wherever the nodes look.
  EXPECT_LT((clip->motion.skeleton().joint(1).offset - Vector3(0, 6, 0)).norm(),
            1e-6);
}

TEST(Gltf, StepsAndCubicSplinesAreWhatTheFormatSays) {
  const Result<CharacterClip> step =
      ReadGltf(TwoNodes("translation", "STEP", {3, 0, 0, 5, 0, 0}, "VEC3", 2),
               {.rate_hz = 10.0});
  ASSERT_TRUE(step.ok());
  EXPECT_LT((LowAt(*step, 9) - Vector3(0, 7, 0)).norm(), 1e-6);
  EXPECT_LT((LowAt(*step, 10) - Vector3(0, 11, 0)).norm(), 1e-6);
  // Tangents 0 at the first key and 4 at the last: with u = 1/2 the place is
  // (3 + 5)/2 - 4/8 = 3.5.
  const Result<CharacterClip> cubic =
      ReadGltf(TwoNodes("translation", "CUBICSPLINE",
                        {0, 0, 0, 3, 0, 0, 0, 0, 0, 4, 0, 0, 5, 0, 0, 0, 0, 0},
                        "VEC3", 6),
               {.rate_hz = 10.0});
  ASSERT_TRUE(cubic.ok()) << cubic.diagnostics().ToString();
  EXPECT_LT((LowAt(*cubic, 5) - Vector3(0, 1 + 2 * 3.5, 0)).norm(), 1e-6);
}

TEST(Gltf, AChangingScaleIsSaid) {
  const Result<CharacterClip> clip =
      ReadGltf(TwoNodes("scale", "LINEAR", {1, 1, 1, 2, 2, 2}, "VEC3", 2), {});
  ASSERT_TRUE(clip.ok());
  EXPECT_EQ(clip->motion.rate_hz(), 30.0);
  EXPECT_EQ(clip.diagnostics().CountOf("scale-dropped"), 1);
}

std::string ErrorOf(const nlohmann::ordered_json& json) {
  const Result<CharacterClip> clip = ReadGltf(json.dump(), {.file = "a.gltf"});
  return clip.ok() ? "no error" : clip.diagnostics().ToString();
}

TEST(Gltf, WhatIsWrongIsNamedWithItsPlace) {
  const nlohmann::ordered_json good = nlohmann::ordered_json::parse(
      TwoNodes("translation", "LINEAR", {3, 0, 0, 5, 0, 0}, "VEC3", 2));
  EXPECT_EQ(ErrorOf(good), "no error");
  nlohmann::ordered_json bad = good;
  bad["nodes"][1]["children"] = {0};
  EXPECT_THAT(ErrorOf(bad), HasSubstr("their own ancestors"));
  bad["nodes"][1]["children"] = {1};
  EXPECT_THAT(ErrorOf(bad), HasSubstr("nodes/1/children/0"));
  bad["nodes"][1]["children"] = {2};
  EXPECT_THAT(ErrorOf(bad), HasSubstr("one of 2 nodes, found 2"));
  bad = good;
  bad["accessors"][1]["count"] = 3;
  EXPECT_THAT(ErrorOf(bad), HasSubstr("accessors/1: 3 elements do not fit"));
  bad["accessors"][1]["count"] = std::uint64_t{1} << 39;
  EXPECT_THAT(ErrorOf(bad), HasSubstr("do not fit"));
  bad = good;
  bad["accessors"][0]["bufferView"] = 1;
  EXPECT_THAT(ErrorOf(bad), HasSubstr("rising times"));
  bad = good;
  bad["animations"][0]["channels"][0]["target"]["path"] = "place";
  EXPECT_THAT(ErrorOf(bad), HasSubstr("found \"place\""));
  bad = good;
  bad["buffers"][0]["uri"] = "../../etc/secret.bin";
  EXPECT_THAT(ErrorOf(bad), HasSubstr("a file beside this one"));
  bad = good;
  bad["asset"]["version"] = "1.0";
  EXPECT_THAT(ErrorOf(bad), HasSubstr("expected glTF version 2"));
  bad = good;
  bad["nodes"][0]["translation"] = {1e300, 0, 0};
  EXPECT_THAT(ErrorOf(bad), HasSubstr("nowhere"));
}

TEST(Gltf, ASmallFileCannotAskForAnEndlessClip) {
  std::string text =
      TwoNodes("translation", "LINEAR", {3, 0, 0, 5, 0, 0}, "VEC3", 2);
  const Result<CharacterClip> clip = ReadGltf(text, {.rate_hz = 1e9});
  ASSERT_FALSE(clip.ok());
  EXPECT_EQ(clip.diagnostics().all()[0].kind, "too-long");
}

TEST(Gltf, SurvivesEveryPrefixAndEveryChangedByte) {
  figure::Motion clip = BundledClip("clips/march.bvh");
  // A chain of two joints, few frames: small enough to damage everywhere.
  figure::Motion small(figure::Skeleton::Make({{"a", -1, Vector3(0, 1, 0)},
                                               {"b", 0, Vector3(0, 0.5, 0)}}),
                       30.0);
  for (int t = 0; t < 3; ++t) {
    figure::Pose pose = figure::RestPose(small.skeleton());
    pose.X_PJ[1].R = ExpRotation(Vector3(0.1 * t, 0, 0));
    small.Append(pose);
  }
  const std::string good = Written(small);
  int refused = 0;
  for (std::size_t n = 0; n < good.size(); n += n < 4000 ? 1 : 97) {
    refused += ReadGltf(std::string_view(good).substr(0, n), {}).ok() ? 0 : 1;
  }
  EXPECT_GT(refused, 100);
  for (std::size_t i = 0; i < good.size(); i += i < 4000 ? 1 : 13) {
    for (const char c : {'\0', '9', '\xFF', '"'}) {
      std::string bad = good;
      bad[i] = c;
      const Result<CharacterClip> read = ReadGltf(bad, {});
      if (!read.ok()) continue;
      // What is read is finite.
      const figure::Motion& motion = read->motion;
      for (const double number : motion.row(motion.num_frames() - 1)) {
        ASSERT_TRUE(std::isfinite(number));
      }
      (void)WriteGlbOnto(bad, motion, {}, {});
    }
  }
}

TEST(Gltf, ABufferViewThatIsNoneDoesNotEndTheWriter) {
  for (const char* view : {"{\"buffer\": [0]}", "7", "{\"byteOffset\": \"\"}",
                           "{\"buffer\": -1}"}) {
    const std::string character =
        std::string(R"({"asset": {"version": "2.0"}, "scene": 0,
      "scenes": [{"nodes": [0]}], "nodes": [{"name": "a", "children": [1]},
      {"name": "b", "translation": [0, 0.5, 0]}],
      "skins": [{"joints": [0, 1]}], "buffers": [{"byteLength": 3, "uri":
      "data:application/octet-stream;base64,AAAA"}], "bufferViews": [)") +
        view + "]}";
    const Result<CharacterClip> read = ReadGltf(character, {});
    ASSERT_TRUE(read.ok()) << view << read.diagnostics().ToString();
    EXPECT_TRUE(WriteGlbOnto(character, read->motion, {}, {}).ok()) << view;
  }
}

TEST(Gltf, Base64ComesBack) {
  for (const std::string text : {"", "a", "ab", "abc", "abcd"}) {
    EXPECT_EQ(internal::DecodeBase64(internal::EncodeBase64(text)), text);
  }
  EXPECT_EQ(internal::EncodeBase64("Man"), "TWFu");
  EXPECT_EQ(internal::EncodeBase64("Ma"), "TWE=");
  EXPECT_FALSE(internal::DecodeBase64("a b").has_value());
}

}  // namespace
}  // namespace limber::mocap
