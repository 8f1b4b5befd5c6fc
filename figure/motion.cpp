// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/motion.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/checkpoint.h"

namespace limber::figure {

namespace {

// How far from 1 the length of a rotation may be.
constexpr double kUnitTolerance = 1e-6;

void CheckFrame(std::int64_t frame, std::int64_t num_frames) {
  if (frame < 0 || frame >= num_frames) {
    throw std::invalid_argument("frame is " + std::to_string(frame) +
                                ", the motion has " +
                                std::to_string(num_frames));
  }
}

std::vector<bool> Roots(const Skeleton& skeleton) {
  std::vector<bool> roots(static_cast<std::size_t>(skeleton.num_joints()));
  for (int i = 0; i < skeleton.num_joints(); ++i) {
    roots[i] = skeleton.is_root(i);
  }
  return roots;
}

// Which joints have translation channels.
std::vector<bool> MovingJoints(const ChannelLayout& layout) {
  std::vector<bool> moves(static_cast<std::size_t>(layout.num_joints()));
  for (const Channel& channel : layout.channels()) {
    if (channel.kind == ChannelKind::kTranslation) moves[channel.joint] = true;
  }
  return moves;
}

}  // namespace

const char* ToString(UpAxis up) {
  switch (up) {
    case UpAxis::kX:
      return "X";
    case UpAxis::kY:
      return "Y";
    case UpAxis::kZ:
      return "Z";
  }
  return "?";
}

Quaternion FileToWorld(UpAxis up) {
  const double half = std::sqrt(0.5);
  switch (up) {
    case UpAxis::kX:
      // Half a turn about x + y swaps x and y and turns z over.
      return {0.0, half, half, 0.0};
    case UpAxis::kY:
      return Quaternion::Identity();
    case UpAxis::kZ:
      return {half, -half, 0.0, 0.0};
  }
  throw std::invalid_argument("up is not an axis");
}

Motion::Motion(std::shared_ptr<const Skeleton> skeleton, double rate_hz,
               MotionSource source)
    : skeleton_(std::move(skeleton)),
      rate_hz_(rate_hz),
      source_(std::move(source)) {
  if (!skeleton_) throw std::invalid_argument("skeleton must not be null");
  if (!(rate_hz_ > 0.0) || !std::isfinite(rate_hz_)) {
    throw std::invalid_argument("rate_hz must be positive and finite, found " +
                                std::to_string(rate_hz_));
  }
  if (source_.channels &&
      source_.channels->num_joints() != skeleton_->num_joints()) {
    throw std::invalid_argument("source.channels is for " +
                                std::to_string(source_.channels->num_joints()) +
                                " joints, the skeleton has " +
                                std::to_string(skeleton_->num_joints()));
  }
  layout_ = std::make_shared<const ChannelLayout>(
      ChannelLayout::Free(Roots(*skeleton_)));
}

Motion::Motion(std::shared_ptr<const Skeleton> skeleton, double rate_hz,
               MotionSource source, std::vector<double> values)
    : Motion(std::move(skeleton), rate_hz, std::move(source)) {
  if (!source_.channels) {
    throw std::invalid_argument("source.channels must be set");
  }
  layout_ = source_.channels;
  values_ = std::move(values);
  const std::size_t width = static_cast<std::size_t>(layout_->num_channels());
  if (width == 0 ? !values_.empty() : values_.size() % width != 0) {
    throw std::invalid_argument("values has " + std::to_string(values_.size()) +
                                " numbers, expected a multiple of " +
                                std::to_string(width));
  }
  if (!std::all_of(values_.begin(), values_.end(),
                   [](double value) { return std::isfinite(value); })) {
    throw std::invalid_argument("values must be finite");
  }
  num_frames_ =
      width == 0 ? 0 : static_cast<std::int64_t>(values_.size() / width);
}

double Motion::duration() const {
  return num_frames_ == 0 ? 0.0
                          : static_cast<double>(num_frames_ - 1) / rate_hz_;
}

std::span<const double> Motion::row(std::int64_t frame) const {
  CheckFrame(frame, num_frames_);
  const std::size_t width = static_cast<std::size_t>(layout_->num_channels());
  return {values_.data() + static_cast<std::size_t>(frame) * width, width};
}

Pose Motion::pose(std::int64_t frame) const {
  Pose pose;
  GetPose(frame, pose);
  return pose;
}

void Motion::GetPose(std::int64_t frame, Pose& pose) const {
  Checkpoint();
  PoseFromChannels(*layout_, *skeleton_, row(frame), pose);
}

Pose Motion::Sample(double time) const {
  if (num_frames_ == 0) throw std::invalid_argument("the motion has no frames");
  if (std::isnan(time)) throw std::invalid_argument("time is NaN");
  const double last = static_cast<double>(num_frames_ - 1);
  const double position = std::clamp(time * rate_hz_, 0.0, last);
  const std::int64_t frame = static_cast<std::int64_t>(position);
  const double share = position - static_cast<double>(frame);
  if (share == 0.0) return pose(frame);
  return Interpolate(pose(frame), pose(frame + 1), share);
}

void Motion::Append(const Pose& pose) {
  Checkpoint();
  CheckPose(pose);
  MakeFreeFor(pose);
  values_.resize(values_.size() +
                 static_cast<std::size_t>(layout_->num_channels()));
  ++num_frames_;
  SetPose(num_frames_ - 1, pose);
}

void Motion::SetPose(std::int64_t frame, const Pose& pose) {
  Checkpoint();
  CheckFrame(frame, num_frames_);
  CheckPose(pose);
  MakeFreeFor(pose);
  const std::size_t width = static_cast<std::size_t>(layout_->num_channels());
  const std::span<double> row(
      values_.data() + static_cast<std::size_t>(frame) * width, width);
  std::vector<ChannelLoss> no_loss;
  ChannelsFromPose(*layout_, *skeleton_, pose, row, row, no_loss);
}

void Motion::CheckPose(const Pose& pose) const {
  if (pose.num_joints() != skeleton_->num_joints()) {
    throw std::invalid_argument(
        "pose has " + std::to_string(pose.num_joints()) +
        " joints, the skeleton has " + std::to_string(skeleton_->num_joints()));
  }
  for (int i = 0; i < pose.num_joints(); ++i) {
    const Transform& X_PJ = pose.X_PJ[i];
    const std::string field = "pose.X_PJ[" + std::to_string(i) + "]";
    if (!X_PJ.p.allFinite()) {
      throw std::invalid_argument(field + ".p must be finite");
    }
    // Also true of NaN.
    if (!(std::abs(X_PJ.R.norm() - 1.0) <= kUnitTolerance)) {
      throw std::invalid_argument(field + ".R must have length 1, found " +
                                  std::to_string(X_PJ.R.norm()));
    }
  }
}

void Motion::MakeFreeFor(const Pose& pose) {
  // Joints that move in the pose, besides those that can already.
  std::vector<bool> moves = MovingJoints(*layout_);
  bool fits = layout_ != source_.channels;
  for (int i = 0; i < skeleton_->num_joints(); ++i) {
    if (moves[i]) continue;
    if (skeleton_->is_root(i) || pose.X_PJ[i].p != skeleton_->joint(i).offset) {
      moves[i] = true;
      fits = false;
    }
  }
  if (fits) return;
  // Carry the frames over to a layout that can hold the pose.
  const auto free =
      std::make_shared<const ChannelLayout>(ChannelLayout::Free(moves));
  const std::size_t width = static_cast<std::size_t>(free->num_channels());
  std::vector<double> values(width * static_cast<std::size_t>(num_frames_));
  Pose old;
  std::vector<ChannelLoss> no_loss;
  for (std::int64_t frame = 0; frame < num_frames_; ++frame) {
    GetPose(frame, old);
    const std::span<double> row(
        values.data() + static_cast<std::size_t>(frame) * width, width);
    ChannelsFromPose(*free, *skeleton_, old, row, row, no_loss);
  }
  values_ = std::move(values);
  layout_ = free;
}

}  // namespace limber::figure
