// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "dynamics/internal/check.h"
#include "dynamics/internal/closed_mesh.h"
#include "dynamics/mass_properties.h"

namespace limber::dynamics {
namespace {

using internal::ThrowBadValue;

void CheckGrid(const RayGrid& grid) {
  if (grid.axis < 0 || grid.axis > 2) {
    ThrowBadValue("grid.axis", "0, 1 or 2", std::to_string(grid.axis));
  }
  if (grid.num_u < 1) {
    ThrowBadValue("grid.num_u", "at least 1", std::to_string(grid.num_u));
  }
  if (grid.num_v < 1) {
    ThrowBadValue("grid.num_v", "at least 1", std::to_string(grid.num_v));
  }
  internal::CheckFinite("grid.box_min", grid.box_min);
  internal::CheckFinite("grid.box_max", grid.box_max);
  if (!((grid.box_max - grid.box_min).minCoeff() > 0.0)) {
    ThrowBadValue("grid.box_max",
                  "above grid.box_min " + internal::ToText(grid.box_min),
                  internal::ToText(grid.box_max));
  }
}

// Whether the line (u, v) along `axis` passes the edge a-b on its u side. The
// ends are put in a fixed order first, so that the two triangles at an edge
// always give the same answer and a ray through it is counted once.
bool Passes(const Vector3& a, const Vector3& b, int iu, int iv, double u,
            double v) {
  if ((a[iv] > v) == (b[iv] > v)) return false;
  const bool swap = a[iv] > b[iv] || (a[iv] == b[iv] && a[iu] > b[iu]);
  const Vector3& low = swap ? b : a;
  const Vector3& high = swap ? a : b;
  const double t = (v - low[iv]) / (high[iv] - low[iv]);
  return u < low[iu] + t * (high[iu] - low[iu]);
}

}  // namespace

MassProperties MassByRays(const SolidHits& solid, const RayGrid& grid,
                          const Material& material) {
  CheckGrid(grid);
  const int iu = (grid.axis + 1) % 3;
  const int iv = (grid.axis + 2) % 3;
  const Vector3 extent = grid.box_max - grid.box_min;
  const double du = extent[iu] / grid.num_u;
  const double dv = extent[iv] / grid.num_v;
  const Vector3 direction = Vector3::Unit(grid.axis);
  // Moments about the middle of the bounding box, for accuracy.
  const Vector3 o = 0.5 * (grid.box_min + grid.box_max);
  double volume = 0.0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  std::vector<double> distances;
  for (int i = 0; i < grid.num_u; ++i) {
    for (int j = 0; j < grid.num_v; ++j) {
      Vector3 origin = grid.box_min;
      origin[iu] += (i + 0.5) * du;
      origin[iv] += (j + 0.5) * dv;
      distances.clear();
      solid(origin, direction, distances);
      if (distances.size() % 2 != 0) {
        ThrowBadValue("hits of the ray from " + internal::ToText(origin),
                      "an even number", std::to_string(distances.size()));
      }
      std::sort(distances.begin(), distances.end());
      for (std::size_t k = 0; k < distances.size(); k += 2) {
        // The box du x dv x length about its middle r:
        //     int x x^T dV = V (r r^T + diag(size^2) / 12)
        const double length = distances[k + 1] - distances[k];
        const Vector3 r =
            origin - o + 0.5 * (distances[k] + distances[k + 1]) * direction;
        Vector3 size;
        size[grid.axis] = length;
        size[iu] = du;
        size[iv] = dv;
        const double box = du * dv * length;
        volume += box;
        first += box * r;
        second += box * r * r.transpose();
        second.diagonal() += box / 12.0 * size.cwiseAbs2();
      }
    }
  }
  if (!(volume > 0.0))
    ThrowBadValue("volume met by the rays", "positive", volume);
  const Vector3 centre = first / volume;
  second -= volume * centre * centre.transpose();
  MassProperties part;
  part.mass = material.MassOf(volume);
  part.p_BC = o + centre;
  part.I_BC =
      part.mass / volume * (second.trace() * Matrix3::Identity() - second);
  return part;
}

MassProperties MassOfMeshByRays(std::span<const Vector3> vertices,
                                std::span<const std::array<int, 3>> triangles,
                                const RayGrid& grid, const Material& material) {
  if (triangles.empty()) ThrowBadValue("triangles", "at least four", "none");
  internal::CheckClosedMesh(vertices, triangles);
  RayGrid own = grid;
  own.box_min = own.box_max = vertices.front();
  for (const Vector3& vertex : vertices) {
    own.box_min = own.box_min.cwiseMin(vertex);
    own.box_max = own.box_max.cwiseMax(vertex);
  }
  CheckGrid(own);
  const int axis = own.axis;
  const int iu = (axis + 1) % 3;
  const int iv = (axis + 2) % 3;
  const SolidHits hits = [&](const Vector3& origin, const Vector3&,
                             std::vector<double>& distances) {
    const double u = origin[iu];
    const double v = origin[iv];
    for (const std::array<int, 3>& corner : triangles) {
      const Vector3& a = vertices[corner[0]];
      const Vector3& b = vertices[corner[1]];
      const Vector3& c = vertices[corner[2]];
      const bool inside =
          Passes(a, b, iu, iv, u, v) !=
          (Passes(b, c, iu, iv, u, v) != Passes(c, a, iu, iv, u, v));
      if (!inside) continue;
      // n . (x - a) = 0 on the ray. A triangle seen edge-on gives no number
      // or a wild one: it stays within its corners.
      const Vector3 n = (b - a).cross(c - a);
      const auto [low, high] = std::minmax({a[axis], b[axis], c[axis]});
      const double d =
          n[axis] == 0.0 ? low : origin[axis] + n.dot(a - origin) / n[axis];
      distances.push_back(std::clamp(d, low, high) - origin[axis]);
    }
  };
  return MassByRays(hits, own, material);
}

}  // namespace limber::dynamics
