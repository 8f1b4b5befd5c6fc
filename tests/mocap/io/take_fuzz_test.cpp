// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// 100 000 seeded mutations per format: no crash, no leak, at most a second and
// 20 times the size of the file each.
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "mocap/io/c3d.h"
#include "mocap/io/trc.h"
#include "tests/mocap/io/mutated.h"
#include "tests/mocap/io/take_samples.h"
#include "tests/support/memory_meter.h"

namespace limber::mocap {
namespace {

constexpr int kMutations = 100000;
constexpr std::size_t kSmallConstant = 65536;

template <typename Read>
void Fuzz(const std::vector<std::string>& seeds, unsigned seed, Read read) {
  std::mt19937 random(seed);
  int opened = 0;
  for (int i = 0; i < kMutations; ++i) {
    const std::string bytes = test::Mutated(
        seeds[static_cast<std::size_t>(i) % seeds.size()], random);
    const auto start = std::chrono::steady_clock::now();
    limber::test::PeakMemory meter;
    {
      const Result<MarkerTake> result = read(bytes);
      ASSERT_LE(meter.peak_bytes(), 20 * bytes.size() + kSmallConstant)
          << "mutation " << i;
      opened += result.ok() ? 1 : 0;
      // What is accepted can be written, and read again.
      if (result.ok() && i % 16 == 0) {
        const Result<std::string> c3d = FormatC3d(*result);
        EXPECT_TRUE(!c3d.ok() || ReadC3d(*c3d, "again.c3d").ok());
        EXPECT_TRUE(ReadTrc(FormatTrc(*result), "again.trc").ok());
      }
    }
    ASSERT_EQ(meter.held_bytes(), 0) << "mutation " << i;
    const std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - start;
    ASSERT_LT(taken.count(), 1.0) << "mutation " << i;
  }
  // Neither all refused nor all accepted: the mutations reach the insides.
  EXPECT_GT(opened, kMutations / 20);
  EXPECT_LT(opened, kMutations);
}

TEST(TakeFuzz, C3dSurvivesRandomMutations) {
  std::vector<std::string> seeds;
  for (C3dByteOrder order :
       {C3dByteOrder::kPc, C3dByteOrder::kDec, C3dByteOrder::kSgi}) {
    for (C3dNumbers numbers : {C3dNumbers::kFloat, C3dNumbers::kInt16}) {
      seeds.push_back(FormatC3d(test::SmallTake(),
                                {.byte_order = order, .numbers = numbers})
                          .value());
    }
  }
  Fuzz(seeds, 20260,
       [](const std::string& bytes) { return ReadC3d(bytes, "f.c3d"); });
}

TEST(TakeFuzz, TrcSurvivesRandomMutations) {
  Fuzz({test::SmallTrc(), FormatTrc(test::SmallTake())}, 20261,
       [](const std::string& text) { return ReadTrc(text, "f.trc"); });
}

}  // namespace
}  // namespace limber::mocap
