// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Characters as people have them: every file of rigs/, gltf-fbx/ and bvh-zoo/
// that is a human body takes clips of cmu-20/, and its own clips go to the
// bundled figures.
//
//     retarget_rigs_bench [FOLDER [CLIP OR FILE ...]]
//
// A line for each pair: what `retarget_bench` measures, and the verdict. Files
// that are no body are said and left out. Clips and files are called by their
// names without ending; where some are named, only pairs of a named clip or a
// named file count.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/retarget_score.h"
#include "core/angle.h"
#include "jobs/body_clip.h"
#include "jobs/load.h"
#include "jobs/retarget.h"
#include "mocap/retarget/rigged_clip.h"

namespace limber::mocap {
namespace {

namespace fs = std::filesystem;

/// A file that holds a human body, with its clip.
struct RigFile {
  std::string name;
  RiggedClip clip;
};

std::vector<fs::path> FilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) {
    std::printf("SKIPPED: nothing at %s\n", folder.string().c_str());
    return files;
  }
  const std::set<std::string> endings = {".bvh", ".glb", ".gltf", ".fbx"};
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (endings.contains(entry.path().extension().string())) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

/// As the program reads it: axes, unit and rate by evidence.
std::optional<RigFile> ReadRig(const fs::path& path) {
  const std::string name = path.filename().string();
  const Result<jobs::LoadedFile> file = jobs::Load(path, {});
  if (!file.ok()) {
    std::printf("left out: %s cannot be read\n", name.c_str());
    return std::nullopt;
  }
  const auto* motion = std::get_if<figure::Motion>(&file->content);
  if (motion == nullptr) return std::nullopt;
  std::optional<RiggedClip> clip = MakeRiggedClip(*motion);
  if (!clip) {
    std::printf("left out: %s is no human body\n", name.c_str());
    return std::nullopt;
  }
  return RigFile{name, std::move(*clip)};
}

std::vector<RigFile> ReadRigs(const std::vector<fs::path>& folders) {
  std::vector<RigFile> rigs;
  for (const fs::path& folder : folders) {
    for (const fs::path& path : FilesIn(folder)) {
      if (auto rig = ReadRig(path)) rigs.push_back(std::move(*rig));
    }
  }
  return rigs;
}

struct Count {
  int lines = 0, right = 0, all = 0, missed_and_right = 0;
  std::array<int, kNumBars> holds = {};
};

void RunPair(const RigFile& source, const std::string& name,
             const HumanBody& target, Count& count) {
  const RetargetScore score =
      ScoreRetarget(source.clip.motion, source.clip.body, target);
  const bool right = score.verdict.looks_right();
  ++count.lines;
  count.right += right ? 1 : 0;
  count.all += score.all() ? 1 : 0;
  count.missed_and_right += right && !score.all() ? 1 : 0;
  std::string missed = score.all() ? "met" : "NOT MET:";
  for (int bar = 0; bar < kNumBars; ++bar) {
    count.holds[bar] += score.holds[bar] ? 1 : 0;
    if (!score.holds[bar]) missed += std::string(" ") + kBarNames[bar].name;
  }
  std::printf(
      "%-24s %-40s %7.4f %7.4f  %7.4f %7.4f  %5.1f %5.1f  %5.2f  %5.3f %5.3f "
      "%5.1f %7.0f  %-5s %s\n",
      source.name.c_str(), name.c_str(), score.source.speed, score.ours.speed,
      score.source.drift, score.ours.drift, 1e3 * score.source.penetration,
      1e3 * score.ours.penetration,
      score.ours.jerk.of_places / score.source.jerk.of_places,
      1e3 * score.result.report.plant.worst_miss, score.root_shift,
      Degrees(score.palms.worst),
      static_cast<double>(source.clip.motion.num_frames()) / score.seconds,
      right ? "right" : "wrong", missed.c_str());
  if (!right) std::printf("    %s\n", score.verdict.ToString().c_str());
  std::fflush(stdout);
}

int Main(int argc, char** argv) {
  fs::path folder = "../shared/data";
  if (const char* set = std::getenv("LIMBER_TEST_DATA")) folder = set;
  if (argc > 1) folder = argv[1];
  const std::set<std::string> names(argv + std::min(argc, 2), argv + argc);
  const auto is_wanted = [&names](const std::string& a, const std::string& b) {
    return names.empty() || names.contains(fs::path(a).stem().string()) ||
           names.contains(fs::path(b).stem().string());
  };
  const std::vector<RigFile> rigs =
      ReadRigs({folder / "rigs", folder / "gltf-fbx", folder / "bvh-zoo"});
  const std::vector<RigFile> clips = ReadRigs({folder / "cmu-20"});
  const std::vector<BenchTarget> figures = BundledTargets();
  std::printf(
      "stance speed [1/s] and drift, per leg length, and depth of the sole "
      "[mm]: source, ours; jerk of places beside the source's; planted feet "
      "off their place [mm], shift of the root by leg, hands turned away "
      "[deg], frames per second, verdict\n");
  Count count;
  for (const RigFile& rig : rigs) {
    for (const RigFile& clip : clips) {
      if (is_wanted(clip.name, rig.name)) {
        RunPair(clip, rig.name, rig.clip.body, count);
      }
    }
    for (const RigFile& clip : rigs) {
      if (is_wanted(clip.name, rig.name)) {
        RunPair(clip, rig.name, rig.clip.body, count);
      }
    }
    for (const BenchTarget& target : figures) {
      if (is_wanted(rig.name, target.name)) {
        RunPair(rig, target.name, target.body, count);
      }
    }
  }
  std::printf("%d pairs; hold:", count.lines);
  for (int bar = 0; bar < kNumBars; ++bar) {
    std::printf(" %s %d,", kBarNames[bar].name, count.holds[bar]);
  }
  std::printf(
      " all of them %d; verdict right %d, of these a line is missed in %d\n",
      count.all, count.right, count.missed_and_right);
  return 0;
}

}  // namespace
}  // namespace limber::mocap

int main(int argc, char** argv) { return limber::mocap::Main(argc, argv); }
