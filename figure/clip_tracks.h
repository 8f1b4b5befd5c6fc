// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/math.h"
#include "figure/body_plan.h"
#include "figure/motion.h"

namespace limber::figure {

/// Where one foot is, frame by frame [m].
struct FootTrack {
  std::vector<Vector3> toe;    ///< p_W of LegPlan::toe.
  std::vector<Vector3> heel;   ///< p_W of LegPlan::heel.
  std::vector<double> lowest;  ///< Height of the lowest point of the sole.
};

/// Frames [begin, end) without a jump.
struct Shot {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return end - begin; }
};

/// What the metrics and the search for stances need of a clip: places in the
/// world, frame by frame.
///
/// A step in which a joint of the body moves faster than kCutSpeed, or faster
/// than kJumpSpeed and kJump times faster than before and after, is a cut:
/// files often begin with a T-pose that is not part of the motion. No
/// difference is taken across a cut; `shots` are the frames between cuts. Shots
/// of one or two frames are left out of floor and penetration.
struct ClipTracks {
  double rate_hz = 0.0;
  std::int64_t num_frames = 0;
  double leg_length = 0.0;  ///< [m]
  /// Height of the floor: the lowest level at which feet often rest [m].
  double floor = 0.0;
  std::array<FootTrack, 2> feet;  ///< Left, right.
  /// Of pelvis, chest, head, shoulders, elbows, wrists, hips, knees and ankles
  /// those that are there.
  int num_joints = 0;
  std::vector<Vector3> places;  ///< Their p_WJ, frame after frame [m].
  /// How each turned in the world since the frame before [rad].
  std::vector<Vector3> turns;
  std::vector<Shot> shots;
};

/// A body moves its hands at up to 10 leg lengths a second [1/s].
inline constexpr double kCutSpeed = 25.0;
inline constexpr double kJumpSpeed = 3.0;
inline constexpr double kJump = 6.0;

/// Forward kinematics of the whole clip.
ClipTracks TrackClip(const Motion& motion, const BodyPlan& plan);

/// How jerky a clip is: third derivatives by third differences within shots,
/// root mean square over frames. 0 for shots of fewer than four frames. Both
/// are unchanged by uniform scaling.
struct Jerk {
  /// Of the pose: of the rotations of all joints [rad/s^3] (mean of squares)
  /// and of the pelvis' place in leg lengths, added as squares. The proportions
  /// of the body do not enter, so source and target compare [1/s^3].
  double of_pose = 0.0;
  /// Of the places of all joints, in leg lengths [1/s^3].
  double of_places = 0.0;
};
Jerk MeasureJerk(const ClipTracks& tracks);

/// What `of_places` is the mean of, frame by frame: the mean over the joints of
/// the squared third difference of their places up to this frame, in leg
/// lengths; 0 in the first three frames of a shot.
std::vector<double> ThirdDifferenceSquares(const ClipTracks& tracks);

/// How far the lowest point of a sole goes below `floor` at most, 0 when it
/// does not [m].
double FloorPenetration(const ClipTracks& tracks, double floor);

/// Whether the floor lies near height zero (within a tenth of a leg); then zero
/// is what a body grows about. Otherwise it is a place of its own and stays.
bool HasFloorNearZero(const ClipTracks& tracks);

/// Where the floor of `source` lies under feet that are `foot_ratio` times as
/// long [m].
double CarriedFloor(const ClipTracks& source, double foot_ratio);

}  // namespace limber::figure
