// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings that exist twice, or come with a table of what they hold, must
// agree with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "core/file.h"
#include "mocap/io/c3d.h"
#include "mocap/io/trc.h"
#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

Result<MarkerTake> ReadReal(const char* file) {
  return ReadC3d(limber::test::RealData(file));
}

// Seven encodings of one recording.
TEST(ReadC3dZoo, SevenEncodingsAgree) {
  LIMBER_NEEDS_REAL_DATA();
  const MarkerTake reference = ReadReal("c3d-zoo/Eb015pr.c3d").value();
  for (const char* file :
       {"c3d-zoo/Eb015pi.c3d", "c3d-zoo/Eb015vi.c3d", "c3d-zoo/Eb015vr.c3d",
        "c3d-zoo/Eb015si.c3d", "c3d-zoo/Eb015sr.c3d", "c3d-zoo/TESTDPI.c3d"}) {
    SCOPED_TRACE(file);
    const MarkerTake take = ReadReal(file).value();
    ASSERT_EQ(take.num_frames(), 450);
    ASSERT_EQ(take.labels(), reference.labels());
    double worst_mm = 0.0;
    for (int frame = 0; frame < 450; ++frame) {
      for (int marker = 0; marker < take.num_markers(); ++marker) {
        ASSERT_EQ(take.IsVisible(frame, marker),
                  reference.IsVisible(frame, marker));
        EXPECT_EQ(take.CameraMask(frame, marker),
                  reference.CameraMask(frame, marker));
        EXPECT_NEAR(take.Residual(frame, marker),
                    reference.Residual(frame, marker), 1e-9);
        if (!take.IsVisible(frame, marker)) continue;
        worst_mm =
            std::max(worst_mm, 1000.0 * (take.Position(frame, marker) -
                                         reference.Position(frame, marker))
                                            .lpNorm<Eigen::Infinity>());
      }
    }
    EXPECT_LE(worst_mm, 1e-4);
    // Analog samples are whole counts in every encoding: they agree exactly.
    EXPECT_EQ(take.analog.channels, reference.analog.channels);
    EXPECT_EQ(take.analog.samples, reference.analog.samples);
    ASSERT_EQ(take.events.size(), reference.events.size());
    for (std::size_t i = 0; i < take.events.size(); ++i) {
      EXPECT_EQ(take.events[i].label, reference.events[i].label);
      EXPECT_NEAR(take.events[i].time_s, reference.events[i].time_s, 1e-6);
    }
  }
}

TEST(ReadC3dZoo, Walking5EqualsItsTrcConversion) {
  LIMBER_NEEDS_REAL_DATA();
  const MarkerTake c3d = ReadReal("c3d-zoo/walking5.c3d").value();
  // The conversion kept the axes of the C3D file.
  const MarkerTake trc =
      ReadTrc(limber::test::RealData("trc-zoo/std_walking5_markers.trc"),
              {.axes = AxisConvention::ZUp()})
          .value();
  ASSERT_EQ(trc.labels(), c3d.labels());
  ASSERT_EQ(trc.num_frames(), 112);
  for (std::int64_t row = 0; row < trc.num_frames(); ++row) {
    const std::int64_t frame = std::min<std::int64_t>(10 * row, 1102);
    for (int marker = 0; marker < trc.num_markers(); ++marker) {
      ASSERT_EQ(trc.IsVisible(row, marker), c3d.IsVisible(frame, marker))
          << "row " << row << " " << trc.labels()[std::size_t(marker)];
      if (!trc.IsVisible(row, marker)) continue;
      // [m]: 0.05 mm
      EXPECT_LE((trc.Position(row, marker) - c3d.Position(frame, marker))
                    .lpNorm<Eigen::Infinity>(),
                0.05e-3);
    }
  }
}

std::vector<std::string> SplitCsv(const std::string& line) {
  std::vector<std::string> fields;
  std::stringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) {
    fields.push_back(field);
  }
  return fields;
}

TEST(ReadC3dZoo, PlugInGaitPointsEqualTheVendorsTable) {
  LIMBER_NEEDS_REAL_DATA();
  const MarkerTake take = ReadReal("c3d-zoo/pig_Movement_trial.c3d").value();
  const std::string text =
      ReadWholeFile(limber::test::RealData("c3d-zoo/pig_Movement_trial.csv"))
          .value();
  std::stringstream lines(text);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(lines, line);) {
    rows.push_back(SplitCsv(line));
  }
  ASSERT_GE(rows.size(), 5u + 323u);
  int compared_origins = 0;
  int compared_angles = 0;
  for (std::size_t column = 2; column < rows[2].size(); ++column) {
    const std::string prefix = "Test:";
    if (rows[2][column].rfind(prefix, 0) != 0) continue;
    const std::string name = rows[2][column].substr(prefix.size());
    const bool is_segment = rows[3][column] == "RX";
    const std::optional<int> marker =
        take.FindMarker(is_segment ? name + "O" : name);
    const bool is_angle = marker && take.kind(*marker) == PointKind::kAngle;
    if (!marker || (!is_segment && !is_angle)) continue;
    const std::size_t first = is_segment ? column + 3 : column;
    for (int frame = 0; frame < 323; ++frame) {
      const std::vector<std::string>& row = rows[5 + std::size_t(frame)];
      if (first + 2 >= row.size() || row[first].empty()) continue;
      Vector3 expected;
      for (int i = 0; i < 3; ++i) {
        expected[i] = std::stod(row[first + std::size_t(i)]);
      }
      const Vector3 position = take.Position(frame, *marker);
      // A position was turned and scaled on reading, an angle was not [deg].
      const Vector3 found =
          is_angle ? position
                   : Vector3(take.origin.axes.FromInside(position) * 1000.0);
      ASSERT_LE((found - expected).lpNorm<Eigen::Infinity>(), 0.006)
          << name << " frame " << frame;
      ++(is_angle ? compared_angles : compared_origins);
    }
  }
  EXPECT_GE(compared_origins, 15 * 323);
  EXPECT_GE(compared_angles, 10 * 323);
}

TEST(ReadC3dZoo, MotionAnalysisScaleMakesShouldersManHigh) {
  LIMBER_NEEDS_REAL_DATA();
  // Header 0.0551, POINT:SCALE 0.0215: only the header's makes a grown man.
  const MarkerTake take = ReadReal("c3d-zoo/MACsample.c3d").value();
  double height = 0.0;
  for (int frame = 0; frame < take.num_frames(); ++frame) {
    if (take.IsVisible(frame, 0)) {
      height = std::max(height, take.Position(frame, 0).y());
    }
  }
  EXPECT_GT(height, 1.4);
  EXPECT_LT(height, 1.6);
}

TEST(ReadC3dZoo, UnsignedAnalogOffsetsAreUnsigned) {
  LIMBER_NEEDS_REAL_DATA();
  const MarkerTake take = ReadReal("c3d-zoo/оно мне не вредит.c3d").value();
  EXPECT_EQ(take.analog.channels[0].offset, 65536.0 - 32752.0);
  EXPECT_EQ(take.analog.channels[1].offset, 32767.0);
  // Read with the wrong sign a resting plate would carry 65536 counts.
  for (double sample : take.analog.samples) {
    ASSERT_LT(std::fabs(sample), 40000.0 * 41.0);
  }
  EXPECT_LT(std::fabs(take.analog.Sample(0, 0)), 100.0);
}

TEST(ReadC3dZoo, EventsOfTheGroupHaveContextLabelAndTime) {
  LIMBER_NEEDS_REAL_DATA();
  const MarkerTake take =
      ReadReal("c3d-zoo/rehazenter_2014001_C1_01.c3d").value();
  EXPECT_EQ(take.events[2].context, "Right");
  EXPECT_EQ(take.events[2].label, "Foot Off");
  EXPECT_NEAR(take.events[2].time_s, 0.39, 1e-6);
}

}  // namespace
}  // namespace limber::mocap
