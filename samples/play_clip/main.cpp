// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Load and play: a clip on the physical figure. See README.md.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "figure/dynamic/colliders.h"
#include "figure/dynamic/stage.h"
#include "figure/make_figure.h"
#include "jobs/load.h"

int main(int argc, char** argv) {
  using namespace limber;
  using namespace limber::figure;
  if (argc < 2) {
    std::fprintf(stderr, "Use: play_clip CLIP [--frames=N]\n");
    return 2;
  }
  // Load: any format; what the file does not say of unit and axes is guessed.
  const auto fail = [](const Diagnostics& findings) {
    std::fprintf(stderr, "%s", findings.ToString().c_str());
    return 1;
  };
  const Result<Motion> clip = jobs::LoadClip(argv[1]);
  if (!clip.ok()) return fail(clip.diagnostics());
  Result<FigureModel> made = MakeFigure(clip->shared_skeleton());
  if (!made.ok()) return fail(made.diagnostics());
  const auto model = std::make_shared<FigureModel>(std::move(made).value());

  // Play: a figure whose motors follow the clip, with its feet on a floor. Its
  // root gets no more help than its muscles would give.
  MotionTrack track;
  track.Append(std::make_shared<const SmoothMotion>(*clip));
  Stage stage;
  Performer& figure = stage.AddFigure(
      "actor", model,
      std::make_shared<AnimationController>(
          std::move(track),
          StrengthSchedule(model->num_segments(), Strength::Powered())));
  figure.root_servo() = RootServo::Helping(model->total_mass());
  dynamics::ColliderSpec floor;
  floor.shape = dynamics::Shape::Plane();
  floor.X_BS.p.y() = FloorHeight(*model, *clip);
  stage.world().AddCollider(dynamics::kGround, floor);
  AddColliders(stage.world(), figure.figure());

  const std::string last = argv[argc - 1];
  const int frames = last.starts_with("--frames=")
                         ? std::atoi(last.c_str() + 9)
                         : static_cast<int>(clip->duration() * 30.0);
  std::printf(
      "time [s], largest joint error [deg], root help [%% of weight]\n");
  for (int frame = 1; frame <= frames; ++frame) {
    stage.Run(1.0 / 30.0);
    const StepRecord& step = stage.recorder().steps().back();
    std::printf("%.3f, %.2f, %.1f\n", stage.time(),
                *std::ranges::max_element(step.error) * 180.0 / kPi,
                100.0 * step.root_help);
  }
  return 0;
}
