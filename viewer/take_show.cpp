// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "viewer/show.h"

namespace limber::viewer {

namespace {

using mocap::MarkerTake;

class TakeShow final : public Show {
 public:
  explicit TakeShow(std::shared_ptr<const MarkerTake> take)
      : take_(std::move(take)) {
    for (int m = 0; m < take_->num_markers(); ++m) {
      if (take_->kind(m) != mocap::PointKind::kMarker) continue;
      Part part;
      part.shape.radius = 0.012;
      part.colour = palette::kMarker;
      part.name = take_->labels()[static_cast<std::size_t>(m)];
      parts_.push_back(part);
      markers_.push_back(m);
    }
    MeasureExtent();
  }

  const std::vector<Part>& parts() const override { return parts_; }
  double duration() const override {
    return std::max(
        0.0, static_cast<double>(take_->num_frames() - 1) / take_->rate_hz());
  }

  void Draw(double time, Picture& picture) override {
    const std::int64_t frame = FrameAt(time);
    for (const int marker : markers_) {
      Transform X;
      // A missing marker is put where nobody sees it.
      X.p = take_->IsVisible(frame, marker) ? take_->Position(frame, marker)
                                            : Vector3(0, -1e3, 0);
      picture.poses.push_back(X);
    }
  }

  Vector3 Centre(double time) override {
    const std::int64_t frame = FrameAt(time);
    Vector3 sum = Vector3::Zero();
    int count = 0;
    for (const int marker : markers_) {
      if (!take_->IsVisible(frame, marker)) continue;
      sum += take_->Position(frame, marker);
      ++count;
    }
    return count == 0 ? middle_ : Vector3(sum / count);
  }

  double Radius() override { return radius_; }

 private:
  std::int64_t FrameAt(double time) const {
    const double frame = std::round(time * take_->rate_hz());
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(frame), 0,
                                    take_->num_frames() - 1);
  }

  void MeasureExtent() {
    const std::int64_t step =
        std::max<std::int64_t>(1, take_->num_frames() / 50);
    double radius = 0.5;
    for (std::int64_t frame = 0; frame < take_->num_frames(); frame += step) {
      const Vector3 centre =
          Centre(static_cast<double>(frame) / take_->rate_hz());
      if (frame == 0) middle_ = centre;
      for (const int marker : markers_) {
        if (!take_->IsVisible(frame, marker)) continue;
        radius =
            std::max(radius, (take_->Position(frame, marker) - centre).norm());
      }
    }
    radius_ = std::min(radius, 3.0);
  }

  std::shared_ptr<const MarkerTake> take_;
  std::vector<Part> parts_;
  std::vector<int> markers_;
  Vector3 middle_ = Vector3::Zero();
  double radius_ = 1.0;
};

}  // namespace

std::unique_ptr<Show> ShowTake(std::shared_ptr<const MarkerTake> take) {
  return std::make_unique<TakeShow>(std::move(take));
}

}  // namespace limber::viewer
