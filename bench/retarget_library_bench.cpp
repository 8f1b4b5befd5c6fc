// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// A library of clips that are made from recordings (see clip_library.h), each
// carried over to a figure and to a foreign rig: for every line that must hold,
// in which share of the clips it does, and how many of the others the verdict
// names.
//
//     retarget_library_bench [FOLDER [FIRST END [seen|unseen]]]
//
// Clips FIRST to END - 1 (0 to 1999 unless said) are made from the BVH files
// below FOLDER; "seen" takes only those that are made from recordings which are
// not kept aside, "unseen" the others. A clip on a body that misses a line, or
// is doubted, is printed.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bench/clip_library.h"
#include "bench/retarget_score.h"
#include "core/angle.h"

namespace limber::mocap {
namespace {

/// What was found on all clips.
struct Tally {
  int clips = 0;    ///< Clips on bodies.
  int right = 0;    ///< The verdict says so.
  int all = 0;      ///< Every line holds.
  int missed = 0;   ///< A line does not hold ...
  int said = 0;     ///< ... and the verdict doubts the clip.
  int alarmed = 0;  ///< Every line holds and the verdict doubts it.
  std::array<int, kNumBars> failed = {};
  std::array<int, kNumBars> named = {};    ///< Of these, by the doubt for it.
  std::array<int, kNumBars> doubted = {};  ///< Of these, by any doubt.
  std::map<std::string, int> alarms;       ///< Doubts where every line holds.
};

void Add(const RetargetScore& score, Tally& tally) {
  const bool right = score.verdict.looks_right();
  ++tally.clips;
  tally.right += right ? 1 : 0;
  for (int bar = 0; bar < kNumBars; ++bar) {
    if (score.holds[bar]) continue;
    ++tally.failed[bar];
    tally.named[bar] += score.Doubts(kBarNames[bar].doubt) ? 1 : 0;
    tally.doubted[bar] += right ? 0 : 1;
  }
  if (!score.all()) {
    ++tally.missed;
    tally.said += right ? 0 : 1;
    return;
  }
  ++tally.all;
  if (right) return;
  ++tally.alarmed;
  for (const Doubt& doubt : score.verdict.doubts()) ++tally.alarms[doubt.kind];
}

void PrintClip(std::int64_t number, const std::string& clip,
               const std::string& target, const RetargetScore& score) {
  std::string missed;
  for (int bar = 0; bar < kNumBars; ++bar) {
    if (!score.holds[bar]) missed += std::string(" ") + kBarNames[bar].name;
  }
  if (missed.empty()) missed = " nothing";
  std::printf(
      "%5lld %-8s misses%s (speed %.7f of %.7f, drift %.7f of %.7f, sole %.1f "
      "of %.1f mm, off %.2f mm, root %.3f, palm %.1f deg, hand %.1f mm, jerk "
      "%.0f of %.0f, %.1f times): %s\n      %s\n",
      static_cast<long long>(number), target.c_str(), missed.c_str(),
      score.ours.speed, score.source.speed, score.ours.drift,
      score.source.drift, 1e3 * score.ours.penetration,
      1e3 * score.source.penetration,
      1e3 * score.result.report.plant.worst_miss, score.root_shift,
      Degrees(score.palms.worst), 1e3 * score.result.report.hands.deepest_palm,
      score.ours.jerk.of_places, score.source.jerk.of_places,
      score.ours.jerk.of_places / score.source.jerk.of_places,
      score.verdict.ToString().c_str(), clip.c_str());
}

void Print(const std::string& title, const Tally& tally) {
  if (tally.clips == 0) return;
  const auto percent = [&tally](int n) { return 100.0 * n / tally.clips; };
  std::printf("%s: %d clips on bodies\n", title.c_str(), tally.clips);
  for (int bar = 0; bar < kNumBars; ++bar) {
    std::printf(
        "  %-7s holds in %6.2f %%; of the %d others %d have the doubt `%s`, %d "
        "some doubt\n",
        kBarNames[bar].name, percent(tally.clips - tally.failed[bar]),
        tally.failed[bar], tally.named[bar], kBarNames[bar].doubt,
        tally.doubted[bar]);
  }
  std::printf(
      "  every line holds in %.2f %%; of the %d others the verdict doubts %d\n"
      "  the verdict is `looks right` in %.2f %%; it doubts %d in which every "
      "line holds:",
      percent(tally.all), tally.missed, tally.said, percent(tally.right),
      tally.alarmed);
  for (const auto& [kind, n] : tally.alarms) {
    std::printf(" %s %d", kind.c_str(), n);
  }
  std::printf("\n");
}

int Main(int argc, char** argv) {
  std::filesystem::path folder = "../shared/data";
  if (const char* set = std::getenv("LIMBER_TEST_DATA")) folder = set;
  if (argc > 1) folder = argv[1];
  const long long first = argc > 2 ? std::atoll(argv[2]) : 0;
  const long long end = argc > 3 ? std::atoll(argv[3]) : 2000;
  const std::string which = argc > 4 ? argv[4] : "all";
  if (!std::filesystem::exists(folder)) {
    std::printf("SKIPPED: no recordings at %s\n", folder.string().c_str());
    return 0;
  }
  const std::vector<Recording> recordings = ReadRecordings(folder);
  if (recordings.empty()) {
    std::printf("SKIPPED: no recordings at %s\n", folder.string().c_str());
    return 0;
  }
  const std::vector<BenchTarget> figures = BundledTargets();
  const std::vector<BenchTarget> rigs = ForeignTargets();
  Tally seen;
  Tally unseen;
  int not_made = 0;
  for (long long number = first; number < end; ++number) {
    const Recording& recording =
        recordings[static_cast<std::size_t>(number) % recordings.size()];
    if (which == (recording.is_kept_aside ? "seen" : "unseen")) continue;
    const std::optional<MadeClip> clip = MakeClip(recordings, number);
    if (!clip) {
      ++not_made;
      continue;
    }
    for (const std::vector<BenchTarget>* bodies : {&figures, &rigs}) {
      // Not in step with the recordings, whose number may be a multiple.
      const std::size_t round =
          static_cast<std::size_t>(number) / recordings.size();
      const BenchTarget& target =
          (*bodies)[(static_cast<std::size_t>(number) + round) %
                    bodies->size()];
      const RetargetScore score =
          ScoreRetarget(clip->motion, clip->body, target.body);
      Add(score, clip->is_kept_aside ? unseen : seen);
      if (score.all() && score.verdict.looks_right()) continue;
      PrintClip(number, clip->name, target.name, score);
    }
    std::fflush(stdout);
  }
  std::printf("%zu recordings, clips %lld to %lld, %d not made\n",
              recordings.size(), first, end - 1, not_made);
  Print("from recordings that were looked at", seen);
  Print("from recordings kept aside", unseen);
  return 0;
}

}  // namespace
}  // namespace limber::mocap

int main(int argc, char** argv) { return limber::mocap::Main(argc, argv); }
