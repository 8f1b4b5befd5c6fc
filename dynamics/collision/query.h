// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/math.h"
#include "dynamics/collision/shape.h"

namespace limber::dynamics {

/// A half-open line: origin_W + t direction_W, 0 <= t <= length.
struct Ray {
  Vector3 origin_W = Vector3::Zero();
  Vector3 direction_W = -Vector3::UnitY();  ///< Unit.
  double length = BoundingBox::kInfinity;   ///< [m], may be infinite.
};

struct RayHit {
  double distance = 0.0;                ///< t [m].
  Vector3 p_W = Vector3::Zero();        ///< On the surface.
  Vector3 normal_W = Vector3::UnitY();  ///< Outward unit normal of the shape.
  int sub = 0;                          ///< Child or triangle, else 0.
};

/// The nearest point where the ray enters the shape. A ray that starts inside
/// a solid hits at once: distance 0, normal against the ray. One-sided
/// surfaces are hit from their front only.
/// @throws std::invalid_argument unless the origin is finite, the direction
///         unit to 1e-9 and the length not negative (also below).
std::optional<RayHit> CastRay(const Shape& shape, const Transform& X_WS,
                              const Ray& ray);

/// All points where the ray enters or leaves the shape (each child of a
/// compound on its own; triangles from both sides), by distance. Replaces the
/// content of `hits`. A ray that only touches may give two equal hits or none.
void CastRayAll(const Shape& shape, const Transform& X_WS, const Ray& ray,
                std::vector<RayHit>& hits);

/// Whether A and B share a point; `gap` [m] > 0 also finds near misses.
bool Overlaps(const Shape& a, const Transform& X_WA, const Shape& b,
              const Transform& X_WB, double gap = 0.0);

/// A moving shape's first contact.
struct ImpactHit {
  double fraction = 0.0;  ///< Of the motion, 0 to 1.
  Vector3 p_W = Vector3::Zero();
  Vector3 normal_W = Vector3::UnitY();  ///< Unit, from the moving A to B.
  int sub_a = 0;
  int sub_b = 0;
};

/// A goes straight by `translation_W` [m], without turning. The fraction is
/// the largest at which the distance is still >= 0, to 1e-9 m; 0 if they
/// overlap at the start while approaching; nothing if they never meet or only
/// part.
std::optional<ImpactHit> CastShape(const Shape& a, const Transform& X_WA,
                                   const Vector3& translation_W, const Shape& b,
                                   const Transform& X_WB);

/// A motion between two poses: the origin goes straight, the rotation turns
/// about a fixed axis the short way, both evenly.
struct PoseSweep {
  Transform start;
  Transform end;
  Transform At(double fraction) const;
};

/// Both shapes move (V-83). By conservative advancement: no step goes further
/// than the distance over the greatest approach speed of any two points, so a
/// contact is never jumped over.
std::optional<ImpactHit> TimeOfImpact(const Shape& a, const PoseSweep& sweep_a,
                                      const Shape& b, const PoseSweep& sweep_b);

}  // namespace limber::dynamics
