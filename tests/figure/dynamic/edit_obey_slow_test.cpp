// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Five hundred random edits on a hundred clips: the bundled ones and, where
// they are, pieces of real recordings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/clip_time.h"
#include "tests/figure/dynamic/edit_excess.h"

namespace limber::figure {
namespace {

namespace fs = std::filesystem;

/// At most `seconds` of a motion, from frame `begin` on.
Motion Piece(const Motion& motion, std::int64_t begin, double seconds) {
  Motion piece(motion.shared_skeleton(), motion.rate_hz(), motion.source());
  const std::int64_t end = std::min(
      motion.num_frames(), begin + FramesIn(seconds, motion.rate_hz()));
  for (std::int64_t f = begin; f < end; ++f) piece.Append(motion.pose(f));
  return piece;
}

std::vector<fs::path> ClipFiles() {
  std::vector<fs::path> files;
  const auto add = [&files](const fs::path& folder) {
    if (!fs::exists(folder)) return;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".bvh") files.push_back(entry.path());
    }
  };
  add(test::BundledData("clips"));
  for (const char* name : {"cmu", "cmu-20", "bvh-zoo"}) {
    add(test::RealData(name));
  }
  std::ranges::sort(files);
  return files;
}

TEST(EditObeySlow, FiveHundredEditsOnAHundredClipsObeyLimitsAndFloor) {
  constexpr int kClips = 100;
  constexpr int kEdits = 5;
  constexpr double kLength = 2.5;  // [s]
  const std::vector<fs::path> files = ClipFiles();
  Excess worst;
  int clips = 0;
  for (int round = 0; clips < kClips && round < 40; ++round) {
    for (const fs::path& file : files) {
      if (clips >= kClips) break;
      try {
        const Motion whole = scenes::LoadClip(file);
        const std::int64_t begin = FramesIn(round * kLength, whole.rate_hz());
        const Motion piece = Piece(whole, begin, kLength);
        if (piece.duration() < 0.6 * kLength) continue;
        const EditedClip clip(piece);
        const Excess excess = WorstOf(clip, 1000 * unsigned(clips), kEdits);
        std::printf("%s from %.1f s: %.3f deg, %.3f mm\n",
                    file.filename().c_str(), round * kLength, excess.limits_deg,
                    excess.floor_mm);
        worst.limits_deg = std::max(worst.limits_deg, excess.limits_deg);
        worst.floor_mm = std::max(worst.floor_mm, excess.floor_mm);
        ++clips;
      } catch (const std::exception&) {
        // No body, or no clip: others take its place.
      }
    }
  }
  EXPECT_GE(clips, 20);
  std::printf(
      "%d edits on %d clips: %.3f deg beyond limits, %.3f mm in the "
      "floor\n",
      clips * kEdits, clips, worst.limits_deg, worst.floor_mm);
}

}  // namespace
}  // namespace limber::figure
