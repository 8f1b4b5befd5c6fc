// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "figure/clip_tracks.h"
#include "figure/motion.h"
#include "figure/pose.h"
#include "mocap/retarget/joint_map.h"

namespace limber::mocap {

/// The floor of both bodies near each frame: that of the stance which is or
/// comes next, so that it does not matter where the clip begins.
struct LocalFloor {
  std::vector<double> source;  ///< [m]
  std::vector<double> target;  ///< [m]
  /// How far the floor of the copy is below the target's [m].
  std::vector<double> shift;
  /// What lies lowest on the target, beside a platform that counts as the floor
  /// [m].
  double lowest = 0.0;
  double k = 1.0;  ///< Ratio of the legs.
};

/// One hand and the floor; one value per frame, none for bodies without arms.
struct HandSupport {
  /// In [0, 1], without steps in time: the palm of the source is on the floor
  /// and hardly moves.
  std::vector<double> rests;
  /// In [0, 1]: the palm of the source is near the floor, however it moves.
  std::vector<double> near_floor;
  /// How high the target's palm is while it rests [m].
  std::vector<double> height;
  /// No palm of the target may be lower [m].
  std::vector<double> lowest;
  /// How far all of the copy is too low, see LocalFloor [m].
  std::vector<double> shift;
};

/// Which hands of the source are on the floor, and how high the target's are
/// then. With h_s the height of the source's palm above its floor and k the
/// ratio of the arms:
///
///     height = floor_t + k h_s        lowest = floor_t + min(k h_s, kLowPalm)
///
/// and on figures, whose ground is a real one, nothing is lower than that.
std::array<HandSupport, 2> FindHandSupports(
    const figure::Motion& motion, const HumanBody& source,
    const HumanBody& target, const std::vector<figure::Shot>& shots,
    const LocalFloor& floor);

/// What else carries the body beside feet.
struct BodySupports {
  std::array<HandSupport, 2> hands;
  /// How far the floor of the copy is below the target's, see LocalFloor; the
  /// path of the root is measured from there. Empty for nowhere [m].
  std::vector<double> floor_shift;
};

/// What an arm asks of the root; one value per frame.
struct ArmTrack {
  std::vector<Vector3> arm;    ///< From the shoulder to the palm [m].
  std::vector<double> lift;    ///< How far the palm has to go up [m].
  std::vector<double> weight;  ///< How much the bend of the elbow counts.
};

/// The arms of `poses`, which no root has moved yet; empty where no hand
/// touches the floor.
std::array<ArmTrack, 2> TrackArms(const HumanBody& target,
                                  const std::array<HandSupport, 2>& supports,
                                  const std::vector<figure::Pose>& poses);

/// Two moving averages one after the other, within shots.
template <typename Value>
void SmoothHands(std::vector<Value>& values,
                 const std::vector<figure::Shot>& shots, std::int64_t half) {
  for (int pass = 0; pass < 2; ++pass) {
    const std::vector<Value> before = values;
    for (const figure::Shot& shot : shots) {
      for (std::int64_t i = shot.begin; i < shot.end; ++i) {
        Value sum = 0.0 * before[i];
        for (std::int64_t j = i - half; j <= i + half; ++j) {
          sum += before[std::clamp(j, shot.begin, shot.end - 1)];
        }
        values[i] = sum / static_cast<double>(2 * half + 1);
      }
    }
  }
}

/// Frames on either side over which hands are smoothed.
std::int64_t HandSmoothing(double rate_hz);

/// 1 below `low`, 0 above `high`, smooth between.
double Below(double value, double low, double high);

/// Ratio of the arms, target by source; 1 without arms.
double ArmRatio(const HumanBody& source, const HumanBody& target);

}  // namespace limber::mocap
