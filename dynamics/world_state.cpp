// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "dynamics/internal/world_implementation.h"
#include "dynamics/world.h"

// Saving and restoring a world.

namespace limber::dynamics {

using internal::Body;
using internal::ConstraintAccess;
using internal::Data;

/// A copy of everything a step reads, with the memories of the constraints.
class World::State {
 public:
  double time = 0.0;
  double last_h = 0.0;
  double last_kick = 0.0;
  std::vector<internal::Touch> touches;
  std::vector<internal::DormantTouch> dormant;
  int num_asleep = 0;
  int next_sleep_group = 0;
  std::vector<Body> bodies;
  std::vector<double> energy_bank;
  std::vector<double> given_energy;
  std::vector<internal::BodyInstant> at_kick;
  bool has_at_kick = false;
  struct ConstraintState {
    const Constraint* constraint = nullptr;
    bool enabled = true;
    std::vector<double> impulses;
    std::vector<double> last_rates;
    std::vector<LcpRowState> row_states;
    std::vector<double> memory;
  };
  std::vector<ConstraintState> constraints;
  struct ForceState {
    const Force* force = nullptr;
    bool enabled = true;
    std::vector<double> memory;
  };
  std::vector<ForceState> forces;
  ForceBuffer applied;
  std::unique_ptr<OdeSolver> ode;
};

std::shared_ptr<const World::State> World::Save() const {
  const Data& data = implementation_->data;
  auto state = std::make_shared<State>();
  state->time = data.time;
  state->last_h = data.last_h;
  state->bodies = data.bodies;
  state->energy_bank = data.energy_bank;
  state->given_energy = data.given_energy;
  state->at_kick = data.at_kick;
  state->has_at_kick = data.has_at_kick;
  state->last_kick = data.last_kick;
  state->touches = data.contacts.touches;
  state->dormant = data.contacts.dormant;
  state->num_asleep = data.num_asleep;
  state->next_sleep_group = data.next_sleep_group;
  for (const auto& constraint : data.constraints) {
    State::ConstraintState saved;
    saved.constraint = constraint.get();
    saved.enabled = constraint->enabled();
    saved.impulses = ConstraintAccess::impulses(*constraint);
    saved.last_rates = ConstraintAccess::last_rates(*constraint);
    saved.row_states = ConstraintAccess::row_states(*constraint);
    constraint->SaveMemory(saved.memory);
    state->constraints.push_back(std::move(saved));
  }
  for (const auto& force : data.forces) {
    State::ForceState saved;
    saved.force = force.get();
    saved.enabled = force->enabled();
    force->SaveMemory(saved.memory);
    state->forces.push_back(std::move(saved));
  }
  state->applied = data.applied;
  if (data.ode) state->ode = data.ode->Clone();
  return state;
}

void World::Restore(const State& state) {
  Data& data = implementation_->data;
  if (state.bodies.size() != data.bodies.size()) {
    throw std::invalid_argument(
        "Restore: the state has " + std::to_string(state.bodies.size()) +
        " bodies, the world " + std::to_string(data.bodies.size()));
  }
  data.time = state.time;
  data.last_h = state.last_h;
  data.bodies = state.bodies;
  data.shared.no_forces = false;
  data.islands_known = false;
  data.energy_bank = state.energy_bank;
  data.given_energy = state.given_energy;
  data.at_kick = state.at_kick;
  data.has_at_kick = state.has_at_kick;
  data.last_kick = state.last_kick;
  data.contacts.touches = state.touches;
  data.contacts.dormant = state.dormant;
  data.contacts.readable_known = false;
  for (internal::Collider& collider : data.contacts.colliders) {
    collider.stale = true;
  }
  data.num_asleep = state.num_asleep;
  data.next_sleep_group = state.next_sleep_group;
  for (const auto& constraint : data.constraints) {
    const auto saved =
        std::find_if(state.constraints.begin(), state.constraints.end(),
                     [&](const auto& entry) {
                       return entry.constraint == constraint.get();
                     });
    if (saved == state.constraints.end()) continue;
    constraint->set_enabled(saved->enabled);
    ConstraintAccess::impulses(*constraint) = saved->impulses;
    ConstraintAccess::last_rates(*constraint) = saved->last_rates;
    ConstraintAccess::row_states(*constraint) = saved->row_states;
    constraint->RestoreMemory(saved->memory);
  }
  for (const auto& force : data.forces) {
    const auto saved = std::find_if(
        state.forces.begin(), state.forces.end(),
        [&](const auto& entry) { return entry.force == force.get(); });
    if (saved == state.forces.end()) continue;
    force->set_enabled(saved->enabled);
    force->RestoreMemory(saved->memory);
  }
  data.applied = state.applied;
  data.ode = state.ode ? state.ode->Clone() : nullptr;
  internal::RefreshAll(data);
}

}  // namespace limber::dynamics
