// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "figure/skeleton.h"

namespace limber::test {

/// A rig as the exporter of some program writes it. "name=part" from the root
/// to the leaves, parted by blanks, "~" for a blank in a name; "-" is a joint
/// that is no part. "^name" goes back to hang what follows on that joint. "%"
/// is the side, in `limbs` only.
struct NamedRig {
  const char* name;
  const char* left;
  const char* right;
  const char* trunk;
  const char* limbs;
};

/// Names, chains, helpers and extra roots of many programs.
const std::vector<NamedRig>& NamedRigs();

struct BuiltRig {
  std::vector<figure::Joint> joints;
  std::vector<Vector3> places;     ///< p_WJ in the rest pose [m].
  std::vector<std::string> parts;  ///< "left-upper-leg"; "other".
};

/// The rig on a body of 1.75 m that stands with its arms `arms_down` radians
/// below the T-pose.
BuiltRig Build(const NamedRig& rig, double arms_down = 0.0);

}  // namespace limber::test
