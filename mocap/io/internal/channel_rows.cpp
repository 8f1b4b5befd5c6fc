// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/channel_rows.h"

#include <string>
#include <utility>

#include "core/angle.h"
#include "mocap/io/internal/text.h"

namespace limber::mocap::internal {

namespace {

// Less than half of the last digit that files hold [deg, file units].
constexpr double kNoLoss = 0.5e-6;

}  // namespace

ChannelRows::ChannelRows(const figure::Motion& motion,
                         std::shared_ptr<const figure::ChannelLayout> layout)
    : motion_(motion),
      layout_(std::move(layout)),
      row_(static_cast<std::size_t>(layout_->num_channels()), 0.0) {}

std::span<const double> ChannelRows::Next() {
  const std::int64_t frame = frame_++;
  if (motion_.layout() == layout_) return motion_.row(frame);
  motion_.GetPose(frame, pose_);
  figure::ChannelsFromPose(*layout_, motion_.skeleton(), pose_, row_, row_,
                           loss_);
  for (std::size_t i = 0; i < loss_.size(); ++i) {
    const int joint = static_cast<int>(i);
    if (loss_[i].angle > worst_angle_.size) {
      worst_angle_ = {loss_[i].angle, joint, frame};
    }
    if (loss_[i].distance > worst_distance_.size) {
      worst_distance_ = {loss_[i].distance, joint, frame};
    }
  }
  return row_;
}

void ChannelRows::ReportLoss(Diagnostics& diagnostics) const {
  const auto report = [&](const char* kind, const char* what,
                          const Worst& worst, double size, const char* unit) {
    if (size <= kNoLoss) return;
    std::string text = "the channels cannot express every " +
                       std::string(what) + "; the worst, of \"" +
                       Excerpt(motion_.skeleton().joint(worst.joint).name) +
                       "\" in frame " + std::to_string(worst.frame) +
                       ", is off by ";
    AppendFixed(text, size, 6);
    diagnostics.Warning(kind, {}, text + " " + unit);
  };
  report("lost-rotation", "rotation", worst_angle_, Degrees(worst_angle_.size),
         "degrees");
  report("lost-translation", "translation", worst_distance_,
         worst_distance_.size / motion_.source().metres_per_unit, "file units");
}

}  // namespace limber::mocap::internal
