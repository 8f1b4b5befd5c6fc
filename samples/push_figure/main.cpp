// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Push: what becomes of a clip when its figure is hit. See README.md.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "figure/dynamic/edit.h"
#include "figure/make_figure.h"
#include "jobs/load.h"
#include "jobs/save.h"

int main(int argc, char** argv) {
  using namespace limber;
  using namespace limber::figure;
  if (argc != 5) {
    std::fprintf(stderr,
                 "Use: push_figure CLIP TIME IMPULSE OUT.bvh\n"
                 "TIME in seconds, IMPULSE in N s along +X on the left "
                 "forearm\n");
    return 2;
  }
  const auto fail = [](const Diagnostics& findings) {
    std::fprintf(stderr, "%s", findings.ToString().c_str());
    return 1;
  };
  const Result<Motion> clip = jobs::LoadClip(argv[1]);
  if (!clip.ok()) return fail(clip.diagnostics());
  Result<FigureModel> made = MakeFigure(clip->shared_skeleton());
  if (!made.ok()) return fail(made.diagnostics());
  const auto model = std::make_shared<FigureModel>(std::move(made).value());

  EditEvent push;
  push.kind = EditEvent::Kind::kPush;
  push.time = std::atof(argv[2]);
  push.vector = {std::atof(argv[3]), 0.0, 0.0};
  push.segment = model->SegmentOf(Role::kLeftForearm);
  if (push.segment < 0) {
    std::fprintf(stderr, "The figure has no left forearm.\n");
    return 1;
  }
  push.point_B = model->segments[std::size_t(push.segment)].p_JC;

  const EditResult result = EditMotion(*clip, model, {{push}});
  std::printf("time [s], largest difference to the clip [deg]\n");
  for (std::size_t i = 0; i < result.frames.size(); i += 3) {
    std::printf("%.2f, %.2f\n", result.frames[i].time,
                result.frames[i].difference * 180.0 / kPi);
  }
  const auto most =
      std::ranges::max_element(result.segments, {}, &EditedSegment::deflection);
  const auto segment = std::size_t(most - result.segments.begin());
  std::printf("%s bent by %.1f deg, all back within 2 deg after %.2f s\n",
              model->segments[segment].name.c_str(),
              most->deflection * 180.0 / kPi, result.return_time);
  const Diagnostics written = jobs::Save(result.motion, argv[4]);
  return written.has_errors() ? fail(written) : 0;
}
