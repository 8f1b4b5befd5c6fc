// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// limber_strip OUT.svg CLIP.bvh ...: stick figures at eight times, a row a
// clip.
#include <algorithm>
#include <iostream>
#include <vector>

#include "core/file.h"
#include "figure/clip_tracks.h"
#include "mocap/io/bvh.h"
#include "tools/strip.h"

int main(int argc, char** argv) {
  using namespace limber;
  if (argc < 3) {
    std::cerr << "limber_strip OUT.svg CLIP.bvh ...\n";
    return 2;
  }
  constexpr int kTimes = 8;
  std::vector<StripRow> rows;
  for (int i = 2; i < argc; ++i) {
    const Result<std::string> text = ReadWholeFile(argv[i]);
    if (!text.ok()) {
      std::cerr << text.diagnostics().ToString();
      return 1;
    }
    auto document = mocap::ParseBvh(*text, {.file = argv[i]});
    if (!document.ok()) {
      std::cerr << document.diagnostics().ToString();
      return 1;
    }
    const mocap::BvhUnits units = mocap::GuessBvhUnits(*document).units;
    figure::Motion motion =
        mocap::MakeMotion(std::move(document).value(), units);
    double floor = 0.0;
    const auto plan = figure::MakeBodyPlan(
        motion.skeleton(), figure::RecogniseRoles(motion.skeleton()));
    if (plan) floor = figure::TrackClip(motion, *plan).floor;
    rows.push_back({PathText(std::filesystem::path(argv[i]).stem()),
                    std::move(motion),
                    floor,
                    {}});
  }
  const Diagnostics written = WriteWholeFile(argv[1], StripSvg(rows, kTimes));
  std::cerr << written.ToString();
  return written.has_errors() ? 1 : 0;
}
