// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "dynamics/scene/scene.h"
#include "figure/dynamic/goals.h"
#include "figure/dynamic/scene/criterion.h"
#include "figure/dynamic/stage.h"
#include "figure/motion.h"

namespace limber::figure {

/// Every step of every figure is recorded, some 3 KB each: a play has at most
/// so many, an hour of one figure at 240 Hz, so that it ends in memory.
inline constexpr double kMostRecordedSteps = 1e6;

/// What forbids to play `seconds` of a scene with `num_figures` figures in
/// steps of `step`, or nothing, as `dynamics::WrongLength`.
std::string WrongLength(double seconds, double step, std::size_t num_figures);

/// What the caller of the reader decides.
struct FigureSceneOptions {
  /// Reads a clip in metres, +Y up; this layer knows no motion formats. A scene
  /// that names a clip is refused without it.
  std::function<Result<Motion>(const std::filesystem::path&)> read_clip;
  /// Steps per second instead of those of the file; 0 leaves them.
  double rate_hz = 0.0;
};

/// Markers that lead a figure: where each is to be, and whether it is seen.
struct SceneMarkers {
  MarkerPull* pull = nullptr;
  std::vector<MarkerPull::Marker> markers;
  std::function<Vector3(int index, double time)> position;
  std::function<bool(int index, double time)> seen;
};

/// A figure of a scene. The stage owns the performer.
struct SceneFigure {
  std::string name;
  Performer* performer = nullptr;
  int index = 0;                                   ///< On the stage.
  std::shared_ptr<AnimationController> animation;  ///< Null for a rag doll.
  /// Of the first clip, for writers; the defaults for a rag doll.
  MotionSource source;
  double clip_rate_hz = 60.0;
};

/// A scene file with figures, or without (docs/scenes.md): the props and names
/// of `dynamics::Scene`, and a stage on its world that plays everything.
/// Segments of figure "walker" are bodies of the scene: "walker/right-hand" by
/// role, "walker/RightHand" by name.
struct FigureScene {
  std::unique_ptr<dynamics::Scene> scene;  ///< Holds the world.
  std::unique_ptr<Stage> stage;
  std::vector<SceneFigure> figures;
  std::map<std::string, PointAt*, std::less<>> point_goals;
  std::map<std::string, SceneMarkers, std::less<>> marker_goals;
  std::vector<Criterion> criteria;
};

/// Reads a scene. Every mistake is reported with file, line, column and the
/// valid words; there is a scene only if there is none. Files that the scene
/// names are found from its own folder.
Result<FigureScene> ReadFigureScene(const std::filesystem::path& path,
                                    const FigureSceneOptions& options);
/// @param file  for messages, and whose folder paths are relative to.
Result<FigureScene> ParseFigureScene(std::string_view text,
                                     const std::string& file,
                                     const FigureSceneOptions& options);

}  // namespace limber::figure
