// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/play_retargeted.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "figure/clip_tracks.h"
#include "figure/make_figure.h"
#include "figure/smooth_motion.h"
#include "figure/stance_metrics.h"
#include "mocap/retarget/foot_phases.h"

namespace limber::jobs {

namespace {

/// The hold comes and goes within this time [s].
constexpr double kRamp = 0.03;
/// A point of the sole is held whole below the first height and not at all
/// above the second, for a leg of figure::kReferenceLeg [m].
constexpr double kOnFloor = 0.01;
constexpr double kOffFloor = 0.03;

/// Per frame: how far into a phase it is, 0 outside, up to 1. At the ends of a
/// shot the foot stood before and stands after.
std::vector<double> StandingShares(const std::vector<mocap::FootPhase>& phases,
                                   const figure::ClipTracks& tracks) {
  std::vector<double> shares(std::size_t(tracks.num_frames), 0.0);
  const double per_frame = 1.0 / (kRamp * tracks.rate_hz);
  for (const mocap::FootPhase& phase : phases) {
    const bool begins = std::ranges::any_of(
        tracks.shots,
        [&](const figure::Shot& shot) { return shot.begin == phase.begin; });
    const bool ends = std::ranges::any_of(
        tracks.shots,
        [&](const figure::Shot& shot) { return shot.end == phase.end; });
    for (std::int64_t i = phase.begin; i < phase.end; ++i) {
      const double in = static_cast<double>(i - phase.begin) * per_frame;
      const double out = static_cast<double>(phase.end - 1 - i) * per_frame;
      shares[std::size_t(i)] =
          std::min({begins ? 1.0 : in, ends ? 1.0 : out, 1.0});
    }
  }
  return shares;
}

int SegmentOf(const figure::FigureModel& model, int joint) {
  for (int s = 0; s < model.num_segments(); ++s) {
    if (model.segments[std::size_t(s)].joint == joint) return s;
  }
  return -1;
}

/// Toe and heel of one foot.
void AddHeldPoints(const std::vector<mocap::FootPhase>& phases,
                   const std::vector<double>& standing,
                   const figure::LegPlan& leg, double leg_length, double floor,
                   const figure::Motion& motion,
                   const figure::FigureModel& model,
                   std::vector<figure::HeldPoint>& held) {
  std::vector<double> on_toe(standing.size(), 1.0);
  for (const mocap::FootPhase& phase : phases) {
    std::ranges::copy(phase.on_toe, on_toe.begin() + phase.begin);
  }
  const double scale = leg_length / figure::kReferenceLeg;
  for (const bool is_heel : {false, true}) {
    const figure::BodyPoint& point = is_heel ? leg.heel : leg.toe;
    figure::HeldPoint hold;
    hold.segment = SegmentOf(model, point.joint);
    hold.point_B = point.p_JQ;
    if (hold.segment < 0) continue;
    std::vector<Transform> X_WJ;
    for (std::int64_t i = 0; i < motion.num_frames(); ++i) {
      const double toe = on_toe[std::size_t(i)];
      double share = toe;
      if (is_heel) {
        figure::WorldTransforms(motion.skeleton(), motion.pose(i), X_WJ);
        const double height = (point.At(X_WJ).y() - floor) / scale;
        const double near =
            figure::SmoothStep((kOffFloor - height) / (kOffFloor - kOnFloor));
        share = std::max(near, 1.0 - toe);
      }
      hold.share.push_back(share * standing[std::size_t(i)]);
    }
    held.push_back(std::move(hold));
  }
}

}  // namespace

Result<figure::PlayResult> PlayRetargeted(const figure::Motion& source_clip,
                                          const mocap::HumanBody& source,
                                          const mocap::Retargeted& retargeted,
                                          const mocap::HumanBody& target,
                                          double strength) {
  Diagnostics findings;
  std::shared_ptr<const figure::FigureModel> model = target.figure;
  if (!model) {
    figure::FigureOptions options;
    options.clip = &retargeted.motion;
    Result<figure::FigureModel> made =
        figure::MakeFigure(target.skeleton, options);
    findings.Append(made.diagnostics());
    if (!made.ok()) return Result<figure::PlayResult>(std::move(findings));
    model =
        std::make_shared<const figure::FigureModel>(std::move(made).value());
  }
  figure::PlaySettings settings;
  settings.strength = figure::Strength::Powered(strength);
  const figure::ClipTracks tracks = figure::TrackClip(source_clip, source.plan);
  for (int side = 0; side < 2; ++side) {
    const std::vector<mocap::FootPhase> phases =
        mocap::FindFootPhases(tracks, side);
    AddHeldPoints(phases, StandingShares(phases, tracks),
                  target.plan.legs[side], target.plan.leg_length,
                  retargeted.report.floor_target, retargeted.motion, *model,
                  settings.held);
  }
  return {figure::PlayMotion(retargeted.motion, model, settings),
          std::move(findings)};
}

}  // namespace limber::jobs
