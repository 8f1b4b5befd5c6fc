// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Every C3D recording has its expectation here, and keeps what it holds when it
// is written again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "core/file.h"
#include "mocap/io/c3d.h"
#include "tests/mocap/io/take_samples.h"
#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

using test::Difference;
using test::LostParameter;
using test::WarningKinds;
using ::testing::ElementsAreArray;
using ::testing::IsSubsetOf;

struct Expectation {
  const char* file;
  std::int64_t frames;
  int points;
  double rate_hz;
  int channels;
  std::size_t events;
  std::int64_t first_frame;
  double gap_fraction;  // to four digits
  const char* unit;
  Decision axes_decision;  // +Z is up in all of them
  std::size_t plates;
  std::vector<std::string> warnings;
};

constexpr Decision kFile = Decision::kFile;
constexpr Decision kDefault = Decision::kDefault;

std::vector<Expectation> Expectations() {
  return {
      {"c3d-zoo/Dance.c3d",
       499,
       40,
       65.0533447265625,
       8,
       0,
       1,
       0.0,
       "mm",
       kFile,
       0,
       {"parameter-blocks", "data-start", "frame-count"}},
      {"c3d-zoo/Eb015pi.c3d",
       450,
       26,
       50,
       16,
       3,
       1,
       0.0193,
       "mm",
       kFile,
       2,
       {}},
      {"c3d-zoo/Eb015pr.c3d",
       450,
       26,
       50,
       16,
       3,
       1,
       0.0193,
       "mm",
       kFile,
       2,
       {}},
      {"c3d-zoo/Eb015si.c3d",
       450,
       26,
       50,
       16,
       3,
       1,
       0.0193,
       "mm",
       kFile,
       2,
       {}},
      {"c3d-zoo/Eb015sr.c3d",
       450,
       26,
       50,
       16,
       3,
       1,
       0.0193,
       "mm",
       kFile,
       2,
       {}},
      {"c3d-zoo/Eb015vi.c3d",
       450,
       26,
       50,
       16,
       3,
       1,
       0.0193,
       "mm",
       kFile,
       2,
       {}},
      {"c3d-zoo/Eb015vr.c3d",
       450,
       26,
       50,
       16,
       3,
       1,
       0.0193,
       "mm",
       kFile,
       2,
       {}},
      {"c3d-zoo/TESTDPI.c3d",
       450,
       26,
       50,
       16,
       3,
       1,
       0.0193,
       "mm",
       kFile,
       2,
       {}},
      {"c3d-zoo/MACsample.c3d",
       180,
       33,
       60,
       16,
       0,
       1,
       0.6002,
       "mm",
       kFile,
       1,
       {"parameter-blocks", "scale"}},
      {"c3d-zoo/MyCube.c3d", 1, 14, 50, 0, 0, 1, 0.0, "mm", kFile, 0, {}},
      {"c3d-zoo/PiG_Calibration-FlatFoot-Hole.c3d",
       300,
       203,
       100,
       38,
       0,
       1,
       0.3273,
       "mm",
       kFile,
       2,
       {}},
      {"c3d-zoo/TYPE-4.C3D",
       199,
       13,
       60,
       6,
       0,
       1,
       0.2524,
       "mm",
       kFile,
       1,
       {"group-missing"}},
      {"c3d-zoo/Walking_Hybrid_1_5.c3d",
       646,
       25,
       240,
       16,
       0,
       243,
       0.2523,
       "mm",
       kDefault,
       2,
       {}},
      {"c3d-zoo/analog_only_1.5mps_05.c3d",
       189,
       0,
       200,
       147,
       5,
       1,
       0.0,
       "mm",
       kFile,
       10,
       {"group-missing"}},
      {"c3d-zoo/badParameterOffset.c3d",
       111,
       41,
       250,
       0,
       0,
       1,
       0.0488,
       "mm",
       kFile,
       0,
       {"no-description", "parameter-slack", "parameter-size", "scale"}},
      {"c3d-zoo/bad_parameter_section.c3d",
       332,
       45,
       120,
       32,
       7,
       1,
       0.4046,
       "mm",
       kFile,
       2,
       {"parameter-chain", "parameter-blocks", "event-count"}},
      {"c3d-zoo/bts_dynamic.C3D",
       296,
       34,
       100,
       6,
       0,
       1,
       0.3549,
       "mm",
       kDefault,
       1,
       {"no-unit"}},
      {"c3d-zoo/kinematics_basket_sprint.c3d",
       3678,
       26,
       120,
       0,
       0,
       0,
       0.3876,
       "m",
       kDefault,
       0,
       {}},
      {"c3d-zoo/kinematics_tennis_serve.c3d",
       1092,
       39,
       50,
       0,
       0,
       1,
       0.0,
       "m",
       kDefault,
       0,
       {}},
      {"c3d-zoo/mocap36.c3d",
       1380,
       36,
       100,
       0,
       0,
       1,
       0.1659,
       "mm",
       kDefault,
       0,
       {"no-description"}},
      {"c3d-zoo/nick_freeform_001.c3d",
       1101,
       53,
       120,
       0,
       0,
       1,
       0.0664,
       "mm",
       kDefault,
       0,
       {}},
      {"c3d-zoo/phasespace_sample.c3d",
       701,
       40,
       30,
       0,
       0,
       1,
       0.0457,
       "mm",
       kDefault,
       0,
       {"no-parameters", "no-unit", "no-labels"}},
      {"c3d-zoo/pig_Movement_trial.c3d",
       323,
       239,
       120,
       69,
       0,
       695,
       0.0354,
       "mm",
       kFile,
       4,
       {}},
      {"c3d-zoo/pig_Static_trial.c3d",
       498,
       179,
       120,
       69,
       0,
       1,
       0.0055,
       "mm",
       kFile,
       4,
       {}},
      {"c3d-zoo/rehazenter_2014001_C1_01.c3d",
       387,
       52,
       100,
       20,
       7,
       1,
       0.0,
       "mm",
       kDefault,
       2,
       {}},
      {"c3d-zoo/rehazenter_2014001_ST.c3d",
       1,
       52,
       100,
       0,
       0,
       1,
       0.0,
       "mm",
       kDefault,
       0,
       {}},
      {"c3d-zoo/walking5.c3d",
       1103,
       40,
       250,
       12,
       0,
       1,
       0.4552,
       "mm",
       kFile,
       2,
       {}},
      {"c3d-zoo/оно мне не вредит.c3d",
       237,
       27,
       250,
       6,
       0,
       91,
       0.0,
       "mm",
       kFile,
       2,
       {}},
      {"cmu/02/02_01.c3d", 343, 41, 120, 0, 0, 50, 0.0, "mm", kFile, 0, {}},
      {"cmu/07/07_01.c3d", 316, 41, 120, 0, 0, 235, 0.0, "mm", kFile, 0, {}},
      {"cmu/16/16_07.c3d", 422, 330, 120, 0, 0, 12, 0.0, "mm", kFile, 0, {}},
      {"cmu/85/85_02.c3d", 810, 41, 120, 0, 0, 1, 0.0, "mm", kDefault, 0, {}},
      {"takes-2/Dec_real.c3d",
       89,
       36,
       50,
       16,
       9,
       1,
       0.0712,
       "mm",
       kFile,
       2,
       {}},
      {"takes-2/JA1Gait35.c3d",
       324,
       53,
       250,
       60,
       10,
       833,
       0.0001,
       "mm",
       kFile,
       8,
       {}},
      {"takes-2/Walking_Hybrid_2.c3d",
       541,
       73,
       240,
       16,
       0,
       330,
       0.0903,
       "mm",
       kDefault,
       2,
       {}},
      {"takes-2/pc_real.c3d", 89, 36, 50, 16, 9, 1, 0.0712, "mm", kFile, 2, {}},
      {"takes-2/sample21.c3d", 574, 14, 60, 12, 0, 1, 0.0, "mm", kFile, 2, {}},
  };
}

Result<MarkerTake> Read(const char* file, const C3dReadOptions& options = {}) {
  return ReadC3d(limber::test::RealData(file), options);
}

TEST(ReadC3dZoo, EveryFileMeetsItsExpectation) {
  LIMBER_NEEDS_REAL_DATA();
  for (const Expectation& expected : Expectations()) {
    SCOPED_TRACE(expected.file);
    const Result<MarkerTake> result = Read(expected.file);
    ASSERT_TRUE(result.ok()) << result.diagnostics().ToString();
    const MarkerTake& take = *result;
    EXPECT_EQ(take.num_frames(), expected.frames);
    EXPECT_EQ(take.num_markers(), expected.points);
    EXPECT_EQ(take.rate_hz(), expected.rate_hz);
    EXPECT_EQ(take.analog.channels.size(),
              static_cast<std::size_t>(expected.channels));
    EXPECT_EQ(take.analog.num_samples(),
              expected.channels > 0
                  ? take.num_frames() * take.analog.samples_per_frame
                  : 0);
    EXPECT_EQ(take.events.size(), expected.events);
    EXPECT_EQ(take.first_frame, expected.first_frame);
    EXPECT_NEAR(take.gap_fraction(), expected.gap_fraction, 5e-5);
    EXPECT_EQ(take.origin.unit, expected.unit);
    EXPECT_EQ(ToString(take.origin.axes.up), "+Z");
    EXPECT_EQ(take.origin.axes_decision, expected.axes_decision);
    EXPECT_EQ(ForcePlates(take).size(), expected.plates);
    EXPECT_THAT(WarningKinds(result.diagnostics()),
                ElementsAreArray(expected.warnings))
        << result.diagnostics().ToString();
  }
}

TEST(ReadC3dZoo, TableNamesEveryC3dFileThereIs) {
  LIMBER_NEEDS_REAL_DATA();
  std::set<std::string> known;
  for (const Expectation& expected : Expectations())
    known.insert(expected.file);
  std::set<std::string> found;
  const std::filesystem::path root = limber::test::RealData("");
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(root)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".c3d" || extension == ".C3D") {
      found.insert(PathText(std::filesystem::relative(entry.path(), root)));
    }
  }
  EXPECT_EQ(found, known);
}

TEST(ReadC3dZoo, StrictRefusesExactlyTheFilesWithWarnings) {
  LIMBER_NEEDS_REAL_DATA();
  for (const Expectation& expected : Expectations()) {
    SCOPED_TRACE(expected.file);
    EXPECT_EQ(Read(expected.file, {.strict = true}).ok(),
              expected.warnings.empty());
  }
}

TEST(WriteC3dZoo, ReadWriteReadKeepsEverything) {
  LIMBER_NEEDS_REAL_DATA();
  // What the file lacks it still lacks afterwards.
  const std::vector<std::string> may_remain = {"no-unit", "group-missing",
                                               "event-count"};
  for (const Expectation& expected : Expectations()) {
    SCOPED_TRACE(expected.file);
    const MarkerTake before = Read(expected.file).value();
    const Result<std::string> bytes = FormatC3d(before);
    ASSERT_TRUE(bytes.ok()) << bytes.diagnostics().ToString();
    EXPECT_EQ(bytes.diagnostics().ToString(), "");
    const Result<MarkerTake> after = ReadC3d(*bytes, "again.c3d");
    ASSERT_TRUE(after.ok()) << after.diagnostics().ToString();
    EXPECT_THAT(WarningKinds(after.diagnostics()), IsSubsetOf(may_remain));
    EXPECT_EQ(Difference(before, *after), "");
    EXPECT_EQ(LostParameter(before.metadata, after->metadata), "");
    // A second rewrite changes nothing at all.
    EXPECT_TRUE(*FormatC3d(*after) == *bytes);
  }
}

TEST(WriteC3dZoo, EveryEncodingKeepsAnIntegerRecordingExactly) {
  LIMBER_NEEDS_REAL_DATA();
  const MarkerTake before = Read("c3d-zoo/Eb015vi.c3d").value();
  for (C3dByteOrder order :
       {C3dByteOrder::kPc, C3dByteOrder::kDec, C3dByteOrder::kSgi}) {
    for (C3dNumbers numbers : {C3dNumbers::kInt16, C3dNumbers::kFloat}) {
      const Result<std::string> bytes =
          FormatC3d(before, {.byte_order = order, .numbers = numbers});
      ASSERT_TRUE(bytes.ok()) << bytes.diagnostics().ToString();
      const Result<MarkerTake> after = ReadC3d(*bytes, "again.c3d");
      ASSERT_TRUE(after.ok()) << after.diagnostics().ToString();
      EXPECT_TRUE(after.diagnostics().all().empty());
      EXPECT_EQ(LostParameter(before.metadata, after->metadata), "");
      EXPECT_EQ(Difference(before, *after), "");
    }
  }
}

}  // namespace
}  // namespace limber::mocap
