// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/collision/internal/patch.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace limber::dynamics::internal {
namespace {

constexpr std::uint64_t kVertexKind = 1ull << 60;
constexpr std::uint64_t kEdgeKind = 2ull << 60;
constexpr std::uint64_t kFaceKind = 3ull << 60;
// A corner this part of the smaller inner radius outside a side of the
// reference face still lies on it: boxes of one size, stacked, keep their four
// corners however the rounding falls.
constexpr double kOnSide = 1e-3;

std::uint64_t Mix(std::uint64_t x) {
  // The finaliser of SplitMix64.
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  x ^= x >> 31;
  return x;
}

// Of the faces at the corner furthest against `normal`, the one that looks most
// against it. (The face that does so of all need not have that corner.)
int IncidentFace(const Polytope& polytope, const Vector3& normal) {
  const int corner = polytope.Support(-normal);
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int f = 0; f < static_cast<int>(polytope.faces.size()); ++f) {
    const Polytope::Face& face = polytope.faces[f];
    const double along = face.normal.dot(normal);
    if (along >= least) continue;
    const auto begin = polytope.loop.begin() + face.begin;
    const auto end = polytope.loop.begin() + face.end;
    if (std::find(begin, end, corner) == end) continue;
    least = along;
    best = f;
  }
  return best;
}

// The polygon, segment or point of `other` that faces against `normal`; returns
// the name of its inside.
std::uint64_t IncidentPolygon(const Polytope& other, const Vector3& normal,
                              std::vector<ClipVertex>& polygon) {
  polygon.clear();
  const auto add = [&](int v, std::uint64_t side) {
    polygon.push_back({other.vertices[v], -1, -1, VertexName(v), side, -1});
  };
  if (other.faces.empty()) {
    if (other.vertices.size() == 1) {
      add(0, 0);
      return VertexName(0);
    }
    // A segment is a polygon of two sides.
    add(0, EdgeName(0, 1));
    add(1, EdgeName(0, 1));
    return EdgeName(0, 1);
  }
  const int f = IncidentFace(other, normal);
  const Polytope::Face& face = other.faces[f];
  for (int i = face.begin; i < face.end; ++i) {
    const int v = other.loop[i];
    const int w = other.loop[i + 1 < face.end ? i + 1 : face.begin];
    add(v, EdgeName(v, w));
  }
  return FaceName(f);
}

// The corner of the reference between two of its sides, or -1.
int CornerBetween(const Polytope& reference, const Polytope::Face& face, int s,
                  int t) {
  const int n = face.end - face.begin;
  if ((s + 1) % n == t) return reference.loop[face.begin + t];
  if ((t + 1) % n == s) return reference.loop[face.begin + s];
  return -1;
}

// Sutherland and Hodgman against one side of the reference face.
void ClipBySide(const Polytope& reference, const Polytope::Face& face, int side,
                const Vector3& normal, double tolerance,
                std::uint64_t inside_name, ClipScratch& scratch) {
  const int n = face.end - face.begin;
  const Vector3& r0 = reference.vertices[reference.loop[face.begin + side]];
  const Vector3& r1 =
      reference.vertices[reference.loop[face.begin + (side + 1) % n]];
  const Vector3 out = (r1 - r0).cross(normal).normalized();
  const double offset = out.dot(r0);
  const auto crossing = [&](const ClipVertex& from, const ClipVertex& to,
                            double at_from, double at_to) {
    ClipVertex cut;
    const double t = at_from / (at_from - at_to);
    cut.p = from.p + t * (to.p - from.p);
    cut.reference_side = side;
    cut.reference_vertex = -1;
    cut.incident = from.side_incident;
    if (from.side_incident == 0) {
      // Two cuts meet: a corner of the reference inside the incident face.
      cut.reference_vertex =
          CornerBetween(reference, face, from.side_reference, side);
      cut.incident = inside_name;
    }
    cut.side_incident = from.side_incident;
    cut.side_reference = from.side_reference;
    return cut;
  };
  std::vector<ClipVertex>& polygon = scratch.polygon;
  std::vector<ClipVertex>& next = scratch.next;
  next.clear();
  const std::size_t count = polygon.size();
  // A segment has one side, not one there and one back.
  const std::size_t num_sides = count == 2 ? 1 : count;
  for (std::size_t i = 0; i < num_sides; ++i) {
    const ClipVertex& from = polygon[i];
    const ClipVertex& to = polygon[i + 1 < count ? i + 1 : 0];
    const double at_from = out.dot(from.p) - offset;
    const double at_to = out.dot(to.p) - offset;
    const bool from_in = at_from <= tolerance;
    const bool to_in = at_to <= tolerance;
    if (from_in) next.push_back(from);
    if (from_in != to_in) {
      ClipVertex cut = crossing(from, to, at_from, at_to);
      // A cut beside the corner that stays is that corner.
      const ClipVertex& stays = from_in ? from : to;
      const bool at_corner = (from_in ? at_from : at_to) >= 0.0 ||
                             (cut.p - stays.p).norm() <= tolerance;
      if (!at_corner) next.push_back(cut);
      if (from_in) {
        // From here the border runs along the cut.
        next.back().side_incident = 0;
        next.back().side_reference = side;
      }
    }
    if (count == 2 && to_in) next.push_back(to);
  }
  std::swap(polygon, next);
}

}  // namespace

std::uint64_t VertexName(int v) {
  return kVertexKind | static_cast<std::uint64_t>(v);
}
std::uint64_t EdgeName(int v0, int v1) {
  const auto [low, high] = std::minmax(v0, v1);
  return kEdgeKind | (static_cast<std::uint64_t>(low) << 30) |
         static_cast<std::uint64_t>(high);
}
std::uint64_t FaceName(int f) {
  return kFaceKind | static_cast<std::uint64_t>(f);
}
std::uint32_t JoinNames(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint32_t>(Mix(Mix(a) + 0x9e3779b97f4a7c15ull + b) >>
                                    32);
}

void ClipToFace(const Polytope& reference, int face_index,
                const Polytope& other, const Vector3& normal, double margin,
                bool swap, ClipScratch& scratch, Patch& out) {
  const Polytope::Face& face = reference.faces[face_index];
  const std::uint64_t inside =
      IncidentPolygon(other, face.normal, scratch.polygon);
  const int n = face.end - face.begin;
  // A flat triangle has no inner radius; then the other's counts alone.
  const double inner =
      reference.inner_radius > 0.0 && other.inner_radius > 0.0
          ? std::min(reference.inner_radius, other.inner_radius)
          : std::max(reference.inner_radius, other.inner_radius);
  const double tolerance = kOnSide * inner;
  for (int side = 0; side < n && !scratch.polygon.empty(); ++side) {
    ClipBySide(reference, face, side, normal, tolerance, inside, scratch);
  }
  // Gap along `normal` from the plane of the face to a point p:
  //     d = (n_f . p - offset) / (n_f . n)
  const double slant = face.normal.dot(normal);
  const double radii = reference.radius + other.radius;
  for (const ClipVertex& v : scratch.polygon) {
    const double gap = (face.normal.dot(v.p) - face.offset) / slant;
    if (gap - radii > margin) continue;
    PatchPoint point;
    point.distance = gap - radii;
    const Vector3 on_other = v.p - other.radius * normal;
    point.p = on_other - 0.5 * point.distance * normal;
    std::uint64_t name = FaceName(face_index);
    if (v.reference_vertex >= 0) {
      name = VertexName(v.reference_vertex);
    } else if (v.reference_side >= 0) {
      const int s = v.reference_side;
      name = EdgeName(reference.loop[face.begin + s],
                      reference.loop[face.begin + (s + 1) % n]);
    }
    point.name_a = swap ? v.incident : name;
    point.name_b = swap ? name : v.incident;
    out.points.push_back(point);
  }
}

bool ReachesDepth(const Patch& patch, double distance) {
  return std::ranges::any_of(patch.points, [=](const PatchPoint& point) {
    return point.distance <= distance;
  });
}

void NameByEnds(const Polytope& round, bool swap, Patch& patch) {
  const Vector3 axis = round.vertices.back() - round.vertices.front();
  const auto along = [&](const PatchPoint& point) {
    return axis.dot(point.p - round.centre);
  };
  std::vector<PatchPoint>& points = patch.points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double middle =
        points.size() == 2 ? 0.5 * (along(points[0]) + along(points[1])) : 0.0;
    const int end = along(points[i]) > middle ? 1 : 0;
    points[i].name_a = swap ? VertexName(end) : FaceName(0);
    points[i].name_b = swap ? FaceName(0) : VertexName(end);
  }
}

namespace {

// Leaves the points of these places, in their order.
void KeepOnly(std::array<int, 4> keep, std::vector<PatchPoint>& points) {
  std::ranges::sort(keep);
  const auto last = std::unique(keep.begin(), keep.end());
  int kept = 0;
  for (auto it = keep.begin(); it != last; ++it) points[kept++] = points[*it];
  points.resize(kept);
}

// Fewer than four points are near, those up to `least`: they stay, with the
// far ones that are farthest from them.
void KeepNear(double least, std::vector<PatchPoint>& points) {
  const int n = static_cast<int>(points.size());
  std::array<int, 4> keep;
  int kept = 0;
  for (int i = 0; i < n; ++i) {
    if (points[i].distance <= least) keep[kept++] = i;
  }
  while (kept < 4) {
    int best = -1;
    double most = 0.0;
    for (int i = 0; i < n; ++i) {
      double apart = std::numeric_limits<double>::infinity();
      for (int k = 0; k < kept; ++k) {
        apart = std::min(apart, (points[i].p - points[keep[k]].p).norm());
      }
      if (apart > most * (1.0 + 1e-6)) {
        most = apart;
        best = i;
      }
    }
    keep[kept++] = best < 0 ? keep[0] : best;
  }
  KeepOnly(keep, points);
}

}  // namespace

void ReduceToFour(double tie, double band, Patch& patch) {
  std::vector<PatchPoint>& points = patch.points;
  if (points.size() <= 4) return;
  double least = points[0].distance;
  for (const PatchPoint& point : points) {
    least = std::min(least, point.distance);
  }
  least += band;
  const auto is_far = [least](const PatchPoint& point) {
    return point.distance > least;
  };
  const auto num_far = std::ranges::count_if(points, is_far);
  if (static_cast<int>(points.size() - num_far) < 4) {
    KeepNear(least, points);
    return;
  }
  std::erase_if(points, is_far);
  const int n = static_cast<int>(points.size());
  if (n == 4) return;
  // The first point of those that measure most, to `slack`.
  const auto most = [n](double slack, auto&& measure) {
    int best = 0;
    double most = measure(0);
    for (int i = 1; i < n; ++i) {
      const double m = measure(i);
      if (m > most + slack) {
        most = m;
        best = i;
      }
    }
    return best;
  };
  const Vector3 normal = patch.normal;
  Vector3 reach = Vector3::Zero();
  for (const PatchPoint& point : points) {
    reach = reach.cwiseMax((point.p - points[0].p).cwiseAbs());
  }
  const double size = reach.norm();
  const double slack_length = 1e-6 * size;
  const double slack_area = 1e-6 * size * size;
  const int deepest = most(0.0, [&](int i) { return -points[i].distance; });
  // Furthest from the middle, then furthest from that, then the widest
  // triangle, then the widest on the other side.
  Vector3 middle = Vector3::Zero();
  for (const PatchPoint& point : points) middle += point.p;
  middle /= n;
  std::array<int, 4> keep;
  keep[0] =
      most(slack_length, [&](int i) { return (points[i].p - middle).norm(); });
  keep[1] = most(slack_length, [&](int i) {
    return (points[i].p - points[keep[0]].p).norm();
  });
  const Vector3 base = points[keep[1]].p - points[keep[0]].p;
  const auto area = [&](int i) {
    return base.cross(points[i].p - points[keep[0]].p).dot(normal);
  };
  keep[2] = most(slack_area, [&](int i) { return area(i); });
  keep[3] = most(slack_area, [&](int i) { return -area(i); });
  if (area(keep[2]) <= slack_area) keep[2] = keep[0];
  if (area(keep[3]) >= -slack_area) keep[3] = keep[0];
  // The deepest takes the place of the nearest of the four, if it matters.
  double kept_depth = points[keep[0]].distance;
  for (const int i : keep)
    kept_depth = std::min(kept_depth, points[i].distance);
  if (points[deepest].distance < kept_depth - tie) {
    int nearest = 0;
    for (int k = 1; k < 4; ++k) {
      if ((points[keep[k]].p - points[deepest].p).norm() <
          (points[keep[nearest]].p - points[deepest].p).norm()) {
        nearest = k;
      }
    }
    keep[nearest] = deepest;
  }
  KeepOnly(keep, points);
}

}  // namespace limber::dynamics::internal
