// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/gear.h"

#include <stdexcept>

#include "dynamics/constraints/internal/entry_sum.h"
#include "dynamics/internal/arguments.h"

namespace limber::dynamics {

Gear::Gear(const TurnAngle& first, const TurnAngle& second, double ratio,
           double phase)
    : Link("Gear",
           {first.carrier(), first.body(), second.carrier(), second.body()}),
      first_(first),
      second_(second),
      ratio_(ratio),
      phase_(phase) {
  RequireFinite(ratio, "Gear: ratio");
  RequireFinite(phase, "Gear: phase");
  if (ratio == 0.0) throw std::invalid_argument("Gear: ratio is 0");
}

void Gear::AddRows(BodyMotions bodies, double /*time*/, RowBuffer& rows) const {
  const TurnAngle::Form first = first_.Evaluate(bodies);
  const TurnAngle::Form second = second_.Evaluate(bodies);
  rows.Add(first.angle - ratio_ * second.angle - phase_, 0.0,
           first.drift - ratio_ * second.drift, AngleSettings());
  EntrySum entries(bodies);
  entries.Turning(first_.carrier(), -first.gradient);
  entries.Turning(first_.body(), first.gradient);
  entries.Turning(second_.carrier(), ratio_ * second.gradient);
  entries.Turning(second_.body(), -ratio_ * second.gradient);
  entries.MoveInto(rows);
}

void Gear::AfterStep(BodyMotions bodies, double /*time*/) {
  first_.Follow(bodies);
  second_.Follow(bodies);
}

void Gear::SaveMemory(std::vector<double>& memory) const {
  memory.push_back(first_.last());
  memory.push_back(second_.last());
}

std::span<const double> Gear::RestoreMemory(std::span<const double> memory) {
  first_.set_last(memory[0]);
  second_.set_last(memory[1]);
  return memory.subspan(2);
}

}  // namespace limber::dynamics
