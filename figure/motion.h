// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/math.h"
#include "figure/channel_layout.h"
#include "figure/pose.h"
#include "figure/skeleton.h"

namespace limber::figure {

/// The axis of a file that points up. Inside Limber that is +Y.
enum class UpAxis { kX, kY, kZ };

/// "X", "Y" or "Z".
const char* ToString(UpAxis up);

/// The rotation R_WF that brings a file's axes F to Limber's world: identity
/// for Y; for Z (x, y, z) becomes (x, z, -y), for X (y, x, -z).
Quaternion FileToWorld(UpAxis up);

/// Where a motion comes from, and what a writer needs to restore the file's
/// own form. A motion that was computed has the defaults.
struct MotionSource {
  std::string file;                     ///< As the caller named it.
  std::string format;                   ///< "BVH", "AMC", or empty.
  double metres_per_unit = 1.0;         ///< Length unit of the file [m].
  double radians_per_unit = kPi / 180;  ///< Angle unit of the file [rad].
  UpAxis up = UpAxis::kY;
  /// The file's channels in the file's order; null when there is no file.
  std::shared_ptr<const ChannelLayout> channels;
};

/// A skeleton in motion: poses at a fixed rate.
///
/// Poses are held as rows of channel numbers. A motion read from a file keeps
/// the file's own channels, so that nothing is lost on the way to another file;
/// it costs 8 bytes per channel and frame, and a joint that never moves costs
/// nothing. A motion that is built or changed pose by pose uses
/// quaternions; the change is made at the first `Append` or `SetPose`.
class Motion {
 public:
  /// An empty motion to append poses to.
  /// @param rate_hz  frames per second, positive and finite [Hz].
  /// @throws std::invalid_argument naming the field and its value; also if
  ///         `source.channels` is for another number of joints.
  Motion(std::shared_ptr<const Skeleton> skeleton, double rate_hz,
         MotionSource source = {});

  /// A motion in the channels of `source`, which must be set.
  /// @param values  frame after frame [m, rad], all finite.
  /// @throws std::invalid_argument as above, or if `values` is not a whole
  ///         number of rows.
  Motion(std::shared_ptr<const Skeleton> skeleton, double rate_hz,
         MotionSource source, std::vector<double> values);

  const Skeleton& skeleton() const { return *skeleton_; }
  const std::shared_ptr<const Skeleton>& shared_skeleton() const {
    return skeleton_;
  }
  double rate_hz() const { return rate_hz_; }
  std::int64_t num_frames() const { return num_frames_; }
  /// From the first frame to the last: (num_frames - 1) / rate, 0 when empty
  /// [s].
  double duration() const;
  const MotionSource& source() const { return source_; }

  /// What the numbers of a row mean. The same object as `source().channels`
  /// exactly when the motion is as read.
  const std::shared_ptr<const ChannelLayout>& layout() const { return layout_; }
  /// The numbers of one frame [m, rad].
  std::span<const double> row(std::int64_t frame) const;

  /// @throws std::invalid_argument if there is no such frame. The second form
  ///         reuses the memory of `pose`.
  Pose pose(std::int64_t frame) const;
  void GetPose(std::int64_t frame, Pose& pose) const;

  /// The pose at `time` seconds after the first frame, interpolated; before
  /// the first and after the last frame those.
  /// @throws std::invalid_argument if there are no frames or `time` is NaN.
  Pose Sample(double time) const;

  /// @throws std::invalid_argument if the pose has another number of joints, a
  ///         value is not finite, a rotation is not of unit length to 1e-6, or
  ///         there is no such frame.
  void Append(const Pose& pose);
  void SetPose(std::int64_t frame, const Pose& pose);

 private:
  void CheckPose(const Pose& pose) const;
  void MakeFreeFor(const Pose& pose);

  std::shared_ptr<const Skeleton> skeleton_;
  double rate_hz_ = 0.0;
  MotionSource source_;
  std::shared_ptr<const ChannelLayout> layout_;
  std::int64_t num_frames_ = 0;
  std::vector<double> values_;
};

}  // namespace limber::figure
