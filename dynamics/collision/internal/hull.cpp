// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "dynamics/collision/internal/polytope.h"
#include "dynamics/internal/check.h"

namespace limber::dynamics::internal {
namespace {

// Points nearer to a face than this part of the hull's size lie on it.
constexpr double kFlat = 1e-11;
// Points whose measures differ by less than this part of the size tie.
constexpr double kTie = 1e-12;
// Neighbouring triangles are one polygon when the further corner of one is no
// more than this part of the hull's size off the plane of the other.
constexpr double kOnePlane = 1e-9;

struct Facet {
  std::array<int, 3> v;
  Vector3 normal;
  double offset;
  bool alive = true;
};

class HullBuilder {
 public:
  explicit HullBuilder(const std::vector<Vector3>& points) : points_(points) {}

  HullFaces Build() {
    StartWithTetrahedron();
    // Each new facet takes the point furthest beyond it, until none is left.
    for (std::size_t f = 0; f < facets_.size(); ++f) {
      if (!facets_[f].alive) continue;
      const Facet facet = facets_[f];
      const Vector3 middle =
          (points_[facet.v[0]] + points_[facet.v[1]] + points_[facet.v[2]]) /
          3.0;
      const auto [i, beyond] = Furthest(middle, [&facet](const Vector3& p) {
        return facet.normal.dot(p) - facet.offset;
      });
      if (beyond > kFlat * size_) Add(i);
    }
    std::erase_if(facets_, [](const Facet& facet) { return !facet.alive; });
    return Merged();
  }

 private:
  // The point of greatest `measure`; of those that tie, the furthest from
  // `from`. So only true corners are taken, never points within an edge or a
  // face, whose facets would have no area.
  template <typename Measure>
  std::pair<int, double> Furthest(const Vector3& from,
                                  Measure&& measure) const {
    double most = -std::numeric_limits<double>::infinity();
    for (const Vector3& p : points_) most = std::max(most, measure(p));
    int best = 0;
    double best_far = -1.0;
    for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
      if (measure(points_[i]) < most - kTie * size_) continue;
      const double far = (points_[i] - from).squaredNorm();
      if (far > best_far) {
        best_far = far;
        best = i;
      }
    }
    return {best, most};
  }

  // Four corners far apart.
  void StartWithTetrahedron() {
    const Vector3 origin = points_[0];
    const int a = Furthest(origin, [&](const Vector3& p) {
                    return (p - origin).norm();
                  }).first;
    const Vector3 pa = points_[a];
    const auto [b, ab] =
        Furthest(pa, [&](const Vector3& p) { return (p - pa).norm(); });
    size_ = ab;
    if (!(ab > 0.0)) Refuse("at one place");
    const Vector3 along = (points_[b] - pa) / ab;
    const auto [c, off_line] = Furthest(
        pa, [&](const Vector3& p) { return (p - pa).cross(along).norm(); });
    if (!(off_line > kOnePlane * size_)) Refuse("on one line");
    const Vector3 normal = along.cross(points_[c] - pa).normalized();
    const auto [d, off_plane] = Furthest(
        pa, [&](const Vector3& p) { return std::abs((p - pa).dot(normal)); });
    if (!(off_plane > kOnePlane * size_)) Refuse("in one plane");
    inside_ = 0.25 * (pa + points_[b] + points_[c] + points_[d]);
    for (const auto& v : {std::array{a, b, c}, std::array{a, b, d},
                          std::array{a, c, d}, std::array{b, c, d}}) {
      AddFacet(v[0], v[1], v[2]);
    }
  }

  [[noreturn]] void Refuse(const char* found) const {
    ThrowBadValue("points", "not all in one plane",
                  std::to_string(points_.size()) + " points " + found);
  }

  void AddFacet(int a, int b, int c) {
    Vector3 normal =
        (points_[b] - points_[a]).cross(points_[c] - points_[a]).normalized();
    if (normal.dot(points_[a] - inside_) < 0.0) {
      normal = -normal;
      std::swap(b, c);
    }
    facets_.push_back({{a, b, c}, normal, normal.dot(points_[a])});
  }

  // Replaces the facets that see point i by a fan from their outline.
  void Add(int i) {
    outline_.clear();
    for (Facet& facet : facets_) {
      if (!facet.alive ||
          facet.normal.dot(points_[i]) - facet.offset <= kFlat * size_) {
        continue;
      }
      facet.alive = false;
      for (int k = 0; k < 3; ++k) {
        const int from = facet.v[k];
        const int to = facet.v[(k + 1) % 3];
        // An edge between two facets that go is met once each way.
        const auto back = outline_.find({to, from});
        if (back != outline_.end()) {
          outline_.erase(back);
        } else {
          outline_.insert({from, to});
        }
      }
    }
    for (const auto& [from, to] : outline_) AddFacet(from, to, i);
  }

  // Joins neighbours in one plane to polygons, drops corners inside edges and
  // numbers what is left.
  HullFaces Merged() const {
    const int n = static_cast<int>(facets_.size());
    std::map<std::pair<int, int>, int> walked;
    for (int f = 0; f < n; ++f) {
      for (int k = 0; k < 3; ++k) {
        walked[{facets_[f].v[k], facets_[f].v[(k + 1) % 3]}] = f;
      }
    }
    std::vector<int> group(n, -1);
    std::vector<std::vector<int>> polygons;
    for (int seed = 0; seed < n; ++seed) {
      if (group[seed] >= 0) continue;
      const Facet& plane = facets_[seed];
      std::vector<int> members = {seed};
      group[seed] = seed;
      std::map<int, int> next;  // Outline: corner to following corner.
      for (std::size_t m = 0; m < members.size(); ++m) {
        const Facet& facet = facets_[members[m]];
        for (int k = 0; k < 3; ++k) {
          const int from = facet.v[k];
          const int to = facet.v[(k + 1) % 3];
          const auto found = walked.find({to, from});
          if (found == walked.end()) {
            Refuse("too close to each other for a hull");
          }
          const int other = found->second;
          if (group[other] == seed) continue;
          if (group[other] < 0 && InPlane(plane, facets_[other])) {
            group[other] = seed;
            members.push_back(other);
          }
        }
      }
      for (const int m : members) {
        for (int k = 0; k < 3; ++k) {
          const int from = facets_[m].v[k];
          const int to = facets_[m].v[(k + 1) % 3];
          if (group[walked.at({to, from})] != seed) next[from] = to;
        }
      }
      std::vector<int> polygon;
      const int first = next.begin()->first;
      int v = first;
      do {
        polygon.push_back(v);
        v = next.at(v);
      } while (v != first && polygon.size() <= next.size());
      polygons.push_back(std::move(polygon));
    }
    return WithoutStraightCorners(std::move(polygons));
  }

  bool InPlane(const Facet& plane, const Facet& facet) const {
    if (plane.normal.dot(facet.normal) < 0.0) return false;
    return std::ranges::all_of(facet.v, [&](int v) {
      return std::abs(plane.normal.dot(points_[v]) - plane.offset) <=
             kOnePlane * size_;
    });
  }

  // A corner that only two polygons share lies on the edge between them.
  HullFaces WithoutStraightCorners(
      std::vector<std::vector<int>> polygons) const {
    std::vector<int> uses(points_.size(), 0);
    for (const std::vector<int>& polygon : polygons) {
      for (const int v : polygon) ++uses[v];
    }
    HullFaces hull;
    std::vector<int> new_index(points_.size(), -1);
    for (std::size_t v = 0; v < points_.size(); ++v) {
      if (uses[v] < 3) continue;
      new_index[v] = static_cast<int>(hull.vertices.size());
      hull.vertices.push_back(points_[v]);
    }
    for (const std::vector<int>& polygon : polygons) {
      std::vector<int> face;
      for (const int v : polygon) {
        if (new_index[v] >= 0) face.push_back(new_index[v]);
      }
      hull.faces.push_back(std::move(face));
    }
    return hull;
  }

  const std::vector<Vector3>& points_;
  double size_ = 0.0;
  Vector3 inside_ = Vector3::Zero();
  std::vector<Facet> facets_;
  std::set<std::pair<int, int>> outline_;
};

}  // namespace

HullFaces HullOf(const std::vector<Vector3>& points) {
  return HullBuilder(points).Build();
}

}  // namespace limber::dynamics::internal
