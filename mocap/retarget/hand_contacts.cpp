// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/hand_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/clip_time.h"
#include "figure/stance_metrics.h"
#include "mocap/retarget/envelope.h"
#include "mocap/retarget/limb.h"
#include "mocap/retarget/limited_limb.h"

namespace limber::mocap {

namespace {

using figure::ArmPlan;
using figure::Pose;
using figure::Shot;

// For a leg of figure::kReferenceLeg, in proportion for others.
constexpr double kPalmsTouch = 0.10;  // Surely, at this distance [m].
constexpr double kPalmsApart = 0.16;  // Surely not, at this one [m].
constexpr double kAtRest = 0.10;      // Speed against what is touched [m/s].
constexpr double kInMotion = 0.30;    // [m/s]
constexpr double kLiftTime = 0.02;    // Over which a palm goes up [s].
constexpr double kMissed = 1e-3;      // [m]
constexpr double kRounding = 1e-9;    // Lower by less is rounding [m].
constexpr double kInside = 1e-6;  // Beyond a limit by less is rounding [rad].
constexpr double kPalmWeight = 30.0;       // Beside the hand's turn [rad/m].
constexpr double kPalmOnFloor = 300.0;     // Of one that would sink [rad/m].
constexpr std::int64_t kShortestShot = 3;  // Others are single poses.

/// A bone that hands may touch: from joint to joint, as thick as `thickness`.
struct Part {
  int from = -1;
  int to = -1;
  double thickness = 0.0;  ///< Bone to palm when they touch [m].
};

/// The same parts of both bodies.
std::vector<std::pair<Part, Part>> Parts(const HumanBody& source,
                                         const HumanBody& target) {
  std::vector<std::pair<Part, Part>> parts;
  const auto add = [&](int from_s, int to_s, int from_t, int to_t,
                       double thickness) {
    if (from_s < 0 || to_s < 0 || from_t < 0 || to_t < 0) return;
    parts.push_back({{from_s, to_s, thickness}, {from_t, to_t, thickness}});
  };
  const auto chest = [](const HumanBody& body) {
    return body.plan.spine.empty() ? -1 : body.plan.spine.back();
  };
  const auto head = [](const HumanBody& body) {
    return body.plan.neck.empty() ? -1 : body.plan.neck.back();
  };
  add(source.plan.pelvis, chest(source), target.plan.pelvis, chest(target),
      0.16);
  add(chest(source), head(source), chest(target), head(target), 0.14);
  for (int side = 0; side < 2; ++side) {
    const figure::LegPlan& s = source.plan.legs[side];
    const figure::LegPlan& t = target.plan.legs[side];
    add(s.thigh, s.shank, t.thigh, t.shank, 0.11);
  }
  return parts;
}

/// The nearest point of a segment, as a share of its length.
double NearestShare(const Vector3& a, const Vector3& b, const Vector3& p) {
  const Vector3 d = b - a;
  const double squared = d.squaredNorm();
  return squared > 0.0 ? std::clamp(d.dot(p - a) / squared, 0.0, 1.0) : 0.0;
}

class HandKeeper {
 public:
  HandKeeper(const figure::Motion& motion, const HumanBody& source,
             const HumanBody& target, const std::vector<Shot>& shots,
             const LocalFloor& floor, const std::array<HandSupport, 2>& hands,
             bool hold_limits, std::vector<Pose>& poses)
      : source_(source),
        target_(target),
        floor_(floor),
        hands_(hands),
        parts_(Parts(source, target)),
        poses_(poses),
        scale_(source.plan.leg_length / figure::kReferenceLeg),
        k_(ArmRatio(source, target)),
        smoothing_(HandSmoothing(motion.rate_hz())),
        lift_frames_(
            std::max<std::int64_t>(1, FramesIn(kLiftTime, motion.rate_hz()))) {
    Pose pose;
    for (std::int64_t i = 0; i < motion.num_frames(); ++i) {
      motion.GetPose(i, pose);
      X_s_.push_back(figure::WorldTransforms(*source.skeleton, pose));
    }
    for (int side = 0; side < 2; ++side) {
      for (const auto& [part, unused] : parts_) {
        w_parts_[side].push_back(WeightsOf(side, part, motion.rate_hz()));
        SmoothHands(w_parts_[side].back(), shots, smoothing_);
      }
    }
    for (int side = 0; hold_limits && side < 2; ++side) {
      const ArmPlan& arm = target.plan.arms[side];
      if (arm.hand >= 0) limbs_[side].emplace(target, arm.upper_arm, arm.hand);
    }
    w_palms_ = PalmWeights(motion.rate_hz());
    SmoothHands(w_palms_, shots, smoothing_);
  }

  /// First where the hands go, then smoothly, then the arms.
  HandReport Run(const std::vector<Shot>& shots) {
    for (auto& shifts : shifts_) shifts.assign(poses_.size(), Vector3::Zero());
    for (int side = 0; side < 2; ++side) FindFloorGoals(side);
    for (std::size_t i = 0; i < poses_.size(); ++i) FindShifts(i);
    for (auto& shifts : shifts_) SmoothHands(shifts, shots, smoothing_);
    LiftHands(shots);
    for (std::size_t i = 0; i < poses_.size(); ++i) {
      if (shifts_[0][i].isZero() && shifts_[1][i].isZero()) continue;
      const auto X_t = figure::WorldTransforms(*target_.skeleton, poses_[i]);
      for (int side = 0; side < 2; ++side) Bend(side, i, X_t);
    }
    MeasureDepth(shots);
    return report_;
  }

 private:
  Vector3 PalmOfSource(int side, std::size_t i) const {
    return source_.plan.arms[side].palm.At(X_s_[i]);
  }

  /// Where the palm is in the frame of the part's joint.
  Vector3 InPart(int side, const Part& part, std::size_t i) const {
    return X_s_[i][part.from].Inverse() * PalmOfSource(side, i);
  }

  double Speed(const Vector3& before, const Vector3& after,
               double rate_hz) const {
    return (after - before).norm() * rate_hz / scale_;
  }

  std::vector<double> WeightsOf(int side, const Part& part,
                                double rate_hz) const {
    std::vector<double> w(X_s_.size(), 0.0);
    for (std::size_t i = 0; i < X_s_.size(); ++i) {
      const Vector3& a = X_s_[i][part.from].p;
      const Vector3& b = X_s_[i][part.to].p;
      const Vector3 p = PalmOfSource(side, i);
      const double distance =
          (p - a - NearestShare(a, b, p) * (b - a)).norm() / scale_;
      const std::size_t before = i > 0 ? i - 1 : i;
      const double speed =
          Speed(InPart(side, part, before), InPart(side, part, i), rate_hz);
      w[i] = Below(distance, part.thickness, 1.25 * part.thickness) *
             Below(speed, kAtRest, kInMotion);
    }
    return w;
  }

  std::vector<double> PalmWeights(double rate_hz) const {
    std::vector<double> w(X_s_.size(), 0.0);
    for (std::size_t i = 0; i < X_s_.size(); ++i) {
      const auto apart = [&](std::size_t frame) -> Vector3 {
        return PalmOfSource(1, frame) - PalmOfSource(0, frame);
      };
      const double speed = Speed(apart(i > 0 ? i - 1 : i), apart(i), rate_hz);
      w[i] = Below(apart(i).norm() / scale_, kPalmsTouch, kPalmsApart) *
             Below(speed, kAtRest, kInMotion);
    }
    return w;
  }

  /// Palms that would sink go up, without a kink.
  void LiftHands(const std::vector<Shot>& shots) {
    std::array<std::vector<double>, 2> lifts;
    std::vector<Transform> X_t;
    for (std::size_t i = 0; i < poses_.size(); ++i) {
      figure::WorldTransforms(*target_.skeleton, poses_[i], X_t);
      for (int side = 0; side < 2; ++side) {
        const double y =
            target_.plan.arms[side].palm.At(X_t).y() + shifts_[side][i].y();
        const double sinks = hands_[side].lowest[i] - y;
        lifts[side].push_back(sinks > kRounding ? sinks : 0.0);
      }
    }
    for (int side = 0; side < 2; ++side) {
      std::vector<double>& lift = lifts[side];
      if (*std::ranges::max_element(lift) <= 0.0) continue;
      for (const Shot& shot : shots) {
        if (shot.size() < kShortestShot) continue;
        Envelope(lift, shot.begin, shot.end, lift_frames_,
                 [](double value) { return value; });
        for (std::int64_t i = shot.begin; i < shot.end; ++i) {
          shifts_[side][i].y() += lift[i];
        }
      }
    }
  }

  void MeasureDepth(const std::vector<Shot>& shots) {
    std::vector<Transform> X_t;
    for (const Shot& shot : shots) {
      if (shot.size() < kShortestShot) continue;
      for (std::int64_t i = shot.begin; i < shot.end; ++i) {
        figure::WorldTransforms(*target_.skeleton, poses_[i], X_t);
        for (int side = 0; side < 2; ++side) {
          report_.deepest_palm =
              std::max(report_.deepest_palm,
                       hands_[side].lowest[i] -
                           target_.plan.arms[side].palm.At(X_t).y());
        }
      }
    }
  }

  /// Where the palm goes while it is on the floor. Each touch, a run of frames
  /// with weight, is moved as a whole to where the palm is in its mean.
  void FindFloorGoals(int side) {
    const std::vector<double>& w = hands_[side].rests;
    std::vector<Vector3>& goals = floor_goals_[side];
    goals.assign(w.size(), Vector3::Zero());
    for (std::size_t begin = 0; begin < w.size();) {
      if (w[begin] <= 0.0) {
        ++begin;
        continue;
      }
      std::size_t end = begin;
      double sum = 0.0;
      Vector3 mean = Vector3::Zero();
      for (; end < w.size() && w[end] > 0.0; ++end) {
        const auto X_t =
            figure::WorldTransforms(*target_.skeleton, poses_[end]);
        const Vector3 gap = target_.plan.arms[side].palm.At(X_t) -
                            floor_.k * PalmOfSource(side, end);
        mean += w[end] * gap;
        sum += w[end];
      }
      mean /= sum;
      for (std::size_t i = begin; i < end; ++i) {
        const Vector3 p = PalmOfSource(side, i);
        goals[i] = floor_.k * p + mean;
        goals[i].y() = hands_[side].height[i];
      }
      begin = end;
    }
  }

  double Strongest(std::size_t i) const {
    double strongest = w_palms_[i];
    for (int side = 0; side < 2; ++side) {
      strongest = std::max(strongest, hands_[side].rests[i]);
      for (const auto& w : w_parts_[side]) {
        strongest = std::max(strongest, w[i]);
      }
    }
    return strongest;
  }

  void FindShifts(std::size_t i) {
    const double strongest = Strongest(i);
    if (strongest <= 0.0) return;
    if (strongest > 0.5) ++report_.touching_frames;
    const auto X_t = figure::WorldTransforms(*target_.skeleton, poses_[i]);
    std::array<Vector3, 2> before;
    std::array<Vector3, 2> palms;
    for (int side = 0; side < 2; ++side) {
      before[side] = palms[side] = target_.plan.arms[side].palm.At(X_t);
      palms[side] = OnBody(side, i, X_t, palms[side]);
    }
    const Vector3 middle = 0.5 * (palms[0] + palms[1]);
    const Vector3 apart = k_ * (PalmOfSource(1, i) - PalmOfSource(0, i));
    palms[0] += w_palms_[i] * (middle - 0.5 * apart - palms[0]);
    palms[1] += w_palms_[i] * (middle + 0.5 * apart - palms[1]);
    for (int side = 0; side < 2; ++side) {
      palms[side] +=
          hands_[side].rests[i] * (floor_goals_[side][i] - palms[side]);
      shifts_[side][i] =
          WithinReach(side, X_t, palms[side] - before[side], strongest);
    }
  }

  /// As much of the shift as leaves the elbow a little bent, or as straight as
  /// it is: |d + s shift|² = longest².
  Vector3 WithinReach(int side, const std::vector<Transform>& X_t,
                      const Vector3& shift, double strongest) {
    constexpr double kStraightest = 0.97;
    const ArmPlan& arm = target_.plan.arms[side];
    if (arm.hand < 0) return Vector3::Zero();
    const Vector3 d = X_t[arm.hand].p - X_t[arm.upper_arm].p;
    const double longest = std::max(d.norm(), kStraightest * arm.length);
    double share = 1.0;
    if ((d + shift).norm() > longest) {
      const double a = shift.squaredNorm();
      const double b = d.dot(shift);
      const double c = d.squaredNorm() - longest * longest;
      share = std::clamp((-b + std::sqrt(std::max(0.0, b * b - a * c))) / a,
                         0.0, 1.0);
    }
    if (strongest > 0.5) {
      const double miss = (1.0 - share) * shift.norm();
      report_.worst_miss = std::max(report_.worst_miss, miss);
      if (miss > kMissed) ++report_.missed_frames;
    }
    return share * shift;
  }

  /// The palm on what it touches of the body, as far as it touches it.
  Vector3 OnBody(int side, std::size_t i, const std::vector<Transform>& X_t,
                 const Vector3& palm) const {
    double sum = 0.0;
    double most = 0.0;
    Vector3 goal = Vector3::Zero();
    for (std::size_t n = 0; n < parts_.size(); ++n) {
      const double w = w_parts_[side][n][i];
      if (w <= 0.0) continue;
      const auto& [s, t] = parts_[n];
      const std::vector<Transform>& X_s = X_s_[i];
      const Vector3 p = PalmOfSource(side, i);
      const double u = NearestShare(X_s[s.from].p, X_s[s.to].p, p);
      const Vector3 q_s = X_s[s.from].p + u * (X_s[s.to].p - X_s[s.from].p);
      const Vector3 q_t = X_t[t.from].p + u * (X_t[t.to].p - X_t[t.from].p);
      // The trunk and thighs are turned alike on both; thighs a little less.
      const Quaternion turn = Quaternion::FromTwoVectors(
          X_s[s.to].p - X_s[s.from].p, X_t[t.to].p - X_t[t.from].p);
      goal += w * (q_t + k_ * (turn * (p - q_s)));
      sum += w;
      most = std::max(most, w);
    }
    if (sum <= 0.0) return palm;
    return palm + most * (goal / sum - palm);
  }

  void Bend(int side, std::size_t i, const std::vector<Transform>& X_t) {
    const ArmPlan& arm = target_.plan.arms[side];
    const Vector3& shift = shifts_[side][i];
    if (arm.hand < 0 || shift.isZero()) return;
    const figure::Skeleton& skeleton = *target_.skeleton;
    const Vector3 d = skeleton.joint(arm.hand).offset;
    const Limb limb{
        X_t[arm.forearm].p - X_t[arm.upper_arm].p,
        X_t[arm.hand].p - X_t[arm.forearm].p,
        X_t[arm.forearm].R * d.cross(target_.plan.axes.forward).normalized()};
    const LimbTurn turn = ReachFor(limb, limb.a + limb.b + shift);
    const auto parent = [&](int joint) {
      const int p = skeleton.joint(joint).parent;
      return p < 0 ? Quaternion::Identity() : X_t[p].R;
    };
    Pose& pose = poses_[i];
    pose.X_PJ[arm.upper_arm].R =
        (parent(arm.upper_arm).conjugate() * turn.Q_a * X_t[arm.upper_arm].R)
            .normalized();
    pose.X_PJ[arm.forearm].R = ((turn.Q_a * parent(arm.forearm)).conjugate() *
                                turn.Q_b * X_t[arm.forearm].R)
                                   .normalized();
    pose.X_PJ[arm.hand].R =
        ((turn.Q_b * parent(arm.hand)).conjugate() * X_t[arm.hand].R)
            .normalized();
    if (!limbs_[side] || limbs_[side]->Violation(pose) <= kInside) return;
    // The palm's place counts most, then how the hand is turned.
    LimbGoals goals;
    goals.points.push_back({arm.palm.joint, arm.palm.p_JQ,
                            arm.palm.At(X_t) + shift, kPalmWeight, false});
    goals.points.push_back({arm.palm.joint, arm.palm.p_JQ,
                            Vector3(0.0, hands_[side].lowest[i], 0.0),
                            kPalmOnFloor, true});
    goals.turned_joint = arm.hand;
    goals.R_WJ = X_t[arm.hand].R;
    const int above = skeleton.joint(arm.upper_arm).parent;
    limbs_[side]->Reach(above < 0 ? Transform::Identity() : X_t[above], goals,
                        pose);
  }

  const HumanBody& source_;
  const HumanBody& target_;
  const LocalFloor& floor_;
  const std::array<HandSupport, 2>& hands_;
  const std::vector<std::pair<Part, Part>> parts_;
  std::vector<Pose>& poses_;
  const double scale_;
  const double k_;                  ///< Ratio of the arms.
  const std::int64_t smoothing_;    ///< [frames]
  const std::int64_t lift_frames_;  ///< Likewise, of a palm that goes up.
  std::vector<std::vector<Transform>> X_s_;
  std::array<std::vector<std::vector<double>>, 2> w_parts_;
  std::vector<double> w_palms_;
  std::array<std::vector<Vector3>, 2> floor_goals_;  ///< Of the palms [m].
  std::array<std::vector<Vector3>, 2> shifts_;       ///< Of the palms [m].
  /// Arms of figures, where limits are held.
  std::array<std::optional<LimitedLimb>, 2> limbs_;
  HandReport report_;
};

}  // namespace

HandReport KeepHandsTouching(const figure::Motion& motion,
                             const HumanBody& source, const HumanBody& target,
                             const std::vector<Shot>& shots,
                             const LocalFloor& floor,
                             const std::array<HandSupport, 2>& hands,
                             bool hold_limits, std::vector<Pose>& poses) {
  for (int side = 0; side < 2; ++side) {
    if (source.plan.arms[side].upper_arm < 0 ||
        target.plan.arms[side].upper_arm < 0) {
      return {};
    }
  }
  return HandKeeper(motion, source, target, shots, floor, hands,
                    hold_limits && target.figure != nullptr, poses)
      .Run(shots);
}

}  // namespace limber::mocap
