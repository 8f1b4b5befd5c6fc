// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

#include "mocap/solve/internal/calibration_fit.h"
#include "mocap/solve/internal/frame_equations.h"
#include "mocap/solve/internal/smoother.h"
#include "mocap/solve/internal/sweep_inverse.h"
#include "tests/mocap/solve/synthetic_take.h"

namespace limber::test {
namespace {

using namespace mocap;
using namespace mocap::internal;

/// A frame whose pose is off, so that every residual and prior is at work.
struct Scene {
  SyntheticTake made = MakeSyntheticTake({.num_frames = 40});
  PreparedTake take = Prepare(made.take);
  BodyPose pose = made.poses[25];
  Weighting weighting;

  Scene() {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> off(-0.25, 0.25);
    for (Quaternion& R : pose.R_PJ) {
      R = R * ExpRotation({off(random), off(random), off(random)});
    }
    pose.p_WR += Vector3(0.05, -0.03, 0.02);
    // Beyond the limits of a hinge and of a ball.
    pose.R_PJ[kRightLowerLeg] = ExpRotation({-0.4, 0.1, 0.05});
    pose.R_PJ[kLeftFoot] = ExpRotation({0.1, 0.9, 0.0});
    take.observed.frame(25)[3] = Unseen();
  }

  double Cost(const BodyPose& at) const {
    BodyKinematics kinematics;
    kinematics.Update(made.actor.p_PJ, at);
    return FrameCost(made.actor, kinematics, at, take.observed.frame(25),
                     weighting);
  }
};

/// The set has no markers on the toes.
void FixToes(TreeSystem& system) {
  system.SetFixed(kLeftToes + 1, true);
  system.SetFixed(kRightToes + 1, true);
}

class FrameGradient : public testing::TestWithParam<double> {};

TEST_P(FrameGradient, EqualsFiniteDifferences) {
  Scene scene;
  scene.weighting.robust_scale = GetParam();
  BodyKinematics kinematics;
  kinematics.Update(scene.made.actor.p_PJ, scene.pose);
  TreeSystem system;
  FixToes(system);
  system.Clear();
  const double cost =
      AddFrame(scene.made.actor, kinematics, scene.pose,
               scene.take.observed.frame(25), scene.weighting, system);
  EXPECT_NEAR(cost, scene.Cost(scene.pose), 1e-9 * cost);
  constexpr double kStep = 1e-6;
  for (int b = 0; b < kNumBlocks; ++b) {
    if (system.is_fixed(b)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      std::array<Vector3, kNumBlocks> x;
      x.fill(Vector3::Zero());
      x[b][axis] = kStep;
      BodyPose ahead = scene.pose;
      Move(ahead, x);
      x[b][axis] = -kStep;
      BodyPose behind = scene.pose;
      Move(behind, x);
      const double difference =
          (scene.Cost(ahead) - scene.Cost(behind)) / (2 * kStep);
      EXPECT_NEAR(system.g(b)[axis], difference,
                  1e-5 * (1 + std::abs(difference)))
          << "block " << b << " axis " << axis;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(
    PlainAndRobust, FrameGradient,
    testing::Values(std::numeric_limits<double>::infinity(), 5.0));

TEST(FrameEquations, MatrixOfMarkersEqualsJacobianProduct) {
  Scene scene;
  // Markers only: no priors, no robust loss.
  scene.weighting.robust_scale = std::numeric_limits<double>::infinity();
  const Actor& actor = scene.made.actor;
  BodyKinematics kinematics;
  kinematics.Update(actor.p_PJ, scene.pose);
  TreeSystem system;
  system.Clear();
  AddFrame(actor, kinematics, scene.pose, scene.take.observed.frame(25),
           scene.weighting, system);
  MatrixX H;
  system.ToDense(H);
  const auto places = [&](const BodyPose& pose) {
    BodyKinematics at;
    at.Update(actor.p_PJ, pose);
    VectorX p(3 * actor.markers.size());
    for (std::size_t m = 0; m < actor.markers.size(); ++m) {
      const ActorMarker& marker = actor.markers[m];
      p.segment<3>(3 * m) =
          at.p_WJ[marker.segment] + at.R_WJ[marker.segment] * marker.p_JM;
      if (!IsSeen(scene.take.observed.frame(25)[m])) {
        p.segment<3>(3 * m).setZero();
      }
    }
    return p;
  };
  constexpr double kStep = 1e-6;
  MatrixX J(3 * actor.markers.size(), kNumUnknowns);
  for (int k = 0; k < kNumUnknowns; ++k) {
    std::array<Vector3, kNumBlocks> x;
    x.fill(Vector3::Zero());
    x[k / 3][k % 3] = kStep;
    BodyPose ahead = scene.pose;
    Move(ahead, x);
    x[k / 3][k % 3] = -kStep;
    BodyPose behind = scene.pose;
    Move(behind, x);
    J.col(k) = (places(ahead) - places(behind)) / (2 * kStep);
  }
  MatrixX expected = J.transpose() * J;
  expected /= scene.weighting.sigma_marker * scene.weighting.sigma_marker;
  for (int b = 0; b < kNumBlocks; ++b) {
    for (int a = 0; a < b; ++a) {
      // Priors stand on the diagonal only.
      EXPECT_LE(
          (H.block<3, 3>(3 * a, 3 * b) - expected.block<3, 3>(3 * a, 3 * b))
              .norm(),
          1e-5 * expected.norm())
          << a << " " << b;
    }
  }
  EXPECT_LE((H.block<3, 3>(0, 0) - expected.block<3, 3>(0, 0)).norm(),
            1e-6 * expected.norm());
}

TEST(TreeSystem, StepEqualsDenseSolve) {
  Scene scene;
  BodyKinematics kinematics;
  kinematics.Update(scene.made.actor.p_PJ, scene.pose);
  TreeSystem system;
  FixToes(system);
  system.Clear();
  AddFrame(scene.made.actor, kinematics, scene.pose,
           scene.take.observed.frame(25), scene.weighting, system);
  constexpr double kDamping = 0.5;
  MatrixX H;
  system.ToDense(H);
  VectorX g = VectorX::Zero(kNumUnknowns);
  for (int b = 0; b < kNumBlocks; ++b) {
    if (!system.is_fixed(b)) g.segment<3>(3 * b) = system.g(b);
    for (int axis = 0; axis < 3; ++axis) {
      H(3 * b + axis, 3 * b + axis) += kDamping;
    }
  }
  const VectorX expected = -H.ldlt().solve(g);
  system.Factor(kDamping);
  std::array<Vector3, kNumBlocks> x;
  system.Solve(x);
  for (int b = 0; b < kNumBlocks; ++b) {
    EXPECT_LE((x[b] - expected.segment<3>(3 * b)).norm(),
              1e-9 * expected.norm())
        << b;
  }
  // The same right-hand side as a further one: gᵀ H⁻¹ g = zᵀ D⁻¹ z.
  VectorX z = g;
  system.Eliminate(z);
  double product = 0.0;
  for (int b = 0; b < kNumBlocks; ++b) {
    if (system.is_fixed(b)) continue;
    EXPECT_LE((z.segment<3>(3 * b) - system.g(b)).norm(), 1e-9 * z.norm());
    const Vector3 part = z.segment<3>(3 * b);
    product += part.dot(system.inverse(b) * part);
  }
  EXPECT_NEAR(product, -g.dot(expected), 1e-9 * product);
  // One that is zero beside the way to a hand stays so.
  VectorX one_limb = VectorX::Zero(kNumUnknowns);
  const int hand = kLeftHand + 1;
  for (int d = 0; d <= Blocks().depth[hand]; ++d) {
    const int b = Blocks().path[hand][d];
    one_limb.segment<3>(3 * b) = g.segment<3>(3 * b);
  }
  VectorX by_path = one_limb;
  system.Eliminate(one_limb);
  system.Eliminate(hand, by_path);
  EXPECT_LE((one_limb - by_path).norm(), 1e-12 * one_limb.norm());
}

TEST(SweepInverse, EqualsInverse) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (const int n : {3, 6, 21, 60, 66}) {
    MatrixX G(n, n);
    for (double& value : G.reshaped()) value = normal(random);
    const MatrixX A = G * G.transpose() + MatrixX::Identity(n, n);
    MatrixX inverse = A;
    inverse.triangularView<Eigen::StrictlyUpper>().setConstant(1e9);
    MatrixX scratch;
    InvertBySweeps(inverse, scratch);
    EXPECT_LE((inverse * A - MatrixX::Identity(n, n)).norm(), 1e-9) << n;
  }
}

TEST(CalibrationFit, GradientEqualsFiniteDifferences) {
  Scene scene;
  std::vector<Vector3> places;
  std::vector<double> spreads;
  for (const SetMarker& marker : scene.take.markers) {
    places.push_back(marker.at);
    spreads.push_back(marker.spread);
  }
  const std::vector<Measure> measures =
      BodyMeasures(scene.made.actor, 1.0, true);
  CalibrationFit fit(scene.made.actor, measures, places, spreads);
  fit.AddFrame(scene.take.observed.frame(25), scene.pose);
  fit.AddFrame(scene.take.observed.frame(10), scene.made.poses[12]);
  const VectorX gradient = fit.ParameterGradient(scene.weighting);
  ASSERT_EQ(gradient.size(),
            Eigen::Index(measures.size() + 3 * scene.take.markers.size()));
  constexpr double kStep = 1e-6;
  for (Eigen::Index k = 0; k < gradient.size(); ++k) {
    VectorX step = VectorX::Zero(gradient.size());
    step[k] = kStep;
    CalibrationFit ahead = fit;
    ahead.MoveParameters(step);
    CalibrationFit behind = fit;
    behind.MoveParameters(-step);
    const double difference =
        (ahead.Cost(scene.weighting) - behind.Cost(scene.weighting)) /
        (2 * kStep);
    EXPECT_NEAR(gradient[k], difference, 1e-4 * (1 + std::abs(difference)))
        << k;
  }
}

TEST(Smoother, StopsWhereTheSumOfAllCostsHasNoSlope) {
  const SyntheticTake made =
      MakeSyntheticTake({.num_frames = 20, .noise = 0.004});
  PreparedTake take = Prepare(made.take);
  // A gap, so that the temporal term decides somewhere.
  for (int t = 8; t < 14; ++t) {
    for (int m = 0; m < take.observed.num_markers; ++m) {
      if (made.actor.markers[m].segment == kLeftHand) {
        take.observed.frame(t)[m] = Unseen();
      }
    }
  }
  Weighting weighting;
  BlockWeights weights;
  weights.fill(30.0);
  std::vector<BodyPose> poses = made.poses;
  Smoother smoother(made.actor, weighting, weights);
  const double last = smoother.Improve(take.observed, 0, 20, 60, 1e-10, poses);
  EXPECT_LT(last, 1e-6);
  const auto cost = [&](const std::vector<BodyPose>& at) {
    double sum = 0.0;
    BodyKinematics kinematics;
    for (std::size_t t = 0; t < at.size(); ++t) {
      kinematics.Update(made.actor.p_PJ, at[t]);
      sum += FrameCost(made.actor, kinematics, at[t],
                       take.observed.frame(std::int64_t(t)), weighting);
      if (t > 0) sum += PullCost(at[t], at[t - 1], weights);
    }
    return sum;
  };
  constexpr double kStep = 1e-5;
  for (const int b : {0, 1, kLeftForearm + 1, kLeftHand + 1, kRightFoot + 1}) {
    for (const std::size_t t : {0u, 7u, 10u, 19u}) {
      std::array<Vector3, kNumBlocks> x;
      x.fill(Vector3::Zero());
      x[b][1] = kStep;
      std::vector<BodyPose> ahead = poses;
      Move(ahead[t], x);
      x[b][1] = -kStep;
      std::vector<BodyPose> behind = poses;
      Move(behind[t], x);
      // Against a curvature of thousands.
      EXPECT_NEAR((cost(ahead) - cost(behind)) / (2 * kStep), 0.0, 0.05)
          << b << " " << t;
    }
  }
}

}  // namespace
}  // namespace limber::test
