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

#include "core/angle.h"
#include "figure/clip_tracks.h"
#include "figure/figure_file.h"
#include "figure/pose_metrics.h"
#include "figure/stance_metrics.h"
#include "mocap/io/bvh.h"
#include "mocap/retarget/judge.h"
#include "mocap/retarget/palm_turns.h"
#include "mocap/retarget/proportions.h"
#include "mocap/retarget/retarget.h"
#include "mocap/retarget/rigged_clip.h"
#include "tests/scenes/foreign_rigs.h"

namespace limber::mocap {
namespace {

constexpr double kCmuUnit = 0.0254 / 0.45;

struct Target {
  std::string name;
  HumanBody body;
};

/// The figures of data/figures, as far as they are there.
std::vector<Target> BundledTargets() {
  std::vector<Target> targets;
  for (const char* name : {"fat_man", "child", "giant", "adult18"}) {
    const std::filesystem::path path =
        std::filesystem::path(LIMBER_SOURCE_DIR) / "data/figures" /
        (std::string(name) + ".json");
    const auto figure = figure::ReadFigureFile(path);
    if (!figure.ok()) {
      std::printf("left out: %s", figure.diagnostics().ToString().c_str());
      continue;
    }
    targets.push_back(
        {name,
         *MakeBody(std::make_shared<const figure::FigureModel>(*figure))});
  }
  return targets;
}

/// Rigs as other programs export them, on the bones of the bundled adult.
std::vector<Target> ForeignTargets() {
  std::vector<Target> targets;
  const auto path =
      std::filesystem::path(LIMBER_SOURCE_DIR) / "data/clips/walk.bvh";
  const auto walk = ReadBvhFile(path, {0.01, figure::UpAxis::kY});
  if (!walk.ok()) {
    std::printf("left out: %s", walk.diagnostics().ToString().c_str());
    return targets;
  }
  const std::vector<std::pair<std::string, test::RigStyle>> styles = {
      {"mixamo", test::MixamoLike()},
      {"bandai", test::BandaiLike()},
      {"neuron", test::NeuronLike()},
      {"daz", test::DazLike()}};
  for (const auto& [name, style] : styles) {
    const auto rigged =
        MakeRiggedClip(test::ReadBack(test::OnRig(*walk, style)));
    targets.push_back({name, rigged->body});
  }
  return targets;
}

/// What the table shows of one clip on one body.
struct Score {
  double speed = 0.0;        ///< Per leg [1/s].
  double drift = 0.0;        ///< Per leg.
  double penetration = 0.0;  ///< [m]
  figure::Jerk jerk;
  figure::LimitReport limits;
};

Score Judge(const figure::Motion& motion, const HumanBody& body,
            const std::vector<figure::Stance>& stances, double floor) {
  const figure::ClipTracks tracks = figure::TrackClip(motion, body.plan);
  const figure::StanceSlide slide =
      figure::MeasureSlide(tracks, figure::FootPoint::kToe, stances);
  return {slide.speed_per_leg, slide.drift_per_leg,
          figure::FloorPenetration(tracks, floor), figure::MeasureJerk(tracks),
          body.figure ? figure::MeasureLimits(*body.figure, motion)
                      : figure::LimitReport{}};
}

/// What must hold of every clip on every figure.
struct Bars {
  double sole = 0.005;         ///< Below the floor at most [m].
  double limits = Radians(1);  ///< [rad]
  double off = 0.001;          ///< A planted foot off its place [m].
  double root_per_leg = 0.1;   ///< Shift of the root by leg length.
  double palm = Radians(5);    ///< Turned away from the source's [rad].
};

std::vector<Target> MakeTargets(const HumanBody& source,
                                bool with_proportions) {
  static const std::vector<Target> bundled = BundledTargets();
  std::vector<Target> targets;
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
  static const std::vector<Target> foreign = ForeignTargets();
  targets.insert(targets.end(), foreign.begin(), foreign.end());
  return targets;
}

/// How many lines there are, and how many hold each bar.
struct Count {
  int lines = 0, speed = 0, drift = 0, sole = 0, limits = 0, off = 0, root = 0,
      palm = 0, hand = 0, right = 0, all = 0;
};

void PrintLine(const std::string& clip, const Target& target,
               const Score& source, const Score& naive, const Score& ours,
               const RetargetReport& report, const PalmTurn& palms,
               const Verdict& verdict, double fps, Count& count) {
  const Bars bars;
  // Soles of bare skeletons are guessed points, which may lie in the floor as
  // far as the source's by the ratio of the feet.
  const double deeper =
      ours.penetration - std::max(1.0, report.foot_ratio) * source.penetration;
  const bool is_figure = target.body.figure != nullptr;
  const bool speed = ours.speed <= source.speed * (1 + 1e-6) + 1e-9;
  const bool drift = ours.drift <= source.drift * (1 + 1e-6) + 1e-9;
  const bool sole = is_figure ? ours.penetration <= bars.sole : deeper <= 1e-3;
  const bool limits = ours.limits.worst <= bars.limits;
  const bool off = report.plant.worst_miss <= bars.off;
  const double shift =
      report.plant.largest_root_shift / target.body.plan.leg_length;
  const bool root = shift <= bars.root_per_leg;
  const bool palm = palms.worst <= bars.palm;
  const bool hand = report.hands.deepest_palm <= bars.sole;
  const bool right = verdict.looks_right();
  const bool all =
      speed && drift && sole && limits && off && root && palm && hand;
  ++count.lines;
  count.speed += speed ? 1 : 0;
  count.drift += drift ? 1 : 0;
  count.sole += sole ? 1 : 0;
  count.limits += limits ? 1 : 0;
  count.off += off ? 1 : 0;
  count.root += root ? 1 : 0;
  count.palm += palm ? 1 : 0;
  count.hand += hand ? 1 : 0;
  count.right += right ? 1 : 0;
  count.all += all ? 1 : 0;
  std::printf(
      "%-7s %-23s %6.4f %6.4f %6.4f  %6.4f %6.4f %6.4f  %5.1f %5.1f %5.1f  "
      "%4.2f %4.2f  %4.2f %4.2f  %5.1f %5.1f %-12s  %5.1f %5.3f %5.1f %4.0f "
      "%6.0f  %-5s %s%s%s%s%s%s%s%s%s\n",
      clip.c_str(), target.name.c_str(), source.speed, naive.speed, ours.speed,
      source.drift, naive.drift, ours.drift, 1e3 * source.penetration,
      1e3 * naive.penetration, 1e3 * ours.penetration,
      naive.jerk.of_pose / source.jerk.of_pose,
      ours.jerk.of_pose / source.jerk.of_pose,
      naive.jerk.of_places / source.jerk.of_places,
      ours.jerk.of_places / source.jerk.of_places,
      naive.limits.worst / kRadiansPerDegree,
      ours.limits.worst / kRadiansPerDegree, ours.limits.segment.c_str(),
      1e3 * report.plant.worst_miss, shift, palms.worst / kRadiansPerDegree,
      1e3 * report.hands.deepest_palm, fps, right ? "right" : "wrong",
      all ? "met" : "NOT MET:", speed ? "" : " speed", drift ? "" : " drift",
      sole ? "" : " sole", limits ? "" : " limits", off ? "" : " off",
      root ? "" : " root", palm ? "" : " palm", hand ? "" : " hand");
  if (!right) std::printf("        %s\n", verdict.ToString().c_str());
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
  const figure::ClipTracks tracks = figure::TrackClip(motion, source.plan);
  const std::vector<figure::Stance> stances =
      figure::FindStances(tracks, figure::FootPoint::kToe);
  const Score of_source = Judge(motion, source, stances, tracks.floor);
  for (const Target& target : MakeTargets(source, with_proportions)) {
    const JointMap map = MakeJointMap(source, target.body);
    RetargetOptions naive_options;
    naive_options.plant_feet = false;
    naive_options.keep_touching = false;
    naive_options.hold_limits = false;
    const Retargeted naive =
        Retarget(motion, source, target.body, map, naive_options);
    const std::clock_t start = std::clock();
    const Retargeted ours = Retarget(motion, source, target.body, map);
    const double seconds =
        static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const double floor = ours.report.floor_target;
    const PalmTurn palms = MeasurePalms(motion, source, ours.motion,
                                        target.body, ours.report.mended);
    const Verdict verdict =
        JudgeRetarget(motion, source, target.body, map, ours);
    PrintLine(path.stem().string(), target, of_source,
              Judge(naive.motion, target.body, stances, floor),
              Judge(ours.motion, target.body, stances, floor), ours.report,
              palms, verdict,
              static_cast<double>(motion.num_frames()) / seconds, count);
    if (std::getenv("LIMBER_BENCH_MENDED")) PrintMended(ours.report);
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
    for (const Target& target : MakeTargets(source, true)) {
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
  std::printf(
      "%d lines, %d clips not read; hold: speed %d, drift %d, sole %d, limits "
      "%d, off %d, root %d, palm %d, hand %d, all of them %d; verdict right "
      "%d\n",
      count.lines, failures, count.speed, count.drift, count.sole, count.limits,
      count.off, count.root, count.palm, count.hand, count.all, count.right);
  return 0;
}

}  // namespace
}  // namespace limber::mocap

int main(int argc, char** argv) { return limber::mocap::Main(argc, argv); }
