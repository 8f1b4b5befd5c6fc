// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "core/math.h"

namespace limber::dynamics {

/// Mass, mass centre and inertia of a rigid part, in its own frame B.
struct MassProperties {
  double mass = 1.0;                   ///< m, positive [kg].
  Vector3 p_BC = Vector3::Zero();      ///< Mass centre C in B [m].
  Matrix3 I_BC = Matrix3::Identity();  ///< Inertia about C, B axes [kg m^2].
};

/// How much material a shape holds: by density or by the total mass.
class Material {
 public:
  /// @param density  per volume [kg/m^3]; for a thin rod per length [kg/m].
  /// @throws std::invalid_argument unless finite and positive.
  static Material WithDensity(double density);
  /// @throws std::invalid_argument unless finite and positive [kg].
  static Material WithMass(double mass);
  /// The mass [kg] of a shape of `size` (volume [m^3] or length [m]).
  double MassOf(double size) const;

 private:
  Material(double value, bool is_density)
      : value_(value), is_density_(is_density) {}
  double value_;
  bool is_density_;
};

// Solid primitives, centred on the origin of B, axis of revolution = Y.
// Lengths in metres. All throw std::invalid_argument, naming the field and its
// value, unless the lengths are finite and positive.

MassProperties MassOfSphere(double radius, const Material& material);
/// @param size  whole edge lengths along x, y, z.
MassProperties MassOfBox(const Vector3& size, const Material& material);
/// @param height  whole height along Y.
MassProperties MassOfCylinder(double radius, double height,
                              const Material& material);
/// @param length  of the straight part along Y, zero allowed; the caps of
///                `radius` come on top.
MassProperties MassOfCapsule(double radius, double length,
                             const Material& material);
/// Tip at +Y. B is in the middle of the height; the mass centre lies a quarter
/// of the height above the base: p_BC = (0, -height/4, 0).
MassProperties MassOfCone(double radius, double height,
                          const Material& material);
/// @param ring_radius  a, centre to middle of the tube.
/// @param tube_radius  c, at most a.
MassProperties MassOfTorus(double ring_radius, double tube_radius,
                           const Material& material);
/// A one-dimensional body along Y: its inertia about Y is exactly zero.
MassProperties MassOfThinRod(double length, const Material& material);

/// Point masses. Without `masses` every point weighs 1 kg.
/// @throws std::invalid_argument on an empty cloud, a count of masses that
///         differs from the points', or a mass that is not positive.
MassProperties MassOfPoints(std::span<const Vector3> points);
MassProperties MassOfPoints(std::span<const Vector3> points,
                            std::span<const double> masses);

/// Exact for the solid inside a closed triangle mesh, convex or not; corners
/// count anticlockwise seen from outside.
/// @throws std::invalid_argument on an index out of range, a repeated corner,
///         an edge that is not met once in each direction by its triangles
///         (open or wrongly turned mesh), or a volume that is not positive
///         (mesh turned inside out).
MassProperties MassOfMesh(std::span<const Vector3> vertices,
                          std::span<const std::array<int, 3>> triangles,
                          const Material& material);

/// The same part seen from frame A.
MassProperties Transformed(const Transform& X_AB, const MassProperties& part);

/// One body made of parts given in one frame. @throws std::invalid_argument
/// if there is no part.
MassProperties Combined(std::span<const MassProperties> parts);

/// Inertia about the origin of B instead of C (parallel axes), B axes.
Matrix3 InertiaAboutOrigin(const MassProperties& part);

/// Principal frame P at the mass centre: I_BC = R_BP diag(inertia) R_BP^T.
struct PrincipalAxes {
  Quaternion R_BP = Quaternion::Identity();  ///< Right-handed.
  Vector3 inertia = Vector3::Ones();         ///< About the axes of P [kg m^2].
};

/// Of the 24 right-handed ways to name the principal axes, the one nearest to
/// the axes of B: a part whose inertia is already diagonal keeps its axes and
/// their order. Equal input gives equal output to the bit.
PrincipalAxes FindPrincipalAxes(const Matrix3& I_BC);

/// @throws std::invalid_argument naming field and value unless the mass is
///         positive, everything is finite, the inertia is symmetric, no
///         principal inertia is negative and none exceeds the sum of the other
///         two. Zero inertias are allowed (rods, point masses).
void CheckMassProperties(const MassProperties& part);

/// Bounding box and grid for mass by ray casting: rays start on the face of
/// smallest `axis` coordinate, in the middle of each of `num_u` x `num_v`
/// cells (u, v: the axes after `axis` in the order x, y, z, x), and run along
/// +axis.
struct RayGrid {
  Vector3 box_min = Vector3::Constant(-1.0);  ///< [m]
  Vector3 box_max = Vector3::Constant(1.0);   ///< [m]
  int axis = 0;                               ///< 0, 1 or 2.
  int num_u = 64;
  int num_v = 64;
};

/// Adds to `distances` [m], in any order, each distance along the ray at which
/// it enters or leaves the solid. `direction_B` is unit.
using SolidHits =
    std::function<void(const Vector3& origin_B, const Vector3& direction_B,
                       std::vector<double>& distances)>;

/// Sums the boxes (cell by inner stretch of the ray) inside a solid.
/// @throws std::invalid_argument for a bad grid, an odd number of hits on a
///         ray, or when no ray meets the solid.
MassProperties MassByRays(const SolidHits& solid, const RayGrid& grid,
                          const Material& material);

/// The same for a closed triangle mesh, over its own bounding box; the box of
/// `grid` is not used. Rays through edges and corners are counted once.
MassProperties MassOfMeshByRays(std::span<const Vector3> vertices,
                                std::span<const std::array<int, 3>> triangles,
                                const RayGrid& grid, const Material& material);

}  // namespace limber::dynamics
