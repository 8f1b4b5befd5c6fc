// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Islands stepped by several threads: the same bits as with one, no allocation,
// errors that reach the caller.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "dynamics/constraints/function_constraint.h"
#include "dynamics/constraints/point_to_point.h"
#include "dynamics/joints/hinge_joint.h"
#include "tests/dynamics/allocation_count.h"
#include "tests/dynamics/random_trees.h"
#include "tests/scenes/peer_scenes.h"

namespace limber::dynamics {
namespace {

constexpr double kStep = 1.0 / 240.0;

WorldSettings Threads(int threads) {
  WorldSettings settings;
  settings.threads = threads;
  return settings;
}

// Figures that follow targets, whips, a loop, dense and lone islands, in one
// world: every way through a step.
struct Crowd {
  World world;
  scenes::PeerScene scene = scenes::TrackedFigure();
  std::vector<std::vector<BallJoint*>> joints;

  explicit Crowd(const WorldSettings& settings, int figures = 6)
      : world(settings) {
    for (int i = 0; i < figures; ++i) {
      std::vector<BodyId> bodies;
      std::vector<BallJoint*> own;
      scenes::AddToWorld(scene, Vector3(2.0 * i, 0, 0), world, bodies, own);
      joints.push_back(own);
      // The second figure's hand is tied to its foot, the third's hips are
      // nailed twice, the fourth one is limp.
      if (i == 1) world.Add(PointToPoint({bodies[10]}, {bodies[6]}));
      if (i == 2) {
        const Vector3 hips = world.motion(bodies[1]).p_WC;
        world.Add(PointNail({bodies[1]}, hips));
        world.Add(PointNail({bodies[1]}, hips));
      }
      if (i == 3) {
        for (BallJoint* joint : own) {
          if (joint == nullptr) continue;
          for (int k = 0; k < 3; ++k) {
            joint->axis(k).drive = PoweredAxis::Drive::kNone;
          }
        }
      }
    }
    // Rods of no thickness are for the dense solver.
    BodyId last;
    for (int i = 0; i < 30; ++i) {
      BodySpec rod;
      rod.mass.I_BC = Vector3(0.0, 0.1, 0.1).asDiagonal();
      rod.X_WB.p = Vector3(i + 0.5, 5, 0);
      rod.w_WB = Vector3(0, 0.1 * i, 0.3);
      const BodyId body = world.AddBody(rod);
      if (i % 5 > 0) {
        world.Add(PointToPoint({last, Vector3(0.5, 0, 0)},
                               {body, Vector3(-0.5, 0, 0)}));
      }
      last = body;
    }
  }

  void Step(int i) {
    const std::vector<Quaternion> targets =
        scenes::TrackingTargets(scene, (i + 1) * kStep);
    for (const std::vector<BallJoint*>& own : joints) {
      for (std::size_t j = 1; j < own.size(); ++j) {
        own[j]->set_target(targets[j]);
      }
    }
    world.Step(kStep);
  }
};

bool SameBits(const World& a, const World& b) {
  const BodyMotions one = a.motions();
  const BodyMotions two = b.motions();
  if (one.size() != two.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i].p_WC != two[i].p_WC || one[i].v_WC != two[i].v_WC ||
        one[i].w_WB != two[i].w_WB || one[i].R_WB != two[i].R_WB) {
      return false;
    }
  }
  return true;
}

TEST(Threads, AnyNumberGivesTheSameBits) {
  Crowd one(Threads(1));
  Crowd two(Threads(2));
  Crowd five(Threads(5));
  Crowd automatic(Threads(0));
  for (int i = 0; i < 100; ++i) {
    one.Step(i);
    for (Crowd* crowd : {&two, &five, &automatic}) {
      crowd->Step(i);
      ASSERT_TRUE(SameBits(one.world, crowd->world)) << "step " << i;
      const StepReport& a = one.world.report();
      const StepReport& b = crowd->world.report();
      ASSERT_EQ(a.status, b.status);
      ASSERT_EQ(a.residual, b.residual);
      ASSERT_EQ(a.num_rows, b.num_rows);
      ASSERT_EQ(a.factorisations, b.factorisations);
      ASSERT_EQ(a.solves, b.solves);
      ASSERT_EQ(a.unmet.size(), b.unmet.size());
    }
    ASSERT_EQ(one.world.KineticEnergy(), two.world.KineticEnergy());
  }
}

// Contacts, sleep and breaking change what there is to deal out.
TEST(Threads, ChangingIslandsGiveTheSameBits) {
  limber::test::RandomTreeOptions options;
  options.max_bodies = 40;
  for (unsigned seed = 300; seed < 304; ++seed) {
    limber::test::RandomTree one = limber::test::MakeRandomTree(seed, options);
    limber::test::RandomTree two = limber::test::MakeRandomTree(seed, options);
    for (limber::test::RandomTree* tree : {&one, &two}) {
      // Cut into many islands, more of them in every step.
      for (std::size_t i = 0; i < tree->joints.size(); ++i) {
        Joint* joint = tree->joints[i];
        tree->world.At(static_cast<double>(i) * kStep,
                       [joint](World&) { joint->set_enabled(false); });
      }
      if (tree == &two) {
        WorldSettings settings = tree->world.settings();
        settings.threads = 3;
        tree->world.set_settings(settings);
      }
    }
    for (int i = 0; i < 50; ++i) {
      one.world.Step(kStep);
      two.world.Step(kStep);
      ASSERT_TRUE(SameBits(one.world, two.world)) << seed << " " << i;
    }
  }
}

TEST(Threads, NumberMayChangeBetweenStepsAndWorldsMayMove) {
  Crowd steady(Threads(1));
  Crowd changing(Threads(4));
  for (int i = 0; i < 12; ++i) {
    WorldSettings settings = changing.world.settings();
    settings.threads = 1 + i % 4;
    changing.world.set_settings(settings);
    World moved = std::move(changing.world);
    changing.world = std::move(moved);
    steady.Step(i);
    changing.Step(i);
    ASSERT_TRUE(SameBits(steady.world, changing.world));
  }
  EXPECT_THROW(World(Threads(-1)), std::invalid_argument);
}

// Boxes that fall on a floor and on each other, some with a limb, one row of
// them on a plate that moves: islands with contacts, piles, sleep, and bodies
// that stand between kick and drift.
World FallingBoxes(int threads, bool plate_moves) {
  World world(Threads(threads));
  ColliderSpec floor;
  floor.shape = Shape::Plane();
  world.AddCollider(kGround, floor);
  ColliderSpec cube;
  cube.shape = Shape::Box(Vector3::Constant(0.1));
  ColliderSpec slab;
  slab.shape = Shape::Box(Vector3(2.0, 0.05, 0.3));
  BodySpec plate;
  plate.kind = plate_moves ? BodyKind::kKinematic : BodyKind::kFixed;
  plate.X_WB.p = Vector3(2.0, 0.1, 3.0);
  if (plate_moves) plate.v_WC = Vector3(0.3, 0.0, 0.0);
  world.AddCollider(world.AddBody(plate), slab);
  // Far enough from each other that most touch the floor alone, and there are
  // always enough of these to be dealt out.
  for (int i = 0; i < 120; ++i) {
    BodySpec box;
    box.mass = MassOf(*cube.shape, 125.0);
    const bool on_plate = i % 4 == 0;
    const bool on_other = i % 10 == 9;
    box.X_WB.p = Vector3(0.5 + 0.15 * (on_other ? i - 3 : i),
                         on_plate ? 0.3 : (on_other ? 0.45 : 0.15),
                         on_plate ? 3.0 : 0.9 * (i % 3));
    box.w_WB = Vector3(0.02 * i, 0.0, 1.0);
    const BodyId body = world.AddBody(box);
    world.AddCollider(body, cube);
    if (i % 5 != 0) continue;
    box.X_WB.p.y() += 0.4;
    const BodyId limb = world.AddBody(box);
    world.Add(BallJoint(body, Vector3(0, 0.2, 0), limb, Vector3(0, -0.2, 0)));
  }
  return world;
}

TEST(Threads, ContactsPilesSleepAndMovingFloorsGiveTheSameBits) {
  for (const bool plate_moves : {false, true}) {
    World one = FallingBoxes(1, plate_moves);
    World three = FallingBoxes(3, plate_moves);
    bool slept = false;
    int most_contacts = 0;
    for (int i = 0; i < 500; ++i) {
      one.Step(kStep);
      three.Step(kStep);
      ASSERT_TRUE(SameBits(one, three)) << i;
      ASSERT_EQ(one.report().num_contacts, three.report().num_contacts);
      ASSERT_EQ(one.report().residual, three.report().residual);
      most_contacts = std::max(most_contacts, one.report().num_contacts);
      for (int b = 1; b < one.num_bodies(); ++b) {
        ASSERT_EQ(one.asleep({b}), three.asleep({b}));
        slept = slept || one.asleep({b});
      }
    }
    EXPECT_GT(most_contacts, 200);
    EXPECT_TRUE(slept);
  }
}

// A bad setting of any island is found before anything moves, and the first one
// is named, whoever looks.
TEST(Threads, BadSettingsAreNamedInOrderAndNothingMoves) {
  Crowd one(Threads(1));
  Crowd two(Threads(2));
  for (Crowd* crowd : {&one, &two}) {
    for (int i = 0; i < 3; ++i) crowd->Step(i);
    crowd->joints[1][3]->axis(0).softness = -1.0;
    crowd->joints[5][3]->axis(0).damping = -2.0;
    std::string message;
    try {
      crowd->world.Step(kStep);
    } catch (const std::invalid_argument& error) {
      message = error.what();
    }
    EXPECT_NE(message.find("softness"), std::string::npos) << message;
    crowd->joints[1][3]->axis(0).softness = 0.0;
    EXPECT_THROW(crowd->world.Step(kStep), std::invalid_argument);
    crowd->joints[5][3]->axis(0).damping = 0.0;
  }
  EXPECT_EQ(one.world.time(), two.world.time());
  for (int i = 3; i < 6; ++i) {
    one.Step(i);
    two.Step(i);
    ASSERT_TRUE(SameBits(one.world, two.world)) << i;
  }
  EXPECT_DOUBLE_EQ(two.world.time(), 6 * kStep);
}

// The last figure is another thread's.
TEST(Threads, OverloadedJointsBreakOnAnyThread) {
  for (const int threads : {1, 2}) {
    Crowd crowd(Threads(threads));
    crowd.Step(0);
    crowd.joints[5][3]->set_breaking(1e-3, kInfinity);
    crowd.Step(1);
    EXPECT_FALSE(crowd.joints[5][3]->enabled());
    EXPECT_EQ(crowd.world.TakeEvents().size(), 1u);
    crowd.Step(2);
    EXPECT_TRUE(crowd.joints[5][3]->impulses().empty());
  }
}

TEST(Threads, StepsAfterTheFirstAllocateNothing) {
  Crowd crowd(Threads(2));
  const std::vector<Quaternion> targets =
      scenes::TrackingTargets(crowd.scene, 0.1);
  for (const std::vector<BallJoint*>& own : crowd.joints) {
    for (std::size_t j = 1; j < own.size(); ++j) own[j]->set_target(targets[j]);
  }
  for (int i = 0; i < 5; ++i) crowd.world.Step(kStep);
  const long before = limber::test::AllocationCount();
  for (int i = 0; i < 50; ++i) crowd.world.Step(kStep);
  const long after = limber::test::AllocationCount();
  EXPECT_EQ(after, before);
}

// What a user's function throws on another thread comes out of Step.
TEST(Threads, ExceptionOfAnIslandReachesTheCaller) {
  Crowd crowd(Threads(2));
  BodySpec spec;
  spec.mass.I_BC = Matrix3::Identity();
  const BodyId body = crowd.world.AddBody(spec);
  bool fails = false;
  // Its island is the last one: not the caller's.
  crowd.world.Add(FunctionConstraint(
      {body}, 1, [&](BodyMotions bodies, double, std::span<double> phi) {
        if (fails) throw std::runtime_error("no value there");
        phi[0] = MotionOf(bodies, body).p_WC.x();
      }));
  crowd.world.Step(kStep);
  fails = true;
  EXPECT_THROW(crowd.world.Step(kStep), std::runtime_error);
  fails = false;
  crowd.world.Step(kStep);
}

}  // namespace
}  // namespace limber::dynamics
