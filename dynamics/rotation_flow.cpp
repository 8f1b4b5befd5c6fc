// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/rotation_flow.h"

#include <cmath>

#include "dynamics/internal/check.h"

namespace limber::dynamics {
namespace {

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
struct SineCosine {
  double s;
  double c;
};

SineCosine SinCos(double x) {
  const double t = x * x;
  if (t < 1e-3) {
    // Series while the next term is below round-off.
    return {
        x * (1.0 + t * (-1.0 / 6.0 + t * (1.0 / 120.0 - t / 5040.0))),
        1.0 + t * (-0.5 + t * (1.0 / 24.0 + t * (-1.0 / 720.0 + t / 40320.0)))};
  }
  return {std::sin(x), std::cos(x)};
}

// The loop by itself, with pointers that the compiler knows to be apart: it
// works on four bodies at a time.
void AdvanceLanes(int n, double h, double* __restrict__ qw,
                  double* __restrict__ qx, double* __restrict__ qy,
                  double* __restrict__ qz, const double* __restrict__ Lx,
                  const double* __restrict__ Ly, const double* __restrict__ Lz,
                  const double* __restrict__ rate_a,
                  const double* __restrict__ rate_b,
                  const double* __restrict__ inverse_c,
                  double* __restrict__ turn) {
  for (int i = 0; i < n; ++i) {
    const double lx = Lx[i], ly = Ly[i], lz = Lz[i];
    const double w = qw[i], x = qx[i], y = qy[i], z = qz[i];
    // L in body axes; then A(h/2), B(h), A(h/2), W(h) as above.
    const double L_a = (1.0 - 2.0 * (y * y + z * z)) * lx +
                       2.0 * (x * y + w * z) * ly + 2.0 * (x * z - w * y) * lz;
    const double L_b = 2.0 * (x * y - w * z) * lx +
                       (1.0 - 2.0 * (x * x + z * z)) * ly +
                       2.0 * (y * z + w * x) * lz;
    const double L_c = 2.0 * (x * z + w * y) * lx + 2.0 * (y * z - w * x) * ly +
                       (1.0 - 2.0 * (x * x + y * y)) * lz;
    const double half = 0.25 * h * rate_a[i];
    const double x1 = half * L_a;
    const double t1 = x1 * x1;
    const double s1 = x1 * SineSeries(t1);
    const double c1 = CosineSeries(t1);
    const double sin_1 = 2.0 * s1 * c1;
    const double cos_1 = 1.0 - 2.0 * s1 * s1;
    const double x2 = 0.5 * h * rate_b[i] * (cos_1 * L_b + sin_1 * L_c);
    const double t2 = x2 * x2;
    const double s2 = x2 * SineSeries(t2);
    const double c2 = CosineSeries(t2);
    const double sin_2 = 2.0 * s2 * c2;
    const double cos_2 = 1.0 - 2.0 * s2 * s2;
    const double x3 =
        half * (cos_2 * L_a - sin_2 * (cos_1 * L_c - sin_1 * L_b));
    const double t3 = x3 * x3;
    const double s3 = x3 * SineSeries(t3);
    const double c3 = CosineSeries(t3);
    const double dw = c2 * (c1 * c3 - s1 * s3);
    const double dx = c2 * (s1 * c3 + c1 * s3);
    const double dy = s2 * (c1 * c3 + s1 * s3);
    const double dz = s2 * (s1 * c3 - c1 * s3);
    const double vw = w * dw - x * dx - y * dy - z * dz;
    const double vx = w * dx + x * dw + y * dz - z * dy;
    const double vy = w * dy - x * dz + y * dw + z * dx;
    const double vz = w * dz + x * dy - y * dx + z * dw;
    const double scale = 0.5 * h * inverse_c[i];
    const double t4 = scale * scale * (lx * lx + ly * ly + lz * lz);
    const double s4 = scale * SineSeries(t4);
    const double c4 = CosineSeries(t4);
    const double ex = s4 * lx, ey = s4 * ly, ez = s4 * lz;
    const double nw = c4 * vw - ex * vx - ey * vy - ez * vz;
    const double nx = c4 * vx + ex * vw + ey * vz - ez * vy;
    const double ny = c4 * vy - ex * vz + ey * vw + ez * vx;
    const double nz = c4 * vz + ex * vy - ey * vx + ez * vw;
    // 1/sqrt(1 + d) = 1 - d/2 + ...: a product of unit quaternions is one
    // up to rounding.
    const double unit = 1.5 - 0.5 * (nw * nw + nx * nx + ny * ny + nz * nz);
    qw[i] = unit * nw;
    qx[i] = unit * nx;
    qy[i] = unit * ny;
    qz[i] = unit * nz;
    const double t12 = t1 > t2 ? t1 : t2;
    const double t34 = t3 > t4 ? t3 : t4;
    turn[i] = t12 > t34 ? t12 : t34;
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
  const Quaternion W = ExpRotation(h * inverse_c_ * L_W);
  if (rate_a_ == 0.0 && rate_b_ == 0.0) return (W * R_WB).normalized();
  const int c_axis = 3 - a_ - b_;
  const Vector3 L_B = R_WB.conjugate() * L_W;
  // D = the turns in body axes, one after the other on the right.
  Quaternion D;
  if (rate_b_ == 0.0) {
    // A symmetric top: the two halves of A join.
    const SineCosine a = SinCos(0.5 * h * rate_a_ * L_B[a_]);
    D.w() = a.c;
    D.vec()[a_] = a.s;
    D.vec()[b_] = D.vec()[c_axis] = 0.0;
  } else {
    // As R turns by +angle, L_B turns by -angle about the same axis. a, b, c
    // are right-handed; x1, x2, x3 hold the sines of the half angles.
    const double half = 0.25 * h * rate_a_;
    const SineCosine x1 = SinCos(half * L_B[a_]);
    const double sin_1 = 2.0 * x1.s * x1.c;
    const double cos_1 = 1.0 - 2.0 * x1.s * x1.s;
    const double L_b = cos_1 * L_B[b_] + sin_1 * L_B[c_axis];
    const double L_c = cos_1 * L_B[c_axis] - sin_1 * L_B[b_];
    const SineCosine x2 = SinCos(0.5 * h * rate_b_ * L_b);
    const double sin_2 = 2.0 * x2.s * x2.c;
    const double cos_2 = 1.0 - 2.0 * x2.s * x2.s;
    const double L_a = cos_2 * L_B[a_] - sin_2 * L_c;
    const SineCosine x3 = SinCos(half * L_a);
    // (c1 + s1 a)(c2 + s2 b)(c3 + s3 a)
    D.w() = x2.c * (x1.c * x3.c - x1.s * x3.s);
    D.vec()[a_] = x2.c * (x1.s * x3.c + x1.c * x3.s);
    D.vec()[b_] = x2.s * (x1.c * x3.c + x1.s * x3.s);
    D.vec()[c_axis] = x2.s * (x1.s * x3.c - x1.c * x3.s);
  }
  return (W * R_WB * D).normalized();
}

void RotationFlow::Advance(const Lanes& lanes, double h) {
  AdvanceLanes(lanes.n, h, lanes.q[0], lanes.q[1], lanes.q[2], lanes.q[3],
               lanes.L[0], lanes.L[1], lanes.L[2], lanes.rate_a, lanes.rate_b,
               lanes.inverse_c, lanes.turn);
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
