// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/combine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/clip_time.h"

namespace limber::mocap {

namespace {

using figure::ClipTracks;
using figure::FootTrack;
using figure::Motion;
using figure::Pose;

/// A turn about the vertical and a shift over the floor.
struct FloorMove {
  double angle = 0.0;
  Vector3 shift = Vector3::Zero();

  Transform X() const { return {ExpRotation(Vector3(0, angle, 0)), shift}; }
};

void Check(const Motion& a, const Motion& b, const CombineOptions& options) {
  const figure::Skeleton& s = a.skeleton();
  const figure::Skeleton& t = b.skeleton();
  if (s.num_joints() != t.num_joints()) {
    throw std::invalid_argument("a has " + std::to_string(s.num_joints()) +
                                " joints, b " + std::to_string(t.num_joints()));
  }
  for (int j = 0; j < s.num_joints(); ++j) {
    if (s.joint(j).parent != t.joint(j).parent ||
        (s.joint(j).offset - t.joint(j).offset).norm() > 1e-6) {
      throw std::invalid_argument("joint " + s.joint(j).name +
                                  " of a is not as long or hangs elsewhere "
                                  "than " +
                                  t.joint(j).name + " of b");
    }
  }
  if (!(options.blend > 0.0) || !(options.search > 0.0)) {
    throw std::invalid_argument("blend and search must be positive, found " +
                                std::to_string(options.blend) + " and " +
                                std::to_string(options.search));
  }
}

/// How far the joints are apart at a pair of frames, places and speeds, after
/// the best move of b; over a few frames of the blend.
class Matcher {
 public:
  Matcher(const ClipTracks& a, const ClipTracks& b, std::int64_t num_blend)
      : a_(a), b_(b), num_blend_(num_blend) {}

  /// Squared distance, mean over joints and frames [m^2], and the move.
  std::pair<double, FloorMove> Match(std::int64_t i, std::int64_t j) const {
    // The best turn in closed form, from the points of all samples together.
    Vector3 mean_a = Vector3::Zero();
    Vector3 mean_b = Vector3::Zero();
    double sine = 0.0;
    double cosine = 0.0;
    double count = 0.0;
    ForPoints(i, j, [&](const Vector3& p, const Vector3& q) {
      mean_a += p;
      mean_b += q;
      count += 1.0;
    });
    mean_a /= count;
    mean_b /= count;
    ForPoints(i, j, [&](const Vector3& p, const Vector3& q) {
      const Vector3 x = p - mean_a;
      const Vector3 y = q - mean_b;
      cosine += x.x() * y.x() + x.z() * y.z();
      sine += x.x() * y.z() - x.z() * y.x();
    });
    FloorMove move;
    move.angle = std::atan2(sine, cosine);
    const Quaternion R = ExpRotation(Vector3(0, move.angle, 0));
    move.shift = mean_a - R * mean_b;
    move.shift.y() = 0.0;
    double sum = 0.0;
    ForPoints(i, j, [&](const Vector3& p, const Vector3& q) {
      sum += (p - R * q - move.shift).squaredNorm();
    });
    return {sum / count, move};
  }

 private:
  /// Five moments of the blend; speed counts because they are spread in time.
  template <typename Function>
  void ForPoints(std::int64_t i, std::int64_t j, Function&& function) const {
    constexpr int kMoments = 5;
    const auto n = static_cast<std::size_t>(a_.num_joints);
    for (int m = 0; m < kMoments; ++m) {
      const std::int64_t ahead = (num_blend_ - 1) * m / (kMoments - 1);
      const std::size_t at_a = static_cast<std::size_t>(i + ahead) * n;
      const std::size_t at_b = static_cast<std::size_t>(j + ahead) * n;
      for (std::size_t k = 0; k < n; ++k) {
        function(a_.places[at_a + k], b_.places[at_b + k]);
      }
    }
  }

  const ClipTracks& a_;
  const ClipTracks& b_;
  const std::int64_t num_blend_;
};

Pose Moved(Pose pose, const figure::Skeleton& skeleton, const Transform& X) {
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    if (skeleton.is_root(joint)) pose.X_PJ[joint] = X * pose.X_PJ[joint];
  }
  return pose;
}

/// The motion at another rate; the same where it has it.
Motion AtRate(const Motion& motion, double rate_hz) {
  if (std::abs(motion.rate_hz() - rate_hz) <= 1e-6 * rate_hz) return motion;
  Motion result(motion.shared_skeleton(), rate_hz);
  const std::int64_t last = FramesIn(motion.duration(), rate_hz, Frames::kDown);
  for (std::int64_t i = 0; i <= last; ++i) {
    result.Append(motion.Sample(static_cast<double>(i) / rate_hz));
  }
  return result;
}

/// s(u) = u³ (10 - 15 u + 6 u²)
double Ease(double u) { return u * u * u * (10.0 + u * (6.0 * u - 15.0)); }

/// Frames of the joined clip: which frames of a and b each is made of.
struct Timeline {
  std::int64_t frame_a = 0;  ///< Of the beginning of the blend.
  std::int64_t frame_b = 0;
  std::int64_t num_blend = 0;
  std::int64_t num_frames = 0;

  std::int64_t InA(std::int64_t frame) const { return frame; }
  std::int64_t InB(std::int64_t frame) const {
    return frame - frame_a + frame_b;
  }
  /// Share of b.
  double Share(std::int64_t frame) const {
    if (frame < frame_a) return 0.0;
    if (frame >= frame_a + num_blend) return 1.0;
    return Ease(static_cast<double>(frame - frame_a) /
                static_cast<double>(num_blend - 1));
  }
};

/// Where a foot of one clip stands, and how.
struct Standing {
  std::vector<char> stands;
  std::vector<double> on_toe;
};
Standing StandingOf(const ClipTracks& tracks, int side) {
  Standing standing{std::vector<char>(tracks.num_frames, 0),
                    std::vector<double>(tracks.num_frames, 1.0)};
  for (const FootPhase& phase : FindFootPhases(tracks, side)) {
    for (std::int64_t i = phase.begin; i < phase.end; ++i) {
      standing.stands[i] = 1;
      standing.on_toe[i] = phase.on_toe[i - phase.begin];
    }
  }
  return standing;
}

/// Of the leg's length: feet of both clips this near stand on one place.
constexpr double kSamePlace = 0.06;
/// Share of the other clip up to which a foot keeps standing.
constexpr double kBarely = 0.1;

/// The goals of one foot: those of a, then those of b, mixed between. A foot
/// that stands in both clips on one place stays there; one that stands in one
/// clip only, or elsewhere in the other, has to go.
FootGoal MixGoals(const ClipTracks& a, const ClipTracks& b, int side,
                  const Timeline& time, double rounding) {
  FootGoal goal;
  const double leg = a.leg_length;
  const Standing in_a = StandingOf(a, side);
  const Standing in_b = StandingOf(b, side);
  const FootTrack& foot_a = a.feet[side];
  const FootTrack& foot_b = b.feet[side];
  const auto step = [](const std::vector<Vector3>& track,
                       std::int64_t i) -> Vector3 {
    const auto next =
        std::min(i + 1, static_cast<std::int64_t>(track.size()) - 1);
    return track[next] - track[i];
  };
  for (std::int64_t i = 0; i < time.num_frames; ++i) {
    const double s = time.Share(i);
    const std::int64_t ia = std::min(time.InA(i), a.num_frames - 1);
    const std::int64_t ib = std::max<std::int64_t>(time.InB(i), 0);
    const bool stands_a = s < 1.0 && in_a.stands[ia];
    const bool stands_b = s > 0.0 && in_b.stands[ib];
    const Vector3 apart = foot_a.toe[ia] - foot_b.toe[ib];
    const bool agree = std::hypot(apart.x(), apart.z()) < kSamePlace * leg;
    const bool stands = (stands_a && stands_b && (agree || s == 0.0)) ||
                        (stands_a && s < kBarely) ||
                        (stands_b && s > 1.0 - kBarely);
    // The share of b in how a standing foot moves.
    const double u = stands_a == stands_b ? s : (stands_a ? 0.0 : 1.0);
    goal.toe_step.push_back((1.0 - u) * step(foot_a.toe, ia) +
                            u * step(foot_b.toe, ib));
    const auto height = [&](const FootTrack& foot, std::int64_t frame) {
      return SoleHeight(foot.toe[frame].y(), foot.heel[frame].y(), rounding);
    };
    goal.height.push_back((1.0 - s) * height(foot_a, ia) +
                          s * height(foot_b, ib));
    goal.lowest.push_back(std::min(
        {foot_a.lowest[ia], foot_b.lowest[ib], std::max(a.floor, b.floor)}));
    goal.near_floor.push_back(s > 0.0 && s < 1.0 ? 1.0 : 0.0);
    if (!stands) continue;
    const double on_toe = (1.0 - u) * in_a.on_toe[ia] + u * in_b.on_toe[ib];
    if (goal.phases.empty() || goal.phases.back().end != i) {
      goal.phases.push_back({i, i, {}});
    }
    goal.phases.back().end = i + 1;
    goal.phases.back().on_toe.push_back(on_toe);
  }
  return goal;
}

}  // namespace

Combined Combine(const Motion& a, const Motion& given, const HumanBody& body,
                 const CombineOptions& options) {
  Check(a, given, options);
  const Motion b = AtRate(given, a.rate_hz());
  const ClipTracks tracks_a = figure::TrackClip(a, body.plan);
  const ClipTracks tracks_b = figure::TrackClip(b, body.plan);
  const auto frames = [&](double seconds) {
    return std::max<std::int64_t>(2, FramesIn(seconds, a.rate_hz()));
  };
  Timeline time;
  time.num_blend = frames(options.blend);
  // Added poses at the ends are no part of the motion.
  const auto& first = *std::ranges::max_element(
      tracks_b.shots, {}, [](const figure::Shot& shot) { return shot.size(); });
  const auto& last = *std::ranges::max_element(
      tracks_a.shots, {}, [](const figure::Shot& shot) { return shot.size(); });
  if (last.size() < time.num_blend || first.size() < time.num_blend) {
    throw std::invalid_argument(
        "blend takes " + std::to_string(time.num_blend) +
        " frames, the clips have " + std::to_string(last.size()) + " and " +
        std::to_string(first.size()));
  }

  // The best pair of frames: coarse first, then every one around it.
  const Matcher matcher(tracks_a, tracks_b, time.num_blend);
  const std::int64_t most_a = last.end - time.num_blend;
  const std::int64_t least_a =
      std::max(last.begin, most_a - frames(options.search));
  const std::int64_t least_b = first.begin;
  const std::int64_t most_b =
      std::min(first.end - time.num_blend, least_b + frames(options.search));
  double best = std::numeric_limits<double>::infinity();
  FloorMove move;
  const auto look = [&](std::int64_t a0, std::int64_t a1, std::int64_t b0,
                        std::int64_t b1, std::int64_t stride) {
    for (std::int64_t i = std::max(a0, least_a); i <= std::min(a1, most_a);
         i += stride) {
      for (std::int64_t j = std::max(b0, least_b); j <= std::min(b1, most_b);
           j += stride) {
        const auto [squared, candidate] = matcher.Match(i, j);
        if (squared >= best) continue;
        best = squared;
        move = candidate;
        time.frame_a = i;
        time.frame_b = j;
      }
    }
  };
  constexpr std::int64_t kStride = 4;
  look(least_a, most_a, least_b, most_b, kStride);
  look(time.frame_a - kStride, time.frame_a + kStride, time.frame_b - kStride,
       time.frame_b + kStride, 1);
  time.num_frames = time.frame_a + (b.num_frames() - time.frame_b);

  // b where it belongs, then the mix.
  Motion moved(b.shared_skeleton(), b.rate_hz());
  for (std::int64_t i = 0; i < b.num_frames(); ++i) {
    moved.Append(Moved(b.pose(i), b.skeleton(), move.X()));
  }
  std::vector<Pose> poses;
  for (std::int64_t i = 0; i < time.num_frames; ++i) {
    const double s = time.Share(i);
    poses.push_back(s <= 0.0 ? a.pose(time.InA(i))
                    : s >= 1.0
                        ? moved.pose(time.InB(i))
                        : figure::Interpolate(a.pose(time.InA(i)),
                                              moved.pose(time.InB(i)), s));
  }

  CombineReport report;
  const ClipTracks tracks_moved = figure::TrackClip(moved, body.plan);
  const double rounding = 0.01 * body.plan.leg_length;
  std::array<FootGoal, 2> goals;
  for (int side = 0; side < 2; ++side) {
    goals[side] = MixGoals(tracks_a, tracks_moved, side, time, rounding);
  }
  // Cuts of a before the blend and of b after it.
  std::vector<figure::Shot> shots = {{0, time.num_frames}};
  const auto cut_at = [&shots](std::int64_t frame) {
    if (frame <= shots.back().begin || frame >= shots.back().end) return;
    const std::int64_t end = shots.back().end;
    shots.back().end = frame;
    shots.push_back({frame, end});
  };
  for (const figure::Shot& shot : tracks_a.shots) {
    if (shot.begin <= time.frame_a) cut_at(shot.begin);
  }
  for (const figure::Shot& shot : tracks_b.shots) {
    if (shot.begin > time.frame_b) {
      cut_at(shot.begin - time.frame_b + time.frame_a);
    }
  }
  PlantOptions plant;
  plant.anchor_time = a.duration() + b.duration();
  // What lies between two clips has no path of its own: smooth knees count.
  plant.root_hold = 0.1;
  report.plant =
      PlantFeet(body, a.rate_hz(), shots, goals, rounding, plant, poses);
  report.frame_a = time.frame_a;
  report.frame_b = time.frame_b;
  report.num_blend = time.num_blend;
  report.distance = std::sqrt(best);
  report.turn = move.angle;
  figure::MotionSource form = a.source();
  form.file.clear();
  Combined result{Motion(a.shared_skeleton(), a.rate_hz(), std::move(form)),
                  report};
  for (const Pose& pose : poses) result.motion.Append(pose);
  return result;
}

}  // namespace limber::mocap
