// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/surface.h"

#include <algorithm>
#include <cmath>

#include "dynamics/internal/check.h"
#include "dynamics/row.h"

namespace limber::dynamics {
namespace {

using internal::CheckFinite;
using internal::CheckPositive;
using internal::ThrowBadValue;

// The point x of the ellipsoid sum (x_i/a_i)^2 = 1 nearest to y, all y_i >= 0.
//
// x - y is along the gradient: x_i = a_i^2 y_i / (s + a_i^2 - m^2) with m the
// smallest half axis, and s >= 0 solves
//     F(s) = sum (a_i y_i / (s + a_i^2 - m^2))^2 - 1 = 0 .
// F falls and is convex, so Newton from a place with F >= 0 runs up to the
// root without passing it.
Vector3 ClosestOnEllipsoid(const Vector3& a, const Vector3& y) {
  int k = 0;
  const double m = a.minCoeff(&k);
  // a_i^2 - m^2 as a product: exactly zero for the smallest axis, whatever
  // the compiler fuses.
  const Vector3 gap = (a.array() - m) * (a.array() + m);
  const Vector3 ay = a.cwiseProduct(y);
  // The largest s at which a single term reaches 1: F is between 0 and 2.
  double s = std::max(0.0, (ay - gap).maxCoeff());
  const auto evaluate = [&](double at, double& derivative) {
    double sum = -1.0;
    derivative = 0.0;
    for (int i = 0; i < 3; ++i) {
      if (ay[i] == 0.0) continue;
      const double term = ay[i] / (at + gap[i]);
      sum += term * term;
      derivative -= 2.0 * term * term / (at + gap[i]);
    }
    return sum;
  };
  double derivative = 0.0;
  if (evaluate(s, derivative) < 0.0) {
    // y lies in the plane of the larger axes and near the centre: the nearest
    // point leaves that plane along the smallest axis, s = 0.
    Vector3 x = Vector3::Zero();
    double rest = 1.0;
    for (int i = 0; i < 3; ++i) {
      if (i == k || ay[i] == 0.0) continue;
      x[i] = a[i] * ay[i] / gap[i];
      rest -= (x[i] / a[i]) * (x[i] / a[i]);
    }
    x[k] = m * std::sqrt(std::max(rest, 0.0));
    return x;
  }
  constexpr int kMaxIterations = 60;  // about eight are needed
  for (int i = 0; i < kMaxIterations; ++i) {
    const double F = evaluate(s, derivative);
    const double next = s - F / derivative;
    if (!(next > s)) break;
    s = next;
  }
  Vector3 x;
  for (int i = 0; i < 3; ++i) {
    x[i] = ay[i] == 0.0 ? 0.0 : a[i] * ay[i] / (s + gap[i]);
  }
  return x;
}

}  // namespace

Vector3 Surface::Normal(double u, double v) const {
  const SurfacePoint point = Evaluate(u, v);
  return point.d_u.cross(point.d_v).normalized();
}

Plane::Plane(const Vector3& origin, const Vector3& normal)
    : origin_(origin),
      range_u_{-kInfinity, kInfinity, false},
      range_v_{-kInfinity, kInfinity, false} {
  CheckFinite("origin", origin);
  if (!normal.allFinite() || normal.norm() == 0.0) {
    ThrowBadValue("normal", "finite and not zero", internal::ToText(normal));
  }
  const Vector3 n = normal.normalized();
  e_u_ = AnyPerpendicular(n);
  e_v_ = n.cross(e_u_);
}

Plane::Plane(const Vector3& origin, const Vector3& e_u, const Vector3& e_v,
             double length_u, double length_v)
    : origin_(origin),
      e_u_(e_u),
      e_v_(e_v),
      range_u_{0.0, length_u, false},
      range_v_{0.0, length_v, false} {}

Plane Plane::Rectangle(const Vector3& origin, const Vector3& edge_u,
                       const Vector3& edge_v) {
  CheckFinite("origin", origin);
  CheckPositive("length of edge_u", edge_u.norm());
  CheckPositive("length of edge_v", edge_v.norm());
  const Vector3 e_u = edge_u.normalized();
  const Vector3 e_v = edge_v.normalized();
  if (std::abs(e_u.dot(e_v)) > 1e-9) {
    ThrowBadValue("edge_v", "at right angles to edge_u",
                  "a cosine of " + internal::ToText(e_u.dot(e_v)));
  }
  return {origin, e_u, e_v, edge_u.norm(), edge_v.norm()};
}

SurfacePoint Plane::Evaluate(double u, double v) const {
  SurfacePoint point;
  point.position = origin_ + u * e_u_ + v * e_v_;
  point.d_u = e_u_;
  point.d_v = e_v_;
  return point;
}

Vector3 Plane::Normal(double, double) const { return e_u_.cross(e_v_); }

Vector2 Plane::ClosestParameters(const Vector3& p) const {
  const Vector3 r = p - origin_;
  return {range_u_.Bring(r.dot(e_u_)), range_v_.Bring(r.dot(e_v_))};
}

Ellipsoid::Ellipsoid(const Transform& X_AE, const Vector3& half_axes)
    : X_AE_(X_AE), half_axes_(half_axes) {
  CheckFinite("X_AE.p", X_AE.p);
  CheckPositive("half_axes.x", half_axes.x());
  CheckPositive("half_axes.y", half_axes.y());
  CheckPositive("half_axes.z", half_axes.z());
}

Ellipsoid Ellipsoid::Sphere(const Vector3& centre, double radius) {
  CheckPositive("radius", radius);
  return {Transform{Quaternion::Identity(), centre}, Vector3::Constant(radius)};
}

SurfacePoint Ellipsoid::Evaluate(double u, double v) const {
  const double su = std::sin(u), cu = std::cos(u);
  const double sv = std::sin(v), cv = std::cos(v);
  // A point or derivative given on the unit sphere, in the frame A.
  const auto in_A = [&](double x, double y, double z) -> Vector3 {
    return X_AE_.R * half_axes_.cwiseProduct(Vector3(x, y, z));
  };
  SurfacePoint point;
  point.position = X_AE_.p + in_A(cv * su, sv, cv * cu);
  point.d_u = in_A(cv * cu, 0.0, -cv * su);
  point.d_v = in_A(-sv * su, cv, -sv * cu);
  point.d_uu = in_A(-cv * su, 0.0, -cv * cu);
  point.d_uv = in_A(-sv * cu, 0.0, sv * su);
  point.d_vv = in_A(-cv * su, -sv, -cv * cu);
  return point;
}

Vector3 Ellipsoid::Normal(double u, double v) const {
  // Gradient of sum (x_i/a_i)^2.
  const Vector3 unit(std::cos(v) * std::sin(u), std::sin(v),
                     std::cos(v) * std::cos(u));
  return X_AE_.R * unit.cwiseQuotient(half_axes_).normalized();
}

ParameterRange Ellipsoid::domain_u() const { return {-kPi, kPi, true}; }

ParameterRange Ellipsoid::domain_v() const {
  return {-kPi / 2.0, kPi / 2.0, false};
}

Vector2 Ellipsoid::ClosestParameters(const Vector3& p) const {
  const Vector3 p_E = X_AE_.Inverse() * p;
  const Vector3 x = ClosestOnEllipsoid(half_axes_, p_E.cwiseAbs());
  Vector3 unit = x.cwiseQuotient(half_axes_);
  for (int i = 0; i < 3; ++i) unit[i] = std::copysign(unit[i], p_E[i]);
  // At a pole the longitude is free: take 0.
  const double flat = std::hypot(unit.x(), unit.z());
  const double u = flat > 0.0 ? std::atan2(unit.x(), unit.z()) : 0.0;
  const double v = std::atan2(unit.y(), flat);
  return {domain_u().Bring(u), domain_v().Bring(v)};
}

Cylinder::Cylinder(const Transform& X_AE, double radius, double height)
    : X_AE_(X_AE), radius_(radius), height_(height) {
  CheckFinite("X_AE.p", X_AE.p);
  CheckPositive("radius", radius);
  if (!(height > 0.0)) ThrowBadValue("height", "positive", height);
}

SurfacePoint Cylinder::Evaluate(double u, double v) const {
  const double su = radius_ * std::sin(u);
  const double cu = radius_ * std::cos(u);
  SurfacePoint point;
  point.position = X_AE_ * Vector3(su, v, cu);
  point.d_u = X_AE_.R * Vector3(cu, 0.0, -su);
  point.d_v = X_AE_.R * Vector3::UnitY();
  point.d_uu = X_AE_.R * Vector3(-su, 0.0, -cu);
  return point;
}

ParameterRange Cylinder::domain_u() const { return {-kPi, kPi, true}; }

ParameterRange Cylinder::domain_v() const {
  return {-height_ / 2.0, height_ / 2.0, false};
}

Vector2 Cylinder::ClosestParameters(const Vector3& p) const {
  const Vector3 p_E = X_AE_.Inverse() * p;
  return {domain_u().Bring(std::atan2(p_E.x(), p_E.z())),
          domain_v().Bring(p_E.y())};
}

}  // namespace limber::dynamics
