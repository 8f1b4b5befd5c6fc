// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/mass_properties.h"

#include <cmath>
#include <string>

#include "dynamics/internal/check.h"
#include "dynamics/internal/closed_mesh.h"

namespace limber::dynamics {
namespace {

using internal::CheckFinite;
using internal::CheckPositive;
using internal::ThrowBadValue;
using internal::ToText;

// Round-off allowed in a computed inertia, as a share of its trace: sums over
// a million triangles stay well below it.
constexpr double kInertiaTolerance = 1e-9;

MassProperties Centred(double mass, const Vector3& inertia) {
  MassProperties part;
  part.mass = mass;
  part.I_BC = inertia.asDiagonal();
  return part;
}

// m (|r|^2 1 - r r^T): inertia of a point mass at r.
Matrix3 PointInertia(double mass, const Vector3& r) {
  return mass * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
}

// One Jacobi rotation by the smaller angle that clears I(i, j); R collects the
// rotations. [Golub & Van Loan, Matrix Computations, 8.5]
void ClearOffDiagonal(int i, int j, Matrix3& I, Matrix3& R) {
  if (I(i, j) == 0.0) return;
  const double theta = (I(j, j) - I(i, i)) / (2.0 * I(i, j));
  const double t =
      (theta >= 0.0 ? 1.0 : -1.0) / (std::abs(theta) + std::hypot(theta, 1.0));
  const double c = 1.0 / std::hypot(t, 1.0);
  const double s = t * c;
  Matrix3 G = Matrix3::Identity();
  G(i, i) = c;
  G(i, j) = s;
  G(j, i) = -s;
  G(j, j) = c;
  I = (G.transpose() * I * G).eval();
  I(i, j) = I(j, i) = 0.0;
  R = (R * G).eval();
}

}  // namespace

Material Material::WithDensity(double density) {
  CheckPositive("density", density);
  return {density, true};
}

Material Material::WithMass(double mass) {
  CheckPositive("mass", mass);
  return {mass, false};
}

double Material::MassOf(double size) const {
  return is_density_ ? value_ * size : value_;
}

MassProperties MassOfSphere(double radius, const Material& material) {
  CheckPositive("radius", radius);
  const double m = material.MassOf(4.0 / 3.0 * kPi * std::pow(radius, 3));
  return Centred(m, Vector3::Constant(0.4 * m * radius * radius));
}

MassProperties MassOfBox(const Vector3& size, const Material& material) {
  CheckPositive("size.x", size.x());
  CheckPositive("size.y", size.y());
  CheckPositive("size.z", size.z());
  const double m = material.MassOf(size.prod());
  const Vector3 square = size.cwiseAbs2();
  // I_x = m (y^2 + z^2) / 12 and so on.
  return Centred(m, m / 12.0 * (Vector3::Constant(square.sum()) - square));
}

MassProperties MassOfCylinder(double radius, double height,
                              const Material& material) {
  CheckPositive("radius", radius);
  CheckPositive("height", height);
  const double r2 = radius * radius;
  const double m = material.MassOf(kPi * r2 * height);
  const double across = m * (r2 / 4.0 + height * height / 12.0);
  return Centred(m, {across, m * r2 / 2.0, across});
}

MassProperties MassOfCapsule(double radius, double length,
                             const Material& material) {
  CheckPositive("radius", radius);
  if (length != 0.0) CheckPositive("length", length);
  const double r2 = radius * radius;
  const double cylinder = kPi * r2 * length;
  const double caps = 4.0 / 3.0 * kPi * r2 * radius;
  const double m = material.MassOf(cylinder + caps);
  const double m_cylinder = m * cylinder / (cylinder + caps);
  const double m_caps = m * caps / (cylinder + caps);
  // A half ball has 2/5 m r^2 about its flat face and its centre 3/8 r above
  // it; both caps moved out by l/2:  m_caps (2/5 r^2 + l^2/4 + 3/8 l r).
  const double along = m_cylinder * r2 / 2.0 + 0.4 * m_caps * r2;
  const double across =
      m_cylinder * (r2 / 4.0 + length * length / 12.0) +
      m_caps * (0.4 * r2 + length * length / 4.0 + 0.375 * length * radius);
  return Centred(m, {across, along, across});
}

MassProperties MassOfCone(double radius, double height,
                          const Material& material) {
  CheckPositive("radius", radius);
  CheckPositive("height", height);
  const double r2 = radius * radius;
  const double m = material.MassOf(kPi * r2 * height / 3.0);
  const double across = m * 3.0 / 80.0 * (4.0 * r2 + height * height);
  MassProperties part = Centred(m, {across, 0.3 * m * r2, across});
  part.p_BC = Vector3(0.0, -height / 4.0, 0.0);
  return part;
}

MassProperties MassOfTorus(double ring_radius, double tube_radius,
                           const Material& material) {
  CheckPositive("ring_radius", ring_radius);
  CheckPositive("tube_radius", tube_radius);
  if (tube_radius > ring_radius) {
    ThrowBadValue("tube_radius",
                  "at most the ring_radius " + ToText(ring_radius),
                  tube_radius);
  }
  const double a2 = ring_radius * ring_radius;
  const double c2 = tube_radius * tube_radius;
  const double m = material.MassOf(2.0 * kPi * kPi * ring_radius * c2);
  const double across = m * (a2 / 2.0 + 0.625 * c2);
  return Centred(m, {across, m * (a2 + 0.75 * c2), across});
}

MassProperties MassOfThinRod(double length, const Material& material) {
  CheckPositive("length", length);
  const double m = material.MassOf(length);
  const double across = m * length * length / 12.0;
  return Centred(m, {across, 0.0, across});
}

MassProperties MassOfPoints(std::span<const Vector3> points) {
  const std::vector<double> masses(points.size(), 1.0);
  return MassOfPoints(points, masses);
}

MassProperties MassOfPoints(std::span<const Vector3> points,
                            std::span<const double> masses) {
  if (points.empty()) ThrowBadValue("points", "at least one", "none");
  if (points.size() != masses.size()) {
    ThrowBadValue("masses", std::to_string(points.size()) + " numbers",
                  std::to_string(masses.size()));
  }
  MassProperties cloud{0.0, Vector3::Zero(), Matrix3::Zero()};
  for (std::size_t i = 0; i < points.size(); ++i) {
    CheckFinite("points", points[i]);
    CheckPositive("masses", masses[i]);
    cloud.mass += masses[i];
    cloud.p_BC += masses[i] * points[i];
  }
  cloud.p_BC /= cloud.mass;
  for (std::size_t i = 0; i < points.size(); ++i) {
    cloud.I_BC += PointInertia(masses[i], points[i] - cloud.p_BC);
  }
  return cloud;
}

MassProperties MassOfMesh(std::span<const Vector3> vertices,
                          std::span<const std::array<int, 3>> triangles,
                          const Material& material) {
  if (triangles.empty()) ThrowBadValue("triangles", "at least four", "none");
  internal::CheckClosedMesh(vertices, triangles);
  // Tetrahedra from a point o near the mesh to each triangle (a, b, c), all
  // relative to o, with d = a . (b x c):
  //     volume          d / 6
  //     int x dV        d / 24  (a + b + c)
  //     int x x^T dV    d / 120 (s s^T + a a^T + b b^T + c c^T),  s = a+b+c
  // Those behind o count negative, so any closed shape comes out exact.
  Vector3 o = Vector3::Zero();
  for (const Vector3& vertex : vertices) o += vertex;
  o /= static_cast<double>(vertices.size());
  double volume = 0.0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  for (const std::array<int, 3>& corner : triangles) {
    const Vector3 a = vertices[corner[0]] - o;
    const Vector3 b = vertices[corner[1]] - o;
    const Vector3 c = vertices[corner[2]] - o;
    const Vector3 s = a + b + c;
    const double d = a.dot(b.cross(c));
    volume += d / 6.0;
    first += d / 24.0 * s;
    second += d / 120.0 *
              (s * s.transpose() + a * a.transpose() + b * b.transpose() +
               c * c.transpose());
  }
  if (!(volume > 0.0)) {
    ThrowBadValue("volume of the mesh",
                  "positive (corners anticlockwise seen from outside)", volume);
  }
  const Vector3 centre = first / volume;
  second -= volume * centre * centre.transpose();
  MassProperties part;
  part.mass = material.MassOf(volume);
  part.p_BC = o + centre;
  part.I_BC =
      part.mass / volume * (second.trace() * Matrix3::Identity() - second);
  return part;
}

MassProperties Transformed(const Transform& X_AB, const MassProperties& part) {
  const Matrix3 R_AB = X_AB.R.toRotationMatrix();
  const Matrix3 I = R_AB * part.I_BC * R_AB.transpose();
  // The product is symmetric but for its last bits.
  return {part.mass, X_AB * part.p_BC, 0.5 * (I + I.transpose())};
}

MassProperties Combined(std::span<const MassProperties> parts) {
  if (parts.empty()) ThrowBadValue("parts", "at least one", "none");
  MassProperties whole{0.0, Vector3::Zero(), Matrix3::Zero()};
  for (const MassProperties& part : parts) {
    whole.mass += part.mass;
    whole.p_BC += part.mass * part.p_BC;
  }
  whole.p_BC /= whole.mass;
  for (const MassProperties& part : parts) {
    whole.I_BC += part.I_BC + PointInertia(part.mass, part.p_BC - whole.p_BC);
  }
  return whole;
}

Matrix3 InertiaAboutOrigin(const MassProperties& part) {
  return part.I_BC + PointInertia(part.mass, part.p_BC);
}

PrincipalAxes FindPrincipalAxes(const Matrix3& I_BC) {
  // Jacobi's method turns by small angles only, so nearly diagonal input stays
  // near its axes; it converges quadratically, and six sweeps are twice what
  // any 3x3 matrix needs.
  Matrix3 I = 0.5 * (I_BC + I_BC.transpose());
  Matrix3 R = Matrix3::Identity();
  constexpr int kSweeps = 6;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    ClearOffDiagonal(0, 1, I, R);
    ClearOffDiagonal(0, 2, I, R);
    ClearOffDiagonal(1, 2, I, R);
  }
  // Trace 1 + 2 cos(angle) is largest for the naming nearest to B. Left-handed
  // namings need no check: a reflection's trace is at most 1, and the nearest
  // rotation, never more than 62.8 degrees away, has more than 1.9.
  constexpr int kOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                 {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  double best_trace = -4.0;
  Matrix3 best = R;
  PrincipalAxes axes;
  for (int k = 0; k < 6; ++k) {
    const int* order = kOrders[k];
    for (int signs = 0; signs < 8; ++signs) {
      Matrix3 named;
      for (int i = 0; i < 3; ++i) {
        named.col(i) = (signs >> i & 1 ? -1.0 : 1.0) * R.col(order[i]);
      }
      // A later naming must win clearly: equal ones keep the first.
      if (named.trace() > best_trace + 1e-12) {
        best_trace = named.trace();
        best = named;
        axes.inertia = Vector3(I(order[0], order[0]), I(order[1], order[1]),
                               I(order[2], order[2]));
      }
    }
  }
  axes.R_BP = Quaternion(best).normalized();
  return axes;
}

void CheckMassProperties(const MassProperties& part) {
  CheckPositive("mass", part.mass);
  CheckFinite("p_BC", part.p_BC);
  if (!part.I_BC.allFinite()) {
    ThrowBadValue("I_BC", "finite", "an entry that is not");
  }
  const double slack = kInertiaTolerance * part.I_BC.cwiseAbs().maxCoeff();
  const Matrix3 skew = part.I_BC - part.I_BC.transpose();
  if (skew.cwiseAbs().maxCoeff() > slack) {
    ThrowBadValue("I_BC", "symmetric",
                  "a difference of " + ToText(skew.cwiseAbs().maxCoeff()) +
                      " across the diagonal");
  }
  const Vector3 inertia = FindPrincipalAxes(part.I_BC).inertia;
  if (inertia.minCoeff() < -slack) {
    ThrowBadValue("I_BC", "positive semidefinite",
                  "principal inertias " + ToText(inertia));
  }
  if (2.0 * inertia.maxCoeff() > inertia.sum() + slack) {
    ThrowBadValue("I_BC",
                  "such that no principal inertia exceeds the sum of the "
                  "other two",
                  ToText(inertia));
  }
}

}  // namespace limber::dynamics
