// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/scene/figure_scene.h"

#include <utility>

#include "core/file.h"
#include "figure/dynamic/scene/internal/figure_scene_reader.h"

namespace limber::figure {

Result<FigureScene> ParseFigureScene(std::string_view text,
                                     const std::string& file,
                                     const FigureSceneOptions& options) {
  const Result<JsonValue> json = ParseJson(text, file);
  if (!json) return Result<FigureScene>(json.diagnostics());
  Diagnostics diagnostics(file);
  FigureScene scene;
  scene.scene = std::make_unique<dynamics::Scene>();
  JsonObject root(*json, "a scene", diagnostics);
  internal::FigureSceneReader reader(
      scene, std::filesystem::path(file).parent_path(), options, diagnostics);
  // Whoever stands in a scene comes first, so that props can be put into hands;
  // without the figures every name after them would be a mistake more.
  bool complete = false;
  ReadSceneWorld(root, *scene.scene, diagnostics, [&] {
    if (options.rate_hz > 0.0) scene.scene->step = 1.0 / options.rate_hz;
    scene.stage =
        std::make_unique<Stage>(scene.scene->world, 1.0 / scene.scene->step);
    const std::size_t before = diagnostics.all().size();
    reader.ReadFigures(root);
    complete = diagnostics.all().size() == before || !diagnostics.has_errors();
    return complete;
  });
  if (!complete) return {std::move(scene), std::move(diagnostics)};
  scene.scene->shapes.resize(
      static_cast<std::size_t>(scene.scene->world.num_bodies()));
  reader.ReadGoals(root);
  reader.ReadCriteria(root);
  root.Finish();
  return {std::move(scene), std::move(diagnostics)};
}

Result<FigureScene> ReadFigureScene(const std::filesystem::path& path,
                                    const FigureSceneOptions& options) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text) return Result<FigureScene>(text.diagnostics());
  return ParseFigureScene(*text, PathText(path), options);
}

}  // namespace limber::figure
