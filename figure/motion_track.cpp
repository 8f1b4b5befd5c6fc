// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/motion_track.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace limber::figure {

namespace {

// Time between the samples that give speed and acceleration at a join [s].
constexpr double kProbe = 1e-3;

void CheckPositive(const char* field, double value) {
  if (value > 0.0 && std::isfinite(value)) return;
  throw std::invalid_argument(std::string("JoinOptions: ") + field +
                              " must be positive, is " + std::to_string(value));
}

// The quintic with value c, slope d, curvature k at x = 0 and zeros of third
// order at x = 1; d and k are per unit of x.
Vector3 Fading(const Vector3& c, const Vector3& d, const Vector3& k, double x) {
  if (x >= 1.0) return Vector3::Zero();
  const double y = 1.0 - x;
  const double y3 = y * y * y;
  return y3 * ((1.0 + 3.0 * x + 6.0 * x * x) * c + x * (1.0 + 3.0 * x) * d +
               0.5 * x * x * k);
}

}  // namespace

Quaternion Heading(const Quaternion& R) {
  // The twist about y: parts x and z dropped.
  const double length = std::hypot(R.w(), R.y());
  if (length < 1e-12) return Quaternion::Identity();
  return {R.w() / length, 0.0, R.y() / length, 0.0};
}

double MotionTrack::duration() const {
  return parts_.empty() ? 0.0 : parts_.back().start + parts_.back().length;
}

double MotionTrack::Append(std::shared_ptr<const SmoothMotion> clip,
                           const JoinOptions& options) {
  if (!clip) throw std::invalid_argument("MotionTrack: clip is null");
  CheckPositive("speed", options.speed);
  if (!(options.duration >= 0.0)) CheckPositive("duration", options.duration);
  const double to = std::min(options.to, clip->duration());
  if (!(options.from >= 0.0) || !(options.from <= to)) {
    throw std::invalid_argument(
        "JoinOptions: from must lie in the clip and before to, is " +
        std::to_string(options.from));
  }
  if (!parts_.empty() && clip->skeleton().num_joints() !=
                             parts_.front().clip->skeleton().num_joints()) {
    throw std::invalid_argument(
        "MotionTrack: the clip has " +
        std::to_string(clip->skeleton().num_joints()) +
        " joints, the track has " +
        std::to_string(parts_.front().clip->skeleton().num_joints()));
  }
  Part part;
  part.clip = std::move(clip);
  part.options = options;
  part.options.to = to;
  part.length = (to - options.from) / options.speed;
  part.start = duration();
  const bool overlaps = options.blend == JoinOptions::Blend::kOverlap;
  if (overlaps && !parts_.empty()) {
    if (options.duration > 0.5 * std::min(part.length, parts_.back().length)) {
      throw std::invalid_argument(
          "JoinOptions: duration of an overlap must be at most half of both "
          "clips, is " +
          std::to_string(options.duration));
    }
    part.start -= options.duration;
  }
  if (!parts_.empty() && options.align) {
    Pose track, own;
    Sample(part.start, track);
    part.clip->Sample(options.from, own);
    const Skeleton& skeleton = part.clip->skeleton();
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      if (!skeleton.is_root(j)) continue;
      const Transform& there = track.X_PJ[static_cast<std::size_t>(j)];
      const Transform& here = own.X_PJ[static_cast<std::size_t>(j)];
      part.X_WA.R = Heading(there.R * here.R.conjugate());
      part.X_WA.p = there.p - part.X_WA.R * here.p;
      part.X_WA.p.y() = 0.0;
      break;  // Further roots move with the first.
    }
  }
  if (!overlaps && !parts_.empty() && options.duration > 0.0) FindCarried(part);
  parts_.push_back(std::move(part));
  return parts_.back().start;
}

void MotionTrack::Loop(const std::shared_ptr<const SmoothMotion>& clip,
                       double length, const JoinOptions& options) {
  const double begin = duration();
  do {
    const double before = duration();
    Append(clip, options);
    // The number is known after one of them, before memory is used up.
    const double one = duration() - before;
    if (one > 0.0 && (length - begin) / one > kMostLoops) {
      throw std::invalid_argument(
          "MotionTrack: a clip of " + std::to_string(one) +
          " s is looped at most " + std::to_string(kMostLoops) +
          " times, until " + std::to_string(begin + kMostLoops * one) +
          " s, not until " + std::to_string(length) + " s");
    }
    if (!(duration() > before)) {
      throw std::invalid_argument(
          "MotionTrack: a clip without length cannot "
          "be looped");
    }
  } while (duration() < length);
}

void MotionTrack::FindCarried(Part& part) const {
  // One-sided differences of second order: the old clip ends here, the new one
  // begins here.
  Pose old[3], own[3];
  for (int i = 0; i < 3; ++i) {
    Sample(part.start - i * kProbe, old[i]);
    SampleClip(part, part.start + i * kProbe, own[i]);
  }
  const double d = kProbe;
  const std::size_t num_joints = own[0].X_PJ.size();
  part.carried.resize(num_joints);
  for (std::size_t j = 0; j < num_joints; ++j) {
    // The new clip run backwards from the join, by its speed b and curvature k
    // there, so that e = log(R1 R2^-1) exists on one side of it.
    const Quaternion& R2 = own[0].X_PJ[j].R;
    const Vector3 b1 = LogRotation(own[1].X_PJ[j].R * R2.conjugate());
    const Vector3 b2 = LogRotation(own[2].X_PJ[j].R * R2.conjugate());
    const Vector3 b = (4.0 * b1 - b2) / (2.0 * d);
    const Vector3 k = (b2 - 2.0 * b1) / (d * d);
    Vector3 e[3];
    for (int i = 0; i < 3; ++i) {
      const double t = -i * d;
      e[i] =
          LogRotation(old[i].X_PJ[j].R *
                      (ExpRotation(t * b + 0.5 * t * t * k) * R2).conjugate());
    }
    Carried& carried = part.carried[j];
    carried.turn[0] = e[0];
    carried.turn[1] = (3.0 * e[0] - 4.0 * e[1] + e[2]) / (2.0 * d);
    carried.turn[2] = (e[0] - 2.0 * e[1] + e[2]) / (d * d);
    const auto p = [j](const Pose& pose) { return pose.X_PJ[j].p; };
    carried.shift[0] = p(old[0]) - p(own[0]);
    carried.shift[1] =
        (3.0 * p(old[0]) - 4.0 * p(old[1]) + p(old[2])) / (2.0 * d) -
        (4.0 * p(own[1]) - 3.0 * p(own[0]) - p(own[2])) / (2.0 * d);
    carried.shift[2] = (p(old[0]) - 2.0 * p(old[1]) + p(old[2]) -
                        (p(own[0]) - 2.0 * p(own[1]) + p(own[2]))) /
                       (d * d);
  }
}

void MotionTrack::SampleClip(const Part& part, double time, Pose& pose) const {
  const double at =
      std::clamp(part.options.from + (time - part.start) * part.options.speed,
                 part.options.from, part.options.to);
  part.clip->Sample(at, pose);
  const Skeleton& skeleton = part.clip->skeleton();
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    if (!skeleton.is_root(j)) continue;
    Transform& X_WJ = pose.X_PJ[static_cast<std::size_t>(j)];
    X_WJ = part.X_WA * X_WJ;
  }
}

void MotionTrack::SamplePart(std::size_t index, double time, Pose& pose) const {
  const Part& part = parts_[index];
  SampleClip(part, time, pose);
  const double length = part.options.duration;
  const double x = length > 0.0 ? (time - part.start) / length : 1.0;
  if (x >= 1.0) return;
  for (std::size_t j = 0; j < part.carried.size(); ++j) {
    const Carried& c = part.carried[j];
    const Vector3 turn =
        Fading(c.turn[0], length * c.turn[1], length * length * c.turn[2], x);
    Transform& X_PJ = pose.X_PJ[j];
    X_PJ.R = (ExpRotation(turn) * X_PJ.R).normalized();
    X_PJ.p += Fading(c.shift[0], length * c.shift[1],
                     length * length * c.shift[2], x);
  }
}

void MotionTrack::Sample(double time, Pose& pose) const {
  // The last part that has begun.
  const auto after = std::upper_bound(
      parts_.begin() + 1, parts_.end(), time,
      [](double t, const Part& part) { return t < part.start; });
  const std::size_t index =
      static_cast<std::size_t>(after - parts_.begin()) - 1;
  SamplePart(index, time, pose);
  const Part& part = parts_[index];
  if (index == 0 || part.options.blend != JoinOptions::Blend::kOverlap) return;
  const double u =
      std::clamp((time - part.start) / part.options.duration, 0.0, 1.0);
  if (u >= 1.0) return;
  Pose old;
  SamplePart(index - 1, time, old);
  pose = Interpolate(old, pose, u * u * u * (10.0 + u * (6.0 * u - 15.0)));
}

}  // namespace limber::figure
