// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// What Barenbrug's library asks of the solution of its constraints, frame by
// frame: iterations, derivatives, orderings, singular systems.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "dynamics/dantzig.h"
#include "dynamics/world.h"
#include "tests/dynamics/all_constraints.h"
#include "tests/dynamics/constraint_checker.h"

namespace limber::dynamics {
namespace {

BodySpec Cube(const Vector3& centre) {
  BodySpec spec;
  spec.mass.mass = 1.0;
  spec.mass.I_BC = Matrix3::Identity();
  spec.X_WB.p = centre;
  return spec;
}

// Cubes of half edge 1 that hang on each other by opposite corners, in a
// zigzag.
struct CubeChain {
  World world;
  std::vector<BodyId> cubes;
  std::vector<BallJoint*> links;
};

Vector3 Corner(int cube) { return Vector3(1, cube % 2 == 0 ? 1 : -1, 1); }

CubeChain MakeCubeChain(int n, const WorldSettings& settings,
                        std::span<const int> order = {}) {
  CubeChain chain{World(settings), {}, {}};
  Vector3 end = Vector3::Zero();
  for (int i = 0; i < n; ++i) {
    chain.cubes.push_back(chain.world.AddBody(Cube(end - Corner(i))));
    end -= 2.0 * Corner(i);
  }
  std::vector<int> natural(static_cast<std::size_t>(n));
  std::iota(natural.begin(), natural.end(), 0);
  for (const int i : order.empty() ? std::span<const int>(natural) : order) {
    const std::size_t k = static_cast<std::size_t>(i);
    chain.links.push_back(&chain.world.Add(
        BallJoint(i == 0 ? kGround : chain.cubes[k - 1],
                  i == 0 ? Vector3::Zero() : Vector3(-Corner(i - 1)),
                  chain.cubes[k], Corner(i))));
  }
  return chain;
}

const WorldSettings kSoftGravity{.gravity = Vector3(0, -1, 0)};

// Dynamo-051: no error is small enough, five iterations are allowed: exactly
// five are made. (The direct solvers do not iterate.)
TEST(InverseDynamics, IterativeSolverMakesTheGivenNumberOfSweeps) {
  for (const int sweeps : {1, 5, 20}) {
    WorldSettings settings = kSoftGravity;
    settings.scheme = Scheme::kEuler;
    settings.solver = SolverKind::kGaussSeidel;
    settings.gauss_seidel_sweeps = sweeps;
    CubeChain chain = MakeCubeChain(5, settings);
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(chain.world.Step(0.02).solves, sweeps);
    }
  }
}

// Dynamo-053: the cube pendulum needs no more solves a frame than the shooting
// method needs iterations with its better start (2.38), and the start from the
// last frame's impulses makes the iterative solver more exact, not less.
TEST(InverseDynamics, WarmStartIsNoWorseThanNone) {
  CubeChain pendulum = MakeCubeChain(1, kSoftGravity);
  double solves = 0.0;
  double error = 0.0;
  constexpr int kFrames = 1000;
  for (int i = 0; i < kFrames; ++i) {
    solves += pendulum.world.Step(0.02).solves;
    error = std::max(error, pendulum.world.MaxError());
  }
  EXPECT_LE(solves / kFrames, 2.38);
  EXPECT_LT(error, 1e-3);

  const auto mean_residual = [](bool warm) {
    WorldSettings settings = kSoftGravity;
    settings.scheme = Scheme::kEuler;
    settings.solver = SolverKind::kGaussSeidel;
    settings.gauss_seidel_sweeps = 5;
    CubeChain chain = MakeCubeChain(5, settings);
    double sum = 0.0;
    for (int i = 0; i < 200; ++i) {
      if (!warm) {
        // The same state in a world that has no past.
        CubeChain next = MakeCubeChain(5, settings);
        for (const BodyId cube : chain.cubes) {
          const BodyMotion& now = chain.world.motion(cube);
          next.world.SetPose(cube, chain.world.X_WB(cube));
          next.world.SetVelocity(cube, now.v_WC, now.w_WB);
        }
        chain = std::move(next);
      }
      sum += chain.world.Step(0.02).residual;
    }
    return sum / 200.0;
  };
  EXPECT_LT(mean_residual(true), mean_residual(false));
}

// Dynamo-058: how the state after a step depends on forces, torques and
// impulses, against central differences of the step itself. Ours is
// p+ = p + h v+, so that dp/dF = h^2/m.
TEST(InverseDynamics, PartialDerivativesOfAStepAreThoseOfTheFormulas) {
  const double h = 0.01;
  const Vector3 q(0.3, -0.1, 0.2);
  const Vector3 p(-0.2, 0.25, 0.1);
  struct After {
    Vector3 position, velocity, spin, turn, point_velocity;
  };
  enum class What { kForce, kTorque, kForceAtQ, kImpulseAtQ };
  for (const double speed : {0.0, 10.0}) {
    BodySpec spec;
    spec.mass.mass = 2.0;
    spec.mass.I_BC = Vector3(0.3, 0.4, 0.5).asDiagonal();
    spec.X_WB.R = ExpRotation(Vector3(0.4, -0.3, 0.2));
    spec.w_WB = speed * Vector3(0.6, 0.0, 0.8);
    const auto run = [&](What what, const Vector3& amount) {
      World world(
          WorldSettings{.gravity = Vector3::Zero(), .scheme = Scheme::kEuler});
      const BodyId body = world.AddBody(spec);
      const Matrix3 R = world.motion(body).R_WB;
      if (what == What::kForce) {
        world.ApplyForce(body, Vector3::Zero(), amount);
      } else if (what == What::kTorque) {
        world.ApplyTorque(body, amount);
      } else if (what == What::kForceAtQ) {
        world.ApplyForce(body, q, amount);
      } else {
        world.ApplyImpulse(body, q, amount);
        const BodyMotion& hit = world.motion(body);
        return After{hit.p_WC, hit.v_WC, hit.w_WB, Vector3::Zero(),
                     hit.PointVelocity(hit.Point(p))};
      }
      world.Step(h);
      const BodyMotion& end = world.motion(body);
      return After{end.p_WC, end.v_WC, end.w_WB,
                   LogRotation(Quaternion(end.R_WB * R.transpose())),
                   end.PointVelocity(end.Point(p))};
    };
    const double step = 1e-3;
    const auto derivative = [&](What what, Vector3 After::*part) {
      Matrix3 D;
      for (int i = 0; i < 3; ++i) {
        D.col(i) = (run(what, step * Vector3::Unit(i)).*part -
                    run(what, -step * Vector3::Unit(i)).*part) /
                   (2.0 * step);
      }
      return D;
    };
    const auto skew = [](const Vector3& a) {
      Matrix3 m;
      m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
      return m;
    };
    const Matrix3 R = spec.X_WB.R.toRotationMatrix();
    const Matrix3 W = R * spec.mass.I_BC.inverse() * R.transpose();
    const Matrix3 one = Matrix3::Identity();
    // At h |w| = 0.1 the formulas, which hold the pose, err by that much.
    const double tolerance = speed == 0.0 ? 1e-5 : 0.1;
    const auto expect = [&](const Matrix3& D, const Matrix3& formula) {
      EXPECT_LT((D - formula).norm(), tolerance * formula.norm());
    };
    const double m = spec.mass.mass;
    expect(derivative(What::kForce, &After::velocity), h / m * one);
    expect(derivative(What::kForce, &After::position), h * h / m * one);
    expect(derivative(What::kTorque, &After::spin), h * W);
    expect(derivative(What::kTorque, &After::turn), h * h * W);
    expect(derivative(What::kForceAtQ, &After::spin), h * W * skew(R * q));
    expect(derivative(What::kForceAtQ, &After::velocity), h / m * one);
    // d(p_t')/di = 1/m - [R p] W [R q]: what an entry of K is made of.
    expect(derivative(What::kImpulseAtQ, &After::point_velocity),
           1.0 / m * one - skew(R * p) * W * skew(R * q));
  }
}

// Counts how often its rows are asked for.
class CountedBall : public PointToPoint {
 public:
  CountedBall(const BodyPoint& a, const BodyPoint& b, int& count)
      : PointToPoint(a, b), count_(&count) {}
  void AddRows(BodyMotions bodies, double time,
               RowBuffer& rows) const override {
    ++*count_;
    PointToPoint::AddRows(bodies, time, rows);
  }

 private:
  int* count_;
};

// Dynamo-060: what a body or a constraint gives to a solve is worked out once,
// however many neighbours ask for it.
TEST(InverseDynamics, RowsAreEvaluatedOncePerSolve) {
  for (const int arms : {1, 10}) {
    for (const Scheme scheme : {Scheme::kEuler, Scheme::kLeapfrog}) {
      World world(WorldSettings{.scheme = scheme});
      int count = 0;
      const BodyId hub = world.AddBody(Cube(Vector3::Zero()));
      for (int i = 0; i < arms; ++i) {
        const BodyId arm = world.AddBody(Cube(Vector3(2.0, i, 0)));
        world.Add(CountedBall({hub, Vector3(1, i, 0)}, {arm, Vector3(-1, 0, 0)},
                              count));
      }
      world.Step(0.01);
      count = 0;
      world.Step(0.01);
      // The leapfrog solves twice: the kick and the closing.
      EXPECT_EQ(count, scheme == Scheme::kEuler ? arms : 2 * arms);
    }
  }
}

// Dynamo-061: Jacobians by differences or by formulas, to choose by the user:
// the same motion.
TEST(InverseDynamics, NumericAndGivenDerivativesGiveTheSameMotion) {
  const auto run = [](bool given) {
    World world(kSoftGravity);
    const BodyId body = world.AddBody(Cube(Vector3(1, 0.5, 0)));
    const Vector3 corner(1, 1, 1);
    const FunctionConstraint::Error error = [=](BodyMotions bodies, double,
                                                std::span<double> phi) {
      phi[0] =
          0.5 * (MotionOf(bodies, body).Point(corner).squaredNorm() - 7.25);
    };
    FunctionConstraint::Jacobian gradient;
    if (given) {
      gradient = [=](BodyMotions bodies, double, int,
                     std::span<RowBuffer::Entry> entries) {
        const BodyMotion& motion = MotionOf(bodies, body);
        const Vector3 x = motion.Point(corner);
        entries[0].linear = x;
        entries[0].angular = (x - motion.p_WC).cross(x);
      };
    }
    world.Add(FunctionConstraint({body}, 1, error, gradient));
    for (int i = 0; i < 500; ++i) world.Step(0.02);
    EXPECT_LT(world.MaxError(), 1e-6);
    return world.motion(body).p_WC;
  };
  EXPECT_LT((run(true) - run(false)).norm(), 1e-4);
}

// Dynamo-062: a step that meets positions alone, at frame times, lets the speed
// swing with the ratio -1; with a term for the velocity it is dead after two
// frames. Ours: half-step multipliers without and with the projection of the
// velocities, and the default of kEuler, which is dead-beat of itself.
TEST(InverseDynamics, VelocityTermsEndTheSwingingBetweenFrames) {
  const double h = 0.01;
  const auto speeds = [&](Scheme scheme, bool projection, Vector3* place) {
    World world(WorldSettings{.gravity = Vector3::Zero(),
                              .scheme = scheme,
                              .velocity_projection = projection});
    BodySpec spec;
    spec.point_mass = true;
    spec.v_WC = Vector3(1, 0, 0);
    const BodyId point = world.AddBody(spec);
    world.Add(PointNail({point}, Vector3::Zero()));
    std::vector<double> v;
    for (int i = 0; i < 4; ++i) {
      world.Step(h);
      v.push_back(world.motion(point).v_WC.x());
      if (i == 1) *place = world.motion(point).p_WC;
    }
    return v;
  };
  Vector3 p;
  const std::vector<double> swinging =
      speeds(Scheme::kImprovedImplicit, false, &p);
  EXPECT_NEAR(swinging[0], -1.0, 1e-12);
  EXPECT_NEAR(swinging[1], 1.0, 1e-12);
  EXPECT_NEAR(swinging[3], 1.0, 1e-12);
  for (const Scheme scheme : {Scheme::kImprovedImplicit, Scheme::kEuler}) {
    EXPECT_NEAR(speeds(scheme, true, &p)[1], 0.0, 1e-12);
    EXPECT_LT(p.norm(), 1e-12);
  }
}

// Dynamo-070: thirty equations with a heavy diagonal to 1e-10; a singular
// system is said to be one.
TEST(InverseDynamics, DominantSystemIsSolvedAndASingularOneIsSeen) {
  std::mt19937 random(70);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  constexpr int kRows = 30;
  MatrixX K =
      MatrixX::NullaryExpr(kRows, kRows, [&] { return uniform(random); });
  K = (0.5 * (K + K.transpose())).eval();
  K.diagonal().array() += kRows;
  const VectorX c =
      VectorX::NullaryExpr(kRows, [&] { return uniform(random); });
  const VectorX lo = VectorX::Constant(kRows, -kInfinity);
  const VectorX hi = VectorX::Constant(kRows, kInfinity);
  DantzigSolver solver;
  const LcpResult& result = solver.Solve({K, c, lo, hi});
  EXPECT_EQ(result.status, LcpStatus::kSolved);
  EXPECT_LT((K * result.lambda() + c).norm(), 1e-10);

  MatrixX singular = K;
  singular.row(kRows - 1) = singular.row(0);
  singular.col(kRows - 1) = singular.col(0);
  VectorX equal = c;
  equal[kRows - 1] = equal[0];
  const LcpResult& seen = solver.Solve({singular, equal, lo, hi});
  EXPECT_EQ(seen.status, LcpStatus::kRegularised);
  EXPECT_LT((singular * seen.lambda() + equal).norm(), 1e-6);
}

// Dynamo-071: twice the chain costs no more than 2.3 times the work. The least
// of many measurements, so that what else runs here does not count.
TEST(InverseDynamics, CostOfAChainGrowsLinearly) {
  struct Timed {
    CubeChain chain;
    double least = kInfinity;

    void Step() {
      const auto start = std::chrono::steady_clock::now();
      chain.world.Step(0.002);
      const std::chrono::duration<double> time =
          std::chrono::steady_clock::now() - start;
      least = std::min(least, time.count());
    }
  };
  // In turn, so that both are measured on the machine as it is.
  Timed small{MakeCubeChain(100, kSoftGravity)};
  Timed large{MakeCubeChain(200, kSoftGravity)};
  for (int i = 0; i < 600; ++i) {
    small.Step();
    large.Step();
  }
  EXPECT_LE(large.least / small.least, 2.3);
}

// Dynamo-072: links given in any order are put in the order of the tree: the
// same motion at the same cost, and a ring has one loop to close, not fifty.
TEST(InverseDynamics, OrderOfInsertionDoesNotMatter) {
  std::vector<int> order(50);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(72));
  WorldSettings settings = kSoftGravity;
  settings.solver = SolverKind::kTree;
  for (const bool ring : {false, true}) {
    CubeChain sorted = MakeCubeChain(50, settings);
    CubeChain mixed = MakeCubeChain(50, settings, order);
    for (CubeChain* chain : {&sorted, &mixed}) {
      if (!ring) continue;
      // Closed by the ground between its ends, as they lie.
      const Vector3 end =
          chain->world.motion(chain->cubes.back()).Point(-Corner(49));
      chain->world.Add(
          BallJoint(kGround, end, chain->cubes.back(), -Corner(49)));
    }
    for (int i = 0; i < 20; ++i) {
      const StepReport a = sorted.world.Step(0.002);
      const StepReport b = mixed.world.Step(0.002);
      EXPECT_EQ(a.factorisations, b.factorisations);
      EXPECT_EQ(a.status, LcpStatus::kSolved);
      EXPECT_EQ(b.status, LcpStatus::kSolved);
    }
    for (std::size_t i = 0; i < sorted.cubes.size(); ++i) {
      EXPECT_LT((sorted.world.motion(sorted.cubes[i]).v_WC -
                 mixed.world.motion(mixed.cubes[i]).v_WC)
                    .norm(),
                1e-9);
    }
  }
}

// Dynamo-075: a system that becomes redundant at frame 100 and regular again at
// frame 200 is solved in another way meanwhile, by itself: the dense solver
// says so, the trees leave out rows that the joints hold already.
TEST(InverseDynamics, RedundantFramesAreSolvedInAnotherWayAndOnlyThose) {
  for (const SolverKind solver : {SolverKind::kDense, SolverKind::kAutomatic}) {
    WorldSettings settings = kSoftGravity;
    settings.solver = solver;
    CubeChain chain = MakeCubeChain(3, settings);
    BallJoint& twin = chain.world.Add(
        BallJoint(chain.cubes[0], -Corner(0), chain.cubes[1], Corner(1)));
    twin.set_enabled(false);
    chain.world.At(100 * 0.01, [&](World&) { twin.set_enabled(true); });
    chain.world.At(200 * 0.01, [&](World&) { twin.set_enabled(false); });
    for (int i = 0; i < 300; ++i) {
      const LcpStatus status = chain.world.Step(0.01).status;
      ASSERT_LT(chain.world.MaxError(), 1e-5);
      const bool redundant = i >= 100 && i < 200;
      if (!redundant) {
        ASSERT_EQ(status, LcpStatus::kSolved) << "frame " << i;
      } else if (solver == SolverKind::kDense) {
        ASSERT_EQ(status, LcpStatus::kRegularised) << "frame " << i;
        // Both carry one half.
        ASSERT_NEAR(twin.impulses()[0], chain.links[1]->impulses()[0], 1e-8);
      } else {
        for (const double impulse : twin.impulses()) {
          ASSERT_LT(std::abs(impulse), 1.0) << "frame " << i;
        }
      }
    }
  }
}

// Dynamo-077: the block of K that belongs to one constraint has a positive
// diagonal and is positive definite, in any pose.
TEST(InverseDynamics, OwnBlockOfEveryConstraintIsPositiveDefinite) {
  std::mt19937 random(77);
  std::uniform_real_distribution<double> uniform(0.2, 2.0);
  for (const test::Kind& kind : test::AllKinds()) {
    for (int round = 0; round < 100; ++round) {
      std::vector<BodyMotion> bodies = test::RandomMotions(3, random);
      const std::unique_ptr<Constraint> constraint = kind.make(bodies);
      for (BodyMotion& body : bodies) {
        body.v_WC.setZero();
        body.w_WB.setZero();
      }
      RowBuffer rows;
      constraint->AddRows(bodies, 0.0, rows);
      std::vector<double> mass;
      std::vector<Matrix3> W;
      for (const BodyMotion& body : bodies) {
        mass.push_back(uniform(random));
        const Vector3 inertia(uniform(random), uniform(random), 1.0);
        W.push_back(body.R_WB * inertia.cwiseInverse().asDiagonal() *
                    body.R_WB.transpose());
      }
      MatrixX K = MatrixX::Zero(rows.size(), rows.size());
      for (int i = 0; i < rows.size(); ++i) {
        for (int j = 0; j < rows.size(); ++j) {
          for (const RowBuffer::Entry& a : rows.entries(i)) {
            for (const RowBuffer::Entry& b : rows.entries(j)) {
              if (a.body != b.body) continue;
              const std::size_t n = static_cast<std::size_t>(a.body);
              K(i, j) += a.linear.dot(b.linear) / mass[n] +
                         a.angular.dot(W[n] * b.angular);
            }
          }
        }
      }
      EXPECT_GT(K.diagonal().minCoeff(), 0.0) << kind.name;
      EXPECT_EQ(Eigen::LLT<MatrixX>(K).info(), Eigen::Success)
          << kind.name << " round " << round;
    }
  }
}

}  // namespace
}  // namespace limber::dynamics
