// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "core/math.h"

// Three-vectors and 3x3 blocks as plain numbers, for the inner loops of the
// tree solver: symmetric blocks keep six numbers, and nothing is hidden from
// the optimiser. A number T is a double, or a `Lane`: one of four bodies each.
//
// All of them are copied number by number, and the sources that use them are
// compiled without joining neighbours (-fno-tree-slp-vectorize): a pair read at
// once that was written one by one makes the processor wait for some 15 cycles,
// and a copy of a plain struct is such a read.

namespace limber::dynamics::internal {

/// Doubles begin as 0, lanes with whatever is there.
template <typename T>
concept BeginsAsZero = std::is_same_v<T, double>;

template <typename T>
struct VecOf {
  T x, y, z;

  VecOf() {}
  VecOf() requires BeginsAsZero<T> : x(0.0), y(0.0), z(0.0) {}
  VecOf(const T& a, const T& b, const T& c) : x(a), y(b), z(c) {}
  VecOf(const VecOf& o) : x(o.x), y(o.y), z(o.z) {}
  VecOf& operator=(const VecOf& o) {
    x = o.x;
    y = o.y;
    z = o.z;
    return *this;
  }
};
using Vec = VecOf<double>;

/// What a number of kind T may be multiplied by.
template <typename S, typename T>
concept FactorOf = std::is_same_v<S, T> || std::is_same_v<S, double>;

inline Vec ToVec(const Vector3& a) { return {a.x(), a.y(), a.z()}; }
inline Vector3 ToEigen(const Vec& a) { return {a.x, a.y, a.z}; }
template <typename T>
inline VecOf<T> operator+(const VecOf<T>& a, const VecOf<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <typename T>
inline VecOf<T> operator-(const VecOf<T>& a, const VecOf<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <typename T>
inline VecOf<T> operator-(const VecOf<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <typename S, typename T>
requires FactorOf<S, T>
inline VecOf<T> operator*(const S& s, const VecOf<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <typename T>
inline void operator+=(VecOf<T>& a, const VecOf<T>& b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
}
template <typename T>
inline void operator-=(VecOf<T>& a, const VecOf<T>& b) {
  a.x -= b.x;
  a.y -= b.y;
  a.z -= b.z;
}
template <typename T>
inline T Dot(const VecOf<T>& a, const VecOf<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <typename T>
inline VecOf<T> Cross(const VecOf<T>& a, const VecOf<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Symmetric: xx xy xz yy yz zz.
template <typename T>
struct SymOf {
  T xx, xy, xz, yy, yz, zz;

  SymOf() {}
  SymOf() requires BeginsAsZero<T>
      : xx(0.0), xy(0.0), xz(0.0), yy(0.0), yz(0.0), zz(0.0) {}
  SymOf(const T& a, const T& b, const T& c, const T& d, const T& e, const T& f)
      : xx(a), xy(b), xz(c), yy(d), yz(e), zz(f) {}
  SymOf(const SymOf& o)
      : xx(o.xx), xy(o.xy), xz(o.xz), yy(o.yy), yz(o.yz), zz(o.zz) {}
  SymOf& operator=(const SymOf& o) {
    xx = o.xx;
    xy = o.xy;
    xz = o.xz;
    yy = o.yy;
    yz = o.yz;
    zz = o.zz;
    return *this;
  }
};
using Sym = SymOf<double>;
template <typename T>
inline VecOf<T> operator*(const SymOf<T>& s, const VecOf<T>& v) {
  return {s.xx * v.x + s.xy * v.y + s.xz * v.z,
          s.xy * v.x + s.yy * v.y + s.yz * v.z,
          s.xz * v.x + s.yz * v.y + s.zz * v.z};
}
template <typename T>
inline void operator+=(SymOf<T>& a, const SymOf<T>& b) {
  a.xx += b.xx;
  a.xy += b.xy;
  a.xz += b.xz;
  a.yy += b.yy;
  a.yz += b.yz;
  a.zz += b.zz;
}
/// By cofactors: one division. For positive definite blocks.
template <typename T>
inline SymOf<T> Inverse(const SymOf<T>& s) {
  const T a = s.yy * s.zz - s.yz * s.yz;
  const T b = s.xz * s.yz - s.xy * s.zz;
  const T c = s.xy * s.yz - s.xz * s.yy;
  const T i = 1.0 / (s.xx * a + s.xy * b + s.xz * c);
  return {a * i,
          b * i,
          c * i,
          (s.xx * s.zz - s.xz * s.xz) * i,
          (s.xy * s.xz - s.xx * s.yz) * i,
          (s.xx * s.yy - s.xy * s.xy) * i};
}

/// General, rows first.
template <typename T>
struct MatOf {
  T m[9];

  MatOf() {}
  MatOf() requires BeginsAsZero<T> : m{} {}
  MatOf(const T& a, const T& b, const T& c, const T& d, const T& e, const T& f,
        const T& g, const T& h, const T& i)
      : m{a, b, c, d, e, f, g, h, i} {}
  MatOf(const MatOf& o)
      : m{o.m[0], o.m[1], o.m[2], o.m[3], o.m[4],
          o.m[5], o.m[6], o.m[7], o.m[8]} {}
  MatOf& operator=(const MatOf& o) {
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
using Mat = MatOf<double>;
template <typename T>
inline VecOf<T> operator*(const MatOf<T>& h, const VecOf<T>& v) {
  const T* m = h.m;
  return {m[0] * v.x + m[1] * v.y + m[2] * v.z,
          m[3] * v.x + m[4] * v.y + m[5] * v.z,
          m[6] * v.x + m[7] * v.y + m[8] * v.z};
}
template <typename T>
inline VecOf<T> TransposedTimes(const MatOf<T>& h, const VecOf<T>& v) {
  const T* m = h.m;
  return {m[0] * v.x + m[3] * v.y + m[6] * v.z,
          m[1] * v.x + m[4] * v.y + m[7] * v.z,
          m[2] * v.x + m[5] * v.y + m[8] * v.z};
}
template <typename T>
inline VecOf<T> Column(const MatOf<T>& h, int i) {
  return {h.m[i], h.m[3 + i], h.m[6 + i]};
}
template <typename T>
inline MatOf<T> operator*(const MatOf<T>& a, const MatOf<T>& b) {
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
template <typename T>
inline MatOf<T> operator*(const MatOf<T>& h, const SymOf<T>& s) {
  const T* m = h.m;
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
template <typename T>
inline SymOf<T> MinusProduct(const SymOf<T>& A, const MatOf<T>& W,
                             const MatOf<T>& H) {
  const T* w = W.m;
  const T* h = H.m;
  return {A.xx - w[0] * h[0] - w[1] * h[1] - w[2] * h[2],
          A.xy - w[0] * h[3] - w[1] * h[4] - w[2] * h[5],
          A.xz - w[0] * h[6] - w[1] * h[7] - w[2] * h[8],
          A.yy - w[3] * h[3] - w[4] * h[4] - w[5] * h[5],
          A.yz - w[3] * h[6] - w[4] * h[7] - w[5] * h[8],
          A.zz - w[6] * h[6] - w[7] * h[7] - w[8] * h[8]};
}

/// Quaternion (w, x, y, z).
template <typename T>
struct QuatOf {
  T w, x, y, z;

  QuatOf() {}
  QuatOf() requires BeginsAsZero<T> : w(1.0), x(0.0), y(0.0), z(0.0) {}
  QuatOf(const T& a, const T& b, const T& c, const T& d)
      : w(a), x(b), y(c), z(d) {}
  QuatOf(const QuatOf& o) : w(o.w), x(o.x), y(o.y), z(o.z) {}
  QuatOf& operator=(const QuatOf& o) {
    w = o.w;
    x = o.x;
    y = o.y;
    z = o.z;
    return *this;
  }
};
using Quat = QuatOf<double>;
inline Quat ToQuat(const Quaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }
inline Quaternion ToEigen(const Quat& q) {
  return Quaternion(q.w, q.x, q.y, q.z);
}
template <typename T>
inline QuatOf<T> operator*(const QuatOf<T>& a, const QuatOf<T>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
          a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <typename T>
inline QuatOf<T> Conjugate(const QuatOf<T>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <typename T>
inline MatOf<T> ToMat(const QuatOf<T>& q) {
  const T a = q.x + q.x, b = q.y + q.y, c = q.z + q.z;
  const T xx = q.x * a, yy = q.y * b, zz = q.z * c;
  const T xy = q.x * b, xz = q.x * c, yz = q.y * c;
  const T wx = q.w * a, wy = q.w * b, wz = q.w * c;
  return {1.0 - yy - zz, xy - wz, xz + wy, xy + wz,      1.0 - xx - zz,
          yz - wx,       xz - wy, yz + wx, 1.0 - xx - yy};
}

/// R diag(i) R^T = i0 1 + (i1 - i0) y y^T + (i2 - i0) z z^T
template <typename T>
inline SymOf<T> AlongAxes(const MatOf<T>& R, const VecOf<T>& i) {
  const T b = i.y - i.x, c = i.z - i.x;
  const T* m = R.m;
  return {i.x + b * m[1] * m[1] + c * m[2] * m[2],
          b * m[1] * m[4] + c * m[2] * m[5],
          b * m[1] * m[7] + c * m[2] * m[8],
          i.x + b * m[4] * m[4] + c * m[5] * m[5],
          b * m[4] * m[7] + c * m[5] * m[8],
          i.x + b * m[7] * m[7] + c * m[8] * m[8]};
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
