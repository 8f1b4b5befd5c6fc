// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/task_controller.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace limber::figure {

namespace {

void CheckOrder(const char* what, double time, double last) {
  if (time >= last) return;
  throw std::invalid_argument(std::string(what) +
                              ": time must not be before the last change, is " +
                              std::to_string(time));
}

void CheckNotNegative(const char* what, const char* field, double value) {
  if (value >= 0.0 && std::isfinite(value)) return;
  throw std::invalid_argument(std::string(what) + ": " + field +
                              " must be zero or positive, is " +
                              std::to_string(value));
}

// A rag doll is still while no joint turns and no root moves faster than this,
// rests when it has been so for a time, and is awake again when something moves
// at several times that speed.
constexpr double kStillSpin = 0.3;   // [rad/s]
constexpr double kStillSpeed = 0.1;  // [m/s]
constexpr double kStillTime = 0.2;   // [s]
constexpr double kWakeSpin = 1.0;    // [rad/s]
constexpr double kWakeSpeed = 0.3;   // [m/s]

// The longer it has lain, the sooner it holds on: slow pulls have one limb come
// loose after the other. It lies while its root is not faster than kWakeSpeed
// and no joint than this.
constexpr double kLyingSpin = 3.0;      // [rad/s]
constexpr double kFresh = 1.0;          // [s]
constexpr double kTiring = 0.4;         // Growth of kStillSpin [rad/s^2],
constexpr double kMostStillSpin = 0.8;  // up to this.

// A muscle that is stretched holds a third more than it can lift. Without, a
// limb that weighs just what its joint bears sinks on and on.
constexpr double kHeld = 1.3;

}  // namespace

void TaskController::Observe(const Observation&) {}

void TimeWarp::ChangeSpeed(double time, double duration, double speed) {
  CheckNotNegative("TimeWarp", "speed", speed);
  CheckNotNegative("TimeWarp", "duration", duration);
  Key key;
  key.time = time;
  key.duration = duration;
  key.to = speed;
  if (!keys_.empty()) {
    CheckOrder("TimeWarp", time, keys_.back().time + keys_.back().duration);
    key.from = keys_.back().to;
  } else {
    CheckOrder("TimeWarp", time, start_);
  }
  key.track_time = TrackTime(time);
  keys_.push_back(key);
}

double TimeWarp::TrackTime(double time) const {
  if (keys_.empty() || time <= keys_.front().time) {
    return std::max(0.0, time - start_);
  }
  std::size_t k = keys_.size() - 1;
  while (keys_[k].time > time) --k;
  const Key& key = keys_[k];
  // The integral of from + (to - from) SmoothStep(u); that of SmoothStep is
  // u^4 (5/2 - 3 u + u^2), 1/2 at u = 1.
  const double since = time - key.time;
  const double u =
      key.duration > 0.0 ? std::min(1.0, since / key.duration) : 1.0;
  const double eased = key.duration * u * u * u * u * (2.5 + u * (u - 3.0)) +
                       std::max(0.0, since - key.duration);
  return key.track_time + key.from * since + (key.to - key.from) * eased;
}

AnimationController::AnimationController(MotionTrack track,
                                         StrengthSchedule schedule)
    : track_(std::move(track)), schedule_(std::move(schedule)) {
  if (track_.empty()) {
    throw std::invalid_argument("AnimationController: the track is empty");
  }
}

void AnimationController::Reference(const ArticulatedFigure& figure,
                                    double time, SegmentPose& X_PB) {
  track_.Sample(warp_.TrackTime(time), pose_);
  figure.Split(pose_, X_PB);
}

Pose AnimationController::PoseAt(double time) const {
  Pose pose;
  track_.Sample(warp_.TrackTime(time), pose);
  return pose;
}

void AnimationController::LetGoNow(double time) {
  if (!let_go_time_) let_go_time_ = time;
}

Strength AnimationController::StrengthOf(int segment, double time) const {
  const Strength scheduled = schedule_.At(segment, time);
  if (!let_go_time_) return scheduled;
  // Down after letting go, up again after the rest.
  const double since = time - *let_go_time_;
  const double down =
      rule_.duration > 0.0 ? SmoothStep(since / rule_.duration) : 1.0;
  double up = 0.0;
  if (since > rule_.recover_after) {
    up = SmoothStep((since - rule_.recover_after) /
                    std::max(rule_.recover_duration, 1e-9));
  }
  return Blend(Blend(scheduled, rule_.strength, down), scheduled, up);
}

void AnimationController::Observe(const Observation& observation) {
  if (let_go_time_) {
    const double end =
        *let_go_time_ + rule_.recover_after + rule_.recover_duration;
    if (observation.time < end) return;
    // Whoever has just got up gets a moment to catch up with the clip.
    let_go_time_.reset();
    watch_from_ = observation.time + rule_.recover_duration;
    return;
  }
  if (observation.time < watch_from_) return;
  for (std::size_t s = 0; s < observation.actual->size(); ++s) {
    const Transform& actual = (*observation.actual)[s];
    const Transform& wanted = (*observation.wanted)[s];
    if (AngleBetween(actual.R, wanted.R) > rule_.joint_angle ||
        (actual.p - wanted.p).norm() > rule_.root_distance) {
      LetGoNow(observation.time);
      return;
    }
  }
}

RagDollController::RagDollController(Pose comfortable, const Strength& strength)
    : comfortable_(std::move(comfortable)), strength_(strength) {
  Validate(strength);
  strength_.friction = std::max(strength_.friction, Strength::Limp().friction);
}

void RagDollController::Reference(const ArticulatedFigure& figure, double,
                                  SegmentPose& X_PB) {
  figure.Split(comfortable_, X_PB);
}

Strength RagDollController::StrengthOf(int, double) const {
  if (!rests_ || std::isinf(strength_.torque)) return strength_;
  Strength brake = strength_;
  brake.friction = kHeld * (brake.friction + brake.torque);
  brake.torque = 0.0;
  return brake;
}

void RagDollController::Observe(const Observation& observation) {
  const SegmentPose& now = *observation.actual;
  const double h = observation.time - last_time_;
  const bool moved_on = last_.size() == now.size() && h > 0.0;
  double spin = 0.0, speed = 0.0;
  for (std::size_t s = 0; s < now.size() && moved_on; ++s) {
    spin = std::max(spin, AngleBetween(now[s].R, last_[s].R) / h);
    speed = std::max(speed, (now[s].p - last_[s].p).norm() / h);
  }
  last_ = now;
  last_time_ = observation.time;
  if (!moved_on || spin > kWakeSpin || speed > kWakeSpeed) rests_ = false;
  const bool lies = moved_on && spin < kLyingSpin && speed < kWakeSpeed;
  lying_ = lies ? lying_ + h : 0.0;
  const double still_spin = std::clamp(kStillSpin + kTiring * (lying_ - kFresh),
                                       kStillSpin, kMostStillSpin);
  const bool still = moved_on && spin < still_spin && speed < kStillSpeed;
  still_ = still ? still_ + h : 0.0;
  if (still_ >= kStillTime) rests_ = true;
}

MixController::MixController(std::shared_ptr<TaskController> a,
                             std::shared_ptr<TaskController> b)
    : a_(std::move(a)), b_(std::move(b)) {
  if (!a_ || !b_) {
    throw std::invalid_argument("MixController: a controller is null");
  }
}

void MixController::Fade(double time, double duration, double share) {
  CheckNotNegative("MixController", "duration", duration);
  CheckNotNegative("MixController", "share", share);
  if (share > 1.0) {
    throw std::invalid_argument("MixController: share must be at most 1, is " +
                                std::to_string(share));
  }
  if (!keys_.empty()) CheckOrder("MixController", time, keys_.back().time);
  keys_.push_back({time, duration, share});
}

double MixController::Share(double time) const {
  double share = 0.0;
  for (const Key& key : keys_) {
    if (key.time > time) break;
    const double x =
        key.duration > 0.0 ? (time - key.time) / key.duration : 1.0;
    share += SmoothStep(x) * (key.share - share);
  }
  return share;
}

void MixController::Reference(const ArticulatedFigure& figure, double time,
                              SegmentPose& X_PB) {
  const double share = Share(time);
  a_->Reference(figure, time, X_PB);
  if (share <= 0.0) return;
  b_->Reference(figure, time, other_);
  for (std::size_t s = 0; s < X_PB.size(); ++s) {
    X_PB[s].R = X_PB[s].R.slerp(share, other_[s].R);
    X_PB[s].p += share * (other_[s].p - X_PB[s].p);
  }
}

Strength MixController::StrengthOf(int segment, double time) const {
  return Blend(a_->StrengthOf(segment, time), b_->StrengthOf(segment, time),
               Share(time));
}

void MixController::Observe(const Observation& observation) {
  // A task that is not in charge is not judged by what the other one does.
  const double share = Share(observation.time);
  if (share <= 0.0) a_->Observe(observation);
  if (share >= 1.0) b_->Observe(observation);
}

}  // namespace limber::figure
