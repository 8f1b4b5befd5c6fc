// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "figure/smooth_motion.h"

namespace limber::figure {

/// How a clip follows the one before it on a track.
struct JoinOptions {
  /// Part of the clip that is played [s of the clip].
  double from = 0.0;
  double to = std::numeric_limits<double>::infinity();
  /// Seconds of the clip per second of the track, positive.
  double speed = 1.0;
  enum class Blend {
    /// The clip begins where the last one ends; the step in pose, velocity and
    /// acceleration between them is carried along and dies away in `duration`.
    kCarry,
    /// The clip begins `duration` before the last one ends; in between both
    /// play, rotations on the great arc, translations on the line.
    kOverlap,
  };
  Blend blend = Blend::kCarry;
  double duration = 0.3;  ///< Of the blend, on the track [s].
  /// Moves and turns the clip over the ground so that its root goes on where
  /// the track is; its height stays.
  bool align = true;
};

/// Several clips of one skeleton, end to end on one line of time.
///
/// kCarry: with R1 the track so far, R2 the new clip, e = log(R1 R2^-1) at the
/// join (positions: the difference), the track is exp(c(t)) R2(t), where c is
/// the quintic with c = e, c' = e', c'' = e'' at the join and c = c' = c'' = 0
/// at the end of the blend: no jump of pose, velocity or acceleration, and no
/// part of either clip is lost. A loop that closes stays as it is.
class MotionTrack {
 public:
  MotionTrack() = default;

  /// Adds a clip at the end; returns when it begins [s].
  /// @throws std::invalid_argument naming the field and its value; also if the
  ///         skeleton has another number of joints or an overlap is longer
  ///         than half of one of the clips.
  double Append(std::shared_ptr<const SmoothMotion> clip,
                const JoinOptions& options = {});
  /// Adds the clip again and again until the track is `length` seconds long.
  /// @throws std::invalid_argument also if that takes more than kMostLoops.
  static constexpr int kMostLoops = 10'000;  ///< Some 50 MB of joins.
  void Loop(const std::shared_ptr<const SmoothMotion>& clip, double length,
            const JoinOptions& options = {});

  bool empty() const { return parts_.empty(); }
  double duration() const;  ///< [s]
  /// Not to be called on an empty track.
  const std::shared_ptr<const Skeleton>& shared_skeleton() const {
    return parts_.front().clip->shared_skeleton();
  }
  /// The pose at `time`; outside the track its first or last pose.
  void Sample(double time, Pose& pose) const;

 private:
  /// What is left of the step at a join: c, c', c'' there.
  struct Carried {
    Vector3 turn[3];
    Vector3 shift[3];
  };
  struct Part {
    std::shared_ptr<const SmoothMotion> clip;
    JoinOptions options;
    double start = 0.0;
    double length = 0.0;
    Transform X_WA;  ///< From the clip's ground to the track's.
    std::vector<Carried> carried;
  };
  void SampleClip(const Part& part, double time, Pose& pose) const;
  void SamplePart(std::size_t index, double time, Pose& pose) const;
  void FindCarried(Part& part) const;

  std::vector<Part> parts_;
};

/// The rotation about +Y that comes nearest to `R`.
Quaternion Heading(const Quaternion& R);

}  // namespace limber::figure
