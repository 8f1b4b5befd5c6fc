// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/smooth_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace limber::figure {
namespace {

std::shared_ptr<const Skeleton> TwoJoints() {
  return Skeleton::Make(
      {{"root", -1, Vector3::Zero()}, {"tip", 0, Vector3(0.0, 0.3, 0.0)}});
}

// Smooth turning and shifting, far from the identity.
Pose Wanted(double t) {
  Pose pose;
  const Vector3 a(0.9 * std::sin(2.0 * t), 0.5 * t, 0.4 * std::cos(3.0 * t));
  const Vector3 b(0.2 * t, 1.5 * std::sin(1.3 * t), -0.3);
  pose.X_PJ.push_back(
      {ExpRotation(a) * ExpRotation(b),
       Vector3(0.3 * t * t, std::sin(2.0 * t), -t * t * t / 5.0)});
  pose.X_PJ.push_back({ExpRotation(b), Vector3(0.0, 0.3, 0.0)});
  return pose;
}

Motion Clip(double rate_hz, int frames) {
  Motion motion(TwoJoints(), rate_hz);
  for (int f = 0; f < frames; ++f) motion.Append(Wanted(f / rate_hz));
  return motion;
}

// Also with noise, whose derivatives are large and must still be the curve's.
Motion NoisyClip() {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0.0, 0.02);
  Motion motion(TwoJoints(), 60.0);
  for (int f = 0; f < 40; ++f) {
    Pose pose = Wanted(f / 60.0);
    for (Transform& X : pose.X_PJ) {
      X.R = ExpRotation({noise(random), noise(random), noise(random)}) * X.R;
    }
    motion.Append(pose);
  }
  return motion;
}

TEST(SmoothMotion, GoesThroughEveryFrame) {
  const Motion motion = NoisyClip();
  const SmoothMotion smooth(motion);
  Pose pose;
  for (int f = 0; f < 40; ++f) {
    smooth.Sample(f / 60.0, pose);
    const Pose wanted = motion.pose(f);
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_LT(AngleBetween(pose.X_PJ[j].R, wanted.X_PJ[j].R), 1e-9);
      EXPECT_LT((pose.X_PJ[j].p - wanted.X_PJ[j].p).norm(), 1e-12);
    }
  }
}

// R(t + d) R(t - d)^-1 = exp(2 d w) up to d^2.
TEST(SmoothMotion, RatesAreDerivativesOfTheSamples) {
  const Motion motion = NoisyClip();
  const SmoothMotion smooth(motion);
  std::vector<JointRates> rates, before, after;
  Pose pose, minus, plus;
  const double d = 1e-5;
  // Never at a frame, where the third derivative jumps.
  for (double t = 0.0031; t < smooth.duration() - 0.003; t += 0.00713) {
    smooth.Sample(t, pose, rates);
    smooth.Sample(t - d, minus, before);
    smooth.Sample(t + d, plus, after);
    for (std::size_t j = 0; j < 2; ++j) {
      const Vector3 w =
          LogRotation(plus.X_PJ[j].R * minus.X_PJ[j].R.conjugate()) / (2 * d);
      const Vector3 v = (plus.X_PJ[j].p - minus.X_PJ[j].p) / (2 * d);
      const Vector3 alpha = (after[j].w_PJ - before[j].w_PJ) / (2 * d);
      const Vector3 a = (after[j].v_PJ - before[j].v_PJ) / (2 * d);
      EXPECT_LT((w - rates[j].w_PJ).norm(), 1e-4) << t;
      EXPECT_LT((v - rates[j].v_PJ).norm(), 1e-6) << t;
      EXPECT_LT((alpha - rates[j].alpha_PJ).norm(), 0.1) << t;
      EXPECT_LT((a - rates[j].a_PJ).norm(), 1e-4) << t;
    }
  }
}

// C2: velocity and acceleration do not jump at the frames.
TEST(SmoothMotion, AccelerationIsContinuousAcrossFrames) {
  const SmoothMotion smooth(NoisyClip());
  std::vector<JointRates> before, after;
  Pose pose;
  const double d = 1e-9;
  for (int f = 1; f < 39; ++f) {
    smooth.Sample(f / 60.0 - d, pose, before);
    smooth.Sample(f / 60.0 + d, pose, after);
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_LT((after[j].w_PJ - before[j].w_PJ).norm(), 1e-5);
      EXPECT_LT((after[j].alpha_PJ - before[j].alpha_PJ).norm(), 1e-3);
      EXPECT_LT((after[j].a_PJ - before[j].a_PJ).norm(), 1e-3);
    }
  }
}

TEST(SmoothMotion, CubicPathIsMetExactlyUpToTheEnds) {
  const SmoothMotion smooth(Clip(30.0, 31));
  Pose pose;
  std::vector<JointRates> rates;
  for (double t = 0.0; t <= 1.0; t += 0.013) {
    smooth.Sample(t, pose, rates);
    EXPECT_NEAR(pose.X_PJ[0].p.z(), -t * t * t / 5.0, 1e-13);
    EXPECT_NEAR(rates[0].a_PJ.z(), -6.0 * t / 5.0, 1e-10);
  }
}

// Fourth order: half the frame time, a sixteenth of the error.
TEST(SmoothMotion, ErrorBetweenFramesFallsWithTheFourthPower) {
  const auto worst = [](double rate_hz) {
    const SmoothMotion smooth(
        Clip(rate_hz, static_cast<int>(2.0 * rate_hz) + 1));
    double angle = 0.0;
    Pose pose;
    for (double t = 0.0; t < 2.0; t += 0.0037) {
      smooth.Sample(t, pose);
      angle =
          std::max(angle, AngleBetween(pose.X_PJ[0].R, Wanted(t).X_PJ[0].R));
    }
    return angle;
  };
  const double coarse = worst(20.0);
  const double fine = worst(40.0);
  EXPECT_LT(fine, coarse / 12.0);
  EXPECT_LT(fine, 2e-6);
}

TEST(SmoothMotion, FewFramesAndTimesOutside) {
  Pose pose;
  std::vector<JointRates> rates;
  for (int frames = 1; frames <= 5; ++frames) {
    const SmoothMotion smooth(Clip(10.0, frames));
    EXPECT_DOUBLE_EQ(smooth.duration(), (frames - 1) / 10.0);
    smooth.Sample(99.0, pose, rates);
    EXPECT_LT(
        AngleBetween(pose.X_PJ[0].R, Wanted((frames - 1) / 10.0).X_PJ[0].R),
        1e-9);
    EXPECT_EQ(rates[0].w_PJ.norm(), 0.0);
    smooth.Sample(-1.0, pose, rates);
    EXPECT_LT(AngleBetween(pose.X_PJ[0].R, Wanted(0.0).X_PJ[0].R), 1e-9);
    EXPECT_EQ(rates[0].v_PJ.norm(), 0.0);
  }
  const SmoothMotion straight(Clip(10.0, 2));
  straight.Sample(0.05, pose);
  EXPECT_LT(
      (pose.X_PJ[0].p - 0.5 * (Wanted(0.0).X_PJ[0].p + Wanted(0.1).X_PJ[0].p))
          .norm(),
      1e-12);
}

// A clip that a converter put a calibration pose in front of.
TEST(NumLeadInFrames, PoseInFrontIsFoundAndTakenOff) {
  const Motion clip = Clip(120.0, 20);
  EXPECT_EQ(NumLeadInFrames(clip), 0);
  EXPECT_EQ(WithoutLeadIn(clip).num_frames(), 20);
  Motion led(TwoJoints(), 120.0);
  led.Append(RestPose(*TwoJoints()));
  for (int f = 0; f < 20; ++f) led.Append(clip.pose(f));
  EXPECT_EQ(NumLeadInFrames(led), 1);
  const Motion rest = WithoutLeadIn(led);
  ASSERT_EQ(rest.num_frames(), 20);
  EXPECT_LT(AngleBetween(rest.pose(0).X_PJ[0].R, clip.pose(0).X_PJ[0].R), 1e-9);
}

TEST(SmoothMotion, EmptyMotionAndNanTimeAreRefused) {
  EXPECT_THROW(SmoothMotion(Motion(TwoJoints(), 30.0)), std::invalid_argument);
  const SmoothMotion smooth(Clip(10.0, 3));
  Pose pose;
  EXPECT_THROW(smooth.Sample(std::nan(""), pose), std::invalid_argument);
}

}  // namespace
}  // namespace limber::figure
