// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What a writer writes its reader reads: seeded motions, takes and sets with
// numbers from very small to far beyond what files hold. A writer may refuse,
// with a message, and what it does not refuse comes back.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "mocap/io/asf_writer.h"
#include "mocap/io/bvh.h"
#include "mocap/io/c3d.h"
#include "mocap/io/gltf.h"
#include "mocap/io/sto.h"
#include "mocap/io/trc.h"

namespace limber::mocap {
namespace {

constexpr int kTrials = 2000;

/// Numbers of all sizes: 1e-12 to 1e12, now and then far beyond.
class Numbers {
 public:
  explicit Numbers(unsigned seed) : random_(seed) {}

  double Share() { return std::uniform_real_distribution<>(0, 1)(random_); }
  int Below(int limit) { return static_cast<int>(Share() * limit); }
  double Any(double most_exponent) {
    const double size = std::pow(10.0, Share() * most_exponent);
    const double sign = Below(2) == 0 ? -1.0 : 1.0;
    return Below(4000) == 0 ? sign * 1e200 : sign * Share() * size;
  }
  Vector3 Vector(double most_exponent) {
    return {Any(most_exponent), Any(most_exponent), Any(most_exponent)};
  }

 private:
  std::mt19937 random_;
};

figure::Motion RandomMotion(Numbers& numbers) {
  std::vector<figure::Joint> joints;
  const int count = 1 + numbers.Below(6);
  // Most skeletons are of a size that files hold.
  const double size = numbers.Below(3) == 0 ? 12.0 : 2.0;
  for (int j = 0; j < count; ++j) {
    joints.push_back({"j" + std::to_string(j), j == 0 ? -1 : numbers.Below(j),
                      numbers.Vector(size)});
  }
  figure::MotionSource source;
  source.metres_per_unit = std::pow(10.0, numbers.Below(5) - 3);
  const double rate = std::pow(10.0, 10.0 * numbers.Share() - 4.0);
  figure::Motion motion(
      figure::Skeleton::Make(std::move(joints),
                             {{"", count - 1, numbers.Vector(size)}}),
      rate, source);
  figure::Pose pose = figure::RestPose(motion.skeleton());
  const int frames = numbers.Below(4);
  for (int f = 0; f < frames; ++f) {
    pose.X_PJ[0].p = numbers.Vector(size);
    for (Transform& X : pose.X_PJ) {
      X.R = ExpRotation(
          Vector3(numbers.Share(), numbers.Share(), numbers.Share()));
    }
    motion.Append(pose);
  }
  return motion;
}

TEST(Writers, WhatBvhDoesNotRefuseComesBack) {
  Numbers numbers(1);
  int refused = 0;
  for (int i = 0; i < kTrials; ++i) {
    const figure::Motion motion = RandomMotion(numbers);
    const Result<std::string> text = WriteBvh(motion);
    if (!text.ok()) {
      ASSERT_FALSE(text.diagnostics().all().empty());
      ++refused;
      continue;
    }
    const Result<BvhDocument> document = ParseBvh(*text);
    ASSERT_TRUE(document.ok()) << document.diagnostics().ToString();
    ASSERT_EQ(document->num_frames, motion.num_frames());
    ASSERT_NEAR(document->rate_hz / motion.rate_hz(), 1.0, 1e-6);
    for (const double value : document->values) {
      ASSERT_LE(std::abs(value), 1e9);
    }
  }
  EXPECT_GT(refused, kTrials / 100);
  EXPECT_LT(refused, kTrials * 3 / 4);
}

TEST(Writers, WhatAmcDoesNotRefuseComesBack) {
  Numbers numbers(2);
  int refused = 0;
  for (int i = 0; i < kTrials / 4; ++i) {
    const figure::Motion motion = RandomMotion(numbers);
    const AsfSkeleton asf = MakeAsf(motion.skeleton());
    const Result<AsfSkeleton> skeleton = ReadAsf(WriteAsf(asf));
    const Result<std::string> text = WriteAmc(OnAsf(motion), asf);
    if (!text.ok() || !skeleton.ok()) {
      ++refused;
      continue;
    }
    const Result<figure::Motion> again =
        ReadAmc(*text, *skeleton, {.rate_hz = 120.0});
    // An AMC without frames is no file of this format.
    if (motion.num_frames() == 0) continue;
    ASSERT_TRUE(again.ok()) << again.diagnostics().ToString();
    ASSERT_EQ(again->num_frames(), motion.num_frames());
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, kTrials / 4);
}

MarkerTake RandomTake(Numbers& numbers) {
  std::vector<std::string> labels;
  const int markers = numbers.Below(300);
  for (int m = 0; m < markers; ++m) labels.push_back("M" + std::to_string(m));
  const double size = numbers.Below(3) == 0 ? 12.0 : 2.0;
  const int frames = numbers.Below(4);
  MarkerTake take(std::move(labels), frames,
                  std::pow(10.0, 40.0 * numbers.Share() - 20.0));
  for (int f = 0; f < frames; ++f) {
    for (int m = 0; m < markers; ++m) {
      if (numbers.Below(5) > 0) take.SetPosition(f, m, numbers.Vector(size));
    }
  }
  take.first_frame = numbers.Below(100) - 5;
  if (numbers.Below(4) == 0) {
    take.origin.point_scale = std::pow(10.0, 90.0 * numbers.Share() - 45.0);
  }
  if (numbers.Below(4) == 0) {
    TakeEvent event;
    event.label = "E";
    event.time_s = numbers.Any(60.0);
    take.events.push_back(event);
  }
  const int channels = numbers.Below(4) == 0 ? numbers.Below(200) : 0;
  for (int c = 0; c < channels; ++c) {
    AnalogChannel channel;
    channel.label = "A" + std::to_string(c);
    take.analog.channels.push_back(channel);
  }
  if (channels > 0) {
    take.analog.samples_per_frame = 1;
    for (int i = 0; i < channels * frames; ++i) {
      take.analog.samples.push_back(numbers.Any(3.0));
    }
  }
  return take;
}

/// Whether the same samples are there, to `tolerance` of their size.
void ExpectSamePlaces(const MarkerTake& a, const MarkerTake& b,
                      double tolerance) {
  ASSERT_EQ(a.num_frames(), b.num_frames());
  ASSERT_EQ(a.num_markers(), b.num_markers());
  for (std::int64_t f = 0; f < a.num_frames(); ++f) {
    for (int m = 0; m < a.num_markers(); ++m) {
      ASSERT_EQ(a.IsVisible(f, m), b.IsVisible(f, m));
      if (!a.IsVisible(f, m)) continue;
      const double size = a.Position(f, m).norm();
      ASSERT_LE((a.Position(f, m) - b.Position(f, m)).norm(),
                tolerance * size + 1e-30);
    }
  }
}

TEST(Writers, WhatC3dDoesNotRefuseComesBack) {
  Numbers numbers(3);
  int refused = 0;
  for (int i = 0; i < kTrials; ++i) {
    const MarkerTake take = RandomTake(numbers);
    C3dWriteOptions options;
    options.byte_order = static_cast<C3dByteOrder>(numbers.Below(3));
    options.numbers = static_cast<C3dNumbers>(numbers.Below(2));
    const Result<std::string> bytes = FormatC3d(take, options);
    if (!bytes.ok()) {
      ASSERT_FALSE(bytes.diagnostics().all().empty());
      ++refused;
      continue;
    }
    const Result<MarkerTake> again = ReadC3d(*bytes, "again.c3d");
    ASSERT_TRUE(again.ok()) << i << again.diagnostics().ToString();
    // Frames of no points at all take no bytes.
    if (options.numbers == C3dNumbers::kFloat && take.num_markers() > 0) {
      ExpectSamePlaces(take, *again, 1e-6);
    }
  }
  EXPECT_GT(refused, kTrials / 100);
  EXPECT_LT(refused, kTrials * 3 / 4);
}

TEST(Writers, WhatTrcDoesNotRefuseComesBack) {
  Numbers numbers(4);
  int refused = 0;
  for (int i = 0; i < kTrials; ++i) {
    const MarkerTake take = RandomTake(numbers);
    if (CheckTrc(take).has_errors()) {
      ++refused;
      continue;
    }
    const Result<MarkerTake> again =
        ReadTrc(FormatTrc(take), "again.trc",
                {.axes = take.origin.axes, .zero_is_missing = false});
    ASSERT_TRUE(again.ok()) << i << again.diagnostics().ToString();
    if (take.num_markers() > 0) ExpectSamePlaces(take, *again, 1e-12);
  }
  EXPECT_GT(refused, kTrials / 100);
  EXPECT_LT(refused, kTrials * 3 / 4);
}

TEST(Writers, WhatGlbDoesNotRefuseComesBack) {
  Numbers numbers(5);
  int refused = 0;
  for (int i = 0; i < kTrials / 4; ++i) {
    const figure::Motion motion = RandomMotion(numbers);
    const Result<std::string> bytes = WriteGlb(motion, {.file = "a.glb"});
    if (!bytes.ok()) {
      ASSERT_FALSE(bytes.diagnostics().all().empty());
      ++refused;
      continue;
    }
    const Result<CharacterClip> again = ReadGltf(*bytes, {.file = "again.glb"});
    ASSERT_TRUE(again.ok()) << i << again.diagnostics().ToString();
    ASSERT_EQ(again->motion.skeleton().num_joints(),
              motion.skeleton().num_joints());
    for (std::int64_t f = 0; f < again->motion.num_frames(); ++f) {
      for (const Transform& X : again->motion.pose(f).X_PJ) {
        ASSERT_TRUE(X.p.allFinite() && X.R.coeffs().allFinite()) << i;
      }
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, kTrials / 4 * 3 / 4);
}

TEST(Writers, WhatStoDoesNotRefuseComesBack) {
  Numbers numbers(6);
  int refused = 0;
  for (int i = 0; i < kTrials; ++i) {
    StoTable table;
    table.name = numbers.Below(20) == 0 ? "inDegrees=yes" : "Coordinates";
    const int columns = numbers.Below(5);
    for (int c = 0; c < columns; ++c) {
      table.labels.push_back("c" + std::to_string(c));
      if (numbers.Below(200) == 0) table.labels.back() += " d";
    }
    const int rows = numbers.Below(5);
    for (int r = 0; r < rows; ++r) {
      table.times.push_back(numbers.Any(12.0));
      for (int c = 0; c < columns; ++c) {
        const int kind = numbers.Below(100);
        table.values.push_back(kind == 0   ? std::nan("")
                               : kind == 1 ? HUGE_VAL
                                           : numbers.Any(12.0));
      }
    }
    const Result<std::string> text = FormatSto(table, "a.sto");
    if (!text.ok()) {
      ASSERT_FALSE(text.diagnostics().all().empty());
      ++refused;
      continue;
    }
    const Result<StoTable> again = ReadSto(*text, "again.sto");
    ASSERT_TRUE(again.ok()) << i << again.diagnostics().ToString();
    ASSERT_EQ(again->name, table.name);
    ASSERT_EQ(again->labels, table.labels);
    ASSERT_EQ(again->num_rows(), table.num_rows());
    for (std::size_t k = 0; k < table.values.size(); ++k) {
      ASSERT_EQ(std::isnan(again->values[k]), std::isnan(table.values[k]));
      if (std::isnan(table.values[k])) continue;
      ASSERT_NEAR(again->values[k], table.values[k],
                  1e-9 * std::abs(table.values[k]));
    }
  }
  EXPECT_GT(refused, kTrials / 100);
  EXPECT_LT(refused, kTrials / 2);
}

}  // namespace
}  // namespace limber::mocap
