// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/scene/figure_scene.h"

#include <sstream>
#include <utility>

#include "core/file.h"
#include "figure/dynamic/scene/internal/figure_scene_reader.h"

namespace limber::figure {

std::string WrongLength(double seconds, double step, std::size_t num_figures) {
  const std::string wrong = dynamics::WrongLength(seconds, step);
  if (!wrong.empty() || num_figures == 0) return wrong;
  const double most =
      kMostRecordedSteps * step / static_cast<double>(num_figures);
  if (seconds <= most) return "";
  std::ostringstream text;
  text << "the motion of every figure is kept: with " << num_figures
       << " in steps of " << step << " s a scene plays for at most " << most
       << " s, found " << seconds << " s";
  return text.str();
}

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
  const std::string wrong = WrongLength(
      scene.scene->duration, scene.scene->step, scene.figures.size());
  if (!wrong.empty() && !diagnostics.has_errors()) {
    root.Error("duration", "out-of-range", wrong);
  }
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
