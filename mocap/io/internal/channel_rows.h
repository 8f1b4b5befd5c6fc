// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/diagnostics.h"
#include "figure/motion.h"

namespace limber::mocap::internal {

/// The frames of a motion as rows of a file's channels, one after the other.
/// When the motion already has these channels its rows are given as they are,
/// so a file that was read is written with its own angles. Otherwise every
/// pose is converted, each with the row before as hint, so the angles do not
/// flip; what the channels cannot express is added up for `ReportLoss`.
class ChannelRows {
 public:
  /// `motion` must outlive this.
  ChannelRows(const figure::Motion& motion,
              std::shared_ptr<const figure::ChannelLayout> layout);

  /// Row of the next frame [m, rad]; valid until the next call.
  std::span<const double> Next();

  /// Warns about what was lost so far: "lost-rotation" and "lost-translation",
  /// with the worst joint, its frame and the size.
  void ReportLoss(Diagnostics& diagnostics) const;

 private:
  struct Worst {
    double size = 0.0;
    int joint = 0;
    std::int64_t frame = 0;
  };

  const figure::Motion& motion_;
  std::shared_ptr<const figure::ChannelLayout> layout_;
  std::int64_t frame_ = 0;
  std::vector<double> row_;
  figure::Pose pose_;
  std::vector<figure::ChannelLoss> loss_;
  Worst worst_angle_;
  Worst worst_distance_;
};

}  // namespace limber::mocap::internal
