// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/constraints/body_point.h"
#include "dynamics/force.h"

namespace limber::dynamics {

/// f_W on B at its point, -f_W on A at its own; nothing on the ground.
inline void AddPairForce(const BodyPoint& a, const BodyPoint& b,
                         const Vector3& f_W, ForceBuffer& forces) {
  if (a.body != kGround) forces.AddForce(a.body, a.p_BA, -f_W);
  if (b.body != kGround) forces.AddForce(b.body, b.p_BA, f_W);
}

/// t_W on `body`, -t_W on `reaction`; nothing on the ground.
inline void AddPairTorque(BodyId reaction, BodyId body, const Vector3& t_W,
                          ForceBuffer& forces) {
  if (reaction != kGround) forces.AddTorque(reaction, -t_W);
  if (body != kGround) forces.AddTorque(body, t_W);
}

}  // namespace limber::dynamics
