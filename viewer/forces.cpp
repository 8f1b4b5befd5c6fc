// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/forces.h"

#include <algorithm>
#include <cmath>

#include "dynamics/row.h"

namespace limber::viewer {

using dynamics::BodyId;

double RoundForceScale(double force, double length) {
  const double exact = force / length;
  const double decade = std::pow(10.0, std::floor(std::log10(exact)));
  const double digit = exact / decade;
  // The border between two numbers is where both change the length alike.
  const double round = digit < std::sqrt(2.0)    ? 1.0
                       : digit < std::sqrt(10.0) ? 2.0
                       : digit < std::sqrt(50.0) ? 5.0
                                                 : 10.0;
  return 1.0 / (round * decade);
}

std::vector<ForceOnBody> ConstraintForces(
    const dynamics::World& world, const dynamics::Constraint& constraint,
    double h) {
  std::vector<ForceOnBody> forces;
  if (!constraint.enabled() || constraint.impulses().empty()) return forces;
  dynamics::RowBuffer rows;
  constraint.AddRows(world.motions(), world.time(), rows);
  const int num_rows =
      std::min(rows.size(), static_cast<int>(constraint.impulses().size()));
  for (int r = 0; r < num_rows; ++r) {
    const double size = constraint.impulses()[static_cast<std::size_t>(r)] / h;
    for (const dynamics::RowBuffer::Entry& entry : rows.entries(r)) {
      const BodyId body{entry.body};
      auto on = std::ranges::find(forces, body, &ForceOnBody::body);
      if (on == forces.end()) {
        on = forces.insert(on, ForceOnBody{});
        on->body = body;
      }
      on->force += size * entry.linear;
      on->torque += size * entry.angular;
    }
  }
  // Rows that hold a body in the world do not name the ground.
  const bool grounded = std::ranges::find(forces, dynamics::kGround,
                                          &ForceOnBody::body) != forces.end();
  const bool on_one_body = forces.size() == 1 && !grounded;
  const BodyId first =
      grounded ? dynamics::kGround : constraint.bodies().front();
  for (ForceOnBody& on : forces) {
    on.reaction = forces.size() > 1 && on.body == first;
    // From the mass centre to the line of action.
    on.p_W = world.motion(on.body).p_WC;
    const double square = on.force.squaredNorm();
    if (square > 0.0) {
      on.p_W += on.force.cross(on.torque) / square;
      on.torque = on.force * (on.force.dot(on.torque) / square);
    }
  }
  if (on_one_body) {
    ForceOnBody ground = forces.front();
    ground.body = dynamics::kGround;
    ground.force = -ground.force;
    ground.torque = -ground.torque;
    ground.reaction = true;
    forces.push_back(ground);
  }
  return forces;
}

}  // namespace limber::viewer
