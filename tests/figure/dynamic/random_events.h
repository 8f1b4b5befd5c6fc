// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "tests/figure/dynamic/edited_clip.h"

namespace limber::figure {

/// Events of all kinds at random times, each with its end, none in the last
/// `quiet` seconds.
class RandomEvents {
 public:
  RandomEvents(const EditedClip& clip, unsigned seed, double quiet = 4.0)
      : clip_(clip), quiet_(quiet), random_(seed) {}

  std::vector<EditEvent> Make() {
    const double end = clip_.clip.duration() - quiet_;
    for (double t = Between(0.5, 1.5); t < end; t += Between(0.8, 2.5)) Add(t);
    return events_;
  }

 private:
  using Kind = EditEvent::Kind;

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
  double quiet_;
  std::mt19937 random_;
  std::vector<EditEvent> events_;
};

}  // namespace limber::figure
