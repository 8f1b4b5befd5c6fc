// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Retarget: a clip on a figure of other proportions. See README.md.
#include <cstdio>
#include <memory>
#include <optional>

#include "figure/figure_file.h"
#include "jobs/load.h"
#include "jobs/save.h"
#include "mocap/retarget/retarget.h"

int main(int argc, char** argv) {
  using namespace limber;
  using namespace limber::mocap;
  if (argc != 4) {
    std::fprintf(stderr, "Use: retarget_clip CLIP FIGURE.json OUT.bvh\n");
    return 2;
  }
  const auto fail = [](const Diagnostics& findings) {
    std::fprintf(stderr, "%s", findings.ToString().c_str());
    return 1;
  };
  const Result<figure::Motion> clip = jobs::LoadClip(argv[1]);
  if (!clip.ok()) return fail(clip.diagnostics());
  Result<figure::FigureModel> read = figure::ReadFigureFile(argv[2]);
  if (!read.ok()) return fail(read.diagnostics());

  // A body is a skeleton whose joints have been recognised by their names.
  const std::optional<HumanBody> source = MakeBody(clip->shared_skeleton());
  const std::optional<HumanBody> target = MakeBody(
      std::make_shared<const figure::FigureModel>(std::move(read).value()));
  if (!source || !target) {
    std::fprintf(stderr, "A pelvis with two legs is needed on both sides.\n");
    return 1;
  }
  const JointMap map = MakeJointMap(*source, *target);
  std::printf("%s", ToText(map, *source, *target).c_str());

  // The output has the unit and the up axis of the input.
  figure::MotionSource written_as;
  written_as.metres_per_unit = clip->source().metres_per_unit;
  written_as.up = clip->source().up;
  const Retargeted result =
      Retarget(*clip, *source, *target, map, {}, written_as);
  std::printf(
      "legs %.2f times as long; a planted foot is off by at most %.2f "
      "mm\n",
      result.report.leg_ratio, 1000.0 * result.report.plant.worst_miss);
  for (const std::string& text : result.report.relaxed) {
    std::printf("gave way: %s\n", text.c_str());
  }
  const Diagnostics written = jobs::Save(result.motion, argv[3]);
  return written.has_errors() ? fail(written) : 0;
}
