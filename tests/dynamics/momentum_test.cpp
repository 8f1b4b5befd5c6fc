// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Free systems keep their linear and angular momentum to 1e-10, whatever acts
// within them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "dynamics/constraints/distance.h"
#include "dynamics/constraints/point_to_point.h"
#include "dynamics/constraints/rope.h"
#include "dynamics/joints/ball_joint.h"
#include "tests/dynamics/all_constraints.h"
#include "tests/dynamics/constraint_checker.h"
#include "tests/dynamics/small_worlds.h"
#include "tests/dynamics/tree_comparison.h"

namespace limber::dynamics {
namespace {

using dynamics::test::AllKinds;
using dynamics::test::Forwarded;
using dynamics::test::Kind;
using limber::test::MakeRandomTree;
using limber::test::RandomTree;
using limber::test::RandomTreeOptions;
using limber::test::SetSolver;

constexpr double kStep = 1.0 / 240.0;
constexpr double kKept = 1e-10;

// The sums of the parts of both momenta, of which these are what is left:
// sum m |v| and sum m |p| |v| + |I w|, p from the mass centre.
struct MomentumParts {
  double linear = 0.0;
  double angular = 0.0;
};

MomentumParts PartsOf(const World& world) {
  const std::vector<BodyMotion> motions = world.SynchronisedMotions();
  double mass = 0.0;
  Vector3 centre = Vector3::Zero();
  const auto each = [&](auto use) {
    for (int b = 1; b < world.num_bodies(); ++b) {
      use(motions[static_cast<std::size_t>(b)], world.mass(BodyId{b}));
    }
  };
  each([&](const BodyMotion& motion, const MassProperties& part) {
    mass += part.mass;
    centre += part.mass * motion.p_WC;
  });
  centre /= mass;
  MomentumParts sums;
  each([&](const BodyMotion& motion, const MassProperties& part) {
    const double p = part.mass * motion.v_WC.norm();
    sums.linear += p;
    sums.angular +=
        p * (motion.p_WC - centre).norm() +
        (motion.R_WB * part.I_BC * motion.R_WB.transpose() * motion.w_WB)
            .norm();
  });
  return sums;
}

// How far both momenta are from those at the start, as a share of their parts.
class MomentumWatch {
 public:
  explicit MomentumWatch(const World& world)
      : world_(world),
        P_(world.LinearMomentum()),
        L_(world.AngularMomentum()) {}

  void Look() {
    const MomentumParts parts = PartsOf(world_);
    linear_ =
        std::max(linear_, (world_.LinearMomentum() - P_).norm() / parts.linear);
    angular_ = std::max(angular_,
                        (world_.AngularMomentum() - L_).norm() / parts.angular);
  }
  double linear() const { return linear_; }
  double angular() const { return angular_; }

 private:
  const World& world_;
  Vector3 P_;
  Vector3 L_;
  double linear_ = 0.0;
  double angular_ = 0.0;
};

void MakeWeightless(World& world) {
  WorldSettings settings = world.settings();
  settings.gravity.setZero();
  world.set_settings(settings);
}

// Six rods in free flight, one after the other.
World FreeChain(Scheme scheme, SolverKind solver,
                const std::function<void(World&, BodyId, BodyId)>& connect) {
  World world(WorldSettings{
      .gravity = Vector3::Zero(), .scheme = scheme, .solver = solver});
  std::mt19937 random(11);
  std::normal_distribution<double> normal(0.0, 0.5);
  const auto vector = [&] {
    const double x = normal(random);
    const double y = normal(random);
    return Vector3(x, y, normal(random));
  };
  BodyId last;
  for (int i = 0; i < 6; ++i) {
    BodySpec spec;
    spec.mass = MassOfCylinder(0.05, 1.0, Material::WithMass(1.0 + i));
    spec.X_WB.p = Vector3(0, i + 0.5, 0);
    spec.v_WC = vector();
    spec.w_WB = vector();
    const BodyId body = world.AddBody(spec);
    if (i > 0) connect(world, last, body);
    last = body;
  }
  return world;
}

const Vector3 kTop(0, 0.5, 0);
const Vector3 kBottom(0, -0.5, 0);

void ConnectByBall(World& world, BodyId a, BodyId b) {
  world.Add(BallJoint(a, kTop, b, kBottom));
}

TEST(Momentum, FreeChainOfBallJointsKeepsBothInEverySchemeAndSolver) {
  for (const Scheme scheme : {Scheme::kLeapfrog, Scheme::kEuler}) {
    for (const SolverKind solver :
         {SolverKind::kTree, SolverKind::kDense, SolverKind::kGaussSeidel}) {
      World world = FreeChain(scheme, solver, ConnectByBall);
      MomentumWatch watch(world);
      for (int i = 0; i < 2000; ++i) {
        world.Step(kStep);
        watch.Look();
      }
      EXPECT_LT(watch.linear(), kKept);
      EXPECT_LT(watch.angular(), kKept);
    }
  }
}

RandomTreeOptions FreeTrees(int max_bodies) {
  RandomTreeOptions options;
  options.held = false;
  options.contacts = false;
  options.max_bodies = max_bodies;
  return options;
}

// All kinds of joints with motors, limits at their stops, springs and loops.
TEST(Momentum, RandomFreeTreesKeepBothWithEitherSolver) {
  const RandomTreeOptions options = FreeTrees(14);
  for (unsigned seed = 1; seed <= 80; ++seed) {
    for (const SolverKind solver : {SolverKind::kTree, SolverKind::kDense}) {
      RandomTree tree = MakeRandomTree(seed, options);
      MakeWeightless(tree.world);
      SetSolver(tree.world, solver);
      MomentumWatch watch(tree.world);
      for (int i = 0; i < 500; ++i) {
        tree.world.Step(kStep);
        watch.Look();
      }
      EXPECT_LT(watch.linear(), kKept) << seed;
      EXPECT_LT(watch.angular(), kKept) << seed;
    }
  }
}

// J^T of every row between bodies is a set of forces in balance, also far from
// C = 0: what C depends on does not change when everything turns and shifts.
TEST(Momentum, RowsBetweenBodiesAreBalanced) {
  std::mt19937 random(5);
  for (const Kind& kind : AllKinds()) {
    // FunctionConstraint takes differences.
    const double tolerance =
        std::string(kind.name) == "function" ? 1e-8 : 1e-12;
    for (int round = 0; round < 10; ++round) {
      std::vector<BodyMotion> bodies = test::RandomMotions(3, random);
      const std::unique_ptr<Constraint> constraint = kind.make(bodies);
      bodies = test::RandomMotions(3, random);
      RowBuffer rows;
      constraint->AddRows(bodies, 0.0, rows);
      ASSERT_GT(rows.size(), 0) << kind.name;
      for (int r = 0; r < rows.size(); ++r) {
        Vector3 force = Vector3::Zero();
        Vector3 torque = Vector3::Zero();
        double size = 1.0;
        for (const RowBuffer::Entry& entry : rows.entries(r)) {
          const Vector3& p = bodies[static_cast<std::size_t>(entry.body)].p_WC;
          force += entry.linear;
          torque += entry.angular + p.cross(entry.linear);
          size = std::max({size, entry.linear.norm(), entry.angular.norm()});
        }
        EXPECT_LT(force.norm(), tolerance * size) << kind.name << " row " << r;
        EXPECT_LT(torque.norm(), tolerance * size) << kind.name << " row " << r;
      }
    }
  }
}

TEST(Momentum, EveryKindOfConstraintKeepsBothInEverySchemeAndSolver) {
  for (const Scheme scheme : {Scheme::kLeapfrog, Scheme::kEuler}) {
    for (const SolverKind solver : {SolverKind::kTree, SolverKind::kDense}) {
      for (const Kind& kind : AllKinds()) {
        World world(WorldSettings{
            .gravity = Vector3::Zero(), .scheme = scheme, .solver = solver});
        std::mt19937 random(7);
        std::normal_distribution<double> normal(0.0, 0.5);
        const auto vector = [&] {
          const double x = normal(random);
          const double y = normal(random);
          return Vector3(x, y, normal(random));
        };
        for (int i = 0; i < 3; ++i) {
          BodySpec spec;
          spec.mass = MassOfBox(Vector3(0.2, 0.6, 0.3),
                                Material::WithMass(1.0 + 0.5 * i));
          spec.X_WB = {ExpRotation(0.3 * vector()),
                       Vector3(0.2 * i, 0.7 * i, 0.0)};
          spec.v_WC = vector();
          spec.w_WB = vector();
          world.AddBody(spec);
        }
        world.Add(BallJoint(BodyId{3}, Vector3(0.0, -0.3, 0.0), BodyId{2},
                            Vector3(0.0, 0.3, 0.0)));
        const std::unique_ptr<Constraint> constraint =
            kind.make(world.motions());
        world.Add(Forwarded(*constraint));
        MomentumWatch watch(world);
        for (int i = 0; i < 500; ++i) {
          world.Step(kStep);
          watch.Look();
        }
        const double kept = std::string(kind.name) == "function" ? 1e-8 : kKept;
        EXPECT_LT(watch.linear(), kept) << kind.name;
        EXPECT_LT(watch.angular(), kept) << kind.name;
      }
    }
  }
}

// Light links between heavy ends, whirling so fast that the tension inertia
// takes part.
TEST(Momentum, TightChainKeepsBoth) {
  for (const SolverKind solver : {SolverKind::kTree, SolverKind::kDense}) {
    World world(WorldSettings{.gravity = Vector3::Zero(), .solver = solver});
    BodyId last;
    for (int i = 0; i < 6; ++i) {
      BodySpec spec;
      const double mass = i == 0 || i == 5 ? 50.0 : 1.0;
      spec.mass = MassOfCylinder(0.05, 1.0, Material::WithMass(mass));
      spec.X_WB.p = Vector3(0.05 * (i % 2), i - 2.5, 0);
      spec.w_WB = Vector3(0, 0, 10.0);
      spec.v_WC = spec.w_WB.cross(spec.X_WB.p) + Vector3(0, 0, 0.5 * (i % 3));
      const BodyId body = world.AddBody(spec);
      if (i > 0) ConnectByBall(world, last, body);
      last = body;
    }
    world.ProjectVelocities();
    const double energy = world.KineticEnergy();
    MomentumWatch watch(world);
    for (int i = 0; i < 2000; ++i) {
      world.Step(kStep);
      watch.Look();
      ASSERT_LT(world.KineticEnergy(), 1.01 * energy);
    }
    EXPECT_LT(watch.linear(), kKept);
    EXPECT_LT(watch.angular(), kKept);
  }
}

// Giving back the momentum that the closing took adds no energy.
TEST(Momentum, FreeChainGainsNoEnergyAndLosesLittle) {
  for (const SolverKind solver : {SolverKind::kTree, SolverKind::kDense}) {
    World world = FreeChain(Scheme::kLeapfrog, solver, ConnectByBall);
    world.ProjectVelocities();
    const double start = world.KineticEnergy();
    double most = start;
    for (int i = 0; i < 10 * 240; ++i) {
      world.Step(kStep);
      most = std::max(most, world.KineticEnergy());
    }
    EXPECT_LT(most, start * (1.0 + 1e-9));
    EXPECT_GT(world.KineticEnergy(), start * (1.0 - 2e-4));
  }
}

// Rods without thickness, points, and a line of points, which has no inertia
// about itself.
TEST(Momentum, RodsAndPointsKeepBoth) {
  for (const Scheme scheme : {Scheme::kLeapfrog, Scheme::kEuler}) {
    World world(WorldSettings{.gravity = Vector3::Zero(), .scheme = scheme});
    BodySpec rod;
    rod.mass.mass = 2.0;
    rod.mass.I_BC = Vector3(0.2, 0.0, 0.2).asDiagonal();
    rod.w_WB = Vector3(2.0, 0.0, 1.0);
    const BodyId first = world.AddBody(rod);
    rod.X_WB.p = Vector3(0.0, 1.0, 0.0);
    rod.v_WC = Vector3(0.5, 0.0, 1.0);
    const BodyId second = world.AddBody(rod);
    world.Add(PointToPoint({first, kTop}, {second, kBottom}));
    const BodyId point = test::AddParticle(world, 0.5, Vector3(0, 2.5, 0),
                                           Vector3(1.0, 0.0, 0.0));
    world.Add(DistanceRod({second, kTop}, {point}, 1.0));
    BodyPoint last;
    for (int i = 0; i < 4; ++i) {
      const BodyId id = test::AddParticle(world, 1.0, Vector3(5.0 + i, 0, 0),
                                          Vector3(0.0, i % 2, 0.3 * i));
      if (i > 0) world.Add(DistanceRod(last, {id}, 1.0));
      last = {id};
    }
    MomentumWatch watch(world);
    for (int i = 0; i < 2000; ++i) {
      world.Step(kStep);
      watch.Look();
    }
    EXPECT_LT(watch.linear(), kKept);
    EXPECT_LT(watch.angular(), kKept);
  }
}

// Drives of some hundred N m on single axes of light bodies, which spin up to
// several radians a step about the others: nothing that they do runs away.
TEST(Momentum, WhirlingTreesKeepBothAndDoNotRunAway) {
  const RandomTreeOptions options = FreeTrees(10);
  for (unsigned seed = 1; seed <= 24; ++seed) {
    RandomTree tree = MakeRandomTree(seed, options);
    MakeWeightless(tree.world);
    SetSolver(tree.world, SolverKind::kTree);
    MomentumWatch watch(tree.world);
    for (int i = 0; i < 2000; ++i) {
      tree.world.Step(kStep);
      watch.Look();
      ASSERT_LT(tree.world.KineticEnergy(), 2e4) << seed << " step " << i;
    }
    EXPECT_LT(watch.linear(), kKept) << seed;
    EXPECT_LT(watch.angular(), kKept) << seed;
  }
}

// Gravity moves the mass centre and nothing else; rows to the ground that do
// not push do not matter.
TEST(Momentum, ThrownTreeKeepsAngularMomentumAboutItsMassCentre) {
  const RandomTreeOptions options = FreeTrees(10);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    for (const SolverKind solver : {SolverKind::kTree, SolverKind::kDense}) {
      RandomTree tree = MakeRandomTree(seed, options);
      World& world = tree.world;
      SetSolver(world, solver);
      world.Add(
          scenes::EdgeContact(tree.bodies[0], Vector3::Zero(), -100.0, 1e-3));
      world.Add(Rope(WorldPoint(Vector3::Zero()), {tree.bodies[0]}, 200.0));
      const auto about_centre = [&] {
        const std::vector<BodyMotion> motions = world.SynchronisedMotions();
        double mass = 0.0;
        Vector3 moment = Vector3::Zero();
        for (const BodyId body : tree.bodies) {
          mass += world.mass(body).mass;
          moment += world.mass(body).mass *
                    motions[static_cast<std::size_t>(body.value)].p_WC;
        }
        return Vector3(world.AngularMomentum() -
                       (moment / mass).cross(world.LinearMomentum()));
      };
      const Vector3 L = about_centre();
      for (int i = 0; i < 500; ++i) world.Step(kStep);
      EXPECT_LT((about_centre() - L).norm(), kKept * PartsOf(world).angular)
          << seed;
    }
  }
}

}  // namespace
}  // namespace limber::dynamics
