// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/play.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/clip_time.h"
#include "core/index.h"
#include "figure/dynamic/goals.h"
#include "figure/dynamic/stage.h"
#include "figure/motion_track.h"
#include "figure/smooth_motion.h"

namespace limber::figure {

namespace {

/// How fast a held point goes back to its path [s].
constexpr double kHoldTime = 0.005;

void CheckSettings(const Motion& clip, const FigureModel& model,
                   const PlaySettings& settings) {
  if (clip.num_frames() == 0) {
    throw std::invalid_argument("clip: there are no frames");
  }
  if (clip.skeleton().num_joints() != model.skeleton->num_joints()) {
    throw std::invalid_argument(
        "clip: has " + std::to_string(clip.skeleton().num_joints()) +
        " joints, the figure " + std::to_string(model.skeleton->num_joints()));
  }
  const auto check = [](const char* name, double value) {
    if (!(value > 0.0) || !std::isfinite(value)) {
      throw std::invalid_argument(std::string(name) +
                                  " must be positive and finite, found " +
                                  std::to_string(value));
    }
  };
  check("rate_hz", settings.rate_hz);
  check("held_force", settings.held_force);
  check("root_stiffness", settings.root_stiffness);
  Validate(settings.strength);
  for (const HeldPoint& point : settings.held) {
    if (point.segment < 0 || point.segment >= model.num_segments()) {
      throw std::invalid_argument("held: there is no segment " +
                                  std::to_string(point.segment));
    }
    if (static_cast<std::int64_t>(point.share.size()) != clip.num_frames()) {
      throw std::invalid_argument(
          "held: share has " + std::to_string(point.share.size()) +
          " values, the clip " + std::to_string(clip.num_frames()) + " frames");
    }
  }
}

/// The value between two frames, on a straight line.
double ShareAt(const std::vector<double>& share, double frame) {
  const double last = static_cast<double>(share.size() - 1);
  const double at = std::clamp(frame, 0.0, last);
  const auto before = static_cast<std::size_t>(at);
  const std::size_t after = std::min(before + 1, share.size() - 1);
  const double u = at - static_cast<double>(before);
  return (1.0 - u) * share[before] + u * share[after];
}

/// Ties the held points to their paths; one goal per point.
std::vector<PointAt*> AddHeldPoints(
    Stage& stage, const ArticulatedFigure& figure,
    const std::shared_ptr<const SmoothMotion>& smooth,
    const std::vector<HeldPoint>& held) {
  std::vector<PointAt*> goals;
  for (const HeldPoint& point : held) {
    const int joint = figure.segment(point.segment).joint;
    const auto target = [smooth, joint, p_JA = point.point_B,
                         skeleton = figure.model().skeleton](double time) {
      Pose pose;
      smooth->Sample(time, pose);
      return WorldTransforms(*skeleton, pose)[Index(joint)] * p_JA;
    };
    auto goal = std::make_unique<PointAt>(stage, figure.body(point.segment),
                                          point.point_B, target);
    goal->time_constant = kHoldTime;
    goal->set_max_force(0.0);
    goals.push_back(&stage.AddGoal(std::move(goal)));
  }
  return goals;
}

void HelpRoots(Performer& performer, double mass, double stiffness) {
  for (int s = 0; s < performer.figure().num_segments(); ++s) {
    if (!performer.figure().is_root(s)) continue;
    RootServo servo = RootServo::Helping(mass);
    servo.softness /= stiffness;
    servo.turn_softness /= stiffness;
    performer.set_raw(s, std::make_shared<RootServo>(servo));
  }
}

/// How far the played motion is from the clip, from frame `first` on.
void Compare(const Motion& clip, std::int64_t first, PlayResult& result) {
  double squares = 0.0;
  double count = 0.0;
  Pose wanted;
  Pose played;
  for (std::int64_t f = first; f < clip.num_frames(); ++f) {
    clip.GetPose(f, wanted);
    result.motion.GetPose(f, played);
    for (int j = 0; j < clip.skeleton().num_joints(); ++j) {
      const Transform& a = wanted.X_PJ[Index(j)];
      const Transform& b = played.X_PJ[Index(j)];
      const double angle = AngleBetween(a.R, b.R);
      result.largest_difference = std::max(result.largest_difference, angle);
      squares += angle * angle;
      count += 1.0;
      if (clip.skeleton().is_root(j)) {
        result.root_shift = std::max(result.root_shift, (a.p - b.p).norm());
      }
    }
  }
  if (count > 0.0) result.rms_difference = std::sqrt(squares / count);
}

}  // namespace

PlayResult PlayMotion(const Motion& clip,
                      std::shared_ptr<const FigureModel> model,
                      const PlaySettings& settings) {
  CheckSettings(clip, *model, settings);
  const int lead_in = NumLeadInFrames(clip);
  const Motion movement = WithoutLeadIn(clip);
  const auto smooth = std::make_shared<const SmoothMotion>(movement);
  Stage stage({.world = {}, .rate_hz = settings.rate_hz});
  MotionTrack track;
  track.Append(smooth);
  const auto task = std::make_shared<AnimationController>(
      std::move(track),
      StrengthSchedule(model->num_segments(), settings.strength));
  Performer& performer = stage.AddFigure("figure", model, task);
  HelpRoots(performer, model->total_mass(), settings.root_stiffness);
  const std::vector<PointAt*> goals =
      AddHeldPoints(stage, performer.figure(), smooth, settings.held);
  const double bound =
      settings.held_force * performer.figure().weight(stage.world());

  // So many steps that the last frame is reached.
  const std::int64_t num_steps =
      FramesIn(movement.duration(), settings.rate_hz, Frames::kUp);
  for (std::int64_t step = 0; step < num_steps; ++step) {
    const double frame = lead_in + stage.time() * clip.rate_hz();
    for (std::size_t i = 0; i < goals.size(); ++i) {
      goals[i]->set_max_force(bound * ShareAt(settings.held[i].share, frame));
    }
    stage.Step();
    if (!performer.figure().IsFinite(stage.world())) {
      throw std::runtime_error("the figure's motion is no number any more " +
                               std::to_string(stage.time()) +
                               " s after its start, with steps of " +
                               std::to_string(stage.step()) + " s");
    }
  }
  const Motion baked = stage.recorder().Bake(
      performer, clip.rate_hz(),
      [&task](double time) { return task->PoseAt(time); });
  PlayResult result{
      Motion(clip.shared_skeleton(), clip.rate_hz(), clip.source()),
      stage.recorder().Summary()};
  for (std::int64_t f = 0; f < clip.num_frames(); ++f) {
    result.motion.Append(
        f < lead_in
            ? clip.pose(f)
            : baked.pose(std::min(f - lead_in, baked.num_frames() - 1)));
  }
  Compare(clip, lead_in, result);
  return result;
}

}  // namespace limber::figure
