// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "tests/scenes/peer_scenes.h"

namespace limber {
namespace {

using scenes::MarkerDrivenFigure;
using scenes::MarkerTargets;
using scenes::PeerScene;
using scenes::PlayedScene;

Vector3 MarkerPoint(const PlayedScene& played, const scenes::Marker& marker) {
  const std::size_t s = static_cast<std::size_t>(marker.segment);
  return played.world.X_WB(played.bodies[s]) * marker.p_SA;
}

TEST(MarkerFigure, SceneIsTheOneOfTheComparison) {
  const PeerScene scene = MarkerDrivenFigure();
  EXPECT_EQ(scene.segments.size(), 21u);
  EXPECT_EQ(scene.markers.size(), 41u);
  double mass = 0.0;
  for (const scenes::Segment& segment : scene.segments) mass += segment.mass;
  EXPECT_NEAR(mass, 75.0, 1e-12);
  // Every segment is seen, and at the start every marker is on its target.
  std::vector<int> seen(scene.segments.size(), 0);
  const std::vector<Vector3> targets = MarkerTargets(scene, 0.0);
  for (std::size_t i = 0; i < scene.markers.size(); ++i) {
    const std::size_t s = static_cast<std::size_t>(scene.markers[i].segment);
    ++seen[s];
    EXPECT_LT(
        (scene.segments[s].com + scene.markers[i].p_SA - targets[i]).norm(),
        1e-15);
  }
  for (const int count : seen) EXPECT_GE(count, 1);
}

TEST(MarkerFigure, MarkersAreFollowedWithOneFactorisationPerStep) {
  const PeerScene scene = MarkerDrivenFigure();
  PlayedScene played = scenes::Play(scene);
  double square_sum = 0.0;
  int count = 0;
  for (int i = 1; i <= 480; ++i) {
    const std::vector<Vector3> targets = MarkerTargets(scene, i * scene.step);
    played.MoveMarkers(targets, scene.step);
    const dynamics::StepReport& report = played.world.Step(scene.step);
    ASSERT_EQ(report.status, dynamics::LcpStatus::kSolved) << "step " << i;
    EXPECT_EQ(report.num_rows, 3 * (20 + 41)) << "step " << i;
    EXPECT_EQ(report.factorisations, 1) << "step " << i;
    if (i < 240) continue;
    for (std::size_t m = 0; m < targets.size(); ++m) {
      square_sum +=
          (MarkerPoint(played, scene.markers[m]) - targets[m]).squaredNorm();
      ++count;
    }
  }
  // Gravity alone lets the springs give way by 75 kg g / (41 k) = 0.9 mm.
  EXPECT_LT(std::sqrt(square_sum / count), 2e-3);
  EXPECT_GT(std::sqrt(square_sum / count), 0.5e-3);
  EXPECT_LT(scenes::LargestGap(scene, played), 1e-6);
}

// Velocities at the kick, as in tree_comparison.h.
std::vector<dynamics::BodyMotion> StepWith(PlayedScene& played, double h,
                                           dynamics::SolverKind solver) {
  dynamics::WorldSettings settings = played.world.settings();
  settings.solver = solver;
  played.world.set_settings(settings);
  played.world.Step(h);
  return played.world.SynchronisedMotions();
}

TEST(MarkerFigure, TreeEqualsDenseFromTheSameState) {
  const PeerScene scene = MarkerDrivenFigure();
  PlayedScene played = scenes::Play(scene);
  for (int i = 1; i <= 48; ++i) {
    played.MoveMarkers(MarkerTargets(scene, i * scene.step), scene.step);
    const auto state = played.world.Save();
    const auto dense =
        StepWith(played, scene.step, dynamics::SolverKind::kDense);
    played.world.Restore(*state);
    const auto tree = StepWith(played, scene.step, dynamics::SolverKind::kTree);
    for (std::size_t b = 0; b < tree.size(); ++b) {
      EXPECT_LT((tree[b].v_WC - dense[b].v_WC).norm(), 1e-9) << "step " << i;
      EXPECT_LT((tree[b].w_WB - dense[b].w_WB).norm(), 1e-9) << "step " << i;
    }
  }
}

}  // namespace
}  // namespace limber
