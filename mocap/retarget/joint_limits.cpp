// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/joint_limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/checkpoint.h"
#include "figure/pose_metrics.h"
#include "mocap/retarget/limited_limb.h"

namespace limber::mocap {

namespace {

using figure::Anchor;
using figure::Pose;
using figure::Shot;

using Coordinates = std::array<double, 3>;

/// Beyond a limit by less is rounding [rad].
constexpr double kInside = 1e-9;
/// λ of the header, in frames of this time [s]: a jump of the joint weighs as
/// much as being off by its angle for so long.
constexpr double kJumpTime = 0.2;
/// Half the width of each of the two moving averages [s].
constexpr double kHalfAverage = 0.03;
/// Over which the averaging fades out, beyond its own reach [s].
constexpr double kFade = 0.12;

/// Averages count wholly where limits turned a joint by so much [rad].
constexpr double kFullTurn = 0.1;

/// Weights of a limb's goals beside its angles. A foot is to lie as it did, and
/// the leg goes with it; a hand is not, or a broken wrist would lift the elbow.
struct LimbWeights {
  double point = 0.0;  ///< Of the place of its end [rad/m].
  double turn = 0.0;   ///< Of how its end is turned.
  double keep = 0.0;   ///< Of every coordinate.
};
constexpr LimbWeights kLegWeights = {10.0, 1.0, 0.3};
constexpr LimbWeights kArmWeights = {30.0, 0.1, 1.0};

/// How one joint goes through its limits.
struct JointTrack {
  const Anchor* anchor = nullptr;
  std::vector<char> is_beyond;   ///< Per frame; empty when none is.
  std::vector<Quaternion> R_PJ;  ///< Within limits; likewise.
};

/// The rotations within limits that R_PJ may go to.
std::array<Coordinates, 3> Candidates(const Anchor& anchor,
                                      const Quaternion& R_PJ,
                                      const Coordinates& q) {
  const int n = anchor.num_axes();
  // The other sequence of the same rotation, and the far end of the axis that
  // is farthest beyond.
  Coordinates other = q;
  if (anchor.kind == figure::AnchorKind::kBall) {
    other = {q[0] > 0.0 ? q[0] - kPi : q[0] + kPi,
             (q[1] > 0.0 ? kPi : -kPi) - q[1],
             q[2] > 0.0 ? q[2] - kPi : q[2] + kPi};
  }
  Coordinates far_end = q;
  double most = 0.0;
  for (int i = 0; i < n; ++i) {
    const double below = anchor.axes[i].lower - q[i];
    const double above = q[i] - anchor.axes[i].upper;
    if (std::max(below, above) <= most) continue;
    most = std::max(below, above);
    far_end = q;
    far_end[i] = below > above ? q[i] + 2.0 * kPi : q[i] - 2.0 * kPi;
  }
  return {NearestWithinLimits(anchor, R_PJ, q),
          NearestWithinLimits(anchor, R_PJ, other),
          NearestWithinLimits(anchor, R_PJ, far_end)};
}

/// Frames [begin, end) of `track` are beyond: the best path through candidates.
/// The frames before and after, within `shot`, are where they are.
void FindPath(const std::vector<Pose>& poses, int joint, const Shot& shot,
              std::int64_t begin, std::int64_t end, double jump,
              JointTrack& track) {
  constexpr int kWays = 3;
  const auto n = static_cast<std::size_t>(end - begin);
  std::vector<std::array<Quaternion, kWays>> ways(n);
  std::vector<std::array<double, kWays>> cost(n);
  std::vector<std::array<int, kWays>> from(n);
  const auto square = [](double value) { return value * value; };
  for (std::size_t i = 0; i < n; ++i) {
    const Quaternion& R_PJ =
        poses[begin + static_cast<std::int64_t>(i)].X_PJ[joint].R;
    const Coordinates q = figure::MeasureAnchor(*track.anchor, R_PJ).q;
    const auto candidates = Candidates(*track.anchor, R_PJ, q);
    for (int k = 0; k < kWays; ++k) {
      ways[i][k] = WithCoordinates(*track.anchor, R_PJ, candidates[k]);
      const double off = square(AngleBetween(ways[i][k], R_PJ));
      double best = 0.0;
      from[i][k] = 0;
      if (i == 0 && begin > shot.begin) {
        const Quaternion& before = poses[begin - 1].X_PJ[joint].R;
        best = jump * square(AngleBetween(ways[i][k], before));
      } else if (i > 0) {
        best = std::numeric_limits<double>::infinity();
        for (int m = 0; m < kWays; ++m) {
          const double sum =
              cost[i - 1][m] +
              jump * square(AngleBetween(ways[i][k], ways[i - 1][m]));
          if (sum >= best) continue;
          best = sum;
          from[i][k] = m;
        }
      }
      cost[i][k] = best + off;
    }
  }
  int way = 0;
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kWays; ++k) {
    double sum = cost[n - 1][k];
    if (end < shot.end) {
      sum +=
          jump * square(AngleBetween(ways[n - 1][k], poses[end].X_PJ[joint].R));
    }
    if (sum >= best) continue;
    best = sum;
    way = k;
  }
  for (std::size_t i = n; i-- > 0;) {
    track.R_PJ[begin + static_cast<std::int64_t>(i)] = ways[i][way];
    way = from[i][way];
  }
}

class LimitHolder {
 public:
  LimitHolder(const HumanBody& body, double rate_hz,
              const std::vector<Shot>& shots, std::vector<Pose>& poses)
      : body_(body),
        shots_(shots),
        poses_(poses),
        jump_(kJumpTime * rate_hz),
        half_(std::max<std::int64_t>(1, std::llround(kHalfAverage * rate_hz))),
        fade_(std::max(1.0, kFade * rate_hz)),
        tracks_(static_cast<std::size_t>(body.skeleton->num_joints())) {}

  std::vector<MendedJoint> Run() {
    for (const figure::FigureSegment& segment : body_.figure->segments) {
      if (segment.anchor.has_limits()) ProjectJoint(segment);
    }
    if (mended_.empty()) return {};
    before_ = poses_;
    // From the trunk outwards: limbs reach from where the trunk has gone.
    std::vector<char> in_limb(tracks_.size(), 0);
    std::vector<std::array<int, 2>> limbs;
    const figure::BodyPlan& plan = body_.plan;
    if (!plan.neck.empty()) {
      limbs.push_back({plan.neck.front(), plan.neck.back()});
    }
    for (int side = 0; side < 2; ++side) {
      const figure::ArmPlan& arm = plan.arms[side];
      if (arm.upper_arm >= 0 && arm.hand >= 0) {
        limbs.push_back({arm.upper_arm, arm.hand});
      }
      limbs.push_back({plan.legs[side].thigh, plan.legs[side].foot});
    }
    for (const auto& [first, last] : limbs) {
      for (int joint = last; joint >= 0;
           joint = body_.skeleton->joint(joint).parent) {
        in_limb[joint] = 1;
        if (joint == first) break;
      }
    }
    std::vector<double> trunk(poses_.size(), 0.0);
    for (std::size_t joint = 0; joint < tracks_.size(); ++joint) {
      if (in_limb[joint] || tracks_[joint].is_beyond.empty()) continue;
      const LimitedLimb alone(body_, static_cast<int>(joint),
                              static_cast<int>(joint));
      Write(static_cast<int>(joint));
      const std::vector<double> w = Around(alone, tracks_[joint].is_beyond);
      Average(alone, w);
      for (std::size_t i = 0; i < w.size(); ++i) {
        trunk[i] = std::max(trunk[i], w[i]);
      }
    }
    for (const auto& [first, last] : limbs) MendLimb(first, last, trunk);
    for (MendedJoint& joint : mended_) {
      for (std::size_t i = 0; i < poses_.size(); ++i) {
        joint.largest_turn = std::max(
            joint.largest_turn, AngleBetween(before_[i].X_PJ[joint.joint].R,
                                             poses_[i].X_PJ[joint.joint].R));
      }
    }
    std::ranges::sort(mended_, [](const MendedJoint& a, const MendedJoint& b) {
      return a.beyond > b.beyond;
    });
    return mended_;
  }

 private:
  void ProjectJoint(const figure::FigureSegment& segment) {
    const int joint = segment.joint;
    JointTrack& track = tracks_[joint];
    track.anchor = &segment.anchor;
    MendedJoint mended;
    mended.joint = joint;
    mended.name = body_.skeleton->joint(joint).name;
    for (std::size_t i = 0; i < poses_.size(); ++i) {
      Checkpoint();
      const double beyond =
          figure::LimitViolation(segment.anchor, poses_[i].X_PJ[joint].R);
      if (beyond <= kInside) continue;
      if (track.is_beyond.empty()) track.is_beyond.assign(poses_.size(), 0);
      track.is_beyond[i] = 1;
      ++mended.frames;
      mended.where.push_back(static_cast<std::int64_t>(i));
      if (beyond <= mended.beyond) continue;
      mended.beyond = beyond;
      mended.worst_frame = static_cast<std::int64_t>(i);
    }
    if (mended.frames == 0) return;
    mended_.push_back(mended);
    track.R_PJ.resize(poses_.size());
    for (const Shot& shot : shots_) {
      for (std::int64_t begin = shot.begin; begin < shot.end;) {
        if (!track.is_beyond[begin]) {
          ++begin;
          continue;
        }
        std::int64_t end = begin;
        while (end < shot.end && track.is_beyond[end]) ++end;
        FindPath(poses_, joint, shot, begin, end, jump_, track);
        begin = end;
      }
    }
  }

  void Write(int joint) {
    const JointTrack& track = tracks_[joint];
    for (std::size_t i = 0; i < track.is_beyond.size(); ++i) {
      if (track.is_beyond[i]) poses_[i].X_PJ[joint].R = track.R_PJ[i];
    }
  }

  /// How much averages count: as much as the joints were turned (wholly from
  /// kFullTurn on), as far as the averages reach, fading to 0 within shots.
  std::vector<double> Around(const LimitedLimb& limb,
                             const std::vector<char>& marked) const {
    std::vector<double> w(marked.size(), 0.0);
    const double reach = 2.0 * static_cast<double>(half_);
    const auto far = static_cast<std::int64_t>(reach + fade_);
    for (const Shot& shot : shots_) {
      for (std::int64_t j = shot.begin; j < shot.end; ++j) {
        if (!marked[j]) continue;
        double turn = 0.0;
        for (const int joint : limb.joints()) {
          turn = std::max(turn, AngleBetween(before_[j].X_PJ[joint].R,
                                             poses_[j].X_PJ[joint].R));
        }
        const double strength = std::min(1.0, turn / kFullTurn);
        const std::int64_t from = std::max(shot.begin, j - far);
        const std::int64_t to = std::min(shot.end, j + far + 1);
        for (std::int64_t i = from; i < to; ++i) {
          const double d = static_cast<double>(std::abs(i - j)) - reach;
          const double u = std::clamp(1.0 - d / fade_, 0.0, 1.0);
          w[i] = std::max(w[i], strength * u * u * (3.0 - 2.0 * u));
        }
      }
    }
    return w;
  }

  /// The limb's joints as projected, then reaching for its old end.
  void MendLimb(int first, int last, const std::vector<double>& trunk) {
    const LimitedLimb limb(body_, first, last);
    std::vector<char> marked(poses_.size(), 0);
    bool any = false;
    for (std::size_t i = 0; i < marked.size(); ++i) {
      marked[i] = trunk[i] > 0.0 ? 1 : 0;
      for (const int joint : limb.joints()) {
        const JointTrack& track = tracks_[joint];
        if (!track.is_beyond.empty() && track.is_beyond[i]) marked[i] = 1;
      }
      any = any || marked[i];
    }
    if (!any || !limb.has_limits()) return;
    for (const int joint : limb.joints()) Write(joint);
    const bool is_leg =
        first == body_.plan.legs[0].thigh || first == body_.plan.legs[1].thigh;
    const LimbWeights& weights = is_leg ? kLegWeights : kArmWeights;
    const int parent = body_.skeleton->joint(first).parent;
    std::vector<Transform> X_before;
    std::vector<Transform> X_after;
    for (std::size_t i = 0; i < marked.size(); ++i) {
      if (!marked[i]) continue;
      figure::WorldTransforms(*body_.skeleton, before_[i], X_before);
      figure::WorldTransforms(*body_.skeleton, poses_[i], X_after);
      LimbGoals goals;
      goals.points.push_back(
          {last, Vector3::Zero(), X_before[last].p, weights.point, false});
      goals.turned_joint = last;
      goals.R_WJ = X_before[last].R;
      goals.turn_weight = weights.turn;
      goals.keep_weight = weights.keep;
      limb.Reach(parent < 0 ? Transform::Identity() : X_after[parent], goals,
                 poses_[i]);
    }
    Average(limb, Around(limb, marked));
  }

  /// Two moving averages of the limb's coordinates, as far as `w` says.
  void Average(const LimitedLimb& limb, const std::vector<double>& w) {
    const int n = limb.num_coordinates();
    using Row = std::array<double, LimitedLimb::kMost>;
    for (const Shot& shot : shots_) {
      std::vector<Row> x;
      const std::int64_t reach = 2 * half_ + 2;
      for (std::int64_t begin = shot.begin; begin < shot.end;) {
        if (w[begin] <= 0.0) {
          ++begin;
          continue;
        }
        std::int64_t end = begin;
        while (end < shot.end && w[end] > 0.0) ++end;
        const std::int64_t from = std::max(shot.begin, begin - reach);
        const std::int64_t to = std::min(shot.end, end + reach);
        x.assign(static_cast<std::size_t>(to - from), Row{});
        for (std::int64_t i = from; i < to; ++i) {
          limb.GetCoordinates(poses_[i], x[i - from].data());
        }
        std::vector<Row> mean = x;
        for (int pass = 0; pass < 2; ++pass) {
          const std::vector<Row> last = mean;
          for (std::int64_t i = 0; i < to - from; ++i) {
            Row sum = {};
            for (std::int64_t j = i - half_; j <= i + half_; ++j) {
              const Row& row =
                  last[std::clamp<std::int64_t>(j, 0, to - from - 1)];
              for (int c = 0; c < n; ++c) sum[c] += row[c];
            }
            for (int c = 0; c < n; ++c) {
              mean[i][c] = sum[c] / static_cast<double>(2 * half_ + 1);
            }
          }
        }
        for (std::int64_t i = begin; i < end; ++i) {
          Row mixed = {};
          for (int c = 0; c < n; ++c) {
            mixed[c] =
                x[i - from][c] + w[i] * (mean[i - from][c] - x[i - from][c]);
          }
          limb.SetCoordinates(mixed.data(), poses_[i]);
        }
        begin = end;
      }
    }
  }

  const HumanBody& body_;
  const std::vector<Shot>& shots_;
  std::vector<Pose>& poses_;
  const double jump_;
  const std::int64_t half_;
  const double fade_;  ///< [frames]
  std::vector<JointTrack> tracks_;
  std::vector<MendedJoint> mended_;
  std::vector<Pose> before_;
};

}  // namespace

std::vector<MendedJoint> HoldLimits(const HumanBody& body, double rate_hz,
                                    const std::vector<Shot>& shots,
                                    std::vector<Pose>& poses) {
  if (!body.figure) return {};
  return LimitHolder(body, rate_hz, shots, poses).Run();
}

}  // namespace limber::mocap
