// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "dynamics/joints/free_joint.h"
#include "dynamics/world.h"
#include "figure/figure_model.h"
#include "figure/motion.h"

namespace limber::figure {

/// A pose by segments: where each segment B is in its parent segment P, both
/// frames at the segments' joints; for a root in the world. What a `Pose` says
/// about welded joints is folded into the segments they carry.
using SegmentPose = std::vector<Transform>;

/// Velocity of a segment's mass centre and its angular velocity, world axes.
struct SegmentVelocity {
  Vector3 v_WC = Vector3::Zero();  ///< [m/s]
  Vector3 w_WB = Vector3::Zero();  ///< [rad/s]
};

/// What of a pose the figure's joints cannot take up.
struct PoseLoss {
  double angle = 0.0;     ///< Largest, of hinges and universal joints [rad].
  double distance = 0.0;  ///< Largest, of joints that should not slide [m].
};

struct FigureBuildOptions {
  bool limits = true;  ///< Joint limits of the model.
};

/// A `FigureModel` in a world: one body per segment, whose frame is that of the
/// segment's joint J; each joint with its limits; each root on a free joint to
/// the ground, all six directions of which can be driven. Motors are off until
/// a controller sets them. Bodies and joints belong to the world, which must
/// outlive the figure and is passed to every call that reads or changes it.
class ArticulatedFigure {
 public:
  /// @throws std::invalid_argument as `CheckFigure`, or if the pose has another
  ///         number of joints.
  ArticulatedFigure(dynamics::World& world,
                    std::shared_ptr<const FigureModel> model, const Pose& pose,
                    const FigureBuildOptions& options = {});

  const FigureModel& model() const { return *model_; }
  const std::shared_ptr<const FigureModel>& shared_model() const {
    return model_;
  }
  int num_segments() const { return model_->num_segments(); }
  const FigureSegment& segment(int s) const {
    return model_->segments[static_cast<std::size_t>(s)];
  }
  dynamics::BodyId body(int s) const {
    return bodies_[static_cast<std::size_t>(s)];
  }
  /// The joint to the parent segment; of a root the free joint to the ground,
  /// whose frames are the world's and the body's.
  dynamics::Joint& joint(int s) const {
    return *joints_[static_cast<std::size_t>(s)];
  }
  bool is_root(int s) const { return segment(s).parent < 0; }
  double weight(const dynamics::World& world) const;  ///< m |g| [N].

  /// Poses by joint and by segment. `Split` keeps what the model's anchors can
  /// take up, and says what they cannot; `Join` is its inverse on such poses.
  PoseLoss Split(const Pose& pose, SegmentPose& X_PB) const;
  void Join(const SegmentPose& X_PB, Pose& pose) const;

  /// Puts the bodies into a pose; they come to rest.
  PoseLoss SetPose(dynamics::World& world, const Pose& pose) const;
  /// Gives the bodies velocities, one per segment.
  void SetVelocities(dynamics::World& world,
                     std::span<const SegmentVelocity> velocities) const;
  /// Velocities of the bodies on the way from pose `a` to pose `b` in `dt`
  /// seconds: those of a moment in the middle, to second order.
  std::vector<SegmentVelocity> VelocitiesBetween(const Pose& a, const Pose& b,
                                                 double dt) const;

  /// The pose the bodies are in now. Bones keep their length: translations are
  /// read from roots alone; `Dislocation` says what that leaves out.
  void ReadPose(const dynamics::World& world, SegmentPose& X_PB) const;
  Pose ReadPose(const dynamics::World& world) const;
  /// Largest distance between the two sides of a joint [m].
  double Dislocation(const dynamics::World& world) const;
  /// Whether every body's pose and velocity is a number.
  bool IsFinite(const dynamics::World& world) const;

 private:
  void AddBodies(dynamics::World& world, const std::vector<Transform>& X_WB);
  void AddJoints(dynamics::World& world, const FigureBuildOptions& options);
  void PlaceBodies(const SegmentPose& X_PB, std::vector<Transform>& X_WB) const;

  std::shared_ptr<const FigureModel> model_;
  std::vector<dynamics::BodyId> bodies_;
  std::vector<dynamics::Joint*> joints_;
  /// Where joint J of a segment lies in its parent segment [m].
  std::vector<Vector3> p_PJ_;
};

}  // namespace limber::figure
