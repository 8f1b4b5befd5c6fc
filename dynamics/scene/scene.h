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

#include "core/json_document.h"
#include "core/result.h"
#include "dynamics/curve.h"
#include "dynamics/world.h"

namespace limber::dynamics {

/// A solid part of a body, as the file gives it: what it weighs and looks like.
struct SceneShape {
  enum class Kind { kSphere, kBox, kCapsule, kCylinder, kRod };
  Kind kind = Kind::kSphere;
  double radius = 0.0;             ///< All but the box [m].
  double length = 0.0;             ///< Along Y, without a capsule's caps [m].
  Vector3 size = Vector3::Zero();  ///< Edges of a box [m].
  Transform X_BS;
  Vector3 colour = Vector3(0.6, 0.65, 0.7);  ///< Red, green, blue in [0, 1].
};

/// Something that happens in a scene, for those who show it: the world does it
/// by itself.
struct SceneEvent {
  double from = 0.0;  ///< [s]
  double to = 0.0;    ///< [s]; infinite for what lasts.
  std::string text;   ///< "disable link 7".
  /// The body it happens to; the ground where it happens to none.
  BodyId body = kGround;
  Vector3 p_BA = Vector3::Zero();     ///< Where [m].
  Vector3 impulse = Vector3::Zero();  ///< Of a push, world axes [N s].
};

/// A world with names, read from a scene file (docs/scenes.md). The constraint
/// and force pointers are owned by the world.
struct Scene {
  std::string name;
  std::string description;
  double step = 1.0 / 240.0;  ///< [s].
  double duration = 10.0;     ///< [s].
  World world;
  std::map<std::string, BodyId, std::less<>> bodies;  ///< With "ground".
  std::map<std::string, Constraint*, std::less<>> constraints;
  std::map<std::string, Force*, std::less<>> forces;
  std::map<std::string, std::shared_ptr<const Curve>, std::less<>> curves;
  std::vector<std::vector<SceneShape>> shapes;  ///< Of each body by its id.
  std::vector<SceneEvent> events;               ///< In the order of the file.

  /// @throws std::invalid_argument naming what is not there.
  BodyId Body(std::string_view name) const;
  Constraint& ConstraintNamed(std::string_view name) const;
};

/// Largest number of bodies, joints, links or forces a file may ask for.
inline constexpr int kMostSceneParts = 100'000;

/// What `step` and `duration` may be [s]: a microsecond to a second, which is a
/// hundred times beyond what the motion of bodies asks for on either side, and
/// a day. Beyond, a number is a slip of the unit.
inline constexpr double kShortestSceneStep = 1e-6;
inline constexpr double kLongestSceneStep = 1.0;
inline constexpr double kLongestScene = 86'400.0;
/// Steps of one play: they are counted in an int.
inline constexpr double kMostSceneSteps = 1e9;

/// What forbids to play `seconds` in steps of `step`, or nothing: a sentence
/// with the numbers and what is allowed.
std::string WrongLength(double seconds, double step);

/// Reads a scene. Every mistake is reported with file, line, column and the
/// valid words; there is a scene only if there is none.
Result<Scene> ReadScene(const std::filesystem::path& path);
Result<Scene> ParseScene(std::string_view text, const std::string& file);

/// Reads the members of `root` that describe the world and leaves the others,
/// for files that hold more than a world. The caller ends with `root.Finish`.
/// @param add_first  called when the empty world stands and before the file's
///                   bodies are read: what it adds to the world and to the
///                   names of `scene` can be named by everything that follows.
///                   False ends the reading there.
void ReadSceneWorld(JsonObject& root, Scene& scene, Diagnostics& diagnostics,
                    const std::function<bool()>& add_first = {});

}  // namespace limber::dynamics
