// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/hand_supports.h"

#include <algorithm>
#include <cmath>

#include "core/clip_time.h"
#include "figure/stance_metrics.h"
#include "mocap/retarget/limb.h"

namespace limber::mocap {

namespace {

using figure::ArmPlan;
using figure::Pose;
using figure::Shot;

// For a leg of figure::kReferenceLeg, in proportion for others.
constexpr double kOnFloor = 0.06;   // Palm above the floor, surely on it [m].
constexpr double kOffFloor = 0.14;  // Surely not on it [m].
constexpr double kAtRest = 0.10;    // Speed against the floor [m/s].
constexpr double kInMotion = 0.30;  // [m/s]
/// Half the thickness of a hand: a palm that is higher may come down to here
/// [m].
constexpr double kLowPalm = 0.02;
constexpr double kSmoothing = 0.1;  // [s]
/// Beside a foot that stands: a hand that only would sink.
constexpr double kSinkingSay = 0.3;
/// Of the leg's length: a hand that sinks by so much has its whole say.
constexpr double kSurelySinks = 0.03;

bool HasArms(const HumanBody& source, const HumanBody& target) {
  for (int side = 0; side < 2; ++side) {
    if (source.plan.arms[side].upper_arm < 0 ||
        target.plan.arms[side].upper_arm < 0) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::int64_t HandSmoothing(double rate_hz) {
  return std::max<std::int64_t>(1, FramesIn(0.5 * kSmoothing, rate_hz));
}

double Below(double value, double low, double high) {
  const double u = std::clamp((high - value) / (high - low), 0.0, 1.0);
  return u * u * (3.0 - 2.0 * u);
}

double ArmRatio(const HumanBody& source, const HumanBody& target) {
  double arms_s = 0.0;
  double arms_t = 0.0;
  for (int side = 0; side < 2; ++side) {
    arms_s += source.plan.arms[side].length;
    arms_t += target.plan.arms[side].length;
  }
  return arms_s > 0.0 ? arms_t / arms_s : 1.0;
}

std::array<HandSupport, 2> FindHandSupports(const figure::Motion& motion,
                                            const HumanBody& source,
                                            const HumanBody& target,
                                            const std::vector<Shot>& shots,
                                            const LocalFloor& floor) {
  std::array<HandSupport, 2> hands;
  if (!HasArms(source, target)) return hands;
  const double scale = source.plan.leg_length / figure::kReferenceLeg;
  const double k = ArmRatio(source, target);
  const double low = kLowPalm * target.plan.leg_length / figure::kReferenceLeg;
  Pose pose;
  std::vector<Transform> X_WJ;
  std::array<Vector3, 2> last;
  for (std::int64_t i = 0; i < motion.num_frames(); ++i) {
    motion.GetPose(i, pose);
    figure::WorldTransforms(*source.skeleton, pose, X_WJ);
    for (int side = 0; side < 2; ++side) {
      HandSupport& hand = hands[side];
      const Vector3 palm = source.plan.arms[side].palm.At(X_WJ);
      const double speed =
          i > 0 ? (palm - last[side]).norm() * motion.rate_hz() / scale : 0.0;
      last[side] = palm;
      const auto frame = static_cast<std::size_t>(i);
      const double above = palm.y() - floor.source[frame];
      const double floor_t = floor.target[frame];
      const double near = Below(above / scale, kOnFloor, kOffFloor);
      hand.near_floor.push_back(near);
      hand.rests.push_back(near * Below(speed, kAtRest, kInMotion));
      double lowest = floor_t + std::min(k * above, low);
      if (target.figure) lowest = std::max(lowest, floor.lowest);
      hand.lowest.push_back(lowest);
      hand.shift.push_back(floor.shift[frame]);
      hand.height.push_back(std::max(floor_t + k * above, lowest));
    }
  }
  for (HandSupport& hand : hands) {
    SmoothHands(hand.rests, shots, HandSmoothing(motion.rate_hz()));
  }
  return hands;
}

std::array<ArmTrack, 2> TrackArms(const HumanBody& target,
                                  const std::array<HandSupport, 2>& supports,
                                  const std::vector<Pose>& poses) {
  std::array<ArmTrack, 2> tracks;
  const auto is_near = [](const HandSupport& hand) {
    return std::ranges::any_of(hand.near_floor,
                               [](double near) { return near > 0.0; });
  };
  if (!is_near(supports[0]) && !is_near(supports[1])) return tracks;
  std::vector<Transform> X_WJ;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    figure::WorldTransforms(*target.skeleton, poses[i], X_WJ);
    for (int side = 0; side < 2; ++side) {
      const ArmPlan& plan = target.plan.arms[side];
      const HandSupport& hand = supports[side];
      const Vector3 shoulder = X_WJ[plan.upper_arm].p;
      const Vector3 elbow = X_WJ[plan.forearm].p;
      const Vector3 palm = plan.palm.At(X_WJ);
      // As high as the palm is when the body stands on the floor.
      const double y = palm.y() + hand.shift[i];
      const double sinks = std::max(0.0, hand.lowest[i] - y);
      const double rest_lift = hand.rests[i] * (hand.height[i] - y);
      const double sinking =
          kSinkingSay * hand.near_floor[i] *
          std::min(1.0, sinks / (kSurelySinks * target.plan.leg_length));
      tracks[side].arm.push_back(palm - shoulder);
      tracks[side].lift.push_back(hand.shift[i] + std::max(sinks, rest_lift));
      tracks[side].weight.push_back(std::max(hand.rests[i], sinking) *
                                    BendWeight(elbow - shoulder, palm - elbow));
    }
  }
  return tracks;
}

}  // namespace limber::mocap
