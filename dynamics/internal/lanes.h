// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "dynamics/internal/small_algebra.h"

// Work that every body does by itself is done for four bodies at once: a `Lane`
// holds one number of each. Bodies lie in memory one after the other, so that
// four of their numbers at a time go through a 4x4 transposition on the way.
//
// Whatever is done so is the same for every place of a body in its four: the
// answer does not depend on who its neighbours are.

namespace limber::dynamics::internal {

typedef double Lane __attribute__((vector_size(32)));
typedef long long LaneMask __attribute__((vector_size(32)));
inline constexpr std::size_t kLanes = 4;

using VecLanes = VecOf<Lane>;
using SymLanes = SymOf<Lane>;
using MatLanes = MatOf<Lane>;
using QuatLanes = QuatOf<Lane>;

/// To be called where lanes have been read for the last time and numbers go on:
/// the compiler (GCC 12) forgets it in places, and then whatever comes next
/// without lanes, as the mathematical library, is slow.
inline void LeaveLanes() {
#if defined(__AVX__)
  __builtin_ia32_vzeroupper();
#endif
}

inline Lane AllLanes(double a) { return Lane{a, a, a, a}; }
inline VecLanes AllLanes(const Vec& a) {
  return {AllLanes(a.x), AllLanes(a.y), AllLanes(a.z)};
}
inline Lane Larger(const Lane& a, const Lane& b) { return a > b ? a : b; }
inline Lane Smaller(const Lane& a, const Lane& b) { return a < b ? a : b; }
inline Lane SquareRoot(const Lane& a) {
#if defined(__AVX__)
  return __builtin_ia32_sqrtpd256(a);
#else
  return {std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
#endif
}
inline Lane Size(const Lane& a) { return Larger(a, -a); }
inline double Sum(const Lane& a) { return (a[0] + a[2]) + (a[1] + a[3]); }
inline double Largest(const Lane& a) {
  const double b = a[0] > a[2] ? a[0] : a[2];
  const double c = a[1] > a[3] ? a[1] : a[3];
  return b > c ? b : c;
}
inline VecLanes Choose(const LaneMask& which, const VecLanes& a,
                       const VecLanes& b) {
  return {which ? a.x : b.x, which ? a.y : b.y, which ? a.z : b.z};
}
inline bool Any(const LaneMask& a) {
#if defined(__AVX__)
  return __builtin_ia32_movmskpd256(reinterpret_cast<const Lane&>(a)) != 0;
#else
  return ((a[0] | a[1]) | (a[2] | a[3])) != 0;
#endif
}

inline Vec OneOf(const VecLanes& a, std::size_t k) {
  return {a.x[k], a.y[k], a.z[k]};
}
inline Mat OneOf(const MatLanes& a, std::size_t k) {
  Mat o;
  for (int i = 0; i < 9; ++i) o.m[i] = a.m[i][k];
  return o;
}
inline void SetOne(VecLanes& a, std::size_t k, const Vec& b) {
  a.x[k] = b.x;
  a.y[k] = b.y;
  a.z[k] = b.z;
}
inline void SetOne(MatLanes& a, std::size_t k, const Mat& b) {
  for (int i = 0; i < 9; ++i) a.m[i][k] = b.m[i];
}

inline void SetOne(QuatLanes& a, std::size_t k, const Quat& b) {
  a.w[k] = b.w;
  a.x[k] = b.x;
  a.y[k] = b.y;
  a.z[k] = b.z;
}

/// Where the numbers of four bodies begin.
using Places = std::array<double*, kLanes>;
using ConstPlaces = std::array<const double*, kLanes>;
inline ConstPlaces Read(const Places& p) { return {p[0], p[1], p[2], p[3]}; }

/// A lane at a place of doubles, which need not be aligned.
typedef double LaneInMemory
    __attribute__((vector_size(32), aligned(8), may_alias));
inline Lane LoadLane(const double* from) {
  return *reinterpret_cast<const LaneInMemory*>(from);
}
inline void StoreLane(double* to, const Lane& a) {
  *reinterpret_cast<LaneInMemory*>(to) = a;
}

inline void Transpose(Lane& a, Lane& b, Lane& c, Lane& d) {
  const Lane ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Lane ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Lane cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Lane cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

/// Four numbers of four bodies, `first` and the next three of each.
struct FourLanes {
  Lane a, b, c, d;
};
inline FourLanes Gather(const ConstPlaces& from, std::size_t first) {
  FourLanes o{LoadLane(from[0] + first), LoadLane(from[1] + first),
              LoadLane(from[2] + first), LoadLane(from[3] + first)};
  Transpose(o.a, o.b, o.c, o.d);
  return o;
}
inline void Scatter(const Lane& a, const Lane& b, const Lane& c, const Lane& d,
                    const Places& to, std::size_t first) {
  FourLanes o{a, b, c, d};
  Transpose(o.a, o.b, o.c, o.d);
  StoreLane(to[0] + first, o.a);
  StoreLane(to[1] + first, o.b);
  StoreLane(to[2] + first, o.c);
  StoreLane(to[3] + first, o.d);
}
inline void ScatterOne(const Lane& a, const Places& to, std::size_t i) {
  to[0][i] = a[0];
  to[1][i] = a[1];
  to[2][i] = a[2];
  to[3][i] = a[3];
}
inline VecLanes GatherVec(const ConstPlaces& p, std::size_t i) {
  return {Lane{p[0][i], p[1][i], p[2][i], p[3][i]},
          Lane{p[0][i + 1], p[1][i + 1], p[2][i + 1], p[3][i + 1]},
          Lane{p[0][i + 2], p[1][i + 2], p[2][i + 2], p[3][i + 2]}};
}
inline void ScatterVec(const VecLanes& a, const Places& p, std::size_t i) {
  for (std::size_t k = 0; k < kLanes; ++k) {
    p[k][i] = a.x[k];
    p[k][i + 1] = a.y[k];
    p[k][i + 2] = a.z[k];
  }
}

}  // namespace limber::dynamics::internal
