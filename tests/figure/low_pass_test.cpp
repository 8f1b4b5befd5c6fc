// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/low_pass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace limber::figure {
namespace {

Motion OneJoint(double rate_hz, int frames,
                const std::function<double(double)>& angle) {
  Motion motion(Skeleton::Make({{"joint", -1, Vector3::Zero()}}), rate_hz);
  for (int f = 0; f < frames; ++f) {
    const double a = angle(f / rate_hz);
    motion.Append({{{ExpRotation({a, 0.0, 0.0}), Vector3(0.0, a, 1.0)}}});
  }
  return motion;
}

double Height(const Motion& motion, int frame) {
  return motion.pose(frame).X_PJ[0].p.y();
}

// In the middle of a long sine: |H|^2 = 1 / (1 + (tan(pi f/r)/tan(pi c/r))^4).
TEST(LowPass, HalvesASineAtTheCutoffAndDelaysNothing) {
  for (const double hertz : {2.0, 10.0, 25.0}) {
    const Motion motion = OneJoint(120.0, 481, [hertz](double t) {
      return 0.2 * std::cos(2.0 * kPi * hertz * (t - 2.0));
    });
    const Motion smooth = LowPass(motion, 10.0);
    const double ratio =
        std::tan(kPi * hertz / 120.0) / std::tan(kPi * 10.0 / 120.0);
    const double gain = 1.0 / (1.0 + std::pow(ratio, 4));
    EXPECT_NEAR(Height(smooth, 240), 0.2 * gain, 1e-6) << hertz;
    EXPECT_NEAR(Height(smooth, 237), Height(smooth, 243), 1e-9);
    const double angle = LogRotation(smooth.pose(240).X_PJ[0].R).x();
    EXPECT_NEAR(angle, 0.2 * gain, 2e-3) << hertz;
  }
}

TEST(LowPass, StraightMotionKeepsItsEnds) {
  const Motion motion =
      OneJoint(120.0, 100, [](double t) { return 0.3 + 0.5 * t; });
  const Motion smooth = LowPass(motion, 6.0);
  ASSERT_EQ(smooth.num_frames(), 100);
  for (int f = 0; f < 100; ++f) {
    EXPECT_NEAR(Height(smooth, f), 0.3 + 0.5 * f / 120.0, 1e-7) << f;
  }
}

TEST(LowPass, ShortOrSlowMotionStaysAsItIs) {
  const Motion two = OneJoint(120.0, 2, [](double t) { return t; });
  EXPECT_EQ(LowPass(two, 6.0).num_frames(), 2);
  const Motion slow = OneJoint(10.0, 30, [](double t) { return t * t; });
  const Motion same = LowPass(slow, 6.0);
  for (int f = 0; f < 30; ++f) EXPECT_EQ(Height(same, f), Height(slow, f));
  EXPECT_THROW(LowPass(slow, 0.0), std::invalid_argument);
}

}  // namespace
}  // namespace limber::figure
