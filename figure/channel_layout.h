// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/math.h"
#include "figure/pose.h"
#include "figure/skeleton.h"

namespace limber::figure {

enum class ChannelKind : std::uint8_t {
  kTranslation,  ///< Along axis 0..2 [m].
  kRotation,     ///< About axis 0..2 [rad].
  kQuaternion    ///< Part 0..3 = w, x, y, z of the rotation.
};

/// One number of a frame: what it moves and how.
struct Channel {
  std::int32_t joint = 0;
  ChannelKind kind = ChannelKind::kRotation;
  std::uint8_t axis = 0;

  friend bool operator==(const Channel&, const Channel&) = default;
};

/// Which of a joint's rotation channels turns in the parent's axes.
enum class RotationOrder {
  kFirstIsOutermost,  ///< R = R1 R2 R3, as in BVH.
  kFirstIsInnermost   ///< R = R3 R2 R1, as in ASF/AMC.
};

/// Where the channels of one joint stand in a row: [begin, end).
struct ChannelRun {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
};

/// What the numbers of one frame mean. With F the file's axes, A the axes of a
/// joint's rotation channels, t and E the joint's channels put together:
///
///     R_PJ = R_WF R_FA E R_FAᵀ R_WFᵀ        p_PJ = R_WF t
///
/// A component of t without a channel is the rest offset's, a joint without
/// rotation channels keeps the identity. So a translation channel replaces the
/// offset; it is not added to it.
class ChannelLayout {
 public:
  /// @param R_WF  rotation from the file's axes to the world (+Y up).
  /// @param R_FA  per joint, or empty for the identity everywhere.
  /// @throws std::invalid_argument if a channel names no joint or no axis, the
  ///         channels of a joint do not stand together, one repeats, rotation
  ///         and quaternion channels are mixed or a quaternion lacks a part.
  ChannelLayout(int num_joints, std::vector<Channel> channels,
                RotationOrder order = RotationOrder::kFirstIsOutermost,
                const Quaternion& R_WF = Quaternion::Identity(),
                std::vector<Quaternion> R_FA = {});

  /// Unit quaternions for all joints and translations for those with
  /// `moves[joint]`: can hold every pose whose other joints keep their offset.
  static ChannelLayout Free(const std::vector<bool>& moves);

  int num_joints() const { return num_joints_; }
  int num_channels() const { return static_cast<int>(channels_.size()); }
  const std::vector<Channel>& channels() const { return channels_; }
  /// One per joint; empty for a joint without channels.
  const std::vector<ChannelRun>& runs() const { return runs_; }
  RotationOrder order() const { return order_; }
  const Quaternion& R_WF() const { return R_WF_; }
  const std::vector<Quaternion>& R_FA() const { return R_FA_; }

 private:
  int num_joints_;
  std::vector<Channel> channels_;
  std::vector<ChannelRun> runs_;
  RotationOrder order_;
  Quaternion R_WF_;
  std::vector<Quaternion> R_FA_;
};

/// Sets `pose` from one frame's numbers [m, rad].
void PoseFromChannels(const ChannelLayout& layout, const Skeleton& skeleton,
                      std::span<const double> row, Pose& pose);

/// What a layout could not express of one joint's X_PJ.
struct ChannelLoss {
  double angle = 0.0;     ///< [rad]
  double distance = 0.0;  ///< [m]
};

/// Finds the numbers of one frame that give `pose`, and in `loss` (one per
/// joint) what remains. Of the many angles for one rotation it takes those
/// nearest to `hint`, so a motion written with the frame before as hint has no
/// flips, also through gimbal lock. Where the channels cannot express the
/// rotation they get the nearest one they can. `hint` may be `row` itself.
void ChannelsFromPose(const ChannelLayout& layout, const Skeleton& skeleton,
                      const Pose& pose, std::span<const double> hint,
                      std::span<double> row, std::vector<ChannelLoss>& loss);

}  // namespace limber::figure
