// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/retarget_score.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <utility>

#include "figure/figure_file.h"
#include "mocap/io/bvh.h"
#include "mocap/retarget/rigged_clip.h"
#include "tests/scenes/foreign_rigs.h"

namespace limber::mocap {

std::vector<BenchTarget> BundledTargets() {
  std::vector<BenchTarget> targets;
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

std::vector<BenchTarget> ForeignTargets() {
  std::vector<BenchTarget> targets;
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

ClipScore ScoreClip(const figure::Motion& motion, const HumanBody& body,
                    const std::vector<figure::Stance>& stances, double floor) {
  const figure::ClipTracks tracks = figure::TrackClip(motion, body.plan);
  const figure::StanceSlide slide =
      figure::MeasureSlide(tracks, figure::FootPoint::kToe, stances);
  return {slide.speed_per_leg, slide.drift_per_leg,
          figure::FloorPenetration(tracks, floor), figure::MeasureJerk(tracks),
          body.figure ? figure::MeasureLimits(*body.figure, motion)
                      : figure::LimitReport{}};
}

bool RetargetScore::all() const {
  return std::ranges::all_of(holds, [](bool value) { return value; });
}

bool RetargetScore::Doubts(const std::string& kind) const {
  return std::ranges::any_of(verdict.doubts(), [&kind](const Doubt& doubt) {
    return doubt.kind == kind;
  });
}

RetargetScore ScoreRetarget(const figure::Motion& motion,
                            const HumanBody& source, const HumanBody& target) {
  const figure::ClipTracks tracks = figure::TrackClip(motion, source.plan);
  const std::vector<figure::Stance> stances =
      figure::FindStances(tracks, figure::FootPoint::kToe);
  const JointMap map = MakeJointMap(source, target);
  const std::clock_t start = std::clock();
  Retargeted result = Retarget(motion, source, target, map);
  const double seconds =
      static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const ClipScore of_source = ScoreClip(motion, source, stances, tracks.floor);
  const ClipScore ours =
      ScoreClip(result.motion, target, stances, result.report.floor_target);
  const PalmTurn palms =
      MeasurePalms(motion, source, result.motion, target, result.report.mended);
  Verdict verdict = JudgeRetarget(motion, source, target, map, result);
  const RetargetReport& report = result.report;
  const double shift = report.plant.largest_root_shift / target.plan.leg_length;
  const RetargetBars bars;
  // Soles of bare skeletons are guessed points, which may lie in the ground as
  // far as the source's by the ratio of the feet.
  const double deeper = report.deepest_sole - std::max(1.0, report.foot_ratio) *
                                                  report.deepest_sole_of_source;
  const std::array<bool, kNumBars> holds = {
      ours.speed <= of_source.speed * (1 + 1e-6) + 1e-9,
      ours.drift <= of_source.drift * (1 + 1e-6) + 1e-9,
      target.figure ? ours.penetration <= bars.sole
                    : deeper <= bars.sole_of_rig,
      ours.limits.worst <= bars.limits,
      report.plant.worst_miss <= bars.off,
      shift <= bars.root_per_leg,
      palms.worst <= bars.palm,
      report.hands.deepest_palm <= bars.sole};
  return {
      of_source, ours, std::move(result), palms, std::move(verdict), seconds,
      shift,     holds};
}

}  // namespace limber::mocap
