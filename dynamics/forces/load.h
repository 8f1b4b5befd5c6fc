// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "dynamics/constraints/body_point.h"
#include "dynamics/force.h"

namespace limber::dynamics {

/// A force at a point of a body and a torque on it, in world axes, as given
/// functions of time: thrusts, motors without feedback, loads.
class Load : public Force {
 public:
  using Trajectory = std::function<Vector3(double time)>;

  /// Constant.
  Load(const BodyPoint& point, const Vector3& f_W,
       const Vector3& t_W = Vector3::Zero());
  /// An empty function stands for zero.
  /// @throws std::invalid_argument for the ground.
  Load(const BodyPoint& point, Trajectory f_W, Trajectory t_W);

  void AddForces(BodyMotions bodies, double time, double h,
                 ForceBuffer& forces) override;

 private:
  BodyPoint point_;
  Trajectory f_W_;
  Trajectory t_W_;
};

/// A uniform field that pulls at a charge (a mass, if it is an acceleration) of
/// each body given, at its mass centre: f = charge field. (The gravity that all
/// bodies feel is a setting of the World.)
class UniformField : public Force {
 public:
  struct Charge {
    BodyId body;
    double charge = 1.0;
  };
  UniformField(std::vector<Charge> charges, const Vector3& field_W);
  void set_field(const Vector3& field_W) { field_W_ = field_W; }
  void AddForces(BodyMotions bodies, double time, double h,
                 ForceBuffer& forces) override;

 private:
  std::vector<Charge> charges_;
  Vector3 field_W_;
};

}  // namespace limber::dynamics
