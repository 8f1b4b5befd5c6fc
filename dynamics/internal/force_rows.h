// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/constraint.h"
#include "dynamics/force.h"

namespace limber::dynamics::internal {

struct Data;

/// An implicit force as the solvers see it: its rows among those of the
/// constraints.
class ForceRows final : public Constraint {
 public:
  explicit ForceRows(Force& force) : force_(&force) {}
  Force& force() const { return *force_; }

  std::span<const BodyId> bodies() const override { return force_->bodies(); }
  void AddRows(BodyMotions bodies, double /*time*/,
               RowBuffer& rows) const override {
    force_->AddRows(bodies, rows);
  }
  bool rows_vary() const override { return true; }

 private:
  Force* force_;
};

/// Whether `force` is one of rows in the scheme of the world.
bool IsImplicit(const Data& data, const Force& force);

/// Rows of forces are switched with these, and with the scheme. To be called
/// before the islands are found.
void SwitchForceRows(Data& data);

/// Lets implicit forces choose their rows for a step of `h` seconds.
void BeginForceRows(Data& data, double h);

/// Tells implicit forces what they did in a step whose impulses are those of
/// `kick` seconds.
void EndForceRows(Data& data, double kick);

}  // namespace limber::dynamics::internal
