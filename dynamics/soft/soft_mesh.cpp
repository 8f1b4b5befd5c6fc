// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <string>

#include "core/index.h"
#include "dynamics/soft/soft_body.h"

namespace limber::dynamics {

namespace {

// Below this share of the cube (the square) of its longest edge an element
// counts as flat: the rounding of places makes its shape.
constexpr double kFlat = 1e-9;

int RootOf(std::vector<int>& roots, int i) {
  while (roots[Index(i)] != i)
    i = roots[Index(i)] = roots[Index(roots[Index(i)])];
  return i;
}

// Numbers, size and orientation of one element.
template <std::size_t N>
std::string WrongElement(const SoftMesh& mesh,
                         const std::array<int, N>& nodes) {
  double longest = 0.0;
  for (std::size_t i = 0; i < N; ++i) {
    if (nodes[i] < 0 || Index(nodes[i]) >= mesh.nodes.size()) {
      return "no node " + std::to_string(nodes[i]) + ", there are " +
             std::to_string(mesh.nodes.size());
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (nodes[i] == nodes[j]) {
        return "node " + std::to_string(nodes[i]) + " is there twice";
      }
      longest = std::max(
          longest,
          (mesh.nodes[Index(nodes[i])] - mesh.nodes[Index(nodes[j])]).norm());
    }
  }
  const Vector3& a = mesh.nodes[Index(nodes[0])];
  const Vector3 normal =
      (mesh.nodes[Index(nodes[1])] - a).cross(mesh.nodes[Index(nodes[2])] - a);
  if constexpr (N == 3) {
    if (!(normal.norm() > kFlat * longest * longest)) return "it is flat";
  } else {
    const double six_volumes = normal.dot(mesh.nodes[Index(nodes[3])] - a);
    const double least = kFlat * longest * longest * longest;
    if (six_volumes < -least) return "it is inverted";
    if (!(six_volumes > least)) return "it is flat";
  }
  return {};
}

// Two nodes at one place.
std::string FindTwins(const SoftMesh& mesh) {
  std::vector<int> order(mesh.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](int a, int b) {
    const Vector3& p = mesh.nodes[Index(a)];
    const Vector3& q = mesh.nodes[Index(b)];
    return std::lexicographical_compare(p.data(), p.data() + 3, q.data(),
                                        q.data() + 3);
  };
  std::ranges::stable_sort(order, before);
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (before(order[i - 1], order[i])) continue;
    return "node " + std::to_string(order[i]) + ": at the place of node " +
           std::to_string(order[i - 1]);
  }
  return {};
}

}  // namespace

std::string WrongMesh(const SoftMesh& mesh) {
  const std::size_t num_elements =
      mesh.tetrahedra.size() + mesh.triangles.size();
  const std::size_t most = Index(kMostSoftParts);
  if (mesh.nodes.size() > most || num_elements > most) {
    return "mesh: at most " + std::to_string(most) +
           " nodes and elements are allowed, there are " +
           std::to_string(mesh.nodes.size()) + " and " +
           std::to_string(num_elements);
  }
  if (num_elements == 0) return "mesh: it has no elements";
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    if (mesh.nodes[i].allFinite()) continue;
    return "node " + std::to_string(i) + ": its place is not finite";
  }
  std::string wrong = FindTwins(mesh);
  if (!wrong.empty()) return wrong;
  std::vector<int> roots(mesh.nodes.size());
  std::iota(roots.begin(), roots.end(), 0);
  std::vector<char> used(mesh.nodes.size(), 0);
  const auto check = [&](const auto& elements, const char* name) {
    for (std::size_t k = 0; k < elements.size() && wrong.empty(); ++k) {
      wrong = WrongElement(mesh, elements[k]);
      if (!wrong.empty()) {
        wrong = std::string(name) + " " + std::to_string(k) + ": " + wrong;
        return;
      }
      for (const int node : elements[k]) {
        used[Index(node)] = 1;
        roots[Index(RootOf(roots, node))] = RootOf(roots, elements[k][0]);
      }
    }
  };
  check(mesh.tetrahedra, "tetrahedron");
  check(mesh.triangles, "triangle");
  if (!wrong.empty()) return wrong;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    const int node = static_cast<int>(i);
    if (used[i] == 0) {
      return "node " + std::to_string(i) + ": it belongs to no element";
    }
    if (RootOf(roots, node) != RootOf(roots, 0)) {
      return "node " + std::to_string(i) +
             ": no elements join it to node 0; a body is one piece";
    }
  }
  return {};
}

}  // namespace limber::dynamics
