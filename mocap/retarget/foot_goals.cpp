// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/foot_goals.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/clip_time.h"

namespace limber::mocap {

namespace {

using figure::ClipTracks;
using figure::FootTrack;
using figure::LegPlan;
using figure::Pose;

/// Of the leg's length: see FootGoal::rounding.
constexpr double kStanceRounding = 0.001;
/// Of the leg's length: below this height the height of a swinging foot counts.
constexpr double kNearFloor = 0.06;
/// Of a stance: what decides about its height [s].
constexpr double kLastPart = 0.5;
/// How long a foot that leaves a stance goes by the height of that one [s].
constexpr double kLeave = 0.05;
/// The soles of a figure may sink as the source's do, down to here [m].
constexpr double kDeepest = 0.003;

/// How much the height of a foot counts that is u times kNearFloor above where
/// it stands next: less high up, more where it sinks, and less again far below,
/// on the way up a step.
double NearFloor(double u) {
  if (u >= -1.0) return std::exp(-u * std::abs(u));
  return std::exp(1.0 - (u + 1.0) * (u + 1.0));
}

double Mean(double a, double b) { return 0.5 * (a + b); }

/// The height of a sole in a phase. Only the last part counts: it must not
/// matter where in it the clip begins.
double LevelOf(const FootPhase& phase, const std::vector<double>& heights,
               std::int64_t num_last) {
  const std::int64_t from = std::max(phase.begin, phase.end - num_last);
  std::vector<double> sorted(heights.begin() + from,
                             heights.begin() + phase.end);
  std::ranges::sort(sorted);
  // A short one is a foot on its way: then its lowest place counts.
  constexpr std::size_t kFewFrames = 20;
  return sorted[sorted.size() < kFewFrames ? 0 : sorted.size() / 5];
}

struct PhaseAt {
  int side = 0;
  std::size_t index = 0;
};

/// The phases of both feet in the order of time.
std::vector<PhaseAt> InOrder(const std::array<SourceFoot, 2>& feet) {
  std::vector<PhaseAt> order;
  for (int side = 0; side < 2; ++side) {
    for (std::size_t n = 0; n < feet[side].phases.size(); ++n) {
      order.push_back({side, n});
    }
  }
  std::ranges::stable_sort(order, [&](const PhaseAt& a, const PhaseAt& b) {
    return feet[a.side].phases[a.index].begin <
           feet[b.side].phases[b.index].begin;
  });
  return order;
}

/// See the header.
void FindGround(const ClipTracks& tracks, std::array<SourceFoot, 2>& feet) {
  const std::vector<PhaseAt> order = InOrder(feet);
  const double uneven = kUneven * tracks.leg_length;
  const auto level = [&](const PhaseAt& at) {
    return feet[at.side].levels[at.index];
  };
  const auto ground = [&](const PhaseAt& at) -> double& {
    return feet[at.side].ground[at.index];
  };
  for (std::size_t n = 0; n < order.size(); ++n) {
    const double h = level(order[n]);
    // Where it is nearest: the last stance of this foot or of the other one.
    double above = h - tracks.floor;
    double nearest = std::numeric_limits<double>::infinity();
    std::array<bool, 2> is_seen = {false, false};
    for (std::size_t m = n; m-- > 0 && !(is_seen[0] && is_seen[1]);) {
      if (is_seen[order[m].side]) continue;
      is_seen[order[m].side] = true;
      const double change = h - level(order[m]);
      if (std::abs(change) >= nearest) continue;
      nearest = std::abs(change);
      above = ground(order[m]) + (nearest <= uneven ? 0.0 : change);
    }
    const double o =
        std::clamp(h - above, tracks.floor - uneven, tracks.floor + uneven);
    above = h - o;
    ground(order[n]) = std::abs(above) <= uneven ? 0.0 : above;
  }
}

/// One value per frame: that of the phase, and between phases a smooth way from
/// one to the next that takes `leave` frames at most, so that what was before
/// is soon forgotten; `floor` for a foot that never stands.
std::vector<double> BetweenPhases(const std::vector<FootPhase>& phases,
                                  const std::vector<double>& values,
                                  double floor, double leave,
                                  std::size_t num_frames) {
  std::vector<double> result(num_frames, floor);
  std::size_t next = 0;
  for (std::size_t i = 0; i < num_frames && !phases.empty(); ++i) {
    const auto frame = static_cast<std::int64_t>(i);
    while (next < phases.size() && phases[next].end <= frame) ++next;
    if (next == phases.size() || next == 0 || phases[next].begin <= frame) {
      result[i] = values[std::min(next, phases.size() - 1)];
      continue;
    }
    const double begin = static_cast<double>(phases[next - 1].end - 1);
    const double end = static_cast<double>(phases[next].begin);
    const double u = std::min(1.0, (static_cast<double>(frame) - begin) /
                                       std::min(end - begin, leave));
    const double s = u * u * u * (10.0 + u * (6.0 * u - 15.0));
    result[i] = (1.0 - s) * values[next - 1] + s * values[next];
  }
  return result;
}

/// The lower one of the phases before and after each frame: a foot between two
/// steps may be anywhere above it.
std::vector<double> LowestBeside(const std::vector<FootPhase>& phases,
                                 const std::vector<double>& values,
                                 std::size_t num_frames) {
  std::vector<double> result(num_frames, 0.0);
  std::size_t next = 0;
  for (std::size_t i = 0; i < num_frames && !phases.empty(); ++i) {
    const auto frame = static_cast<std::int64_t>(i);
    while (next < phases.size() && phases[next].end <= frame) ++next;
    const double after = values[std::min(next, phases.size() - 1)];
    const bool stands = next < phases.size() && phases[next].begin <= frame;
    const double before = next > 0 ? values[next - 1] : after;
    result[i] = stands ? after : std::min(before, after);
  }
  return result;
}

/// Where the sole of the source counts as standing, and where that lies on the
/// target, above base_s and base_t; per phase [m].
struct Standing {
  std::vector<double> source;
  std::vector<double> target;
};

Standing FindStanding(const SourceFoot& foot, const WorldScale& scale,
                      bool is_figure) {
  Standing standing;
  for (std::size_t n = 0; n < foot.phases.size(); ++n) {
    const double above = foot.ground[n];
    // Soles of a figure are its skin: they stand on the ground itself. A bare
    // skeleton keeps the height that it has over the ground.
    standing.source.push_back(is_figure ? foot.levels[n] - scale.base_s
                                        : above);
    standing.target.push_back(scale.k * above);
  }
  return standing;
}

FootGoal MakeGoal(const ClipTracks& tracks, const SourceFoot& source, int side,
                  const WorldScale& scale, double foot_ratio,
                  const HumanBody& target, const std::vector<Pose>& copied,
                  double lock) {
  const LegPlan& leg = target.plan.legs[side];
  const bool is_figure = target.figure != nullptr;
  FootGoal goal;
  goal.phases = source.phases;
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
  const Standing standing = FindStanding(source, scale, is_figure);
  // How near the floor a foot is, is measured from where it stands before and
  // after.
  const double leave = std::max(1.0, kLeave * tracks.rate_hz);
  const std::vector<double> level =
      BetweenPhases(goal.phases, source.levels, tracks.floor, leave, n);
  const double floor_s = is_figure ? tracks.floor - scale.base_s : 0.0;
  const std::vector<double> from =
      BetweenPhases(goal.phases, standing.source, floor_s, leave, n);
  const std::vector<double> to =
      BetweenPhases(goal.phases, standing.target, 0.0, leave, n);
  const std::vector<double> ground =
      LowestBeside(goal.phases, standing.target, n);
  // How high a sole stands over its ground.
  std::vector<double> over = source.levels;
  for (std::size_t m = 0; m < over.size(); ++m) over[m] -= source.ground[m];
  const std::vector<double> over_ground =
      BetweenPhases(goal.phases, over, tracks.floor, leave, n);
  // Of the same phases in the source, for bare skeletons.
  const std::vector<double> ground_s =
      LowestBeside(goal.phases, standing.source, n);
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
    const double height = source.heights[i] - scale.base_s - from[i];
    goal.height.push_back(scale.base_t + to[i] + foot_ratio * height);
    goal.near_floor.push_back(NearFloor((source.heights[i] - level[i]) /
                                        (kNearFloor * tracks.leg_length)));
    // The floor of a bare skeleton is as high as the source's by its feet.
    goal.ground.push_back(
        scale.base_t + ground[i] +
        (is_figure ? 0.0 : foot_ratio * (tracks.floor - scale.base_s)));
    goal.depth_of_source.push_back(tracks.floor + ground[i] / scale.k -
                                   foot.lowest[i]);
    if (is_figure) {
      // May sink as deep as heel or toe of the source, hardly visibly.
      goal.lowest.push_back(scale.base_t + ground[i] +
                            std::max(-kDeepest, std::min(foot_ratio, 1.0) *
                                                    std::min(height, 0.0)));
    } else {
      // Has the source's own points, and may sink as they do.
      goal.lowest.push_back(
          scale.base_t + ground[i] +
          foot_ratio * (std::min(foot.lowest[i], ground_s[i] + over_ground[i]) -
                        scale.base_s - ground_s[i]));
    }
  }
  return goal;
}

}  // namespace

std::array<SourceFoot, 2> FindSourceFeet(const ClipTracks& tracks,
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
          SoleHeight(track.toe[i].y(), track.heel[i].y(), rounding));
    }
    for (const FootPhase& phase : foot.phases) {
      foot.levels.push_back(LevelOf(phase, foot.heights, num_last));
    }
    foot.ground.assign(foot.phases.size(), 0.0);
  }
  FindGround(tracks, feet);
  return feet;
}

std::array<FootGoal, 2> MakeFootGoals(
    const ClipTracks& tracks, const std::array<SourceFoot, 2>& feet,
    const WorldScale& scale, double foot_ratio, const HumanBody& target,
    const std::vector<Pose>& copied, double lock) {
  std::array<FootGoal, 2> goals;
  for (int side = 0; side < 2; ++side) {
    goals[side] = MakeGoal(tracks, feet[side], side, scale, foot_ratio, target,
                           copied, lock);
  }
  return goals;
}

LocalFloor FindLocalFloor(const ClipTracks& tracks,
                          const std::array<SourceFoot, 2>& feet,
                          const WorldScale& scale, double foot_ratio,
                          bool is_figure) {
  const auto n = static_cast<std::size_t>(tracks.num_frames);
  const double leave = std::max(1.0, kLeave * tracks.rate_hz);
  LocalFloor floor;
  floor.k = scale.k;
  floor.lowest = scale.base_t;
  floor.source.assign(n, 0.0);
  floor.target.assign(n, 0.0);
  // Where a sole at height h stands on the target, as MakeGoal has it.
  const auto carried = [&](double h, double from, double to) {
    return scale.base_t + to + foot_ratio * (h - scale.base_s - from);
  };
  for (const SourceFoot& foot : feet) {
    const Standing standing = FindStanding(foot, scale, is_figure);
    std::vector<double> target;
    for (std::size_t m = 0; m < foot.phases.size(); ++m) {
      target.push_back(
          carried(foot.levels[m], standing.source[m], standing.target[m]));
    }
    const double floor_s = is_figure ? tracks.floor - scale.base_s : 0.0;
    const std::vector<double> levels =
        BetweenPhases(foot.phases, foot.levels, tracks.floor, leave, n);
    const std::vector<double> grounds = BetweenPhases(
        foot.phases, target, carried(tracks.floor, floor_s, 0.0), leave, n);
    for (std::size_t i = 0; i < n; ++i) {
      floor.source[i] += 0.5 * levels[i];
      floor.target[i] += 0.5 * grounds[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    floor.shift.push_back(floor.target[i] - scale.base_t -
                          scale.k * (floor.source[i] - scale.base_s));
  }
  return floor;
}

}  // namespace limber::mocap
