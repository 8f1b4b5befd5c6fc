// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "figure/skeleton.h"

namespace limber::mocap::internal {

/// A body that anybody can see: a capsule round every bone, in the rest pose.
struct BoneMesh {
  std::vector<float> positions;        ///< x y z per corner [m].
  std::vector<float> normals;          ///< Unit, outwards.
  std::vector<int> joints;             ///< Per corner: who carries it.
  std::vector<std::uint32_t> indices;  ///< Three per triangle, outwards.
};

/// From each joint to its children and sites; of a person, from the pelvis on.
/// A joint without either gets a small ball, so that even one joint is seen.
BoneMesh MakeBoneMesh(const figure::Skeleton& skeleton);

}  // namespace limber::mocap::internal
