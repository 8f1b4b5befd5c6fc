// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mocap/solve/actor.h"
#include "mocap/solve/marker_set.h"

namespace limber::mocap::internal {

/// How one track moves against one segment.
struct RigidFit {
  Vector3 p_JM = Vector3::Zero();  ///< Its usual place on the segment [m].
  /// Root mean square distance from there, over the nine tenths of the frames
  /// that fit best [m]; infinite where it is never seen.
  double rms = 0.0;
  /// Distance of `p_JM` from the segment's bone over the thickness of that
  /// part of the body: about 1 on the skin.
  double depth = 0.0;
};

/// The poses of some frames, and what the tracks do in them.
class MotionEvidence {
 public:
  /// `poses` belong to `actor`, one per frame of `tracks`.
  MotionEvidence(const Actor& actor, std::span<const BodyPose> poses,
                 const Observations& tracks);

  const RigidFit& Fit(int track, int segment) const {
    return fits_[std::size_t(track) * kNumSegments + std::size_t(segment)];
  }
  int num_tracks() const { return num_tracks_; }

  /// The segment a track goes with: that with the smallest misfit, and among
  /// those that fit about as well the one whose bone is nearest. -1 if none.
  struct Choice {
    int segment = -1;
    double rms = 0.0;
    double confidence = 0.0;  ///< Against the next best, in [0, 1].
  };
  Choice Choose(int track) const;

 private:
  int num_tracks_ = 0;
  std::array<bool, kNumSegments> moves_{};
  std::vector<RigidFit> fits_;
};

/// Tracks that keep their distances among each other: groups of at least
/// three, by index of the track.
std::vector<std::vector<int>> FindRigidGroups(const Observations& tracks,
                                              std::span<const int> among);

/// At most `most` frames, spread over the take, in which most is seen.
std::vector<std::int64_t> SpreadFrames(const Observations& tracks, int most);

/// The summed cost of the frames when the reference body with these markers is
/// laid into them without any history: smaller is likelier.
double CostOfLabels(std::span<const SetMarker> markers,
                    const Observations& observed);

}  // namespace limber::mocap::internal
