// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Every prefix and every one-byte change of a small C3D file and a small TRC
// file. Nothing may crash, and no file may ask for more than 20 times its size.
#include <gtest/gtest.h>

#include "mocap/io/c3d.h"
#include "mocap/io/trc.h"
#include "tests/mocap/io/take_samples.h"
#include "tests/support/memory_meter.h"

namespace limber::mocap {
namespace {

/// Strings of messages, tables of groups: what a file of any size may cost.
constexpr std::size_t kSmallConstant = 65536;

enum class Format { kC3d, kTrc };

// Reads damaged bytes, checks the bound, uses the result as a program would.
// Says whether the file opened.
bool Survives(Format format, const std::string& bytes) {
  limber::test::PeakMemory meter;
  bool opened = false;
  {
    const Result<MarkerTake> result = format == Format::kC3d
                                          ? ReadC3d(bytes, "d.c3d")
                                          : ReadTrc(bytes, "d.trc");
    opened = result.ok();
    EXPECT_LE(meter.peak_bytes(), 20 * bytes.size() + kSmallConstant);
    if (!opened) {
      EXPECT_TRUE(result.diagnostics().has_errors());
    } else {
      // The accessors must hold on whatever was accepted.
      double sum = result->gap_fraction();
      for (double x : result->positions()) sum += x == x ? 1.0 : 0.0;
      sum += static_cast<double>(result->Gaps().size());
      sum += static_cast<double>(ForcePlates(*result).size());
      EXPECT_GE(sum, 0.0);
    }
  }
  EXPECT_EQ(meter.held_bytes(), 0);
  return opened;
}

std::string SmallC3d() { return FormatC3d(test::SmallTake()).value(); }

TEST(C3dDamage, EveryPrefixIsSurvived) {
  const std::string bytes = SmallC3d();
  ASSERT_LE(bytes.size(), 2560u);
  int opened = 0;
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    opened += Survives(Format::kC3d, bytes.substr(0, size)) ? 1 : 0;
  }
  // Only those that reach into the data.
  EXPECT_GT(opened, 0);
  EXPECT_LT(opened, 512);
}

void SurviveEveryChangedByte(C3dNumbers numbers) {
  std::string bytes =
      FormatC3d(test::SmallTake(), {.numbers = numbers}).value();
  int opened = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char kept = bytes[i];
    for (int value = 0; value < 256; ++value) {
      bytes[i] = static_cast<char>(value);
      opened += Survives(Format::kC3d, bytes) ? 1 : 0;
    }
    bytes[i] = kept;
  }
  EXPECT_GT(opened, 1000);
}

TEST(C3dDamage, EveryChangedByteOfFloatsIsSurvived) {
  SurviveEveryChangedByte(C3dNumbers::kFloat);
}

TEST(C3dDamage, EveryChangedByteOfIntegersIsSurvived) {
  SurviveEveryChangedByte(C3dNumbers::kInt16);
}

TEST(TrcDamage, EveryPrefixIsSurvived) {
  const std::string text = test::SmallTrc();
  int opened = 0;
  for (std::size_t size = 0; size <= text.size(); ++size) {
    opened += Survives(Format::kTrc, text.substr(0, size)) ? 1 : 0;
  }
  EXPECT_GT(opened, 0);
}

TEST(TrcDamage, EveryByteWithEveryValueIsSurvived) {
  std::string text = test::SmallTrc();
  int opened = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char kept = text[i];
    for (int value = 0; value < 256; ++value) {
      text[i] = static_cast<char>(value);
      opened += Survives(Format::kTrc, text) ? 1 : 0;
    }
    text[i] = kept;
  }
  EXPECT_GT(opened, 1000);
}

// The guard itself: a reader that trusted the header's counts would ask for
// gigabytes here.
TEST(C3dDamage, HugeCountsCostNothing) {
  std::string bytes = SmallC3d();
  for (std::size_t at : {2, 4, 8, 18}) {
    bytes[at] = '\xFF';
    bytes[at + 1] = '\xFF';
    Survives(Format::kC3d, bytes);
  }
}

// The smallest records there can be, as many as fit: objects must not grow by
// doubling.
TEST(C3dDamage, SectionFullOfTinyParametersStaysInBounds) {
  std::string bytes = SmallC3d().substr(0, 516);
  constexpr std::size_t kRecords = 16500;
  for (std::size_t i = 0; i < kRecords; ++i) {
    // name "A" of group 1, offset 6 to the next, one empty dimension, no text
    bytes += std::string(
        "\x01\x01"
        "A"
        "\x06\x00\xFF\x01\x00\x00",
        9);
  }
  bytes.resize((bytes.size() + 511) / 512 * 512 + 4096, '\0');
  const std::size_t data = bytes.size() / 512 - 7;
  bytes[16] = static_cast<char>(data & 0xFF);
  bytes[17] = static_cast<char>(data >> 8);
  EXPECT_TRUE(Survives(Format::kC3d, bytes));
}

}  // namespace
}  // namespace limber::mocap
