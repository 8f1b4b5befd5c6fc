// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "figure/dynamic/edit.h"
#include "figure/dynamic/stage.h"
#include "figure/smooth_motion.h"

namespace limber::figure::internal {

/// The segments in the world, X_WB, of poses relative to their parents.
void PlaceSegments(const ArticulatedFigure& figure, const SegmentPose& X_PB,
                   std::vector<Transform>& X_WB);

/// Plays a clip that may have been moved over the ground: the root's path is
/// X_T times the clip's, raised by `lift` at each place.
class EditTask : public AnimationController {
 public:
  using AnimationController::AnimationController;

  const Transform& X_T() const { return X_T_; }
  void set_X_T(const Transform& X_T) { X_T_ = X_T; }
  /// The floor's height at a place less that of the clip's floor [m].
  void set_rise(std::function<double(const Vector3& p_W)> rise) {
    rise_ = std::move(rise);
  }
  /// How far above the clip the root is wanted, so that limbs come free [m].
  double hover() const { return hover_; }
  void set_hover(double hover) { hover_ = hover; }

  void Reference(const ArticulatedFigure& figure, double time,
                 SegmentPose& X_PB) override;

 private:
  Transform X_T_;
  double hover_ = 0.0;
  std::function<double(const Vector3&)> rise_;
};

/// One playing of a clip by the figure, on its own feet or held by its root.
///
/// The floor under a foot moves as the foot of the clip does while it touches:
/// recorded feet slide, and a foot that sticks would drag the figure off its
/// path or need help of the root.
class Playing {
 public:
  /// @param reference  as `PlayableClip` makes it.
  /// @param floor      height of the floor, if there is one [m].
  Playing(std::shared_ptr<const SmoothMotion> reference,
          const std::shared_ptr<const FigureModel>& model, double floor,
          const EditSettings& settings, bool touches);

  Stage& stage() { return stage_; }
  const Stage& stage() const { return stage_; }
  Performer& performer() { return *performer_; }
  const ArticulatedFigure& figure() const { return performer_->figure(); }
  EditTask& task() { return *task_; }
  double floor() const { return floor_; }
  const dynamics::BodyMotion& motion(int segment) const {
    return stage_.world().motion(figure().body(segment));
  }

  /// @throws std::runtime_error if the motion does not stay finite, or a
  ///         segment gets faster than 10 km/s.
  void Step();

  /// How much more than usual the root helps, 0 to 1: at 1 it can lift the
  /// figure from the floor.
  void SetLift(double share);
  double lift() const { return lift_; }
  /// Tilts and raises the floor in `duration` seconds about the ground below
  /// the root.
  void MoveFloor(const Vector3& normal, double rise, double duration);
  /// The floor now: it is the plane y = 0 of this frame.
  Transform X_WFloor() const;
  /// The floor's height at a place [m].
  double FloorAt(const Vector3& p_W) const;
  /// Puts the bodies where those of `other` are, moved by X_T.
  void Follow(const Playing& other, const Transform& X_T);

  /// Deepest overlap with ground and obstacles so far [m].
  double deepest() const { return deepest_; }

 private:
  void SlideFloor();
  void NoteOverlap();

  Stage stage_;
  std::shared_ptr<EditTask> task_;
  Performer* performer_ = nullptr;
  double floor_ = 0.0;
  double deepest_ = 0.0;
  double lift_ = 0.0;
  RootServo at_rest_;
  dynamics::ContactSurface surface_;
  std::vector<std::vector<dynamics::ColliderId>> colliders_;  ///< By segment.
  std::vector<Vector3> slides_;                               ///< Set last.
  std::vector<Transform> X_WB_now_, X_WB_after_;              ///< Scratch.
  std::vector<int> segment_of_body_;
  dynamics::ColliderId floor_id_;
  dynamics::BodyId floor_body_ = dynamics::kGround;
};

}  // namespace limber::figure::internal
