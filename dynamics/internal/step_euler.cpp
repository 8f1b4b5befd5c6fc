// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/index.h"
#include "dynamics/internal/drive_friction.h"
#include "dynamics/internal/leapfrog.h"

namespace limber::dynamics::internal {

namespace {

// Velocities without constraints, and room for the changes.
void SetFreeMotion(Data& data, double h) {
  data.free_motion.resize(data.bodies.size());
  data.change.resize(data.bodies.size());
  for (std::size_t b = 0; b < data.bodies.size(); ++b) {
    const Body& body = data.bodies[b];
    data.free_motion[b] =
        body.dynamic() ? FreeMotion(data, body, h) : Twist{body.v, body.w};
  }
}

double Rate(const Data& data, int row) {
  return data.rows.Speed(row, data.motions) + data.rows.row(row).rate_bias;
}

void AddFrictions(Data& data, const Island& island, double h) {
  for (const int k : island.constraints) {
    const auto [first, count] = data.row_range[Index(k)];
    AddFrictionToRows(data, *data.constraints[Index(k)], first, count, h);
  }
}

}  // namespace

void StepEuler(Data& data, double h) {
  CollectForces(data, h);
  SetFreeMotion(data, h);
  data.energy_bank.resize(data.bodies.size(), 0.0);
  data.given_energy.resize(data.bodies.size(), 0.0);
  data.rows.Clear();
  for (int n = 0; n < data.num_islands; ++n) {
    Island& island = data.islands[Index(n)];
    AddIslandRows(data, island);
    for (int r = island.first_row; r < island.first_row + island.num_rows;
         ++r) {
      data.targets[Index(r)] = TargetOf(data.rows.row(r), Rate(data, r),
                                        CoastingAcceleration(data, r), h);
    }
    AddFrictions(data, island, h);
    SolveIsland(data, island, data.free_motion, false, data.change);
    for (const int b : island.bodies) {
      Body& body = data.bodies[Index(b)];
      // L rather than w is kept, so that no gyroscopic term is needed:
      // L+ = L + h t + (J^T lambda), and W (J^T lambda) is the change of w.
      body.v = data.free_motion[Index(b)].linear + data.change[Index(b)].linear;
      body.L += h * body.flow.Admissible(body.q_WC, body.torque);
    }
    for (int i = 0; i < island.num_rows; ++i) {
      for (const RowBuffer::Entry& entry :
           data.rows.entries(island.first_row + i)) {
        Body& body = data.bodies[Index(entry.body)];
        if (body.dynamic()) body.L += data.lambda[i] * entry.angular;
      }
    }
    // A rod of no thickness takes no torque about itself. Where nothing holds
    // the island the others take it.
    Vector3 missing = Vector3::Zero();
    for (const int b : island.bodies) {
      Body& body = data.bodies[Index(b)];
      const Vector3 L = body.flow.Admissible(body.q_WC, body.L);
      missing += body.L - L;
      body.L = L;
      body.v *= std::exp(-body.linear_damping * h);
      body.L *= std::exp(-body.angular_damping * h);
    }
    island.free = IsFree(data, island);
    if (!missing.isZero(0.0) && island.free) {
      GiveMomentum(data, island, {Vec{}, ToVec(missing)}, false);
    }
    StoreImpulses(data, island, data.lambda);
  }
  data.report.num_rows = data.rows.size();
  Drift(data, h);
  for (int n = 0; n < data.num_islands && !data.shared.force_rows.empty();
       ++n) {
    CloseAll(data, data.islands[Index(n)], Closes::kSprings, h);
  }
  data.has_at_kick = false;
}

// [Hong et al.] With J V_h = -2 C/h - dC/dt at the half step,
//
//     V_h = V + h/2 W f + W J(q)^T l ,      q+ = q + h V_h
//     V+  = V + h W f + 2 W J(q_h)^T l ,    q_h = q + h/2 V_h
//
// and then, unless switched off, J(q+) V+ = -dC/dt by a projection.
void StepImprovedImplicit(Data& data, double h) {
  CollectForces(data, h);
  SetFreeMotion(data, h / 2);
  data.rows.Clear();
  for (int n = 0; n < data.num_islands; ++n) {
    Island& island = data.islands[Index(n)];
    AddIslandRows(data, island);
    for (int r = island.first_row; r < island.first_row + island.num_rows;
         ++r) {
      data.targets[Index(r)] = TargetOf(data.rows.row(r), Rate(data, r),
                                        CoastingAcceleration(data, r), h / 2);
    }
    AddFrictions(data, island, h / 2);
    SolveIsland(data, island, data.free_motion, false, data.change);
    StoreImpulses(data, island, data.lambda);
    for (const int b : island.bodies) {
      data.free_motion[Index(b)].linear += data.change[Index(b)].linear;
      data.free_motion[Index(b)].angular += data.change[Index(b)].angular;
    }
  }
  data.report.num_rows = data.rows.size();

  // To the half step, where the rows point in their new directions.
  const auto move = [&data](double time) {
    for (std::size_t b = 0; b < data.bodies.size(); ++b) {
      Body& body = data.bodies[b];
      if (body.removed || body.kind == BodyKind::kFixed) continue;
      const Twist& V = data.free_motion[b];
      body.p_WC += time * V.linear;
      body.q_WC = (ExpRotation(time * V.angular) * body.q_WC).normalized();
    }
  };
  move(h / 2);
  for (Body& body : data.bodies) {
    if (!body.dynamic()) continue;
    body.v += h * (data.settings.gravity + body.inverse_mass * body.force);
    body.L += h * body.torque;
  }
  const double start_time = data.time;
  data.time += h / 2;
  RefreshAll(data);
  data.rows.Clear();
  for (int n = 0; n < data.num_islands; ++n) {
    Island& island = data.islands[Index(n)];
    AddIslandRows(data, island);
    for (const int k : island.constraints) {
      const auto [first, count] = data.row_range[Index(k)];
      std::vector<double>& impulses =
          ConstraintAccess::impulses(*data.constraints[Index(k)]);
      for (int i = 0; i < count && Index(i) < impulses.size(); ++i) {
        impulses[Index(i)] *= 2.0;
        for (const RowBuffer::Entry& entry : data.rows.entries(first + i)) {
          Body& body = data.bodies[Index(entry.body)];
          if (!body.dynamic()) continue;
          body.v += impulses[Index(i)] * body.inverse_mass * entry.linear;
          body.L += impulses[Index(i)] * entry.angular;
        }
      }
    }
  }
  move(h / 2);
  data.time = start_time;
  data.has_at_kick = false;
}

}  // namespace limber::dynamics::internal
