// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/math.h"

// Three-vectors and 3x3 blocks as plain doubles, for the inner loops of the
// tree solver: symmetric blocks keep six numbers, and nothing is hidden from
// the optimiser.
//
// All of them are copied number by number, and the sources that use them are
// compiled without joining neighbours (-fno-tree-slp-vectorize): a pair read at
// once that was written one by one makes the processor wait for some 15 cycles,
// and a copy of a plain struct is such a read.

namespace limber::dynamics::internal {

struct Vec {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;

  Vec() = default;
  Vec(double a, double b, double c) : x(a), y(b), z(c) {}
  Vec(const Vec& o) : x(o.x), y(o.y), z(o.z) {}
  Vec& operator=(const Vec& o) {
    x = o.x;
    y = o.y;
    z = o.z;
    return *this;
  }
};

inline Vec ToVec(const Vector3& a) { return {a.x(), a.y(), a.z()}; }
inline Vector3 ToEigen(const Vec& a) { return {a.x, a.y, a.z}; }
inline Vec operator+(const Vec& a, const Vec& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec operator-(const Vec& a, const Vec& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec operator-(const Vec& a) { return {-a.x, -a.y, -a.z}; }
inline Vec operator*(double s, const Vec& a) {
  return {s * a.x, s * a.y, s * a.z};
}
inline void operator+=(Vec& a, const Vec& b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
}
inline void operator-=(Vec& a, const Vec& b) {
  a.x -= b.x;
  a.y -= b.y;
  a.z -= b.z;
}
inline double Dot(const Vec& a, const Vec& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec Cross(const Vec& a, const Vec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Symmetric: xx xy xz yy yz zz.
struct Sym {
  double xx = 0.0, xy = 0.0, xz = 0.0, yy = 0.0, yz = 0.0, zz = 0.0;

  Sym() = default;
  Sym(double a, double b, double c, double d, double e, double f)
      : xx(a), xy(b), xz(c), yy(d), yz(e), zz(f) {}
  Sym(const Sym& o)
      : xx(o.xx), xy(o.xy), xz(o.xz), yy(o.yy), yz(o.yz), zz(o.zz) {}
  Sym& operator=(const Sym& o) {
    xx = o.xx;
    xy = o.xy;
    xz = o.xz;
    yy = o.yy;
    yz = o.yz;
    zz = o.zz;
    return *this;
  }
};
inline Vec operator*(const Sym& s, const Vec& v) {
  return {s.xx * v.x + s.xy * v.y + s.xz * v.z,
          s.xy * v.x + s.yy * v.y + s.yz * v.z,
          s.xz * v.x + s.yz * v.y + s.zz * v.z};
}
inline void operator+=(Sym& a, const Sym& b) {
  a.xx += b.xx;
  a.xy += b.xy;
  a.xz += b.xz;
  a.yy += b.yy;
  a.yz += b.yz;
  a.zz += b.zz;
}
/// By cofactors: one division. For positive definite blocks.
inline Sym Inverse(const Sym& s) {
  const double a = s.yy * s.zz - s.yz * s.yz;
  const double b = s.xz * s.yz - s.xy * s.zz;
  const double c = s.xy * s.yz - s.xz * s.yy;
  const double i = 1.0 / (s.xx * a + s.xy * b + s.xz * c);
  return {a * i,
          b * i,
          c * i,
          (s.xx * s.zz - s.xz * s.xz) * i,
          (s.xy * s.xz - s.xx * s.yz) * i,
          (s.xx * s.yy - s.xy * s.xy) * i};
}

/// General, rows first.
struct Mat {
  double m[9] = {};

  Mat() = default;
  Mat(double a, double b, double c, double d, double e, double f, double g,
      double h, double i)
      : m{a, b, c, d, e, f, g, h, i} {}
  Mat(const Mat& o)
      : m{o.m[0], o.m[1], o.m[2], o.m[3], o.m[4],
          o.m[5], o.m[6], o.m[7], o.m[8]} {}
  Mat& operator=(const Mat& o) {
    m[0] = o.m[0];
    m[1] = o.m[1];
    m[2] = o.m[2];
    m[3] = o.m[3];
    m[4] = o.m[4];
    m[5] = o.m[5];
    m[6] = o.m[6];
    m[7] = o.m[7];
    m[8] = o.m[8];
    return *this;
  }
};
inline Vec operator*(const Mat& h, const Vec& v) {
  const double* m = h.m;
  return {m[0] * v.x + m[1] * v.y + m[2] * v.z,
          m[3] * v.x + m[4] * v.y + m[5] * v.z,
          m[6] * v.x + m[7] * v.y + m[8] * v.z};
}
inline Vec TransposedTimes(const Mat& h, const Vec& v) {
  const double* m = h.m;
  return {m[0] * v.x + m[3] * v.y + m[6] * v.z,
          m[1] * v.x + m[4] * v.y + m[7] * v.z,
          m[2] * v.x + m[5] * v.y + m[8] * v.z};
}
inline Vec Column(const Mat& h, int i) {
  return {h.m[i], h.m[3 + i], h.m[6 + i]};
}
inline Mat operator*(const Mat& a, const Mat& b) {
  return {a.m[0] * b.m[0] + a.m[1] * b.m[3] + a.m[2] * b.m[6],
          a.m[0] * b.m[1] + a.m[1] * b.m[4] + a.m[2] * b.m[7],
          a.m[0] * b.m[2] + a.m[1] * b.m[5] + a.m[2] * b.m[8],
          a.m[3] * b.m[0] + a.m[4] * b.m[3] + a.m[5] * b.m[6],
          a.m[3] * b.m[1] + a.m[4] * b.m[4] + a.m[5] * b.m[7],
          a.m[3] * b.m[2] + a.m[4] * b.m[5] + a.m[5] * b.m[8],
          a.m[6] * b.m[0] + a.m[7] * b.m[3] + a.m[8] * b.m[6],
          a.m[6] * b.m[1] + a.m[7] * b.m[4] + a.m[8] * b.m[7],
          a.m[6] * b.m[2] + a.m[7] * b.m[5] + a.m[8] * b.m[8]};
}
inline Mat ToMat(const Matrix3& a) {
  return {a(0, 0), a(0, 1), a(0, 2), a(1, 0), a(1, 1),
          a(1, 2), a(2, 0), a(2, 1), a(2, 2)};
}
inline Mat operator*(const Mat& h, const Sym& s) {
  const double* m = h.m;
  return {m[0] * s.xx + m[1] * s.xy + m[2] * s.xz,
          m[0] * s.xy + m[1] * s.yy + m[2] * s.yz,
          m[0] * s.xz + m[1] * s.yz + m[2] * s.zz,
          m[3] * s.xx + m[4] * s.xy + m[5] * s.xz,
          m[3] * s.xy + m[4] * s.yy + m[5] * s.yz,
          m[3] * s.xz + m[4] * s.yz + m[5] * s.zz,
          m[6] * s.xx + m[7] * s.xy + m[8] * s.xz,
          m[6] * s.xy + m[7] * s.yy + m[8] * s.yz,
          m[6] * s.xz + m[7] * s.yz + m[8] * s.zz};
}
/// A - W H^T, known to be symmetric.
inline Sym MinusProduct(const Sym& A, const Mat& W, const Mat& H) {
  const double* w = W.m;
  const double* h = H.m;
  return {A.xx - w[0] * h[0] - w[1] * h[1] - w[2] * h[2],
          A.xy - w[0] * h[3] - w[1] * h[4] - w[2] * h[5],
          A.xz - w[0] * h[6] - w[1] * h[7] - w[2] * h[8],
          A.yy - w[3] * h[3] - w[4] * h[4] - w[5] * h[5],
          A.yz - w[3] * h[6] - w[4] * h[7] - w[5] * h[8],
          A.zz - w[6] * h[6] - w[7] * h[7] - w[8] * h[8]};
}

/// Quaternion (w, x, y, z).
struct Quat {
  double w = 1.0, x = 0.0, y = 0.0, z = 0.0;

  Quat() = default;
  Quat(double a, double b, double c, double d) : w(a), x(b), y(c), z(d) {}
  Quat(const Quat& o) : w(o.w), x(o.x), y(o.y), z(o.z) {}
  Quat& operator=(const Quat& o) {
    w = o.w;
    x = o.x;
    y = o.y;
    z = o.z;
    return *this;
  }
};
inline Quat ToQuat(const Quaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }
inline Quaternion ToEigen(const Quat& q) {
  return Quaternion(q.w, q.x, q.y, q.z);
}
inline Quat operator*(const Quat& a, const Quat& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
          a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quat Conjugate(const Quat& q) { return {q.w, -q.x, -q.y, -q.z}; }
inline Mat ToMat(const Quat& q) {
  const double a = q.x + q.x, b = q.y + q.y, c = q.z + q.z;
  const double xx = q.x * a, yy = q.y * b, zz = q.z * c;
  const double xy = q.x * b, xz = q.x * c, yz = q.y * c;
  const double wx = q.w * a, wy = q.w * b, wz = q.w * c;
  return {1.0 - yy - zz, xy - wz, xz + wy, xy + wz,      1.0 - xx - zz,
          yz - wx,       xz - wy, yz + wx, 1.0 - xx - yy};
}

/// R diag(i) R^T = i0 1 + (i1 - i0) y y^T + (i2 - i0) z z^T
inline Sym AlongAxes(const Mat& R, const Vector3& i) {
  const double b = i.y() - i.x(), c = i.z() - i.x();
  const double* m = R.m;
  return {i.x() + b * m[1] * m[1] + c * m[2] * m[2],
          b * m[1] * m[4] + c * m[2] * m[5],
          b * m[1] * m[7] + c * m[2] * m[8],
          i.x() + b * m[4] * m[4] + c * m[5] * m[5],
          b * m[4] * m[7] + c * m[5] * m[8],
          i.x() + b * m[7] * m[7] + c * m[8] * m[8]};
}

/// Inertia of a body, or of what hangs on it, at a point: with x the velocity
/// of the point and w the spin,
///
///     p = A x + H w ,   L = H^T x + C w
struct BlockInertia {
  Sym A;
  Mat H;
  Sym C;
};
inline void operator+=(BlockInertia& a, const BlockInertia& b) {
  a.A += b.A;
  for (int k = 0; k < 9; ++k) a.H.m[k] += b.H.m[k];
  a.C += b.C;
}
inline Vec Momentum(const BlockInertia& M, const Vec& x, const Vec& w) {
  return M.A * x + M.H * w;
}
inline Vec Spin(const BlockInertia& M, const Vec& x, const Vec& w) {
  return TransposedTimes(M.H, x) + M.C * w;
}
/// A rigid body of mass m and inertia I about its mass centre, which lies at
/// r from the point: A = m, H = -m [r], C = I - m [r][r].
inline BlockInertia RigidInertia(double m, const Sym& I, const Vec& r) {
  const Vec p = m * r;
  const double xx = p.x * r.x, yy = p.y * r.y, zz = p.z * r.z;
  return {{m, 0.0, 0.0, m, 0.0, m},
          {0.0, p.z, -p.y, -p.z, 0.0, p.x, p.y, -p.x, 0.0},
          {I.xx + yy + zz, I.xy - p.x * r.y, I.xz - p.x * r.z, I.yy + xx + zz,
           I.yz - p.y * r.z, I.zz + xx + yy}};
}
/// The same inertia seen from a point that lies -l away:
///     H' = H - A[l] ,   C' = C + [l]H' + ([l]H)^T
inline BlockInertia Shifted(const BlockInertia& M, const Vec& l) {
  BlockInertia o;
  o.A = M.A;
  const Sym& A = M.A;
  const double* h = M.H.m;
  o.H = {h[0] - (A.xy * l.z - A.xz * l.y), h[1] - (A.xz * l.x - A.xx * l.z),
         h[2] - (A.xx * l.y - A.xy * l.x), h[3] - (A.yy * l.z - A.yz * l.y),
         h[4] - (A.yz * l.x - A.xy * l.z), h[5] - (A.xy * l.y - A.yy * l.x),
         h[6] - (A.yz * l.z - A.zz * l.y), h[7] - (A.zz * l.x - A.xz * l.z),
         h[8] - (A.xz * l.y - A.yz * l.x)};
  const double* g = o.H.m;
  // The parts of [l]H' + ([l]H)^T on and above the diagonal.
  o.C = {M.C.xx + (l.y * g[6] - l.z * g[3]) + (l.y * h[6] - l.z * h[3]),
         M.C.xy + (l.y * g[7] - l.z * g[4]) + (l.z * h[0] - l.x * h[6]),
         M.C.xz + (l.y * g[8] - l.z * g[5]) + (l.x * h[3] - l.y * h[0]),
         M.C.yy + (l.z * g[1] - l.x * g[7]) + (l.z * h[1] - l.x * h[7]),
         M.C.yz + (l.z * g[2] - l.x * g[8]) + (l.x * h[4] - l.y * h[1]),
         M.C.zz + (l.x * g[5] - l.y * g[2]) + (l.x * h[5] - l.y * h[2])};
  return o;
}
/// `Shifted` where H = C = 0: all that a free ball joint passes on.
inline BlockInertia ShiftedMass(const Sym& A, const Vec& l) {
  BlockInertia o;
  o.A = A;
  o.H = {A.xz * l.y - A.xy * l.z, A.xx * l.z - A.xz * l.x,
         A.xy * l.x - A.xx * l.y, A.yz * l.y - A.yy * l.z,
         A.xy * l.z - A.yz * l.x, A.yy * l.x - A.xy * l.y,
         A.zz * l.y - A.yz * l.z, A.xz * l.z - A.zz * l.x,
         A.yz * l.x - A.xz * l.y};
  const double* g = o.H.m;
  o.C = {l.y * g[6] - l.z * g[3], l.y * g[7] - l.z * g[4],
         l.y * g[8] - l.z * g[5], l.z * g[1] - l.x * g[7],
         l.z * g[2] - l.x * g[8], l.x * g[5] - l.y * g[2]};
  return o;
}
/// M += s (l, a)(l, a)^T
inline void AddRankOne(BlockInertia& M, const Vec& l, const Vec& a, double s) {
  const Vec p = s * l;
  const Vec q = s * a;
  M.A += Sym{p.x * l.x, p.x * l.y, p.x * l.z, p.y * l.y, p.y * l.z, p.z * l.z};
  M.C += Sym{q.x * a.x, q.x * a.y, q.x * a.z, q.y * a.y, q.y * a.z, q.z * a.z};
  double* h = M.H.m;
  h[0] += p.x * a.x;
  h[1] += p.x * a.y;
  h[2] += p.x * a.z;
  h[3] += p.y * a.x;
  h[4] += p.y * a.y;
  h[5] += p.y * a.z;
  h[6] += p.z * a.x;
  h[7] += p.z * a.y;
  h[8] += p.z * a.z;
}

}  // namespace limber::dynamics::internal
