// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the recordings with ezc3d and with Limber. Built only with
// -DLIMBER_WITH_EZC3D=ON where ezc3d is installed.
#include <ezc3d_all.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "mocap/io/c3d.h"
#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

TEST(Ezc3d, PointsOfTheRecordingsAgree) {
  LIMBER_NEEDS_REAL_DATA();
  for (const char* file :
       {"c3d-zoo/Eb015pi.c3d", "c3d-zoo/Eb015pr.c3d", "c3d-zoo/walking5.c3d",
        "c3d-zoo/rehazenter_2014001_C1_01.c3d", "cmu/02/02_01.c3d"}) {
    SCOPED_TRACE(file);
    const std::filesystem::path path = limber::test::RealData(file);
    const MarkerTake take = ReadC3d(path).value();
    const ezc3d::c3d other(path.string());
    ASSERT_EQ(other.data().nbFrames(),
              static_cast<std::size_t>(take.num_frames()));
    for (std::int64_t frame = 0; frame < take.num_frames(); ++frame) {
      const auto& points =
          other.data().frame(static_cast<std::size_t>(frame)).points();
      ASSERT_EQ(points.nbPoints(),
                static_cast<std::size_t>(take.num_markers()));
      for (int marker = 0; marker < take.num_markers(); ++marker) {
        const auto& point = points.point(static_cast<std::size_t>(marker));
        if (!take.IsVisible(frame, marker)) {
          EXPECT_TRUE(point.residual() < 0.0 || std::isnan(point.x()));
          continue;
        }
        const Vector3 p_file =
            take.origin.axes.FromInside(take.Position(frame, marker)) /
            take.origin.metres_per_unit;
        EXPECT_NEAR(point.x(), p_file.x(), 1e-3);
        EXPECT_NEAR(point.y(), p_file.y(), 1e-3);
        EXPECT_NEAR(point.z(), p_file.z(), 1e-3);
      }
    }
  }
}

}  // namespace
}  // namespace limber::mocap
