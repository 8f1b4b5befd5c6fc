// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/retarget.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/clip_time.h"
#include "mocap/retarget/hand_contacts.h"
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

/// Of a stance: what decides about its height [s].
constexpr double kLastPart = 0.5;
/// Stances so near in time say where the floor is [s].
constexpr double kAround = 0.5;

double Mean(double a, double b) { return 0.5 * (a + b); }

/// A bare skeleton grows about height zero where the floor is near it, so that
/// the exact height of the floor does not matter; its soles lie inside the
/// foot, so the floor is where it was measured. The soles of a figure are its
/// skin: its floor is zero itself.
WorldScale MakeScale(const ClipTracks& tracks, const Body& source,
                     const Body& target) {
  WorldScale scale;
  scale.k = target.plan.leg_length / source.plan.leg_length;
  const bool near_zero = figure::HasFloorNearZero(tracks);
  scale.base_s = near_zero && !target.figure ? 0.0 : tracks.floor;
  scale.base_t = near_zero ? 0.0 : tracks.floor;
  const auto ankle_height = [](const Body& body) {
    return Mean(body.plan.legs[0].ankle_height, body.plan.legs[1].ankle_height);
  };
  scale.a_s = ankle_height(source);
  scale.a_t = ankle_height(target);
  return scale;
}

/// One foot of the source.
struct SourceFoot {
  std::vector<FootPhase> phases;
  std::vector<double> levels;   ///< Height of the sole in each phase [m].
  std::vector<double> heights;  ///< Of the sole in each frame [m].
};

/// Both feet, heights above `base`.
std::array<SourceFoot, 2> FindSourceFeet(const ClipTracks& tracks, double base,
                                         double rounding) {
  std::array<SourceFoot, 2> feet;
  const auto num_last =
      std::max<std::int64_t>(1, FramesIn(kLastPart, tracks.rate_hz));
  for (int side = 0; side < 2; ++side) {
    SourceFoot& foot = feet[side];
    const FootTrack& track = tracks.feet[side];
    foot.phases = FindFootPhases(tracks, side);
    for (std::size_t i = 0; i < track.toe.size(); ++i) {
      foot.heights.push_back(
          SoleHeight(track.toe[i].y(), track.heel[i].y(), rounding) - base);
    }
    for (const FootPhase& phase : foot.phases) {
      // Only its last part: it must not matter where in it the clip begins.
      const std::int64_t from = std::max(phase.begin, phase.end - num_last);
      std::vector<double> sorted(foot.heights.begin() + from,
                                 foot.heights.begin() + phase.end);
      std::ranges::sort(sorted);
      // A short one is a foot on its way: then its lowest place counts.
      constexpr std::size_t kFewFrames = 20;
      foot.levels.push_back(
          sorted[sorted.size() < kFewFrames ? 0 : sorted.size() / 5]);
    }
  }
  return feet;
}

/// Where the floor is under each phase of a foot: floors of recordings are not
/// level, so at the height of the foot itself; unless that is higher than an
/// uneven floor can be above the other stances around, and the foot rests on
/// something else. What is farther away in time has no say: it must not matter
/// where the clip begins.
std::vector<double> FloorsUnder(const std::array<SourceFoot, 2>& feet, int side,
                                double uneven, std::int64_t around) {
  std::vector<double> floors;
  for (std::size_t n = 0; n < feet[side].phases.size(); ++n) {
    const FootPhase& phase = feet[side].phases[n];
    double lowest = feet[side].levels[n];
    for (const SourceFoot& foot : feet) {
      for (std::size_t m = 0; m < foot.phases.size(); ++m) {
        if (foot.phases[m].begin < phase.end + around &&
            foot.phases[m].end > phase.begin - around) {
          lowest = std::min(lowest, foot.levels[m]);
        }
      }
    }
    const double level = feet[side].levels[n];
    floors.push_back(level < lowest + uneven ? level : lowest);
  }
  return floors;
}

/// One height per frame: that of the phase, and between phases a smooth way
/// from one to the next; `floor` for a foot that never stands [m].
std::vector<double> StandingHeights(const std::vector<FootPhase>& phases,
                                    const std::vector<double>& levels,
                                    double floor, std::size_t num_frames) {
  std::vector<double> result(num_frames, floor);
  std::size_t next = 0;
  for (std::size_t i = 0; i < num_frames && !phases.empty(); ++i) {
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
FootGoal MakeGoal(const ClipTracks& tracks,
                  const std::array<SourceFoot, 2>& feet, int side,
                  const WorldScale& scale, double foot_ratio, bool is_figure,
                  const LegPlan& leg, const Body& target,
                  const std::vector<Pose>& copied, double lock,
                  bool bend_toes) {
  FootGoal goal;
  goal.phases = feet[side].phases;
  goal.bend_toes = is_figure || bend_toes;
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
  const std::vector<double>& heights = feet[side].heights;
  // How near the floor a foot is, is measured from where it stands before and
  // after. Soles of a figure are its skin: they stand on the floor itself.
  const double uneven = is_figure ? kNearFloor * tracks.leg_length
                                  : std::numeric_limits<double>::infinity();
  const std::vector<double> level = StandingHeights(
      goal.phases,
      FloorsUnder(feet, side, uneven, FramesIn(kAround, tracks.rate_hz)),
      tracks.floor - scale.base_s, n);
  const std::vector<double> standing =
      is_figure ? level : std::vector<double>(n, 0.0);
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
    goal.height.push_back(scale.base_t + foot_ratio * height);
    const double u = (heights[i] - level[i]) / (kNearFloor * tracks.leg_length);
    goal.near_floor.push_back(std::exp(-u * std::abs(u)));
    if (is_figure) {
      // May sink as deep as heel or toe of the source.
      goal.lowest.push_back(scale.base_t +
                            std::min(foot_ratio, 1.0) * std::min(height, 0.0));
    } else {
      // Has the source's own points, and may sink as they do.
      goal.lowest.push_back(
          scale.base_t +
          foot_ratio * (std::min(foot.lowest[i], level[i] + scale.base_s) -
                        scale.base_s));
    }
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
  report.foot_ratio = figure::FootRatio(source.plan, target.plan);
  report.floor_source = tracks.floor;
  report.floor_target = target.figure
                            ? scale.base_t
                            : figure::CarriedFloor(tracks, report.foot_ratio);

  std::vector<Pose> poses = CopyPoses(motion, source, target, map, scale);
  if (options.keep_smooth) {
    report.smooth = MatchSmoothness(motion, source, tracks, target, poses);
  }
  if (options.plant_feet) {
    const double rounding_s = kRounding * tracks.leg_length;
    const std::array<SourceFoot, 2> feet =
        FindSourceFeet(tracks, scale.base_s, rounding_s);
    std::array<FootGoal, 2> goals;
    for (int side = 0; side < 2; ++side) {
      // Toes that follow nothing bend as the floor wants.
      const int toes = target.plan.legs[side].toes;
      goals[side] = MakeGoal(tracks, feet, side, scale, report.foot_ratio,
                             target.figure != nullptr, target.plan.legs[side],
                             target, poses, options.lock_feet,
                             toes >= 0 && map.pairs[toes].source < 0);
      report.num_phases += static_cast<int>(goals[side].phases.size());
    }
    report.plant =
        PlantFeet(target, motion.rate_hz(), tracks.shots, goals,
                  report.foot_ratio * rounding_s, options.plant, poses);
  }
  if (options.keep_touching) {
    report.hands =
        KeepHandsTouching(motion, source, target, tracks.shots,
                          {tracks.floor, report.floor_target, scale.k}, poses);
  }
  if (report.hands.missed_frames > 0) {
    report.relaxed.push_back(
        "an arm is too short in " + std::to_string(report.hands.missed_frames) +
        " frames in which a hand touches something: it stays away by up to " +
        std::to_string(1000.0 * report.hands.worst_miss) + " mm");
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
