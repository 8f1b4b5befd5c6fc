// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/marker_take.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace limber::mocap {

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

double CheckedRate(double rate_hz) {
  if (!(rate_hz > 0.0) || !std::isfinite(rate_hz)) {
    throw std::invalid_argument("rate_hz must be positive and finite, is " +
                                std::to_string(rate_hz));
  }
  return rate_hz;
}

std::int64_t CheckedFrames(std::int64_t num_frames) {
  if (num_frames < 0) {
    throw std::invalid_argument("num_frames must not be negative, is " +
                                std::to_string(num_frames));
  }
  return num_frames;
}

void CheckSize(const char* field, std::size_t size, std::size_t expected) {
  if (size != expected) {
    throw std::invalid_argument(std::string(field) + " has " +
                                std::to_string(size) + " values, needs " +
                                std::to_string(expected));
  }
}

}  // namespace

std::int64_t AnalogData::num_samples() const {
  return channels.empty()
             ? 0
             : static_cast<std::int64_t>(samples.size() / channels.size());
}

double AnalogData::Sample(std::int64_t sample, int channel) const {
  return samples[static_cast<std::size_t>(sample) * channels.size() +
                 static_cast<std::size_t>(channel)];
}

MarkerTake::MarkerTake(std::vector<std::string> labels, std::int64_t num_frames,
                       double rate_hz)
    : num_frames_(CheckedFrames(num_frames)),
      rate_hz_(CheckedRate(rate_hz)),
      labels_(std::move(labels)),
      kinds_(labels_.size(), PointKind::kMarker),
      positions_(3 * labels_.size() * static_cast<std::size_t>(num_frames),
                 kMissing) {}

MarkerTake::MarkerTake(std::vector<std::string> labels, std::int64_t num_frames,
                       double rate_hz, std::vector<double> positions,
                       std::vector<float> residuals,
                       std::vector<std::uint8_t> camera_masks)
    : num_frames_(CheckedFrames(num_frames)),
      rate_hz_(CheckedRate(rate_hz)),
      labels_(std::move(labels)),
      kinds_(labels_.size(), PointKind::kMarker),
      positions_(std::move(positions)),
      residuals_(std::move(residuals)),
      camera_masks_(std::move(camera_masks)) {
  const std::size_t samples =
      labels_.size() * static_cast<std::size_t>(num_frames);
  CheckSize("positions", positions_.size(), 3 * samples);
  if (!residuals_.empty()) CheckSize("residuals", residuals_.size(), samples);
  if (!camera_masks_.empty()) {
    CheckSize("camera_masks", camera_masks_.size(), samples);
  }
}

std::optional<int> MarkerTake::FindMarker(std::string_view label) const {
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (labels_[i] == label) return static_cast<int>(i);
  }
  return std::nullopt;
}

void MarkerTake::SetPosition(std::int64_t frame, int marker,
                             const Vector3& position) {
  if (!position.allFinite()) {
    throw std::invalid_argument("position of marker " + std::to_string(marker) +
                                " in frame " + std::to_string(frame) +
                                " is not finite; use SetMissing");
  }
  double* p = &positions_[3 * Index(frame, marker)];
  for (int i = 0; i < 3; ++i) p[i] = position[i];
}

void MarkerTake::SetMissing(std::int64_t frame, int marker) {
  const std::size_t sample = Index(frame, marker);
  for (std::size_t i = 0; i < 3; ++i) positions_[3 * sample + i] = kMissing;
  if (!residuals_.empty()) residuals_[sample] = 0.0f;
  if (!camera_masks_.empty()) camera_masks_[sample] = 0;
}

double MarkerTake::Residual(std::int64_t frame, int marker) const {
  return residuals_.empty() ? 0.0 : residuals_[Index(frame, marker)];
}

std::uint8_t MarkerTake::CameraMask(std::int64_t frame, int marker) const {
  return camera_masks_.empty() ? std::uint8_t{0}
                               : camera_masks_[Index(frame, marker)];
}

void MarkerTake::SetResidual(std::int64_t frame, int marker, double residual) {
  if (!(residual >= 0.0) || !std::isfinite(residual)) {
    throw std::invalid_argument(
        "residual must be zero or positive and finite, is " +
        std::to_string(residual));
  }
  residuals_.resize(positions_.size() / 3);
  residuals_[Index(frame, marker)] = static_cast<float>(residual);
}

void MarkerTake::SetCameraMask(std::int64_t frame, int marker,
                               std::uint8_t mask) {
  camera_masks_.resize(positions_.size() / 3);
  camera_masks_[Index(frame, marker)] = mask;
}

void MarkerTake::SetLabel(int marker, std::string label) {
  labels_[static_cast<std::size_t>(marker)] = std::move(label);
}

void MarkerTake::SetRate(double rate_hz) { rate_hz_ = CheckedRate(rate_hz); }

double MarkerTake::gap_fraction() const {
  if (positions_.empty()) return 0.0;
  std::int64_t missing = 0;
  for (std::size_t i = 0; i < positions_.size(); i += 3) {
    if (std::isnan(positions_[i])) ++missing;
  }
  return static_cast<double>(missing) /
         static_cast<double>(positions_.size() / 3);
}

std::vector<std::int64_t> MarkerTake::MissingPerMarker() const {
  std::vector<std::int64_t> missing(labels_.size(), 0);
  for (std::int64_t frame = 0; frame < num_frames_; ++frame) {
    for (int marker = 0; marker < num_markers(); ++marker) {
      if (!IsVisible(frame, marker))
        ++missing[static_cast<std::size_t>(marker)];
    }
  }
  return missing;
}

std::vector<Gap> MarkerTake::Gaps() const {
  std::vector<Gap> gaps;
  for (int marker = 0; marker < num_markers(); ++marker) {
    bool in_gap = false;
    for (std::int64_t frame = 0; frame < num_frames_; ++frame) {
      const bool missing = !IsVisible(frame, marker);
      if (missing && !in_gap) gaps.push_back({marker, frame, 0});
      if (missing) ++gaps.back().num_frames;
      in_gap = missing;
    }
  }
  return gaps;
}

}  // namespace limber::mocap
