// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0

// Dry friction beside a drive, against closed forms and at all step lengths.
// A body of inertia 2 turns about z, on a hinge or as one axis of a ball joint.

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "dynamics/joints/ball_joint.h"
#include "dynamics/joints/hinge_joint.h"
#include "tests/dynamics/joint_scene.h"

namespace limber::dynamics::test {
namespace {

using Drive = PoweredAxis::Drive;

constexpr double kInertia = 2.0;
constexpr double kPull = 3.0;      // T
constexpr double kFriction = 1.0;  // F

struct Variant {
  std::string name;
  bool ball;
  Scheme scheme;
  SolverKind solver;
  double h;
};

// For the messages of GoogleTest.
void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.name;
}

class Turning {
 public:
  explicit Turning(const Variant& v) : world(SettingsOf(v)), h(v.h) {
    body = world.AddBody(Solid(2.0, Vector3::Constant(kInertia)));
    if (v.ball) {
      ball_ = &Join<BallJoint>(world, kGround, {}, body);
      joint_ = ball_;
      k_ = 2;
    } else {
      joint_ = &Join<HingeJoint>(world, kGround, {}, body);
    }
    // The other two of a ball are there to be kept apart.
    for (int k = 0; k < joint_->num_free(); ++k) {
      joint_->axis(k).drive = Drive::kSpeed;
      joint_->axis(k).max_force = 0.0;
      joint_->axis(k).friction = 0.5;
    }
    axis().max_force = kPull;
    axis().friction = kFriction;
  }

  PoweredAxis& axis() { return joint_->axis(k_); }
  void AimAt(double angle) {
    axis().drive = Drive::kPosition;
    axis().target_position = angle;
    if (ball_) ball_->set_target(ExpRotation({0.0, 0.0, angle}));
  }
  void Spin(double speed) {
    world.SetVelocity(body, Vector3::Zero(), Vector3(0.0, 0.0, speed));
  }
  // `load` is what acts on the body about z.
  void Step(double load = 0.0) {
    world.ApplyTorque(body, Vector3(0.0, 0.0, load));
    world.Step(h);
  }
  double q() const { return LogRotation(world.X_WB(body).R).z(); }
  double speed() const { return world.motion(body).w_WB.z(); }

  World world;
  double h;
  BodyId body;

 private:
  static WorldSettings SettingsOf(const Variant& v) {
    WorldSettings settings = Weightless(v.scheme);
    settings.solver = v.solver;
    return settings;
  }
  Joint* joint_ = nullptr;
  BallJoint* ball_ = nullptr;
  int k_ = 0;
};

std::vector<Variant> Variants() {
  std::vector<Variant> variants;
  for (const int rate : {60, 120, 240, 480, 960}) {
    const double h = 1.0 / rate;
    const std::string at = " at " + std::to_string(rate) + " Hz";
    constexpr auto kTree = SolverKind::kAutomatic;
    constexpr auto kDense = SolverKind::kDense;
    variants.push_back({"hinge" + at, false, Scheme::kLeapfrog, kTree, h});
    variants.push_back({"ball" + at, true, Scheme::kLeapfrog, kTree, h});
    variants.push_back({"dense" + at, false, Scheme::kLeapfrog, kDense, h});
    variants.push_back({"dense ball" + at, true, Scheme::kLeapfrog, kDense, h});
    variants.push_back({"euler" + at, false, Scheme::kEuler, kDense, h});
  }
  return variants;
}

class DriveFriction : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(All, DriveFriction, testing::ValuesIn(Variants()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::erase(name, ' ');
                           return name;
                         });

// Within T - F .. T + F a load does not move the joint; below it goes to the
// aim, above it gives way, with what is left over.
TEST_P(DriveFriction, SticksWhileTheLoadIsWithinFrictionOfThePull) {
  for (const double sign : {1.0, -1.0}) {
    for (const double load : {0.0, 1.0, 1.9, 2.1, 3.0, 3.9, 4.1, 6.0}) {
      SCOPED_TRACE(std::to_string(sign * load));
      Turning scene(GetParam());
      scene.AimAt(sign * 1.0);
      const double pull =
          std::clamp(load, kPull - kFriction, kPull + kFriction);
      const double a = sign * (pull - load) / kInertia;
      const double end = 0.5;
      for (double t = scene.h; t < end + 0.5 * scene.h; t += scene.h) {
        scene.Step(-sign * load);
        const double tolerance = 1.01 * std::abs(a) * scene.h * t + 1e-9;
        ASSERT_NEAR(scene.q(), 0.5 * a * t * t, tolerance) << t;
      }
      if (a == 0.0) {
        EXPECT_NEAR(scene.speed(), 0.0, 1e-12);
      }
    }
  }
}

// T = 0 is a brake: w = w0 - F t / I until it rests, then whatever the load up
// to F.
TEST_P(DriveFriction, BrakeSlowsDownLinearlyAndHolds) {
  Turning scene(GetParam());
  scene.axis().max_force = 0.0;
  scene.axis().target_speed = 5.0;  // Nothing drives there.
  scene.Spin(0.25);
  for (double t = 0.0; t < 1.0; t += scene.h) {
    ASSERT_NEAR(scene.speed(), std::max(0.0, 0.25 - 0.5 * t), 0.51 * scene.h);
    scene.Step();
  }
  EXPECT_NEAR(scene.speed(), 0.0, 1e-12);
  EXPECT_NEAR(scene.q(), 0.25 * 0.25 / (2.0 * 0.5), 0.3 * scene.h);
  const double rest = scene.q();
  for (int i = 0; i < 100; ++i) scene.Step(i % 2 == 0 ? 0.99 : -0.99);
  EXPECT_NEAR(scene.q(), rest, 1e-12);
  for (int i = 0; i < 100; ++i) scene.Step(1.5);
  EXPECT_NEAR(scene.speed(), 100 * scene.h * 0.5 / kInertia,
              scene.h * 0.5 / kInertia);
}

// Thrown back it is slowed by T + F, then goes forwards with T - F up to the
// speed it aims at; faster than that it is slowed by T + F.
TEST_P(DriveFriction, HelpsTheDriveAgainstAndHindersItAlong) {
  const double h = GetParam().h;
  Turning back(GetParam());
  back.axis().target_speed = 1.0;
  back.Spin(-0.8);
  for (double t = 0.0; t < 3.0; t += h) {
    const double stop = 0.8 / 2.0;
    ASSERT_NEAR(back.speed(),
                t < stop ? -0.8 + 2.0 * t : std::min(1.0, t - stop), 4.0 * h)
        << t;
    back.Step();
  }
  EXPECT_NEAR(back.speed(), 1.0, 1e-9);
  Turning fast(GetParam());
  fast.axis().target_speed = 1.0;
  fast.Spin(2.0);
  for (double t = 0.0; t < 1.0; t += h) {
    ASSERT_NEAR(fast.speed(), std::max(1.0, 2.0 - 2.0 * t), 2.1 * h) << t;
    fast.Step();
  }
  EXPECT_NEAR(fast.speed(), 1.0, 1e-9);
}

// A spring of stiffness k swings between turning points that come nearer by
// 2 F / k, and stops where it pulls with less than F.
TEST_P(DriveFriction, SwingLosesTheSameWithEveryHalfPeriod) {
  constexpr double kStiffness = 50.0;
  Turning scene(GetParam());
  scene.axis().max_force = 0.0;
  scene.axis().friction = 1.0;
  scene.Spin(std::sqrt(kStiffness / kInertia) * 0.25);
  std::vector<double> turns;
  double before = 0.0;
  for (int i = 0; i < static_cast<int>(std::lround(6.0 / scene.h)); ++i) {
    scene.Step(-kStiffness * scene.q());
    // Where it rests for a moment its speed has any sign.
    if (std::abs(scene.speed()) < 1e-9) continue;
    if (before * scene.speed() < 0.0) turns.push_back(std::abs(scene.q()));
    before = scene.speed();
  }
  // The first turning point: x^2 + 2 (F/k) x = 0.25^2.
  const double lost = kFriction / kStiffness;
  const double first = -lost + std::sqrt(lost * lost + 0.25 * 0.25);
  // It passes every turning point with a change of sign but the last, where it
  // stays.
  const double tolerance = 0.12 * scene.h * std::sqrt(25.0);
  ASSERT_GE(turns.size(), 4u);
  for (std::size_t n = 0; n < turns.size(); ++n) {
    const double expected = first - 2.0 * lost * static_cast<double>(n);
    if (expected < 2.0 * lost) break;
    EXPECT_NEAR(turns[n], expected, tolerance * static_cast<double>(n + 1));
  }
  EXPECT_LE(kStiffness * std::abs(scene.q()), kFriction * (1.0 + 1e-6));
  EXPECT_NEAR(scene.speed(), 0.0, 1e-12);
}

// With damping d the friction is d q' up to F.
TEST_P(DriveFriction, DampingMakesItViscousUpToItsBound) {
  Turning scene(GetParam());
  scene.axis().max_force = 0.0;
  scene.axis().damping = 8.0;
  for (double t = 0.0; t < 4.0; t += scene.h) scene.Step(0.8);
  EXPECT_NEAR(scene.speed(), 0.1, 1e-5);
  const double before = scene.speed();
  for (int i = 0; i < 100; ++i) scene.Step(2.0);
  EXPECT_NEAR(scene.speed() - before, 100 * scene.h * 0.5,
              0.1 * 0.5 + 2.0 * scene.h);
  // Beside a pull: T - d q' = load.
  Turning pulled(GetParam());
  pulled.axis().damping = 8.0;
  pulled.axis().target_speed = 5.0;
  for (double t = 0.0; t < 4.0; t += pulled.h) pulled.Step(-2.4);
  EXPECT_NEAR(pulled.speed(), 0.6 / 8.0, 1e-5);
}

// Near the target friction does not show: it is met, under a load as well, and
// the joint rests there.
TEST_P(DriveFriction, MeetsItsTargetAndRestsThere) {
  for (const double load : {0.0, 1.5, -1.5}) {
    Turning scene(GetParam());
    // The error dies away as in e'' = -2 e'/tau - e/tau^2.
    constexpr double kGoal = 0.1;
    const double rho = std::exp(-scene.h / 0.1);
    double before = scene.q();
    double fastest = 0.0;
    double farthest = 0.0;
    for (double t = 0.0; t < 4.0; t += scene.h) {
      const double now = scene.q();
      scene.AimAt(kGoal + 2.0 * rho * (now - kGoal) -
                  rho * rho * (before - kGoal));
      before = now;
      scene.Step(-load);
      ASSERT_LT(scene.q(), kGoal + 1e-9);
      if (t < 3.0) continue;
      fastest = std::max(fastest, std::abs(scene.speed()));
      farthest = std::max(farthest, std::abs(scene.q() - kGoal));
    }
    EXPECT_LT(fastest, 1e-9);
    EXPECT_LT(farthest, 1e-9);
  }
}

// The whole of it is in what a world saves.
TEST_P(DriveFriction, SavedWorldGoesOnAsItWould) {
  Turning scene(GetParam());
  scene.AimAt(1.0);
  for (int i = 0; i < 20; ++i) scene.Step(-3.0);
  const auto state = scene.world.Save();
  const auto go_on = [&scene] {
    for (int i = 0; i < 20; ++i) scene.Step(i < 10 ? -3.9 : -4.5);
    return scene.q();
  };
  const double q = go_on();
  for (int i = 0; i < 5; ++i) scene.Step(5.0);
  scene.world.Restore(*state);
  EXPECT_EQ(go_on(), q);
}

}  // namespace
}  // namespace limber::dynamics::test
