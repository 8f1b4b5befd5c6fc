// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "dynamics/constraints/align.h"
#include "dynamics/constraints/point_to_point.h"
#include "figure/dynamic/stage.h"

namespace limber::figure {

/// Leads a point of a segment to a point of the world that may move, by three
/// rows of bounded force; the error dies away with `time_constant`, as (1) of
/// `AngleServo`. The limb gives way as far as its own strength lets it.
class PointAt : public Goal {
 public:
  /// @param target  p_WT at a time [m]. One that rides on a body may leave the
  ///                time aside and read the world as it is: its motion is then
  ///                taken from step to step.
  PointAt(Stage& stage, dynamics::BodyId body, const Vector3& p_BA,
          std::function<Vector3(double time)> target);

  double time_constant = 0.05;  ///< [s]
  double max_pull = 0.2;        ///< Farther errors pull no harder [m].
  /// Per axis of the world [N]; 0 lets go.
  void set_max_force(double newton);
  double max_force() const { return nail_->settings().hi; }
  /// Switched off it costs nothing and remembers nothing.
  void set_enabled(bool enabled);
  /// How far the point is from its target now [m].
  double Distance(const Stage& stage) const;
  /// p_WT; of a target that rides on a body, where it is now [m].
  Vector3 Target(double time) const { return target_(time); }
  const dynamics::Constraint& constraint() const { return *nail_; }

  void BeforeStep(Stage& stage, double h) override;

 private:
  dynamics::BodyId body_;
  Vector3 p_BA_;
  std::function<Vector3(double time)> target_;
  dynamics::PointNail* nail_;
  /// A step ago: the target, and the point's distance from it.
  std::optional<Vector3> last_target_;
  Vector3 last_error_ = Vector3::Zero();
};

/// Holds a segment, place and rotation, where it is told to be, step by step,
/// by six rows of bounded force, a little soft, so that a foot can be held on
/// a floor and by its leg at the same time.
class HoldSegment : public Goal {
 public:
  /// @param wanted  X_WB at the end of the step that begins at `time`.
  /// @param max_force   per axis of the world [N].
  /// @param max_torque  [N m].
  HoldSegment(Stage& stage, dynamics::BodyId body, const Vector3& p_BC,
              std::function<Transform(double time)> wanted, double max_force,
              double max_torque);

  /// Switched off it costs nothing.
  void set_enabled(bool enabled);
  /// Sizes of the force and torque of the last step of `h` seconds [N, N m].
  double Force(double h) const;
  double Torque(double h) const;

  void BeforeStep(Stage& stage, double h) override;

 private:
  Vector3 p_BC_;
  std::function<Transform(double time)> wanted_;
  dynamics::PointNail* nail_;
  dynamics::AlignOrientation* turn_;
};

/// Trajectory control: markers on segments, pulled to recorded positions by
/// springs and dampers; a marker without a position is left alone.
class MarkerPull : public Goal {
 public:
  struct Marker {
    dynamics::BodyId body;
    Vector3 p_BA = Vector3::Zero();  ///< On the body [m].
  };
  /// Where marker `index` is at `time`; nothing while it is hidden.
  using Track = std::function<std::optional<Vector3>(int index, double time)>;

  /// @param stiffness  of each marker [N/m]; the damping is critical for
  ///                   `carried_mass` kg.
  MarkerPull(Stage& stage, std::vector<Marker> markers, Track track,
             double stiffness, double carried_mass = 1.0);

  int num_markers() const { return static_cast<int>(markers_.size()); }
  /// Distances of the markers that are seen now [m].
  std::vector<double> Distances(const Stage& stage) const;

  void BeforeStep(Stage& stage, double h) override;

 private:
  struct Pulled {
    Marker marker;
    /// Read by the constraint's path; at a fixed address.
    std::unique_ptr<dynamics::PointOnPath::Sample> sample;
    std::unique_ptr<double> since;
    dynamics::PointOnPath* constraint = nullptr;
  };
  std::vector<Pulled> markers_;
  Track track_;
};

}  // namespace limber::figure
