// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Retargeting of real recordings to other proportions, beside the plain copy of
// angles: how feet slide and sink, how smooth the result is, how fast it goes.
//
//     retarget_bench [FOLDER WITH cmu/ [CLIP NUMBER ...]]
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "figure/clip_tracks.h"
#include "figure/figure_file.h"
#include "figure/pose_metrics.h"
#include "figure/stance_metrics.h"
#include "mocap/io/bvh.h"
#include "mocap/retarget/proportions.h"
#include "mocap/retarget/retarget.h"

namespace limber::mocap {
namespace {

constexpr double kCmuUnit = 0.0254 / 0.45;

struct Target {
  std::string name;
  Body body;
};

/// The figures of data/figures, as far as they are there.
std::vector<Target> BundledTargets() {
  std::vector<Target> targets;
  for (const char* name : {"fat_man", "child", "giant"}) {
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

/// What the table shows of one clip on one body.
struct Score {
  double speed = 0.0;        ///< Per leg [1/s].
  double drift = 0.0;        ///< Per leg.
  double penetration = 0.0;  ///< [m]
  figure::Jerk jerk;
  double beyond = 0.0;  ///< Limits [rad].
};

Score Judge(const figure::Motion& motion, const Body& body,
            const std::vector<figure::Stance>& stances, double floor) {
  const figure::ClipTracks tracks = figure::TrackClip(motion, body.plan);
  const figure::StanceSlide slide =
      figure::MeasureSlide(tracks, figure::FootPoint::kToe, stances);
  return {
      slide.speed_per_leg, slide.drift_per_leg,
      figure::FloorPenetration(tracks, floor), figure::MeasureJerk(tracks),
      body.figure ? figure::MeasureLimits(*body.figure, motion).worst : 0.0};
}

std::vector<Target> MakeTargets(const Body& source) {
  static const std::vector<Target> bundled = BundledTargets();
  std::vector<Target> targets;
  for (const char* text :
       {"legs=1.25", "thighs=1.15,shanks=0.85", "hips=1.5", "arms=0.7"}) {
    std::string error;
    targets.push_back(
        {text, WithProportions(source, *ParseProportions(text, error))});
  }
  targets.insert(targets.end(), bundled.begin(), bundled.end());
  return targets;
}

bool RunClip(const std::filesystem::path& path) {
  const auto read = ReadBvhFile(path, {kCmuUnit, figure::UpAxis::kY});
  if (!read.ok()) {
    std::fprintf(stderr, "%s", read.diagnostics().ToString().c_str());
    return false;
  }
  const figure::Motion& motion = *read;
  const Body source = *MakeBody(motion.shared_skeleton());
  const figure::ClipTracks tracks = figure::TrackClip(motion, source.plan);
  const std::vector<figure::Stance> stances =
      figure::FindStances(tracks, figure::FootPoint::kToe);
  const Score of_source = Judge(motion, source, stances, tracks.floor);
  bool good = true;
  for (const Target& target : MakeTargets(source)) {
    const JointMap map = MakeJointMap(source, target.body);
    RetargetOptions naive_options;
    naive_options.plant_feet = false;
    naive_options.keep_touching = false;
    naive_options.keep_smooth = false;
    const Retargeted naive =
        Retarget(motion, source, target.body, map, naive_options);
    const std::clock_t start = std::clock();
    const Retargeted ours = Retarget(motion, source, target.body, map);
    const double seconds =
        static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const double floor = ours.report.floor_target;
    const Score n = Judge(naive.motion, target.body, stances, floor);
    const Score o = Judge(ours.motion, target.body, stances, floor);
    const double deeper = o.penetration - of_source.penetration;
    const bool met = o.speed <= of_source.speed * (1 + 1e-6) &&
                     o.drift <= of_source.drift * (1 + 1e-6) &&
                     deeper <= 1e-3 &&
                     o.jerk.of_pose <= 1.2 * of_source.jerk.of_pose &&
                     o.jerk.of_places <= 1.2 * of_source.jerk.of_places &&
                     o.beyond <= n.beyond + 2e-3;
    good = good && met;
    constexpr double kDegree = kPi / 180.0;
    std::printf(
        "%-7s %-23s %6.4f %6.4f %6.4f  %6.4f %6.4f %6.4f  %5.1f %5.1f %5.1f  "
        "%4.2f %4.2f  %4.2f %4.2f  %4.1f %4.1f  %4.1f %5.0f %6.0f  %s\n",
        path.stem().string().c_str(), target.name.c_str(), of_source.speed,
        n.speed, o.speed, of_source.drift, n.drift, o.drift,
        1e3 * of_source.penetration, 1e3 * n.penetration, 1e3 * o.penetration,
        n.jerk.of_pose / of_source.jerk.of_pose,
        o.jerk.of_pose / of_source.jerk.of_pose,
        n.jerk.of_places / of_source.jerk.of_places,
        o.jerk.of_places / of_source.jerk.of_places, n.beyond / kDegree,
        o.beyond / kDegree, 1e3 * ours.report.plant.worst_miss,
        1e3 * ours.report.plant.largest_root_shift,
        static_cast<double>(motion.num_frames()) / seconds,
        met ? "met" : "NOT MET");
  }
  return good;
}

int Main(int argc, char** argv) {
  std::filesystem::path folder = "../shared/data";
  if (const char* set = std::getenv("LIMBER_TEST_DATA")) folder = set;
  if (argc > 1) folder = argv[1];
  std::vector<std::string> clips(argv + std::min(argc, 2), argv + argc);
  if (clips.empty()) {
    clips = {"02_01", "07_01", "09_06", "16_07", "49_06", "85_02", "131_04"};
  }
  if (!std::filesystem::exists(folder / "cmu")) {
    std::printf("SKIPPED: no recordings at %s\n", folder.string().c_str());
    return 0;
  }
  std::printf(
      "stance speed [1/s] and drift, per leg length, and penetration [mm]: "
      "source, copy of angles, ours\njerk of the pose and of places, beside "
      "the "
      "source's, and joints beyond their limits [deg]: copy, ours\nplanted "
      "feet "
      "off their place, largest shift of the root [mm]; frames per second of "
      "processor time\n");
  std::printf(
      "%-7s %-23s %-20s  %-20s  %-17s  %-9s  %-9s  %-9s  %-4s %5s %6s\n",
      "clip", "target", "speed", "drift", "penetration", "pose jerk", "jerk",
      "limits", "off", "shift", "fps");
  int failures = 0;
  for (const std::string& clip : clips) {
    const std::string subject = clip.substr(0, clip.find('_'));
    if (!RunClip(folder / "cmu" / subject / (clip + ".bvh"))) ++failures;
  }
  std::printf("%d of %zu clips with a line that is not met\n", failures,
              clips.size());
  return 0;
}

}  // namespace
}  // namespace limber::mocap

int main(int argc, char** argv) { return limber::mocap::Main(argc, argv); }
