// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mocap/solve/actor.h"
#include "mocap/solve/solve_take.h"

namespace limber::mocap {

struct PhysicalOptions {
  /// s of a marker's rows: how far it gives way to inertia [1/kg]. A marker
  /// holds its segment like a mass of 1/s on its heels.
  double marker_softness = 0.005;
  /// Scatter of a marker that makes it as strong as a joint's prior [m].
  double sigma_marker = 0.005;
  /// A marker farther than this from where its segment is about to be is left
  /// out of the step [m].
  double gate = 0.12;
  /// The figure has weight. Markers carry it while they are seen; what no
  /// marker holds swings down.
  bool gravity = false;
  /// Soles (`SoleOf`) do not go through the floor at `floor_height`, whatever
  /// the markers say. Without friction: where a foot slides the markers know.
  bool floor_contact = false;
  double floor_height = 0.0;  ///< In the axes of the observations [m].
};

/// Solves markers with a physical figure: the segments are rigid bodies on ball
/// joints in a `dynamics::World`, every marker pulls its point by three soft
/// rows, and inertia carries the figure through gaps. One step a frame, each
/// from the past only [Zordan & Van Der Horst 2003, Cooper & Ballard 2012].
///
/// With h the time of a frame, J the markers' rows, C their distances and v_f
/// the velocities that inertia alone would give, a step is
///
///     min ½ (v − v_f)ᵀ M (v − v_f) + Σ |J v + C/h|² / 2s + joints' springs
///
/// which is a Gauss-Newton step of the least-squares solve, with the masses as
/// its damping.
class PhysicalTracker {
 public:
  struct Frame {
    BodyPose pose;
    double rms = 0.0;  ///< Over the markers seen and not gated out [m].
    int num_used = 0;
    std::vector<bool> used;  ///< Per marker.
  };

  /// @throws std::invalid_argument if the rate is not positive and finite, the
  ///         actor has no markers, or an option is out of range.
  PhysicalTracker(Actor actor, double rate_hz,
                  const PhysicalOptions& options = {});
  ~PhysicalTracker();
  PhysicalTracker(PhysicalTracker&&) noexcept;
  PhysicalTracker& operator=(PhysicalTracker&&) noexcept;

  /// @param observed  one point per marker of the actor, NaN where unseen. The
  ///                  first frames that show enough of the body place it
  ///                  kinematically; until then it is at rest.
  /// @throws std::invalid_argument if `observed` has another size.
  const Frame& Push(std::span<const Vector3> observed);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A whole take through a `PhysicalTracker`. Samples left out by the gate are
/// listed as rejected.
TakeSolution SolvePhysically(const Observations& observed, const Actor& actor,
                             double rate_hz,
                             const PhysicalOptions& options = {});

}  // namespace limber::mocap
