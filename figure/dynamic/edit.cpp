// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/edit.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "dynamics/collision/shape.h"
#include "dynamics/constraints/point_to_point.h"
#include "figure/dynamic/colliders.h"
#include "figure/dynamic/stage.h"
#include "figure/motion_track.h"
#include "figure/smooth_motion.h"

namespace limber::figure {

namespace {

using dynamics::BodyId;
using dynamics::World;

std::size_t Index(int i) { return static_cast<std::size_t>(i); }

/// A joint counts as back when it is nearer to the clip than this.
constexpr double kBack = 2.0 * kPi / 180.0;

/// From here on the pose goes over to that of the bodies; there it has [rad].
constexpr double kNearClip = 0.35;
constexpr double kFarFromClip = 1.05;

void CheckEvent(const EditEvent& event, const FigureModel& model) {
  const auto refuse = [](const std::string& what) {
    throw std::invalid_argument("EditEvent: " + what);
  };
  if (!std::isfinite(event.time)) refuse("time must be finite");
  if (!(event.duration >= 0.0)) {
    refuse("duration must be zero or positive, found " +
           std::to_string(event.duration));
  }
  if (!event.vector.allFinite() || !event.point_B.allFinite()) {
    refuse("vectors must be finite");
  }
  if (!(event.mass > 0.0)) {
    refuse("mass must be positive, found " + std::to_string(event.mass));
  }
  const auto exists = [&model](int s) {
    return s >= 0 && s < model.num_segments();
  };
  bool good = exists(event.segment);
  for (const int s : event.segments) good = good && exists(s);
  if (!good) refuse("there is no such segment");
}

/// One playing of the clip by the figure.
class Playing {
 public:
  Playing(const Motion& clip, std::shared_ptr<const SmoothMotion> smooth,
          std::shared_ptr<const FigureModel> model,
          const EditSettings& settings)
      : stage_({.world = {}, .rate_hz = settings.rate_hz}) {
    MotionTrack track;
    track.Append(std::move(smooth));
    task_ = std::make_shared<AnimationController>(
        std::move(track),
        StrengthSchedule(model->num_segments(), settings.strength));
    LetGo rule;
    rule.joint_angle = settings.let_go_angle;
    task_->set_let_go(rule);
    performer_ = &stage_.AddFigure("figure", model, task_);
    if (!settings.floor) return;
    dynamics::ColliderSpec floor;
    floor.shape = dynamics::Shape::Plane();
    floor.X_BS.p.y() = FloorHeight(*model, clip);
    stage_.world().AddCollider(dynamics::kGround, floor);
    // What touches itself in the clip shall not be pushed apart.
    std::vector<Pose> at_ease;
    const std::int64_t stride =
        std::max<std::int64_t>(1, clip.num_frames() / 20);
    for (std::int64_t f = 0; f < clip.num_frames(); f += stride) {
      at_ease.push_back(clip.pose(f));
    }
    AddColliders(stage_.world(), performer_->figure(), {}, at_ease);
    for (int s = 0; s < model->num_segments(); ++s) {
      if (!performer_->figure().is_root(s)) continue;
      performer_->set_raw(s, std::make_shared<RootServo>(
                                 RootServo::Helping(model->total_mass())));
    }
  }

  Stage& stage() { return stage_; }
  Performer& performer() { return *performer_; }
  AnimationController& task() { return *task_; }

  void Run(double seconds) {
    const auto count = std::llround(seconds / stage_.step());
    for (long long i = 0; i < count; ++i) {
      stage_.Step();
      if (!performer_->figure().IsFinite(stage_.world())) ThrowDiverged();
      double deepest = 0.0;
      for (const dynamics::Contact& contact : stage_.world().contacts()) {
        if (contact.body_a == dynamics::kGround ||
            contact.body_b == dynamics::kGround) {
          deepest = std::max(deepest, -contact.distance);
        }
      }
      deepest_ = std::max(deepest_, deepest);
    }
  }
  double deepest() const { return deepest_; }

 private:
  [[noreturn]] void ThrowDiverged() const {
    throw std::runtime_error(
        "the figure's motion is no number any more " +
        std::to_string(stage_.time()) +
        " s after its start: an event is too strong for steps of " +
        std::to_string(stage_.step()) + " s");
  }

  Stage stage_;
  std::shared_ptr<AnimationController> task_;
  Performer* performer_ = nullptr;
  double deepest_ = 0.0;
};

void SetRootStrength(Playing& playing, double share) {
  const ArticulatedFigure& figure = playing.performer().figure();
  for (int s = 0; s < figure.num_segments(); ++s) {
    if (!figure.is_root(s)) continue;
    auto* servo = dynamic_cast<RootServo*>(&playing.performer().raw(s));
    if (servo == nullptr) continue;
    if (share == 0.0) {
      servo->driven.fill(false);
    } else {
      servo->driven.fill(true);
    }
  }
}

void SchedulePush(Playing& playing, const EditEvent& event) {
  Stage& stage = playing.stage();
  const BodyId body = playing.performer().figure().body(event.segment);
  if (event.duration <= stage.step()) {
    stage.At(event.time,
             [=](Stage& on) { on.Push(body, event.point_B, event.vector); });
    return;
  }
  // The same force in every step, of which there is a whole number.
  const auto steps = std::llround(event.duration / stage.step());
  const Vector3 force =
      event.vector / (static_cast<double>(steps) * stage.step());
  for (long long i = 0; i < steps; ++i) {
    stage.At(
        event.time + static_cast<double>(i) * stage.step(),
        [=](Stage& on) { on.world().ApplyForce(body, event.point_B, force); });
  }
}

void ScheduleThrow(Playing& playing, const EditEvent& event) {
  constexpr double kDensity = 600.0;  // Of a leather ball [kg/m^3].
  const BodyId body = playing.performer().figure().body(event.segment);
  playing.stage().At(event.time, [=](Stage& on) {
    const double radius = std::cbrt(event.mass / kDensity / (4.0 / 3.0 * kPi));
    // It starts where it will be at the segment in a fifth of a second.
    constexpr double kFlight = 0.2;
    const dynamics::BodyMotion& goal = on.world().motion(body);
    const Vector3 target = goal.Point(event.point_B) + kFlight * goal.v_WC;
    const Vector3 gravity = on.world().settings().gravity;
    dynamics::BodySpec ball;
    ball.name = "ball";
    ball.mass = dynamics::MassOfSphere(
        radius, dynamics::Material::WithMass(event.mass));
    ball.X_WB.p =
        target - kFlight * event.vector + 0.5 * kFlight * kFlight * gravity;
    ball.v_WC = event.vector - kFlight * gravity;
    const BodyId id = on.world().AddBody(ball);
    dynamics::ColliderSpec collider;
    collider.shape = dynamics::Shape::Sphere(radius);
    collider.surface.restitution = 0.4;
    on.world().AddCollider(id, collider);
  });
}

void ScheduleCarry(Playing& playing, const EditEvent& event) {
  const BodyId body = playing.performer().figure().body(event.segment);
  playing.stage().At(event.time, [=](Stage& on) {
    // A load that hangs on a short string: it swings, and it pulls.
    constexpr double kString = 0.25;  // [m]
    const dynamics::BodyMotion& hand = on.world().motion(body);
    dynamics::BodySpec load;
    load.name = "load";
    load.mass =
        dynamics::MassOfSphere(0.08, dynamics::Material::WithMass(event.mass));
    load.X_WB.p = hand.Point(event.point_B) - Vector3(0.0, kString, 0.0);
    load.v_WC = hand.PointVelocity(load.X_WB.p);
    const BodyId id = on.world().AddBody(load);
    dynamics::PointToPoint& string = on.world().Add(dynamics::PointToPoint(
        {body, event.point_B}, {id, Vector3(0.0, kString, 0.0)}));
    if (event.duration > 0.0) {
      on.At(event.time + event.duration,
            [&string](Stage&) { string.set_enabled(false); });
    }
  });
}

void Schedule(Playing& playing, const EditEvent& event,
              const EditSettings& settings) {
  Stage& stage = playing.stage();
  StrengthSchedule& schedule = playing.task().schedule();
  switch (event.kind) {
    case EditEvent::Kind::kPush:
      return SchedulePush(playing, event);
    case EditEvent::Kind::kLoosen:
      if (event.segments.empty()) {
        schedule.ChangeAll(event.time, event.duration, event.strength);
      } else {
        schedule.Change(event.segments, event.time, event.duration,
                        event.strength);
      }
      return;
    case EditEvent::Kind::kRagDoll:
      schedule.ChangeAll(event.time, event.duration, Strength::Limp());
      stage.At(event.time,
               [&playing](Stage&) { SetRootStrength(playing, 0.0); });
      return;
    case EditEvent::Kind::kRecover:
      schedule.ChangeAll(event.time, event.duration, settings.strength);
      stage.At(event.time,
               [&playing](Stage&) { SetRootStrength(playing, 1.0); });
      return;
    case EditEvent::Kind::kThrow:
      return ScheduleThrow(playing, event);
    case EditEvent::Kind::kCarry:
      return ScheduleCarry(playing, event);
    case EditEvent::Kind::kGravity:
      stage.At(event.time, [gravity = event.vector](Stage& on) {
        dynamics::WorldSettings world = on.world().settings();
        world.gravity = gravity;
        on.world().set_settings(world);
      });
      return;
  }
}

/// The step after which `time` has passed, counted from the start.
std::size_t StepAt(double time, double h, std::size_t count) {
  const double step = std::round(time / h);
  return static_cast<std::size_t>(
      std::clamp(step, 0.0, static_cast<double>(count - 1)));
}

double LastEnd(std::span<const EditEvent> events) {
  double last = 0.0;
  for (const EditEvent& event : events) {
    last = std::max(last, event.time + event.duration);
  }
  return last;
}

}  // namespace

EditResult EditMotion(const Motion& clip,
                      std::shared_ptr<const FigureModel> model,
                      std::span<const EditEvent> events,
                      const EditSettings& settings) {
  if (clip.num_frames() == 0) {
    throw std::invalid_argument("clip: there are no frames");
  }
  if (clip.skeleton().num_joints() != model->skeleton->num_joints()) {
    throw std::invalid_argument(
        "clip: has " + std::to_string(clip.skeleton().num_joints()) +
        " joints, the figure " + std::to_string(model->skeleton->num_joints()));
  }
  for (const EditEvent& event : events) CheckEvent(event, *model);

  // A calibration pose in front is no movement that a body can make.
  const int lead_in = NumLeadInFrames(clip);
  const Motion movement = WithoutLeadIn(clip);
  const double lead_time = lead_in / clip.rate_hz();
  const auto smooth = std::make_shared<const SmoothMotion>(movement);
  Playing base(movement, smooth, model, settings);
  Playing edited(movement, smooth, model, settings);
  for (EditEvent event : events) {
    event.time = std::max(0.0, event.time - lead_time);
    Schedule(edited, event, settings);
  }
  base.Run(movement.duration());
  edited.Run(movement.duration());

  const Recorder& before = base.stage().recorder();
  const Recorder& after = edited.stage().recorder();
  const ArticulatedFigure& figure = edited.performer().figure();
  const double h = edited.stage().step();
  EditResult result{
      Motion(clip.shared_skeleton(), clip.rate_hz(), clip.source()),
      {},
      after.Summary(),
      std::vector<double>(Index(model->num_segments()), 0.0),
      0.0,
      std::max(0.0, edited.deepest() - base.deepest())};
  const double last_end = LastEnd(events);
  double last_away = 0.0;
  Pose pose;
  Pose lying;
  for (std::int64_t f = 0; f < clip.num_frames(); ++f) {
    clip.GetPose(f, pose);
    EditFrame frame;
    frame.time = static_cast<double>(f) / clip.rate_hz();
    if (f >= lead_in) {
      const std::size_t step =
          StepAt(frame.time - lead_time, h, after.poses().size());
      const SegmentPose& B = before.poses()[step];
      const SegmentPose& E = after.poses()[step];
      std::vector<Quaternion> change(B.size());
      for (int s = 0; s < model->num_segments(); ++s) {
        change[Index(s)] = B[Index(s)].R.conjugate() * E[Index(s)].R;
        if (figure.is_root(s)) {
          frame.root_shift = std::max(frame.root_shift,
                                      (E[Index(s)].p - B[Index(s)].p).norm());
        } else {
          const double angle = AngleBetween(B[Index(s)].R, E[Index(s)].R);
          frame.difference = std::max(frame.difference, angle);
          result.deflection[Index(s)] =
              std::max(result.deflection[Index(s)], angle);
        }
      }
      const double share = SmoothStep((frame.difference - kNearClip) /
                                      (kFarFromClip - kNearClip));
      lying = pose;
      figure.Join(E, lying);
      for (int s = 0; s < model->num_segments(); ++s) {
        const int joint = figure.segment(s).joint;
        Transform& X = pose.X_PJ[Index(joint)];
        const bool root = figure.is_root(s);
        if (root) X.p += E[Index(s)].p - B[Index(s)].p;
        X.R = (X.R * change[Index(s)]).normalized();
        if (share > 0.0) {
          const Transform& there = lying.X_PJ[Index(joint)];
          X.R = X.R.slerp(share, there.R).normalized();
          if (root) X.p += share * (there.p - X.p);
        }
      }
      if (step > 0) {
        const StepRecord& record = after.steps()[step - 1];
        frame.root_help = record.root_help;
        int motors = 0;
        int saturated = 0;
        for (const MotorReading& reading : record.motors) {
          motors += reading.num_motors;
          saturated += reading.num_saturated;
        }
        if (motors > 0) frame.saturation = double(saturated) / motors;
      }
      if (frame.difference > kBack) last_away = frame.time;
    }
    result.motion.Append(pose);
    result.frames.push_back(frame);
  }
  if (!events.empty() && last_away > last_end) {
    result.return_time =
        last_away >= result.frames.back().time - 0.5 / clip.rate_hz()
            ? std::numeric_limits<double>::infinity()
            : last_away - last_end;
  }
  return result;
}

}  // namespace limber::figure
