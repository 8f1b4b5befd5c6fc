// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "figure/dynamic/scene/simulate.h"
#include "figure/motion.h"
#include "jobs/data_path.h"
#include "jobs/progress.h"

namespace limber::jobs {

struct SimulateOptions {
  double duration = 0.0;         ///< Instead of the scene's if positive [s].
  double physics_rate_hz = 0.0;  ///< Instead of the scene's if positive [Hz].
  /// Play also what takes very long.
  bool unbounded = false;
  Progress progress;
};

/// A scene that was played, as the play left it.
struct SimulatedScene {
  figure::FigureScene scene;
  figure::SceneOutcome outcome;  ///< With the verdict on each criterion.
  double took = 0.0;             ///< Seconds of wall time.
};

/// Reads a scene, by its file or by its name where it comes with Limber; clips
/// that it names are read with `LoadClip`.
Result<figure::FigureScene> LoadScene(const std::filesystem::path& path,
                                      double physics_rate_hz = 0.0);

/// Plays a scene from its start and judges it. Errors: "too-much-work", unless
/// `unbounded`, and "stopped". @throws BadCall for a duration that makes no
/// sense.
Result<figure::SceneOutcome> Play(figure::FigureScene& scene,
                                  const std::string& file,
                                  const SimulateOptions& options = {});

/// Reads and plays a scene.
Result<SimulatedScene> Simulate(const std::filesystem::path& path,
                                const SimulateOptions& options = {});

/// The motion of one figure of a played scene, for a file.
/// @param rate_hz  frames per second; 0: those of its clip, 60 for a rag doll.
figure::Motion MotionOf(const figure::FigureScene& scene,
                        const figure::SceneFigure& figure,
                        double rate_hz = 0.0);

}  // namespace limber::jobs
