// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "figure/pose.h"
#include "viewer/internal/figure_parts.h"
#include "viewer/internal/glyphs.h"
#include "viewer/show.h"

namespace limber::viewer {

namespace {

using figure::FigureModel;
using figure::Motion;
using internal::FigureParts;

class ClipShow final : public Show {
 public:
  ClipShow(std::shared_ptr<const Motion> motion,
           std::shared_ptr<const FigureModel> figure, const ClipLook& look)
      : motion_(std::move(motion)),
        figure_(std::move(figure)),
        look_(look),
        parts_(internal::MakeFigureParts(*figure_, look.ghost)),
        trail_segments_(internal::TrailSegments(*figure_)) {}

  const std::vector<Part>& parts() const override { return parts_.parts; }
  double duration() const override { return motion_->duration(); }

  void Draw(double time, Picture& picture) override {
    if (layers().trails) DrawTrails(time, picture);
    SetTime(time);
    for (std::size_t i = 0; i < parts_.parts.size(); ++i) {
      const FigureParts::Placed& placed = parts_.placed[i];
      picture.poses.push_back(
          parts_.IsSeen(i, layers().bones)
              ? Shifted(X_WJ_[static_cast<std::size_t>(placed.joint)] *
                        placed.X_JS)
              : kHidden);
    }
    if (layers().mass_centre && !figure_->segments.empty()) {
      const Vector3 c =
          internal::MassCentre(*figure_, SegmentPoses()) + look_.shift;
      internal::AddCross(c, 0.06, palette::kMassCentre, picture.lines);
      picture.lines.push_back(
          {c, Vector3(c.x(), 0.0, c.z()), palette::kMassCentre, true});
    }
  }

  Vector3 Centre(double time) override {
    SetTime(time);
    Vector3 lowest = X_WJ_.front().p;
    Vector3 highest = lowest;
    for (const Transform& X : X_WJ_) {
      lowest = lowest.cwiseMin(X.p);
      highest = highest.cwiseMax(X.p);
    }
    return 0.5 * (lowest + highest) + look_.shift;
  }

  double Radius() override {
    return std::max(0.1, 0.6 * figure::RestExtent(motion_->skeleton()).norm());
  }

 private:
  void SetTime(double time) {
    const figure::Pose pose =
        motion_->Sample(std::clamp(time, 0.0, motion_->duration()));
    figure::WorldTransforms(motion_->skeleton(), pose, X_WJ_);
  }

  Transform Shifted(Transform X) const {
    X.p += look_.shift;
    return X;
  }

  std::vector<Transform> SegmentPoses() const {
    std::vector<Transform> X_WB;
    for (const figure::FigureSegment& segment : figure_->segments) {
      X_WB.push_back(X_WJ_[static_cast<std::size_t>(segment.joint)]);
    }
    return X_WB;
  }

  void DrawTrails(double time, Picture& picture) {
    constexpr double kLength = 1.0;       // [s]
    constexpr double kStep = 1.0 / 60.0;  // [s]
    std::vector<std::vector<Vector3>> paths(trail_segments_.size());
    for (double back = std::min(kLength, time); back > -0.5 * kStep;
         back -= kStep) {
      SetTime(time - back);
      for (std::size_t i = 0; i < paths.size(); ++i) {
        const figure::FigureSegment& segment =
            figure_->segments[static_cast<std::size_t>(trail_segments_[i])];
        paths[i].push_back(X_WJ_[static_cast<std::size_t>(segment.joint)] *
                               segment.p_JC +
                           look_.shift);
      }
    }
    for (const std::vector<Vector3>& path : paths) {
      internal::AddPath(path, palette::kTrail, picture.lines);
    }
  }

  std::shared_ptr<const Motion> motion_;
  std::shared_ptr<const FigureModel> figure_;
  ClipLook look_;
  FigureParts parts_;
  std::vector<int> trail_segments_;
  std::vector<Transform> X_WJ_;
};

}  // namespace

std::unique_ptr<Show> ShowClip(std::shared_ptr<const Motion> motion,
                               std::shared_ptr<const FigureModel> figure,
                               const ClipLook& look) {
  return std::make_unique<ClipShow>(std::move(motion), std::move(figure), look);
}

}  // namespace limber::viewer
