// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0

// Ten minutes of random events, and what an edit costs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>

#include "tests/figure/dynamic/edited_clip.h"

namespace limber::figure {
namespace {

using Kind = EditEvent::Kind;

// Events of all kinds at random times, each with its end.
class RandomEvents {
 public:
  RandomEvents(const EditedClip& clip, unsigned seed)
      : clip_(clip), random_(seed) {}

  std::vector<EditEvent> Make() {
    const double end = clip_.clip.duration() - 4.0;
    for (double t = Between(0.5, 1.5); t < end; t += Between(0.8, 2.5)) Add(t);
    return events_;
  }

 private:
  double Between(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random_);
  }
  int Index(int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random_);
  }
  Vector3 Direction() {
    const Vector3 v(Between(-1, 1), Between(-1, 1), Between(-1, 1));
    return v.norm() > 0.1 ? Vector3(v.normalized()) : Vector3(Vector3::UnitX());
  }
  Vector3 Hips(double time) const {
    return clip_.Place(clip_.clip, clip_.FrameAt(time), 0, Vector3::Zero());
  }
  EditEvent On(Kind kind, double time, double duration, Role role) const {
    return clip_.On(kind, role, time, duration);
  }
  EditEvent OnAny(Kind kind, double time, double duration) {
    EditEvent event = On(kind, time, duration, Role::kChest);
    event.segment = Index(clip_.model->num_segments());
    event.point_B = clip_.model->segments[std::size_t(event.segment)].p_JC;
    return event;
  }
  // An event, and what undoes it a while later.
  void AddPair(EditEvent event, double later, EditEvent undo) {
    undo.time = event.time + later;
    events_.push_back(std::move(event));
    events_.push_back(std::move(undo));
  }

  void Add(double t) {
    switch (Index(11)) {
      case 0:
      case 1: {
        EditEvent push = OnAny(Kind::kPush, t, Index(2) * Between(0.0, 0.3));
        push.vector = Between(2.0, 40.0) * Direction();
        push.in_body = Index(2) == 1;
        return events_.push_back(push);
      }
      case 2: {
        EditEvent ball = OnAny(Kind::kThrow, t, 0.0);
        ball.vector = Between(3.0, 10.0) * Direction();
        ball.mass = Between(0.2, 3.0);
        return events_.push_back(ball);
      }
      case 3: {
        EditEvent loosen;
        loosen.kind = Kind::kStrength;
        loosen.time = t;
        loosen.duration = 0.2;
        loosen.strength = Index(2) == 1 ? Strength::Loose() : Strength::Stiff();
        loosen.segments = SegmentsNamed("arms", *clip_.model);
        EditEvent back = loosen;
        back.kind = Kind::kRecover;
        return AddPair(loosen, Between(0.5, 2.0), back);
      }
      case 4: {
        EditEvent doll;
        doll.kind = Kind::kRagDoll;
        doll.time = t;
        doll.duration = 0.15;
        EditEvent back = doll;
        back.kind = Kind::kRecover;
        back.duration = 0.5;
        return AddPair(doll, Between(0.3, 1.0), back);
      }
      case 5: {
        EditEvent load = On(Kind::kCarry, t, Between(0.5, 2.0),
                            Index(2) == 1 ? Role::kLeftHand : Role::kRightHand);
        load.mass = Between(0.5, 8.0);
        return events_.push_back(load);
      }
      case 6: {
        EditEvent reach =
            On(Kind::kReach, t, Between(0.5, 1.5),
               Index(2) == 1 ? Role::kLeftHand : Role::kRightHand);
        reach.target = Hips(t) + Vector3(Between(-0.6, 0.6), Between(0.0, 0.6),
                                         Between(0.2, 2.0));
        return events_.push_back(reach);
      }
      case 7: {
        EditEvent look = On(Kind::kLook, t, Between(0.5, 2.0), Role::kHead);
        look.target = Hips(t) + 5.0 * Direction();
        return events_.push_back(look);
      }
      case 8: {
        EditEvent gravity;
        gravity.kind = Kind::kGravity;
        gravity.time = t;
        gravity.vector = Vector3(Between(-2, 2), Between(-15, -3), 0.0);
        EditEvent back = gravity;
        back.vector = Vector3(0.0, -kGravity, 0.0);
        return AddPair(gravity, Between(0.2, 1.0), back);
      }
      case 9: {
        EditEvent floor;
        floor.kind = Kind::kFloor;
        floor.time = t;
        floor.duration = 0.2;
        floor.rise = Between(-0.05, 0.05);
        const double tilt = Between(-0.07, 0.07);
        floor.vector = Vector3(0.0, std::cos(tilt), std::sin(tilt));
        EditEvent back = floor;
        back.rise = 0.0;
        back.vector = Vector3::UnitY();
        return AddPair(floor, Between(0.5, 2.0), back);
      }
      default: {
        EditEvent pin = On(Kind::kPin, t, Between(0.2, 0.6), Role::kLeftHand);
        return events_.push_back(pin);
      }
    }
  }

  const EditedClip& clip_;
  std::mt19937 random_;
  std::vector<EditEvent> events_;
};

// Ten minutes in one go: nothing that is no number, never farther than 3 m from
// where the clip is.
TEST(EditSoak, TenMinutesOfRandomEventsStayNearThePath) {
  const EditedClip walk = EditedClip::Bundled("walk.bvh").Looped(600.0, 120.0);
  double farthest = 0.0;
  std::size_t count = 0;
  for (unsigned seed = 1; seed <= 2; ++seed) {
    const std::vector<EditEvent> events = RandomEvents(walk, seed).Make();
    count += events.size();
    const EditResult result = walk.Edit(events);
    double far = 0.0;
    for (std::int64_t f = 0; f < result.motion.num_frames(); ++f) {
      for (const double value : result.motion.row(f)) {
        ASSERT_TRUE(std::isfinite(value)) << seed << " " << f;
      }
      far = std::max(far, result.frames[std::size_t(f)].root_shift);
    }
    const std::int64_t last = walk.clip.num_frames() - 1;
    std::printf(
        "seed %u: %zu events, farthest %.2f m, root help %.3f, gap %.1e m, "
        "overlap %.1f mm, at the end %.3f deg and %.4f m from the clip\n",
        seed, events.size(), far, result.summary.root_help_mean,
        result.summary.max_dislocation, 1e3 * result.deepest_contact,
        walk.Angle(result.motion, last) / kDegree,
        walk.Distance(result.motion, last));
    EXPECT_LT(far, 3.0);
    // Four seconds after the last event it is the clip again.
    EXPECT_LT(walk.Angle(result.motion, last), 0.1 * kDegree);
    EXPECT_LT(walk.Distance(result.motion, last), 1e-3);
    farthest = std::max(farthest, far);
  }
  std::printf("%zu events in 1200 s: farthest %.2f m\n", count, farthest);
}

// A clip of 10 s at 240 Hz is edited in a second of one core.
TEST(EditSoak, TenSecondsAreEditedInASecond) {
  const EditedClip walk = EditedClip::Bundled("walk.bvh").Looped(10.0, 240.0);
  const EditEvent push =
      walk.Push(Role::kLeftForearm, 1.2, Vector3(10.0, 0.0, 0.0));
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t begin = std::clock();
    const EditResult result = walk.Edit({push});
    best =
        std::min(best, double(std::clock() - begin) / double(CLOCKS_PER_SEC));
    EXPECT_LT(result.return_time, 1.0);
  }
  std::printf("10 s at 240 Hz: %.3f s of processor time\n", best);
#ifdef NDEBUG
  EXPECT_LE(best, 1.0);
#endif
}

}  // namespace
}  // namespace limber::figure
