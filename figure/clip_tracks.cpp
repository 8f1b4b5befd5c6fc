// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/clip_tracks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/clip_time.h"

namespace limber::figure {

namespace {

/// The joints every skeleton has, so that clips on different ones compare.
std::vector<int> BodyJoints(const BodyPlan& plan) {
  std::vector<int> joints = {plan.pelvis};
  if (!plan.spine.empty()) joints.push_back(plan.spine.back());
  if (!plan.neck.empty()) joints.push_back(plan.neck.back());
  for (int side = 0; side < 2; ++side) {
    const LegPlan& leg = plan.legs[side];
    const ArmPlan& arm = plan.arms[side];
    for (const int joint : {leg.thigh, leg.shank, leg.foot, arm.upper_arm,
                            arm.forearm, arm.hand}) {
      if (joint >= 0) joints.push_back(joint);
    }
  }
  return joints;
}

/// How far the fastest joint moves from each frame to the next [m].
std::vector<double> LongestSteps(const ClipTracks& tracks) {
  const auto n = static_cast<std::size_t>(tracks.num_joints);
  std::vector<double> steps;
  for (std::int64_t frame = 1; frame < tracks.num_frames; ++frame) {
    const std::size_t at = static_cast<std::size_t>(frame) * n;
    double longest = 0.0;
    for (std::size_t j = at; j < at + n; ++j) {
      longest =
          std::max(longest, (tracks.places[j] - tracks.places[j - n]).norm());
    }
    steps.push_back(longest);
  }
  return steps;
}

std::vector<Shot> FindShots(const ClipTracks& tracks) {
  std::vector<Shot> shots;
  if (tracks.num_frames == 0) return shots;
  const std::vector<double> steps = LongestSteps(tracks);
  const double leg_per_frame = tracks.leg_length / tracks.rate_hz;
  shots.push_back({0, tracks.num_frames});
  for (std::size_t i = 0; i < steps.size(); ++i) {
    double beside = 0.0;
    if (i > 0) beside = std::max(beside, steps[i - 1]);
    if (i + 1 < steps.size()) beside = std::max(beside, steps[i + 1]);
    const bool is_cut =
        steps[i] > kCutSpeed * leg_per_frame ||
        (steps[i] > kJumpSpeed * leg_per_frame && steps[i] > kJump * beside);
    if (!is_cut) continue;
    shots.back().end = static_cast<std::int64_t>(i) + 1;
    shots.push_back({shots.back().end, tracks.num_frames});
  }
  return shots;
}

/// Whether anything was recorded in the shot: one of a frame or two (an added
/// T-pose) is left out of the measures where there are longer ones.
bool Counts(const ClipTracks& tracks, const Shot& shot) {
  constexpr std::int64_t kShortest = 3;
  return shot.size() >= kShortest || tracks.num_frames < 2 * kShortest;
}

/// The floor is where feet rest. Of every foot that hardly moves, the lower one
/// of heel and toe counts (not the tip of the toes, which few recordings get
/// right). Heights that occur often form levels; the lowest level that has at
/// least a third as many as the fullest one is the floor, and of its heights
/// the tenth percentile.
double FindFloor(const ClipTracks& tracks) {
  constexpr double kSlow = 0.25;    // Leg lengths per second.
  constexpr double kLevel = 0.012;  // Half the thickness of a level, in legs.
  constexpr double kShareOfFullest = 1.0 / 3.0;
  std::vector<double> heights;
  std::vector<double> all;
  const double slow = kSlow * tracks.leg_length / tracks.rate_hz;
  for (const Shot& shot : tracks.shots) {
    if (!Counts(tracks, shot)) continue;
    for (std::int64_t i = shot.begin; i < shot.end; ++i) {
      const std::int64_t next = i + 1 < shot.end ? i + 1 : i;
      const std::int64_t before = i > shot.begin ? i - 1 : i;
      const double steps =
          std::max<double>(1.0, static_cast<double>(next - before));
      for (const FootTrack& foot : tracks.feet) {
        const double height = std::min(foot.toe[i].y(), foot.heel[i].y());
        all.push_back(height);
        if ((foot.toe[next] - foot.toe[before]).norm() < slow * steps &&
            (foot.heel[next] - foot.heel[before]).norm() < slow * steps) {
          heights.push_back(height);
        }
      }
    }
  }
  std::ranges::sort(all);
  // Feet that never rest: the lowest they get, a percent left out.
  if (heights.empty()) return all.empty() ? 0.0 : all[all.size() / 100];
  std::ranges::sort(heights);

  // How many heights lie within a level of each one, by two moving ends.
  const double half = kLevel * tracks.leg_length;
  std::vector<std::size_t> begins(heights.size());
  std::vector<std::size_t> counts(heights.size());
  std::size_t begin = 0;
  std::size_t end = 0;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    while (heights[begin] < heights[i] - half) ++begin;
    while (end < heights.size() && heights[end] <= heights[i] + half) ++end;
    begins[i] = begin;
    counts[i] = end - begin;
  }
  const double enough =
      kShareOfFullest * static_cast<double>(*std::ranges::max_element(counts));
  std::size_t level = 0;
  while (static_cast<double>(counts[level]) < enough) ++level;
  // Up to the middle of the level.
  while (level + 1 < counts.size() && counts[level + 1] >= counts[level] &&
         heights[level + 1] - heights[begins[level]] <= 2.0 * half) {
    ++level;
  }
  return heights[begins[level] + counts[level] / 10];
}

/// Of values `stride` apart, the last of them at `i`.
Vector3 ThirdDifference(const std::vector<Vector3>& values, std::size_t i,
                        std::size_t stride) {
  return values[i] - 3.0 * values[i - stride] + 3.0 * values[i - 2 * stride] -
         values[i - 3 * stride];
}

}  // namespace

ClipTracks TrackClip(const Motion& motion, const BodyPlan& plan) {
  if (const std::string why = WhyNotWhole(motion.duration(), motion.rate_hz());
      !why.empty()) {
    throw std::invalid_argument(why);
  }
  ClipTracks tracks;
  tracks.rate_hz = motion.rate_hz();
  tracks.num_frames = motion.num_frames();
  tracks.leg_length = plan.leg_length;
  const std::vector<int> joints = BodyJoints(plan);
  tracks.num_joints = static_cast<int>(joints.size());
  tracks.places.reserve(joints.size() *
                        static_cast<std::size_t>(tracks.num_frames));
  tracks.turns.reserve(tracks.places.capacity());
  std::vector<Quaternion> before(joints.size());
  Pose pose;
  std::vector<Transform> X_WJ;
  for (std::int64_t frame = 0; frame < tracks.num_frames; ++frame) {
    motion.GetPose(frame, pose);
    WorldTransforms(motion.skeleton(), pose, X_WJ);
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const Transform& X = X_WJ[joints[j]];
      tracks.places.push_back(X.p);
      tracks.turns.push_back(frame == 0
                                 ? Vector3(Vector3::Zero())
                                 : LogRotation(X.R * before[j].conjugate()));
      before[j] = X.R;
    }
    for (int side = 0; side < 2; ++side) {
      const LegPlan& leg = plan.legs[side];
      FootTrack& foot = tracks.feet[side];
      foot.toe.push_back(leg.toe.At(X_WJ));
      foot.heel.push_back(leg.heel.At(X_WJ));
      double lowest = std::numeric_limits<double>::infinity();
      for (const BodyPoint& point : leg.sole) {
        lowest = std::min(lowest, point.At(X_WJ).y());
      }
      foot.lowest.push_back(lowest);
    }
  }
  tracks.shots = FindShots(tracks);
  tracks.floor = FindFloor(tracks);
  return tracks;
}

std::vector<double> ThirdDifferenceSquares(const ClipTracks& tracks) {
  const auto n = static_cast<std::size_t>(tracks.num_joints);
  std::vector<double> squares(static_cast<std::size_t>(tracks.num_frames), 0.0);
  const double unit =
      static_cast<double>(n) * tracks.leg_length * tracks.leg_length;
  for (const Shot& shot : tracks.shots) {
    for (std::int64_t frame = shot.begin + 3; frame < shot.end; ++frame) {
      const std::size_t at = static_cast<std::size_t>(frame) * n;
      double sum = 0.0;
      for (std::size_t j = at; j < at + n; ++j) {
        sum += ThirdDifference(tracks.places, j, n).squaredNorm();
      }
      squares[frame] = sum / unit;
    }
  }
  return squares;
}

Jerk MeasureJerk(const ClipTracks& tracks) {
  const auto n = static_cast<std::size_t>(tracks.num_joints);
  double places = 0.0;
  for (const double square : ThirdDifferenceSquares(tracks)) places += square;
  double root = 0.0;
  double turns = 0.0;
  std::int64_t count = 0;
  for (const Shot& shot : tracks.shots) {
    for (std::int64_t frame = shot.begin + 3; frame < shot.end; ++frame) {
      const std::size_t at = static_cast<std::size_t>(frame) * n;
      for (std::size_t j = at; j < at + n; ++j) {
        const Vector3 w = tracks.turns[j] - 2.0 * tracks.turns[j - n] +
                          tracks.turns[j - 2 * n];
        turns += w.squaredNorm();
      }
      root += ThirdDifference(tracks.places, at, n).squaredNorm();
      ++count;
    }
  }
  Jerk jerk;
  if (count == 0) return jerk;
  const double cubed = std::pow(tracks.rate_hz, 3);
  const double frames = static_cast<double>(count);
  const double samples = frames * tracks.num_joints;
  const double leg_squared = tracks.leg_length * tracks.leg_length;
  jerk.of_places = cubed * std::sqrt(places / frames);
  jerk.of_pose =
      cubed * std::sqrt(turns / samples + root / frames / leg_squared);
  return jerk;
}

double FloorPenetration(const ClipTracks& tracks, double floor) {
  double deepest = 0.0;
  for (const Shot& shot : tracks.shots) {
    if (!Counts(tracks, shot)) continue;
    for (std::int64_t frame = shot.begin; frame < shot.end; ++frame) {
      for (const FootTrack& foot : tracks.feet) {
        deepest = std::max(deepest, floor - foot.lowest[frame]);
      }
    }
  }
  return deepest;
}

bool HasFloorNearZero(const ClipTracks& tracks) {
  constexpr double kNear = 0.1;
  return std::abs(tracks.floor) <= kNear * tracks.leg_length;
}

double CarriedFloor(const ClipTracks& source, double foot_ratio) {
  return HasFloorNearZero(source) ? foot_ratio * source.floor : source.floor;
}

}  // namespace limber::figure
