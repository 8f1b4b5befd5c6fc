// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/math.h"
#include "dynamics/curve.h"

namespace limber::dynamics {

/// Position [m] and derivatives by the parameters u, v, in the surface's frame.
struct SurfacePoint {
  Vector3 position = Vector3::Zero();
  Vector3 d_u = Vector3::Zero();
  Vector3 d_v = Vector3::Zero();
  Vector3 d_uu = Vector3::Zero();
  Vector3 d_uv = Vector3::Zero();
  Vector3 d_vv = Vector3::Zero();
};

/// A surface fixed in a body or in the world. A new kind is one subclass.
class Surface {
 public:
  virtual ~Surface() = default;

  /// Defined for every finite u, v.
  virtual SurfacePoint Evaluate(double u, double v) const = 0;

  /// Unit normal, n = d_u x d_v / |d_u x d_v|; closed surfaces turn it
  /// outwards. Kinds with a pole override it with a formula that holds there.
  virtual Vector3 Normal(double u, double v) const;

  virtual ParameterRange domain_u() const = 0;
  virtual ParameterRange domain_v() const = 0;

  /// (u, v) in the domain of the point nearest to p (one of them, always the
  /// same, if several).
  virtual Vector2 ClosestParameters(const Vector3& p) const = 0;

  Vector3 Position(double u, double v) const { return Evaluate(u, v).position; }
};

/// p(u, v) = origin + u e_u + v e_v with e_u, e_v unit and at right angles:
/// u, v in metres. The domain may be bounded.
class Plane : public Surface {
 public:
  /// An endless plane; e_u, e_v are picked.
  /// @throws std::invalid_argument if `normal` is zero.
  Plane(const Vector3& origin, const Vector3& normal);
  /// The rectangle with corner `origin` and the edges `edge_u`, `edge_v`.
  /// @throws std::invalid_argument if the edges are zero or not at right
  ///         angles to 1e-9.
  static Plane Rectangle(const Vector3& origin, const Vector3& edge_u,
                         const Vector3& edge_v);
  SurfacePoint Evaluate(double u, double v) const override;
  Vector3 Normal(double u, double v) const override;
  ParameterRange domain_u() const override { return range_u_; }
  ParameterRange domain_v() const override { return range_v_; }
  Vector2 ClosestParameters(const Vector3& p) const override;

 private:
  Plane(const Vector3& origin, const Vector3& e_u, const Vector3& e_v,
        double length_u, double length_v);
  Vector3 origin_;
  Vector3 e_u_;
  Vector3 e_v_;
  ParameterRange range_u_;
  ParameterRange range_v_;
};

/// Ellipsoid with half axes (a, b, c) along the axes of X_AE; a sphere when
/// they are equal. In E, poles on Y, normal outwards:
///
///     p = (a cos v sin u,  b sin v,  c cos v cos u)
///
/// u longitude, periodic [-pi, pi); v latitude [-pi/2, pi/2] [rad].
class Ellipsoid : public Surface {
 public:
  /// @throws std::invalid_argument unless the half axes are positive.
  Ellipsoid(const Transform& X_AE, const Vector3& half_axes);
  static Ellipsoid Sphere(const Vector3& centre, double radius);
  SurfacePoint Evaluate(double u, double v) const override;
  Vector3 Normal(double u, double v) const override;
  ParameterRange domain_u() const override;
  ParameterRange domain_v() const override;
  Vector2 ClosestParameters(const Vector3& p) const override;

 private:
  Transform X_AE_;
  Vector3 half_axes_;
};

/// Side of a cylinder about the Y axis of X_AE, normal outwards:
///
///     p = (r sin u,  v,  r cos u)
///
/// u periodic [-pi, pi) [rad]; v height within +-height/2 [m].
class Cylinder : public Surface {
 public:
  /// `height` may be infinite. @throws std::invalid_argument unless radius and
  /// height are positive and the radius is finite.
  Cylinder(const Transform& X_AE, double radius, double height);
  SurfacePoint Evaluate(double u, double v) const override;
  ParameterRange domain_u() const override;
  ParameterRange domain_v() const override;
  Vector2 ClosestParameters(const Vector3& p) const override;

 private:
  Transform X_AE_;
  double radius_;
  double height_;
};

}  // namespace limber::dynamics
