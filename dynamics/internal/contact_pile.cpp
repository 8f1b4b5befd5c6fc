// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "dynamics/internal/leapfrog.h"
#include "dynamics/internal/recorder.h"
#include "dynamics/solve/body_system.h"
#include "dynamics/solve/free_bodies.h"
#include "dynamics/solve/tolerances.h"

// Piles of bodies without joints as problems of `solve/`: their kick, and the
// same with displacements for the overlaps that are left after the drift.

namespace limber::dynamics::internal {

struct PileSolver {
  solve::Problem problem;
  solve::BodySystem system;
  std::vector<solve::FreeBodies> linear;  ///< By pile.
  std::vector<int> bodies;                ///< By body of the problem.
  std::vector<int> place;                 ///< By body: in the problem, or -1.
};

namespace {

using solve::BoundedRow;
using solve::ContactPoint;
using solve::Grip;
using solve::Problem;
using solve::ProblemBody;

template <typename Visit>
void ForEachTouch(Data& data, const Pile& pile, const Visit& visit) {
  for (const int n : pile.islands) {
    for (const int t : data.islands[Index(n)].touches) {
      visit(data.contacts.touches[Index(t)]);
    }
  }
  for (const int t : pile.touches) visit(data.contacts.touches[Index(t)]);
}

// The bodies of the pile, at rest, and their numbers in the problem.
void AddBodies(Data& data, const Pile& pile) {
  std::shared_ptr<PileSolver>& solver = data.contacts.pile_solver;
  if (solver == nullptr) solver = std::make_shared<PileSolver>();
  PileSolver& work = *data.contacts.pile_solver;
  work.problem.Clear();
  work.bodies.clear();
  work.place.resize(data.bodies.size(), -1);
  for (const int n : pile.islands) {
    for (const int b : data.islands[Index(n)].bodies) {
      const Body& body = data.bodies[Index(b)];
      if (!body.moves()) continue;
      work.place[Index(b)] = static_cast<int>(work.bodies.size());
      work.bodies.push_back(b);
      ProblemBody& own = work.problem.bodies.emplace_back();
      own.mass = body.mass.mass;
      const Mat R = ToMat(ToQuat(body.q_WC));
      Vec inertia = ToVec(body.flow.inertia());
      Vec turns{1.0, 1.0, 1.0};
      for (const auto& [i, t] :
           {std::pair(&inertia.x, &turns.x), std::pair(&inertia.y, &turns.y),
            std::pair(&inertia.z, &turns.z)}) {
        if (*i > 0.0) continue;
        *i = 1.0;
        *t = 0.0;
        own.stiff = true;
      }
      own.inertia = AlongAxes(R, inertia);
      if (own.stiff) own.turns = AlongAxes(R, turns);
    }
  }
}

// The blocks of this pile, which know its graph if it is that of the last step.
solve::FreeBodies& LinearOf(Data& data, const Pile& pile) {
  std::vector<solve::FreeBodies>& all = data.contacts.pile_solver->linear;
  const std::size_t number =
      Index(static_cast<int>(&pile - data.contacts.piles.data()));
  if (all.size() <= number) all.resize(number + 1);
  return all[number];
}

void Release(PileSolver& work) {
  for (const int b : work.bodies) work.place[Index(b)] = -1;
}

// The point and its normal row.
ContactPoint& AddPoint(PileSolver& work, const Touch& touch) {
  ContactPoint& point = work.problem.contacts.emplace_back();
  point.a = touch.dynamic_a ? work.place[Index(touch.body_a)] : -1;
  point.b = touch.dynamic_b ? work.place[Index(touch.body_b)] : -1;
  point.arm_a = touch.arm_a;
  point.arm_b = touch.arm_b;
  point.n = touch.n;
  point.t1 = touch.t1;
  point.t2 = touch.t2;
  point.s_n = touch.s[0];
  point.response = touch.response;
  return point;
}

// Row k of a contact by itself: friction along one axis of a pyramid, or about
// one axis.
void AddFrictionRow(PileSolver& work, const Touch& touch, int k, int contact,
                    double u) {
  BoundedRow& row = work.problem.rows.emplace_back();
  const ContactPoint& point = work.problem.contacts[Index(contact)];
  row.a = point.a;
  row.b = point.b;
  touch.Jacobian(k, 0, row.linear_a, row.angular_a);
  touch.Jacobian(k, 1, row.linear_b, row.angular_b);
  row.u = u;
  row.s = k < 3 ? touch.s[k] : solve::kAxialSoftness * touch.s[k];
  row.response = touch.response * touch.s[k] / touch.s[0];
  row.contact = contact;
  row.mu = touch.c[k];
  row.lambda = touch.lambda[k];
}

// The rows of a contact in the kick. What a body whose motion is given does is
// part of the targets.
void AddTouch(Data& data, const Touch& touch) {
  PileSolver& work = *data.contacts.pile_solver;
  const int contact = static_cast<int>(work.problem.contacts.size());
  ContactPoint& point = AddPoint(work, touch);
  const Body& a = data.bodies[Index(touch.body_a)];
  const Body& b = data.bodies[Index(touch.body_b)];
  Vec given, given_spin;
  if (!touch.dynamic_b) {
    given += ToVec(b.v) + Cross(ToVec(b.w), touch.arm_b);
    given_spin += ToVec(b.w);
  }
  if (!touch.dynamic_a) {
    given -= ToVec(a.v) + Cross(ToVec(a.w), touch.arm_a);
    given_spin -= ToVec(a.w);
  }
  const bool cone = data.settings.contact.friction_cone;
  point.s_t = touch.s[1];
  point.mu = touch.num_rows >= 3 && cone ? touch.c[1] : 0.0;
  point.bound = touch.bound;
  point.pressed = touch.lambda[0] > 0.0;
  point.slip[0] = Dot(touch.slip, touch.t1);
  point.slip[1] = Dot(touch.slip, touch.t2);
  const bool slid = point.slip[0] != 0.0 || point.slip[1] != 0.0;
  point.grip = slid ? Grip::kSlides : Grip::kSticks;
  for (int k = 0; k < 3; ++k) {
    point.u[k] = touch.u[k] - Dot(touch.Direction(k), given);
    point.lambda[k] = touch.lambda[k];
  }
  for (int k = cone ? 3 : 1; k < touch.num_rows; ++k) {
    const double u =
        touch.u[k] - Dot(touch.Direction(k), k < 3 ? given : given_spin);
    AddFrictionRow(work, touch, k, contact, u);
  }
}

// The impulses of the kick, and how the contacts stand.
void StoreTouches(Data& data, Pile& pile) {
  PileSolver& work = *data.contacts.pile_solver;
  std::size_t contact = 0;
  std::size_t row = 0;
  pile.free = true;
  ForEachTouch(data, pile, [&](Touch& touch) {
    const ContactPoint& point = work.problem.contacts[contact++];
    for (int k = 0; k < 3; ++k) touch.lambda[k] = point.lambda[k];
    const int first = data.settings.contact.friction_cone ? 3 : 1;
    for (int k = first; k < touch.num_rows; ++k) {
      touch.lambda[k] = work.problem.rows[row++].lambda;
    }
    touch.bound = touch.lambda[0];
    touch.slip = point.slip[0] * touch.t1 + point.slip[1] * touch.t2;
    if (!touch.moving() && touch.lambda[0] > 0.0) pile.free = false;
  });
}

// The velocities after the kick.
void StoreVelocities(Data& data, double h) {
  const PileSolver& work = *data.contacts.pile_solver;
  for (std::size_t i = 0; i < work.bodies.size(); ++i) {
    const ProblemBody& own = work.problem.bodies[i];
    Body& body = data.bodies[Index(work.bodies[i])];
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
      BodyInstant& at_kick = data.at_kick[Index(work.bodies[i])];
      at_kick.v = 0.5 * (v_before + body.v);
      at_kick.w = 0.5 * (body.inverse_inertia_W * (L_before + body.L));
    }
  }
}

}  // namespace

void KickPile(Data& data, Pile& pile, double kick, double h) {
  AddBodies(data, pile);
  PileSolver& work = *data.contacts.pile_solver;
  for (std::size_t i = 0; i < work.bodies.size(); ++i) {
    const Body& body = data.bodies[Index(work.bodies[i])];
    ProblemBody& own = work.problem.bodies[i];
    const Twist free = FreeMotion(data, body, kick);
    own.v = ToVec(body.v);
    own.w = ToVec(body.w);
    own.free_v = ToVec(free.linear);
    own.free_w = ToVec(free.angular);
  }
  ForEachTouch(data, pile, [&](const Touch& touch) { AddTouch(data, touch); });
  work.problem.tolerance = solve::kSpeedTolerance;
  if (recorder != nullptr) recorder->Take(work.problem);
  const solve::Report result =
      work.system.Solve(work.problem, LinearOf(data, pile));
  StoreTouches(data, pile);
  StoreVelocities(data, h);
  Release(work);
  StepReport& report = data.report;
  ForEachTouch(data, pile,
               [&](const Touch& touch) { report.num_rows += touch.num_rows; });
  report.solves = std::max(report.solves, result.solves);
  if (recorder != nullptr) recorder->Count(result.solves);
  report.factorisations = std::max(report.factorisations, result.solves);
  report.friction_rounds = std::max(report.friction_rounds, result.rounds);
  report.friction_settled = report.friction_settled && result.agrees;
  if (!result.solved) {
    report.status = std::max(report.status, LcpStatus::kIterationLimit);
  }
}

// Velocities stay, and so do the momenta where nothing holds the pile.
void ClosePile(Data& data, Pile& pile) {
  double push = 0.0;
  ForEachTouch(data, pile,
               [&](const Touch& touch) { push = std::max(push, touch.push); });
  if (push == 0.0) return;
  AddBodies(data, pile);
  PileSolver& work = *data.contacts.pile_solver;
  // Where bodies press they may part, and not come nearer.
  ForEachTouch(data, pile, [&](const Touch& touch) {
    if (touch.lambda[0] == 0.0) return;
    ContactPoint& point = AddPoint(work, touch);
    point.u[0] = touch.push;
    point.s_n *= solve::kPlaceSoftness;
    point.pressed = true;
  });
  work.problem.tolerance = solve::kPlaceTolerance;
  work.system.Solve(work.problem, LinearOf(data, pile));
  Island& all = data.merged_island;
  all.bodies = work.bodies;
  const double spin_energy = SpinEnergy(data, all);
  MissingMomentum lost;
  for (std::size_t i = 0; i < work.bodies.size(); ++i) {
    const ProblemBody& own = work.problem.bodies[i];
    Body& body = data.bodies[Index(work.bodies[i])];
    lost.angular -= body.mass.mass * Cross(own.v, ToVec(body.v));
    body.p_WC += ToEigen(own.v);
    body.q_WC = (ExpRotation(ToEigen(own.w)) * body.q_WC).normalized();
    const Vector3 L = body.flow.Admissible(body.q_WC, body.L);
    lost.angular += ToVec(body.L - L);
    body.L = L;
    Refresh(data, work.bodies[i]);
  }
  Release(work);
  if (!pile.free) return;
  lost.energy_gained = SpinEnergy(data, all) - spin_energy;
  GiveMomentum(data, all, lost, false);
}

}  // namespace limber::dynamics::internal
