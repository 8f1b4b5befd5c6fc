// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/index.h"
#include "figure/dynamic/internal/edit_actions.h"
#include "figure/motion_track.h"

// Limbs and heads that are led to targets.

namespace limber::figure::internal {

namespace {

using Kind = EditEvent::Kind;

/// Time in which a joint becomes loose for it, or strong again [s].
constexpr double kLoosening = 0.2;
/// The share of its length to which a limb is stretched at most: a straight
/// one cannot say which way to bend.
constexpr double kStretch = 0.995;
/// Where a hand holds it: beside the head, below, and before it [m].
constexpr double kBeside = 0.15;
constexpr double kBelow = 0.15;
constexpr double kBefore = 0.35;

}  // namespace

double EditActions::Ramp(double time, double from, double end) const {
  return SmoothStep((time - from) / kLeading) *
         (1.0 - SmoothStep((time - end) / kLeading));
}

Vector3 EditActions::Forward() const {
  const FigureModel& model = edited_.figure().model();
  const std::vector<Transform> rest =
      WorldTransforms(*model.skeleton, RestPose(*model.skeleton));
  const Quaternion R_rest = rest[Index(model.segments[0].joint)].R;
  const Quaternion turned = edited_.motion(0).q_WB * R_rest.conjugate();
  return Heading(turned) * RestForward(model);
}

Vector3 EditActions::BasePoint(int segment, const Vector3& p_B,
                               double time) const {
  const double h = base_.stage().step();
  const bool later = time > base_.stage().time() - 0.5 * h;
  const Vector3 p_W = later ? base_.motion(segment).Point(p_B)
                            : base_before_[Index(segment)] * p_B;
  return edited_.task().X_T() * p_W;
}

Vector3 EditActions::LeadTarget(const Lead& lead, double time) const {
  const EditEvent& event = lead.event;
  const Vector3 own = BasePoint(event.segment, event.point_B, time);
  const double since = time - now();
  Vector3 goal;
  if (lead.before_head) {
    const int head = edited_.figure().model().SegmentOf(Role::kHead);
    const dynamics::BodyMotion& seen = edited_.motion(std::max(0, head));
    const Vector3 forward = Forward();
    const Vector3 left = Vector3::UnitY().cross(forward);
    const dynamics::BodyMotion& shoulder = edited_.motion(lead.limb.back());
    const double side =
        (shoulder.p_WB - edited_.motion(0).p_WB).dot(left) > 0.0 ? 1.0 : -1.0;
    goal = seen.p_WB + since * seen.PointVelocity(seen.p_WB) +
           kBefore * forward + side * kBeside * left -
           kBelow * Vector3::UnitY();
  } else {
    goal = TargetAt(event, time) + lead.offset +
           (since / edited_.stage().step()) * lead.offset_change;
    if (event.kind == Kind::kPin && event.vector.norm() > 0.0) {
      // Nothing holds a hand along its rail.
      const Vector3 along = event.vector.normalized();
      const dynamics::BodyMotion& hand = edited_.motion(event.segment);
      const Vector3 p = hand.Point(event.point_B);
      const Vector3 there = p + since * hand.PointVelocity(p);
      goal += along * along.dot(there - goal);
    }
  }
  // Out of reach the limb is stretched at it.
  const dynamics::BodyMotion& shoulder = edited_.motion(lead.limb.back());
  const Vector3 root =
      shoulder.p_WB + since * shoulder.PointVelocity(shoulder.p_WB);
  const double away = (goal - root).norm();
  const double most = kStretch * lead.length;
  if (away > most) goal = root + (most / away) * (goal - root);
  return own + Ramp(time, event.time, lead.end) * (goal - own);
}

void EditActions::LeadLimb(const EditEvent& event, bool before_head) {
  const ArticulatedFigure& figure = edited_.figure();
  auto lead = std::make_unique<Lead>();
  lead->event = event;
  lead->end = EndOf(event, clip_end_);
  lead->before_head = before_head;
  // The segment and two more: hand, forearm, upper arm.
  Vector3 tip = edited_.motion(event.segment).Point(event.point_B);
  for (int s = event.segment;
       s >= 0 && !figure.is_root(s) && lead->limb.size() < 3;
       s = figure.segment(s).parent) {
    lead->limb.push_back(s);
    lead->length += (tip - edited_.motion(s).p_WB).norm();
    tip = edited_.motion(s).p_WB;
  }
  if (event.kind == Kind::kPin && !event.target) {
    // Where the result has it, which a step from now says.
    lead->event.target = edited_.motion(event.segment).Point(event.point_B);
    lead->pin_here = true;
  }
  Change(lead->limb, kLoosening, Strength::Loose());
  Lead* led = lead.get();
  leads_.push_back(std::move(lead));
  led->goal = &edited_.stage().AddGoal(std::make_unique<PointAt>(
      edited_.stage(), figure.body(event.segment), event.point_B,
      [this, led](double time) { return LeadTarget(*led, time); }));
  led->goal->set_max_force(event.max_force);
  // Strong again on the way back; then nobody leads any more.
  edited_.stage().At(led->end, [this, led](Stage&) {
    Change(led->limb, kLeading, settings_.strength);
  });
  edited_.stage().At(led->end + kLeading,
                     [led](Stage&) { led->goal->set_enabled(false); });
}

void EditActions::TurnHead(const EditEvent& event) {
  const FigureModel& model = edited_.figure().model();
  const std::vector<Transform> rest =
      WorldTransforms(*model.skeleton, RestPose(*model.skeleton));
  const int joint = model.segments[Index(event.segment)].joint;
  const Quaternion R_BW = rest[Index(joint)].R.conjugate();
  Look look;
  look.event = event;
  look.end = EndOf(event, clip_end_);
  if (event.kind == Kind::kLook) {
    look.servo = std::make_shared<LookAt>();
    look.servo->axis_B = R_BW * RestForward(model);
  } else {
    look.servo = std::make_shared<HoldUpright>();
    look.servo->axis_B = R_BW * Vector3::UnitY();
  }
  look.servo->share = 0.0;
  edited_.performer().set_raw(event.segment, look.servo);
  const int segment = event.segment;
  const std::shared_ptr<AimServo> servo = look.servo;
  looks_.push_back(std::move(look));
  edited_.stage().At(
      looks_.back().end + kLeading, [this, segment, servo](Stage&) {
        // Unless another event has taken the head over.
        if (&edited_.performer().raw(segment) == servo.get()) {
          edited_.performer().set_raw(segment, std::make_shared<AngleServo>());
        }
      });
}

}  // namespace limber::figure::internal
