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
#include "tests/mocap/io/take_samples.h"
#include "tests/support/memory_meter.h"

namespace limber::mocap {
namespace {

constexpr int kMutations = 100000;
constexpr std::size_t kSmallConstant = 65536;

// One to eight edits: bytes overwritten, words of extreme value, pieces cut
// out, doubled or moved, the end lost.
std::string Mutated(std::string bytes, std::mt19937& random) {
  const auto below = [&](std::size_t limit) {
    return limit == 0 ? std::size_t{0} : std::size_t{random()} % limit;
  };
  const std::size_t edits = 1 + below(8);
  for (std::size_t edit = 0; edit < edits && !bytes.empty(); ++edit) {
    const std::size_t at = below(bytes.size());
    const std::size_t length = std::min(1 + below(40), bytes.size() - at);
    switch (below(7)) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 2: {
        constexpr unsigned char kExtremes[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};
        for (std::size_t i = at; i < std::min(at + 2, bytes.size()); ++i) {
          bytes[i] = static_cast<char>(kExtremes[below(5)]);
        }
        break;
      }
      case 3:
        bytes.erase(at, length);
        break;
      case 4:
        bytes.insert(below(bytes.size()), bytes.substr(at, length));
        break;
      case 5:
        bytes.replace(below(bytes.size() - length + 1), length,
                      bytes.substr(at, length));
        break;
      default:
        if (below(4) == 0) bytes.resize(at);
    }
  }
  return bytes;
}

template <typename Read>
void Fuzz(const std::vector<std::string>& seeds, unsigned seed, Read read) {
  std::mt19937 random(seed);
  int opened = 0;
  for (int i = 0; i < kMutations; ++i) {
    const std::string bytes =
        Mutated(seeds[static_cast<std::size_t>(i) % seeds.size()], random);
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
