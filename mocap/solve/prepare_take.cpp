// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "mocap/solve/calibrate.h"
#include "mocap/solve/internal/body_fit.h"

#include "core/checkpoint.h"

namespace limber::mocap {

namespace {

/// Where the body's upward direction lies in a take: the median over frames of
/// the best rigid fit, snapped to an axis. +Y if nothing can be said.
Vector3 FindUpAxis(const PreparedTake& take) {
  Vector3 sum = Vector3::Zero();
  for (std::int64_t frame = 0; frame < take.observed.num_frames(); ++frame) {
    Checkpoint();
    const std::optional<internal::SimilarityFit> fit =
        internal::FitRestPose(take.markers, take.observed.frame(frame));
    if (fit) sum += fit->R * Vector3::UnitY();
  }
  int axis = 1;
  sum.cwiseAbs().maxCoeff(&axis);
  return Vector3::Unit(axis) * (sum[axis] < 0 ? -1.0 : 1.0);
}

}  // namespace

Result<PreparedTake> PrepareTake(const MarkerTake& take, const MarkerSet& set,
                                 const MarkerMatch& match,
                                 const std::string& file) {
  Diagnostics diagnostics(file);
  PreparedTake prepared;
  prepared.rate_hz = take.rate_hz();
  prepared.num_left_out = match.num_left_out;
  const std::vector<std::int64_t> missing = take.MissingPerMarker();
  std::string unseen;
  for (std::size_t i = 0; i < set.markers.size(); ++i) {
    const int column = match.columns[i];
    if (column < 0) continue;
    if (missing[column] == take.num_frames()) {
      unseen += (unseen.empty() ? "" : ", ") + set.markers[i].label;
      continue;
    }
    prepared.markers.push_back(set.markers[i]);
    prepared.columns.push_back(column);
  }
  if (!unseen.empty()) {
    diagnostics.Warning("never-seen", {},
                        "markers without a sample: " + unseen);
  }
  for (int column = 0; column < take.num_markers(); ++column) {
    if (take.kind(column) == PointKind::kMarker &&
        IsUnlabelled(take.labels()[column]) &&
        missing[column] < take.num_frames() &&
        std::ranges::find(prepared.columns, column) == prepared.columns.end()) {
      prepared.unlabelled.push_back(column);
    }
  }
  if (take.num_frames() == 0) {
    diagnostics.Error("no-frames", {}, "the take has no frames");
    return Result<PreparedTake>(std::move(diagnostics));
  }
  constexpr std::size_t kLeast = 8;
  if (prepared.markers.size() < kLeast) {
    diagnostics.Error("too-few-markers", {},
                      "a body needs at least 8 markers of the set that are "
                      "seen, found " +
                          std::to_string(prepared.markers.size()));
    return Result<PreparedTake>(std::move(diagnostics));
  }
  prepared.observed.num_markers = static_cast<int>(prepared.markers.size());
  prepared.observed.points.reserve(prepared.markers.size() *
                                   std::size_t(take.num_frames()));
  for (std::int64_t frame = 0; frame < take.num_frames(); ++frame) {
    for (const int column : prepared.columns) {
      prepared.observed.points.push_back(take.Position(frame, column));
    }
  }
  if (take.origin.axes_decision == Decision::kDefault) {
    const Vector3 up = FindUpAxis(prepared);
    if (up != Vector3::UnitY()) {
      prepared.R_turned =
          Quaternion::FromTwoVectors(up, Vector3::UnitY()).normalized();
      const Matrix3 R = prepared.R_turned.toRotationMatrix();
      for (Vector3& point : prepared.observed.points) point = R * point;
      diagnostics.Warning(
          "up-axis", {},
          "the file does not say which axis is up, and the person does not "
          "stand along the assumed one; turned upright. --up says it for sure");
    }
  }
  return {std::move(prepared), std::move(diagnostics)};
}

}  // namespace limber::mocap
