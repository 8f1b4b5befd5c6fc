// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "figure/body_plan.h"
#include "figure/joint_names.h"
#include "figure/pose.h"
#include "figure/stance_metrics.h"
#include "figure/working_rig.h"
#include "viewer/internal/figure_parts.h"
#include "viewer/internal/glyphs.h"
#include "viewer/show.h"

namespace limber::viewer {

namespace {

using figure::FigureModel;
using figure::Motion;
using internal::FigureParts;

/// The joints that the camera keeps in view: those of the body, from the pelvis
/// on. A root above it may stay behind where the clip began, and so may the
/// handles of a rig. All joints where there is no human body.
std::vector<int> JointsInView(const figure::Skeleton& skeleton) {
  const std::vector<figure::Role> roles = figure::RecogniseRoles(skeleton);
  const int pelvis = figure::IsHumanoid(roles)
                         ? figure::FindRole(roles, figure::Role::kPelvis)
                         : -1;
  std::vector<int> joints;
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    if (pelvis < 0 || figure::IsAbove(skeleton, pelvis, joint)) {
      joints.push_back(joint);
    }
  }
  return joints;
}

class ClipShow final : public Show {
 public:
  ClipShow(std::shared_ptr<const Motion> motion,
           std::shared_ptr<const FigureModel> figure, const ClipLook& look)
      : motion_(std::move(motion)),
        figure_(std::move(figure)),
        look_(look),
        parts_(internal::MakeFigureParts(*figure_, look.ghost)),
        trail_segments_(internal::TrailSegments(*figure_)),
        in_view_(JointsInView(motion_->skeleton())) {}

  const std::vector<Part>& parts() const override { return parts_.parts; }
  double duration() const override { return motion_->duration(); }
  double rate_hz() const override { return motion_->rate_hz(); }

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
    if (layers().contacts) DrawStances(time, picture);
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
    Vector3 lowest = X_WJ_[static_cast<std::size_t>(in_view_.front())].p;
    Vector3 highest = lowest;
    for (const int joint : in_view_) {
      const Vector3& p = X_WJ_[static_cast<std::size_t>(joint)].p;
      lowest = lowest.cwiseMin(p);
      highest = highest.cwiseMax(p);
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

  /// Where toes and heels stand, by the definition of the reports.
  void DrawStances(double time, Picture& picture) {
    if (!has_looked_for_stances_) FindStances();
    const auto frame = static_cast<std::size_t>(std::lround(
        std::clamp(time, 0.0, motion_->duration()) * motion_->rate_hz()));
    for (const Standing& standing : stances_) {
      if (time < standing.begin || time > standing.end) continue;
      picture.signs.push_back(
          {Sign::Kind::kTouch, (*standing.places)[frame] + look_.shift,
           Vector3::Zero(), palette::kSticking, true, standing.foot});
    }
  }

  void FindStances() {
    has_looked_for_stances_ = true;
    if (motion_->num_frames() == 0) return;
    const std::vector<figure::Role> roles =
        figure::RecogniseRoles(motion_->skeleton());
    if (!figure::IsHumanoid(roles)) return;
    const figure::WorkingRig rig = figure::MakeWorkingRig(*motion_, roles);
    const auto plan = figure::MakeBodyPlan(*rig.skeleton, roles);
    if (!plan) return;
    tracks_ = figure::TrackClip(figure::ToWorking(rig, *motion_), *plan);
    const figure::StanceRule rule;
    for (const figure::FootPoint point :
         {figure::FootPoint::kToe, figure::FootPoint::kHeel}) {
      const bool is_toe = point == figure::FootPoint::kToe;
      for (const figure::Stance& stance :
           figure::FindStances(tracks_, point, rule)) {
        const figure::FootTrack& foot =
            tracks_.feet[static_cast<std::size_t>(stance.side)];
        stances_.push_back(
            {stance.begin,
             stance.begin + stance.num_steps / rule.sample_rate_hz,
             is_toe ? &foot.toe : &foot.heel, 2 * stance.side + is_toe});
      }
    }
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
  std::vector<int> in_view_;  ///< Joints.
  std::vector<Transform> X_WJ_;
  /// A point of a foot that stands.
  struct Standing {
    double begin = 0.0;                            ///< [s]
    double end = 0.0;                              ///< [s]
    const std::vector<Vector3>* places = nullptr;  ///< By frame.
    int foot = 0;                                  ///< Which of the four.
  };
  bool has_looked_for_stances_ = false;
  figure::ClipTracks tracks_;
  std::vector<Standing> stances_;
};

}  // namespace

std::unique_ptr<Show> ShowClip(std::shared_ptr<const Motion> motion,
                               std::shared_ptr<const FigureModel> figure,
                               const ClipLook& look) {
  return std::make_unique<ClipShow>(std::move(motion), std::move(figure), look);
}

}  // namespace limber::viewer
