// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Retargeting of real recordings to other proportions, beside the plain copy of
// angles: how feet slide and sink, whether limits hold, how smooth the result
// is, how fast it goes.
//
//     retarget_bench [FOLDER WITH cmu/ AND cmu-20/ [CLIP ...]]
//
// Without clips all of both folders; a clip is a name such as 02_01. Clips of
// cmu-20/ go to the figures of data/figures and to four foreign rigs. With
// LIMBER_BENCH_MENDED set the joints that were brought back into their limits
// are listed; with LIMBER_BENCH_CUTS clips of cmu/ are begun at every tenth
// frame from 40 to 170 and compared with the whole.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/retarget_score.h"
#include "core/angle.h"
#include "mocap/io/bvh.h"
#include "mocap/retarget/proportions.h"

namespace limber::mocap {
namespace {

constexpr double kCmuUnit = 0.0254 / 0.45;

std::vector<BenchTarget> MakeTargets(const HumanBody& source,
                                     bool with_proportions) {
  static const std::vector<BenchTarget> bundled = BundledTargets();
  std::vector<BenchTarget> targets;
  if (with_proportions) {
    for (const char* text :
         {"legs=1.25", "thighs=1.15,shanks=0.85", "hips=1.5", "arms=0.7"}) {
      std::string error;
      targets.push_back(
          {text, WithProportions(source, *ParseProportions(text, error))});
    }
  }
  targets.insert(targets.end(), bundled.begin(), bundled.end());
  if (with_proportions) return targets;
  static const std::vector<BenchTarget> foreign = ForeignTargets();
  targets.insert(targets.end(), foreign.begin(), foreign.end());
  return targets;
}

/// How many lines there are, and how many hold each bar.
struct Count {
  int lines = 0, right = 0, all = 0;
  std::array<int, kNumBars> holds = {};
};

void PrintLine(const std::string& clip, const BenchTarget& target,
               const ClipScore& naive, const RetargetScore& score,
               double num_frames, Count& count) {
  const ClipScore& source = score.source;
  const ClipScore& ours = score.ours;
  const bool right = score.verdict.looks_right();
  ++count.lines;
  count.right += right ? 1 : 0;
  count.all += score.all() ? 1 : 0;
  std::string missed = score.all() ? "met" : "NOT MET:";
  for (int bar = 0; bar < kNumBars; ++bar) {
    count.holds[bar] += score.holds[bar] ? 1 : 0;
    if (!score.holds[bar]) missed += std::string(" ") + kBarNames[bar].name;
  }
  std::printf(
      "%-7s %-23s %6.4f %6.4f %6.4f  %6.4f %6.4f %6.4f  %5.1f %5.1f %5.1f  "
      "%4.2f %4.2f  %4.2f %4.2f  %5.1f %5.1f %-12s  %5.1f %5.3f %5.1f %4.0f "
      "%6.0f  %-5s %s\n",
      clip.c_str(), target.name.c_str(), source.speed, naive.speed, ours.speed,
      source.drift, naive.drift, ours.drift, 1e3 * source.penetration,
      1e3 * naive.penetration, 1e3 * ours.penetration,
      naive.jerk.of_pose / source.jerk.of_pose,
      ours.jerk.of_pose / source.jerk.of_pose,
      naive.jerk.of_places / source.jerk.of_places,
      ours.jerk.of_places / source.jerk.of_places,
      naive.limits.worst / kRadiansPerDegree,
      ours.limits.worst / kRadiansPerDegree, ours.limits.segment.c_str(),
      1e3 * score.result.report.plant.worst_miss, score.root_shift,
      score.palms.worst / kRadiansPerDegree,
      1e3 * score.result.report.hands.deepest_palm, num_frames / score.seconds,
      right ? "right" : "wrong", missed.c_str());
  if (!right) std::printf("        %s\n", score.verdict.ToString().c_str());
}

/// The joints that were brought back into their limits.
void PrintMended(const RetargetReport& report) {
  for (const MendedJoint& joint : report.mended) {
    std::printf(
        "        %-14s beyond by %5.1f deg, turned by %5.1f, %lld "
        "frames, worst %lld\n",
        joint.name.c_str(), Degrees(joint.beyond), Degrees(joint.largest_turn),
        static_cast<long long>(joint.frames),
        static_cast<long long>(joint.worst_frame));
  }
}

bool RunClip(const std::filesystem::path& path, bool with_proportions,
             Count& count) {
  const auto read = ReadBvhFile(path, {kCmuUnit, figure::UpAxis::kY});
  if (!read.ok()) {
    std::fprintf(stderr, "%s", read.diagnostics().ToString().c_str());
    return false;
  }
  const figure::Motion& motion = *read;
  const HumanBody source = *MakeBody(motion.shared_skeleton());
  const std::vector<figure::Stance> stances = figure::FindStances(
      figure::TrackClip(motion, source.plan), figure::FootPoint::kToe);
  for (const BenchTarget& target : MakeTargets(source, with_proportions)) {
    const JointMap map = MakeJointMap(source, target.body);
    RetargetOptions naive_options;
    naive_options.plant_feet = false;
    naive_options.keep_touching = false;
    naive_options.hold_limits = false;
    const Retargeted naive =
        Retarget(motion, source, target.body, map, naive_options);
    const RetargetScore score = ScoreRetarget(motion, source, target.body);
    PrintLine(path.stem().string(), target,
              ScoreClip(naive.motion, target.body, stances,
                        score.result.report.floor_target),
              score, static_cast<double>(motion.num_frames()), count);
    if (std::getenv("LIMBER_BENCH_MENDED")) PrintMended(score.result.report);
  }
  return true;
}

/// Frames [begin, end) of a clip.
figure::Motion Part(const figure::Motion& motion, std::int64_t begin) {
  figure::Motion part(motion.shared_skeleton(), motion.rate_hz(),
                      motion.source());
  figure::Pose pose;
  for (std::int64_t i = begin; i < motion.num_frames(); ++i) {
    motion.GetPose(i, pose);
    part.Append(pose);
  }
  return part;
}

/// Clips begun later, against the whole: how many differ half a second after.
void RunCuts(const std::vector<std::filesystem::path>& clips) {
  constexpr double kSame = Radians(0.5);
  int cuts = 0;
  int differ = 0;
  for (const std::filesystem::path& path : clips) {
    const auto read = ReadBvhFile(path, {kCmuUnit, figure::UpAxis::kY});
    if (!read.ok()) continue;
    const HumanBody source = *MakeBody(read->shared_skeleton());
    for (const BenchTarget& target : MakeTargets(source, true)) {
      const JointMap map = MakeJointMap(source, target.body);
      const Retargeted whole = Retarget(*read, source, target.body, map);
      const auto settle =
          static_cast<std::int64_t>(std::ceil(0.5 * read->rate_hz()));
      for (std::int64_t begin = 40; begin <= 170; begin += 10) {
        if (begin + settle >= read->num_frames()) break;
        const Retargeted part =
            Retarget(Part(*read, begin), source, target.body, map);
        const figure::JointError error = figure::CompareJoints(
            Part(part.motion, settle), Part(whole.motion, begin + settle));
        ++cuts;
        if (error.worst <= kSame) continue;
        ++differ;
        std::printf("%-7s %-8s begun at %lld: %s off by %.2f deg at %lld\n",
                    path.stem().string().c_str(), target.name.c_str(),
                    static_cast<long long>(begin), error.joint.c_str(),
                    Degrees(error.worst),
                    static_cast<long long>(error.frame + begin + settle));
      }
    }
  }
  std::printf("%d of %d cuts differ by more than 0.5 deg after 0.5 s\n", differ,
              cuts);
}

/// All clips below `folder` in the order of their names.
std::vector<std::filesystem::path> ClipsIn(
    const std::filesystem::path& folder,
    const std::vector<std::string>& names) {
  std::vector<std::filesystem::path> clips;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != ".bvh") continue;
    if (names.empty() || std::ranges::find(names, stem) != names.end()) {
      clips.push_back(entry.path());
    }
  }
  std::ranges::sort(clips);
  return clips;
}

int Main(int argc, char** argv) {
  std::filesystem::path folder = "../shared/data";
  if (const char* set = std::getenv("LIMBER_TEST_DATA")) folder = set;
  if (argc > 1) folder = argv[1];
  const std::vector<std::string> names(argv + std::min(argc, 2), argv + argc);
  if (std::getenv("LIMBER_BENCH_CUTS")) {
    RunCuts(ClipsIn(folder / "cmu", names));
    return 0;
  }
  std::printf(
      "stance speed [1/s] and drift, per leg length, and depth of the sole "
      "[mm]: source, copy of angles, ours\njerk of the pose and of places, "
      "beside the source's, and joints beyond their limits [deg]: copy, ours, "
      "which\nplanted feet off their place [mm], largest shift of the root by "
      "leg, hands turned away from the source's where no limit says so [deg], "
      "palms below the floor [mm]; frames per second of processor time; "
      "verdict\n");
  std::printf(
      "%-7s %-23s %-20s  %-20s  %-17s  %-9s  %-9s  %-24s  %-5s %5s %5s %4s "
      "%6s\n",
      "clip", "target", "speed", "drift", "sole", "pose jerk", "jerk", "limits",
      "off", "shift", "palm", "hand", "fps");
  int failures = 0;
  Count count;
  for (const char* sub : {"cmu", "cmu-20"}) {
    if (!std::filesystem::exists(folder / sub)) {
      std::printf("SKIPPED: no recordings at %s\n",
                  (folder / sub).string().c_str());
      continue;
    }
    for (const std::filesystem::path& clip : ClipsIn(folder / sub, names)) {
      if (!RunClip(clip, std::string(sub) == "cmu", count)) ++failures;
    }
  }
  std::printf("%d lines, %d clips not read; hold:", count.lines, failures);
  for (int bar = 0; bar < kNumBars; ++bar) {
    std::printf(" %s %d,", kBarNames[bar].name, count.holds[bar]);
  }
  std::printf(" all of them %d; verdict right %d\n", count.all, count.right);
  return 0;
}

}  // namespace
}  // namespace limber::mocap

int main(int argc, char** argv) { return limber::mocap::Main(argc, argv); }
