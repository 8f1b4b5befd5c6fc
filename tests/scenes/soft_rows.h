// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "dynamics/constraint.h"

namespace limber::scenes {

/// A soft contact of one point of a body with a floor at `height` along the
/// axis `up` (1: y, 2: z): four one-sided rows along the edges n +- mu t of the
/// friction pyramid.
class EdgeContact : public dynamics::Constraint {
 public:
  EdgeContact(dynamics::BodyId body, const Vector3& p_BA, double height,
              double softness, double friction = 0.8, int up = 1)
      : bodies_{body},
        p_BA_(p_BA),
        height_(height),
        softness_(softness),
        friction_(friction),
        up_(up) {}

  std::span<const dynamics::BodyId> bodies() const override { return bodies_; }
  void AddRows(dynamics::BodyMotions bodies, double /*time*/,
               dynamics::RowBuffer& rows) const override {
    dynamics::RowSettings settings;
    settings.lo = 0.0;
    settings.softness = softness_;
    const Vector3 p_WA = MotionOf(bodies, bodies_[0]).Point(p_BA_);
    for (int k = 0; k < 4; ++k) {
      Vector3 edge = Vector3::Unit(up_);
      edge[(up_ + 1 + k / 2) % 3] = (k % 2 == 0 ? 1.0 : -1.0) * friction_;
      rows.Add(p_WA[up_] - height_, 0.0, 0.0, settings);
      rows.TouchPoint(bodies, bodies_[0], p_WA, edge);
    }
  }

 private:
  std::array<dynamics::BodyId, 1> bodies_;
  Vector3 p_BA_;
  double height_;
  double softness_;
  double friction_;
  int up_;
};

/// Pulls a point of a body to a place in the world by three rows, as a marker
/// does.
class PointPull : public dynamics::Constraint {
 public:
  PointPull(dynamics::BodyId body, const Vector3& p_BA,
            const dynamics::RowSettings& settings)
      : bodies_{body}, p_BA_(p_BA), settings_(settings) {}

  /// Where the point should be at the end of the next step, and how fast.
  void set_target(const Vector3& p_WT, const Vector3& v_WT = Vector3::Zero()) {
    p_WT_ = p_WT;
    v_WT_ = v_WT;
  }
  const Vector3& p_WT() const { return p_WT_; }
  std::span<const dynamics::BodyId> bodies() const override { return bodies_; }
  void AddRows(dynamics::BodyMotions bodies, double /*time*/,
               dynamics::RowBuffer& rows) const override {
    const Vector3 p_WA = MotionOf(bodies, bodies_[0]).Point(p_BA_);
    for (int k = 0; k < 3; ++k) {
      rows.Add(p_WA[k] - p_WT_[k], -v_WT_[k], 0.0, settings_);
      rows.TouchPoint(bodies, bodies_[0], p_WA, Vector3::Unit(k));
    }
  }
  bool GetPointForm(double /*time*/, dynamics::PointForm& form) const override {
    form = {bodies_[0], p_BA_, p_WT_, v_WT_, &settings_};
    return true;
  }

 private:
  std::array<dynamics::BodyId, 1> bodies_;
  Vector3 p_BA_;
  dynamics::RowSettings settings_;
  Vector3 p_WT_ = Vector3::Zero();
  Vector3 v_WT_ = Vector3::Zero();
};

}  // namespace limber::scenes
