// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/scene/figure_scene.h"
#include "mocap/io/bvh.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/test_data.h"

// Only reads; fuzz_scene_play.cpp also plays what was read.
LIMBER_FUZZ(scene, bytes) {
  using namespace limber;
  figure::FigureSceneOptions options;
  options.read_clip = [](const std::filesystem::path& path) {
    return mocap::ReadBvhFileGuessed(path);
  };
  const Result<figure::FigureScene> scene = figure::ParseFigureScene(
      bytes, test::BundledData("scenes/fuzz.json").string(), options);
  if (!scene.ok()) return;
  fuzz::Demand(scene->scene->step > 0.0 && scene->scene->duration >= 0.0,
               "a scene that is read has a step and a duration");
}
