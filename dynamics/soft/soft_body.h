// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "dynamics/soft/elastic_force.h"
#include "dynamics/world.h"

namespace limber::dynamics {

/// Nodes, and what lies between them, at rest. World coordinates [m].
struct SoftMesh {
  std::vector<Vector3> nodes;
  /// The fourth node lies where the right-hand rule about the first three
  /// points to: the volume is positive.
  std::vector<std::array<int, 4>> tetrahedra;
  std::vector<std::array<int, 3>> triangles;  ///< Of a surface.
};

/// Most nodes and most elements a mesh may have: a gigabyte of blocks.
inline constexpr int kMostSoftParts = 1'000'000;

/// What is wrong with a mesh is a sentence that names the node or element: a
/// number out of range, a place that is not finite, two nodes at one place, a
/// flat or inverted element, a node of no element, a mesh in two pieces, more
/// than `kMostSoftParts`. Empty if nothing is.
std::string WrongMesh(const SoftMesh& mesh);

/// A box from `corner` of the edges `size`, of cells that are five tetrahedra
/// each, mirrored from cell to cell.
/// @throws std::invalid_argument if a count is not positive, a size is not or
///         the mesh would be too large.
SoftMesh MakeBlock(const Vector3& corner, const Vector3& size,
                   const std::array<int, 3>& cells);

/// A body of point masses that springs with dampers join, one along every edge
/// of the mesh, of its rest length: a solid or a surface.
struct MassSpringBody {
  std::vector<BodyId> nodes;  ///< In the order of the mesh.
  SpringNet* net = nullptr;   ///< Owned by the world.
};
struct MassSpringSettings {
  double mass = 1.0;            ///< Of the whole; nodes share it equally [kg].
  double stiffness = 1e3;       ///< Of every spring [N/m].
  double damping = 0.0;         ///< Of every spring [N s/m].
  Vector3 v = Vector3::Zero();  ///< [m/s].
};
/// Adds the nodes and the springs to the world.
/// @throws std::invalid_argument with the sentence of `WrongMesh`, or naming
///         the setting and its value. Then the world is as it was.
MassSpringBody AddMassSpringBody(World& world, const SoftMesh& mesh,
                                 const MassSpringSettings& settings);

/// A body of linear tetrahedra, its mass lumped at the nodes.
struct FiniteElementBody {
  std::vector<BodyId> nodes;
  TetrahedronNet* net = nullptr;  ///< Owned by the world.
};
struct FiniteElementSettings {
  TetrahedronNet::Material material;
  double density = 1000.0;      ///< [kg/m^3].
  Vector3 v = Vector3::Zero();  ///< [m/s].
};
FiniteElementBody AddFiniteElementBody(World& world, const SoftMesh& mesh,
                                       const FiniteElementSettings& settings);

/// A sheet of (columns + 1) (rows + 1) nodes, the corners of its cells: springs
/// along the sides of the cells (stretch), along both diagonals (shear) and
/// between nodes two apart (bend). Node (i, j) is number j (columns + 1) + i.
struct Cloth {
  std::vector<BodyId> nodes;
  SpringNet* net = nullptr;  ///< Owned by the world.
  int columns = 0, rows = 0;
  BodyId Node(int i, int j) const {
    return nodes[static_cast<std::size_t>(j * (columns + 1) + i)];
  }
};
struct ClothSettings {
  Vector3 corner = Vector3::Zero();    ///< Node (0, 0) [m].
  Vector3 along = Vector3::UnitX();    ///< From it to node (columns, 0) [m].
  Vector3 across = -Vector3::UnitZ();  ///< To node (0, rows) [m].
  int columns = 10, rows = 10;         ///< Cells.
  double area_density = 0.2;           ///< [kg/m^2].
  double stretch = 1e3, shear = 1e2, bend = 1.0;  ///< [N/m].
  double damping = 0.0;  ///< Of all springs as a share of stiffness [s].
  /// Rest lengths as a share of those of the mesh: below 1 the sheet is taut.
  double rest_share = 1.0;
  /// Nodes weigh what lies nearest to them: those at rims half, corners a
  /// quarter.
};
Cloth AddCloth(World& world, const ClothSettings& settings);

}  // namespace limber::dynamics
