// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "dynamics/world.h"

namespace limber::dynamics {

struct EventStepperSettings {
  double step = 1.0 / 240.0;  ///< Longest step [s].
  /// A contact time is found to within this [s].
  double time_tolerance = 1e-8;
  /// No step carries a body farther than this towards something near, so that
  /// nothing passes through anything thicker [m].
  double max_travel = 0.01;
  /// After so many contacts within one `Advance` the rest of it is stepped
  /// without looking for more: a ball that comes to rest bounces infinitely
  /// often.
  int max_events = 100;
};

/// Two colliders that met.
struct MeetingEvent {
  double time = 0.0;  ///< On the world's clock [s].
  ColliderId collider_a, collider_b;
};

/// Moves a world from contact to contact instead of over them. A step after
/// which bodies overlap that did not touch before is refused: the world goes
/// back, the time of the contact is found by bisection, the world is stepped to
/// it, the impact is treated there, and the rest of the step follows
///
///     t            t + d*           t + h
///     |--------------|----------------|      distance(t + d*) = 0
///         one step        the rest
///
/// so the frame grid is kept. For impacts whose time matters; a world with many
/// resting contacts is better off with `World::Step`. The world must run under
/// Scheme::kLeapfrog, and no action of `World::At` may be due while it is
/// stepped from here: a step taken back would not take it back.
class EventStepper {
 public:
  /// Keeps a reference to `world` and switches its speculative contacts off.
  /// @throws std::invalid_argument naming the setting and its value, or if the
  ///         world runs under another scheme.
  explicit EventStepper(World& world,
                        const EventStepperSettings& settings = {});

  /// Advances the world by `duration` > 0 exactly. Returns the contacts that
  /// began, in the order of their times.
  std::vector<MeetingEvent> Advance(double duration);

  /// Steps taken back since the start, those of the bisections included.
  int num_refused() const { return num_refused_; }

 private:
  using Pair = std::pair<ColliderId, ColliderId>;

  std::vector<Pair> Touching(double margin) const;
  /// Pairs that overlap now and are not among `touching`, which is sorted.
  std::vector<Pair> NewOverlaps(const std::vector<Pair>& touching) const;
  double LongestSafeStep(double h, const std::vector<Pair>& touching) const;

  World& world_;
  EventStepperSettings settings_;
  int num_refused_ = 0;
};

}  // namespace limber::dynamics
