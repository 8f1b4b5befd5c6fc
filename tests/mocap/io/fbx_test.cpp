// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// FBX: a small text file with every trap, real files against the places that
// Blender's importer has, and damage.
#include "mocap/io/fbx.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.h"
#include "figure/pose.h"
#include "mocap/io/internal/apart.h"
#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

using ::testing::HasSubstr;

/// Two bones of a metre and a nub, a turn before their own (90 degrees about
/// Z, so that the bones of X stand), centimetres; the axes are filled in.
std::string SmallFbx(int up, int front, int front_sign, double unit) {
  const auto number = [](const char* name, const char* type, double value) {
    return std::string("\t\tP: \"") + name + "\", \"" + type +
           "\", \"\", \"\"," +
           std::to_string(value).substr(0, value == std::floor(value)
                                               ? std::to_string(value).find('.')
                                               : std::string::npos) +
           "\n";
  };
  const auto model = [](int id, const char* name, const char* parts) {
    return "\tModel: " + std::to_string(id) + ", \"Model::" + name +
           "\", \"LimbNode\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n" +
           parts + "\t\t}\n\t\tShading: Y\n\t\tCulling: \"CullingOff\"\n\t}\n";
  };
  return "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n"
         "\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n"
         "GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n" +
         number("UpAxis", "int", up) + number("UpAxisSign", "int", 1) +
         number("FrontAxis", "int", front) +
         number("FrontAxisSign", "int", front_sign) +
         number("CoordAxis", "int", 0) + number("CoordAxisSign", "int", 1) +
         number("UnitScaleFactor", "double", unit) + "\t}\n}\nObjects:  {\n" +
         model(1, "Low",
               "\t\t\tP: \"PreRotation\", \"Vector3D\", \"Vector\", "
               "\"\",0,0,90\n\t\t\tP: \"RotationActive\", \"bool\", \"\", "
               "\"\",1\n") +
         model(2, "High",
               "\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", "
               "\"A\",100,0,0\n") +
         model(3, "Nub",
               "\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", "
               "\"A\",50,0,0\n") +
         "}\nConnections:  {\n\tC: \"OO\",1,0\n\tC: \"OO\",2,1\n\tC: "
         "\"OO\",3,2\n}\n";
}

std::vector<Vector3> Places(const figure::Motion& motion) {
  std::vector<Vector3> places;
  for (const Transform& X :
       figure::WorldTransforms(motion.skeleton(), motion.pose(0))) {
    places.push_back(X.p);
  }
  return places;
}

TEST(Fbx, AxesUnitAndTurnsBeforeTheOwnAreObeyed) {
  const Result<CharacterClip> clip =
      ReadFbx(SmallFbx(1, 2, 1, 1.0), {.file = "small.fbx"});
  ASSERT_TRUE(clip.ok()) << clip.diagnostics().ToString();
  EXPECT_EQ(clip->animation, -1);
  const std::vector<Vector3> places = Places(clip->motion);
  ASSERT_EQ(places.size(), 3);
  EXPECT_LT((places[0] - Vector3(0, 0, 0)).norm(), 1e-6);
  EXPECT_LT((places[1] - Vector3(0, 1, 0)).norm(), 1e-6);
  EXPECT_LT((places[2] - Vector3(0, 1.5, 0)).norm(), 1e-6);
  // Z up: what stood along Y lies along -Z, and metres are a hundred of ours.
  const Result<CharacterClip> z_up =
      ReadFbx(SmallFbx(2, 1, -1, 100.0), {.file = "z.fbx"});
  ASSERT_TRUE(z_up.ok()) << z_up.diagnostics().ToString();
  EXPECT_LT((Places(z_up->motion)[1] - Vector3(0, 0, -100)).norm(), 1e-4);
  const Result<CharacterClip> told = ReadFbx(
      SmallFbx(1, 2, 1, 1.0), {.file = "s.fbx", .metres_per_unit = 0.001});
  EXPECT_LT((Places(told->motion)[1] - Vector3(0, 0.1, 0)).norm(), 1e-7);
}

TEST(Fbx, WhatIsNotReadSaysWhy) {
  const Result<CharacterClip> none = ReadFbx("nothing", {.file = "a.fbx"});
  EXPECT_FALSE(none.ok());
  EXPECT_THAT(none.diagnostics().ToString(), HasSubstr("a.fbx: error: "));
  std::string old = SmallFbx(1, 2, 1, 1.0);
  old.replace(old.find("7400"), 4, "6100");
  const Result<CharacterClip> before = ReadFbx(old, {.file = "o.fbx"});
  EXPECT_FALSE(before.ok());
  EXPECT_THAT(before.diagnostics().ToString(), HasSubstr("before 7.1"));
  const Result<CharacterClip> other =
      ReadFbx(SmallFbx(1, 2, 1, 1.0), {.file = "n.fbx", .animation = "walk"});
  EXPECT_EQ(other.diagnostics().CountOf("no-animation"), 1);
}

std::string Bytes32(std::uint32_t value) {
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// A binary file with one node that has this property.
std::string BinaryFbx(const std::string& property, std::uint32_t end) {
  std::string file("Kaydara FBX Binary  \0\x1a\0", 23);
  file += Bytes32(7400);
  if (end == 0) end = std::uint32_t(file.size() + 13 + 7 + property.size());
  file += Bytes32(end) + Bytes32(1) + Bytes32(std::uint32_t(property.size()));
  file += std::string("\x07") + "Objects" + property;
  return file + std::string(13, '\0');
}

// Nodes in a circle, counts beyond the file, what unpacks to gigabytes: each is
// refused, with the file and with the offset where there is one.
TEST(Fbx, CirclesBombsAndHugeCountsAreRefused) {
  std::string circle = SmallFbx(1, 2, 1, 1.0);
  const std::size_t at = circle.find("C: \"OO\",1,0");
  ASSERT_NE(at, std::string::npos);
  circle.replace(at, 11, "C: \"OO\",1,2");
  const Result<CharacterClip> round = ReadFbx(circle, {.file = "round.fbx"});
  EXPECT_FALSE(round.ok());
  EXPECT_THAT(round.diagnostics().ToString(), HasSubstr("round.fbx: error: "));

  const auto error_of = [](const std::string& bytes) {
    const Result<CharacterClip> clip = ReadFbx(bytes, {.file = "b.fbx"});
    EXPECT_FALSE(clip.ok());
    return clip.diagnostics().ToString();
  };
  // Four thousand million numbers, packed into eight bytes.
  const std::string bomb =
      "d" + Bytes32(0xFFFFFFFF) + Bytes32(1) + Bytes32(8) + std::string(8, 'x');
  EXPECT_THAT(error_of(BinaryFbx(bomb, 0)), HasSubstr("b.fbx: error: "));
  // A text that ends behind the file, and a node that does.
  const std::string text = "S" + Bytes32(0x7FFFFFFF) + "abc";
  EXPECT_THAT(error_of(BinaryFbx(text, 0)), HasSubstr("offset 0x"));
  EXPECT_THAT(error_of(BinaryFbx("Y" + std::string(2, '\0'), 0x7FFFFFFF)),
              HasSubstr("offset 0x"));
}

#if !defined(__SANITIZE_ADDRESS__)
// A text of short words takes some fifty times its size. The copy may have 20
// times the file and 64 MB: enough for one of 1 MB, not for one of 4 MB.
// (Sanitizers reserve more than any bound.)
TEST(Fbx, MemoryIsBoundedByTheFile) {
  const auto with_words = [](std::size_t count) {
    std::string words = "Other:  {\n\ta: 1";
    words.reserve(2 * count + 100);
    for (std::size_t i = 0; i < count; ++i) words += ",1";
    std::string file = SmallFbx(1, 2, 1, 1.0);
    return file.insert(file.find("Objects:"), words + "\n}\n");
  };
  const Result<CharacterClip> small =
      ReadFbx(with_words(500'000), {.file = "s.fbx"});
  EXPECT_TRUE(small.ok()) << small.diagnostics().ToString();
  const Result<CharacterClip> large =
      ReadFbx(with_words(2'000'000), {.file = "l.fbx"});
  EXPECT_FALSE(large.ok());
  EXPECT_THAT(
      large.diagnostics().ToString(),
      HasSubstr("l.fbx: error: the file cannot be read as FBX: it takes "
                "more memory than 20 times its size and 64 MB"));
}
#endif

// Every prefix and many changes: a clip or a message, and this process lives.
TEST(Fbx, DamageIsSurvived) {
  const std::string good = SmallFbx(1, 2, 1, 1.0);
  for (std::size_t size = 0; size < good.size(); size += 97) {
    ReadFbx(std::string_view(good).substr(0, size), {.file = "p.fbx"});
  }
  std::mt19937 random(1);
  for (int i = 0; i < 60; ++i) {
    std::string changed = good;
    changed[random() % changed.size()] = static_cast<char>(random());
    ReadFbx(changed, {.file = "c.fbx"});
  }
}

TEST(Apart, WhateverBecomesOfTheCopyThisProcessGoesOn) {
  using internal::RunApart;
  constexpr std::size_t kMemory = std::size_t{256} << 20;
  EXPECT_EQ(RunApart([] { return std::string(200000, 'x'); }, 5, kMemory).bytes,
            std::string(200000, 'x'));
  const auto thrown = RunApart(
      []() -> std::string { throw std::runtime_error("broken"); }, 5, kMemory);
  EXPECT_FALSE(thrown.is_done);
  EXPECT_EQ(thrown.why, "broken");
  const auto killed = RunApart(
      []() -> std::string {
        ::raise(SIGTERM);
        return "";
      },
      5, kMemory);
  EXPECT_FALSE(killed.is_done);
  EXPECT_THAT(killed.why, HasSubstr("Terminated"));
  const auto slow = RunApart(
      []() -> std::string {
        volatile double x = 0;
        for (;;) x = x + 1;
      },
      1, kMemory);
  EXPECT_FALSE(slow.is_done);
  EXPECT_THAT(slow.why, HasSubstr("longer than 1 s"));
}

/// Whether a process runs: it is there, and not only its grave.
bool Runs(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(in, text);
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.substr(name_end + 2, 1) != "Z";
}

TEST(Apart, TheCopyEndsWithThisProcess) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    internal::RunApart(
        [&ends]() -> std::string {
          const pid_t own = ::getpid();
          if (::write(ends[1], &own, sizeof own) < 0) return "";
          for (;;) ::pause();
        },
        5, std::size_t{256} << 20);
    ::_exit(0);
  }
  pid_t copy = 0;
  ASSERT_EQ(::read(ends[0], &copy, sizeof copy), ssize_t(sizeof copy));
  EXPECT_TRUE(Runs(copy));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  // The system needs a moment; without the bond the copy would stay for ever.
  for (int i = 0; i < 500 && Runs(copy); ++i) ::usleep(10000);
  EXPECT_FALSE(Runs(copy));
  ::kill(copy, SIGKILL);
  ::close(ends[0]);
  ::close(ends[1]);
}

/// Places that Blender 3.4 has after import, in our axes [m].
struct Seen {
  const char* file;
  const char* joint;
  int frame;
  Vector3 p_W;
};

TEST(Fbx, JointsOfRealFilesAreWhereBlenderHasThem) {
  LIMBER_NEEDS_REAL_DATA();
  const std::vector<Seen> all = {
      {"gltf-fbx/run.fbx", "Spine3", 0, {0.03634, 1.32037, 0.05262}},
      {"gltf-fbx/run.fbx", "Neck", 0, {0.04713, 1.42684, 0.11032}},
      {"rigs/fbx/maya_human_ik_7400_binary.fbx",
       "Character1_LeftLeg",
       0,
       {0.0891, 0.4885, 0.0}},
      {"rigs/fbx/maya_human_ik_7400_binary.fbx",
       "Character1_LeftToeBase",
       0,
       {0.0891, 0.0189, 0.1295}},
      {"rigs/fbx/maya_game_sausage_7500_binary_combined.fbx",
       "joint3",
       3,
       {0.00414, 0.02035, 0.0}},
  };
  for (const Seen& seen : all) {
    const Result<CharacterClip> clip = ReadFbx(
        ReadWholeFile(test::RealData(seen.file)).value(), {.file = seen.file});
    ASSERT_TRUE(clip.ok()) << clip.diagnostics().ToString();
    const figure::Motion& motion = clip->motion;
    const int joint = motion.skeleton().Find(seen.joint);
    ASSERT_GE(joint, 0) << seen.joint;
    const Vector3 p =
        figure::WorldTransforms(motion.skeleton(),
                                motion.pose(seen.frame))[std::size_t(joint)]
            .p;
    EXPECT_LT((p - seen.p_W).norm(), 1e-4)
        << seen.file << " " << seen.joint << ": " << p.transpose();
  }
}

}  // namespace
}  // namespace limber::mocap
