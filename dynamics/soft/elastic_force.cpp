// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/soft/elastic_force.h"

#include "core/index.h"

namespace limber::dynamics {

double ElasticForce::Energy(BodyMotions bodies) const {
  return MeanEnergy(bodies, 0.0);
}

double ElasticForce::MeanEnergy(BodyMotions bodies, double h) const {
  std::vector<Vector3> x;
  x.reserve(nodes_.size());
  for (const BodyId node : nodes_) {
    const BodyMotion& motion = bodies[Index(node.value)];
    x.push_back(motion.p_WC - 0.5 * h * motion.v_WC);
  }
  return Energy(x);
}

void ElasticForce::AddForces(BodyMotions bodies, double /*time*/, double h,
                             ForceBuffer& forces) {
  // Where the nodes are, and for dampers where they were.
  std::vector<Vector3> x0, x1;
  for (const BodyId node : nodes_) {
    const BodyMotion& motion = bodies[Index(node.value)];
    x0.push_back(motion.p_WC - 0.5 * h * motion.v_WC);
    x1.push_back(motion.p_WC + 0.5 * h * motion.v_WC);
  }
  std::vector<Vector3> f(nodes_.size(), Vector3::Zero());
  AddKick(x0, x1, h, f);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const BodyMotion& motion = bodies[Index(nodes_[i].value)];
    const Vector3 p_BC = motion.R_WB.transpose() * (motion.p_WC - motion.p_WB);
    forces.AddForce(nodes_[i], p_BC, f[i]);
  }
}

}  // namespace limber::dynamics
