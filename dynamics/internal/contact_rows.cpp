// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "dynamics/internal/tolerances.h"
#include "dynamics/internal/world_data.h"

// Rows of the contacts. docs/contact_world.md, section "Rows".

namespace limber::dynamics::internal {

namespace {

Vec Normalised(const Vec& a) { return (1.0 / std::sqrt(Dot(a, a))) * a; }

Vec PointSpeed(const Vec& v, const Vec& w, const Vec& arm) {
  return v + Cross(w, arm);
}

// J W J^T of row k.
double Response(const Data& data, const Touch& touch, int k) {
  double response = 0.0;
  for (int side = 0; side < 2; ++side) {
    if (!(side == 1 ? touch.dynamic_b : touch.dynamic_a)) continue;
    const Body& body =
        data.bodies[Index(side == 1 ? touch.body_b : touch.body_a)];
    Vec linear, angular;
    touch.Jacobian(k, side, linear, angular);
    response += body.inverse_mass * Dot(linear, linear) +
                Dot(angular, ToVec(body.inverse_inertia_W * ToEigen(angular)));
  }
  return response;
}

void ReadSurfaces(const Data& data, Touch& touch) {
  const Collider& a = data.contacts.colliders[Index(touch.collider_a)];
  const Collider& b = data.contacts.colliders[Index(touch.collider_b)];
  const ContactSurface& s = a.surface;
  const ContactSurface& t = b.surface;
  touch.static_friction = std::sqrt(s.static_friction * t.static_friction);
  touch.dynamic_friction = std::sqrt(s.dynamic_friction * t.dynamic_friction);
  touch.restitution = 0.5 * (s.restitution + t.restitution);
  touch.restitution_speed = std::max(s.restitution_speed, t.restitution_speed);
  touch.torsional_radius = std::max(s.torsional_radius, t.torsional_radius);
  touch.rolling_radius = std::max(s.rolling_radius, t.rolling_radius);
  touch.surface_velocity =
      ToVec(data.motions[Index(b.body)].R_WB * t.surface_velocity -
            data.motions[Index(a.body)].R_WB * s.surface_velocity);
}

// Relative velocity of b at the contact, with that of the surfaces.
Vec SlipOf(const Data& data, const Touch& touch) {
  const Body& a = data.bodies[Index(touch.body_a)];
  const Body& b = data.bodies[Index(touch.body_b)];
  return PointSpeed(ToVec(b.v), ToVec(b.w), touch.arm_b) -
         PointSpeed(ToVec(a.v), ToVec(a.w), touch.arm_a) +
         touch.surface_velocity;
}

// What the coming drift of h seconds changes about the velocity of the body at
// the contact, if it goes on as the last one did,
//
//     (v + w x r)' = w' x r + w x r' ,   I w' = L x w .
//
// The arm r turns with the body, or stays where the contact rolls over it. Arms
// and spins that turn too far in a step, or were set elsewhere, tell nothing.
Vec TurnOf(const Body& body, const Vec& arm, const Vec& last_arm, double last_h,
           double h) {
  const Vec turned = arm - last_arm;
  if (last_h <= 0.0 ||
      Dot(turned, turned) > kMostArmTurn * kMostArmTurn * Dot(arm, arm)) {
    return {};
  }
  const Vec w = ToVec(body.w);
  const Vec change = h * ToVec(body.inverse_inertia_W * body.L.cross(body.w));
  if (Dot(change, change) > kMostArmTurn * kMostArmTurn * Dot(w, w)) return {};
  return Cross(change, arm) + (h / last_h) * Cross(w, turned);
}

// The friction axes; returns the slip speed along the first, 0 if sticking.
double ChooseAxes(const Data& data, Touch& touch) {
  const Vec& n = touch.n;
  const Vec slip = SlipOf(data, touch);
  const Vec slide = slip - Dot(slip, n) * n;
  const double speed2 = Dot(slide, slide);
  if (touch.age == 0.0) touch.sliding = speed2 > kSlowSlip * kSlowSlip;
  double sliding_speed = 0.0;
  touch.t1 = ToVec(AnyPerpendicular(ToEigen(n)));
  if (data.settings.contact.friction_cone) {
    const Vec held = touch.friction - Dot(touch.friction, n) * n;
    if (speed2 > kSlowSlip * kSlowSlip) {
      sliding_speed = std::sqrt(speed2);
      touch.t1 = (1.0 / sliding_speed) * slide;
    } else if (Dot(held, held) > 1e-20) {
      touch.t1 = Normalised(held);
    }
  }
  touch.t2 = Cross(n, touch.t1);
  if (touch.rolling_radius == 0.0) return sliding_speed;
  // Rolling is resisted about the axis of rolling.
  const Vec spin = ToVec(data.bodies[Index(touch.body_b)].w -
                         data.bodies[Index(touch.body_a)].w);
  const Vec rolling = spin - Dot(spin, n) * n;
  touch.r1 = Dot(rolling, rolling) > kSlowSlip * kSlowSlip ? Normalised(rolling)
                                                           : touch.t1;
  touch.r2 = Cross(n, touch.r1);
  return sliding_speed;
}

// The second friction axis of a cone. While sliding, the friction impulse is
// opposite to the slip,
//
//     lambda_2 = -mu lambda_0 v_2 / |v| ,   a row of softness |v|/(mu lambda_0)
//
// while sticking, the first axis lies along the friction impulse, and what
// the cone leaves for the second is a chord.
void MakeCone(Touch& touch, double mu, double sliding_speed) {
  const double bound = mu * touch.bound;
  if (bound <= 0.0) return;
  if (sliding_speed > 0.0) {
    touch.s[2] += sliding_speed / bound;
    return;
  }
  const double used = std::min(1.0, std::abs(touch.lambda[1]) / bound);
  touch.c[2] *= std::max(kLeastChord, std::sqrt(1.0 - used * used));
}

}  // namespace

void PrepareContacts(Data& data, double kick, double h) {
  const ContactSettings& settings = data.settings.contact;
  const double scale = data.last_kick > 0.0 ? kick / data.last_kick : 0.0;
  const Vec gravity = ToVec(data.settings.gravity);
  for (Touch& touch : data.contacts.touches) {
    const Body& a = data.bodies[Index(touch.body_a)];
    const Body& b = data.bodies[Index(touch.body_b)];
    touch.arm_a = touch.p - ToVec(a.p_WC);
    touch.arm_b = touch.p - ToVec(b.p_WC);
    touch.push = 0.0;
    touch.bounced = false;
    ReadSurfaces(data, touch);
    const double sliding_speed = ChooseAxes(data, touch);

    // J V_free along the normal.
    const auto free_speed = [&](const Body& body, bool dynamic,
                                const Vec& arm) {
      Vec v = ToVec(body.v);
      Vec w = ToVec(body.w);
      if (dynamic) {
        v += kick * (gravity + body.inverse_mass * ToVec(body.force));
        w += kick * ToVec(body.inverse_inertia_W * body.torque);
      }
      return PointSpeed(v, w, arm);
    };
    const double approach =
        Dot(touch.n, free_speed(b, touch.dynamic_b, touch.arm_b) -
                         free_speed(a, touch.dynamic_a, touch.arm_a));
    const double response = Response(data, touch, 0);
    touch.response = response;
    // The room there is may be used up.
    touch.u[0] = -std::max(0.0, touch.distance) / h;
    touch.s[0] = settings.softness * response;
    touch.c[0] = 0.0;
    const double own =
        std::max(0.0, (touch.u[0] - approach) / (response + touch.s[0]));
    const bool met = touch.age > 0.0 && touch.lambda[0] > 0.0;
    const bool friction = touch.static_friction > 0.0 && (met || own > 0.0);
    const bool angular = friction && (touch.torsional_radius > 0.0 ||
                                      touch.rolling_radius > 0.0);
    touch.num_rows = angular ? 6 : friction ? 3 : 1;
    for (double& lambda : touch.lambda) lambda *= scale;
    touch.bound = met ? touch.lambda[0] : own;
    // What presses and sticks is to do so over the drift, not at its beginning.
    Vec turn;
    if (met && !touch.sliding && touch.dynamic_b) {
      turn += TurnOf(b, touch.arm_b, touch.last_arm_b, data.last_h, h);
    }
    if (met && !touch.sliding && touch.dynamic_a) {
      turn -= TurnOf(a, touch.arm_a, touch.last_arm_a, data.last_h, h);
    }
    const double memory = touch.age > kLasting ? kLastingMemory : kMemory;
    if (met) {
      touch.u[0] +=
          memory * touch.s[0] * touch.lambda[0] - 0.5 * Dot(touch.n, turn);
    }
    const Vec held = scale * touch.friction;
    touch.lambda[1] = Dot(held, touch.t1);
    touch.lambda[2] = Dot(held, touch.t2);
    if (!friction) continue;
    const double mu =
        touch.sliding ? touch.dynamic_friction : touch.static_friction;
    for (int k = 1; k < touch.num_rows; ++k) {
      const Vec d = touch.Direction(k);
      touch.s[k] =
          k < 3 ? touch.s[0] : settings.softness * Response(data, touch, k);
      touch.u[k] =
          k < 3 ? -Dot(d, touch.surface_velocity) - 0.5 * Dot(d, turn) : 0.0;
      if (!touch.sliding && touch.age > 0.0) {
        touch.u[k] += memory * touch.s[k] * touch.lambda[k];
      }
      touch.c[k] = k < 3    ? mu
                   : k == 3 ? mu * touch.torsional_radius
                            : touch.rolling_radius;
    }
    if (settings.friction_cone) MakeCone(touch, mu, sliding_speed);
  }
}

void AddContactRows(Data& data, Island& island) {
  island.first_contact_row = data.rows.size();
  for (const int t : island.touches) {
    const Touch& touch = data.contacts.touches[Index(t)];
    const int normal = data.rows.size();
    for (int k = 0; k < touch.num_rows; ++k) {
      RowSettings settings;
      settings.softness = touch.s[k];
      settings.stabilisation = Stabilisation::None();
      settings.angular = k >= 3;
      if (k == 0) settings.lo = 0.0;
      RowBuffer::Row& row =
          data.rows.Add(k == 0 ? touch.distance : 0.0, 0.0, 0.0, settings);
      if (k > 0) {
        row.normal_row = normal;
        row.friction = touch.c[k];
      }
      for (int side = 0; side < 2; ++side) {
        Vec linear, angular;
        touch.Jacobian(k, side, linear, angular);
        data.rows.Touch({side == 1 ? touch.body_b : touch.body_a},
                        ToEigen(linear), ToEigen(angular),
                        ToEigen(side == 1 ? touch.arm_b : touch.arm_a));
      }
    }
  }
  if (data.targets.size() < Index(data.rows.size())) {
    data.targets.resize(Index(data.rows.size()));
  }
  std::size_t r = Index(island.first_contact_row);
  for (const int t : island.touches) {
    const Touch& touch = data.contacts.touches[Index(t)];
    for (int k = 0; k < touch.num_rows; ++k) {
      data.targets[r++] = {touch.u[k], touch.s[k], k == 0 ? 0.0 : -kInfinity,
                           kInfinity};
    }
  }
}

void ReadContactStates(const Data& data, const Island& island,
                       LcpRowState* states) {
  for (const int t : island.touches) {
    const Touch& touch = data.contacts.touches[Index(t)];
    for (int k = 0; k < touch.num_rows; ++k) {
      const double lambda = touch.lambda[k];
      const double bound = touch.c[k] * touch.lambda[0];
      *states++ =
          k == 0 ? (lambda > 0.0 ? LcpRowState::kInterior : LcpRowState::kAtLo)
          : lambda >= bound  ? LcpRowState::kAtHi
          : lambda <= -bound ? LcpRowState::kAtLo
                             : LcpRowState::kInterior;
    }
  }
}

void StoreContactRows(Data& data, const Island& island, const double* lambda) {
  for (const int t : island.touches) {
    Touch& touch = data.contacts.touches[Index(t)];
    for (int k = 0; k < touch.num_rows; ++k) touch.lambda[k] = *lambda++;
  }
}

void FinishContacts(Data& data, std::span<const int> touches, double h) {
  const ContactSettings& settings = data.settings.contact;
  for (const int t : touches) {
    Touch& touch = data.contacts.touches[Index(t)];
    for (int k = touch.num_rows; k < Touch::kMostRows; ++k) {
      touch.lambda[k] = 0.0;
    }
    touch.lambda[0] = std::max(0.0, touch.lambda[0]);
    touch.friction = touch.lambda[1] * touch.t1 + touch.lambda[2] * touch.t2;
    const Vec slip = SlipOf(data, touch);
    const double normal_speed = Dot(touch.n, slip - touch.surface_velocity);
    const double slip_1 = Dot(touch.t1, slip);
    const double slip_2 = Dot(touch.t2, slip);
    const double bound = (1.0 - kAtBound) * touch.c[1] * touch.bound;
    touch.sliding = slip_1 * slip_1 + slip_2 * slip_2 > kStill * kStill &&
                    (Dot(touch.slip, touch.slip) > 0.0 ||
                     std::abs(touch.lambda[1]) >= bound ||
                     std::abs(touch.lambda[2]) >= bound);
    // What is left after the drift is pushed out, where the bodies press.
    const double left = touch.distance + h * normal_speed + settings.slop;
    if (touch.lambda[0] > 0.0 && left < 0.0) {
      touch.push = std::min(-kPushOut * left, settings.push_speed * h);
    }
  }
}

}  // namespace limber::dynamics::internal
