// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0

// Goals, props and obstacles of an edit, judged by the clip that comes out.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "tests/figure/dynamic/edited_clip.h"

namespace limber::figure {
namespace {

using Kind = EditEvent::Kind;

// A target that goes along with the walk, before the right shoulder, and up and
// down and to the sides meanwhile.
std::vector<EditEvent::Waypoint> TargetBefore(const EditedClip& clip,
                                              double from, double ahead) {
  std::vector<EditEvent::Waypoint> path;
  for (double t = from; t < clip.clip.duration(); t += 0.2) {
    const std::int64_t f =
        std::min(clip.FrameAt(t), clip.clip.num_frames() - 1);
    const Vector3 hips = clip.Place(clip.clip, f, 0, Vector3::Zero());
    path.push_back(
        {t, Vector3(hips.x() - 0.2 + 0.1 * std::sin(3.0 * t),
                    1.2 + 0.1 * std::cos(2.0 * t), hips.z() + ahead)});
  }
  return path;
}

// V-54: the hand stays within 2 cm of a moving target through the walk.
TEST(EditGoals, V54HandFollowsATargetThroughTheWalk) {
  const EditedClip walk = EditedClip::Bundled("walk.bvh");
  EditEvent point = walk.On(Kind::kReach, Role::kRightHand, 0.5, 3.4);
  point.path = TargetBefore(walk, 0.5, 0.4);
  const EditResult result = walk.Edit({point});
  double farthest = 0.0;
  for (std::int64_t f = walk.FrameAt(1.0); f <= walk.FrameAt(3.85); ++f) {
    const Vector3 hand =
        walk.Place(result.motion, f, point.segment, point.point_B);
    farthest = std::max(
        farthest,
        (hand - TargetAt(point, static_cast<double>(f) / walk.clip.rate_hz()))
            .norm());
  }
  std::printf(
      "pointing through the walk: farthest %.4f m (reported %.4f, reachable "
      "%.0f %%), root help %.3f\n",
      farthest, result.goals.at(0).distance, 100.0 * result.goals[0].reachable,
      result.summary.root_help_mean);
  EXPECT_LT(farthest, 0.02);
  EXPECT_LT(result.goals[0].distance, 0.02);
  EXPECT_EQ(result.goals[0].reachable, 1.0);
  EXPECT_LT(result.summary.max_dislocation, 1e-3);
  // And back to the clip.
  EXPECT_LT(walk.Angle(result.motion, walk.clip.num_frames() - 1),
            2.0 * kDegree);
}

// Out of reach the arm is stretched at the target and does not shake.
TEST(EditGoals, V54ArmIsStretchedAtATargetOutOfReach) {
  const EditedClip walk = EditedClip::Bundled("walk.bvh");
  EditEvent point = walk.On(Kind::kReach, Role::kRightHand, 0.5, 3.4);
  point.target = Vector3(-1.0, 1.4, 12.0);
  const EditResult result = walk.Edit({point});
  const int elbow = walk.Segment(Role::kRightForearm);
  const int shoulder = walk.Segment(Role::kRightUpperArm);
  double bend = 0.0;
  double off = 0.0;
  double shake = 0.0;
  double clip_shake = 0.0;
  const auto kick = [&](const Motion& motion, std::int64_t f) {
    const auto turned = [&](std::int64_t i) {
      const Pose a = motion.pose(i), b = motion.pose(i + 1);
      const auto j =
          std::size_t(walk.model->segments[std::size_t(shoulder)].joint);
      return LogRotation(b.X_PJ[j].R * a.X_PJ[j].R.conjugate());
    };
    return (turned(f + 1) - turned(f)).norm() * motion.rate_hz();
  };
  for (std::int64_t f = walk.FrameAt(1.2); f <= walk.FrameAt(3.8); ++f) {
    const Vector3 s = walk.Place(result.motion, f, shoulder, Vector3::Zero());
    const Vector3 e = walk.Place(result.motion, f, elbow, Vector3::Zero());
    const Vector3 h =
        walk.Place(result.motion, f, point.segment, point.point_B);
    const auto between = [](const Vector3& a, const Vector3& b) {
      return std::atan2(a.cross(b).norm(), a.dot(b));
    };
    bend = std::max(bend, between(e - s, h - e));
    off = std::max(off, between(h - s, *point.target - s));
    shake = std::max(shake, kick(result.motion, f));
    clip_shake = std::max(clip_shake, kick(walk.clip, f));
  }
  std::printf(
      "out of reach: elbow bent by at most %.1f deg, arm %.1f deg off the "
      "target, velocity changes between frames %.3f rad/s (clip %.3f)\n",
      bend / kDegree, off / kDegree, shake, clip_shake);
  EXPECT_LT(bend, 30.0 * kDegree);
  EXPECT_LT(off, 5.0 * kDegree);
  EXPECT_LT(shake, 0.5);
  EXPECT_EQ(result.goals.at(0).reachable, 0.0);
}

// V-56: upright within 5 deg while the figure bows.
TEST(EditGoals, V56UmbrellaIsUprightWhileTheFigureBows) {
  const EditedClip bow = EditedClip::Bundled("bow.bvh");
  const EditResult result = bow.Edit({[&] {
    EditEvent event = bow.On(Kind::kUmbrella, Role::kRightHand, 0.0);
    event.mass = 0.5;
    event.length = 0.3;
    event.max_force = 100.0;
    return event;
  }()});
  std::printf("umbrella: tilt %.2f deg, gap %.1e m, root help %.3f\n",
              result.props.at(0).tilt / kDegree, result.props[0].gap,
              result.summary.root_help_mean);
  EXPECT_LT(result.props.at(0).tilt, 5.0 * kDegree);
  EXPECT_LT(result.props[0].gap, 1e-3);
  // The clip bows, by more than that; the umbrella has to be held against it.
  EXPECT_GT(result.segments[std::size_t(bow.Segment(Role::kRightUpperArm))]
                .deflection,
            20.0 * kDegree);
}

// V-55: the torques of shoulder and elbow rise with the basket's mass; at 10 kg
// motors are at their bound, and the report says so.
TEST(EditGoals, V55TorquesRiseWithTheBasket) {
  const EditedClip walk = EditedClip::Bundled("walk.bvh");
  const auto shoulder = std::size_t(walk.Segment(Role::kRightUpperArm));
  const auto elbow = std::size_t(walk.Segment(Role::kRightForearm));
  double last_shoulder = 0.0;
  double last_elbow = 0.0;
  for (const double mass : {0.0, 2.0, 5.0, 10.0}) {
    std::vector<EditEvent> events;
    if (mass > 0.0) {
      events.push_back(walk.On(Kind::kCarry, Role::kRightHand, 0.0));
      events.back().mass = mass;
    }
    const EditResult result = walk.Edit(events);
    const EditedSegment& at_shoulder = result.segments[shoulder];
    const EditedSegment& at_elbow = result.segments[elbow];
    std::printf(
        "basket of %4.1f kg: shoulder %.1f N m, elbow %.1f N m, arm off by "
        "%.1f deg, at its bound %.1f %% of the time\n",
        mass, at_shoulder.mean_torque, at_elbow.mean_torque,
        at_shoulder.deflection / kDegree, 100.0 * at_shoulder.saturation);
    EXPECT_GT(at_shoulder.mean_torque, last_shoulder);
    EXPECT_GT(at_elbow.mean_torque, last_elbow);
    last_shoulder = at_shoulder.mean_torque;
    last_elbow = at_elbow.mean_torque;
    if (mass == 0.0) {
      EXPECT_EQ(at_shoulder.saturation, 0.0);
      EXPECT_EQ(at_elbow.saturation, 0.0);
    }
    if (mass == 10.0) {
      EXPECT_GT(at_shoulder.saturation + at_elbow.saturation, 0.05);
    }
    if (mass > 0.0) {
      EXPECT_LT(result.props.at(0).gap, 1e-3);
    }
  }
}

// V-62: the figure stays whole, and presses with at most the root's bound.
TEST(EditGoals, V62WallWins) {
  const EditedClip walk = EditedClip::Bundled("walk.bvh");
  const Vector3 start = walk.Place(walk.clip, 0, 0, Vector3::Zero());
  const Vector3 end =
      walk.Place(walk.clip, walk.clip.num_frames() - 1, 0, Vector3::Zero());
  ASSERT_GT(end.z() - start.z(), 3.0);
  EditEvent wall;
  wall.kind = Kind::kObstacle;
  wall.mass = 0.0;
  wall.target = Vector3(start.x(), 1.2, 0.5 * (start.z() + end.z()));
  wall.size = Vector3(3.0, 2.4, 0.2);
  const EditResult result = walk.Edit({wall});
  const double before = wall.target->z() - 0.1;
  const Vector3 hips =
      walk.Place(result.motion, walk.clip.num_frames() - 1, 0, Vector3::Zero());
  std::printf(
      "wall: hips end %.2f m before it, root presses with at most %.2f of the "
      "weight, gap %.1e m, overlap %.2f mm\n",
      before - hips.z(), result.summary.root_help_max,
      result.summary.max_dislocation, 1e3 * result.deepest_contact);
  EXPECT_LT(hips.z(), before);
  EXPECT_LT(result.summary.max_dislocation, 1e-3);
  EXPECT_LT(result.deepest_contact, 5e-3);
  // The root's bound is the body weight along each axis.
  EXPECT_LT(result.summary.root_help_max, 1.0);
  // Before the figure gets there nothing has changed.
  EXPECT_LT(walk.Angle(result.motion, walk.FrameAt(0.8)), 0.1 * kDegree);
}

TEST(EditGoals, KeptFeetStayWhereTheyAre) {
  const EditedClip walk = EditedClip::Bundled("walk.bvh");
  EditEvent push = walk.Push(Role::kPelvis, 1.0, Vector3(60.0, 0.0, 0.0));
  push.duration = 0.3;
  const int foot = walk.Segment(Role::kLeftFoot);
  const int other = walk.Segment(Role::kRightFoot);
  const auto moved = [&](const EditResult& result) {
    double most = 0.0;
    for (std::int64_t f = 0; f < walk.clip.num_frames(); ++f) {
      for (const int s : {foot, other}) {
        most =
            std::max(most, (walk.Place(result.motion, f, s, Vector3::Zero()) -
                            walk.Place(walk.clip, f, s, Vector3::Zero()))
                               .norm());
      }
    }
    return most;
  };
  EditSettings settings;
  const double free = moved(walk.Edit({push}, settings));
  settings.keep = {foot, other};
  const EditResult kept = walk.Edit({push}, settings);
  std::printf(
      "feet: moved by %.4f m, kept by %.4f m; pelvis turned %.1f deg\n", free,
      moved(kept),
      kept.segments[std::size_t(walk.Segment(Role::kChest))].turn / kDegree);
  EXPECT_GT(free, 0.02);
  EXPECT_LT(moved(kept), 0.005);
  double shift = 0.0;
  for (const EditFrame& frame : kept.frames) {
    shift = std::max(shift, frame.root_shift);
  }
  EXPECT_GT(shift, 0.005);
}

TEST(EditGoals, HeadLooksAtATarget) {
  const EditedClip walk = EditedClip::Bundled("walk.bvh");
  EditEvent look = walk.On(Kind::kLook, Role::kHead, 0.5, 2.5);
  look.target = Vector3(3.0, 1.6, 5.0);
  const EditResult result = walk.Edit({look});
  double off = 0.0;
  for (std::int64_t f = walk.FrameAt(1.1); f < walk.FrameAt(2.9); ++f) {
    const Vector3 eye =
        walk.Place(result.motion, f, look.segment, Vector3::Zero());
    const Vector3 gaze =
        walk.Place(result.motion, f, look.segment, Vector3::UnitZ()) - eye;
    const Vector3 way = *look.target - eye;
    off = std::max(off, std::atan2(gaze.cross(way).norm(), gaze.dot(way)));
  }
  std::printf("gaze off by at most %.2f deg\n", off / kDegree);
  EXPECT_LT(off, 3.0 * kDegree);
  EXPECT_LT(walk.Angle(result.motion, walk.clip.num_frames() - 1),
            0.1 * kDegree);
}

TEST(EditGoals, HeadIsKeptUprightInABow) {
  const EditedClip bow = EditedClip::Bundled("bow.bvh");
  const int head = bow.Segment(Role::kHead);
  const auto tilt = [&](const Motion& motion) {
    double most = 0.0;
    for (std::int64_t f = bow.FrameAt(0.5); f < motion.num_frames(); ++f) {
      const Vector3 up = bow.Place(motion, f, head, Vector3::UnitY()) -
                         bow.Place(motion, f, head, Vector3::Zero());
      most = std::max(most, std::acos(std::clamp(up.y(), -1.0, 1.0)));
    }
    return most;
  };
  const EditResult result = bow.Edit({bow.On(Kind::kUpright, Role::kHead, 0)});
  std::printf("head in the bow: %.1f deg, kept upright %.1f deg\n",
              tilt(bow.clip) / kDegree, tilt(result.motion) / kDegree);
  EXPECT_LT(tilt(result.motion), 0.5 * tilt(bow.clip));
}

TEST(EditGoals, PinnedHandStaysAndSlidesOnItsRail) {
  const EditedClip wave = EditedClip::Bundled("wave.bvh");
  EditEvent pin = wave.On(Kind::kPin, Role::kRightHand, 1.0, 2.0);
  const Vector3 place =
      wave.Place(wave.clip, wave.FrameAt(1.0), pin.segment, pin.point_B);
  const EditResult held = wave.Edit({pin});
  double moved = 0.0;
  for (std::int64_t f = wave.FrameAt(1.4); f < wave.FrameAt(2.9); ++f) {
    moved = std::max(
        moved,
        (wave.Place(held.motion, f, pin.segment, pin.point_B) - place).norm());
  }
  pin.vector = Vector3::UnitX();
  const EditResult slid = wave.Edit({pin});
  double along = 0.0;
  double beside = 0.0;
  for (std::int64_t f = wave.FrameAt(1.4); f < wave.FrameAt(2.9); ++f) {
    const Vector3 way =
        wave.Place(slid.motion, f, pin.segment, pin.point_B) - place;
    along = std::max(along, std::abs(way.x()));
    beside = std::max(beside, std::hypot(way.y(), way.z()));
  }
  std::printf(
      "pinned hand moves %.4f m; on a level rail %.3f m along, %.4f m "
      "beside\n",
      moved, along, beside);
  EXPECT_LT(moved, 0.02);
  EXPECT_LT(beside, 0.02);
  EXPECT_GT(along, 0.03);
}

TEST(EditGoals, LoosenedArmsSwingAndStiffOnesGiveLess) {
  const EditedClip walk = EditedClip::Bundled("walk.bvh");
  const auto arm = std::size_t(walk.Segment(Role::kLeftUpperArm));
  const EditEvent push =
      walk.Push(Role::kLeftForearm, 1.0, Vector3(0.0, 0.0, 10.0));
  EditEvent change;
  change.kind = Kind::kStrength;
  change.time = 0.5;
  change.duration = 0.2;
  change.segments = SegmentsNamed("arms", *walk.model);
  change.strength = Strength::Loose();
  EditEvent back = change;
  back.kind = Kind::kRecover;
  back.time = 2.0;
  const double plain = walk.Edit({push}).segments[arm].deflection;
  const EditResult loose = walk.Edit({change, push, back});
  change.strength = Strength::Stiff();
  const double stiff = walk.Edit({change, push, back}).segments[arm].deflection;
  std::printf("pushed arm: %.1f deg, loose %.1f, stiff %.1f\n", plain / kDegree,
              loose.segments[arm].deflection / kDegree, stiff / kDegree);
  EXPECT_GT(loose.segments[arm].deflection, 1.5 * plain);
  EXPECT_LT(stiff, 0.8 * plain);
  EXPECT_LT(loose.return_time, 1.0);
}

TEST(EditGoals, BallThatHitsTheChestMovesIt) {
  const EditedClip walk = EditedClip::Bundled("walk.bvh");
  EditEvent ball = walk.On(Kind::kThrow, Role::kChest, 1.0);
  ball.vector = Vector3(8.0, 0.0, 0.0);
  ball.mass = 2.0;
  const EditResult result = walk.Edit({ball});
  // Nothing before it hits, 0.2 s after it is thrown (less its radius).
  EXPECT_LT(walk.Angle(result.motion, walk.FrameAt(1.15)), 1e-6);
  EXPECT_GT(result.segments[std::size_t(walk.Segment(Role::kChest))].turn,
            0.5 * kDegree);
  EXPECT_LT(walk.Angle(result.motion, walk.clip.num_frames() - 1),
            0.1 * kDegree);
}

TEST(EditGoals, FloorGravityAndSlopeCarryTheFigure) {
  const EditedClip walk = EditedClip::Bundled("walk.bvh");
  EditEvent floor;
  floor.kind = Kind::kFloor;
  floor.time = 1.0;
  floor.duration = 0.2;
  floor.vector = Vector3::UnitY();
  floor.rise = 0.1;
  const std::int64_t last = walk.clip.num_frames() - 1;
  const auto height = [&](const Motion& motion, std::int64_t f) {
    return motion.pose(f).X_PJ[0].p.y();
  };
  const EditResult raised = walk.Edit({floor});
  EXPECT_NEAR(height(raised.motion, last) - height(walk.clip, last), 0.1, 0.02);
  EXPECT_LT(raised.deepest_contact, 0.1);
  // Uphill: it climbs tan(5 deg) times the way it goes.
  EditEvent slope = floor;
  slope.rise = 0.0;
  slope.vector =
      Vector3(0.0, std::cos(5.0 * kDegree), -std::sin(5.0 * kDegree));
  const EditResult climbed = walk.Edit({slope});
  const double way = walk.clip.pose(last).X_PJ[0].p.z() -
                     walk.clip.pose(walk.FrameAt(1.0)).X_PJ[0].p.z();
  const double rise = height(climbed.motion, last) - height(walk.clip, last);
  std::printf("slope: rises %.3f m on %.2f m (%.3f expected), help %.3f\n",
              rise, way, std::tan(5.0 * kDegree) * way,
              climbed.summary.root_help_mean);
  EXPECT_NEAR(rise, std::tan(5.0 * kDegree) * way, 0.05);
  // The moon: feet carry a sixth.
  EditEvent moon;
  moon.kind = Kind::kGravity;
  moon.time = 1.0;
  moon.vector = Vector3(0.0, -1.62, 0.0);
  const EditResult light = walk.Edit({moon});
  double contact = 0.0;
  int count = 0;
  for (const EditFrame& frame : light.frames) {
    if (frame.time < 1.5) continue;
    contact += frame.contact;
    ++count;
  }
  EXPECT_LT(contact / count, 0.5);
}

}  // namespace
}  // namespace limber::figure
