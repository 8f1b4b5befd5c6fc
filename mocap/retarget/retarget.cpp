// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/retarget.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "mocap/retarget/pose_copy.h"

namespace limber::mocap {

namespace {

using figure::ClipTracks;
using figure::FootTrack;
using figure::LegPlan;
using figure::Pose;

/// Of the leg's length: how far heel and toe may differ before the lower one
/// alone counts.
constexpr double kRounding = 0.01;
/// Of the leg's length: see FootGoal::rounding.
constexpr double kStanceRounding = 0.001;
/// Of the leg's length: below this height the height of a swinging foot counts.
constexpr double kNearFloor = 0.06;

double Mean(double a, double b) { return 0.5 * (a + b); }

WorldScale MakeScale(const ClipTracks& tracks, const Body& source,
                     const Body& target) {
  WorldScale scale;
  scale.k = target.plan.leg_length / source.plan.leg_length;
  scale.floor_s = tracks.floor;
  scale.floor_t = figure::CarriedFloor(tracks, target.plan.leg_length);
  // The soles of a figure are its skin, those of a bare skeleton lie inside the
  // foot: then the floor is where it was measured.
  const bool near_zero = scale.floor_t != tracks.floor || tracks.floor == 0.0;
  if (target.figure && near_zero) scale.floor_t = 0.0;
  const auto ankle_height = [](const Body& body) {
    return Mean(body.plan.legs[0].ankle_height, body.plan.legs[1].ankle_height);
  };
  scale.a_s = ankle_height(source);
  scale.a_t = ankle_height(target);
  return scale;
}

double FootRatio(const Body& source, const Body& target, double k) {
  const auto length = [](const Body& body) {
    return Mean(body.plan.legs[0].foot_length, body.plan.legs[1].foot_length);
  };
  return length(source) > 0.0 && length(target) > 0.0
             ? length(target) / length(source)
             : k;
}

/// How high above the floor the source has a foot when it stands: floors of
/// recordings are not level. One height per frame: that of the phase, and
/// between phases a smooth way from one to the next [m].
std::vector<double> StandingHeights(const std::vector<FootPhase>& phases,
                                    const std::vector<double>& height) {
  std::vector<double> result(height.size(), 0.0);
  std::vector<double> levels;
  for (const FootPhase& phase : phases) {
    std::vector<double> sorted(height.begin() + phase.begin,
                               height.begin() + phase.end);
    std::ranges::sort(sorted);
    levels.push_back(sorted[sorted.size() / 5]);
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < height.size() && !phases.empty(); ++i) {
    const auto frame = static_cast<std::int64_t>(i);
    while (next < phases.size() && phases[next].end <= frame) ++next;
    if (next == phases.size() || next == 0 || phases[next].begin <= frame) {
      result[i] = levels[std::min(next, phases.size() - 1)];
      continue;
    }
    const double begin = static_cast<double>(phases[next - 1].end - 1);
    const double end = static_cast<double>(phases[next].begin);
    const double u = (static_cast<double>(frame) - begin) / (end - begin);
    const double s = u * u * u * (10.0 + u * (6.0 * u - 15.0));
    result[i] = (1.0 - s) * levels[next - 1] + s * levels[next];
  }
  return result;
}

/// Goals for one foot: see FootGoal.
FootGoal MakeGoal(const ClipTracks& tracks, int side, const WorldScale& scale,
                  double foot_ratio, double rounding_s, bool is_figure,
                  const LegPlan& leg, const Body& target,
                  const std::vector<Pose>& copied, double lock) {
  FootGoal goal;
  goal.phases = FindFootPhases(tracks, side);
  goal.bend_toes = is_figure;
  if (is_figure) goal.rounding = kStanceRounding * target.plan.leg_length;
  const FootTrack& foot = tracks.feet[side];
  const std::size_t n = copied.size();
  // From heel to toe on the target, whose foot keeps this direction.
  std::vector<Vector3> along;
  std::vector<Transform> X_WJ;
  for (const Pose& pose : copied) {
    figure::WorldTransforms(*target.skeleton, pose, X_WJ);
    along.push_back(leg.toe.At(X_WJ) - leg.heel.At(X_WJ));
  }
  std::vector<double> on_toe(n, 1.0);
  for (const FootPhase& phase : goal.phases) {
    std::ranges::copy(phase.on_toe, on_toe.begin() + phase.begin);
  }
  std::vector<double> heights;
  for (std::size_t i = 0; i < n; ++i) {
    heights.push_back(
        SoleHeight(foot.toe[i].y(), foot.heel[i].y(), rounding_s) -
        scale.floor_s);
  }
  // Soles of a figure are its skin: they stand on the floor itself.
  const std::vector<double> standing =
      is_figure ? StandingHeights(goal.phases, heights)
                : std::vector<double>(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    Vector3 step = Vector3::Zero();
    if (i + 1 < n) {
      // The point about which the foot turns moves k times as far as the
      // source's.
      const double s = Mean(on_toe[i], on_toe[i + 1]);
      const double k = scale.k * (1.0 - lock);
      const Vector3 by_toe = k * (foot.toe[i + 1] - foot.toe[i]);
      const Vector3 by_heel =
          k * (foot.heel[i + 1] - foot.heel[i]) + along[i + 1] - along[i];
      step = s * by_toe + (1.0 - s) * by_heel;
    }
    goal.toe_step.push_back(step);
    const double height = heights[i] - standing[i];
    goal.height.push_back(scale.floor_t + foot_ratio * height);
    const double u = height / (kNearFloor * tracks.leg_length);
    goal.near_floor.push_back(std::exp(-u * std::abs(u)));
    // A figure's sole may sink as deep as heel or toe of the source; a bare
    // skeleton's has the source's own points.
    const double lowest =
        is_figure ? std::min(foot.toe[i].y(), foot.heel[i].y()) - scale.floor_s
                  : foot.lowest[i] - scale.floor_s;
    const double share = is_figure ? std::min(foot_ratio, 1.0) : foot_ratio;
    goal.lowest.push_back(scale.floor_t + share * std::min(lowest, 0.0));
  }
  return goal;
}

void CheckArguments(const figure::Motion& motion, const Body& source,
                    const Body& target, const JointMap& map,
                    const RetargetOptions& options) {
  if (motion.skeleton().num_joints() != source.skeleton->num_joints()) {
    throw std::invalid_argument("motion has " +
                                std::to_string(motion.skeleton().num_joints()) +
                                " joints, source.skeleton " +
                                std::to_string(source.skeleton->num_joints()));
  }
  if (static_cast<int>(map.pairs.size()) != target.skeleton->num_joints()) {
    throw std::invalid_argument(
        "map.pairs has " + std::to_string(map.pairs.size()) +
        " entries, target.skeleton " +
        std::to_string(target.skeleton->num_joints()) + " joints");
  }
  if (!(options.lock_feet >= 0.0 && options.lock_feet <= 1.0)) {
    throw std::invalid_argument("lock_feet must be in [0, 1], found " +
                                std::to_string(options.lock_feet));
  }
}

}  // namespace

Retargeted Retarget(const figure::Motion& motion, const Body& source,
                    const Body& target, const JointMap& map,
                    const RetargetOptions& options, figure::MotionSource form) {
  CheckArguments(motion, source, target, map, options);
  const ClipTracks tracks = figure::TrackClip(motion, source.plan);
  const WorldScale scale = MakeScale(tracks, source, target);
  RetargetReport report;
  report.leg_ratio = scale.k;
  report.foot_ratio = FootRatio(source, target, scale.k);
  report.floor_source = scale.floor_s;
  report.floor_target = scale.floor_t;

  std::vector<Pose> poses = CopyPoses(motion, source, target, map, scale);
  if (options.plant_feet) {
    const double rounding_s = kRounding * tracks.leg_length;
    std::array<FootGoal, 2> goals;
    for (int side = 0; side < 2; ++side) {
      goals[side] = MakeGoal(tracks, side, scale, report.foot_ratio, rounding_s,
                             target.figure != nullptr, target.plan.legs[side],
                             target, poses, options.lock_feet);
      report.num_phases += static_cast<int>(goals[side].phases.size());
    }
    report.plant =
        PlantFeet(target, motion.rate_hz(), tracks.shots, goals,
                  report.foot_ratio * rounding_s, options.plant, poses);
  }
  if (report.plant.missed_frames > 0) {
    report.relaxed.push_back(
        "a leg is too short in " + std::to_string(report.plant.missed_frames) +
        " frames of stances: the foot leaves its place by up to " +
        std::to_string(1000.0 * report.plant.worst_miss) + " mm");
  }
  Retargeted result{
      figure::Motion(target.skeleton, motion.rate_hz(), std::move(form)),
      std::move(report)};
  for (const Pose& pose : poses) result.motion.Append(pose);
  return result;
}

}  // namespace limber::mocap
