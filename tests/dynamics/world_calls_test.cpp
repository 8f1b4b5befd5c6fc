// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// What a world calls, when and how often; the row pattern of neighbours; and
// that a step takes no memory from the heap.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/constraints/distance.h"
#include "dynamics/constraints/point_to_point.h"
#include "dynamics/constraints/rope.h"
#include "dynamics/controllers/controller.h"
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

// Dynamo-017: a controller is one of the forces of a step; what the user moves
// is where its velocity takes it when the memories are written.
TEST(WorldCalls, ControllersAndMovedBodiesHaveTheirPlaceInAStep) {
  std::vector<std::string> trace;
  struct TracedSensor : Sensor {
    explicit TracedSensor(std::vector<std::string>& given) : trace(&given) {}
    double Sense(BodyMotions) override {
      trace->push_back("sensor");
      return 1.0;
    }
    std::vector<std::string>* trace;
  };
  World world;
  const BodyId body = world.AddBody(Rod(Vector3(0.5, 0, 0)));
  BodySpec moved;
  moved.kind = BodyKind::kKinematic;
  moved.v_WC = Vector3(1, 0, 0);
  const BodyId cart = world.AddBody(moved);
  world.Add(TracedNail({body, kStart}, trace));
  world.Add(PidController(
      [](double) { return 0.0; }, std::make_unique<TracedSensor>(trace),
      PidGains{},
      std::make_unique<AxisForceActuator>(BodyPoint{body, Vector3::Zero()},
                                          kGround, Vector3::UnitY())));
  world.At(0.0, [&trace](World&) { trace.push_back("action"); });
  world.Step(0.01);
  ASSERT_GE(trace.size(), 4u);
  EXPECT_EQ(trace[0], "action");
  EXPECT_EQ(trace[1], "sensor");
  EXPECT_EQ(trace[2], "rows");
  EXPECT_EQ(trace.back(), "after");
  EXPECT_NEAR(world.motion(cart).p_WC.x(), 0.01, 1e-15);
}

// Dynamo-017: a body is taken out of the world; the others go on as if it had
// never been there, and its name is refused.
TEST(WorldCalls, RemovedBodyIsGone) {
  World with;
  World without;
  const BodyId first = with.AddBody(Rod(Vector3(0.5, 0, 0)));
  const BodyId removed = with.AddBody(Rod(Vector3(5, 0, 0)));
  const BodyId alone = without.AddBody(Rod(Vector3(0.5, 0, 0)));
  with.Add(PointNail({first, kStart}, Vector3::Zero()));
  without.Add(PointNail({alone, kStart}, Vector3::Zero()));
  PointNail& nail = with.Add(PointNail({removed, kStart}, Vector3(4.5, 0, 0)));
  for (int i = 0; i < 10; ++i) {
    with.Step(0.01);
    without.Step(0.01);
  }
  EXPECT_THROW(with.RemoveBody(removed), std::invalid_argument)
      << "a constraint still holds it";
  with.Remove(nail);
  with.RemoveBody(removed);
  EXPECT_THROW(with.motion(removed), std::invalid_argument);
  EXPECT_THROW(with.RemoveBody(removed), std::invalid_argument);
  EXPECT_THROW(with.RemoveBody(kGround), std::invalid_argument);
  for (int i = 0; i < 50; ++i) {
    with.Step(0.01);
    without.Step(0.01);
  }
  EXPECT_EQ(with.motion(first).p_WC, without.motion(alone).p_WC);
  EXPECT_EQ(with.KineticEnergy(), without.KineticEnergy());
}

// Dynamo-018: steps of 5 to 20 ms in any order keep the gaps of a swinging
// chain below the source's own bound, 1e-3, and near those of equal steps of 20
// ms.
TEST(WorldCalls, VaryingStepsKeepTheConstraintError) {
  World world;
  BodyId last = kGround;
  Vector3 anchor = Vector3::Zero();
  for (int i = 0; i < 5; ++i) {
    const BodyId body = world.AddBody(Rod(Vector3(i + 0.5, 0, 0)));
    world.Add(BallJoint(last, anchor, body, kStart));
    last = body;
    anchor = kEnd;
  }
  std::mt19937 random(18);
  std::uniform_real_distribution<double> step(0.005, 0.02);
  double worst = 0.0;
  while (world.time() < 10.0) {
    world.Step(step(random));
    worst = std::max(worst, world.MaxError());
  }
  EXPECT_LT(worst, 1e-3);
}

// Dynamo-018: fifty balls that land in one step cost one step: h is neither
// divided nor repeated, and the solver's rounds do not grow with the number.
TEST(WorldCalls, FiftyCollisionsInOneStepCostOneStep) {
  const auto most_solves = [](int balls) {
    World world;
    ColliderSpec floor;
    floor.shape = Shape::Plane();
    world.AddCollider(kGround, floor);
    int calls = 0;
    struct Counter : Force {
      explicit Counter(int& given) : calls(&given) {}
      void AddForces(BodyMotions, double, double, ForceBuffer&) override {
        ++*calls;
      }
      int* calls;
    };
    world.Add(Counter(calls));
    ColliderSpec ball;
    ball.shape = Shape::Sphere(0.1);
    ball.surface.restitution = 0.5;
    for (int i = 0; i < balls; ++i) {
      BodySpec spec;
      spec.mass.I_BC = Matrix3::Identity() * 0.004;
      spec.X_WB.p = Vector3(0.3 * i, 0.11, 0);
      spec.v_WC = Vector3(0, -3, 0);
      world.AddCollider(world.AddBody(spec), ball);
    }
    int most = 0;
    int contacts = 0;
    for (int i = 0; i < 4; ++i) {
      const StepReport& report = world.Step(1.0 / 240.0);
      most = std::max(most, report.solves);
      contacts = std::max(contacts, report.num_contacts);
    }
    EXPECT_EQ(calls, 4);
    EXPECT_GE(contacts, balls);
    return most;
  };
  EXPECT_LE(most_solves(50), most_solves(1));
}

// Dynamo-119: twenty carts, one with a nail given twice. Its island alone is
// solved as a dependent one; the others move to the bit as they do without it.
TEST(WorldCalls, RedundancyOfOneCartLeavesTheOthersAlone) {
  const auto run = [](bool redundant) {
    World world;
    std::vector<BodyId> carts;
    for (int i = 0; i < 20; ++i) {
      carts.push_back(world.AddBody(Rod(Vector3(0.5, 0, 2.0 * i))));
      const int nails = redundant && i == 7 ? 2 : 1;
      for (int k = 0; k < nails; ++k) {
        world.Add(PointNail({carts.back(), kStart}, Vector3(0, 0, 2.0 * i)));
      }
    }
    LcpStatus worst = LcpStatus::kSolved;
    for (int i = 0; i < 200; ++i) {
      if (world.Step(0.01).status != LcpStatus::kSolved) {
        worst = world.report().status;
      }
    }
    EXPECT_EQ(worst, redundant ? LcpStatus::kRegularised : LcpStatus::kSolved);
    std::vector<Vector3> places;
    for (const BodyId cart : carts) places.push_back(world.motion(cart).p_WC);
    return places;
  };
  const std::vector<Vector3> plain = run(false);
  const std::vector<Vector3> mixed = run(true);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (i == 7) {
      EXPECT_LT((plain[i] - mixed[i]).norm(), 1e-6);
    } else {
      EXPECT_EQ(plain[i], mixed[i]) << i;
    }
  }
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

// B-24, Dynamo-057, Dynamo-059: two rows meet in K only if they share a moving
// body; a chain is block tridiagonal.
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
