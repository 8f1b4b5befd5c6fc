// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/internal/edit_obey.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "core/angle.h"
#include "figure/pose_metrics.h"
#include "tests/figure/dynamic/edit_excess.h"
#include "tests/figure/dynamic/hand_made_figure.h"

namespace limber::figure {
namespace {

using internal::EvenCover;

TEST(EvenCover, CoversEveryNeedAndIsNothingWhereNothingIsNeeded) {
  std::mt19937 random(5);
  std::uniform_real_distribution<> share(0.0, 1.0);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t count = 1 + std::size_t(share(random) * 80);
    std::vector<double> need(count, 0.0);
    std::vector<bool> is_fixed(count, false);
    for (std::size_t i = 0; i < count; ++i) {
      is_fixed[i] = share(random) < 0.2;
      if (!is_fixed[i] && share(random) < 0.1) need[i] = share(random);
    }
    const std::int64_t half = 1 + std::int64_t(share(random) * 12);
    const std::vector<double> cover = EvenCover(need, is_fixed, half);
    ASSERT_EQ(cover.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_GE(cover[i], need[i] - 1e-12);
      ASSERT_TRUE(!is_fixed[i] || cover[i] == 0.0);
    }
  }
  EXPECT_EQ(EvenCover({0.0, 0.0, 0.0}, {false, false, false}, 2),
            (std::vector<double>{0.0, 0.0, 0.0}));
}

TEST(EvenCover, APeakIsLedToAndFromWithoutAJump) {
  std::vector<double> need(101, 0.0);
  need[50] = 1.0;
  const std::vector<double> cover =
      EvenCover(need, std::vector<bool>(101, false), 10);
  double largest_step = 0.0;
  for (std::size_t i = 1; i < cover.size(); ++i) {
    largest_step = std::max(largest_step, std::abs(cover[i] - cover[i - 1]));
  }
  EXPECT_NEAR(cover[50], 1.0, 1e-12);
  EXPECT_LT(largest_step, 0.15);
  EXPECT_EQ(cover[20], 0.0);
  EXPECT_EQ(cover[80], 0.0);
}

// What is good may have holes: rotations of a ball are good where three angles
// are. Steps three times as long miss a window of a 20th.
TEST(LeastGood, FindsTheFirstWindowWithoutAskingTooOften) {
  for (int i = 0; i < 100; ++i) {
    const double begin = 0.01 + 0.0089 * i;
    int asked = 0;
    const double found = internal::LeastGood(0.0, [&](double share) {
      ++asked;
      return share == 1.0 || (share >= begin && share <= begin + 0.05);
    });
    EXPECT_NEAR(found, begin, 1e-4);
    EXPECT_LE(asked, 37);
  }
  int asked = 0;
  EXPECT_NEAR(internal::LeastGood(0.2,
                                  [&](double share) {
                                    ++asked;
                                    return share >= 0.999;
                                  }),
              0.999, 1e-4);
  EXPECT_GE(asked, 30);
  EXPECT_LE(asked, 37);
}

/// A second at 100 Hz in which nothing happens: a hinge with a limit at 0.5 rad
/// stands at 0.4.
class Obeying : public testing::Test {
 protected:
  static constexpr double kRate = 100.0;
  static constexpr std::size_t kFrames = 201;
  static constexpr std::size_t kMiddle = 100;
  static constexpr int kHinge = 3;
  static constexpr double kUpper = 0.5;

  Obeying() {
    auto model = std::make_shared<FigureModel>(*test::HandMadeFigure(10.0));
    model->segments[kHinge].anchor.axes[0].lower = -kUpper;
    model->segments[kHinge].anchor.axes[0].upper = kUpper;
    figure_ = std::make_unique<ArticulatedFigure>(world_, model,
                                                  RestPose(*model->skeleton));
    internal::EditMoment moment;
    figure_->ReadPose(world_, moment.clip);
    moment.clip[kHinge].R = At(0.4);
    moment.result = moment.bodies = moment.clip;
    moment.at_clip = false;
    moments_.assign(kFrames, moment);
  }
  const Anchor& anchor() const { return figure_->segment(kHinge).anchor; }
  Quaternion At(double angle) const {
    return RotationOfAnchor(anchor(), {angle, 0.0, 0.0});
  }
  /// How far the middle is beyond its limit when it was `beyond` [deg].
  double BeyondAfter(double beyond) {
    const double degree = kPi / 180.0;
    moments_[kMiddle].result[kHinge].R = At(kUpper + beyond * degree);
    internal::ObeyLimits(*figure_, kRate, moments_);
    return LimitViolation(anchor(), moments_[kMiddle].result[kHinge].R) /
           degree;
  }
  /// By how much every frame is raised when the middle is 50 mm below a floor
  /// of this slope [m].
  std::vector<double> Raised(double slope_deg) {
    std::vector<double> heights(kFrames, 0.1);
    heights[kMiddle] = -0.05;
    for (internal::EditMoment& moment : moments_) {
      moment.X_WF.R = ExpRotation({Radians(slope_deg), 0.0, 0.0});
    }
    const double before = moments_[0].result[0].p.y();
    internal::StayAbove(*figure_, kRate, heights,
                        std::vector<double>(kFrames, 0.0), moments_);
    std::vector<double> raised;
    for (const internal::EditMoment& moment : moments_) {
      raised.push_back(moment.result[0].p.y() - before);
    }
    return raised;
  }

  dynamics::World world_;
  std::unique_ptr<ArticulatedFigure> figure_;
  std::vector<internal::EditMoment> moments_;
};

TEST_F(Obeying, ATenthOfADegreeBeyondALimitIsLeftAlone) {
  EXPECT_NEAR(BeyondAfter(0.05), 0.05, 1e-9);
  EXPECT_NEAR(BeyondAfter(0.2), 0.1, 1e-3);
}

// The search ends a four thousandth of a step before the limit; farther on is
// more than anybody sees, nearer is work for nothing.
TEST_F(Obeying, AJointIsTurnedBackToItsLimitAndNotFarther) {
  const double left = 0.1 - BeyondAfter(37.0);
  EXPECT_GT(left, 1e-8);
  EXPECT_LT(left, 1e-3);
}

TEST_F(Obeying, CorrectionsComeAndGoWithinAQuarterOfASecond) {
  const std::vector<double> raised = Raised(0.0);
  EXPECT_NEAR(raised[kMiddle], 0.05, 1e-9);
  EXPECT_GT(raised[kMiddle - 15], 0.005);
  EXPECT_GT(raised[kMiddle + 15], 0.005);
  EXPECT_EQ(raised[kMiddle - 26], 0.0);
  EXPECT_EQ(raised[kMiddle + 26], 0.0);
}

TEST_F(Obeying, OnASlopeTheFigureIsRaisedFarther) {
  EXPECT_NEAR(Raised(80.0)[kMiddle], 0.05 / std::cos(Radians(80.0)), 1e-9);
}

TEST_F(Obeying, OnAWallTheFigureIsNotRaisedWithoutEnd) {
  EXPECT_NEAR(Raised(86.0)[kMiddle], 0.05 / 0.1, 1e-9);
}

TEST(EditObey, RandomEditsStayWithinLimitsAndAboveTheFloor) {
  for (const char* name : {"walk.bvh", "run.bvh", "jump.bvh", "bow.bvh"}) {
    WorstOf(EditedClip::Bundled(name), 100, 5);
  }
}

}  // namespace
}  // namespace limber::figure
