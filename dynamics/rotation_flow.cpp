// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/rotation_flow.h"

#include <cmath>

#include "dynamics/internal/check.h"
#include "dynamics/internal/small_algebra.h"

namespace limber::dynamics {
namespace {

// Component i of q^-1 L: column i of the rotation matrix times L.
double BodyComponent(const internal::Quat& q, const Vector3& L, int i) {
  const double w = q.w, x = q.x, y = q.y, z = q.z;
  switch (i) {
    case 0:
      return (1.0 - 2.0 * (y * y + z * z)) * L.x() +
             2.0 * (x * y + w * z) * L.y() + 2.0 * (x * z - w * y) * L.z();
    case 1:
      return 2.0 * (x * y - w * z) * L.x() +
             (1.0 - 2.0 * (x * x + z * z)) * L.y() +
             2.0 * (y * z + w * x) * L.z();
    default:
      return 2.0 * (x * z + w * y) * L.x() + 2.0 * (y * z - w * x) * L.y() +
             (1.0 - 2.0 * (x * x + y * y)) * L.z();
  }
}

// sin(x)/x and cos(x) for t = x^2 up to kLargestLaneTurn: the next term of the
// series is below round-off.
inline double SineSeries(double t) {
  return 1.0 + t * (-1.0 / 6.0 +
                    t * (1.0 / 120.0 +
                         t * (-1.0 / 5040.0 +
                              t * (1.0 / 362880.0 - t * (1.0 / 39916800.0)))));
}
inline double CosineSeries(double t) {
  return 1.0 +
         t * (-0.5 +
              t * (1.0 / 24.0 +
                   t * (-1.0 / 720.0 +
                        t * (1.0 / 40320.0 + t * (-1.0 / 3628800.0 +
                                                  t * (1.0 / 479001600.0))))));
}
// Component y of q^-1 L.
inline double AlongY(double w, double x, double y, double z, double lx,
                     double ly, double lz) {
  return 2.0 * (x * y - w * z) * lx + (1.0 - 2.0 * (x * x + z * z)) * ly +
         2.0 * (y * z + w * x) * lz;
}
struct SineCosine {
  double sine_over_x;
  double cosine;
};
SineCosine SineCosineOfSquare(double t) {
  if (t < RotationFlow::kLargestLaneTurn) {
    return {SineSeries(t), CosineSeries(t)};
  }
  const double x = std::sqrt(t);
  return {std::sin(x) / x, std::cos(x)};
}

// q exp(angle e_i).
internal::Quat TurnAboutBodyAxis(const internal::Quat& q, int i, double angle) {
  const double half = 0.5 * angle;
  const SineCosine f = SineCosineOfSquare(half * half);
  const double s = half * f.sine_over_x;
  const double c = f.cosine;
  switch (i) {
    case 0:
      return {q.w * c - q.x * s, q.x * c + q.w * s, q.y * c + q.z * s,
              q.z * c - q.y * s};
    case 1:
      return {q.w * c - q.y * s, q.x * c - q.z * s, q.y * c + q.w * s,
              q.z * c + q.x * s};
    default:
      return {q.w * c - q.z * s, q.x * c + q.y * s, q.y * c - q.x * s,
              q.z * c + q.w * s};
  }
}

}  // namespace

RotationFlow::RotationFlow(const Vector3& inertia) : inertia_(inertia) {
  // Round-off of inertias that come from sums over many parts.
  constexpr double kTolerance = 1e-9;
  if (!inertia.allFinite() || inertia.minCoeff() < 0.0) {
    internal::ThrowBadValue("inertia", "finite and not negative",
                            internal::ToText(inertia));
  }
  const double sum = inertia.sum();
  if (2.0 * inertia.maxCoeff() > sum * (1.0 + kTolerance)) {
    internal::ThrowBadValue("inertia",
                            "such that none exceeds the sum of the others",
                            internal::ToText(inertia));
  }
  for (int i = 0; i < 3; ++i) {
    inverse_inertia_[i] = inertia[i] > 0.0 ? 1.0 / inertia[i] : 0.0;
  }
  // The axis of least asymmetry; of equal ones the first.
  double least = -1.0;
  for (int a = 0; a < 3; ++a) {
    const double difference =
        std::abs(inverse_inertia_[(a + 1) % 3] - inverse_inertia_[(a + 2) % 3]);
    if (least < 0.0 || difference < least) {
      least = difference;
      a_ = a;
    }
  }
  b_ = (a_ + 1) % 3;
  inverse_c_ = inverse_inertia_[(a_ + 2) % 3];
  rate_a_ = inverse_inertia_[a_] - inverse_c_;
  rate_b_ = inverse_inertia_[b_] - inverse_c_;
}

Quaternion RotationFlow::Advance(const Quaternion& R_WB, const Vector3& L_W,
                                 double h) const {
  internal::Quat q = internal::ToQuat(R_WB);
  // K(h/2)
  const double kick = 0.5 * h * rate_b_;
  if (kick != 0.0) {
    q = TurnAboutBodyAxis(q, b_, kick * BodyComponent(q, L_W, b_));
  }
  // T(h)
  if (rate_a_ != 0.0) {
    q = TurnAboutBodyAxis(q, a_, h * rate_a_ * BodyComponent(q, L_W, a_));
  }
  const Vector3 half = (0.5 * h * inverse_c_) * L_W;
  const SineCosine f = SineCosineOfSquare(half.squaredNorm());
  q = internal::Quat{f.cosine, f.sine_over_x * half.x(),
                     f.sine_over_x * half.y(), f.sine_over_x * half.z()} *
      q;
  // K(h/2)
  if (kick != 0.0) {
    q = TurnAboutBodyAxis(q, b_, kick * BodyComponent(q, L_W, b_));
  }
  const double scale =
      1.0 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return Quaternion(scale * q.w, scale * q.x, scale * q.y, scale * q.z);
}

void RotationFlow::Advance(const Lanes& lanes, double h) {
  double* __restrict__ qw = lanes.q[0];
  double* __restrict__ qx = lanes.q[1];
  double* __restrict__ qy = lanes.q[2];
  double* __restrict__ qz = lanes.q[3];
  double* __restrict__ turn = lanes.turn;
  const double* __restrict__ Lx = lanes.L[0];
  const double* __restrict__ Ly = lanes.L[1];
  const double* __restrict__ Lz = lanes.L[2];
  const double* __restrict__ rate_a = lanes.rate_a;
  const double* __restrict__ rate_b = lanes.rate_b;
  const double* __restrict__ inverse_c = lanes.inverse_c;
  for (int i = 0; i < lanes.n; ++i) {
    const double lx = Lx[i], ly = Ly[i], lz = Lz[i];
    const double kick = 0.25 * h * rate_b[i];  // of the half angle
    double w = qw[i], x = qx[i], y = qy[i], z = qz[i];
    // K(h/2) about b = y
    double angle = kick * AlongY(w, x, y, z, lx, ly, lz);
    double t = angle * angle;
    double largest = t;
    double s = angle * SineSeries(t);
    double c = CosineSeries(t);
    double w1 = w * c - y * s, x1 = x * c - z * s;
    double y1 = y * c + w * s, z1 = z * c + x * s;
    // T(h): about a = x, then about L
    const double L_a = (1.0 - 2.0 * (y1 * y1 + z1 * z1)) * lx +
                       2.0 * (x1 * y1 + w1 * z1) * ly +
                       2.0 * (x1 * z1 - w1 * y1) * lz;
    angle = 0.5 * h * rate_a[i] * L_a;
    t = angle * angle;
    largest = largest > t ? largest : t;
    s = angle * SineSeries(t);
    c = CosineSeries(t);
    w = w1 * c - x1 * s;
    x = x1 * c + w1 * s;
    y = y1 * c + z1 * s;
    z = z1 * c - y1 * s;
    const double scale = 0.5 * h * inverse_c[i];
    t = scale * scale * (lx * lx + ly * ly + lz * lz);
    largest = largest > t ? largest : t;
    s = scale * SineSeries(t);
    c = CosineSeries(t);
    const double ex = s * lx, ey = s * ly, ez = s * lz;
    w1 = c * w - ex * x - ey * y - ez * z;
    x1 = c * x + ex * w + ey * z - ez * y;
    y1 = c * y - ex * z + ey * w + ez * x;
    z1 = c * z + ex * y - ey * x + ez * w;
    // K(h/2)
    angle = kick * AlongY(w1, x1, y1, z1, lx, ly, lz);
    t = angle * angle;
    largest = largest > t ? largest : t;
    s = angle * SineSeries(t);
    c = CosineSeries(t);
    w = w1 * c - y1 * s;
    x = x1 * c - z1 * s;
    y = y1 * c + w1 * s;
    z = z1 * c + x1 * s;
    const double unit = 1.0 / std::sqrt(w * w + x * x + y * y + z * z);
    qw[i] = unit * w;
    qx[i] = unit * x;
    qy[i] = unit * y;
    qz[i] = unit * z;
    turn[i] = largest;
  }
}

Vector3 RotationFlow::AngularVelocity(const Quaternion& R_WB,
                                      const Vector3& L_W) const {
  return R_WB * inverse_inertia_.cwiseProduct(R_WB.conjugate() * L_W);
}

Vector3 RotationFlow::AngularMomentum(const Quaternion& R_WB,
                                      const Vector3& w_W) const {
  return R_WB * inertia_.cwiseProduct(R_WB.conjugate() * w_W);
}

Vector3 RotationFlow::Admissible(const Quaternion& R_WB,
                                 const Vector3& L_W) const {
  if (!is_one_dimensional()) return L_W;
  Vector3 L_B = R_WB.conjugate() * L_W;
  for (int i = 0; i < 3; ++i) {
    if (inertia_[i] == 0.0) L_B[i] = 0.0;
  }
  return R_WB * L_B;
}

double RotationFlow::KineticEnergy(const Quaternion& R_WB,
                                   const Vector3& L_W) const {
  const Vector3 L_B = R_WB.conjugate() * L_W;
  return 0.5 * L_B.dot(inverse_inertia_.cwiseProduct(L_B));
}

bool RotationFlow::is_one_dimensional() const {
  return inertia_.minCoeff() == 0.0;
}

}  // namespace limber::dynamics
