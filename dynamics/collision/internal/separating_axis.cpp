// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/collision/internal/separating_axis.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "dynamics/collision/bounding_box.h"

namespace limber::dynamics::internal {
namespace {

// Squared sine below which two edges count as parallel: their common normal is
// then not known, and a face says as much.
constexpr double kParallel = 1e-16;

BoundingBox BoxOf(const Polytope& polytope) {
  BoundingBox box;
  for (const Vector3& v : polytope.vertices) box.Extend(v);
  return box;
}

// Whether the edge's box touches the region: all edges inside do.
bool Enters(const Polytope& polytope, const Polytope::Edge& edge,
            const BoundingBox& region) {
  const Vector3& v0 = polytope.vertices[edge.v0];
  const Vector3& v1 = polytope.vertices[edge.v1];
  return (v0.cwiseMin(v1).array() <= region.max.array()).all() &&
         (v0.cwiseMax(v1).array() >= region.min.array()).all();
}

// Edges of B tested at once; their numbers one array each, so that one
// instruction tests several.
constexpr int kBlock = 16;

struct EdgeBlock {
  using Row = Eigen::Array<double, kBlock, 1>;
  Row n0x, n0y, n0z, n1x, n1y, n1z, dx, dy, dz;

  std::array<int, kBlock> index;
  int count = 0;

  // Beyond `count` zeros, which cross nothing.
  void Clear() {
    count = 0;
    for (Row* row : {&n0x, &n0y, &n0z, &n1x, &n1y, &n1z, &dx, &dy, &dz}) {
      row->setZero();
    }
  }

  void Add(const Polytope& b, int edge_index) {
    const Polytope::Edge& edge = b.edges[edge_index];
    const Vector3 d = b.vertices[edge.v1] - b.vertices[edge.v0];
    const int k = count++;
    index[k] = edge_index;
    n0x[k] = edge.n0.x();
    n0y[k] = edge.n0.y();
    n0z[k] = edge.n0.z();
    n1x[k] = edge.n1.x();
    n1y[k] = edge.n1.y();
    n1z[k] = edge.n1.z();
    dx[k] = d.x();
    dy[k] = d.y();
    dz[k] = d.z();
  }

  // Positive where the arc of A from m0 to m1, with edge da, crosses that of -B
  // from -n0 to -n1, with edge d: each crosses the plane of the other,
  //     c = -n0 . da,  e = -n1 . da,  c e < 0
  //     f =  m0 . d,   g =  m1 . d,   f g < 0
  // and on the same side, c g > 0.
  Row Crossing(const Vector3& m0, const Vector3& m1, const Vector3& da) const {
    const Row c = -(n0x * da.x() + n0y * da.y() + n0z * da.z());
    const Row e = -(n1x * da.x() + n1y * da.y() + n1z * da.z());
    const Row f = dx * m0.x() + dy * m0.y() + dz * m0.z();
    const Row g = dx * m1.x() + dy * m1.y() + dz * m1.z();
    return (-c * e).min(-f * g).min(c * g);
  }
};

}  // namespace

FaceAxis BestFace(const Polytope& a, const Polytope& b, int num_faces) {
  FaceAxis best;
  for (int f = 0; f < num_faces; ++f) {
    const Polytope::Face& face = a.faces[f];
    const int v = b.Support(-face.normal);
    const double separation = face.normal.dot(b.vertices[v]) - face.offset;
    if (separation > best.separation) best = {separation, f, v};
  }
  return best;
}

EdgeAxis BestEdges(const Polytope& a, const Polytope& b, double depth) {
  EdgeAxis best;
  const bool some = std::isfinite(depth);
  BoundingBox near_a{Vector3::Constant(-BoundingBox::kInfinity),
                     Vector3::Constant(BoundingBox::kInfinity)};
  BoundingBox near_b = near_a;
  if (some) {
    near_a = BoxOf(a);
    near_b = BoxOf(b);
    const double size = (near_a.max - near_a.min).maxCoeff();
    near_a = near_a.Grown(depth + 1e-9 * size);
    near_b = near_b.Grown(depth + 1e-9 * size);
  }
  const int num_a = static_cast<int>(a.edges.size());
  const int num_b = static_cast<int>(b.edges.size());
  EdgeBlock block;
  for (int next = 0; next < num_b;) {
    block.Clear();
    for (; next < num_b && block.count < kBlock; ++next) {
      if (!some || Enters(b, b.edges[next], near_a)) block.Add(b, next);
    }
    if (block.count == 0) break;
    for (int i = 0; i < num_a; ++i) {
      const Polytope::Edge& ea = a.edges[i];
      if (some && !Enters(a, ea, near_b)) continue;
      const Vector3 da = a.vertices[ea.v1] - a.vertices[ea.v0];
      const EdgeBlock::Row crossing = block.Crossing(ea.n0, ea.n1, da);
      if (!(crossing.maxCoeff() > 0.0)) continue;
      for (int k = 0; k < block.count; ++k) {
        if (!(crossing[k] > 0.0)) continue;
        const Polytope::Edge& eb = b.edges[block.index[k]];
        const Vector3 db = b.vertices[eb.v1] - b.vertices[eb.v0];
        const Vector3 cross = da.cross(db);
        const double square = cross.squaredNorm();
        if (square <= kParallel * da.squaredNorm() * db.squaredNorm()) continue;
        Vector3 normal = cross / std::sqrt(square);
        // Outwards of A: on the side of its two faces.
        if (normal.dot(ea.n0 + ea.n1) < 0.0) normal = -normal;
        const double separation =
            normal.dot(b.vertices[eb.v0] - a.vertices[ea.v0]);
        if (separation > best.separation) {
          best = {separation, i, block.index[k], normal};
        }
      }
    }
  }
  return best;
}

EdgeAxis BestBoxEdges(const Polytope& a, const Polytope& b) {
  // Axes and half sizes from the layout of BoxPolytope: corner i has bit k set
  // on the + side of axis k.
  Matrix3 R;
  Vector3 ha, hb;
  for (int k = 0; k < 3; ++k) {
    R.col(k) = b.faces[2 * k + 1].normal;
    ha[k] = a.faces[2 * k + 1].offset;
    hb[k] = 0.5 * (b.faces[2 * k + 1].offset + b.faces[2 * k].offset);
  }
  const Vector3& p = b.centre;
  EdgeAxis best;
  int best_i = -1;
  int best_j = -1;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      Vector3 axis = Vector3::Unit(i).cross(R.col(j));
      const double square = axis.squaredNorm();
      if (square <= kParallel) continue;
      axis /= std::sqrt(square);
      const double along = axis.dot(p);
      const double reach =
          axis.cwiseAbs().dot(ha) + (R.transpose() * axis).cwiseAbs().dot(hb);
      const double separation = std::abs(along) - reach;
      if (separation > best.separation) {
        best.separation = separation;
        best.normal = along < 0.0 ? Vector3(-axis) : axis;
        best_i = i;
        best_j = j;
      }
    }
  }
  if (best_i < 0) return best;
  // The edges along these axes at the extreme corners.
  const int corner_a = a.Support(best.normal) & ~(1 << best_i);
  const int corner_b = b.Support(-best.normal) & ~(1 << best_j);
  const auto edge_at = [](const Polytope& box, int from, int to) {
    for (int e = 0; e < static_cast<int>(box.edges.size()); ++e) {
      if (box.edges[e].v0 == from && box.edges[e].v1 == to) return e;
    }
    return -1;
  };
  best.a = edge_at(a, corner_a, corner_a | (1 << best_i));
  best.b = edge_at(b, corner_b, corner_b | (1 << best_j));
  return best;
}

EdgeParts NearestOnEdges(const Vector3& a0, const Vector3& a1,
                         const Vector3& b0, const Vector3& b1) {
  const Vector3 da = a1 - a0;
  const Vector3 db = b1 - b0;
  const Vector3 r = a0 - b0;
  const double aa = da.squaredNorm();
  const double bb = db.squaredNorm();
  const double ab = da.dot(db);
  const double ar = da.dot(r);
  const double br = db.dot(r);
  if (aa == 0.0 && bb == 0.0) return {0.0, 0.0};
  if (aa == 0.0) return {0.0, std::clamp(br / bb, 0.0, 1.0)};
  if (bb == 0.0) return {std::clamp(-ar / aa, 0.0, 1.0), 0.0};
  // Minimise |r + s da - t db|: the free minimum first, |da x db|^2 its
  // determinant; then clamp one part and solve for the other.
  const double det = da.cross(db).squaredNorm();
  const auto square_at = [&](double s, double t) {
    return (r + s * da - t * db).squaredNorm();
  };
  EdgeParts best = {0.0, std::clamp(br / bb, 0.0, 1.0)};
  double best_square = square_at(best.a, best.b);
  const auto consider = [&](double s, double t) {
    const double square = square_at(s, t);
    if (square < best_square) {
      best_square = square;
      best = {s, t};
    }
  };
  consider(1.0, std::clamp((br + ab) / bb, 0.0, 1.0));
  consider(std::clamp(-ar / aa, 0.0, 1.0), 0.0);
  consider(std::clamp((ab - ar) / aa, 0.0, 1.0), 1.0);
  if (det > kParallel * aa * bb) {
    // s = (ab br - bb ar) / det, written with the cross product for accuracy.
    const Vector3 n = da.cross(db);
    const double s = db.cross(r).dot(n) / det;
    const double t = da.cross(r).dot(n) / det;
    if (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) consider(s, t);
  }
  return best;
}

}  // namespace limber::dynamics::internal
