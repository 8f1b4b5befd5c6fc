// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0

// Pushes: what gives way, what comes back, what falls, and what is conserved.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "tests/figure/dynamic/edited_clip.h"

namespace limber::figure {
namespace {

using Kind = EditEvent::Kind;

// 10 N s at the forearm: it deflects by 3 to 40 deg, all joints are back within
// 2 deg in less than a second, the root helps with less than 10 % of the weight
// on average, no foot goes more than 5 mm into the floor, no limit is passed by
// more than 1 deg.
void ExpectForearmGivesWayAndComesBack(const EditedClip& clip,
                                       const char* name) {
  for (const Vector3& way : {Vector3(1, 0, 0), Vector3(-1, 0, 0),
                             Vector3(0, 0, 1), Vector3(0, 0, -1)}) {
    const EditResult result =
        clip.Edit({clip.Push(Role::kLeftForearm, 1.2, 10.0 * way)});
    const double turn =
        result.segments[std::size_t(clip.Segment(Role::kLeftForearm))].turn;
    std::printf(
        "%s, 10 N s to (%g, %g, %g): forearm %.1f deg, back after %.2f s, root "
        "help %.1f %%, into the floor %.2f mm (bodies %.2f), limits %.2f deg "
        "(bodies %.2f)\n",
        name, way.x(), way.y(), way.z(), turn / kDegree, result.return_time,
        100.0 * result.summary.root_help_mean, 1e3 * result.penetration,
        1e3 * result.deepest_contact, result.limit_violation / kDegree,
        result.summary.max_limit_violation / kDegree);
    EXPECT_GT(turn, 3.0 * kDegree);
    EXPECT_LT(turn, 40.0 * kDegree);
    EXPECT_LT(result.return_time, 1.0);
    EXPECT_LT(result.summary.root_help_mean, 0.1);
    EXPECT_LT(result.penetration, 5e-3);
    EXPECT_LT(result.limit_violation, 1.0 * kDegree);
    // So do the bodies, but for a wrist that is flung at 48 rad/s (02_01 along
    // z), which passes its limit by 1.5 deg; the result does not.
    EXPECT_LT(result.deepest_contact, 5e-3);
    EXPECT_LT(result.summary.max_limit_violation,
              (way.x() != 0.0 ? 1.0 : 1.6) * kDegree);
    EXPECT_LT(result.summary.max_dislocation, 1e-3);
    // Local: nothing changes before the push, nor after it has died away.
    for (std::int64_t f = 0; f < clip.FrameAt(1.2); ++f) {
      ASSERT_LT(clip.Angle(result.motion, f), 1e-9) << f;
    }
    for (std::int64_t f = clip.FrameAt(2.4); f < clip.clip.num_frames(); ++f) {
      ASSERT_LT(clip.Angle(result.motion, f), 0.1 * kDegree) << f;
      ASSERT_LT(clip.Distance(result.motion, f), 1e-3) << f;
    }
  }
}

TEST(EditPush, ForearmOfTheBundledWalk) {
  ExpectForearmGivesWayAndComesBack(EditedClip::Bundled("walk.bvh"), "walk");
}

TEST(EditPush, ForearmOf0201) {
  LIMBER_NEEDS_REAL_DATA();
  ExpectForearmGivesWayAndComesBack(
      EditedClip(test::RealData("cmu/02/02_01.bvh")), "02_01");
}

TEST(EditPush, ForearmOf0701) {
  LIMBER_NEEDS_REAL_DATA();
  ExpectForearmGivesWayAndComesBack(
      EditedClip(test::RealData("cmu/07/07_01.bvh")), "07_01");
}

// 60 N s at the chest with let-go: it falls as a rag doll. Beside the same push
// without letting go no velocity jumps by more than 5 % of the fastest while it
// lets go. It comes to rest.
TEST(EditPush, ChestHitMakesItFallAndRest) {
  const EditedClip walk = EditedClip::Bundled("walk.bvh").Looped(8.0, 240.0);
  for (const Vector3& way : {Vector3(1, 0, 0), Vector3(0, 0, -1)}) {
    const EditEvent push = walk.Push(Role::kChest, 1.0, 60.0 * way);
    EditSettings settings;
    settings.let_go_angle = 15.0 * kDegree;
    const EditResult result = walk.Edit({push}, settings);
    ASSERT_TRUE(result.let_go_time.has_value());
    const EditResult held = walk.Edit({push});
    ASSERT_FALSE(held.let_go_time.has_value());

    // What letting go, 0.15 s, adds to the velocity of each segment from step
    // to step; legs apart, which meet the floor meanwhile.
    const std::int64_t at = walk.FrameAt(*result.let_go_time);
    double fastest = 0.0;
    double jump = 0.0;
    const std::vector<int> legs = SegmentsNamed("legs", *walk.model);
    for (int s = 0; s < walk.model->num_segments(); ++s) {
      if (std::ranges::find(legs, s) != legs.end()) continue;
      const Vector3& p_JC = walk.model->segments[std::size_t(s)].p_JC;
      const auto velocity = [&](const Motion& motion, std::int64_t f) {
        return Vector3((walk.Place(motion, f + 1, s, p_JC) -
                        walk.Place(motion, f, s, p_JC)) *
                       motion.rate_hz());
      };
      Vector3 last_apart = Vector3::Zero();
      for (std::int64_t f = at; f < at + walk.FrameAt(0.15); ++f) {
        const Vector3 own = velocity(held.motion, f);
        const Vector3 apart = velocity(result.motion, f) - own;
        fastest = std::max(fastest, own.norm());
        jump = std::max(jump, (apart - last_apart).norm());
        last_apart = apart;
      }
    }
    const std::int64_t last = walk.clip.num_frames() - 1;
    double rest = 0.0;
    for (int s = 0; s < walk.model->num_segments(); ++s) {
      const Vector3& p_JC = walk.model->segments[std::size_t(s)].p_JC;
      rest = std::max(rest, (walk.Place(result.motion, last, s, p_JC) -
                             walk.Place(result.motion, last - 24, s, p_JC))
                                    .norm() *
                                10.0);
    }
    const double height = walk.MassCentre(result.motion, last).y();
    std::printf(
        "60 N s at the chest to (%g, %g, %g): let go %.3f s after, which adds "
        "at most %.2f %% to a velocity in a step; at the end %.4f m/s and the "
        "mass centre at %.2f m, overlap %.1f mm\n",
        way.x(), way.y(), way.z(), *result.let_go_time - 1.0,
        100.0 * jump / fastest, rest, height, 1e3 * result.deepest_contact);
    EXPECT_LT(jump, 0.05 * fastest);
    EXPECT_LT(rest, 0.02);
    EXPECT_LT(height, 0.35);
    EXPECT_LT(result.deepest_contact, 5e-3);
    EXPECT_LT(result.summary.max_dislocation, 1e-3);
  }
}

Vector3 MomentumOf(const dynamics::World& world,
                   const ArticulatedFigure& figure) {
  Vector3 sum = Vector3::Zero();
  for (int s = 0; s < figure.num_segments(); ++s) {
    sum += figure.segment(s).mass * world.motion(figure.body(s)).v_WC;
  }
  return sum;
}

// In the step of a push the momentum of the body changes by the impulse, and by
// what weight, root and ground add: to 1e-6 N s.
TEST(EditPush, MomentumChangesByTheImpulseLessTheReactions) {
  scenes::PlayOptions options;
  options.ground = true;
  const Motion clip = scenes::LoadClip(test::BundledData("clips/walk.bvh"));
  scenes::PlayedClip played =
      scenes::Play(clip, scenes::BodyFor(clip), options);
  const ArticulatedFigure& figure = played.performer->figure();
  const dynamics::World& world = played.stage->world();
  const double h = played.stage->step();
  played.stage->Run(1.2);
  // As an edit does it while an event acts.
  dynamics::WorldSettings exact = world.settings();
  exact.solver = dynamics::SolverKind::kDense;
  played.stage->world().set_settings(exact);
  const Vector3 impulse(10.0, 2.0, -4.0);
  const int forearm = played.model->SegmentOf(Role::kLeftForearm);
  const Vector3 before = MomentumOf(world, figure);
  played.stage->Push(figure.body(forearm),
                     played.model->segments[std::size_t(forearm)].p_JC,
                     impulse);
  played.stage->Step();
  const Vector3 change = MomentumOf(world, figure) - before;
  const StepRecord& step = played.recorder().steps().back();
  Vector3 contact = Vector3::Zero();
  for (const Vector3& force : step.contact_force) contact += force;
  const Vector3 weight = played.model->total_mass() * world.settings().gravity;
  const Vector3 expected = impulse + h * (weight + step.root_force + contact);
  std::printf(
      "momentum of the push step: change %.6f N s, off by %.1e (ground %.3f, "
      "root %.3f N s)\n",
      change.norm(), (change - expected).norm(), h * contact.norm(),
      h * step.root_force.norm());
  EXPECT_GT(h * contact.norm(), 0.5);
  EXPECT_GT(h * step.root_force.norm(), 1e-3);
  EXPECT_LT((change - expected).norm(), 1e-6);
}

}  // namespace
}  // namespace limber::figure
