// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/performer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/index.h"
#include "figure/dynamic/motor_reading.h"

namespace limber::figure {

using dynamics::World;

namespace {

// Time between the poses that give the first velocities [s].
constexpr double kProbe = 1e-4;

// What a step says about how alike misses are fades to this after the next.
constexpr double kMemory = 0.9;

// No step goes so far past its aim; more is not the step's error [rad, m].
constexpr double kMostExcess = 0.02;

Vector3 Limited(const Vector3& v, double most) {
  const double size = v.norm();
  return size > most ? Vector3(v * (most / size)) : v;
}

// A figure needs a pose to be built in, and the reference needs the figure to
// split its poses: the rest pose comes first.
ArticulatedFigure Build(World& world, std::shared_ptr<const FigureModel> model,
                        const FigureBuildOptions& options) {
  if (!model) throw std::invalid_argument("Performer: model is null");
  const Pose rest = RestPose(*model->skeleton);
  return ArticulatedFigure(world, std::move(model), rest, options);
}

}  // namespace

Performer::Performer(World& world, std::shared_ptr<const FigureModel> model,
                     std::shared_ptr<TaskController> task,
                     const FigureBuildOptions& options)
    : figure_(Build(world, std::move(model), options)) {
  set_task(std::move(task));
  const auto servo = std::make_shared<AngleServo>();
  for (int s = 0; s < figure_.num_segments(); ++s) {
    if (figure_.is_root(s)) {
      raw_.push_back(std::make_shared<RootServo>());
    } else {
      raw_.push_back(servo);
    }
  }
  // A reference may begin here, so only its future counts: the velocity now is
  // 2 v(e) - v(2 e), with v(e) from the poses at 0 and 2 e, v(2 e) from those
  // at e and 3 e.
  std::vector<Pose> poses(4);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const double at = world.time() + static_cast<double>(i) * kProbe;
    task_->Reference(figure_, at, actual_);
    figure_.Join(actual_, poses[i]);
  }
  figure_.SetPose(world, poses[0]);
  std::vector<SegmentVelocity> first =
      figure_.VelocitiesBetween(poses[0], poses[2], 2.0 * kProbe);
  const std::vector<SegmentVelocity> second =
      figure_.VelocitiesBetween(poses[1], poses[3], 2.0 * kProbe);
  for (std::size_t s = 0; s < first.size(); ++s) {
    first[s].v_WC = 2.0 * first[s].v_WC - second[s].v_WC;
    first[s].w_WB = 2.0 * first[s].w_WB - second[s].w_WB;
  }
  figure_.SetVelocities(world, first);
  figure_.ReadPose(world, actual_);
}

void Performer::set_task(std::shared_ptr<TaskController> task) {
  if (!task) throw std::invalid_argument("Performer: task is null");
  task_ = std::move(task);
  demand_end_.reset();
}

void Performer::set_raw(int segment, std::shared_ptr<RawController> raw) {
  if (segment < 0 || segment >= figure_.num_segments()) {
    throw std::invalid_argument("Performer: there is no segment " +
                                std::to_string(segment));
  }
  if (!raw) throw std::invalid_argument("Performer: controller is null");
  raw_[Index(segment)] = std::move(raw);
}

RootServo& Performer::root_servo() {
  for (int s = 0; s < figure_.num_segments(); ++s) {
    if (!figure_.is_root(s)) continue;
    if (auto* servo = dynamic_cast<RootServo*>(raw_[Index(s)].get())) {
      return *servo;
    }
    break;
  }
  throw std::logic_error("Performer: the root has another controller");
}

void Performer::NoteVelocities(const World& world) {
  velocities_.resize(Index(figure_.num_segments()));
  for (int s = 0; s < figure_.num_segments(); ++s) {
    const dynamics::BodyMotion& motion = world.motion(figure_.body(s));
    velocities_[Index(s)] = {motion.v_WC, motion.w_WB};
  }
}

// The pose a step ago is the one that was there, not one worked out from
// velocities: these belong to the middle of the step and to the mass centres,
// and the difference, h^2/2 w x (w x r), would be a constant pull of the servo,
// which divides by h^2. Velocities
// say what has been changed since: a push moves `before` by -h times its kick,
// a body put elsewhere takes its past along.
void Performer::FindSituation(const World& world, double h) {
  figure_.ReadPose(world, situation_.now);
  situation_.before = situation_.now;
  for (int s = 0; s < figure_.num_segments(); ++s) {
    const dynamics::BodyMotion& body = world.motion(figure_.body(s));
    const Transform& now = situation_.now[Index(s)];
    Transform& before = situation_.before[Index(s)];
    Vector3 turn = Vector3::Zero();   // In a step of h, axes of P.
    Vector3 shift = Vector3::Zero();  // Roots.
    SegmentVelocity kick{body.v_WC, body.w_WB};
    if (last_h_ > 0.0) {
      const double share = h / last_h_;
      const Transform& end = actual_[Index(s)];
      const Transform& start = last_start_[Index(s)];
      turn = share * LogRotation(end.R * start.R.conjugate());
      shift = share * (end.p - start.p);
      kick.v_WC -= velocities_[Index(s)].v_WC;
      kick.w_WB -= velocities_[Index(s)].w_WB;
    }
    if (figure_.is_root(s)) {
      turn += h * kick.w_WB;
      shift += h * (kick.v_WC + kick.w_WB.cross(body.p_WB - body.p_WC));
    } else {
      const int parent = figure_.segment(s).parent;
      const dynamics::BodyMotion& holder = world.motion(figure_.body(parent));
      Vector3 holder_kick = holder.w_WB;
      if (last_h_ > 0.0) holder_kick -= velocities_[Index(parent)].w_WB;
      turn += h * (holder.q_WB.conjugate() * (kick.w_WB - holder_kick));
    }
    before.R = (ExpRotation(-turn) * now.R).normalized();
    before.p = now.p - shift;
  }
}

void Performer::FindDemand(double t, double h) {
  // Steps of one length ask for the same three times again and again.
  if (demand_end_ && std::abs(*demand_end_ - t) < 1e-9 * h && h == last_h_) {
    std::swap(demand_.before, demand_.now);
    std::swap(demand_.now, demand_.after);
    task_->Reference(figure_, t + h, demand_.after);
    demand_end_ = t + h;
    return;
  }
  task_->Reference(figure_, t, demand_.now);
  task_->Reference(figure_, t + h, demand_.after);
  demand_end_ = t + h;
  if (last_h_ > 0.0) {
    task_->Reference(figure_, t - h, demand_.before);
  } else {
    // As above: run backwards from here at the speed of now, which is what the
    // figure was given, h v = (4 x(h) - x(2 h) - 3 x(0)) / 2.
    SegmentPose later;
    task_->Reference(figure_, t + 2.0 * h, later);
    demand_.before.resize(demand_.now.size());
    for (std::size_t s = 0; s < demand_.now.size(); ++s) {
      const Transform& now = demand_.now[s];
      const Transform& after = demand_.after[s];
      const Quaternion back = now.R.conjugate();
      const Vector3 turn = 2.0 * LogRotation(after.R * back) -
                           0.5 * LogRotation(later[s].R * back);
      const Vector3 shift = 2.0 * after.p - 0.5 * later[s].p - 1.5 * now.p;
      demand_.before[s] = {ExpRotation(-turn) * now.R, now.p - shift};
    }
  }
}

void Performer::BeforeStep(World& world, double h) {
  FindSituation(world, h);
  situation_.turn_excess.resize(situation_.now.size(), Vector3::Zero());
  situation_.shift_excess.resize(situation_.now.size(), Vector3::Zero());
  const double t = world.time();
  FindDemand(t, h);
  demand_.strength.resize(Index(figure_.num_segments()));
  aims_.resize(demand_.strength.size());
  misses_.resize(demand_.strength.size());
  bool weaker = false;
  for (int s = 0; s < figure_.num_segments(); ++s) {
    Strength& own = demand_.strength[Index(s)];
    const double held = own.torque + own.friction;
    own = task_->StrengthOf(s, t);
    weaker = weaker || own.torque + own.friction < held;
  }
  // Who slept in the hold of stronger brakes may sink.
  if (weaker && world.asleep(figure_.body(0))) world.Wake(figure_.body(0));
  for (int s = 0; s < figure_.num_segments(); ++s) {
    aims_[Index(s)] =
        raw_[Index(s)]->Program(figure_, world, s, situation_, demand_, h);
  }
  last_h_ = h;
}

void Performer::AfterStep(World& world) {
  last_start_ = situation_.now;
  figure_.ReadPose(world, actual_);
  for (int s = 0; s < figure_.num_segments(); ++s) {
    Vector3& turn = situation_.turn_excess[Index(s)];
    Vector3& shift = situation_.shift_excess[Index(s)];
    Miss& miss = misses_[Index(s)];
    const std::optional<Transform>& aim = aims_[Index(s)];
    if (!aim || ReadMotors(figure_.joint(s), last_h_).num_saturated > 0) {
      turn.setZero();
      shift.setZero();
      miss = Miss();
      continue;
    }
    // A rigid motor within its bounds had the speed it was to have; what it
    // missed in place is the step's own error and no speed.
    const Transform& end = actual_[Index(s)];
    Transform& start = last_start_[Index(s)];
    const Quaternion missed = end.R * aim->R.conjugate();
    start.R = missed * start.R;
    start.p += end.p - aim->p;
    // The next miss is like the last one as far as the last ones were alike:
    // all of it on a smooth clip, little of it where noise drives the figure
    // and taking it off would only add the noise of the step before.
    const Vector3 now = turn + LogRotation(missed);
    miss.along = kMemory * miss.along + now.dot(miss.turn);
    miss.squares = kMemory * miss.squares + miss.turn.squaredNorm();
    const double alike = miss.squares > 0.0
                             ? std::clamp(miss.along / miss.squares, 0.0, 1.0)
                             : 1.0;
    miss.turn = now;
    miss.shift = shift + (end.p - aim->p);
    turn = Limited(alike * miss.turn, kMostExcess);
    shift = Limited(alike * miss.shift, kMostExcess);
  }
  NoteVelocities(world);
  task_->Observe({world.time(), &demand_.after, &actual_});
}

}  // namespace limber::figure
