// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "figure/motion.h"
#include "tools/puppet.h"

namespace limber {

struct BundledClip {
  std::string name;
  figure::Motion motion;
};

/// The clips of data/clips on the figure adult18: walk, run, wave, bow, squat,
/// jump, turn, sit.
std::vector<BundledClip> MakeBundledClips(const Puppet& puppet);

/// Normative angles of level walking in degrees, flexion and dorsiflexion
/// positive, over the phase of a stride that begins with heel contact: the
/// values of [Perry & Burnfield 2010] at the ends of the gait phases, with a
/// smooth curve through them. The knee's extension is 2 or 3 degrees short of
/// theirs.
struct NormalGait {
  double thigh = 0.0;  ///< Against the vertical.
  double knee = 0.0;
  double ankle = 0.0;
};
NormalGait NormalGaitAt(double phase);

/// The stride of the bundled walk [s].
inline constexpr double kStrideSeconds = 1.1;

figure::Motion MakeWalk(const Puppet& puppet);

}  // namespace limber
