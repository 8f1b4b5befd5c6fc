// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "dynamics/constraints/turn_angle.h"
#include "dynamics/forces/spring_damper.h"
#include "dynamics/joint.h"
#include "dynamics/world.h"

namespace limber::dynamics::test {

/// The mechanical energy of a world with springs, by two measures: that at a
/// pose, with the mean of the velocities before and after it, and that of the
/// drift between two poses, with the mean of what the springs are stretched by
/// at both. What is gained is gained in both (ragdoll_slow_test.cpp).
class EnergyMeter {
 public:
  EnergyMeter(const World& world, double step) : world_(world), step_(step) {}

  void Follow(const BodyPoint& a, const BodyPoint& b,
              const SpringDamperSettings& settings) {
    springs_.push_back({a, b, settings.stiffness, settings.rest_length});
  }
  void Follow(const TurnAngle& angle, double stiffness, double rest) {
    turns_.push_back({angle, stiffness, rest});
  }
  /// The springs about or along the free directions of a joint.
  void Follow(const Joint& joint) { joints_.push_back(&joint); }

  /// To be called after every step: by what share of itself the energy rose in
  /// the last one, infinite where it is no number. Heights count from below
  /// everything; what is below 1e-9 of the energy at first is nothing.
  double Rise() {
    const std::vector<BodyMotion> before = world_.SynchronisedMotions();
    const BodyMotions now = world_.motions();
    Stretches(before, before_);
    Stretches(now, now_);
    const bool leapfrog = world_.settings().scheme == Scheme::kLeapfrog;
    double pose = Kinetic(before) + Height(before, 0.0);
    double drift = Kinetic(now) + Height(now, leapfrog ? -0.5 * step_ : 0.0);
    for (std::size_t i = 0; i < now_.size(); ++i) {
      const double mean =
          leapfrog ? 0.5 * (before_[i].x + now_[i].x) : now_[i].x;
      pose += 0.5 * before_[i].k * before_[i].x * before_[i].x;
      drift += 0.5 * now_[i].k * mean * mean;
    }
    if (!started_) first_ = std::max(pose, drift);
    const double floor = 1e-9 * first_;
    double rise = std::min((pose - pose_) / (pose_ + floor),
                           (drift - drift_) / (drift_ + floor));
    // Parts below the floor are no rise.
    if (std::min(pose - pose_, drift - drift_) < floor) {
      rise = std::min(rise, 0.0);
    }
    if (!std::isfinite(pose) || !std::isfinite(drift)) rise = kInfinity;
    if (!started_) rise = 0.0;
    started_ = true;
    pose_ = pose;
    drift_ = drift;
    return rise;
  }
  double pose_energy() const { return pose_; }
  double drift_energy() const { return drift_; }

 private:
  struct Spring {
    BodyPoint a, b;
    double stiffness, rest;
  };
  struct Turn {
    TurnAngle angle;
    double stiffness, rest;
  };
  struct Stretch {
    double x, k;
  };

  void Stretches(BodyMotions motions, std::vector<Stretch>& out) {
    out.clear();
    for (const Spring& s : springs_) {
      const double x = (MotionOf(motions, s.b.body).Point(s.b.p_BA) -
                        MotionOf(motions, s.a.body).Point(s.a.p_BA))
                           .norm();
      out.push_back({x - s.rest, s.stiffness});
    }
    for (Turn& t : turns_) {
      t.angle.Follow(motions);
      out.push_back({t.angle.last() - t.rest, t.stiffness});
    }
    for (const Joint* joint : joints_) {
      for (int k = 0; k < joint->num_free(); ++k) {
        const PoweredAxis& axis = joint->axis(k);
        if (axis.drive != PoweredAxis::Drive::kSpring) continue;
        out.push_back({joint->Position(motions, k) - axis.target_position,
                       axis.stiffness});
      }
    }
  }

  double Kinetic(BodyMotions motions) const {
    double energy = 0.0;
    for (int b = 1; b < world_.num_bodies(); ++b) {
      const BodyMotion& motion = motions[static_cast<std::size_t>(b)];
      const MassProperties& mass = world_.mass({b});
      const Vector3 w_B = motion.R_WB.transpose() * motion.w_WB;
      energy += 0.5 * (mass.mass * motion.v_WC.squaredNorm() +
                       w_B.dot(mass.I_BC * w_B));
    }
    return energy;
  }

  // `time` goes on from the pose with its velocity [s].
  double Height(BodyMotions motions, double time) const {
    constexpr double kBelow = 3.0;  // [m]
    const Vector3& g = world_.settings().gravity;
    double energy = 0.0;
    for (int b = 1; b < world_.num_bodies(); ++b) {
      const BodyMotion& motion = motions[static_cast<std::size_t>(b)];
      const double mass = world_.mass({b}).mass;
      energy +=
          mass * (kBelow * g.norm() - g.dot(motion.p_WC + time * motion.v_WC));
    }
    return energy;
  }

  const World& world_;
  double step_;
  std::vector<Spring> springs_;
  std::vector<Turn> turns_;
  std::vector<const Joint*> joints_;
  std::vector<Stretch> before_, now_;
  bool started_ = false;
  double first_ = 0.0, pose_ = 0.0, drift_ = 0.0;
};

}  // namespace limber::dynamics::test
