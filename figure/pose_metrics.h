// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "figure/figure_model.h"
#include "figure/motion.h"

namespace limber::figure {

/// How far the joints of a clip are turned from those of another one.
struct JointError {
  double rms = 0.0;        ///< Over joints and frames [rad].
  double worst = 0.0;      ///< [rad]
  std::string joint;       ///< Where the worst is; empty when nothing differs.
  std::int64_t frame = 0;  ///< When.
  int num_joints = 0;      ///< Compared: those whose names occur in both.
  std::int64_t num_frames = 0;  ///< Compared: those both have.
};

/// Compares R_PJ of joints of the same name, frame by frame. No joint in common
/// gives num_joints = 0.
/// @throws std::invalid_argument if the rates differ by more than 0.1 %.
JointError CompareJoints(const Motion& motion, const Motion& reference);

/// How far joints leave the limits of a figure.
struct LimitReport {
  double worst = 0.0;      ///< Farthest beyond a limit [rad].
  std::string segment;     ///< Where; empty when all limits hold.
  std::int64_t frame = 0;  ///< When.
  /// Per segment, the farthest beyond a limit in the whole clip [rad].
  std::vector<double> per_segment;
};

/// How far R_PJ is beyond the limits of `anchor` [rad], 0 within them. The
/// rotation that a hinge or universal joint cannot make does not count.
double LimitViolation(const Anchor& anchor, const Quaternion& R_PJ);

/// R_PJ with every coordinate brought to within `beyond` of its limits [rad].
Quaternion WithinLimits(const Anchor& anchor, const Quaternion& R_PJ,
                        double beyond);

/// @throws std::invalid_argument if the motion is not on the figure's skeleton
///         (by number of joints).
LimitReport MeasureLimits(const FigureModel& figure, const Motion& motion);

}  // namespace limber::figure
