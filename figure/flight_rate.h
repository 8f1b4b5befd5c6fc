// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "figure/body_plan.h"
#include "figure/clip_tracks.h"
#include "figure/motion.h"

namespace limber::figure {

/// What the flights of a clip say about its rate. A body that touches nothing
/// falls with g, whatever it does with its limbs; played at f times its true
/// rate it seems to fall with f² g.
struct FlightRate {
  int num_flights = 0;   ///< Of those whose path is a clean parabola.
  double gravity = 0.0;  ///< Median of what they seem to fall with [m/s^2].
  /// The clip's rate, or the half or quarter of it at which bodies fall as they
  /// do here: a clip that is played too slowly cannot be told from a body that
  /// is held by something [Hz].
  double rate_hz = 0.0;
};

/// `tracks` are those of the clip.
FlightRate FindFlightRate(const Motion& motion, const BodyPlan& plan,
                          const ClipTracks& tracks);

/// The same poses at another rate [Hz].
Motion WithRate(const Motion& motion, double rate_hz);

}  // namespace limber::figure
