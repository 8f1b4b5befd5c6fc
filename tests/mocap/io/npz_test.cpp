// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/angle.h"
#include "core/file.h"
#include "figure/joint_names.h"
#include "mocap/io/bvh.h"
#include "tests/mocap/io/npz_samples.h"
#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

using test::BytesOf;
using test::HeaderText;
using test::Npy;
using test::RawNpy;
using test::SmallArrays;
using test::With;
using test::Without;
using test::Zipped;
using testing::HasSubstr;

/// Everything that a file is to keep, within a thousandth of a degree and a
/// hundredth of a millimetre.
void ExpectSame(const figure::Motion& a, const figure::Motion& b) {
  ASSERT_EQ(a.skeleton().num_joints(), b.skeleton().num_joints());
  EXPECT_EQ(a.rate_hz(), b.rate_hz());
  ASSERT_EQ(a.num_frames(), b.num_frames());
  for (int j = 0; j < a.skeleton().num_joints(); ++j) {
    EXPECT_EQ(a.skeleton().joint(j).name, b.skeleton().joint(j).name);
    EXPECT_EQ(a.skeleton().joint(j).parent, b.skeleton().joint(j).parent);
    EXPECT_LT(
        (a.skeleton().joint(j).offset - b.skeleton().joint(j).offset).norm(),
        1e-5);
  }
  ASSERT_EQ(a.skeleton().sites().size(), b.skeleton().sites().size());
  for (std::size_t s = 0; s < a.skeleton().sites().size(); ++s) {
    EXPECT_EQ(a.skeleton().sites()[s].name, b.skeleton().sites()[s].name);
    EXPECT_EQ(a.skeleton().sites()[s].joint, b.skeleton().sites()[s].joint);
    EXPECT_LT((a.skeleton().sites()[s].offset - b.skeleton().sites()[s].offset)
                  .norm(),
              1e-5);
  }
  for (std::int64_t f = 0; f < a.num_frames(); ++f) {
    const auto X_a = figure::WorldTransforms(a.skeleton(), a.pose(f));
    const auto X_b = figure::WorldTransforms(b.skeleton(), b.pose(f));
    for (std::size_t j = 0; j < X_a.size(); ++j) {
      ASSERT_LT(AngleBetween(X_a[j].R, X_b[j].R), 0.001 * kRadiansPerDegree)
          << f << j;
      ASSERT_LT((X_a[j].p - X_b[j].p).norm(), 1e-5) << f << " " << j;
    }
  }
}

figure::Motion Read(const std::string& bytes,
                    const NpzReadOptions& options = {}) {
  Result<NpzClip> clip = ReadNpz(bytes, options);
  EXPECT_TRUE(clip.ok()) << clip.diagnostics().ToString();
  EXPECT_EQ(clip.diagnostics().ToString(), "");
  return std::move(clip).value().motion;
}

TEST(Npz, EveryBundledClipComesBackThroughBvh) {
  int clips = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           limber::test::BundledData("clips"))) {
    if (entry.path().extension() != ".bvh") continue;
    SCOPED_TRACE(entry.path().string());
    const Result<figure::Motion> clip = ReadBvhFileGuessed(entry.path());
    ASSERT_TRUE(clip.ok());
    const Result<std::string> npz = WriteNpz(*clip, {});
    ASSERT_TRUE(npz.ok()) << npz.diagnostics().ToString();
    const figure::Motion back = Read(*npz);
    ExpectSame(*clip, back);
    const Result<std::string> text = WriteBvh(back);
    ASSERT_TRUE(text.ok());
    const Result<figure::Motion> again =
        ReadBvh(*text, {.metres_per_unit = 1.0, .up = figure::UpAxis::kY});
    ASSERT_TRUE(again.ok());
    ExpectSame(*clip, *again);
    ++clips;
  }
  EXPECT_GT(clips, 5);
}

TEST(Npz, RandomSkeletonsComeBack) {
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    const figure::Motion motion = test::RandomMotion(random);
    const Result<std::string> npz = WriteNpz(motion, {});
    ASSERT_TRUE(npz.ok());
    EXPECT_EQ(*WriteNpz(motion, {}), *npz);
    // Turns of 3 rad in all directions are no motion of a person.
    const Result<NpzClip> back = ReadNpz(*npz, {});
    ASSERT_TRUE(back.ok()) << back.diagnostics().ToString();
    for (const Diagnostic& finding : back.diagnostics().all()) {
      EXPECT_EQ(finding.kind, "quaternion-order");
    }
    ExpectSame(motion, back->motion);
  }
}

TEST(Npz, TypesOrdersAndVersionsOfNumpyAreAlike) {
  const figure::Motion plain = Read(Zipped(SmallArrays()));
  const std::vector<float> root_f4 = {0, 1, 0, 0, 1.1f, 0, 0, 1.2f, 0};
  const std::vector<double> root_f8(root_f4.begin(), root_f4.end());
  // The same three rows, column after column.
  const std::vector<double> columns = {0, 0, 0, 1, 1.1f, 1.2f, 0, 0, 0};
  const std::vector<std::string> all = {
      Npy("<f4", "(3, 3)", BytesOf(root_f4)),
      Npy(">f4", "(3, 3)", BytesOf(root_f4, true)),
      Npy(">f8", "(3, 3)", BytesOf(root_f8, true)),
      RawNpy(HeaderText("<f8", "(3, 3)"), BytesOf(root_f8), 2),
      RawNpy(HeaderText("<f8", "(3, 3)"), BytesOf(root_f8), 3),
      RawNpy(HeaderText("<f8", "(3L, 3L)"), BytesOf(root_f8)),
      RawNpy(HeaderText("<f8", "(3, 3)", "True"), BytesOf(columns)),
      RawNpy("{\"shape\": (3, 3), \"descr\": \"<f8\", \"fortran_order\": "
             "False}",
             BytesOf(root_f8))};
  for (const std::string& root : all) {
    const figure::Motion other =
        Read(Zipped(With(SmallArrays(), {"root.npy", root})));
    ASSERT_EQ(other.num_frames(), 3);
    for (std::int64_t f = 0; f < 3; ++f) {
      EXPECT_LT((other.pose(f).X_PJ[0].p - plain.pose(f).X_PJ[0].p).norm(),
                1e-6);
    }
  }
  // 1.5 and -2 as halves; whole numbers of every size.
  EXPECT_EQ(Read(Zipped(With(SmallArrays(),
                             {"offsets.npy",
                              Npy("<f2", "(2, 3)",
                                  BytesOf<std::uint16_t>(
                                      {0, 0x3C00, 0, 0, 0x3E00, 0xC000}))})))
                .skeleton()
                .joint(1)
                .offset,
            Vector3(0, 1.5, -2));
  for (const auto& [type, bytes] :
       std::vector<std::pair<std::string, std::string>>{
           {"|i1", std::string("\xFF\x00", 2)},
           {">i2", std::string("\xFF\xFF\x00\x00", 4)},
           {"<i4", BytesOf<std::int32_t>({-1, 0})}}) {
    EXPECT_EQ(Read(Zipped(With(SmallArrays(),
                               {"parents.npy", Npy(type, "(2,)", bytes)})))
                  .skeleton()
                  .joint(1)
                  .parent,
              0);
  }
}

TEST(Npz, HeadersAndNamesMayBeLong) {
  const std::vector<double> root(9, 1.0);
  const std::string header =
      HeaderText("<f8", "(3, 3)") + std::string(5000, ' ');
  EXPECT_EQ(Read(Zipped(With(SmallArrays(),
                             {"root.npy", RawNpy(header, BytesOf(root))})))
                .num_frames(),
            3);
  figure::Motion motion(
      figure::Skeleton::Make({{std::string(500, 'x'), -1, Vector3::Zero()}}),
      30.0);
  EXPECT_EQ(Read(*WriteNpz(motion, {})).skeleton().joint(0).name,
            std::string(500, 'x'));
}

TEST(Npz, NamesAreUnicode) {
  const std::vector<std::uint32_t> letters = {'H', 0xFC, 0, 'C', 0x1F600, 0};
  for (const bool big : {false, true}) {
    const figure::Motion motion = Read(Zipped(
        With(SmallArrays(), {"joint_names.npy", Npy(big ? ">U3" : "<U3", "(2,)",
                                                    BytesOf(letters, big))})));
    EXPECT_EQ(motion.skeleton().joint(0).name, "H\xC3\xBC");
    EXPECT_EQ(motion.skeleton().joint(1).name, "C\xF0\x9F\x98\x80");
  }
}

TEST(Npz, UnitAndUpAxisAreObeyed) {
  const figure::Motion motion =
      Read(Zipped(SmallArrays()),
           {.metres_per_unit = 0.01, .up = figure::UpAxis::kX});
  // X up: (x, y, z) becomes (y, x, -z).
  EXPECT_LT((motion.skeleton().joint(1).offset - Vector3(0.005, 0, 0)).norm(),
            1e-12);
  EXPECT_LT((motion.pose(2).X_PJ[0].p - Vector3(0.012, 0, 0)).norm(), 1e-12);
  // A turn about the file's x is one about our y.
  EXPECT_LT(
      AngleBetween(motion.pose(2).X_PJ[1].R, ExpRotation(Vector3(0, 0.2, 0))),
      1e-9);
  EXPECT_EQ(Read(Zipped(SmallArrays()), {.rate_hz = 50.0}).rate_hz(), 50.0);
}

std::string ErrorOf(const std::vector<test::ZipEntry>& entries) {
  const Result<NpzClip> clip = ReadNpz(Zipped(entries), {.file = "a.npz"});
  return clip.ok() ? "no error" : clip.diagnostics().ToString();
}

TEST(Npz, WhatIsWrongIsNamedWithItsPlace) {
  const auto with = [](const char* name, const std::string& npy) {
    return ErrorOf(With(SmallArrays(), {name, npy}));
  };
  EXPECT_EQ(ErrorOf(SmallArrays()), "no error");
  EXPECT_THAT(ErrorOf(Without(SmallArrays(), "root.npy")),
              HasSubstr("a.npz: error: expected the member root.npy"));
  EXPECT_THAT(ErrorOf(Without(SmallArrays(), "joint_names.npy")),
              HasSubstr("expected the member joint_names.npy"));
  EXPECT_THAT(ErrorOf(Without(SmallArrays(), "rate.npy")),
              HasSubstr("--rate says them"));
  EXPECT_THAT(ErrorOf(Without(SmallArrays(), "rotations.npy")),
              HasSubstr("found joint_names.npy, offsets.npy, parents.npy"));
  EXPECT_THAT(with("root.npy", "not numpy at all"),
              HasSubstr("root.npy: byte 0: expected \\x93NUMPY, found \"not "));
  EXPECT_THAT(with("root.npy", RawNpy("{}", "", 4)),
              HasSubstr("root.npy: byte 6: expected version 1, 2 or 3, found "
                        "4"));
  EXPECT_THAT(with("root.npy", RawNpy(std::string(20000, ' '), "", 2)),
              HasSubstr("byte 8: expected a header of at most 10000 bytes"));
  EXPECT_THAT(with("root.npy", RawNpy("{'descr': 7}", "")),
              HasSubstr("byte 10 of the header: expected a word in quotation "
                        "marks, found \"7}\""));
  EXPECT_THAT(with("root.npy", Npy("<c8", "(3, 3)", std::string(72, '\0'))),
              HasSubstr("not \"<c8\""));
  EXPECT_THAT(with("root.npy", Npy("<f8", "(3, 4)", std::string(72, '\0'))),
              HasSubstr("root.npy: the shape (3, 4) of float64 does not fit "
                        "the 72 bytes that are there"));
  EXPECT_THAT(with("root.npy", Npy("<f8", "(2, 3)", std::string(48, '\0'))),
              HasSubstr("root.npy: expected the shape (3, 3), found (2, 3)"));
  EXPECT_THAT(with("root.npy", Npy("|O", "(3, 3)", "a pickle")),
              HasSubstr("root.npy: expected numbers, found object (a pickle"));
  EXPECT_THAT(with("joint_names.npy", Npy("<f8", "(1,)", BytesOf<double>({1}))),
              HasSubstr("joint_names.npy: expected texts, found float64"));
  EXPECT_THAT(
      with("parents.npy", Npy("<i8", "(2,)", BytesOf<std::int64_t>({-1, 1}))),
      HasSubstr("found joint 1 below joint 1"));
  EXPECT_THAT(
      with("parents.npy", Npy("<i8", "(2,)", BytesOf<std::int64_t>({-1, 7}))),
      HasSubstr("from -1 to 1, found 7.000000 at 1"));
  EXPECT_THAT(
      with("root.npy", Npy("<f8", "(3, 3)",
                           BytesOf<double>({0, 0, 0, 0, 0, NAN, 0, 0, 0}))),
      HasSubstr("root.npy: row 1, number 2: expected a number up to "
                "1e9, found nan"));
  EXPECT_THAT(
      with("rotations.npy", Npy("<f8", "(3, 2, 4)", std::string(192, '\0'))),
      HasSubstr("frame 0, joint 0 (\"Hips\"): expected a quaternion"));
  EXPECT_THAT(with("rate.npy", Npy("<f8", "()", BytesOf<double>({0}))),
              HasSubstr("rate.npy: expected one positive number, found 0.0"));
}

TEST(Npz, DoubtsAreWarnings) {
  const auto warning = [](const char* name, const std::string& npy) {
    const Result<NpzClip> clip =
        ReadNpz(Zipped(With(SmallArrays(), {name, npy})), {});
    EXPECT_TRUE(clip.ok()) << clip.diagnostics().ToString();
    return clip.diagnostics().all().empty()
               ? std::string()
               : clip.diagnostics().all().front().kind;
  };
  const auto rotations = [](double a, double b) {
    return Npy("<f8", "(3, 2, 4)",
               BytesOf<double>({a, 0, 0, b, a, 0, 0, b, a, 0, 0, b,
                                a, 0, 0, b, a, 0, 0, b, a, 0, 0, b}));
  };
  EXPECT_EQ(warning("rotations.npy", rotations(1.0, 0.0)), "");
  EXPECT_EQ(warning("rotations.npy", rotations(0.3, std::sqrt(1 - 0.09))),
            "quaternion-order");
  // 0.01 is the bound of a length that is still 1.
  EXPECT_EQ(warning("rotations.npy", rotations(1.0033, 0.0)), "");
  EXPECT_EQ(warning("rotations.npy", rotations(1.03, 0.0)),
            "quaternion-length");
  const auto offsets = [](double y) {
    return Npy("<f8", "(2, 3)", BytesOf<double>({0, 1, 0, 0, y, 0}));
  };
  EXPECT_EQ(warning("offsets.npy", offsets(3.3)), "");
  EXPECT_EQ(warning("offsets.npy", offsets(30.0)), "unit-doubt");
  EXPECT_EQ(warning("rate.npy", Npy("<f8", "()", BytesOf<double>({1e6}))),
            "rate-doubt");
}

TEST(Npz, OtherNamesOfTheRateAreKnown) {
  for (const char* name :
       {"fps.npy", "mocap_framerate.npy", "mocap_frame_rate.npy"}) {
    std::vector<test::ZipEntry> entries = Without(SmallArrays(), "rate.npy");
    entries.push_back({name, Npy("<i8", "(1,)", BytesOf<std::int64_t>({60}))});
    EXPECT_EQ(Read(Zipped(entries)).rate_hz(), 60.0);
  }
}

TEST(Npz, WhatCannotBeReadIsNotWritten) {
  figure::Motion far(figure::Skeleton::Make({{"a", -1, Vector3::Zero()}}),
                     30.0);
  for (const double x : {3e8, 3e9}) {
    far.Append({{{Quaternion::Identity(), Vector3(x, 0, 0)}}});
    EXPECT_EQ(WriteNpz(far, {}).ok(), x < 1e9);
  }
  EXPECT_THAT(WriteNpz(far, {}).diagnostics().ToString(),
              HasSubstr("the joint \"a\" is farther away than 1e9 m"));
}

// A name of a thousand bytes takes a thousand for each joint.
TEST(Npz, ANameWithoutEndIsRefused) {
  figure::Motion motion(
      figure::Skeleton::Make({{std::string(1001, 'x'), -1, Vector3::Zero()}}),
      30.0);
  const Result<std::string> npz = WriteNpz(motion, {.file = "o.npz"});
  ASSERT_FALSE(npz.ok());
  EXPECT_THAT(npz.diagnostics().ToString(),
              HasSubstr("o.npz: error: expected names of at most 1000 bytes"));
}

}  // namespace
}  // namespace limber::mocap
