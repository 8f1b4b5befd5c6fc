// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// What a world calls, when and how often; the row pattern of neighbours; and
// that a step takes no memory from the heap.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/constraints/distance.h"
#include "dynamics/constraints/point_to_point.h"
#include "dynamics/constraints/rope.h"
#include "dynamics/joints/ball_joint.h"
#include "dynamics/joints/hinge_joint.h"
#include "dynamics/world.h"
#include "tests/dynamics/allocation_count.h"

namespace limber::dynamics {
namespace {

BodySpec Rod(const Vector3& centre) {
  BodySpec spec;
  spec.mass.I_BC = Vector3(1e-3, 1.0 / 12.0, 1.0 / 12.0).asDiagonal();
  spec.X_WB.p = centre;
  return spec;
}
const Vector3 kStart(-0.5, 0, 0);
const Vector3 kEnd(0.5, 0, 0);

// Notes each call in a shared list.
class TracedForce : public Force {
 public:
  explicit TracedForce(std::vector<std::string>& trace) : trace_(&trace) {}
  void AddForces(BodyMotions, double, double, ForceBuffer&) override {
    trace_->push_back("force");
  }

 private:
  std::vector<std::string>* trace_;
};
class TracedNail : public PointNail {
 public:
  TracedNail(const BodyPoint& point, std::vector<std::string>& trace)
      : PointNail(point, Vector3::Zero()), trace_(&trace) {}
  void AddRows(BodyMotions bodies, double time,
               RowBuffer& rows) const override {
    trace_->push_back("rows");
    PointNail::AddRows(bodies, time, rows);
  }
  void AfterStep(BodyMotions, double) override { trace_->push_back("after"); }

 private:
  std::vector<std::string>* trace_;
};

// Dynamo-017: scheduled actions, then forces, then constraints, then memories.
TEST(WorldCalls, OneStepRunsInOrder) {
  std::vector<std::string> trace;
  World world;
  const BodyId body = world.AddBody(Rod(Vector3(0.5, 0, 0)));
  world.Add(TracedNail({body, kStart}, trace));
  world.Add(TracedForce(trace));
  world.At(0.0, [&trace](World&) { trace.push_back("action"); });
  world.Step(0.01);
  ASSERT_GE(trace.size(), 4u);
  EXPECT_EQ(trace[0], "action");
  EXPECT_EQ(trace[1], "force");
  EXPECT_EQ(trace[2], "rows");
  EXPECT_EQ(trace.back(), "after");
}

// Dynamo-011: forces given and states asked for cost nothing before the step.
TEST(WorldCalls, AskingForStatesEvaluatesNothing) {
  std::vector<std::string> trace;
  World world;
  const BodyId body = world.AddBody(Rod(Vector3(0.5, 0, 0)));
  world.Add(TracedNail({body, kStart}, trace));
  for (int i = 0; i < 100; ++i) {
    world.ApplyForce(body, Vector3::Zero(), Vector3(1, 0, 0));
    EXPECT_TRUE(world.motion(body).p_WC.allFinite());
  }
  EXPECT_TRUE(trace.empty());
}

// B-24, Dynamo-057, 059: two rows meet in K only if they share a moving body;
// a chain is block tridiagonal.
TEST(WorldCalls, RowsOfAChainTouchTheirNeighboursOnly) {
  World world;
  std::vector<PointToPoint*> links;
  BodyPoint last = WorldPoint(Vector3::Zero());
  for (int i = 0; i < 20; ++i) {
    const BodyId body = world.AddBody(Rod(Vector3(i + 0.5, 0, 0)));
    links.push_back(&world.Add(PointToPoint(last, {body, kStart})));
    last = {body, kEnd};
  }
  RowBuffer rows;
  std::vector<std::size_t> owner;
  for (std::size_t k = 0; k < links.size(); ++k) {
    links[k]->AddRows(world.motions(), 0.0, rows);
    owner.resize(static_cast<std::size_t>(rows.size()), k);
  }
  for (int i = 0; i < rows.size(); ++i) {
    for (int j = 0; j < rows.size(); ++j) {
      bool share = false;
      for (const RowBuffer::Entry& a : rows.entries(i)) {
        for (const RowBuffer::Entry& b : rows.entries(j)) {
          share = share || (a.body == b.body && a.body != kGround.value);
        }
      }
      const std::size_t a = owner[static_cast<std::size_t>(i)];
      const std::size_t b = owner[static_cast<std::size_t>(j)];
      const std::size_t apart = a > b ? a - b : b - a;
      EXPECT_EQ(share, apart <= 1) << i << " " << j;
    }
  }
}

// Dynamo-050: a constraint needs something that can move.
TEST(WorldCalls, ConstraintBetweenGroundAndGroundIsRefused) {
  EXPECT_THROW(
      PointToPoint(WorldPoint(Vector3::Zero()), WorldPoint(Vector3(1, 0, 0))),
      std::invalid_argument);
}

// Dynamo-052: a linear system is met by one solve, to rounding.
TEST(WorldCalls, LinearConstraintIsMetInOneStep) {
  World world(WorldSettings{.scheme = Scheme::kEuler});
  BodySpec particle;
  particle.point_mass = true;
  particle.X_WB.p = Vector3(0.3, -0.2, 0.1);
  const BodyId body = world.AddBody(particle);
  PointNail& nail =
      world.Add(PointNail({body, Vector3::Zero()}, Vector3::Zero()));
  world.Step(0.01);
  EXPECT_LT(world.Error(nail), 1e-12);
}

// Dynamo-054: stiffness 0.1 a frame leaves 0.9^22 of the error after 22.
TEST(WorldCalls, PartialStiffnessLeavesItsPower) {
  const double h = 0.01;
  World world(WorldSettings{.scheme = Scheme::kEuler});
  BodySpec particle;
  particle.point_mass = true;
  particle.X_WB.p = Vector3(1, 0, 0);
  const BodyId body = world.AddBody(particle);
  PointNail& nail =
      world.Add(PointNail({body, Vector3::Zero()}, Vector3::Zero()));
  RowSettings settings;
  settings.stabilisation = Stabilisation::Baumgarte(0.1 / h, 0.0);
  nail.set_settings(settings);
  for (int i = 0; i < 22; ++i) world.Step(h);
  EXPECT_NEAR(world.motion(body).p_WC.x(), std::pow(0.9, 22), 1e-12);
}

// A world with joints, motors, limits, a loop, a rope, redundant nails and a
// particle takes no memory in a step after the first few.
TEST(WorldCalls, StepDoesNotAllocate) {
  for (const Scheme scheme :
       {Scheme::kLeapfrog, Scheme::kEuler, Scheme::kImprovedImplicit,
        Scheme::kAcceleration}) {
    for (const SolverKind solver : {SolverKind::kAutomatic, SolverKind::kDense,
                                    SolverKind::kGaussSeidel}) {
      WorldSettings settings{.scheme = scheme};
      settings.solver = solver;
      World world(settings);
      BodyId last = kGround;
      for (int i = 0; i < 6; ++i) {
        const BodyId body = world.AddBody(Rod(Vector3(i + 0.5, 0, 0)));
        BallJoint& ball = world.Add(
            BallJoint(last, i == 0 ? Vector3(0, 0, 0) : kEnd, body, kStart));
        PoweredAxis axis;
        axis.drive = i % 2 == 0 ? PoweredAxis::Drive::kPosition
                                : PoweredAxis::Drive::kSpring;
        axis.max_force = 3.0 * i;
        axis.stiffness = 10.0;
        axis.damping = 1.0;
        ball.set_drive(axis);
        last = body;
      }
      HingeJoint& hinge =
          world.Add(HingeJoint(last, Transform{Quaternion::Identity(), kEnd},
                               world.AddBody(Rod(Vector3(6.5, 0, 0))),
                               Transform{Quaternion::Identity(), kStart}));
      hinge.axis(0).lower = -0.2;
      hinge.axis(0).upper = 0.3;
      world.Add(DistanceRod({last, kEnd}, WorldPoint(Vector3(6, 3, 0)), 3.0));
      BodySpec particle;
      particle.point_mass = true;
      particle.X_WB.p = Vector3(0, 5, 0);
      const BodyId dot = world.AddBody(particle);
      for (int i = 0; i < 2; ++i) {
        world.Add(PointNail({dot, Vector3::Zero()}, Vector3(0, 5, 0)));
      }
      for (int i = 0; i < 60; ++i) world.Step(1.0 / 240.0);
      const long before = test::AllocationCount();
      for (int i = 0; i < 60; ++i) world.Step(1.0 / 240.0);
      EXPECT_EQ(test::AllocationCount() - before, 0)
          << "scheme " << static_cast<int>(scheme) << " solver "
          << static_cast<int>(solver);
    }
  }
}

}  // namespace
}  // namespace limber::dynamics
