// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "figure/body_plan.h"
#include "figure/clip_tracks.h"
#include "figure/pose.h"
#include "mocap/retarget/foot_phases.h"
#include "mocap/retarget/hand_supports.h"
#include "mocap/retarget/joint_map.h"

namespace limber::mocap {

/// What one foot is to do; one value per frame.
struct FootGoal {
  std::vector<FootPhase> phases;
  /// How the toe moves over the floor from each frame to the next, x and z;
  /// obeyed exactly within phases [m].
  std::vector<Vector3> toe_step;
  /// How high the sole is, measured by `SoleHeight`; obeyed exactly within
  /// phases [m].
  std::vector<double> height;
  /// In [0, 1]: how much the height counts outside phases.
  std::vector<double> near_floor;
  /// No point of the sole may be lower [m].
  std::vector<double> lowest;
  /// What the foot stands on, or the lower of what it goes between [m].
  std::vector<double> ground;
  /// How far the source's sole is below its own ground [m].
  std::vector<double> depth_of_source;
  /// Where height and lowest meet, a stance is this much higher, without a kink
  /// [m].
  double rounding = 0.0;
  /// Toes with a joint bend up where their tip would sink, instead of the foot
  /// going up as a whole.
  bool bend_toes = false;
};

/// The lower one of toe and heel, rounded off within `rounding` where they are
/// equally high, so that it has no kink [m].
double SoleHeight(double toe, double heel, double rounding);

struct PlantOptions {
  /// Softness of the path of the root: how long it takes to give way [s].
  double root_time = 0.05;
  /// How much the root keeps to its path over the floor: 1 as much as a knee
  /// that is bent by half a right angle keeps the length of its leg. A straight
  /// leg that lacks three millimetres would else move the root by a decimetre
  /// to bend less.
  double root_hold = 1.0;
  /// How far the root may leave its path before knees give way, by the leg's
  /// length. What is doubted begins at a tenth, and a spring stays a little
  /// beyond its place.
  double far_root = 0.08;
  /// How long a foot takes to leave the path of its stance [s].
  double foot_time = 0.05;
  /// How much of the end of a stance decides where it is placed [s].
  double anchor_time = 0.3;
  /// Legs of figures reach for their goals within their limits.
  bool hold_limits = true;
};

struct PlantReport {
  double worst_miss = 0.0;  ///< A planted foot off its place at most [m].
  std::int64_t missed_frames = 0;  ///< Stance frames off by more than 0.1 mm.
  /// Joints of the legs beyond their limits, past what they were [rad].
  double worst_excess = 0.0;
  /// Off its scaled path above the floor that the feet stand on [m].
  double largest_root_shift = 0.0;
  double largest_foot_shift = 0.0;  ///< [m]
};

/// Moves feet where `goals` want them: shifts the root as smoothly as it can so
/// that the knees keep their bend, and turns thighs and shanks; feet keep how
/// they are turned in the world. With r the shift of the root and g_l that of
/// foot l, over the whole of each shot:
///
///     g_l = goal - place            in stances and where the sole would sink
///     min |D³(g_l - r)|² T⁶ + |g_l - r|² + n(h) |height error|²      elsewhere
///     min Σ_l w_l (|d_l| - ℓ_l)² + ε|r - g_l|² + |D³r|² T⁶ + μ|r|²
///
/// d_l runs from hip to ankle as wanted, ℓ_l is its length before. Banded
/// systems, solved in turn eight times; time is linear in the number of frames,
/// and a frame is not felt farther away than about half a second.
///
/// Where a leg is too short, or a joint would leave its limits farther than
/// before, that leg counts ten times more and all is solved again, up to eight
/// times. So the demands give way in this order: place of the root, path of a
/// swinging foot, bend of the other knee, limits (reported), place of a
/// standing foot (reported).
///
/// Hands on the floor have a say in the height of the root as feet have: with
/// a the arm from shoulder to palm and h what the palm has to go up,
///
///     w (|a + (h - r_y) y| - |a|)²
///
/// @param rounding  of `SoleHeight`, the same as in the goals [m].
/// @param supports  which hands are on the floor, and where that is.
PlantReport PlantFeet(const HumanBody& body, double rate_hz,
                      const std::vector<figure::Shot>& shots,
                      const std::array<FootGoal, 2>& goals, double rounding,
                      const PlantOptions& options,
                      std::vector<figure::Pose>& poses,
                      const BodySupports& supports = {});

}  // namespace limber::mocap
