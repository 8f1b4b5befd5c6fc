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
#include "figure/pose_metrics.h"
#include "figure/stance_metrics.h"
#include "mocap/retarget/foot_goals.h"
#include "mocap/retarget/foot_plan.h"
#include "mocap/retarget/hand_contacts.h"
#include "mocap/retarget/pose_copy.h"

namespace limber::mocap {

namespace {

using figure::ClipTracks;
using figure::Pose;

/// Of the leg's length: how far heel and toe may differ before the lower one
/// alone counts.
constexpr double kRounding = 0.01;

double Mean(double a, double b) { return 0.5 * (a + b); }

/// A bare skeleton grows about height zero where the floor is near it, so that
/// the exact height of the floor does not matter; its soles lie inside the
/// foot, so the floor is where it was measured. The soles of a figure are its
/// skin: its floor is zero itself.
WorldScale MakeScale(const ClipTracks& tracks, const HumanBody& source,
                     const HumanBody& target, bool ground) {
  WorldScale scale;
  scale.k = target.plan.leg_length / source.plan.leg_length;
  const bool near_zero = figure::HasFloorNearZero(tracks);
  scale.base_s = near_zero && !target.figure ? 0.0 : tracks.floor;
  scale.base_t = near_zero ? 0.0 : tracks.floor;
  if (ground) {
    scale.base_s = tracks.floor;
    scale.base_t = 0.0;
  }
  const auto ankle_height = [](const HumanBody& body) {
    return Mean(body.plan.legs[0].ankle_height, body.plan.legs[1].ankle_height);
  };
  scale.a_s = ankle_height(source);
  scale.a_t = ankle_height(target);
  return scale;
}

/// Ground below the floor becomes the floor: nobody stands deeper than it.
void LayLowestGround(std::array<SourceFoot, 2>& feet, WorldScale& scale) {
  double lowest = 0.0;
  for (const SourceFoot& foot : feet) {
    for (const double ground : foot.ground) lowest = std::min(lowest, ground);
  }
  if (lowest >= 0.0) return;
  scale.base_s += lowest;
  for (SourceFoot& foot : feet) {
    for (double& ground : foot.ground) ground -= lowest;
  }
}

/// Farthest that a sole goes below the ground, on the target and in the source.
void FindDeepestSoles(const HumanBody& body,
                      const std::array<FootGoal, 2>& goals,
                      const std::vector<figure::Shot>& shots,
                      const std::vector<Pose>& poses, RetargetReport& report) {
  constexpr std::int64_t kShortest = 3;
  std::vector<Transform> X_WJ;
  for (const figure::Shot& shot : shots) {
    if (shot.size() < kShortest) continue;
    for (std::int64_t i = shot.begin; i < shot.end; ++i) {
      figure::WorldTransforms(*body.skeleton, poses[i], X_WJ);
      for (int side = 0; side < 2; ++side) {
        report.deepest_sole_of_source = std::max(
            report.deepest_sole_of_source, goals[side].depth_of_source[i]);
        for (const figure::BodyPoint& point : body.plan.legs[side].sole) {
          report.deepest_sole = std::max(
              report.deepest_sole, goals[side].ground[i] - point.At(X_WJ).y());
        }
      }
    }
  }
}

/// What had to give way, in words.
void SayWhatGaveWay(const HumanBody& target, RetargetReport& report) {
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
  constexpr double kFarRoot = 0.1;  // Of the leg's length.
  const double shift = report.plant.largest_root_shift / target.plan.leg_length;
  if (shift > kFarRoot) {
    report.relaxed.push_back(
        "the root leaves its scaled path by up to " +
        std::to_string(1000.0 * report.plant.largest_root_shift) + " mm, " +
        std::to_string(std::lround(100.0 * shift)) +
        " % of a leg, so that feet stand in their places");
  }
}

void CheckArguments(const figure::Motion& motion, const HumanBody& source,
                    const HumanBody& target, const JointMap& map,
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

/// The shortest clip that shows whether feet rest: a step of the measure and
/// what a shot needs besides.
std::int64_t ShortestClip(double rate_hz) {
  return kShortestShot + FramesIn(1.0 / figure::StanceRule().sample_rate_hz,
                                  rate_hz, Frames::kUp);
}

/// Frames [0, end) of `motion`, the last of them for as long as it takes.
figure::Motion WithLength(const figure::Motion& motion, std::int64_t end) {
  figure::Motion result(motion.shared_skeleton(), motion.rate_hz(),
                        motion.source());
  Pose pose;
  for (std::int64_t i = 0; i < end; ++i) {
    motion.GetPose(std::min(i, motion.num_frames() - 1), pose);
    result.Append(pose);
  }
  return result;
}

}  // namespace

Retargeted Retarget(const figure::Motion& motion, const HumanBody& source,
                    const HumanBody& target, const JointMap& map,
                    const RetargetOptions& options, figure::MotionSource form) {
  CheckArguments(motion, source, target, map, options);
  // A pose is a clip that stands still.
  if (const std::int64_t shortest = ShortestClip(motion.rate_hz());
      motion.num_frames() > 0 && motion.num_frames() < shortest) {
    Retargeted held = Retarget(WithLength(motion, shortest), source, target,
                               map, options, std::move(form));
    held.motion = WithLength(held.motion, motion.num_frames());
    for (MendedJoint& joint : held.report.mended) {
      std::erase_if(joint.where, [&motion](std::int64_t frame) {
        return frame >= motion.num_frames();
      });
      joint.frames = static_cast<std::int64_t>(joint.where.size());
    }
    return held;
  }
  const ClipTracks tracks = figure::TrackClip(motion, source.plan);
  WorldScale scale = MakeScale(tracks, source, target, options.ground);
  RetargetReport report;
  report.leg_ratio = scale.k;
  report.foot_ratio = figure::FootRatio(source.plan, target.plan);
  report.floor_source = tracks.floor;
  report.floor_target = target.figure || options.ground
                            ? scale.base_t
                            : figure::CarriedFloor(tracks, report.foot_ratio);
  const double rounding_s = kRounding * tracks.leg_length;
  std::array<SourceFoot, 2> feet;
  if (options.plant_feet) {
    feet = FindSourceFeet(tracks, rounding_s);
    if (target.figure) LayLowestGround(feet, scale);
  }

  std::vector<Pose> poses = CopyPoses(motion, source, target, map, scale);
  if (options.keep_smooth) {
    report.smooth = MatchSmoothness(motion, source, tracks, target, poses);
  }
  if (options.hold_limits) {
    report.mended = HoldLimits(target, motion.rate_hz(), tracks.shots, poses);
  }
  const LocalFloor floor = FindLocalFloor(
      tracks, feet, scale, report.foot_ratio, target.figure != nullptr);
  BodySupports supports;
  supports.floor_shift = floor.shift;
  if (options.keep_touching) {
    supports.hands =
        FindHandSupports(motion, source, target, tracks.shots, floor);
  }
  std::array<FootGoal, 2> goals;
  if (options.plant_feet) {
    goals = MakeFootGoals(tracks, feet, scale, report.foot_ratio, target, poses,
                          options.lock_feet);
    for (int side = 0; side < 2; ++side) {
      // Toes that follow nothing bend as the floor wants.
      const int toes = target.plan.legs[side].toes;
      goals[side].bend_toes |= toes >= 0 && map.pairs[toes].source < 0;
      report.num_phases += static_cast<int>(goals[side].phases.size());
    }
    PlantOptions plant = options.plant;
    plant.hold_limits = options.hold_limits;
    report.plant =
        PlantFeet(target, motion.rate_hz(), tracks.shots, goals,
                  report.foot_ratio * rounding_s, plant, poses, supports);
  }
  if (options.keep_touching) {
    report.hands =
        KeepHandsTouching(motion, source, target, tracks.shots, floor,
                          supports.hands, options.hold_limits, poses);
  }
  SayWhatGaveWay(target, report);
  if (options.plant_feet) {
    FindDeepestSoles(target, goals, tracks.shots, poses, report);
  }
  Retargeted result{
      figure::Motion(target.skeleton, motion.rate_hz(), std::move(form)),
      std::move(report)};
  for (const Pose& pose : poses) result.motion.Append(pose);
  if (target.figure) {
    const figure::LimitReport limits =
        figure::MeasureLimits(*target.figure, result.motion);
    result.report.largest_limit_violation = limits.worst;
    result.report.limit_joint = limits.segment;
  }
  return result;
}

}  // namespace limber::mocap
