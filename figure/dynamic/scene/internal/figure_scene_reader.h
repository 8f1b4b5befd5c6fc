// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_document.h"
#include "figure/dynamic/scene/figure_scene.h"

namespace limber::figure::internal {

/// Fills a scene with what the layer of figures adds to a scene file.
class FigureSceneReader {
 public:
  FigureSceneReader(FigureScene& scene, std::filesystem::path folder,
                    const FigureSceneOptions& options,
                    Diagnostics& diagnostics);

  /// Before the bodies of the file are read.
  void ReadFigures(JsonObject& root);
  /// After everything else.
  void ReadGoals(JsonObject& root);
  void ReadCriteria(JsonObject& root);

 private:
  /// One figure while it is read.
  struct Draft {
    std::shared_ptr<const FigureModel> model;
    MotionTrack track;
    std::optional<Motion> first_clip;
    Pose start;  ///< Of a rag doll.
  };
  using SegmentList = std::vector<int>;

  // Figures (figure_reader.cpp).
  void ReadFigure(JsonObject& object);
  std::optional<FigureModel> ReadModel(JsonObject& object);
  std::vector<std::optional<Motion>> ReadClips(JsonObject& object);
  void ReadTrack(JsonObject& object, const std::vector<Motion>& clips,
                 Draft& draft);
  std::shared_ptr<AnimationController> ReadAnimation(JsonObject& object,
                                                     const Draft& draft);
  std::optional<LetGo> ReadLetGo(JsonObject& object, double* at);
  void ReadRoot(JsonObject& object, bool rag_doll, Performer& performer);
  void ReadControllers(JsonObject& object, Performer& performer);
  void ReadContact(JsonObject& object, const Draft& draft,
                   Performer& performer);
  Strength ReadStrength(JsonObject& object, std::string_view name,
                        const Strength& fallback);
  /// The segments under "segments" (a word or a list of them); `fallback`
  /// where there is none.
  SegmentList ReadSegments(JsonObject& object, const FigureModel& model,
                           std::string_view fallback);
  void NameBodies(const std::string& name, const Performer& performer);

  // Goals (goal_reader.cpp).
  void ReadPointGoal(JsonObject& object, const std::string& name);
  void ReadMarkerGoal(JsonObject& object, const std::string& name);

  // Criteria (criterion_reader.cpp).
  struct Named {
    Measure measure;
    std::string unit;
  };
  Named ReadMeasure(JsonObject& object);
  std::function<double()> ReadNow(JsonObject& object, int kind);

  // Shared.
  const SceneFigure* FigureNamed(JsonObject& object);
  dynamics::BodyId BodyNamed(JsonObject& object, std::string_view name);
  /// {"body": .., "position": ..}, the position in the world at the start; the
  /// body's origin without one.
  dynamics::BodyPoint ReadBodyPoint(JsonObject& object, std::string_view name);
  /// [x, y, z] or {"near": body, "offset": [..]}.
  Vector3 ReadPosition(JsonObject& object, std::string_view name);
  std::filesystem::path PathOf(const std::string& file) const;
  /// Runs `make`; what it throws becomes an error at the object.
  void Try(JsonObject& object, const std::function<void()>& make);

  FigureScene& scene_;
  std::filesystem::path folder_;
  const FigureSceneOptions& options_;
  Diagnostics& diagnostics_;
  std::map<std::string, int, std::less<>> figure_index_;
};

}  // namespace limber::figure::internal
