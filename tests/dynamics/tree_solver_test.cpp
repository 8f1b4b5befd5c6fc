// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "dynamics/constraints/point_to_point.h"
#include "tests/dynamics/allocation_count.h"
#include "tests/dynamics/random_trees.h"
#include "tests/dynamics/tree_comparison.h"
#include "tests/scenes/peer_scenes.h"

namespace limber {
namespace {

using dynamics::BodyMotion;
using dynamics::SolverKind;
using dynamics::World;
using test::Difference;
using test::Kick;
using test::MakeRandomTree;
using test::RandomTree;
using test::SetSolver;
using test::StepWith;

using test::kStep;

// V-16, V-17: the tree solver gives the answer of the dense one.
TEST(TreeSolver, VelocitiesEqualDenseOnRandomTrees) {
  test::RandomTreeOptions options;
  options.max_bodies = 14;
  double worst = 0.0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    RandomTree tree = MakeRandomTree(seed, options);
    SetSolver(tree.world, SolverKind::kDense);
    tree.world.Step(kStep);
    for (int step = 0; step < 2; ++step) {
      const auto state = tree.world.Save();
      const Kick dense = StepWith(tree, SolverKind::kDense);
      tree.world.Restore(*state);
      const Kick by_tree = StepWith(tree, SolverKind::kTree);
      const double difference = Difference(dense, by_tree);
      EXPECT_LE(difference, 1e-9) << "seed " << seed << " step " << step;
      EXPECT_LE(by_tree.report.residual, 1e-8) << "seed " << seed;
      worst = std::max(worst, difference);
    }
  }
  RecordProperty("worst_difference", std::to_string(worst));
}

// Nails and paths on the bodies of random trees, with every policy and softness
// that the solver has a form for, and some that it has none for.
TEST(TreeSolver, PointRowsEqualDenseOnRandomTrees) {
  using dynamics::Stabilisation;
  test::RandomTreeOptions options;
  options.max_bodies = 12;
  const std::vector<Stabilisation> policies = {
      Stabilisation(), Stabilisation::Implicit(),
      Stabilisation::Spring(500.0, 20.0), Stabilisation::Baumgarte(5.0, 0.0)};
  for (unsigned seed = 300; seed < 340; ++seed) {
    RandomTree tree = MakeRandomTree(seed, options);
    std::vector<const dynamics::Constraint*> points;
    for (std::size_t i = 0; i < tree.bodies.size(); i += 2) {
      dynamics::RowSettings settings;
      settings.stabilisation = policies[(seed + i / 2) % 4];
      settings.softness = i % 3 == 0 ? 1e-3 : 1e-1;
      if (i % 5 == 0) settings.lo = -20.0;
      const dynamics::BodyPoint point{tree.bodies[i], Vector3(0.1, 0.0, -0.1)};
      const Vector3 start = tree.world.X_WB(point.body) * point.p_BA;
      if (i % 4 == 0) {
        auto& nail = tree.world.Add(
            dynamics::PointNail(point, start + Vector3(0.01, 0.0, 0.02)));
        nail.set_settings(settings);
        points.push_back(&nail);
      } else {
        auto& path = tree.world.Add(dynamics::PointOnPath(
            point, [start](double t) -> dynamics::PointOnPath::Sample {
              return {start + Vector3(0.5 * t, t * t, 0.0),
                      Vector3(0.5, 2.0 * t, 0.0), Vector3(0.0, 2.0, 0.0)};
            }));
        path.set_settings(settings);
        points.push_back(&path);
      }
    }
    SetSolver(tree.world, SolverKind::kDense);
    tree.world.Step(kStep);
    const auto state = tree.world.Save();
    const Kick dense = StepWith(tree, SolverKind::kDense);
    std::vector<std::vector<double>> impulses;
    for (const dynamics::Constraint* point : points) {
      impulses.emplace_back(point->impulses().begin(), point->impulses().end());
    }
    tree.world.Restore(*state);
    const Kick by_tree = StepWith(tree, SolverKind::kTree);
    EXPECT_LE(Difference(dense, by_tree), 1e-9) << "seed " << seed;
    for (std::size_t k = 0; k < points.size(); ++k) {
      ASSERT_EQ(points[k]->impulses().size(), 3u);
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(points[k]->impulses()[i], impulses[k][i],
                    1e-7 * (1.0 + std::abs(impulses[k][i])))
            << "seed " << seed << " point " << k;
      }
    }
  }
}

TEST(TreeSolver, ImpulsesEqualDenseInTheOrderOfTheRows) {
  test::RandomTreeOptions options;
  options.max_bodies = 10;
  options.loops = false;
  options.contacts = false;
  for (unsigned seed = 100; seed < 120; ++seed) {
    RandomTree tree = MakeRandomTree(seed, options);
    SetSolver(tree.world, SolverKind::kDense);
    tree.world.Step(kStep);
    const auto state = tree.world.Save();
    const Kick dense = StepWith(tree, SolverKind::kDense);
    tree.world.Restore(*state);
    const Kick by_tree = StepWith(tree, SolverKind::kTree);
    for (std::size_t j = 0; j < tree.joints.size(); ++j) {
      ASSERT_EQ(dense.impulses[j].size(), by_tree.impulses[j].size());
      for (std::size_t i = 0; i < dense.impulses[j].size(); ++i) {
        EXPECT_NEAR(dense.impulses[j][i], by_tree.impulses[j][i],
                    1e-7 * (1.0 + std::abs(dense.impulses[j][i])))
            << "seed " << seed << " joint " << j << " row " << i;
      }
    }
  }
}

TEST(TreeSolver, ChainKeepsTogetherAndLosesLittle) {
  const scenes::PeerScene scene = scenes::Chain(32);
  scenes::PlayedScene played = scenes::Play(scene);
  const double energy = scenes::Energy(played.world);
  double gap = 0.0;
  double most = energy;
  for (int i = 0; i < 1200; ++i) {
    played.world.Step(scene.step);
    gap = std::max(gap, scenes::LargestGap(scene, played));
    most = std::max(most, scenes::Energy(played.world));
    if (i == 239) {
      const Vector3 tip(5.071844861, 0.0, -4.904952966);
      EXPECT_LT((played.world.motion(played.bodies.back()).p_WC - tip).norm(),
                2e-4);
    }
  }
  const double scale = scenes::EnergyScale(scene);
  EXPECT_LT(gap, 1e-3);
  EXPECT_LT((most - energy) / scale, 1e-3);
  EXPECT_GT((scenes::Energy(played.world) - energy) / scale, -0.29);
}

TEST(TreeSolver, TrackedFigureFollowsWithOneFactorisationAtMost) {
  const scenes::PeerScene scene = scenes::TrackedFigure();
  scenes::PlayedScene played = scenes::Play(scene);
  double square = 0.0;
  long count = 0;
  int saturated = 0;
  for (int i = 0; i < 480; ++i) {
    const std::vector<Quaternion> targets =
        TrackingTargets(scene, (i + 1) * scene.step);
    for (std::size_t j = 1; j < played.joints.size(); ++j) {
      played.joints[j]->set_target(targets[j]);
    }
    saturated += played.world.Step(scene.step).factorisations > 1;
    if (i < 239) continue;
    for (std::size_t j = 1; j < played.joints.size(); ++j) {
      const Quaternion R_WP = played.world.X_WB(played.joints[j]->parent()).R;
      const Quaternion R_WB = played.world.X_WB(played.joints[j]->child()).R;
      const double angle = AngleBetween(R_WP.conjugate() * R_WB, targets[j]);
      square += angle * angle;
      ++count;
    }
  }
  EXPECT_LT(std::sqrt(square / static_cast<double>(count)), 1e-5);
  // A dozen steps at the start ask for more than 200 N m.
  EXPECT_LE(saturated, 15);
}

TEST(TreeSolver, StepAllocatesNothingAfterTheFirst) {
  const scenes::PeerScene scene = scenes::TrackedFigure();
  scenes::PlayedScene played = scenes::Play(scene);
  const std::vector<Quaternion> targets = TrackingTargets(scene, 0.3);
  for (std::size_t j = 1; j < played.joints.size(); ++j) {
    played.joints[j]->set_target(targets[j]);
  }
  for (int i = 0; i < 3; ++i) played.world.Step(scene.step);
  const long before = test::AllocationCount();
  for (int i = 0; i < 100; ++i) played.world.Step(scene.step);
  EXPECT_EQ(test::AllocationCount() - before, 0);
}

// The figure of S3 while no motor saturates: one factorisation a step where
// drives are soft, and none where they are hard, since then all is held.
TEST(TreeSolver, UnsaturatedFigureNeedsOneFactorisationAStep) {
  scenes::PeerScene scene = scenes::TrackedFigure();
  scene.max_torque = 1e6;
  for (const double softness : {0.0, 1e-5}) {
    scenes::PlayedScene played = scenes::Play(scene);
    for (dynamics::BallJoint* joint : played.joints) {
      if (joint == nullptr) continue;
      for (int k = 0; k < 3; ++k) joint->axis(k).softness = softness;
    }
    for (int i = 0; i < 480; ++i) {
      const std::vector<Quaternion> targets =
          TrackingTargets(scene, (i + 1) * scene.step);
      for (std::size_t j = 1; j < played.joints.size(); ++j) {
        played.joints[j]->set_target(targets[j]);
      }
      const dynamics::StepReport& report = played.world.Step(scene.step);
      ASSERT_EQ(report.factorisations, softness > 0.0 ? 1 : 0) << i;
      ASSERT_LE(report.residual, 1e-8) << i;
    }
  }
}

// Both feet on the ground, ankles that saturate, legs that move, 32 rows of
// contact with friction. 2.5 factorisations a step are asked for; 1.4 and 2.1
// are reached. The motion of the stiffer one is chaotic after some seconds, so
// that a millionth of the softness changes the mean over a run by a tenth:
// three runs count.
TEST(TreeSolver, StandingFigureNeedsFewFactorisations) {
  constexpr int kSteps = 1200;
  for (const double softness : {1e-2, 1e-3}) {
    long factorisations = 0;
    for (const double share : {0.99, 1.0, 1.01}) {
      scenes::StandingFigure figure =
          scenes::MakeStandingFigure(share * softness);
      for (int i = 0; i < kSteps; ++i) {
        figure.SetTargets((i + 1) * kStep);
        const dynamics::StepReport& report = figure.played.world.Step(kStep);
        factorisations += report.factorisations;
        ASSERT_EQ(report.status, dynamics::LcpStatus::kSolved) << i;
        ASSERT_LE(report.residual, 1e-8) << i;
        if (i != kSteps / 2) continue;
        // It stands: the hips have not sunk.
        const Vector3 hips =
            figure.played.world.motion(figure.played.bodies[0]).p_WC;
        EXPECT_GT(hips.z(), 0.9) << softness;
      }
    }
    EXPECT_LE(static_cast<double>(factorisations) / (3 * kSteps), 2.5)
        << softness;
  }
}

// V-82: the iterative solver comes near the exact answer, nearer with more
// sweeps, and says how near.
TEST(GaussSeidel, ApproachesTheDenseAnswer) {
  test::RandomTreeOptions options;
  options.max_bodies = 6;
  options.loops = false;
  RandomTree tree = MakeRandomTree(7, options);
  SetSolver(tree.world, SolverKind::kDense);
  tree.world.Step(kStep);
  const auto state = tree.world.Save();
  const Kick dense = StepWith(tree, SolverKind::kDense);
  std::vector<double> differences;
  std::vector<double> residuals;
  for (const int sweeps : {20, 200, 20000}) {
    tree.world.Restore(*state);
    dynamics::WorldSettings settings = tree.world.settings();
    settings.gauss_seidel_sweeps = sweeps;
    tree.world.set_settings(settings);
    const Kick kick = StepWith(tree, SolverKind::kGaussSeidel);
    differences.push_back(Difference(dense, kick));
    residuals.push_back(kick.report.residual);
  }
  EXPECT_LT(differences[1], differences[0]);
  EXPECT_LT(differences[2], 1e-4);
  EXPECT_LT(residuals[2], residuals[0]);
}

TEST(TreeSolver, SameBitsInEveryRunAndAfterRestore) {
  test::RandomTreeOptions options;
  options.max_bodies = 20;
  for (unsigned seed = 200; seed < 206; ++seed) {
    RandomTree one = MakeRandomTree(seed, options);
    RandomTree two = MakeRandomTree(seed, options);
    for (int i = 0; i < 10; ++i) {
      one.world.Step(kStep);
      two.world.Step(kStep);
    }
    const auto state = one.world.Save();
    for (int i = 0; i < 10; ++i) {
      one.world.Step(kStep);
      two.world.Step(kStep);
    }
    std::vector<BodyMotion> first(one.world.motions().begin(),
                                  one.world.motions().end());
    one.world.Restore(*state);
    for (int i = 0; i < 10; ++i) one.world.Step(kStep);
    for (std::size_t b = 0; b < first.size(); ++b) {
      const BodyMotion& again = one.world.motions()[b];
      const BodyMotion& other = two.world.motions()[b];
      EXPECT_TRUE(first[b].p_WC == again.p_WC && first[b].w_WB == again.w_WB);
      EXPECT_TRUE(first[b].p_WC == other.p_WC && first[b].w_WB == other.w_WB);
    }
  }
}

}  // namespace
}  // namespace limber
