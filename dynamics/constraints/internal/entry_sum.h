// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>
#include <cstddef>

#include "dynamics/row.h"

namespace limber::dynamics {

/// Gathers the Jacobian of one row, one entry per body: parts on the same body
/// are added up, parts on the ground dropped.
class EntrySum {
 public:
  /// The most bodies a row of constraints/ touches: two edges of two points.
  static constexpr std::size_t kMaxBodies = 4;

  explicit EntrySum(BodyMotions bodies) : bodies_(bodies) {}

  /// Adds direction . (velocity of the material point of `body` at `p_WA`).
  void AtPoint(BodyId body, const Vector3& p_WA, const Vector3& direction) {
    const Vector3 r = p_WA - MotionOf(bodies_, body).p_WC;
    Add(body, direction, r.cross(direction), r);
  }
  /// Adds axis . w_WB.
  void Turning(BodyId body, const Vector3& axis) {
    Add(body, Vector3::Zero(), axis, Vector3::Zero());
  }
  void MoveInto(RowBuffer& rows) const {
    for (std::size_t i = 0; i < size_; ++i) {
      const RowBuffer::Entry& entry = entries_[i];
      rows.Touch({entry.body}, entry.linear, entry.angular, entry.arm);
    }
  }

 private:
  void Add(BodyId body, const Vector3& linear, const Vector3& angular,
           const Vector3& arm) {
    if (body == kGround) return;
    std::size_t i = 0;
    while (i < size_ && entries_[i].body != body.value) ++i;
    assert(i < kMaxBodies);
    if (i == size_) {
      entries_[size_++] = {body.value, linear, angular, arm};
    } else {
      entries_[i].linear += linear;
      entries_[i].angular += angular;
      // Forces at several points have no common arm.
      entries_[i].arm.setZero();
    }
  }

  BodyMotions bodies_;
  std::size_t size_ = 0;
  std::array<RowBuffer::Entry, kMaxBodies> entries_;
};

}  // namespace limber::dynamics
