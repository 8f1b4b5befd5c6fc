// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Every prefix and every one-byte change of a small NPZ file, of its archive
// and of each array in it; archives that unpack to much more than they are.
// Nothing may crash, and no file may ask for more than 20 times its size and
// 64 MB.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>

#include <chrono>
#include <cmath>

#include "mocap/io/npz.h"
#include "tests/mocap/io/npz_samples.h"
#include "tests/support/memory_meter.h"

namespace limber::mocap {
namespace {

using test::Npy;
using test::SmallArrays;
using test::With;
using test::Zipped;
using testing::HasSubstr;

constexpr std::size_t kSmallConstant = std::size_t{64} << 20;

struct Damage {
  bool opened = false;
  std::string findings;
};

// Reads damaged bytes, checks memory and time, uses the result as a program
// would.
Damage Survive(const std::string& bytes) {
  Damage damage;
  limber::test::PeakMemory meter;
  {
    const auto begin = std::chrono::steady_clock::now();
    const Result<NpzClip> clip = ReadNpz(bytes, {.file = "d.npz"});
    const std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - begin;
    EXPECT_LE(meter.peak_bytes(), 20 * bytes.size() + kSmallConstant);
    EXPECT_LT(took.count(), 10.0);
    damage.opened = clip.ok();
    damage.findings = clip.diagnostics().ToString();
    EXPECT_NE(damage.opened, clip.diagnostics().has_errors());
    if (damage.opened) {
      const figure::Motion& motion = clip->motion;
      for (std::int64_t f = 0; f < motion.num_frames(); ++f) {
        for (const Transform& X :
             figure::WorldTransforms(motion.skeleton(), motion.pose(f))) {
          EXPECT_TRUE(X.p.allFinite() && X.R.coeffs().allFinite());
        }
      }
      EXPECT_TRUE(ReadNpz(*WriteNpz(motion, {}), {}).ok());
    }
  }
  return damage;
}

TEST(NpzDamage, EveryPrefixIsRefusedWithItsEnd) {
  const std::string good = Zipped(SmallArrays());
  ASSERT_TRUE(Survive(good).opened);
  for (std::size_t size = 0; size < good.size(); ++size) {
    const Damage damage = Survive(good.substr(0, size));
    EXPECT_FALSE(damage.opened) << size;
    EXPECT_THAT(damage.findings,
                HasSubstr("d.npz: byte " + std::to_string(size) +
                          ": error: expected a whole ZIP archive"));
  }
}

TEST(NpzDamage, EveryChangedByteOfTheArchiveIsSurvived) {
  std::string bytes = Zipped(SmallArrays());
  int refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char kept = bytes[i];
    for (const int change : {0x01, 0x80, 0xFF, 0x20}) {
      bytes[i] = char(kept ^ change);
      refused += Survive(bytes).opened ? 0 : 1;
    }
    bytes[i] = kept;
  }
  // Most bytes are under a checksum or in the list of members.
  EXPECT_GT(refused, 2 * int(bytes.size()));
}

// The checksums keep changes from the arrays: here each array is changed, and
// then put into an archive.
TEST(NpzDamage, EveryChangedByteOfEveryArrayIsSurvived) {
  const std::vector<test::ZipEntry> good = SmallArrays();
  int opened = 0;
  int refused = 0;
  for (const test::ZipEntry& entry : good) {
    for (std::size_t i = 0; i < entry.bytes.size(); ++i) {
      for (const int change : {0x01, 0x02, 0x10, 0x80, 0xFF}) {
        test::ZipEntry bad = entry;
        bad.bytes[i] = char(bad.bytes[i] ^ change);
        (Survive(Zipped(With(good, bad))).opened ? opened : refused) += 1;
      }
      test::ZipEntry cut = entry;
      cut.bytes.resize(i);
      EXPECT_FALSE(Survive(Zipped(With(good, cut))).opened) << entry.name << i;
    }
  }
  EXPECT_GT(opened, 100);
  EXPECT_GT(refused, 100);
}

/// The entries packed as small as zlib makes them.
std::string Deflated(const std::vector<test::ZipEntry>& entries) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_t* archive =
      zip_open_from_source(target, ZIP_CREATE | ZIP_TRUNCATE, &error);
  zip_source_keep(target);
  for (const test::ZipEntry& entry : entries) {
    zip_file_add(
        archive, entry.name.c_str(),
        zip_source_buffer(archive, entry.bytes.data(), entry.bytes.size(), 0),
        0);
  }
  zip_close(archive);
  zip_stat_t stat;
  zip_stat_init(&stat);
  zip_source_open(target);
  zip_source_stat(target, &stat);
  std::string bytes(stat.size, '\0');
  zip_source_read(target, bytes.data(), bytes.size());
  zip_source_close(target);
  zip_source_free(target);
  return bytes;
}

std::vector<test::ZipEntry> ManyFrames(std::size_t frames) {
  const std::string n = std::to_string(frames);
  std::string rotations;
  rotations.reserve(frames * 64);
  const std::string one = test::BytesOf<double>({1, 0, 0, 0, 1, 0, 0, 0});
  for (std::size_t f = 0; f < frames; ++f) rotations += one;
  return With(With(SmallArrays(), {"rotations.npy",
                                   Npy("<f8", "(" + n + ", 2, 4)", rotations)}),
              {"root.npy",
               Npy("<f8", "(" + n + ", 3)", std::string(frames * 24, '\0'))});
}

TEST(NpzDamage, PackedArchivesAreReadAndBombsAreNot) {
  const std::string packed = Deflated(ManyFrames(100'000));
  EXPECT_LT(packed.size(), 100'000u);
  EXPECT_TRUE(Survive(packed).opened);
  // 88 bytes a frame unpack from less than one: what would take more than 32 MB
  // is refused before it is unpacked.
  const std::string bomb = Deflated(ManyFrames(400'000));
  EXPECT_LT(bomb.size(), 400'000u);
  const Damage damage = Survive(bomb);
  EXPECT_FALSE(damage.opened);
  EXPECT_THAT(damage.findings,
              HasSubstr("rotations.npy: expected what fits into 16 times the "
                        "file and 32 MB, found 3200000 items"));
  // What is not asked for is not unpacked.
  std::vector<test::ZipEntry> beside = SmallArrays();
  beside.push_back({"betas.npy", std::string(std::size_t{100} << 20, '\0')});
  EXPECT_TRUE(Survive(Deflated(beside)).opened);
}

TEST(NpzDamage, ShapesAreNotBelieved) {
  const auto with_shape = [](const std::string& shape) {
    return Survive(Zipped(With(
                       SmallArrays(),
                       {"root.npy", Npy("<f8", shape, std::string(72, '\0'))})))
        .findings;
  };
  EXPECT_THAT(with_shape("(4294967296, 4294967296, 4)"),
              HasSubstr("a shape whose product fits 64 bits"));
  EXPECT_THAT(with_shape("(99999999999999999999,)"),
              HasSubstr("a whole number that fits 64 bits"));
  EXPECT_THAT(with_shape("(2305843009213693952, 3)"),
              HasSubstr("does not fit the 72 bytes"));
  EXPECT_THAT(with_shape("(0, 4294967296, 4294967296, 4294967296)"),
              HasSubstr("does not fit the 72 bytes"));
  EXPECT_THAT(with_shape("(-3, 3)"), HasSubstr("expected a whole number"));
  EXPECT_THAT(with_shape("(" + std::string(1000, '(')),
              HasSubstr("expected a whole number"));
  std::string many;
  for (int i = 0; i < 40; ++i) many += "1, ";
  EXPECT_THAT(with_shape("(" + many + ")"), HasSubstr("32 dimensions"));
  // Items without size, as many as one likes.
  EXPECT_FALSE(
      Survive(Zipped(With(SmallArrays(), {"joint_names.npy",
                                          Npy("|S0", "(99999999999,)", "")})))
          .opened);
}

TEST(NpzDamage, NamesThatStandTwiceOrInFoldersAreNotConfused) {
  std::vector<test::ZipEntry> nested = SmallArrays();
  nested.push_back({"inside/root.npy", "nothing"});
  nested.push_back({"inner.npz", Zipped(SmallArrays())});
  EXPECT_TRUE(Survive(Zipped(nested)).opened);
  // Two members of one name: renamed in the bytes, which libzip would refuse.
  nested.push_back({"XXXX.npy", "second"});
  std::string bytes = Zipped(nested);
  for (std::size_t at = bytes.find("XXXX.npy"); at != std::string::npos;
       at = bytes.find("XXXX.npy", at)) {
    bytes.replace(at, 8, "root.npy");
  }
  const Damage damage = Survive(bytes);
  EXPECT_FALSE(damage.opened);
  EXPECT_THAT(damage.findings, HasSubstr("found two members \"root.npy\""));
}

TEST(NpzDamage, ManyJointsAndMembersStayInBounds) {
  // A million joints of one letter, no frames.
  const std::string n = std::to_string(1 << 20);
  const std::size_t count = std::size_t{1} << 20;
  std::vector<test::ZipEntry> entries = {
      {"joint_names.npy", Npy("|S1", "(" + n + ",)", std::string(count, 'x'))},
      {"parents.npy", Npy("|i1", "(" + n + ",)", std::string(count, '\xFF'))},
      {"offsets.npy",
       Npy("<f2", "(" + n + ", 3)", std::string(6 * count, '\0'))},
      {"rotations.npy", Npy("<f8", "(0, " + n + ", 4)", "")},
      {"root.npy", Npy("<f8", "(0, 3)", "")},
      {"rate.npy", Npy("<f8", "()", test::BytesOf<double>({30}))}};
  Survive(Zipped(entries));
  EXPECT_THAT(Survive(Deflated(entries)).findings,
              HasSubstr("expected what fits into"));
  std::vector<test::ZipEntry> members = SmallArrays();
  for (int i = 0; i < 20'000; ++i) members.push_back({std::to_string(i), ""});
  EXPECT_TRUE(Survive(Zipped(members)).opened);
}

}  // namespace
}  // namespace limber::mocap
