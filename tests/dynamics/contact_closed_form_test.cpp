// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "dynamics/joints/ball_joint.h"
#include "tests/dynamics/contact_worlds.h"

namespace limber::dynamics::test {
namespace {

// A top that spins on its point on a rough table precesses steadily: with I1
// the inertia across and I3 that along its axis, both about the point, at the
// tilt theta
//
//     I1 cos(theta) W^2 - I3 w3 W + m g l = 0 ,
//
// W the speed of precession and w3 the spin along the axis. It does not nod,
// its point stays where it is, and what is off is so by h^2.
TEST(ContactClosedForm, SpinningTopPrecessesAsItShould) {
  const double m = 0.5, l = 0.08, I_along = 5e-4, I_across = 4e-4;
  const double theta = 0.35, w3 = 200.0;
  const double I1 = I_across + m * l * l;
  const double a = I1 * std::cos(theta), b = I_along * w3;
  const double W =
      (b - std::sqrt(b * b - 4.0 * a * m * kGravity * l)) / (2.0 * a);

  // A cone on its tip.
  std::vector<Vector3> corners{Vector3(0.0, -l, 0.0)};
  for (int k = 0; k < 12; ++k) {
    const double angle = kPi * k / 6.0;
    corners.emplace_back(0.05 * std::cos(angle), 0.02, 0.05 * std::sin(angle));
  }
  BodySpec body;
  body.mass.mass = m;
  body.mass.I_BC = Vector3(I_across, I_along, I_across).asDiagonal();
  body.X_WB.R = ExpRotation(Vector3(0.0, 0.0, -theta));
  const Vector3 axis = body.X_WB.R * Vector3::UnitY();
  body.X_WB.p = l * axis;
  body.w_WB = W * Vector3::UnitY() + (w3 - W * std::cos(theta)) * axis;
  body.v_WC = body.w_WB.cross(l * axis);

  // Between two steps the axis runs round its free cone by I3 w3 h / I_across,
  // a radian at 240 Hz, so that steps have to be shorter.
  for (const double frequency : {960.0, 1920.0}) {
    World world;
    AddFloor(world, Rough(2.0));
    const BodyId top = world.AddBody(body);
    ColliderSpec spec;
    spec.shape = Shape::ConvexHull(corners);
    spec.surface = Rough(2.0);
    world.AddCollider(top, spec);

    const double h = 1.0 / frequency;
    double turned = 0.0, nod = 0.0, wander = 0.0;
    Vector3 last = axis;
    const double length = 2.0;
    for (int i = 0; i < static_cast<int>(length * frequency); ++i) {
      world.Step(h);
      const Vector3 now = world.motion(top).R_WB * Vector3::UnitY();
      // A positive turn about y goes from x to -z.
      turned += std::atan2(last.z() * now.x() - last.x() * now.z(),
                           last.x() * now.x() + last.z() * now.z());
      last = now;
      nod = std::max(nod, std::abs(std::acos(now.y()) - theta));
      const Vector3 tip = world.X_WB(top) * Vector3(0.0, -l, 0.0);
      wander = std::max(wander, tip.norm());
    }
    const double coarse = std::pow(960.0 * h, 2.0);
    EXPECT_NEAR(turned / (W * length), 1.0, 2e-3 * coarse) << frequency;
    EXPECT_LT(nod, 2e-3 * coarse) << frequency;
    EXPECT_LT(wander, 5e-4 * coarse) << frequency;
  }
}

// A ball of 100 kg swings on ten links of 0.1 kg, let go at 45 degrees.
TEST(ContactClosedForm, HeavyBallOnAChainOfLightLinksHolds) {
  World world;
  const double length = 0.1;
  std::vector<BallJoint*> joints;
  BodyId last = kGround;
  const Vector3 half(0.5 * length, 0.0, 0.0);
  const Quaternion lean = ExpRotation(Vector3(0.0, 0.0, -0.25 * kPi));
  const Vector3 top(0.0, 3.0, 0.0);
  for (int i = 0; i < 10; ++i) {
    BodySpec link;
    link.mass = MassOf(*Shape::Capsule(0.01, 0.04), 1.0);
    link.mass.I_BC *= 0.1 / link.mass.mass;
    link.mass.mass = 0.1;
    link.X_WB = {lean, top + lean * Vector3(length * (i + 0.5), 0.0, 0.0)};
    const BodyId body = world.AddBody(link);
    joints.push_back(
        &world.Add(BallJoint(last, last == kGround ? top : half, body, -half)));
    last = body;
  }
  const BodyId ball = AddSolid(world, Shape::Sphere(0.15),
                               100.0 / (4.0 / 3.0 * kPi * std::pow(0.15, 3)),
                               {lean, top + lean * Vector3(1.15, 0.0, 0.0)});
  joints.push_back(
      &world.Add(BallJoint(last, half, ball, Vector3(-0.15, 0.0, 0.0))));
  double farthest = 0.0;
  for (int i = 0; i < static_cast<int>(10.0 / kStep); ++i) {
    world.Step(kStep);
    ASSERT_LT(world.MaxError(), 1e-3) << i;
    const Vector3 end = world.X_WB(ball) * Vector3(-0.15, 0.0, 0.0);
    farthest = std::max(farthest, (end - top).norm());
  }
  // Neither stretched by more than a millimetre, nor slack for ever.
  EXPECT_LT(farthest, 1.0 + 1e-3);
  EXPECT_GT(farthest, 0.99);
}

/// A card that leans by `lean` about z, standing on its lower edge.
BodyId AddCard(World& world, const Vector3& middle, double lean,
               const Vector3& half) {
  Transform X_WB;
  X_WB.R = ExpRotation(Vector3(0.0, 0.0, lean));
  X_WB.p = middle;
  return AddSolid(world, Shape::Box(half), 900.0, X_WB, Rough(0.6));
}

// A house of cards in two storeys, as in the figure of Barzel and Barr: three
// pairs that lean on each other and a card that lies between the storeys. It
// stands for ten seconds.
TEST(ContactClosedForm, HouseOfCardsStands) {
  WorldSettings settings;
  settings.contact.sleeping = false;
  World world(settings);
  AddFloor(world, Rough(0.6));
  const Vector3 half(0.0015, 0.045, 0.03);  // Thick, high, wide.
  const double lean = 0.3;
  const double high =
      2.0 * (half.y() * std::cos(lean) + half.x() * std::sin(lean));
  const double out = half.y() * std::sin(lean) + half.x() * std::cos(lean);
  std::vector<BodyId> cards;
  const auto pair = [&](double x, double floor) {
    cards.push_back(
        AddCard(world, Vector3(x - out, floor + 0.5 * high, 0.0), -lean, half));
    cards.push_back(
        AddCard(world, Vector3(x + out, floor + 0.5 * high, 0.0), lean, half));
  };
  const double apart = 0.036;
  pair(-apart, 0.0);
  pair(apart, 0.0);
  Transform level = At(0.0, high + half.x(), 0.0);
  cards.push_back(AddSolid(world, Shape::Box(Vector3(0.06, half.x(), half.z())),
                           900.0, level, Rough(0.6)));
  pair(0.0, high + 2.0 * half.x());
  Advance(world, 0.5);
  std::vector<Vector3> start;
  for (const BodyId card : cards) start.push_back(world.motion(card).p_WC);
  Advance(world, 10.0);
  for (std::size_t i = 0; i < cards.size(); ++i) {
    EXPECT_LT((world.motion(cards[i]).p_WC - start[i]).norm(), 2e-3) << i;
  }
}

}  // namespace
}  // namespace limber::dynamics::test
