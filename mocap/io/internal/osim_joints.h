// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pugixml.hpp>
#include <string>
#include <vector>

#include "mocap/osim_model.h"

namespace limber::mocap::internal {

/// A joint of a model, between bodies that are known by name.
struct NamedJoint {
  std::string parent;
  std::string child;
  OsimJoint joint;
};

/// All joints in the file's order, in the form of version 4 (JointSet) or of
/// those before (inside the bodies). Adds their coordinates to the model, and
/// to its `unknown` what cannot be understood.
std::vector<NamedJoint> ReadOsimJoints(const pugi::xml_node& model_node,
                                       OsimModel& model);

/// Couplings of coordinates; other constraints become `unknown`.
void ReadOsimConstraints(const pugi::xml_node& model_node, OsimModel& model);

}  // namespace limber::mocap::internal
