// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/edit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "figure/figure_file.h"
#include "figure/make_figure.h"
#include "mocap/io/bvh.h"
#include "tests/support/test_data.h"

namespace limber::figure {
namespace {

constexpr double kDegree = kPi / 180.0;

class EditTest : public testing::Test {
 protected:
  EditTest()
      : walk_(mocap::ReadBvhFile(test::BundledData("clips/walk.bvh"),
                                 {0.01, UpAxis::kY})
                  .value()),
        model_(std::make_shared<const FigureModel>(
            MakeFigure(walk_.shared_skeleton(), Options()).value())) {}

  FigureOptions Options() const {
    FigureOptions options;
    options.clip = &walk_;
    return options;
  }

  EditEvent Push(Role role, double time, const Vector3& impulse) const {
    EditEvent event;
    event.time = time;
    event.segment = model_->SegmentOf(role);
    event.point_B = model_->segments[std::size_t(event.segment)].p_JC;
    event.vector = impulse;
    return event;
  }

  double Difference(const Motion& motion, std::int64_t frame) const {
    const Pose a = walk_.pose(frame);
    const Pose b = motion.pose(frame);
    double most = 0.0;
    for (std::size_t j = 0; j < a.X_PJ.size(); ++j) {
      most = std::max(most, AngleBetween(a.X_PJ[j].R, b.X_PJ[j].R));
      most = std::max(most, (a.X_PJ[j].p - b.X_PJ[j].p).norm());
    }
    return most;
  }

  Motion walk_;
  std::shared_ptr<const FigureModel> model_;
};

TEST_F(EditTest, WithoutEventsTheClipComesBack) {
  const EditResult result = EditMotion(walk_, model_, {});
  ASSERT_EQ(result.motion.num_frames(), walk_.num_frames());
  for (std::int64_t f = 0; f < walk_.num_frames(); ++f) {
    EXPECT_LT(Difference(result.motion, f), 1e-9) << f;
  }
  EXPECT_EQ(result.return_time, 0.0);
}

// A push of 10 N s at the forearm: it gives way and is back within a second.
TEST_F(EditTest, PushedForearmGivesWayAndComesBack) {
  const EditEvent push = Push(Role::kLeftForearm, 1.2, Vector3(10.0, 0.0, 0.0));
  const EditResult result = EditMotion(walk_, model_, {{push}});
  const int forearm = model_->SegmentOf(Role::kLeftForearm);
  double arm = result.deflection[std::size_t(forearm)];
  arm = std::max(
      arm,
      result.deflection[std::size_t(model_->SegmentOf(Role::kLeftUpperArm))]);
  EXPECT_GT(arm, 3.0 * kDegree);
  EXPECT_LT(arm, 40.0 * kDegree);
  EXPECT_LT(result.return_time, 1.0);
  EXPECT_LT(result.deepest_contact, 5e-3);
  EXPECT_LT(result.summary.max_dislocation, 1e-3);
  // Local: nothing changes before the push.
  const auto first = static_cast<std::int64_t>(1.2 * walk_.rate_hz());
  for (std::int64_t f = 0; f < first; ++f) {
    EXPECT_LT(Difference(result.motion, f), 1e-9) << f;
  }
}

TEST_F(EditTest, SameCallGivesTheSameNumbers) {
  const EditEvent push = Push(Role::kChest, 0.8, Vector3(0.0, 0.0, -15.0));
  const EditResult a = EditMotion(walk_, model_, {{push}});
  const EditResult b = EditMotion(walk_, model_, {{push}});
  for (std::int64_t f = 0; f < walk_.num_frames(); ++f) {
    for (std::size_t j = 0; j < a.motion.row(f).size(); ++j) {
      ASSERT_EQ(a.motion.row(f)[j], b.motion.row(f)[j]);
    }
  }
}

TEST_F(EditTest, RagDollFallsAndLies) {
  EditEvent let_go;
  let_go.kind = EditEvent::Kind::kRagDoll;
  let_go.time = 0.5;
  let_go.duration = 0.1;
  const EditResult result = EditMotion(walk_, model_, {{let_go}});
  const double end =
      result.motion.pose(walk_.num_frames() - 1).X_PJ.front().p.y();
  EXPECT_LT(end, 0.6 * walk_.pose(0).X_PJ.front().p.y());
  EXPECT_TRUE(std::isinf(result.return_time));
}

TEST_F(EditTest, BadEventsAreRefused) {
  EditEvent event = Push(Role::kChest, 0.8, Vector3(1, 0, 0));
  event.segment = 999;
  EXPECT_THROW(EditMotion(walk_, model_, {{event}}), std::invalid_argument);
  event = Push(Role::kChest, 0.8, Vector3(1, 0, 0));
  event.duration = -1.0;
  EXPECT_THROW(EditMotion(walk_, model_, {{event}}), std::invalid_argument);
}

TEST_F(EditTest, MotionThatDivergesIsSaidAndNotWritten) {
  const EditEvent push = Push(Role::kLeftForearm, 0.1, Vector3(1e9, 0.0, 0.0));
  EXPECT_THROW(EditMotion(walk_, model_, {{push}}), std::runtime_error);
}

}  // namespace
}  // namespace limber::figure
