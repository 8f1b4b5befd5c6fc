// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

#include "figure/pose.h"
#include "viewer/show.h"

namespace limber::viewer {

namespace {

using mocap::MarkerTake;

constexpr double kMarkerRadius = 0.014;  // [m]

/// "RSHO" of "John:RSHO".
std::string_view BareLabel(std::string_view label) {
  return label.substr(label.find_last_of(':') + 1);
}

class TakeShow final : public Show {
 public:
  explicit TakeShow(std::shared_ptr<const MarkerTake> take)
      : take_(std::move(take)) {
    for (int m = 0; m < take_->num_markers(); ++m) {
      if (take_->kind(m) != mocap::PointKind::kMarker) continue;
      Part part;
      part.shape.radius = kMarkerRadius;
      part.colour = palette::kMarker;
      part.name = take_->labels()[static_cast<std::size_t>(m)];
      parts_.push_back(part);
      markers_.push_back(m);
    }
    MeasureExtent();
  }

  const std::vector<Part>& parts() const override { return parts_; }
  double rate_hz() const override { return take_->rate_hz(); }
  double duration() const override {
    return std::max(
        0.0, static_cast<double>(take_->num_frames() - 1) / take_->rate_hz());
  }

  void Draw(double time, Picture& picture) override {
    const std::int64_t frame = FrameAt(time);
    for (const int marker : markers_) {
      Transform X;
      X.p = take_->Position(frame, marker);
      picture.poses.push_back(take_->IsVisible(frame, marker) ? X : kHidden);
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
  std::int64_t FrameAt(double time) const {
    const double frame = std::round(time * take_->rate_hz());
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(frame), 0,
                                    take_->num_frames() - 1);
  }

 private:
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

/// Lines from where the figure wears its markers to where they were captured.
class MarkerErrorShow final : public Show {
 public:
  MarkerErrorShow(std::shared_ptr<const MarkerTake> take,
                  std::shared_ptr<const figure::Motion> motion,
                  std::shared_ptr<const figure::FigureModel> figure)
      : take_(take),
        captured_(std::move(take)),
        motion_(std::move(motion)),
        figure_(std::move(figure)) {
    parts_ = captured_.parts();
    for (Part& part : parts_) part.colour = palette::kCaptured;
    for (const figure::FigureSite& site : figure_->markers) {
      Part part;
      part.shape.radius = 0.8 * kMarkerRadius;
      part.colour = palette::kMarker;
      part.name = site.name;
      parts_.push_back(part);
      marker_of_site_.push_back(MarkerNamed(site.name));
    }
  }

  const std::vector<Part>& parts() const override { return parts_; }
  double duration() const override { return captured_.duration(); }
  double rate_hz() const override { return captured_.rate_hz(); }
  void Draw(double time, Picture& picture) override {
    captured_.Draw(time, picture);
    const std::vector<Transform> X_WJ = figure::WorldTransforms(
        motion_->skeleton(),
        motion_->Sample(std::clamp(time, 0.0, motion_->duration())));
    const std::int64_t frame = captured_.FrameAt(time);
    double squares = 0.0;
    int count = 0;
    for (std::size_t i = 0; i < figure_->markers.size(); ++i) {
      const figure::FigureSite& site = figure_->markers[i];
      Transform X;
      X.p = X_WJ[static_cast<std::size_t>(site.joint)] * site.offset;
      picture.poses.push_back(X);
      const int marker = marker_of_site_[i];
      if (marker < 0 || !take_->IsVisible(frame, marker)) continue;
      const Vector3 p = take_->Position(frame, marker);
      picture.lines.push_back({X.p, p, palette::kCaptured, true});
      squares += (p - X.p).squaredNorm();
      ++count;
    }
    if (count == 0) return;
    char text[64];
    std::snprintf(text, sizeof text, "markers off by %.1f mm RMS",
                  1000.0 * std::sqrt(squares / count));
    picture.notes.push_back(text);
  }
  Vector3 Centre(double time) override { return captured_.Centre(time); }
  double Radius() override { return captured_.Radius(); }

 private:
  int MarkerNamed(std::string_view name) const {
    for (int m = 0; m < take_->num_markers(); ++m) {
      const std::string& label = take_->labels()[static_cast<std::size_t>(m)];
      if (BareLabel(label) == BareLabel(name)) return m;
    }
    return -1;
  }

  std::shared_ptr<const MarkerTake> take_;
  TakeShow captured_;
  std::shared_ptr<const figure::Motion> motion_;
  std::shared_ptr<const figure::FigureModel> figure_;
  std::vector<Part> parts_;
  std::vector<int> marker_of_site_;
};

}  // namespace

std::unique_ptr<Show> ShowMarkerErrors(
    std::shared_ptr<const MarkerTake> take,
    std::shared_ptr<const figure::Motion> motion,
    std::shared_ptr<const figure::FigureModel> figure) {
  return std::make_unique<MarkerErrorShow>(std::move(take), std::move(motion),
                                           std::move(figure));
}

std::unique_ptr<Show> ShowTake(std::shared_ptr<const MarkerTake> take) {
  return std::make_unique<TakeShow>(std::move(take));
}

}  // namespace limber::viewer
