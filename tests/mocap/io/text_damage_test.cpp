// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// BVH, ASF and AMC readers against damaged and hostile texts.
#include <gtest/gtest.h>

#include <string>

#include "mocap/io/asf_amc.h"
#include "mocap/io/bvh.h"
#include "tests/mocap/io/text_damage.h"
#include "tests/support/memory_meter.h"

namespace limber::mocap::test {
namespace {

using limber::test::PeakMemory;

TEST(TextDamage, GoodFilesAreAccepted) {
  for (const DamagedFormat& format : DamagedFormats()) {
    EXPECT_TRUE(ReadDamaged(format, format.good, "unharmed"));
  }
}

TEST(TextDamage, EveryPrefixIsSurvived) {
  for (const DamagedFormat& format : DamagedFormats()) {
    for (std::size_t size = 0; size < format.good.size(); ++size) {
      ReadDamaged(format, format.good.substr(0, size),
                  "prefix of " + std::to_string(size));
      if (HasFailure()) return;
    }
  }
}

TEST(TextDamage, EveryOneByteChangeIsSurvived) {
  for (const DamagedFormat& format : DamagedFormats()) {
    for (std::size_t at = 0; at < format.good.size(); ++at) {
      std::string text = format.good;
      for (int byte = 0; byte < 256; ++byte) {
        text[at] = static_cast<char>(byte);
        ReadDamaged(
            format, text,
            "byte " + std::to_string(byte) + " at " + std::to_string(at));
        if (HasFailure()) return;
      }
    }
  }
}

// Files made to cost much more than their size.
struct HostileCase {
  const char* name;
  std::size_t format;  // Of DamagedFormats().
  std::string (*text)();
};

std::string Repeated(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

std::string OneColumn() {
  return "HIERARCHY\nROOT a{OFFSET 0 0 0 CHANNELS 1 Xrotation}\nMOTION\n"
         "Frames: 0\nFrame Time: 1\n" +
         Repeated("0\n", 200000);
}

std::string HugeFrameCount() {
  return "HIERARCHY\nROOT a{OFFSET 0 0 0 CHANNELS 1 Xrotation}\nMOTION\n"
         "Frames: 2147483647\nFrame Time: 1\n0\n";
}

std::string ManyFixedJointsAndManyFrames() {
  return "HIERARCHY\nROOT a{OFFSET 0 0 0 CHANNELS 1 Xrotation\n" +
         Repeated("JOINT b\n{OFFSET 0 0 0 CHANNELS 0}\n", 5000) +
         "}\nMOTION\nFrames: 0\nFrame Time: 1\n" + Repeated("0\n", 80000);
}

std::string ShortestJoints() {
  return "HIERARCHY\nROOT a{OFFSET 0 0 0 " +
         Repeated("JOINT b{OFFSET 0 0 0}", 20000) +
         "}\nMOTION\nFrames: 0\nFrame Time: 1\n";
}

std::string ManyEndSites() {
  return "HIERARCHY\nROOT a{OFFSET 0 0 0 CHANNELS 0 " +
         Repeated("End Site{OFFSET 0 0 0}", 20000) +
         "}\nMOTION\nFrames: 0\nFrame Time: 1\n";
}

std::string ManyNames() {
  std::string text = "HIERARCHY\nROOT a{OFFSET 0 0 0 CHANNELS 0 ";
  for (int i = 0; i < 20000; ++i) {
    text += "JOINT " + std::to_string(i) + "{OFFSET 0 0 0 CHANNELS 0}";
  }
  return text + "}\nMOTION\nFrames: 0\nFrame Time: 1\n";
}

std::string DeepBvh() {
  return "HIERARCHY\nROOT a{OFFSET 0 0 0 CHANNELS 0 " +
         Repeated("JOINT b{OFFSET 0 0 0 CHANNELS 0 ", 20000) +
         Repeated("}", 20001) + "\nMOTION\nFrames: 0\nFrame Time: 1\n";
}

std::string DeepAndNeverClosed() {
  return "HIERARCHY\nROOT a{OFFSET 0 0 0 CHANNELS 0 " +
         Repeated("JOINT b{OFFSET 0 0 0 CHANNELS 0 ", 20000);
}

std::string LongWord() { return "HIERARCHY " + Repeated("x", 500000); }

std::string ManyBones() {
  std::string text = ":root\norder RX\n:bonedata\n";
  std::string tree = ":hierarchy\nbegin\n";
  std::string parent = "root";
  for (int i = 0; i < 5000; ++i) {
    const std::string name = std::to_string(i);
    text += "begin name " + name +
            " direction 0 0 1 length 1 axis 0 0 0 XYZ dof rx ry rz end\n";
    tree += parent + " " + name + "\n";
    parent = name;
  }
  return text + tree + "end\n";
}

std::string ManyFrames() {
  return ":DEGREES\n" + Repeated("1\nroot 0 0 0 0 0 0\nhip 0 0\n", 20000);
}

class HostileText : public testing::TestWithParam<HostileCase> {};

// Under the sanitizers the limit of a second stands as well.
TEST_P(HostileText, TakesLittleTimeAndMemory) {
  const std::string text = GetParam().text();
  ReadDamaged(DamagedFormats()[GetParam().format], text, GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileText,
    testing::Values(HostileCase{"OneColumn", 0, OneColumn},
                    HostileCase{"HugeFrameCount", 0, HugeFrameCount},
                    HostileCase{"ManyFixedJoints", 0,
                                ManyFixedJointsAndManyFrames},
                    HostileCase{"ShortestJoints", 0, ShortestJoints},
                    HostileCase{"ManyEndSites", 0, ManyEndSites},
                    HostileCase{"ManyNames", 0, ManyNames},
                    HostileCase{"DeepBvh", 0, DeepBvh},
                    HostileCase{"DeepAndNeverClosed", 0, DeepAndNeverClosed},
                    HostileCase{"LongWord", 0, LongWord},
                    HostileCase{"ManyBones", 1, ManyBones},
                    HostileCase{"ManyFrames", 2, ManyFrames}),
    [](const testing::TestParamInfo<HostileCase>& info) {
      return std::string(info.param.name);
    });

// The meter itself: it sees what is held, at most and in the end.
TEST(PeakMemory, CountsTheMostAndWhatRemains) {
  const PeakMemory memory;
  std::vector<char>* kept = nullptr;
  {
    const std::vector<char> large(1000000);
    kept = new std::vector<char>(1000);
  }
  EXPECT_GE(memory.peak_bytes(), 1001000u);
  EXPECT_LT(memory.peak_bytes(), 1010000u);
  EXPECT_EQ(memory.held_bytes(),
            static_cast<std::ptrdiff_t>(1000 + sizeof(*kept)));
  delete kept;
  EXPECT_EQ(memory.held_bytes(), 0);
}

}  // namespace
}  // namespace limber::mocap::test
