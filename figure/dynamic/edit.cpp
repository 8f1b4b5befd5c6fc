// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/edit.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "core/angle.h"
#include "core/clip_time.h"
#include "core/index.h"
#include "figure/dynamic/colliders.h"
#include "figure/dynamic/internal/edit_actions.h"
#include "figure/dynamic/internal/edit_obey.h"
#include "figure/dynamic/internal/edit_playing.h"
#include "figure/dynamic/internal/edit_reference.h"
#include "figure/dynamic/internal/edit_return.h"
#include "figure/motion_track.h"
#include "figure/pose_metrics.h"
#include "figure/smooth_motion.h"

namespace limber::figure {

namespace {

using internal::EditActions;
using internal::EditMoment;
using internal::EditReturn;
using internal::Playing;

/// A joint counts as back when it is nearer to the clip than this [rad].
constexpr double kBack = Radians(2.0);

/// Time in which the reference follows a figure that is not to go back to its
/// path [s].
constexpr double kFollowing = 0.3;

void CheckCall(const Motion& clip, const FigureModel& model,
               std::span<const EditEvent> events,
               const EditSettings& settings) {
  if (clip.num_frames() == 0) {
    throw std::invalid_argument("clip: there are no frames");
  }
  if (clip.skeleton().num_joints() != model.skeleton->num_joints()) {
    throw std::invalid_argument(
        "clip: has " + std::to_string(clip.skeleton().num_joints()) +
        " joints, the figure " + std::to_string(model.skeleton->num_joints()));
  }
  if (const std::string why = WhyNotWhole(clip.duration(), clip.rate_hz());
      !why.empty()) {
    throw std::invalid_argument("clip: " + why);
  }
  for (const EditEvent& event : events) {
    CheckEvent(event, model);
    if (event.kind == EditEvent::Kind::kFloor && !settings.floor) {
      throw std::invalid_argument(
          "floor: an event moves or tilts it, and the figure plays without "
          "one");
    }
  }
  for (const int s : settings.keep) {
    if (s < 0 || s >= model.num_segments()) {
      throw std::invalid_argument("keep: there is no segment " +
                                  std::to_string(s));
    }
  }
}

/// The clip's rate times the smallest whole number that makes it as fast as
/// asked, so that frames fall on steps.
double StepRate(double clip_hz, double least_hz) {
  return clip_hz * std::max(1.0, std::ceil(least_hz / clip_hz - 1e-6));
}

bool IsTouching(const EditEvent& event) {
  return event.kind == EditEvent::Kind::kThrow ||
         event.kind == EditEvent::Kind::kObstacle;
}

/// Turning about +Y and a shift over the ground that take `B` nearest to `E`.
Transform OverTheGround(const Transform& E, const Transform& B) {
  Transform X;
  X.R = Heading(E.R * B.R.conjugate());
  X.p = E.p - X.R * B.p;
  X.p.y() = 0.0;
  return X;
}

/// A share of the way from `a` to `b`, both over the ground.
Transform Towards(const Transform& a, const Transform& b, double share) {
  return {a.R.slerp(share, b.R).normalized(), a.p + share * (b.p - a.p)};
}

/// Adds up what touches the segments from step to step of a frame.
class Touching {
 public:
  explicit Touching(const ArticulatedFigure& figure)
      : figure_(figure), touches_(Index(figure.num_segments())) {}

  void AfterStep(const dynamics::World& world, double h) {
    seconds_ += h;
    for (const dynamics::Contact& contact : world.contacts()) {
      const Vector3 impulse = contact.normal_impulse * contact.normal_W +
                              contact.friction_impulse_W;
      for (int s = 0; s < figure_.num_segments(); ++s) {
        const bool is_b = contact.body_b == figure_.body(s);
        if (!is_b && contact.body_a != figure_.body(s)) continue;
        Touch& touch = touches_[Index(s)];
        touch.impulse += is_b ? impulse : Vector3(-impulse);
        touch.weight += contact.normal_impulse;
        touch.moment += contact.normal_impulse *
                        (world.X_WB(figure_.body(s)).Inverse() * contact.p_W);
      }
    }
  }

  /// What touched since this was asked last.
  std::vector<EditContact> Take() {
    std::vector<EditContact> contacts;
    for (std::size_t s = 0; s < touches_.size(); ++s) {
      const Touch touch = std::exchange(touches_[s], {});
      if (!(touch.weight > 0.0)) continue;
      contacts.push_back({static_cast<int>(s), touch.moment / touch.weight,
                          touch.impulse / seconds_});
    }
    seconds_ = 0.0;
    return contacts;
  }

 private:
  struct Touch {
    Vector3 impulse = Vector3::Zero();  ///< [N s]
    double weight = 0.0;                ///< [N s]
    Vector3 moment = Vector3::Zero();   ///< Of the places [N s m].
  };
  const ArticulatedFigure& figure_;
  std::vector<Touch> touches_;
  double seconds_ = 0.0;
};

/// Both playings, and what comes of them, step by step.
class Editing {
 public:
  Editing(const Motion& movement, std::shared_ptr<const FigureModel> model,
          std::span<const EditEvent> events, const EditSettings& settings,
          double lead_time)
      : settings_(settings),
        clip_(std::make_shared<const SmoothMotion>(movement)),
        floor_(settings.floor ? FloorHeight(*model, movement) : 0.0),
        reference_(std::make_shared<const SmoothMotion>(
            settings.floor ? internal::PlayableClip(movement, *model, floor_)
                           : movement)),
        base_(reference_, model, floor_, settings,
              std::ranges::any_of(events, IsTouching)),
        edited_(reference_, model, floor_, settings,
                std::ranges::any_of(events, IsTouching)),
        actions_(base_, edited_, settings, movement.duration()),
        touching_(edited_.figure()),
        return_(edited_.figure(), settings.return_to) {
    std::vector<EditEvent> sorted(events.begin(), events.end());
    std::ranges::stable_sort(sorted, {}, &EditEvent::time);
    for (EditEvent& event : sorted) {
      event.time = std::max(0.0, event.time - lead_time);
      for (EditEvent::Waypoint& way : event.path) way.time -= lead_time;
      actions_.Schedule(event);
    }
    Sample(0.0);
    return_.Advance(clip_pose_, base_.performer().actual(),
                    edited_.performer().actual(), {}, false, false, 0.0);
  }

  void Step() {
    const double h = edited_.stage().step();
    const bool begins = actions_.BeginsNow();
    // Nothing of the last event shows: what is left of it is taken away.
    if (return_.faded() && (begins || !put_back_)) {
      edited_.Follow(base_, edited_.task().X_T());
    }
    put_back_ = return_.faded();
    actions_.BeforeBase();
    base_.Step();
    actions_.BeforeEdited(begins || !return_.faded());
    edited_.Step();
    touching_.AfterStep(edited_.stage().world(), h);
    FollowOverTheGround(h);
    Sample(edited_.stage().time());
    return_.Advance(clip_pose_, base_.performer().actual(),
                    edited_.performer().actual(), edited_.task().X_T(),
                    actions_.Busy(), begins, h);
    if (return_.angle() > settings_.let_go_angle && actions_.begun()) {
      edited_.task().LetGoNow(edited_.stage().time());
    }
    actions_.HelpUp(return_.angle(), return_.distance(), h);
    actions_.AfterStep(return_.result());
  }

  double step() const { return edited_.stage().step(); }
  double floor() const { return floor_; }
  Playing& edited() { return edited_; }
  const EditActions& actions() const { return actions_; }
  /// Notes contacts, things and the floor of a frame that ends now.
  void Note(std::int64_t index, EditFrame& frame) {
    frame.contacts = touching_.Take();
    frame.X_WF = edited_.X_WFloor();
    actions_.NoteThings(index);
  }
  /// What there is after the last step.
  EditMoment Moment() {
    return {clip_pose_, return_.result(), edited_.performer().actual(),
            edited_.X_WFloor(), return_.at_clip()};
  }

 private:
  void Sample(double time) {
    clip_->Sample(time, pose_);
    edited_.figure().Split(pose_, clip_pose_);
  }

  // A figure that does not go back to its path takes the path along.
  void FollowOverTheGround(double h) {
    if (settings_.return_to == EditSettings::Return::kPath) return;
    if (!actions_.begun() || has_settled_) {
      has_settled_ = return_.settled();
      return;
    }
    // Where it settles the path stays.
    has_settled_ = return_.settled();
    const double share = has_settled_ ? 1.0 : std::min(1.0, h / kFollowing);
    const Transform there = OverTheGround(edited_.performer().actual()[0],
                                          base_.performer().actual()[0]);
    edited_.task().set_X_T(Towards(edited_.task().X_T(), there, share));
  }

  EditSettings settings_;
  std::shared_ptr<const SmoothMotion> clip_;
  double floor_;
  std::shared_ptr<const SmoothMotion> reference_;
  Playing base_;
  Playing edited_;
  EditActions actions_;
  Touching touching_;
  EditReturn return_;
  bool put_back_ = true;
  bool has_settled_ = false;
  Pose pose_;
  SegmentPose clip_pose_;
};

/// Reads the motors of one frame of an edit, after the step that ends there.
void NoteMotors(Editing& editing, EditFrame& frame) {
  const ArticulatedFigure& figure = editing.edited().figure();
  const std::vector<StepRecord>& steps =
      editing.edited().stage().recorder().steps();
  frame.torque.assign(Index(figure.num_segments()), 0.0);
  if (steps.empty()) return;
  const StepRecord& record = steps.back();
  frame.root_help = record.root_help;
  int motors = 0;
  int saturated = 0;
  Vector3 contact = Vector3::Zero();
  for (std::size_t s = 0; s < record.motors.size(); ++s) {
    motors += record.motors[s].num_motors;
    saturated += record.motors[s].num_saturated;
    frame.torque[s] = record.motors[s].torque.norm();
    contact += record.contact_force[s];
  }
  if (motors > 0) frame.saturation = double(saturated) / motors;
  frame.contact = contact.norm() / (figure.model().total_mass() * kGravity);
}

/// Compares one frame of the result with the clip.
void NotePose(const ArticulatedFigure& figure, const EditMoment& moment,
              EditFrame& frame, EditResult& result) {
  const SegmentPose& out = moment.result;
  const SegmentPose& clip = moment.clip;
  std::vector<Quaternion> R_out(out.size());
  std::vector<Quaternion> R_clip(out.size());
  for (std::size_t s = 0; s < out.size(); ++s) {
    EditedSegment& segment = result.segments[s];
    const int parent = figure.segment(static_cast<int>(s)).parent;
    R_out[s] = parent < 0 ? out[s].R : R_out[Index(parent)] * out[s].R;
    R_clip[s] = parent < 0 ? clip[s].R : R_clip[Index(parent)] * clip[s].R;
    segment.turn = std::max(segment.turn, AngleBetween(R_out[s], R_clip[s]));
    if (parent < 0) {
      frame.root_shift =
          std::max(frame.root_shift, (out[s].p - clip[s].p).norm());
      continue;
    }
    const double angle = AngleBetween(out[s].R, clip[s].R);
    frame.difference = std::max(frame.difference, angle);
    segment.deflection = std::max(segment.deflection, angle);
    const Anchor& anchor = figure.segment(static_cast<int>(s)).anchor;
    result.limit_violation =
        std::max(result.limit_violation, LimitViolation(anchor, out[s].R) -
                                             LimitViolation(anchor, clip[s].R));
  }
}

/// What the motors did over the whole clip.
void NoteMotors(const Recorder& recorder, EditResult& result) {
  const double count = static_cast<double>(recorder.steps().size());
  for (const StepRecord& step : recorder.steps()) {
    for (std::size_t s = 0; s < step.motors.size(); ++s) {
      EditedSegment& segment = result.segments[s];
      const double torque = step.motors[s].torque.norm();
      segment.mean_torque += torque / count;
      segment.max_torque = std::max(segment.max_torque, torque);
      if (step.motors[s].num_saturated > 0) segment.saturation += 1.0 / count;
    }
  }
}

double ReturnTime(const EditResult& result, std::span<const EditEvent> events,
                  double clip_end) {
  double last_end = 0.0;
  for (const EditEvent& event : events) {
    last_end = std::max(last_end, EndOf(event, clip_end));
  }
  double last_away = 0.0;
  for (const EditFrame& frame : result.frames) {
    if (frame.difference > kBack) last_away = frame.time;
  }
  if (events.empty() || last_away <= last_end) return 0.0;
  if (last_away >= result.frames.back().time - 1e-9) {
    return std::numeric_limits<double>::infinity();
  }
  return last_away - last_end;
}

/// `clip` with the results of the moments, which begin at frame `first`.
Motion MotionOf(const Motion& clip, std::int64_t first,
                const ArticulatedFigure& figure,
                const std::vector<EditMoment>& moments) {
  Motion motion(clip.shared_skeleton(), clip.rate_hz(), clip.source());
  Pose pose;
  for (std::int64_t f = 0; f < clip.num_frames(); ++f) {
    clip.GetPose(f, pose);
    if (f >= first) {
      const EditMoment& moment = moments[static_cast<std::size_t>(f - first)];
      if (!moment.at_clip) {
        EditReturn::Apply(figure, moment.clip, moment.result, pose);
      }
    }
    motion.Append(pose);
  }
  return motion;
}

/// Where the segments of each moment's result are.
std::vector<std::vector<Vector3>> PlacesOf(
    const ArticulatedFigure& figure, const std::vector<EditMoment>& moments) {
  std::vector<std::vector<Vector3>> places;
  std::vector<Transform> X_WB;
  for (const EditMoment& moment : moments) {
    internal::PlaceSegments(figure, moment.result, X_WB);
    std::vector<Vector3>& now = places.emplace_back();
    for (const Transform& X : X_WB) now.push_back(X.p);
  }
  return places;
}

/// Puts the moments back inside limits and above the floor, and makes the
/// result's motion of them.
void Obey(const Motion& clip, std::int64_t first, Editing& editing,
          const EditSettings& settings, std::vector<EditMoment>& moments,
          EditResult& result) {
  const ArticulatedFigure& figure = editing.edited().figure();
  const FigureModel& model = figure.model();
  const auto before = PlacesOf(figure, moments);
  internal::ObeyLimits(figure, clip.rate_hz(), moments);
  result.motion = MotionOf(clip, first, figure, moments);
  if (settings.floor) {
    std::vector<Transform> floors(static_cast<std::size_t>(first),
                                  moments.front().X_WF);
    for (const EditMoment& moment : moments) floors.push_back(moment.X_WF);
    const auto movement = [first](std::vector<double> of_all) {
      of_all.erase(of_all.begin(), of_all.begin() + first);
      return of_all;
    };
    std::vector<double> allowed = movement(LowestPoints(model, clip));
    for (double& low : allowed) low = std::max(0.0, editing.floor() - low);
    internal::StayAbove(figure, clip.rate_hz(),
                        movement(LowestPoints(model, result.motion, floors)),
                        allowed, moments);
    result.motion = MotionOf(clip, first, figure, moments);
    const std::vector<double> heights =
        movement(LowestPoints(model, result.motion, floors));
    for (std::size_t i = 0; i < heights.size(); ++i) {
      result.penetration =
          std::max(result.penetration, -heights[i] - allowed[i]);
    }
  }
  // Goals were met by the poses as they were before.
  const auto after = PlacesOf(figure, moments);
  for (EditedGoal& goal : result.goals) {
    double moved = 0.0;
    for (std::size_t i = 0; i < after.size(); ++i) {
      moved = std::max(moved, (after[i][Index(goal.segment)] -
                               before[i][Index(goal.segment)])
                                  .norm());
    }
    goal.distance += moved;
  }
}

}  // namespace

EditResult EditMotion(const Motion& clip,
                      std::shared_ptr<const FigureModel> model,
                      std::span<const EditEvent> events,
                      const EditSettings& settings) {
  CheckCall(clip, *model, events, settings);
  // A calibration pose in front is no movement that a body can make.
  const int lead_in = NumLeadInFrames(clip);
  const Motion movement = WithoutLeadIn(clip);
  EditSettings used = settings;
  used.rate_hz = StepRate(clip.rate_hz(), settings.rate_hz);
  const auto steps_per_frame = std::lround(used.rate_hz / clip.rate_hz());
  Editing editing(movement, model, events, used, lead_in / clip.rate_hz());

  EditResult result{
      .motion = Motion(clip.shared_skeleton(), clip.rate_hz(), clip.source()),
      .frames = {},
      .summary = {},
      .segments = std::vector<EditedSegment>(Index(model->num_segments())),
      .goals = {},
      .props = {},
      .things = {},
      .let_go_time = {}};
  std::vector<EditMoment> moments;
  for (std::int64_t f = 0; f < clip.num_frames(); ++f) {
    EditFrame& frame = result.frames.emplace_back();
    frame.time = static_cast<double>(f) / clip.rate_hz();
    frame.torque.assign(result.segments.size(), 0.0);
    if (f < lead_in) continue;
    for (long i = 0; f > lead_in && i < steps_per_frame; ++i) editing.Step();
    NoteMotors(editing, frame);
    editing.Note(f, frame);
    moments.push_back(editing.Moment());
    if (settings.progress) {
      settings.progress(static_cast<double>(f + 1) /
                        static_cast<double>(clip.num_frames()));
    }
  }
  result.goals = editing.actions().Goals();
  Obey(clip, lead_in, editing, settings, moments, result);
  for (std::size_t i = 0; i < moments.size(); ++i) {
    NotePose(editing.edited().figure(), moments[i],
             result.frames[i + Index(lead_in)], result);
  }
  const Recorder& recorder = editing.edited().stage().recorder();
  result.summary = recorder.Summary();
  NoteMotors(recorder, result);
  result.props = editing.actions().Props();
  result.things = editing.actions().Things();
  result.return_time = ReturnTime(result, events, clip.duration());
  result.deepest_contact = editing.edited().deepest();
  if (const auto time = editing.edited().task().let_go_time()) {
    result.let_go_time = *time + lead_in / clip.rate_hz();
  }
  return result;
}

}  // namespace limber::figure
