// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/solve/body_system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/index.h"
#include "dynamics/solve/free_bodies.h"
#include "dynamics/solve/tolerances.h"

namespace limber::dynamics::solve {
namespace {

using internal::Cross;
using internal::Dot;

double Length(const Vec& a) { return std::sqrt(Dot(a, a)); }

// Velocity of b against a at the point.
Vec PointRate(const Problem& problem, const ContactPoint& contact) {
  Vec rate;
  if (contact.b >= 0) {
    const ProblemBody& b = problem.bodies[Index(contact.b)];
    rate += b.v + Cross(b.w, contact.arm_b);
  }
  if (contact.a >= 0) {
    const ProblemBody& a = problem.bodies[Index(contact.a)];
    rate -= a.v + Cross(a.w, contact.arm_a);
  }
  return rate;
}

// The nearest impulse with |lambda_t| <= mu lambda_n.
void ProjectOnCone(double mu, double lambda[3]) {
  const double size = std::hypot(lambda[1], lambda[2]);
  if (size <= mu * lambda[0]) return;
  const double along = std::max(0.0, (lambda[0] + mu * size) / (1.0 + mu * mu));
  const double share = size > 0.0 ? mu * along / size : 0.0;
  lambda[0] = along;
  lambda[1] *= share;
  lambda[2] *= share;
}

/// How far an answer is from the conditions of the problem.
struct Judgement {
  double law = 0.0;       ///< Rows from their laws [m/s].
  double momentum = 0.0;  ///< M (V - V_free) from J^T lambda [N s].
  double cone = 0.0;      ///< Friction beyond its cone [N s].
  double energy = 0.0;    ///< V.M(V - V_free): of rows without targets.
};

Judgement Judge(const Problem& problem) {
  Judgement found;
  std::vector<Vec> P(problem.bodies.size()), L(problem.bodies.size());
  for (const ContactPoint& contact : problem.contacts) {
    const Vec rate = PointRate(problem, contact);
    const double z[3] = {Dot(contact.n, rate) - contact.u[0],
                         Dot(contact.t1, rate) - contact.u[1],
                         Dot(contact.t2, rate) - contact.u[2]};
    // One projected step from lambda: nothing changes where the law holds.
    const double s[3] = {contact.s_n, contact.s_t, contact.s_t};
    double next[3];
    for (int k = 0; k < 3; ++k) {
      const double e =
          z[k] + s[k] * contact.lambda[k] + (k == 0 ? contact.shift : 0.0);
      next[k] = contact.lambda[k] - e / contact.response;
    }
    ProjectOnCone(contact.mu, next);
    for (int k = 0; k < 3; ++k) {
      const double off = std::abs(next[k] - contact.lambda[k]);
      found.law = std::max(found.law, off * contact.response);
    }
    found.cone =
        std::max(found.cone, std::hypot(contact.lambda[1], contact.lambda[2]) -
                                 contact.mu * contact.lambda[0]);
    const Vec F = contact.lambda[0] * contact.n +
                  contact.lambda[1] * contact.t1 +
                  contact.lambda[2] * contact.t2;
    if (contact.b >= 0) {
      P[Index(contact.b)] += F;
      L[Index(contact.b)] += Cross(contact.arm_b, F);
    }
    if (contact.a >= 0) {
      P[Index(contact.a)] -= F;
      L[Index(contact.a)] -= Cross(contact.arm_a, F);
    }
  }
  for (const BoundedRow& row : problem.rows) {
    double z = -row.u;
    const auto side = [&](int i, const Vec& linear, const Vec& angular) {
      if (i < 0) return;
      const ProblemBody& body = problem.bodies[Index(i)];
      z += Dot(linear, body.v) + Dot(angular, body.w);
      P[Index(i)] += row.lambda * linear;
      L[Index(i)] += row.lambda * angular;
    };
    side(row.a, row.linear_a, row.angular_a);
    side(row.b, row.linear_b, row.angular_b);
    const double e = z + row.s * row.lambda;
    const double next =
        std::clamp(row.lambda - e / row.response, row.lo, row.hi);
    found.law = std::max(found.law, std::abs(next - row.lambda) * row.response);
  }
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const ProblemBody& body = problem.bodies[i];
    if (body.stiff) L[i] = body.turns * L[i];
    const Vec p = body.mass * (body.v - body.free_v);
    const Vec l = body.inertia * (body.w - body.free_w);
    found.momentum =
        std::max({found.momentum, Length(p - P[i]), Length(l - L[i])});
    found.energy += Dot(body.v, p) + Dot(body.w, l);
  }
  return found;
}

double ResponseOf(const Problem& problem, int i, const Vec& linear,
                  const Vec& angular) {
  if (i < 0) return 0.0;
  const ProblemBody& body = problem.bodies[Index(i)];
  return Dot(linear, linear) / body.mass +
         Dot(angular, Inverse(body.inertia) * angular);
}

/// Bodies thrown together at random, with up to twelve contacts each.
class RandomPiles {
 public:
  explicit RandomPiles(unsigned seed) : random_(seed) {}

  Problem Next(int num, double mass_ratio, bool with_rows) {
    Problem problem;
    problem.tolerance = kSpeedTolerance;
    for (int i = 0; i < num; ++i) {
      ProblemBody& body = problem.bodies.emplace_back();
      body.mass = std::pow(mass_ratio, Uniform(0.0, 1.0));
      const double size = 0.1 * body.mass;
      body.inertia = {size * Uniform(0.5, 1.5),    0.1 * size * Uniform(-1, 1),
                      0.1 * size * Uniform(-1, 1), size * Uniform(0.5, 1.5),
                      0.1 * size * Uniform(-1, 1), size * Uniform(0.5, 1.5)};
      body.v = Random(1.0);
      body.w = Random(3.0);
      body.free_v = body.v + Vec{0.0, -0.04, 0.0};
      body.free_w = body.w;
    }
    for (int i = 0; i < num; ++i) {
      const int count = 1 + static_cast<int>(Uniform(0.0, 6.0));
      for (int k = 0; k < count; ++k) AddContact(problem, i, with_rows);
    }
    return problem;
  }

 private:
  double Uniform(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random_);
  }
  Vec Random(double size) {
    return {Uniform(-size, size), Uniform(-size, size), Uniform(-size, size)};
  }

  void AddContact(Problem& problem, int i, bool with_rows) {
    const int num = static_cast<int>(problem.bodies.size());
    const int other = static_cast<int>(Uniform(-2.0, num));
    ContactPoint& contact = problem.contacts.emplace_back();
    contact.b = i;
    contact.a = other < 0 || other == i ? -1 : other;
    contact.arm_a = Random(0.3);
    contact.arm_b = Random(0.3);
    const Vec n = Random(1.0);
    contact.n = (1.0 / Length(n)) * n;
    const Vec across = Cross(contact.n, Random(1.0));
    contact.t1 = (1.0 / Length(across)) * across;
    contact.t2 = Cross(contact.n, contact.t1);
    contact.u[0] = Uniform(0.0, 1.0) < 0.5 ? 0.0 : -Uniform(0.0, 0.3);
    contact.response = ResponseOf(problem, contact.b, contact.n,
                                  Cross(contact.arm_b, contact.n)) +
                       ResponseOf(problem, contact.a, contact.n,
                                  Cross(contact.arm_a, contact.n));
    contact.s_n = contact.s_t = 1e-3 * contact.response;
    contact.mu = Uniform(0.0, 1.0) < 0.8 ? Uniform(0.1, 1.0) : 0.0;
    contact.bound = Uniform(0.0, 0.2) / contact.response;
    contact.pressed = Uniform(0.0, 1.0) < 0.5;
    if (!with_rows || contact.mu == 0.0) return;
    BoundedRow& row = problem.rows.emplace_back();
    row.a = contact.a;
    row.b = contact.b;
    row.angular_b = contact.n;
    row.angular_a = -contact.n;
    row.response = ResponseOf(problem, row.a, Vec{}, row.angular_a) +
                   ResponseOf(problem, row.b, Vec{}, row.angular_b);
    row.s = 1e-3 * row.response;
    row.contact = static_cast<int>(problem.contacts.size()) - 1;
    row.mu = 0.02;
  }

  std::mt19937 random_;
};

// Every answer obeys its laws, keeps friction within its cone and balances its
// momenta: together these are the conditions for the minimum, which is the only
// one. Normals at random wedge bodies as no heap does; a few of these problems
// reach the cap.
TEST(NewtonSolver, AnswersObeyTheLawsOfTheirRows) {
  RandomPiles piles(1);
  BodySystem newton;
  FreeBodies linear;
  int unsolved = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const double ratio = trial % 3 == 0 ? 1.0 : trial % 3 == 1 ? 100.0 : 1e4;
    Problem problem = piles.Next(1 + trial % 20, ratio, trial % 2 == 1);
    const Report report = newton.Solve(problem, linear);
    if (!report.solved) {
      ++unsolved;
      continue;
    }
    const Judgement found = Judge(problem);
    EXPECT_LT(found.law, 2.0 * kSpeedTolerance) << trial;
    EXPECT_LT(found.cone, 2.0 * kSpeedTolerance * ratio) << trial;
    EXPECT_LT(found.momentum, 1e-12 * ratio) << trial;
  }
  EXPECT_LT(unsolved, 20);
}

// Two equal balls meet without friction: they go on with the common speed but
// for the softness of the contact, 1e-3 of it.
TEST(NewtonSolver, BallsThatMeetGoOnTogether) {
  Problem problem;
  problem.tolerance = kSpeedTolerance;
  problem.bodies.resize(2);
  for (ProblemBody& body : problem.bodies) {
    body.inertia = {0.01, 0.0, 0.0, 0.01, 0.0, 0.01};
  }
  problem.bodies[0].v = problem.bodies[0].free_v = {1.0, 0.0, 0.0};
  ContactPoint& contact = problem.contacts.emplace_back();
  contact.a = 0;
  contact.b = 1;
  contact.arm_a = {0.1, 0.0, 0.0};
  contact.arm_b = {-0.1, 0.0, 0.0};
  contact.n = {1.0, 0.0, 0.0};
  contact.t1 = {0.0, 1.0, 0.0};
  contact.t2 = {0.0, 0.0, 1.0};
  contact.response = 2.0;
  contact.s_n = contact.s_t = 2e-3;
  BodySystem newton;
  FreeBodies linear;
  EXPECT_TRUE(newton.Solve(problem, linear).solved);
  const double impulse = 1.0 / (contact.response + contact.s_n);
  EXPECT_NEAR(contact.lambda[0], impulse, 1e-13);
  EXPECT_NEAR(problem.bodies[0].v.x, 1.0 - impulse, 1e-13);
  EXPECT_NEAR(problem.bodies[1].v.x, impulse, 1e-13);
}

// A block that slides at v on a floor loses mu times its normal impulse, along
// its slip and no more than stops it.
TEST(NewtonSolver, FrictionIsAlongTheSlipAndWithinItsBound) {
  for (const double speed : {0.001, 0.02, 3.0}) {
    Problem problem;
    problem.tolerance = kSpeedTolerance;
    ProblemBody& body = problem.bodies.emplace_back();
    body.mass = 2.0;
    body.inertia = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0};
    body.v = {0.6 * speed, 0.0, 0.8 * speed};
    body.free_v = {0.6 * speed, -0.04, 0.8 * speed};
    ContactPoint& contact = problem.contacts.emplace_back();
    contact.b = 0;  // Below the mass centre, at no distance: nothing turns.
    contact.n = {0.0, 1.0, 0.0};
    contact.t1 = {1.0, 0.0, 0.0};
    contact.t2 = {0.0, 0.0, -1.0};
    contact.response = 0.5;
    contact.s_n = contact.s_t = 5e-4;
    contact.mu = 0.5;
    contact.bound = 0.08;
    BodySystem newton;
    FreeBodies linear;
    const Report report = newton.Solve(problem, linear);
    EXPECT_TRUE(report.solved && report.agrees) << speed;
    const double normal = 0.04 / (0.5 + 5e-4);
    // The shift of the normal may be off by kSlipAgrees.
    EXPECT_NEAR(contact.lambda[0], normal, 2.0 * kSlipAgrees);
    const double stops = speed / (0.5 + 5e-4);
    const double friction = std::min(0.5 * normal, stops);
    EXPECT_NEAR(problem.bodies[0].v.x, 0.6 * (speed - 0.5 * friction),
                0.5 * kSlipAgrees);
    EXPECT_NEAR(problem.bodies[0].v.z, 0.8 * (speed - 0.5 * friction),
                0.5 * kSlipAgrees);
  }
}

// A rod without thickness does not turn about itself, whatever pushes it.
TEST(NewtonSolver, NothingTurnsARodAboutItself) {
  Problem problem;
  problem.tolerance = kSpeedTolerance;
  ProblemBody& body = problem.bodies.emplace_back();
  body.inertia = {1.0, 0.0, 0.0, 0.1, 0.0, 0.1};
  body.stiff = true;
  body.turns = {0.0, 0.0, 0.0, 1.0, 0.0, 1.0};
  body.v = body.free_v = {0.0, -1.0, 0.3};
  ContactPoint& contact = problem.contacts.emplace_back();
  contact.b = 0;
  contact.arm_b = {0.4, -0.1, 0.05};
  contact.n = {0.0, 1.0, 0.0};
  contact.t1 = {1.0, 0.0, 0.0};
  contact.t2 = {0.0, 0.0, -1.0};
  contact.response = 1.0 + 0.4 * 0.4 / 0.1;
  contact.s_n = contact.s_t = 1e-3 * contact.response;
  contact.mu = 0.5;
  contact.bound = 0.3;
  BodySystem newton;
  FreeBodies linear;
  EXPECT_TRUE(newton.Solve(problem, linear).solved);
  EXPECT_EQ(problem.bodies[0].w.x, 0.0);
  EXPECT_GT(problem.bodies[0].w.z, 0.1);
  EXPECT_LT(Judge(problem).law, 2.0 * kSpeedTolerance);
}

}  // namespace
}  // namespace limber::dynamics::solve
