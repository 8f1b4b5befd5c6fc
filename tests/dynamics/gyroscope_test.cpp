// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// The gyroscope of [Dumont, Arnaldi, Hegron 1990], section 3.3: a base that
// spins about y, two bars pinned on it, a box sliding on each bar on a spring.
// As in the paper +y points down. Proves D-30 and D-32 with the printed
// equation of motion and with the equilibria worked out from it.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "dynamics/joints/hinge_joint.h"
#include "dynamics/joints/slider_joint.h"
#include "dynamics/world.h"

namespace limber::dynamics {
namespace {

// Table 5: mass, then inertias; bars and boxes have their long axis along y.
const Vector3 kBaseInertia(1.048302, 1.583837, 1.060937);
const Vector3 kBarInertia(5.666636, 0.666667, 5.666636);
const Vector3 kBoxInertia(1.666639, 2.666668, 1.666639);
constexpr double kStiffness = 100.0;

struct Coordinates {
  double a0 = 0, a1 = 0, a2 = 0, l3 = 0, l4 = 0;
};

BodySpec Part(double mass, const Vector3& inertia) {
  BodySpec spec;
  spec.mass.mass = mass;
  spec.mass.I_BC = inertia.asDiagonal();
  return spec;
}

// Frame whose z axis is the y axis of its body.
Transform AlongY(const Vector3& p) {
  return {ExpRotation(Vector3(-kPi / 2, 0, 0)), p};
}

struct Gyroscope {
  Gyroscope(const Coordinates& q, const Coordinates& rate)
      : world(WorldSettings{.gravity = Vector3(0, 9.81, 0),
                            .scheme = Scheme::kAcceleration}) {
    const Quaternion R0 = ExpRotation(Vector3(0, q.a0, 0));
    const Vector3 w0(0, rate.a0, 0);
    BodySpec spec = Part(3.152412, kBaseInertia);
    spec.X_WB.R = R0;
    spec.w_WB = w0;
    base = world.AddBody(spec);
    spin = &world.Add(HingeJoint(kGround, AlongY(Vector3::Zero()), base,
                                 AlongY(Vector3::Zero())));
    AddSide(1.0, R0, w0, q.a1, rate.a1, q.l3, rate.l3, bar[0], box[0], pin[0],
            slide[0]);
    AddSide(-1.0, R0, w0, q.a2, rate.a2, q.l4, rate.l4, bar[1], box[1], pin[1],
            slide[1]);
  }

  // A bar pinned at (x, 0.5, 0) of the base, its centre 2 along, the box at
  // 2 + l: x - (2 + l) sin a, 0.5 + (2 + l) cos a.
  void AddSide(double x, const Quaternion& R0, const Vector3& w0, double a,
               double a_rate, double l, double l_rate, BodyId& bar_id,
               BodyId& box_id, HingeJoint*& pin_joint, SliderJoint*& slider) {
    const Vector3 pivot = R0 * Vector3(x, 0.5, 0);
    const Quaternion R = R0 * ExpRotation(Vector3(0, 0, a));
    const Vector3 w = w0 + R0 * Vector3(0, 0, a_rate);
    const Vector3 along = R * Vector3::UnitY();
    const Vector3 v_pivot = w0.cross(pivot);

    BodySpec spec = Part(4.0, kBarInertia);
    spec.X_WB = {R, pivot + 2.0 * along};
    spec.w_WB = w;
    spec.v_WC = v_pivot + w.cross(2.0 * along);
    bar_id = world.AddBody(spec);
    spec = Part(4.0, kBoxInertia);
    spec.X_WB = {R, pivot + (2.0 + l) * along};
    spec.w_WB = w;
    spec.v_WC = v_pivot + w.cross((2.0 + l) * along) + l_rate * along;
    box_id = world.AddBody(spec);

    pin_joint = &world.Add(
        HingeJoint(base, {Quaternion::Identity(), Vector3(x, 0.5, 0)}, bar_id,
                   {Quaternion::Identity(), Vector3(0, -2, 0)}));
    slider = &world.Add(SliderJoint(bar_id, AlongY(Vector3::Zero()), box_id,
                                    AlongY(Vector3::Zero())));
    slider->axis(0).drive = PoweredAxis::Drive::kSpring;
    slider->axis(0).stiffness = kStiffness;
  }

  double Position(const Joint& joint) const {
    JointForm form;
    joint.Evaluate(world.motion(joint.parent()), world.motion(joint.child()),
                   form);
    return form.free[0].position;
  }

  World world;
  BodyId base;
  BodyId bar[2];
  BodyId box[2];
  HingeJoint* spin = nullptr;
  HingeJoint* pin[2] = {};
  SliderJoint* slide[2] = {};
};

// Second derivative of l3 at time 0 from positions at +-h and +-2h.
double SlideAcceleration(const Coordinates& q, const Coordinates& rate) {
  const double h = 1e-3;
  const auto l3 = [&](double time) {
    Coordinates turned = rate;
    if (time < 0) {
      turned = {-rate.a0, -rate.a1, -rate.a2, -rate.l3, -rate.l4};
    }
    Gyroscope gyroscope(q, turned);
    const int steps = 20;
    for (int i = 0; i < steps; ++i) {
      gyroscope.world.Step(std::abs(time) / steps);
    }
    return gyroscope.Position(*gyroscope.slide[0]);
  };
  const double once = (l3(h) - 2.0 * q.l3 + l3(-h)) / (h * h);
  const double twice = (l3(2 * h) - 2.0 * q.l3 + l3(-2 * h)) / (4 * h * h);
  return (4.0 * once - twice) / 3.0;
}

// D-32: the printed l3 equation holds for our bodies and joints.
TEST(Gyroscope, PrintedEquationOfTheSlidingBoxHolds) {
  const Coordinates q{0.4, -0.5, 0.3, 0.2, 0.1};
  const Coordinates rate{1.3, 0.7, -0.4, 0.5, -0.2};
  const double c1 = std::cos(q.a1);
  const double s1 = std::sin(q.a1);
  const double a0 = rate.a0 * rate.a0;
  const double a1 = rate.a1 * rate.a1;
  const double without_acceleration =
      -4 * c1 * c1 * q.l3 * a0 + 39.24 * c1 - 100 * q.l3 + 8 * a1 + 8 * a0 +
      4 * q.l3 * a1 - 8 * c1 * c1 * a0 - 4 * s1 * a0 + 4 * q.l3 * a0;
  EXPECT_NEAR(SlideAcceleration(q, rate), without_acceleration / 4.0, 1e-6);
}

// D-30: centres of mass as printed.
TEST(Gyroscope, CentresOfMassAreAsPrinted) {
  const Coordinates q{0.4, -0.5, 0.3, 0.2, 0.1};
  const Gyroscope gyroscope(q, {});
  const double c0 = std::cos(q.a0), s0 = std::sin(q.a0);
  const double c2 = std::cos(q.a2), s2 = std::sin(q.a2);
  const Vector3 G4(c0 * (-2 * s2 - 1) - c0 * s2 * q.l4, 0.5 + c2 * (q.l4 + 2),
                   s0 * s2 * q.l4 - s0 * (-2 * s2 - 1));
  EXPECT_LT((gyroscope.world.motion(gyroscope.box[1]).p_WC - G4).norm(), 1e-14);
}

// The pose in which nothing moves in the turning frame: the stationary point
// of  -m g y + k l^2 / 2 - spin^2 I(angle, l) / 2  for one side.
struct Equilibrium {
  double angle;  // outward [rad]
  double l;
};
Equilibrium FindEquilibrium(double spin) {
  const auto potential = [spin](double angle, double l) {
    const double s = std::sin(angle);
    const double c = std::cos(angle);
    const double box_radius = 1 + (2 + l) * s;
    const double bar_radius = 1 + 2 * s;
    const double I = 4 * box_radius * box_radius + 4 * bar_radius * bar_radius +
                     (kBoxInertia.y() + kBarInertia.y()) * c * c +
                     (kBoxInertia.x() + kBarInertia.x()) * s * s;
    return -4 * 9.81 * ((2 + l) * c + 2 * c) + 0.5 * kStiffness * l * l -
           0.5 * spin * spin * I;
  };
  // Newton with differences of the potential.
  Vector2 x(0.1 * spin * spin, 0.4);
  for (int i = 0; i < 60; ++i) {
    const double d = 1e-4;
    Vector2 g;
    Eigen::Matrix2d H;
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 2; ++b) {
        const Vector2 u = d * Vector2::Unit(a);
        const Vector2 v = d * Vector2::Unit(b);
        const auto at = [&](const Vector2& p) { return potential(p[0], p[1]); };
        H(a, b) =
            (at(x + u + v) - at(x + u - v) - at(x - u + v) + at(x - u - v)) /
            (4 * d * d);
        g[a] = (at(x + u) - at(x - u)) / (2 * d);
      }
    }
    x -= H.inverse() * g;
  }
  return {x[0], x[1]};
}

TEST(Gyroscope, EquilibriaAreThoseOfTheInventory) {
  const Equilibrium one = FindEquilibrium(1.0);
  const Equilibrium two = FindEquilibrium(2.0);
  EXPECT_NEAR(one.angle * 180 / kPi, 7.708, 1e-3);
  EXPECT_NEAR(one.l, 0.39594, 1e-5);
  EXPECT_NEAR(two.angle * 180 / kPi, 50.602, 1e-3);
  EXPECT_NEAR(two.l, 0.62335, 1e-5);
}

// At rest, and with the spin held by a motor, everything settles there.
TEST(Gyroscope, SettlesInItsEquilibria) {
  for (const double spin : {0.0, 1.0, 2.0}) {
    Equilibrium expected = FindEquilibrium(spin);
    if (spin == 0.0) expected = {0.0, 0.3924};
    Coordinates start;
    start.a1 = -0.8 * expected.angle;
    start.a2 = 0.8 * expected.angle;
    start.l3 = start.l4 = 0.3;
    Coordinates rate;
    rate.a0 = spin;
    Gyroscope gyroscope(start, rate);
    gyroscope.spin->axis(0).drive = PoweredAxis::Drive::kSpeed;
    gyroscope.spin->axis(0).target_speed = spin;
    for (int side = 0; side < 2; ++side) {
      PoweredAxis& pin = gyroscope.pin[side]->axis(0);
      pin.drive = PoweredAxis::Drive::kSpring;
      pin.damping = 60.0;
      gyroscope.slide[side]->axis(0).damping = 30.0;
    }
    for (int i = 0; i < 3000; ++i) gyroscope.world.Step(0.01);
    EXPECT_NEAR(-gyroscope.Position(*gyroscope.pin[0]), expected.angle, 1e-6);
    EXPECT_NEAR(gyroscope.Position(*gyroscope.pin[1]), expected.angle, 1e-6);
    EXPECT_NEAR(gyroscope.Position(*gyroscope.slide[0]), expected.l, 1e-6);
    EXPECT_NEAR(gyroscope.Position(*gyroscope.slide[1]), expected.l, 1e-6);
  }
}

}  // namespace
}  // namespace limber::dynamics
