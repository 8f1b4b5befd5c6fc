// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/mocap/io/text_damage.h"

#include <gtest/gtest.h>

#include <ctime>

#include "mocap/io/asf_amc.h"
#include "mocap/io/bvh.h"
#include "tests/support/memory_meter.h"

namespace limber::mocap::test {

namespace {

using figure::UpAxis;
using limber::test::PeakMemory;

// Room for findings, tables of the parser and the like [bytes].
constexpr std::size_t kSmallConstant = 16 * 1024;
constexpr double kLongest = 1.0;  // [s]

const std::string kBvh = R"(HIERARCHY
ROOT Hips
{
 OFFSET 0 1.5 0
 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
 JOINT A b
 {
  OFFSET 0 2e1 0
  CHANNELS 1 Xrotation
  End Site
  {
   OFFSET 0 5 0
  }
 }
}
MOTION
Frames: 2
Frame Time: 0.04
0 9.5 -1 10 90 0 -3
1 9 -1 20 -90 5 4
)";

const std::string kAsf = R"(:version 1.1
:name M
:units
 mass 1
 length 0.45
 angle deg
:root
 order TX TY TZ RX RY RZ
 axis XYZ
 position 0 0 0
 orientation 0 0 0
:bonedata
 begin
  id 1
  name hip
  direction 1 0 0
  length 2
  axis 0 0 20 XYZ
  dof rx rz
  limits (-10 20) (-inf 5)
 end
 begin
  name toe
  direction 0 0 1
  length 1
  axis 0 0 0 XYZ
 end
:hierarchy
 begin
 root hip
 hip toe
 end
)";

const std::string kAmc = R"(# c
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 10 20 30
hip 15 -2.5e1
2
hip 0 0
root 1 2 3 0 0 0
)";

// Uses every joint of the first and the last frame.
void UsePoses(const figure::Motion& motion) {
  if (motion.num_frames() == 0) return;
  for (const std::int64_t frame : {std::int64_t{0}, motion.num_frames() - 1}) {
    const auto X_WJ =
        figure::WorldTransforms(motion.skeleton(), motion.pose(frame));
    EXPECT_TRUE(X_WJ.back().p.allFinite());
  }
}

bool UseBvh(std::string_view text) {
  const auto document = ParseBvh(text);
  if (!document) return false;
  EXPECT_FALSE(GuessBvhUnits(*document).unit_reason.empty());
  const BvhUnits units = {0.01, UpAxis::kZ};
  const figure::Motion motion = MakeMotion(*document, units);
  UsePoses(motion);
  const auto written = WriteBvh(motion);
  const auto again = ReadBvh(*written, units);
  EXPECT_TRUE(again.ok()) << again.diagnostics().ToString();
  if (again.ok()) {
    EXPECT_EQ(again->num_frames(), motion.num_frames());
    EXPECT_EQ(*WriteBvh(*again), *written);
  }
  return true;
}

bool UseAsf(std::string_view text) {
  const auto asf = ReadAsf(text);
  if (!asf) return false;
  figure::Motion motion(asf->skeleton, 120.0);
  motion.Append(figure::RestPose(*asf->skeleton));
  UsePoses(motion);
  const auto written = WriteAmc(motion, *asf);
  EXPECT_TRUE(written.ok()) << written.diagnostics().ToString();
  return true;
}

// The skeleton of the AMC file, read before anything is measured.
const AsfSkeleton& Asf() {
  static const AsfSkeleton asf = ReadAsf(kAsf).value();
  return asf;
}

bool UseAmc(std::string_view text) {
  const AsfSkeleton& asf = Asf();
  const auto motion = ReadAmc(text, asf, {.rate_hz = 120.0});
  if (!motion) return false;
  UsePoses(*motion);
  const auto written = WriteAmc(*motion, asf);
  const auto again = ReadAmc(*written, asf, {.rate_hz = 120.0});
  EXPECT_TRUE(again.ok()) << again.diagnostics().ToString();
  if (again.ok()) {
    EXPECT_EQ(*WriteAmc(*again, asf), *written);
  }
  return true;
}

// The reader alone, for the memory and the time; the use comes after.
void ReadOnly(const DamagedFormat& format, std::string_view text) {
  if (format.read == UseBvh) ReadBvh(text, {0.01, UpAxis::kZ});
  if (format.read == UseAsf) ReadAsf(text);
  if (format.read == UseAmc) ReadAmc(text, Asf(), {.rate_hz = 120.0});
}

}  // namespace

const std::vector<DamagedFormat>& DamagedFormats() {
  static const std::vector<DamagedFormat> formats = {
      {"BVH", kBvh, UseBvh}, {"ASF", kAsf, UseAsf}, {"AMC", kAmc, UseAmc}};
  return formats;
}

bool ReadDamaged(const DamagedFormat& format, std::string_view text,
                 const std::string& what) {
  Asf();
  // Processor time: other work on the machine does not count.
  const std::clock_t start = std::clock();
  const PeakMemory memory;
  ReadOnly(format, text);
  const std::size_t peak = memory.peak_bytes();
  const double seconds =
      static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_LE(peak, 20 * text.size() + kSmallConstant)
      << format.name << ", " << what;
  EXPECT_EQ(memory.held_bytes(), 0) << format.name << ", " << what;
  EXPECT_LT(seconds, kLongest) << format.name << ", " << what;
  const bool accepted = format.read(text);
  if (testing::Test::HasFailure()) {
    ADD_FAILURE() << format.name << ", " << what << ", text:\n"
                  << text.substr(0, 2000);
  }
  return accepted;
}

}  // namespace limber::mocap::test
