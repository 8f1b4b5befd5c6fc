// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "dynamics/internal/world_data.h"

// Piles of free bodies by projected Gauss-Seidel sweeps: each row in turn takes
// the impulse that meets it,
//
//     lambda <- clamp(lambda - e / (J W J^T + s), lo, hi) ,
//
// friction with the bounds of the normal impulse at hand. From the impulses of
// the last step a pile at rest needs few sweeps.

namespace limber::dynamics::internal {

namespace {

std::size_t Index(int i) { return static_cast<std::size_t>(i); }

/// Sweeps end when no row changes its speed by more [m/s].
constexpr double kConverged = 1e-7;
constexpr int kClosingSweeps = 20;

// The bodies that the pile's contacts touch, and its contacts from below up.
void Collect(Data& data, const Pile& pile) {
  Sweeps& sweeps = data.contacts.sweeps;
  sweeps.bodies.clear();
  sweeps.touches = pile.touches;
  sweeps.local.resize(data.bodies.size(), -1);
  for (const int n : pile.islands) {
    const Island& island = data.islands[Index(n)];
    sweeps.touches.insert(sweeps.touches.end(), island.touches.begin(),
                          island.touches.end());
  }
  const std::vector<Touch>& touches = data.contacts.touches;
  const Vec gravity = ToVec(data.settings.gravity);
  const auto depth = [&](int t) { return Dot(gravity, touches[Index(t)].p); };
  std::sort(sweeps.touches.begin(), sweeps.touches.end(), [&](int a, int b) {
    return std::pair(-depth(a), a) < std::pair(-depth(b), b);
  });
  for (const int t : sweeps.touches) {
    for (const int b : {touches[Index(t)].body_a, touches[Index(t)].body_b}) {
      int& local = sweeps.local[Index(b)];
      if (local >= 0) continue;
      local = static_cast<int>(sweeps.bodies.size());
      SweepBody& body = sweeps.bodies.emplace_back();
      body.body = b;
      body.v = body.w = Vec{};
    }
  }
}

void AddRow(Data& data, const Touch& touch, int k, double u, double s, double c,
            int normal) {
  Sweeps& sweeps = data.contacts.sweeps;
  SweepRow& row = sweeps.rows.emplace_back();
  row.a = sweeps.local[Index(touch.body_a)];
  row.b = sweeps.local[Index(touch.body_b)];
  Vec linear_a;
  touch.Jacobian(k, 0, linear_a, row.angular_a);
  touch.Jacobian(k, 1, row.linear, row.angular_b);
  double response = s;
  row.mass_a = row.mass_b = 0.0;
  row.change_a = row.change_b = Vec{};
  if (touch.dynamic_a) {
    const Body& body = data.bodies[Index(touch.body_a)];
    row.mass_a = body.inverse_mass;
    row.change_a = ToVec(body.inverse_inertia_W * ToEigen(row.angular_a));
    response += body.inverse_mass * Dot(row.linear, row.linear) +
                Dot(row.angular_a, row.change_a);
  }
  if (touch.dynamic_b) {
    const Body& body = data.bodies[Index(touch.body_b)];
    row.mass_b = body.inverse_mass;
    row.change_b = ToVec(body.inverse_inertia_W * ToEigen(row.angular_b));
    response += body.inverse_mass * Dot(row.linear, row.linear) +
                Dot(row.angular_b, row.change_b);
  }
  row.inverse_response = 1.0 / response;
  row.u = u;
  row.s = s;
  row.c = c;
  row.normal = normal;
  row.lambda = 0.0;
}

void Apply(Sweeps& sweeps, const SweepRow& row, double impulse) {
  SweepBody& a = sweeps.bodies[Index(row.a)];
  SweepBody& b = sweeps.bodies[Index(row.b)];
  a.v -= (impulse * row.mass_a) * row.linear;
  a.w += impulse * row.change_a;
  b.v += (impulse * row.mass_b) * row.linear;
  b.w += impulse * row.change_b;
}

// One row; returns the change of speed it asked for.
double Relax(Sweeps& sweeps, SweepRow& row) {
  const SweepBody& a = sweeps.bodies[Index(row.a)];
  const SweepBody& b = sweeps.bodies[Index(row.b)];
  const double e = Dot(row.linear, b.v - a.v) + Dot(row.angular_a, a.w) +
                   Dot(row.angular_b, b.w) - row.u + row.s * row.lambda;
  double next = row.lambda - e * row.inverse_response;
  if (row.normal < 0) {
    next = std::max(0.0, next);
  } else {
    const double bound = row.c * sweeps.rows[Index(row.normal)].lambda;
    next = std::clamp(next, -bound, bound);
  }
  const double change = next - row.lambda;
  row.lambda = next;
  if (change != 0.0) Apply(sweeps, row, change);
  return std::abs(change) / row.inverse_response;
}

// Up and down in turn; returns the number of sweeps.
int Sweep(Sweeps& sweeps, int most) {
  const int num_rows = static_cast<int>(sweeps.rows.size());
  for (int sweep = 0; sweep < most; ++sweep) {
    double largest = 0.0;
    if (sweep % 2 == 0) {
      for (SweepRow& row : sweeps.rows) {
        largest = std::max(largest, Relax(sweeps, row));
      }
    } else {
      for (int r = num_rows - 1; r >= 0; --r) {
        largest = std::max(largest, Relax(sweeps, sweeps.rows[Index(r)]));
      }
    }
    if (largest < kConverged) return sweep + 1;
  }
  return most;
}

void Release(Sweeps& sweeps) {
  for (const SweepBody& body : sweeps.bodies) {
    sweeps.local[Index(body.body)] = -1;
  }
}

}  // namespace

void KickPile(Data& data, const Pile& pile, double kick, double h) {
  Collect(data, pile);
  Sweeps& sweeps = data.contacts.sweeps;
  for (SweepBody& own : sweeps.bodies) {
    const Body& body = data.bodies[Index(own.body)];
    own.v = ToVec(body.v);
    own.w = ToVec(body.w);
    if (!body.moves()) continue;
    own.v += kick * (ToVec(data.settings.gravity) +
                     body.inverse_mass * ToVec(body.force));
    own.w += kick * ToVec(body.inverse_inertia_W * body.torque);
  }
  sweeps.rows.clear();
  for (const int t : sweeps.touches) {
    const Touch& touch = data.contacts.touches[Index(t)];
    const int normal = static_cast<int>(sweeps.rows.size());
    for (int k = 0; k < touch.num_rows; ++k) {
      AddRow(data, touch, k, touch.u[k], touch.s[k], touch.c[k],
             k == 0 ? -1 : normal);
      SweepRow& row = sweeps.rows.back();
      const double bound =
          k == 0 ? kInfinity : touch.c[k] * sweeps.rows[Index(normal)].lambda;
      row.lambda = std::clamp(touch.lambda[k], k == 0 ? 0.0 : -bound, bound);
      if (row.lambda != 0.0) Apply(sweeps, row, row.lambda);
    }
  }
  const int num = Sweep(sweeps, data.settings.contact.sweeps);
  std::size_t r = 0;
  for (const int t : sweeps.touches) {
    Touch& touch = data.contacts.touches[Index(t)];
    for (int k = 0; k < touch.num_rows; ++k) {
      touch.lambda[k] = sweeps.rows[r++].lambda;
    }
    touch.bound = touch.lambda[0];
  }
  for (const SweepBody& own : sweeps.bodies) {
    Body& body = data.bodies[Index(own.body)];
    if (!body.moves()) continue;
    const Vector3 v_before = body.v;
    const Vector3 L_before = body.L;
    body.v = ToEigen(own.v);
    body.L = body.flow.Admissible(
        body.q_WC,
        body.L + body.flow.AngularMomentum(body.q_WC, ToEigen(own.w) - body.w));
    body.v *= std::exp(-body.linear_damping * h);
    body.L *= std::exp(-body.angular_damping * h);
    body.w = body.inverse_inertia_W * body.L;
    if (data.last_h > 0.0) {
      BodyInstant& at_kick = data.at_kick[Index(own.body)];
      at_kick.v = 0.5 * (v_before + body.v);
      at_kick.w = 0.5 * (body.inverse_inertia_W * (L_before + body.L));
    }
  }
  Release(sweeps);
  StepReport& report = data.report;
  report.num_rows += static_cast<int>(sweeps.rows.size());
  report.solves = std::max(report.solves, num);
  if (num == data.settings.contact.sweeps) {
    report.status = std::max(report.status, LcpStatus::kIterationLimit);
  }
}

void ClosePile(Data& data, const Pile& pile) {
  Collect(data, pile);
  Sweeps& sweeps = data.contacts.sweeps;
  sweeps.rows.clear();
  double push = 0.0;
  for (const int t : sweeps.touches) {
    const Touch& touch = data.contacts.touches[Index(t)];
    if (touch.lambda[0] == 0.0) continue;
    AddRow(data, touch, 0, touch.push, touch.s[0], 0.0, -1);
    push = std::max(push, touch.push);
  }
  if (push > 0.0) {
    Sweep(sweeps, kClosingSweeps);
    for (const SweepBody& own : sweeps.bodies) {
      Body& body = data.bodies[Index(own.body)];
      if (!body.moves()) continue;
      body.p_WC += ToEigen(own.v);
      body.q_WC = (ExpRotation(ToEigen(own.w)) * body.q_WC).normalized();
      Refresh(data, own.body);
    }
  }
  Release(sweeps);
}

}  // namespace limber::dynamics::internal
