// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/scene/simulate.h"
#include "mocap/io/bvh.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/test_data.h"

namespace {

/// So that an input takes milliseconds: the number of bodies, and of steps
/// that are played.
constexpr int kMostBodies = 60;
constexpr double kSteps = 20.0;

limber::Result<limber::figure::Motion> ReadClip(
    const std::filesystem::path& path) {
  return limber::mocap::ReadBvhFileGuessed(path);
}

}  // namespace

// A scene that is read can be played, and stays finite or says that it did not.
LIMBER_FUZZ(scene_play, bytes) {
  using namespace limber;
  figure::FigureSceneOptions options;
  options.read_clip = ReadClip;
  Result<figure::FigureScene> scene = figure::ParseFigureScene(
      bytes, test::BundledData("scenes/fuzz.json").string(), options);
  if (!scene.ok()) return;
  dynamics::World& world = scene.value().scene->world;
  if (world.num_bodies() > kMostBodies) return;
  const figure::SceneOutcome outcome =
      figure::SimulateScene(scene.value(), kSteps * scene.value().scene->step);
  fuzz::Demand(outcome.seconds >= 0.0, "time goes on");
}
