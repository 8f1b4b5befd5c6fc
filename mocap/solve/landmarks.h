// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/math.h"

namespace limber::mocap {

/// One way to understand a marker's label.
struct LabelReading {
  std::string landmark;  ///< In plain words: "lateral epicondyle of the knee".
  int segment = 0;       ///< Of `Body()`; sides are those of the label.
  /// p_JM on the reference body (1.75 m, T-pose), as marker sets have it [m].
  Vector3 at = Vector3::Zero();
  double spread = 0.03;  ///< Standard deviation of `at` [m].
  /// How likely the word means this, in (0, 1]: above 0.9 for landmarks under
  /// their full name, 0.5 for two letters that several schools use.
  double confidence = 0.0;
};

/// What a label alone says, the likeliest reading first; nothing for labels
/// that name no part of a body ("*12", "Channel103", "P7") or a part that comes
/// in pairs without its side.
///
/// Knows the landmarks of Plug-in Gait and its relatives, Helen Hayes,
/// Cleveland Clinic, the anatomical letters of CAST, ISB and the Rizzoli
/// institute, the Human Body Model, OpenSim (gait2354, Rajagopal, OpenCap),
/// Qualisys, BTS, OptiTrack, Motion Analysis, Visual3D, and plain English. The
/// side may be a word or a letter before or behind, any case, any separator;
/// medial, lateral, front, back, upper and lower move the place; a number is
/// the index in a cluster unless it belongs to the name (C7, MT5).
std::vector<LabelReading> ReadLabel(std::string_view label);

/// Whether labels name points that software computed from the markers (the
/// origin and axes of a segment, "LFEO LFEA LFEL LFEP"): one flag per label.
std::vector<bool> FindComputedPoints(const std::vector<std::string>& labels);

}  // namespace limber::mocap
