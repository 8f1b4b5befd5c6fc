// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/forces/load.h"

#include <utility>

#include "dynamics/internal/arguments.h"

namespace limber::dynamics {

Load::Load(const BodyPoint& point, const Vector3& f_W, const Vector3& t_W)
    : Load(
          point, [f_W](double) { return f_W; }, [t_W](double) { return t_W; }) {
}

Load::Load(const BodyPoint& point, Trajectory f_W, Trajectory t_W)
    : point_(point), f_W_(std::move(f_W)), t_W_(std::move(t_W)) {
  RequireTwoBodies(point.body, kGround, "Load: the body and the ground");
}

void Load::AddForces(BodyMotions /*bodies*/, double time, double /*h*/,
                     ForceBuffer& forces) {
  if (f_W_) forces.AddForce(point_.body, point_.p_BA, f_W_(time));
  if (t_W_) forces.AddTorque(point_.body, t_W_(time));
}

UniformField::UniformField(std::vector<Charge> charges, const Vector3& field_W)
    : charges_(std::move(charges)), field_W_(field_W) {
  for (const Charge& charge : charges_) {
    RequireTwoBodies(charge.body, kGround,
                     "UniformField: the body and the ground");
    RequireFinite(charge.charge, "UniformField: charge");
  }
}

void UniformField::AddForces(BodyMotions bodies, double /*time*/, double /*h*/,
                             ForceBuffer& forces) {
  for (const Charge& charge : charges_) {
    const BodyMotion& body = MotionOf(bodies, charge.body);
    const Vector3 p_BC = body.R_WB.transpose() * (body.p_WC - body.p_WB);
    forces.AddForce(charge.body, p_BC, charge.charge * field_W_);
  }
}

}  // namespace limber::dynamics
