// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/collision/internal/gjk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "dynamics/collision/internal/separating_axis.h"

namespace limber::dynamics::internal {
namespace {

// Each round adds a corner to the simplex or ends; polytopes of a few hundred
// corners need about ten. The bound only guards against rounding.
constexpr int kMaxIterations = 128;
// The distance is final when the next corner brings it this much nearer, as a
// part of its square. Rounding alone: the error of the normal is the root of
// this.
constexpr double kRelativeGain = 1e-16;
// Nearer than this part of the corners' extent, the sets touch.
constexpr double kTouching = 1e-13;
// The distance is certain when a plane confirms it to this part of the extent.
constexpr double kCertain = 1e-13;

// A corner of the difference B - A, and the corners it came from.
struct Corner {
  Vector3 w;
  int a;
  int b;
};

// A simplex and the weights of its point nearest to the origin.
struct Simplex {
  std::array<Corner, 4> corner;
  std::array<double, 4> weight;
  int size = 0;
  Vector3 nearest = Vector3::Zero();
};

// A face of the simplex: which corners, with which weights, and how near.
struct Candidate {
  std::array<int, 3> index;
  std::array<double, 3> weight;
  int size = 0;
  double square = std::numeric_limits<double>::infinity();
};

void Consider(const Simplex& s, const Candidate& candidate, Candidate& best) {
  Vector3 p = Vector3::Zero();
  for (int i = 0; i < candidate.size; ++i) {
    p += candidate.weight[i] * s.corner[candidate.index[i]].w;
  }
  const double square = p.squaredNorm();
  if (square < best.square) {
    best = candidate;
    best.square = square;
  }
}

void NearestOnSegment(const Simplex& s, int i, int j, Candidate& best) {
  const Vector3& a = s.corner[i].w;
  const Vector3 ab = s.corner[j].w - a;
  const double square = ab.squaredNorm();
  const double t = square > 0.0 ? -a.dot(ab) / square : 0.0;
  if (t <= 0.0) {
    Consider(s, {{i}, {1.0}, 1}, best);
  } else if (t >= 1.0) {
    Consider(s, {{j}, {1.0}, 1}, best);
  } else {
    Consider(s, {{i, j}, {1.0 - t, t}, 2}, best);
  }
}

// The inside of the triangle if the origin projects into it, else its edges.
void NearestOnTriangle(const Simplex& s, int i, int j, int k, Candidate& best) {
  const Vector3& a = s.corner[i].w;
  const Vector3& b = s.corner[j].w;
  const Vector3& c = s.corner[k].w;
  const Vector3 n = (b - a).cross(c - a);
  const double square = n.squaredNorm();
  const double u = n.dot(b.cross(c));
  const double v = n.dot(c.cross(a));
  const double w = n.dot(a.cross(b));
  if (square > 0.0 && u > 0.0 && v > 0.0 && w > 0.0) {
    const double sum = u + v + w;
    Consider(s, {{i, j, k}, {u / sum, v / sum, w / sum}, 3}, best);
    return;
  }
  NearestOnSegment(s, i, j, best);
  NearestOnSegment(s, j, k, best);
  NearestOnSegment(s, k, i, best);
}

// Whether the origin lies inside the tetrahedron or on it.
bool OriginInside(const Simplex& s) {
  const Vector3& a = s.corner[0].w;
  const Vector3& b = s.corner[1].w;
  const Vector3& c = s.corner[2].w;
  const Vector3& d = s.corner[3].w;
  const double volume = (b - a).dot((c - a).cross(d - a));
  if (volume == 0.0) return false;
  const double sign = volume > 0.0 ? 1.0 : -1.0;
  // Volumes with the origin in place of each corner.
  return sign * b.dot(c.cross(d)) >= 0.0 && sign * a.dot(d.cross(c)) >= 0.0 &&
         sign * a.dot(b.cross(d)) >= 0.0 && sign * a.dot(c.cross(b)) >= 0.0;
}

// Reduces the simplex to the face that holds its point nearest to the origin;
// returns false if the origin is inside.
bool Reduce(Simplex& s) {
  Candidate best;
  switch (s.size) {
    case 1:
      Consider(s, {{0}, {1.0}, 1}, best);
      break;
    case 2:
      NearestOnSegment(s, 0, 1, best);
      break;
    case 3:
      NearestOnTriangle(s, 0, 1, 2, best);
      break;
    default:
      if (OriginInside(s)) return false;
      NearestOnTriangle(s, 0, 1, 2, best);
      NearestOnTriangle(s, 0, 1, 3, best);
      NearestOnTriangle(s, 0, 2, 3, best);
      NearestOnTriangle(s, 1, 2, 3, best);
      break;
  }
  const std::array<Corner, 4> old = s.corner;
  s.size = best.size;
  s.nearest.setZero();
  for (int i = 0; i < best.size; ++i) {
    s.corner[i] = old[best.index[i]];
    s.weight[i] = best.weight[i];
    s.nearest += best.weight[i] * s.corner[i].w;
  }
  return true;
}

void TakeNearer(const Vector3& on_a, const Vector3& on_b, CoreDistance& best) {
  const double distance = (on_b - on_a).norm();
  if (distance >= best.distance) return;
  best.distance = distance;
  best.a = on_a;
  best.b = on_b;
}

// Corners of `s` over faces of `t`; returns whether one lies within t.
bool NearestToFaces(const Polytope& s, const Polytope& t, bool s_is_a,
                    CoreDistance& best) {
  for (const Vector3& p : s.vertices) {
    double highest = -std::numeric_limits<double>::infinity();
    for (const Polytope::Face& face : t.faces) {
      const double height = face.normal.dot(p) - face.offset;
      highest = std::max(highest, height);
      if (height <= 0.0) continue;
      bool over = true;
      for (int i = face.begin; i < face.end && over; ++i) {
        const Vector3& c0 = t.vertices[t.loop[i]];
        const Vector3& c1 =
            t.vertices[t.loop[i + 1 < face.end ? i + 1 : face.begin]];
        over = (c1 - c0).cross(p - c0).dot(face.normal) >= 0.0;
      }
      if (!over) continue;
      const Vector3 foot = p - height * face.normal;
      TakeNearer(s_is_a ? p : foot, s_is_a ? foot : p, best);
    }
    if (highest <= 0.0) return true;
  }
  return false;
}

}  // namespace

CoreDistance NearestFeatures(const Polytope& a, const Polytope& b) {
  CoreDistance best;
  best.distance = std::numeric_limits<double>::infinity();
  if ((!b.faces.empty() && NearestToFaces(a, b, true, best)) ||
      (!a.faces.empty() && NearestToFaces(b, a, false, best))) {
    return {};
  }
  // A point is an edge of no length.
  const auto ends = [](const Polytope& p, std::size_t i) {
    return p.edges.empty() ? std::pair(0, 0)
                           : std::pair(p.edges[i].v0, p.edges[i].v1);
  };
  const std::size_t num_a = std::max<std::size_t>(a.edges.size(), 1);
  const std::size_t num_b = std::max<std::size_t>(b.edges.size(), 1);
  for (std::size_t i = 0; i < num_a; ++i) {
    const Vector3& a0 = a.vertices[ends(a, i).first];
    const Vector3& a1 = a.vertices[ends(a, i).second];
    for (std::size_t k = 0; k < num_b; ++k) {
      const Vector3& b0 = b.vertices[ends(b, k).first];
      const Vector3& b1 = b.vertices[ends(b, k).second];
      const EdgeParts at = NearestOnEdges(a0, a1, b0, b1);
      TakeNearer(a0 + at.a * (a1 - a0), b0 + at.b * (b1 - b0), best);
    }
  }
  if (!(best.distance > 0.0) || !std::isfinite(best.distance)) return {};
  best.normal = (best.b - best.a) / best.distance;
  return best;
}

CoreDistance Gjk(const Polytope& a, const Polytope& b, double stop_beyond) {
  CoreDistance result;
  Simplex s;
  Vector3 v = b.centre - a.centre;
  if (v.squaredNorm() == 0.0) v = Vector3::UnitY();
  double nearest_square = std::numeric_limits<double>::infinity();
  double extent = 0.0;
  double bound = 0.0;
  for (int i = 0; i < kMaxIterations; ++i) {
    // The corner of B - A furthest towards the origin, against v.
    const int ia = a.Support(v);
    const int ib = b.Support(-v);
    const Corner corner = {b.vertices[ib] - a.vertices[ia], ia, ib};
    const double along = v.dot(corner.w);
    bound = along / v.norm();
    extent = std::max(extent, corner.w.cwiseAbs().maxCoeff());
    // v . w / |v| bounds the distance from below.
    if (along > 0.0 &&
        along * along > stop_beyond * stop_beyond * v.squaredNorm()) {
      result.distance = bound;
      return result;
    }
    bool again = false;
    for (int i = 0; i < s.size; ++i) {
      again = again || (s.corner[i].a == ia && s.corner[i].b == ib);
    }
    if (again || (s.size > 0 &&
                  nearest_square - along <= kRelativeGain * nearest_square)) {
      break;
    }
    const Simplex before = s;
    s.corner[s.size++] = corner;
    if (!Reduce(s)) {
      result.overlapped = true;
      return result;
    }
    const double square = s.nearest.squaredNorm();
    if (square >= nearest_square) {
      // Rounding; the simplex before was as good.
      s = before;
      break;
    }
    nearest_square = square;
    v = s.nearest;
    if (square <= kTouching * kTouching * extent * extent) break;
  }
  for (int i = 0; i < s.size; ++i) {
    result.a += s.weight[i] * a.vertices[s.corner[i].a];
    result.b += s.weight[i] * b.vertices[s.corner[i].b];
  }
  const Vector3 ab = result.b - result.a;
  const double distance = ab.norm();
  if (distance <= kTouching * extent) return result;
  result.certain = distance - bound <= kCertain * extent;
  result.distance = distance;
  result.normal = ab / distance;
  return result;
}

}  // namespace limber::dynamics::internal
