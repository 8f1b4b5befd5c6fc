// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/soft/soft_body.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/index.h"

namespace limber::dynamics {

namespace {

void Require(bool good, const char* what, double value) {
  if (good) return;
  throw std::invalid_argument(std::string(what) + ", is " +
                              std::to_string(value));
}

std::vector<BodyId> AddNodes(World& world, std::span<const Vector3> places,
                             std::span<const double> masses, const Vector3& v) {
  std::vector<BodyId> nodes;
  nodes.reserve(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    BodySpec spec;
    spec.point_mass = true;
    spec.mass.mass = masses[i];
    spec.X_WB.p = places[i];
    spec.v_WC = v;
    nodes.push_back(world.AddBody(spec));
  }
  return nodes;
}

// The edges of all elements, each once.
std::vector<std::pair<int, int>> EdgesOf(const SoftMesh& mesh) {
  std::vector<std::pair<int, int>> edges;
  const auto add = [&edges](const auto& element) {
    for (std::size_t i = 0; i < element.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        edges.push_back(std::minmax(element[i], element[j]));
      }
    }
  };
  for (const auto& tetrahedron : mesh.tetrahedra) add(tetrahedron);
  for (const auto& triangle : mesh.triangles) add(triangle);
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

void RequireMesh(const SoftMesh& mesh) {
  const std::string wrong = WrongMesh(mesh);
  if (!wrong.empty()) throw std::invalid_argument(wrong);
}

}  // namespace

SoftMesh MakeBlock(const Vector3& corner, const Vector3& size,
                   const std::array<int, 3>& cells) {
  double num = 1.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double edge = size[static_cast<int>(k)];
    Require(cells[k] > 0, "MakeBlock: cells must be positive", cells[k]);
    Require(edge > 0.0 && std::isfinite(edge),
            "MakeBlock: size must be positive and finite", edge);
    num *= cells[k];
  }
  Require(5.0 * num <= kMostSoftParts,
          "MakeBlock: at most 1000000 tetrahedra are allowed; their number",
          5.0 * num);
  SoftMesh mesh;
  const auto node = [&](int i, int j, int k) {
    return (k * (cells[1] + 1) + j) * (cells[0] + 1) + i;
  };
  for (int k = 0; k <= cells[2]; ++k) {
    for (int j = 0; j <= cells[1]; ++j) {
      for (int i = 0; i <= cells[0]; ++i) {
        mesh.nodes.push_back(corner + Vector3(size.x() * i / cells[0],
                                              size.y() * j / cells[1],
                                              size.z() * k / cells[2]));
      }
    }
  }
  // Four corners that share no edge, cut off, and what is left in the middle;
  // neighbours are mirrored, so that their diagonals meet.
  constexpr int kCut[5][4][3] = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                 {{1, 1, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 1}},
                                 {{1, 0, 1}, {0, 0, 1}, {1, 1, 1}, {1, 0, 0}},
                                 {{0, 1, 1}, {1, 1, 1}, {0, 0, 1}, {0, 1, 0}},
                                 {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}};
  for (int k = 0; k < cells[2]; ++k) {
    for (int j = 0; j < cells[1]; ++j) {
      for (int i = 0; i < cells[0]; ++i) {
        for (const auto& cut : kCut) {
          std::array<int, 4> four;
          for (std::size_t n = 0; n < 4; ++n) {
            const int x = i % 2 == 0 ? cut[n][0] : 1 - cut[n][0];
            const int y = j % 2 == 0 ? cut[n][1] : 1 - cut[n][1];
            const int z = k % 2 == 0 ? cut[n][2] : 1 - cut[n][2];
            four[n] = node(i + x, j + y, k + z);
          }
          const Vector3& a = mesh.nodes[Index(four[0])];
          const Vector3 b = mesh.nodes[Index(four[1])] - a;
          const Vector3 c = mesh.nodes[Index(four[2])] - a;
          const Vector3 d = mesh.nodes[Index(four[3])] - a;
          if (b.cross(c).dot(d) < 0.0) std::swap(four[0], four[1]);
          mesh.tetrahedra.push_back(four);
        }
      }
    }
  }
  return mesh;
}

MassSpringBody AddMassSpringBody(World& world, const SoftMesh& mesh,
                                 const MassSpringSettings& settings) {
  RequireMesh(mesh);
  Require(settings.mass > 0.0 && std::isfinite(settings.mass),
          "MassSpringBody: mass must be positive and finite", settings.mass);
  Require(settings.stiffness >= 0.0 && std::isfinite(settings.stiffness),
          "MassSpringBody: stiffness must be zero or positive",
          settings.stiffness);
  Require(settings.damping >= 0.0 && std::isfinite(settings.damping),
          "MassSpringBody: damping must be zero or positive", settings.damping);
  std::vector<SpringNet::Spring> springs;
  for (const auto& [a, b] : EdgesOf(mesh)) {
    const double length = (mesh.nodes[Index(b)] - mesh.nodes[Index(a)]).norm();
    springs.push_back({a, b, length, settings.stiffness, settings.damping});
  }
  const std::vector<double> masses(
      mesh.nodes.size(),
      settings.mass / static_cast<double>(mesh.nodes.size()));
  MassSpringBody body;
  body.nodes = AddNodes(world, mesh.nodes, masses, settings.v);
  body.net = &world.Add(SpringNet(body.nodes, std::move(springs)));
  return body;
}

FiniteElementBody AddFiniteElementBody(World& world, const SoftMesh& mesh,
                                       const FiniteElementSettings& settings) {
  RequireMesh(mesh);
  if (mesh.tetrahedra.empty()) {
    throw std::invalid_argument(
        "FiniteElementBody: the mesh has no tetrahedra");
  }
  Require(settings.density > 0.0 && std::isfinite(settings.density),
          "FiniteElementBody: density must be positive and finite",
          settings.density);
  std::vector<double> masses(mesh.nodes.size(), 0.0);
  for (const std::array<int, 4>& four : mesh.tetrahedra) {
    const Vector3& a = mesh.nodes[Index(four[0])];
    const double volume = (mesh.nodes[Index(four[1])] - a)
                              .cross(mesh.nodes[Index(four[2])] - a)
                              .dot(mesh.nodes[Index(four[3])] - a) /
                          6.0;
    for (const int n : four) masses[Index(n)] += settings.density * volume / 4;
  }
  // What is wrong with the material is found before the world changes.
  TetrahedronNet({}, mesh.nodes, {}, settings.material);
  FiniteElementBody body;
  body.nodes = AddNodes(world, mesh.nodes, masses, settings.v);
  body.net = &world.Add(TetrahedronNet(body.nodes, mesh.nodes, mesh.tetrahedra,
                                       settings.material));
  return body;
}

Cloth AddCloth(World& world, const ClothSettings& settings) {
  const int columns = settings.columns, rows = settings.rows;
  Require(columns > 0, "Cloth: columns must be positive", columns);
  Require(rows > 0, "Cloth: rows must be positive", rows);
  Require((columns + 1.0) * (rows + 1.0) <= kMostSoftParts,
          "Cloth: at most 1000000 nodes are allowed; their number",
          (columns + 1.0) * (rows + 1.0));
  const double area = settings.along.cross(settings.across).norm();
  Require(area > 0.0 && std::isfinite(area),
          "Cloth: along and across must span an area; it", area);
  Require(settings.area_density > 0.0 && std::isfinite(settings.area_density),
          "Cloth: area_density must be positive and finite",
          settings.area_density);
  for (const auto& [value, name] :
       {std::pair(settings.stretch, "Cloth: stretch must not be negative"),
        std::pair(settings.shear, "Cloth: shear must not be negative"),
        std::pair(settings.bend, "Cloth: bend must not be negative"),
        std::pair(settings.damping, "Cloth: damping must not be negative"),
        std::pair(settings.rest_share,
                  "Cloth: rest_share must not be negative")}) {
    Require(value >= 0.0 && std::isfinite(value), name, value);
  }
  const double cell = settings.area_density * area / columns / rows;
  std::vector<Vector3> places;
  std::vector<double> masses;
  std::vector<SpringNet::Spring> springs;
  const auto number = [columns](int i, int j) { return j * (columns + 1) + i; };
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i <= columns; ++i) {
      places.push_back(settings.corner + settings.along * i / columns +
                       settings.across * j / rows);
      const bool rim_i = i == 0 || i == columns;
      const bool rim_j = j == 0 || j == rows;
      masses.push_back(cell * (rim_i ? 0.5 : 1.0) * (rim_j ? 0.5 : 1.0));
    }
  }
  const auto join = [&](int i, int j, int di, int dj, double stiffness) {
    if (i + di < 0 || i + di > columns || j + dj > rows) return;
    if (stiffness == 0.0) return;
    const int a = number(i, j), b = number(i + di, j + dj);
    const double length = (places[Index(b)] - places[Index(a)]).norm();
    springs.push_back({a, b, settings.rest_share * length, stiffness,
                       settings.damping * stiffness});
  };
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i <= columns; ++i) {
      join(i, j, 1, 0, settings.stretch);
      join(i, j, 0, 1, settings.stretch);
      join(i, j, 1, 1, settings.shear);
      join(i, j, -1, 1, settings.shear);
      join(i, j, 2, 0, settings.bend);
      join(i, j, 0, 2, settings.bend);
    }
  }
  Cloth cloth;
  cloth.columns = columns;
  cloth.rows = rows;
  cloth.nodes = AddNodes(world, places, masses, Vector3::Zero());
  cloth.net = &world.Add(SpringNet(cloth.nodes, std::move(springs)));
  return cloth;
}

}  // namespace limber::dynamics
