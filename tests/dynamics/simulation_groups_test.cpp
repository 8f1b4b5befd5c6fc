// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/simulation_groups.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/forces/spring_damper.h"
#include "dynamics/joints/ball_joint.h"
#include "tests/dynamics/contact_worlds.h"

namespace limber::dynamics::test {
namespace {

constexpr double kFrame = 1.0 / 60.0;
constexpr double kRadius = 0.1;

BodySpec Ball(const Vector3& p, const Vector3& v = Vector3::Zero()) {
  BodySpec spec;
  spec.mass = MassOf(*Shape::Sphere(kRadius), 1000.0);
  spec.X_WB.p = p;
  spec.v_WC = v;
  return spec;
}

ColliderSpec BallShape(double restitution = 1.0) {
  ColliderSpec collider;
  collider.shape = Shape::Sphere(kRadius);
  collider.surface = Rough(0.0, restitution);
  return collider;
}

GroupSettings Weightless(double step) {
  GroupSettings settings;
  settings.world.gravity.setZero();
  settings.step = step;
  return settings;
}

// V-14: two groups that meet give the same result as one, to the step error.
TEST(SimulationGroups, V14_GroupsThatMeetMoveAsOneWorld) {
  const Vector3 p_a(-0.5, 0.0, 0.0);
  const Vector3 p_b(0.5, 0.05, 0.0);
  const Vector3 v_a(1.0, 2.0, 0.0);
  const Vector3 v_b(-1.5, 2.0, 0.0);
  GroupSettings coarse;
  coarse.step = 1.0 / 120.0;
  GroupSettings fine;
  fine.step = 1.0 / 480.0;
  SimulationGroups groups;
  const GroupBody a = groups.AddBody(Ball(p_a, v_a), {BallShape()}, coarse);
  const GroupBody b = groups.AddBody(Ball(p_b, v_b), {BallShape()}, fine);
  EXPECT_EQ(groups.num_groups(), 2);

  World whole;
  const BodyId one = whole.AddBody(Ball(p_a, v_a));
  whole.AddCollider(one, BallShape());
  const BodyId other = whole.AddBody(Ball(p_b, v_b));
  whole.AddCollider(other, BallShape());
  bool were_one = false;
  for (int i = 0; i < 60; ++i) {
    groups.Advance(kFrame);
    for (int k = 0; k < 8; ++k) whole.Step(kFrame / 8);
    were_one = were_one || groups.same_group(a, b);
    const double error_a =
        (groups.motion(a).p_WC - whole.motion(one).p_WC).norm();
    const double error_b =
        (groups.motion(b).p_WC - whole.motion(other).p_WC).norm();
    EXPECT_LT(error_a, 2e-3) << i;
    EXPECT_LT(error_b, 2e-3) << i;
  }
  EXPECT_TRUE(were_one);
  EXPECT_EQ(groups.num_merged(), 1);
  EXPECT_EQ(groups.num_taken_back(), 2);
  // They have bounced off and are apart again.
  EXPECT_EQ(groups.num_split(), 1);
  EXPECT_FALSE(groups.same_group(a, b));
  EXPECT_LT(groups.motion(a).v_WC.x(), -1.0);
}

// V-14: until they meet, each is what it would be alone, with its own method.
TEST(SimulationGroups, V14_EachGroupHasItsOwnMethodAndStep) {
  GroupSettings precise;
  precise.world.scheme = Scheme::kAcceleration;
  precise.step = 1.0 / 600.0;
  GroupSettings coarse;
  coarse.step = kFrame;
  SimulationGroups groups;
  const GroupBody a = groups.AddBody(Ball(Vector3(0, 0, 0)), {}, precise);
  const GroupBody b = groups.AddBody(Ball(Vector3(5, 0, 0)), {}, coarse);
  const auto hang = [](World& world, std::span<const BodyId> bodies) {
    const Vector3 p = world.X_WB(bodies[0]).p;
    world.Add(BallJoint(kGround, Vector3(p.x() >= 2.0 ? 4.0 : -1.0, 0.0, 0.0),
                        bodies[0], Vector3(-1.0, 0.0, 0.0)));
  };
  groups.Join({a}, hang);
  groups.Join({b}, hang);

  World alone_a(precise.world);
  const BodyId body_a = alone_a.AddBody(Ball(Vector3(0, 0, 0)));
  hang(alone_a, std::array{body_a});
  World alone_b(coarse.world);
  const BodyId body_b = alone_b.AddBody(Ball(Vector3(5, 0, 0)));
  hang(alone_b, std::array{body_b});
  for (int i = 0; i < 20; ++i) {
    groups.Advance(kFrame);
    for (int k = 0; k < 10; ++k) alone_a.Step(kFrame / 10);
    alone_b.Step(kFrame);
    EXPECT_EQ(groups.motion(a).p_WC, alone_a.motion(body_a).p_WC);
    EXPECT_EQ(groups.motion(b).p_WC, alone_b.motion(body_b).p_WC);
  }
  EXPECT_EQ(groups.num_taken_back(), 0);
}

// V-14: a merge may lead to the next, all within the frame.
TEST(SimulationGroups, V14_TransactionsAreChained) {
  SimulationGroups groups;
  const GroupSettings settings = Weightless(1.0 / 1920.0);
  std::vector<GroupBody> balls;
  for (int i = 0; i < 4; ++i) {
    balls.push_back(groups.AddBody(
        Ball(Vector3(0.25 * i, 0.0, 0.0), Vector3(i == 0 ? 20.0 : 0.0, 0, 0)),
        {BallShape()}, settings));
  }
  groups.Advance(kFrame);
  EXPECT_EQ(groups.num_merged(), 3);
  // The last one has taken the speed over.
  EXPECT_GT(groups.motion(balls[3]).v_WC.x(), 19.5);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(groups.motion(balls[std::size_t(i)]).v_WC.x(), 0.0, 0.3);
  }
}

// V-21: forces know the bodies they touch; adding a spring merges its groups.
TEST(SimulationGroups, V21_SpringMergesItsGroups) {
  SimulationGroups groups;
  const GroupSettings settings = Weightless(1.0 / 240.0);
  const GroupBody a = groups.AddBody(Ball(Vector3(0, 0, 0)), {}, settings);
  const GroupBody b = groups.AddBody(Ball(Vector3(2, 0, 0)), {}, settings);
  const GroupBody c = groups.AddBody(Ball(Vector3(9, 0, 0)), {}, settings);
  EXPECT_EQ(groups.num_groups(), 3);
  groups.Advance(kFrame);
  groups.Join({a, b}, [](World& world, std::span<const BodyId> bodies) {
    SpringDamperSettings spring;
    spring.stiffness = 100.0;
    spring.rest_length = 1.0;
    world.Add(SpringDamper({bodies[0]}, {bodies[1]}, spring));
  });
  EXPECT_EQ(groups.num_groups(), 2);
  EXPECT_TRUE(groups.same_group(a, b));
  EXPECT_FALSE(groups.same_group(a, c));
  for (int i = 0; i < 30; ++i) groups.Advance(kFrame);
  // It pulls both, and they stay one group however far apart.
  EXPECT_GT(groups.motion(a).v_WC.x() * -groups.motion(b).v_WC.x(), 0.0);
  EXPECT_NEAR(groups.motion(a).v_WC.x(), -groups.motion(b).v_WC.x(), 1e-9);
  EXPECT_TRUE(groups.same_group(a, b));
}

// V-14: idle groups are skipped, and woken by what comes near.
TEST(SimulationGroups, V14_IdleGroupsAreSkippedUntilTouched) {
  SimulationGroups groups;
  ColliderSpec floor;
  floor.shape = Shape::Plane();
  groups.AddGround(floor);
  const auto counts = std::make_shared<int>(0);
  struct Counter : Force {
    explicit Counter(std::shared_ptr<int> given) : calls(std::move(given)) {}
    void AddForces(BodyMotions, double, double, ForceBuffer&) override {
      ++*calls;
    }
    std::shared_ptr<int> calls;
  };
  const GroupBody rests =
      groups.AddBody(Ball(Vector3(0, kRadius, 0)), {BallShape(0.0)});
  groups.Join({rests}, [counts](World& world, std::span<const BodyId>) {
    world.Add(Counter(counts));
  });
  for (int i = 0; i < 120; ++i) groups.Advance(kFrame);
  ASSERT_TRUE(groups.idle(rests));
  const int before = *counts;
  for (int i = 0; i < 60; ++i) groups.Advance(kFrame);
  EXPECT_EQ(*counts, before);

  const GroupBody comes = groups.AddBody(
      Ball(Vector3(-1.0, kRadius, 0), Vector3(3, 0, 0)), {BallShape(0.0)});
  bool met = false;
  for (int i = 0; i < 60; ++i) {
    groups.Advance(kFrame);
    met = met || groups.same_group(rests, comes);
  }
  EXPECT_TRUE(met);
  EXPECT_GT(groups.motion(rests).p_WC.x(), 0.1);
}

TEST(SimulationGroups, EventDrivenGroupFindsItsContact) {
  SimulationGroups groups;
  ColliderSpec floor;
  floor.shape = Shape::Plane();
  floor.surface = Rough(0.0, 1.0);
  groups.AddGround(floor);
  GroupSettings settings;
  settings.event_driven = true;
  const GroupBody ball = groups.AddBody(Ball(Vector3(0, 1.0 + kRadius, 0)),
                                        {BallShape(1.0)}, settings);
  double highest = 0.0;
  for (int i = 0; i < 60; ++i) {
    groups.Advance(kFrame);
    if (groups.time() > 0.6) {
      highest = std::max(highest, groups.motion(ball).p_WC.y() - kRadius);
    }
  }
  EXPECT_NEAR(highest, 1.0, 2e-3);
}

TEST(SimulationGroups, RefusesWhatItCannotDo) {
  SimulationGroups groups;
  BodySpec fixed = Ball(Vector3::Zero());
  fixed.kind = BodyKind::kFixed;
  EXPECT_THROW(groups.AddBody(fixed, {}), std::invalid_argument);
  GroupSettings settings;
  settings.step = 0.0;
  EXPECT_THROW(groups.AddBody(Ball(Vector3::Zero()), {}, settings),
               std::invalid_argument);
  BodySpec bad = Ball(Vector3::Zero());
  bad.mass.mass = -1.0;
  EXPECT_THROW(groups.AddBody(bad, {}), std::invalid_argument);
  EXPECT_EQ(groups.num_groups(), 0);
  EXPECT_THROW(groups.Join({}, {}), std::invalid_argument);
  EXPECT_THROW(groups.Join({GroupBody{3}}, {}), std::invalid_argument);
  EXPECT_THROW(groups.Advance(-1.0), std::invalid_argument);
  EXPECT_THROW(groups.motion(GroupBody{}), std::invalid_argument);
}

}  // namespace
}  // namespace limber::dynamics::test
