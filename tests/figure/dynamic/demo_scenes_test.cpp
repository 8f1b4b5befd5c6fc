// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0

// The demonstration scenes V-50 to V-62 as scene files, each played for its
// full length; the pass criteria stand in the files.
#include <gtest/gtest.h>

#include <cstdio>
#include <ostream>
#include <string>

#include "figure/dynamic/scene/simulate.h"
#include "mocap/io/bvh.h"
#include "tests/support/test_data.h"

namespace limber::figure {
namespace {

struct Demo {
  const char* id;    ///< Row of the inventory.
  const char* file;  ///< In data/scenes.
  int num_criteria;
};

void PrintTo(const Demo& demo, std::ostream* out) { *out << demo.file; }

class DemoScene : public testing::TestWithParam<Demo> {};

TEST_P(DemoScene, MeetsItsCriteria) {
  FigureSceneOptions options;
  options.read_clip = [](const std::filesystem::path& path) {
    return mocap::ReadBvhFileGuessed(path);
  };
  Result<FigureScene> scene = ReadFigureScene(
      test::BundledData(std::string("scenes/") + GetParam().file), options);
  ASSERT_TRUE(scene) << scene.diagnostics().ToString();
  // A criterion that is lost from a file would not be missed otherwise.
  EXPECT_EQ(static_cast<int>(scene->criteria.size()), GetParam().num_criteria);
  const SceneOutcome outcome = SimulateScene(scene.value());
  EXPECT_TRUE(outcome.finite);
  EXPECT_NEAR(outcome.seconds, scene->scene->duration, scene->scene->step);
  // The inventory does not ask for it: hardly a step is left unsolved.
  EXPECT_LE(outcome.unsolved_steps, outcome.num_steps / 1000);
  for (const Verdict& verdict : outcome.verdicts) {
    std::printf("%s %s: %.4g %s in (%.4g, %.4g)\n", GetParam().id,
                verdict.name.c_str(), verdict.value, verdict.unit.c_str(),
                verdict.above, verdict.below);
    EXPECT_TRUE(verdict.met)
        << verdict.name << ": " << verdict.value << " " << verdict.unit
        << " is not in (" << verdict.above << ", " << verdict.below << ")";
  }
}

std::string NameOf(const testing::TestParamInfo<Demo>& info) {
  return info.param.id;
}

INSTANTIATE_TEST_SUITE_P(
    Inventory, DemoScene,
    testing::Values(
        Demo{"V50", "animation.json", 5}, Demo{"V51", "loose_arms.json", 8},
        Demo{"V52", "limited_forces.json", 6}, Demo{"V53", "obstacles.json", 2},
        Demo{"V54", "pointing_arm.json", 3}, Demo{"V55", "basket.json", 4},
        Demo{"V56", "umbrella.json", 3}, Demo{"V57", "fat_man.json", 5},
        Demo{"V58", "combined.json", 6}, Demo{"V59", "by_markers.json", 3},
        Demo{"V60", "hanged_man.json", 4}, Demo{"V61", "staircase.json", 4},
        Demo{"V62", "walk_against_wall.json", 5}),
    NameOf);

}  // namespace
}  // namespace limber::figure
