// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/internal/edit_actions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/angle.h"
#include "core/index.h"
#include "dynamics/collision/shape.h"
#include "figure/motion_track.h"

namespace limber::figure::internal {

namespace {

using dynamics::BodyId;
using Kind = EditEvent::Kind;

/// Before and after that a target counts as out of reach.
constexpr double kReachable = 0.97;
/// A thrown ball starts so long before it meets what it is thrown at, and is
/// taken away so long after [s].
constexpr double kFlight = 0.2;
constexpr double kBallLife = 2.0;
/// A figure is up again when it is so near to what it would be [rad, m]; then
/// the root goes back to its usual help in this time [s].
constexpr double kUp = Radians(5.0);
constexpr double kThere = 0.1;
constexpr double kDown = 0.5;
/// Farther from its path than this it is lost without more help [m].
constexpr double kLost = 0.4;
/// While it is farther from its pose than this it hovers so high, and goes up
/// and down so fast [rad, m, m/s].
constexpr double kTangled = Radians(20.0);
constexpr double kHover = 0.25;
constexpr double kHoverSpeed = 0.6;
/// Time after the start from which a prop's tilt counts [s].
constexpr double kPropSettles = 0.5;
/// What hands carry: a basket, and the stick of an umbrella [m].
const Vector3 kBasket(0.3, 0.2, 0.2);
constexpr double kUmbrellaRadius = 0.05;
/// Torque that holds an umbrella upright [N m].
constexpr double kUprightTorque = 20.0;

bool IsAll(const std::vector<int>& segments, int count) {
  return segments.empty() || static_cast<int>(segments.size()) == count;
}

}  // namespace

Vector3 RestForward(const FigureModel& model) {
  const std::vector<Transform> X_WJ =
      WorldTransforms(*model.skeleton, RestPose(*model.skeleton));
  Vector3 forward = Vector3::Zero();
  const std::pair<Role, Role> feet[] = {{Role::kLeftFoot, Role::kLeftToes},
                                        {Role::kRightFoot, Role::kRightToes}};
  for (const auto& [ankle, toes] : feet) {
    int from = -1;
    int to = -1;
    for (std::size_t j = 0; j < model.roles.size(); ++j) {
      if (model.roles[j] == ankle && from < 0) from = static_cast<int>(j);
      if (model.roles[j] == toes && to < 0) to = static_cast<int>(j);
    }
    if (from >= 0 && to >= 0)
      forward += X_WJ[Index(to)].p - X_WJ[Index(from)].p;
  }
  forward.y() = 0.0;
  return forward.norm() > 1e-6 ? Vector3(forward.normalized())
                               : Vector3(Vector3::UnitZ());
}

EditActions::EditActions(Playing& base, Playing& edited,
                         const EditSettings& settings, double clip_end)
    : base_(base), edited_(edited), settings_(settings), clip_end_(clip_end) {}

double EditActions::EndOfInfluence(const EditEvent& event) const {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  switch (event.kind) {
    case Kind::kThrow:
      return event.time + 2.0 * kFlight;
    case Kind::kStrength:
    case Kind::kRagDoll:
      return kNever;  // Until something recovers; `Schedule` sees to it.
    case Kind::kRecover:
      return event.time + event.duration;
    case Kind::kGravity: {
      const bool usual =
          (event.vector - Vector3(0.0, -kGravity, 0.0)).norm() < 1e-6;
      return usual ? event.time : kNever;
    }
    case Kind::kFloor: {
      const bool level =
          event.rise == 0.0 && event.vector.normalized().y() > 1.0 - 1e-12;
      return level ? event.time + event.duration : kNever;
    }
    case Kind::kReach:
    case Kind::kPin:
    case Kind::kLook:
    case Kind::kUpright:
    case Kind::kUmbrella:
      return EndOf(event, clip_end_) + kLeading;
    default:
      return EndOf(event, clip_end_);
  }
}

void EditActions::Schedule(const EditEvent& event) {
  const int count = edited_.figure().num_segments();
  const auto covers = [count](const std::vector<int>& all,
                              const std::vector<int>& some) {
    if (IsAll(all, count)) return true;
    return !some.empty() && std::ranges::all_of(some, [&all](int s) {
      return std::ranges::find(all, s) != all.end();
    });
  };
  // What lasts until the next of its kind, or until it is undone.
  for (Span& span : spans_) {
    const bool undone =
        event.kind == Kind::kRecover &&
        ((span.event.kind == Kind::kRagDoll && IsAll(event.segments, count)) ||
         (span.event.kind == Kind::kStrength &&
          covers(event.segments, span.event.segments)));
    const bool replaced =
        (event.kind == Kind::kGravity || event.kind == Kind::kFloor) &&
        span.event.kind == event.kind;
    if (undone || replaced) {
      span.end = std::min(span.end, event.time + event.duration);
    }
  }
  spans_.push_back({event, EndOfInfluence(event)});
  obstacles_ = obstacles_ || event.kind == Kind::kObstacle;

  Stage& stage = edited_.stage();
  stage.At(event.time, [this, event](Stage& on) {
    if (!begun_) KeepParts();
    begun_ = true;
    switch (event.kind) {
      case Kind::kPush:
        return Push(event);
      case Kind::kThrow:
        return Throw(event);
      case Kind::kObstacle:
        return PlaceObstacle(event);
      case Kind::kCarry:
        return Carry(event, false);
      case Kind::kUmbrella:
        Carry(event, true);
        return LeadLimb(event, true);
      case Kind::kReach:
      case Kind::kPin:
        return LeadLimb(event, false);
      case Kind::kLook:
      case Kind::kUpright:
        return TurnHead(event);
      case Kind::kStrength:
        return Change(event.segments, event.duration, event.strength);
      case Kind::kRagDoll:
        return Change({}, event.duration, Strength::Limp());
      case Kind::kRecover:
        return Recover(event);
      case Kind::kGravity: {
        dynamics::WorldSettings world = on.world().settings();
        world.gravity = event.vector;
        on.world().set_settings(world);
        return;
      }
      case Kind::kFloor:
        return edited_.MoveFloor(event.vector, event.rise, event.duration);
    }
  });
}

bool EditActions::BeginsNow() const {
  const double due = now() + 1e-6 * edited_.stage().step();
  const double since = due - edited_.stage().step();
  return std::ranges::any_of(spans_, [due, since](const Span& span) {
    return span.event.time <= due && span.event.time > since;
  });
}

bool EditActions::IsLimp() const {
  return edited_.task().StrengthOf(0, now()).torque <
         0.5 * settings_.strength.torque;
}

bool EditActions::Busy() const {
  if (edited_.task().let_go_time()) return true;
  const double time = now();
  return std::ranges::any_of(spans_, [time](const Span& span) {
    return span.event.time <= time && time <= span.end;
  });
}

void EditActions::Change(const std::vector<int>& segments, double duration,
                         const Strength& strength) {
  StrengthSchedule& schedule = edited_.task().schedule();
  if (segments.empty()) {
    schedule.ChangeAll(now(), duration, strength);
  } else {
    schedule.Change(segments, now(), duration, strength);
  }
}

void EditActions::Recover(const EditEvent& event) {
  Change(event.segments, event.duration, settings_.strength);
  if (!IsAll(event.segments, edited_.figure().num_segments())) return;
  // Whoever had let go tries again.
  if (const std::optional<double> since = edited_.task().let_go_time()) {
    LetGo rule = edited_.task().let_go();
    rule.recover_after = now() - *since;
    rule.recover_duration = event.duration;
    edited_.task().set_let_go(rule);
  }
  lifting_ = true;
}

void EditActions::Push(const EditEvent& event) {
  Stage& stage = edited_.stage();
  const BodyId body = edited_.figure().body(event.segment);
  const double h = stage.step();
  // The same force in every step, of which there is a whole number.
  const auto steps = std::max(1LL, std::llround(event.duration / h));
  const Vector3 force = event.vector / (static_cast<double>(steps) * h);
  const auto act = [event, body, force](Stage& on) {
    const Vector3 f_W =
        event.in_body ? Vector3(on.world().motion(body).q_WB * force) : force;
    on.world().ApplyForce(body, event.point_B, f_W);
  };
  act(stage);
  // What would act after the clip's end is not waited for.
  for (long long i = 1; i < steps; ++i) {
    const double time = now() + static_cast<double>(i) * h;
    if (time > clip_end_) break;
    stage.At(time, act);
  }
}

void EditActions::Throw(const EditEvent& event) {
  constexpr double kDensity = 600.0;  // Of a leather ball [kg/m^3].
  Stage& stage = edited_.stage();
  const double radius = std::cbrt(event.mass / kDensity / (4.0 / 3.0 * kPi));
  const dynamics::BodyMotion& goal = edited_.motion(event.segment);
  const Vector3 target = goal.Point(event.point_B) + kFlight * goal.v_WC;
  const Vector3 gravity = stage.world().settings().gravity;
  dynamics::BodySpec ball;
  ball.name = "ball";
  ball.mass =
      dynamics::MassOfSphere(radius, dynamics::Material::WithMass(event.mass));
  ball.X_WB.p =
      target - kFlight * event.vector + 0.5 * kFlight * kFlight * gravity;
  // Nothing is thrown from below the floor.
  if (settings_.floor) {
    ball.X_WB.p.y() =
        std::max(ball.X_WB.p.y(), edited_.FloorAt(ball.X_WB.p) + radius);
  }
  ball.v_WC = (target - ball.X_WB.p) / kFlight - 0.5 * kFlight * gravity;
  const BodyId id = stage.world().AddBody(ball);
  dynamics::ColliderSpec collider;
  collider.shape = dynamics::Shape::Sphere(radius);
  collider.surface.restitution = 0.4;
  const dynamics::ColliderId shape = stage.world().AddCollider(id, collider);
  Thing* thing = AddThing("ball", EditedThing::Shape::kBall,
                          Vector3::Constant(2.0 * radius), id);
  stage.At(now() + kBallLife, [id, shape, thing](Stage& on) {
    thing->is_there = false;
    on.world().RemoveCollider(shape);
    on.world().RemoveBody(id);
  });
}

void EditActions::PlaceObstacle(const EditEvent& event) {
  Stage& stage = edited_.stage();
  // Beside the playing's path as the target is beside the clip's.
  const Transform X_WS{ExpRotation(Vector3(0.0, event.heading, 0.0)),
                       *event.target};
  dynamics::ColliderSpec collider;
  collider.shape = dynamics::Shape::Box(0.5 * event.size);
  BodyId id = dynamics::kGround;
  if (event.mass > 0.0) {
    dynamics::BodySpec box;
    box.name = "obstacle";
    box.mass = dynamics::MassOfBox(event.size,
                                   dynamics::Material::WithMass(event.mass));
    box.X_WB = X_WS;
    id = stage.world().AddBody(box);
  } else {
    collider.X_BS = X_WS;
  }
  const dynamics::ColliderId shape = stage.world().AddCollider(id, collider);
  Thing* thing = AddThing("obstacle", EditedThing::Shape::kBox, event.size, id);
  thing->X_BS = collider.X_BS;
  if (event.duration > 0.0) {
    stage.At(EndOf(event, clip_end_), [id, shape, thing](Stage& on) {
      thing->is_there = false;
      on.world().RemoveCollider(shape);
      if (id != dynamics::kGround) on.world().RemoveBody(id);
    });
  }
}

void EditActions::Carry(const EditEvent& event, bool upright) {
  Stage& stage = edited_.stage();
  dynamics::World& world = stage.world();
  const BodyId hand = edited_.figure().body(event.segment);
  const dynamics::BodyMotion& held = world.motion(hand);
  // A basket hangs below the hand, an umbrella stands above it.
  const Vector3 p_MB(0.0, upright ? event.length : -event.length, 0.0);
  const dynamics::Material material = dynamics::Material::WithMass(event.mass);
  dynamics::BodySpec spec;
  spec.name = upright ? "umbrella" : "basket";
  spec.mass = upright ? dynamics::MassOfCylinder(kUmbrellaRadius,
                                                 2.0 * event.length, material)
                      : dynamics::MassOfBox(kBasket, material);
  spec.X_WB.p = held.Point(event.point_B) + p_MB;
  spec.v_WC = held.PointVelocity(held.Point(event.point_B));
  auto prop = std::make_unique<Prop>();
  prop->name = spec.name;
  prop->from = now();
  prop->body = world.AddBody(spec);
  prop->joint =
      &world.Add(dynamics::BallJoint(hand, event.point_B, prop->body, -p_MB));
  dynamics::PoweredAxis friction;
  friction.drive = dynamics::PoweredAxis::Drive::kSpeed;
  friction.max_force = event.friction;
  prop->joint->set_drive(friction);
  if (upright) {
    prop->upright = &world.Add(dynamics::AlignAxis(
        prop->body, Vector3::UnitY(), dynamics::kGround, Vector3::UnitY()));
    dynamics::RowSettings bounded;
    bounded.lo = -kUprightTorque;
    bounded.hi = kUprightTorque;
    bounded.stabilisation = dynamics::Stabilisation::Implicit();
    prop->upright->set_settings(bounded);
  }
  Prop* held_prop = prop.get();
  props_.push_back(std::move(prop));
  Thing* thing =
      AddThing(upright ? "umbrella" : "basket",
               upright ? EditedThing::Shape::kRod : EditedThing::Shape::kBox,
               upright ? Vector3(2.0 * kUmbrellaRadius, 2.0 * event.length,
                                 2.0 * kUmbrellaRadius)
                       : kBasket,
               held_prop->body);
  thing->holder = event.segment;
  thing->p_BH = event.point_B;
  if (event.duration > 0.0) {
    stage.At(EndOf(event, clip_end_), [held_prop, thing](Stage& on) {
      thing->is_there = false;
      on.world().Remove(*held_prop->joint);
      if (held_prop->upright != nullptr) {
        on.world().Remove(*held_prop->upright);
      }
      on.world().RemoveBody(held_prop->body);
      held_prop->joint = nullptr;
    });
  }
}

EditActions::Thing* EditActions::AddThing(const char* name,
                                          EditedThing::Shape shape,
                                          const Vector3& size,
                                          dynamics::BodyId body) {
  Thing& thing = *things_.emplace_back(std::make_unique<Thing>());
  thing.what.name = name;
  thing.what.shape = shape;
  thing.what.size = size;
  thing.body = body;
  return &thing;
}

void EditActions::NoteThings(std::int64_t frame) {
  const dynamics::World& world = edited_.stage().world();
  for (const std::unique_ptr<Thing>& thing : things_) {
    if (!thing->is_there) continue;
    if (thing->what.X_WB.empty()) thing->what.first_frame = frame;
    Transform X_WB = world.X_WB(thing->body) * thing->X_BS;
    // What is carried goes with the hand of the result.
    if (thing->holder >= 0 && !X_WB_result_.empty()) {
      X_WB.p += X_WB_result_[Index(thing->holder)] * thing->p_BH -
                edited_.motion(thing->holder).Point(thing->p_BH);
    }
    thing->what.X_WB.push_back(X_WB);
  }
}

std::vector<EditedThing> EditActions::Things() const {
  std::vector<EditedThing> things;
  for (const std::unique_ptr<Thing>& thing : things_) {
    if (!thing->what.X_WB.empty()) things.push_back(thing->what);
  }
  return things;
}

void EditActions::KeepParts() {
  const double weight = edited_.figure().weight(edited_.stage().world());
  for (const int s : settings_.keep) {
    holds_.push_back(&edited_.stage().AddGoal(std::make_unique<HoldSegment>(
        edited_.stage(), edited_.figure().body(s),
        edited_.figure().segment(s).p_JC,
        [this, s](double) {
          const dynamics::BodyMotion& there = base_.motion(s);
          return edited_.task().X_T() * Transform{there.q_WB, there.p_WB};
        },
        weight, weight)));
  }
}

void EditActions::BeforeBase() {
  base_before_.resize(Index(base_.figure().num_segments()));
  for (std::size_t s = 0; s < base_before_.size(); ++s) {
    base_before_[s] =
        base_.stage().world().X_WB(base_.figure().body(static_cast<int>(s)));
  }
}

void EditActions::BeforeEdited(bool shows) {
  const double time = now();
  for (HoldSegment* hold : holds_) hold->set_enabled(shows);
  for (Look& look : looks_) {
    look.servo->share = Ramp(time, look.event.time, look.end);
    if (auto* at = dynamic_cast<LookAt*>(look.servo.get())) {
      at->p_WT = TargetAt(look.event, time) + look.offset;
    }
  }
}

void EditActions::HelpUp(double angle, double distance, double h) {
  if (settings_.return_to == EditSettings::Return::kPath && !obstacles_ &&
      begun_ && distance > kLost && !IsLimp()) {
    lifting_ = true;
  }
  if (lifting_ && angle < kUp && distance < kThere) lifting_ = false;
  const double lift = edited_.lift();
  if (lifting_ && lift < 1.0) edited_.SetLift(std::min(1.0, lift + h / kDown));
  if (!lifting_ && lift > 0.0) {
    edited_.SetLift(std::max(0.0, lift - h / kDown));
  }
  // Legs that lie under the body need room to get into their pose.
  EditTask& task = edited_.task();
  const double wanted =
      lifting_ ? kHover * SmoothStep((angle - kUp) / kTangled) : 0.0;
  const double way = wanted - task.hover();
  if (way != 0.0) {
    task.set_hover(task.hover() +
                   std::clamp(way, -h * kHoverSpeed, h * kHoverSpeed));
  }
}

void EditActions::AfterStep(const SegmentPose& result) {
  const double time = now();
  // Where the result has a point, beside where `edited` has it.
  if (!leads_.empty() || !looks_.empty() || !things_.empty()) {
    PlaceSegments(edited_.figure(), result, X_WB_result_);
  }
  const auto place = [this](int s) -> const Transform& {
    return X_WB_result_[Index(s)];
  };
  for (const std::unique_ptr<Lead>& lead : leads_) {
    const EditEvent& event = lead->event;
    if (time > lead->end + kLeading) continue;
    const Vector3 p_W = place(event.segment) * event.point_B;
    if (lead->pin_here) lead->event.target = p_W;
    lead->pin_here = false;
    const Vector3 offset =
        edited_.motion(event.segment).Point(event.point_B) - p_W;
    lead->offset_change =
        lead->has_offset ? Vector3(offset - lead->offset) : Vector3::Zero();
    lead->offset = offset;
    lead->has_offset = true;
    if (time < event.time + kLeading || time > lead->end) continue;
    if (lead->before_head) continue;
    ++lead->steps;
    const Vector3 target = TargetAt(event, time);
    const Vector3 shoulder = place(lead->limb.back()).p;
    if ((target - shoulder).norm() > kReachable * lead->length) continue;
    ++lead->reachable;
    Vector3 miss = p_W - target;
    if (event.kind == Kind::kPin && event.vector.norm() > 0.0) {
      const Vector3 along = event.vector.normalized();
      miss -= along * along.dot(miss);
    }
    lead->distance = std::max(lead->distance, miss.norm());
  }
  for (Look& look : looks_) {
    if (time > look.end + kLeading) continue;
    look.offset =
        edited_.motion(look.event.segment).p_WB - place(look.event.segment).p;
  }
  for (const std::unique_ptr<Prop>& prop : props_) {
    if (prop->joint == nullptr) continue;
    const dynamics::World& world = edited_.stage().world();
    prop->gap = std::max(prop->gap, world.Error(*prop->joint));
    if (time < prop->from + kPropSettles) continue;
    const double up = world.motion(prop->body).R_WB(1, 1);
    prop->tilt = std::max(prop->tilt, std::acos(std::clamp(up, -1.0, 1.0)));
  }
}

std::vector<EditedGoal> EditActions::Goals() const {
  std::vector<EditedGoal> goals;
  for (const std::unique_ptr<Lead>& lead : leads_) {
    if (lead->before_head) continue;
    goals.push_back(
        {lead->event.segment, lead->distance,
         lead->steps > 0 ? double(lead->reachable) / lead->steps : 0.0});
  }
  return goals;
}

std::vector<EditedProp> EditActions::Props() const {
  std::vector<EditedProp> props;
  for (const std::unique_ptr<Prop>& prop : props_) {
    props.push_back({prop->name, prop->gap, prop->tilt});
  }
  return props;
}

}  // namespace limber::figure::internal
