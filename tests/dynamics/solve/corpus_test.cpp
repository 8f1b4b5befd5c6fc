// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "dynamics/internal/recorder.h"
#include "dynamics/solve/body_system.h"
#include "dynamics/solve/free_bodies.h"
#include "dynamics/solve/tolerances.h"
#include "tests/dynamics/contact_worlds.h"

// Problems of a heap that lands, recorded from the steps of a world and solved
// again.

namespace limber::dynamics::solve {
namespace {

using internal::Dot;

std::vector<Problem> LandingHeap() {
  std::mt19937 random(20261118);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  WorldSettings settings;
  settings.contact.sleeping = false;
  World world(settings);
  test::AddFloor(world);
  constexpr int kSide = 4;
  constexpr double kHalf = 0.1;  // [m]
  for (int i = 0; i < kSide * kSide * kSide; ++i) {
    const double x = unit(random), y = unit(random), z = unit(random);
    Transform X_WB;
    X_WB.p =
        2.5 * kHalf *
            Vector3(i % kSide, 1 + i / (kSide * kSide), i / kSide % kSide) +
        0.2 * kHalf * Vector3(x, y, z);
    test::AddSolid(world,
                   i % 2 == 0 ? Shape::Box(Vector3::Constant(0.8 * kHalf))
                              : Shape::Sphere(kHalf),
                   500.0, X_WB);
  }
  internal::Recorder kept;
  kept.most = 1000;
  internal::recorder = &kept;
  for (int i = 0; i < 240; ++i) world.Step(test::kStep);
  internal::recorder = nullptr;
  return kept.problems;
}

/// What all answers together took and gave.
struct Sums {
  int problems = 0, solves = 0, searches = 0, unsolved = 0, unsettled = 0;
  double momentum = 0.0;  ///< Largest that is not balanced [N s].
  double gained = 0.0;    ///< Largest energy beyond what targets ask for [J].
  double sinking = 0.0;   ///< Fastest [m/s].
};

void Judge(const Problem& problem, Sums& sums) {
  std::vector<Vec> P(problem.bodies.size());
  double work = 0.0;
  for (const ContactPoint& contact : problem.contacts) {
    const Vec F = contact.lambda[0] * contact.n +
                  contact.lambda[1] * contact.t1 +
                  contact.lambda[2] * contact.t2;
    Vec rate;
    if (contact.b >= 0) {
      const ProblemBody& b =
          problem.bodies[static_cast<std::size_t>(contact.b)];
      P[static_cast<std::size_t>(contact.b)] += F;
      rate += b.v + Cross(b.w, contact.arm_b);
    }
    if (contact.a >= 0) {
      const ProblemBody& a =
          problem.bodies[static_cast<std::size_t>(contact.a)];
      P[static_cast<std::size_t>(contact.a)] -= F;
      rate -= a.v + Cross(a.w, contact.arm_a);
    }
    for (int k = 0; k < 3; ++k) {
      work -= std::max(0.0, contact.lambda[k] * contact.u[k]);
    }
    const double soft = contact.s_n * contact.lambda[0];
    sums.sinking =
        std::max(sums.sinking, contact.u[0] - soft - Dot(contact.n, rate));
  }
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const ProblemBody& body = problem.bodies[i];
    const Vec p = body.mass * (body.v - body.free_v);
    const Vec off = p - P[i];
    sums.momentum = std::max(sums.momentum, std::sqrt(Dot(off, off)));
    work += Dot(body.v, p) + Dot(body.w, body.inertia * (body.w - body.free_w));
  }
  sums.gained = std::max(sums.gained, work);
}

Sums SolveAll(std::vector<Problem> problems) {
  Sums sums;
  BodySystem system;
  FreeBodies linear;
  for (Problem& problem : problems) {
    const Report report = system.Solve(problem, linear);
    ++sums.problems;
    sums.solves += report.solves;
    sums.searches += report.searches;
    sums.unsolved += !report.solved;
    sums.unsettled += !report.agrees;
    Judge(problem, sums);
  }
  return sums;
}

// Laws, momenta and energy hold in every answer, and finding them takes about
// 3.6 solves, 0.6 of them with a search along the step; a fifth do not settle.
//
// The bands are those in which the numbers of tolerances.h are what they are.
// Three times as many or a third of: kFollowing 5.0 and 3.3 solves, the latter
// not told from now; kLowerings 4.7 and (none) 2.8 solves; kWholeSteps 0.08 and
// 1.6 searches; a third of kMostSolves leaves 20 problems unsolved.
TEST(HeapCorpus, ProblemsOfALandingHeapAreSolvedInAFewSolves) {
  const Sums sums = SolveAll(LandingHeap());
  ASSERT_GT(sums.problems, 500);
  EXPECT_EQ(sums.unsolved, 0);
  EXPECT_LT(sums.momentum, 1e-12);
  EXPECT_LT(sums.gained, 1e-12);
  EXPECT_LT(sums.sinking, 0.6);
  const double number = sums.problems;
  EXPECT_GT(sums.solves / number, 3.1);
  EXPECT_LT(sums.solves / number, 4.2);
  EXPECT_GT(sums.searches / number, 0.25);
  EXPECT_LT(sums.searches / number, 1.2);
  EXPECT_LT(sums.unsettled / number, 0.3);
}

}  // namespace
}  // namespace limber::dynamics::solve
