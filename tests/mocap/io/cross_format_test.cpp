// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// One recording as markers and as skeleton: two readers, axes and units must
// agree in space.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "figure/pose.h"
#include "mocap/io/bvh.h"
#include "mocap/io/c3d.h"
#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

/// The unit of the CMU database [m].
constexpr double kCmuUnit = 0.0254 / 0.45;
/// Vicon's joint centres were stored as 16-bit integers [m].
constexpr double kTolerance = 0.00015;

/// Labels carry the subject's name: "subject:LFE0".
int FindPoint(const MarkerTake& take, std::string_view label) {
  for (int marker = 0; marker < take.num_markers(); ++marker) {
    const std::string& full = take.labels()[std::size_t(marker)];
    const std::size_t colon = full.find(':');
    if (std::string_view(full).substr(
            colon == std::string::npos ? 0 : colon + 1) == label) {
      return marker;
    }
  }
  return -1;
}

TEST(CrossFormat, JointsOfCmu1607BvhAreTheJointCentresOfTheC3d) {
  LIMBER_NEEDS_REAL_DATA();
  // BVH (x, y, z) = C3D (y, z, x): the C3D's Y points right, its Z up.
  C3dReadOptions options;
  options.axes = AxisConvention{SignedAxis::kPlusY, SignedAxis::kPlusZ};
  const MarkerTake take =
      ReadC3d(test::RealData("cmu/16/16_07.c3d"), options).value();
  const figure::Motion motion = ReadBvhFile(test::RealData("cmu/16/16_07.bvh"),
                                            {kCmuUnit, figure::UpAxis::kY})
                                    .value();
  // The BVH begins with an added T-pose.
  ASSERT_EQ(motion.num_frames(), take.num_frames() + 1);
  // A point of the C3D is the far end of its segment: LFE0, of the femur, is
  // the knee.
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"Hips", "PEL0"},      {"LeftUpLeg", "LHJ0"}, {"RightUpLeg", "RHJ0"},
      {"LeftLeg", "LFE0"},   {"RightLeg", "RFE0"},  {"LeftFoot", "LTI0"},
      {"RightFoot", "RTI0"}, {"Spine", "LBK0"},     {"Spine1", "UBK0"},
  };
  std::vector<std::pair<int, int>> indices;
  for (const auto& [joint, label] : pairs) {
    indices.emplace_back(motion.skeleton().Find(joint), FindPoint(take, label));
    ASSERT_GE(indices.back().first, 0) << joint;
    ASSERT_GE(indices.back().second, 0) << label;
  }
  double worst = 0.0;
  for (std::int64_t frame = 0; frame < take.num_frames(); ++frame) {
    const std::vector<Transform> X_WJ =
        figure::WorldTransforms(motion.skeleton(), motion.pose(frame + 1));
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const auto [joint, point] = indices[i];
      ASSERT_TRUE(take.IsVisible(frame, point)) << pairs[i].second;
      const double distance =
          (X_WJ[std::size_t(joint)].p - take.Position(frame, point)).norm();
      worst = std::max(worst, distance);
      ASSERT_LE(distance, kTolerance)
          << pairs[i].first << " and " << pairs[i].second << " in frame "
          << frame;
    }
  }
  RecordProperty("worst_mm", std::to_string(1000.0 * worst));
}

}  // namespace
}  // namespace limber::mocap
