// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/angle.h"
#include "figure/clip_tracks.h"
#include "figure/pose_metrics.h"
#include "figure/stance_metrics.h"
#include "mocap/retarget/judge.h"
#include "mocap/retarget/palm_turns.h"
#include "mocap/retarget/retarget.h"

namespace limber::mocap {

/// A body that clips are carried over to.
struct BenchTarget {
  std::string name;
  HumanBody body;
};

/// The figures of data/figures: fat man, child, giant, adult18. What is not
/// there is said and left out.
std::vector<BenchTarget> BundledTargets();

/// Rigs as other programs export them, on the bones of the bundled adult:
/// Mixamo-, Bandai-Namco-, Perception-Neuron- and DAZ-like.
std::vector<BenchTarget> ForeignTargets();

/// What is measured of one clip on one body.
struct ClipScore {
  double speed = 0.0;        ///< Of standing toes, per leg [1/s].
  double drift = 0.0;        ///< Likewise, per leg.
  double penetration = 0.0;  ///< The deepest sole [m].
  figure::Jerk jerk;
  figure::LimitReport limits;
};
ClipScore ScoreClip(const figure::Motion& motion, const HumanBody& body,
                    const std::vector<figure::Stance>& stances, double floor);

/// What must hold of every clip on every body.
struct RetargetBars {
  double sole = 0.005;         ///< Below the floor at most, on figures [m].
  double sole_of_rig = 0.001;  ///< Deeper than the source's, on rigs [m].
  double limits = kPi / 180;   ///< [rad]
  double off = 0.001;          ///< A planted foot off its place [m].
  double root_per_leg = 0.1;   ///< Shift of the root by leg length.
  double palm = Radians(5);    ///< Turned away from the source's [rad].
};

/// The lines, each with the doubts of the verdict that say so.
inline constexpr int kNumBars = 8;
struct RetargetBar {
  const char* name;
  const char* doubt;
};
inline constexpr std::array<RetargetBar, kNumBars> kBarNames = {
    {{"speed", "slides"},
     {"drift", "slides"},
     {"sole", "floor"},
     {"limits", "limits"},
     {"off", "foot-off"},
     {"root", "root-shift"},
     {"palm", "hands"},
     {"hand", "floor"}}};

/// A clip carried over, what was measured of it and which lines hold.
struct RetargetScore {
  ClipScore source;
  ClipScore ours;
  Retargeted result;
  PalmTurn palms;
  Verdict verdict;
  double seconds = 0.0;     ///< Of processor time, for Retarget alone.
  double root_shift = 0.0;  ///< Largest, by leg length.
  std::array<bool, kNumBars> holds = {};

  bool all() const;
  /// Whether the verdict has a doubt of this kind.
  bool Doubts(const std::string& kind) const;
};

RetargetScore ScoreRetarget(const figure::Motion& motion,
                            const HumanBody& source, const HumanBody& target);

}  // namespace limber::mocap
