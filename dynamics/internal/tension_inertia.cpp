// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tension_inertia.h"

#include "dynamics/internal/leapfrog.h"

namespace limber::dynamics::internal {

namespace {

/// R S R^T.
SymLanes Turned(const MatLanes& R, const SymLanes& S) {
  const MatLanes RS = R * S;
  const Lane* a = RS.m;
  const Lane* r = R.m;
  return {a[0] * r[0] + a[1] * r[1] + a[2] * r[2],
          a[0] * r[3] + a[1] * r[4] + a[2] * r[5],
          a[0] * r[6] + a[1] * r[7] + a[2] * r[8],
          a[3] * r[3] + a[4] * r[4] + a[5] * r[5],
          a[3] * r[6] + a[4] * r[7] + a[5] * r[8],
          a[6] * r[6] + a[7] * r[7] + a[8] * r[8]};
}

MatLanes Transposed(const MatLanes& R) {
  return {R.m[0], R.m[3], R.m[6], R.m[1], R.m[4],
          R.m[7], R.m[2], R.m[5], R.m[8]};
}

/// diag(a) S diag(a).
SymLanes Stretched(const VecLanes& a, const SymLanes& S) {
  return {a.x * a.x * S.xx, a.x * a.y * S.xy, a.x * a.z * S.xz,
          a.y * a.y * S.yy, a.y * a.z * S.yz, a.z * a.z * S.zz};
}

}  // namespace

// With the invariants of B, its eigenvalues are the roots of
//
//     d^3 - c1 d^2 + c2 d - c3 .
//
// Where they have both signs, B or A = -B has exactly one that is positive, x.
// With s the sum of the other two, and adj(A) the array of the cofactors,
//
//     N = (A - d2)(A - d3) = adj(A) + x (A - s) ,   pos(A) = x N / tr N
//
// and pos(B) is pos(A), or B + pos(-B). That x is apart from the others by
// its sign makes this accurate wherever it is not small itself.
SymLanes PositivePart(const SymLanes& B) {
  const Lane zero = AllLanes(0.0);
  SymLanes N = {B.yy * B.zz - B.yz * B.yz, B.xz * B.yz - B.xy * B.zz,
                B.xy * B.yz - B.xz * B.yy, B.xx * B.zz - B.xz * B.xz,
                B.xy * B.xz - B.xx * B.yz, B.xx * B.yy - B.xy * B.xy};
  const Lane c1 = B.xx + B.yy + B.zz;
  const Lane c2 = N.xx + N.yy + N.zz;
  const Lane c3 = B.xx * N.xx + B.xy * N.xy + B.xz * N.xz;
  const LaneMask same_sign = (c2 >= zero) & (c1 * c3 >= zero);
  const LaneMask whole = same_sign & (c1 > zero);
  const Lane sign = c3 < zero ? AllLanes(-1.0) : AllLanes(1.0);

  // Newton's method from above, where the polynomial is convex: it falls to the
  // largest root. The start is that root if the other two are equal.
  const Lane a1 = sign * c1, a3 = sign * c3;
  const Lane m = a1 / 3.0;
  const Lane q = SquareRoot(Larger(m * m - c2 / 3.0, zero));
  const Lane smallest_step = 4e-16 * (Size(m) + 2.0 * q);
  Lane x = m + 2.0 * q;
  LaneMask moves = ~same_sign;
  constexpr int kMostSteps = 60;
  for (int i = 0; i < kMostSteps && Any(moves); ++i) {
    const Lane value = ((x - a1) * x + c2) * x - a3;
    const Lane slope = (3.0 * x - 2.0 * a1) * x + c2;
    const Lane step = value / slope;
    moves &= step > smallest_step;
    x = moves ? x - step : x;
  }
  x = Larger(x, zero);

  const Lane s = a1 - x;
  const Lane xs = sign * x;
  N.xx += xs * (B.xx - sign * s);
  N.xy += xs * B.xy;
  N.xz += xs * B.xz;
  N.yy += xs * (B.yy - sign * s);
  N.yz += xs * B.yz;
  N.zz += xs * (B.zz - sign * s);
  const Lane trace = N.xx + N.yy + N.zz;
  const Lane scale = (~same_sign & (trace > zero)) ? x / trace : zero;
  const Lane share =
      (whole | (~same_sign & (sign < zero))) ? AllLanes(1.0) : zero;
  return {share * B.xx + scale * N.xx, share * B.xy + scale * N.xy,
          share * B.xz + scale * N.xz, share * B.yy + scale * N.yy,
          share * B.yz + scale * N.yz, share * B.zz + scale * N.zz};
}

// With D = I^1/2 in the axes of C and g = h^2 beta,
//
//     I_eff - I = R D pos(g D^-1 pos(K) D^-1 - 1) D R^T .
SymLanes AddedTensionInertia(const VecLanes& inertia, const MatLanes& R_WC,
                             const SymLanes& stiffness, double h) {
  const double g = h * h * kBeta;
  const VecLanes D = {SquareRoot(inertia.x), SquareRoot(inertia.y),
                      SquareRoot(inertia.z)};
  const VecLanes inverse_D = {1.0 / D.x, 1.0 / D.y, 1.0 / D.z};
  const SymLanes Kg = PositivePart(Turned(Transposed(R_WC), stiffness));
  SymLanes S = Stretched(inverse_D, Kg);
  S = {g * S.xx - 1.0, g * S.xy, g * S.xz,
       g * S.yy - 1.0, g * S.yz, g * S.zz - 1.0};
  return Turned(R_WC, Stretched(D, PositivePart(S)));
}

bool TensionInertia(const Vector3& inertia, const Matrix3& R_WC,
                    const Matrix3& stiffness, double h, Matrix3& I_eff) {
  MatLanes R;
  for (int i = 0; i < 9; ++i) R.m[i] = AllLanes(R_WC(i / 3, i % 3));
  const auto all = [&](int i, int j) { return AllLanes(stiffness(i, j)); };
  const SymLanes K = {all(0, 0), all(0, 1), all(0, 2),
                      all(1, 1), all(1, 2), all(2, 2)};
  const SymLanes added = AddedTensionInertia(AllLanes(ToVec(inertia)), R, K, h);
  if (added.xx[0] + added.yy[0] + added.zz[0] <= 0.0) return false;
  I_eff = R_WC * inertia.asDiagonal() * R_WC.transpose();
  I_eff(0, 0) += added.xx[0];
  I_eff(1, 1) += added.yy[0];
  I_eff(2, 2) += added.zz[0];
  I_eff(0, 1) += added.xy[0];
  I_eff(0, 2) += added.xz[0];
  I_eff(1, 2) += added.yz[0];
  I_eff(1, 0) = I_eff(0, 1);
  I_eff(2, 0) = I_eff(0, 2);
  I_eff(2, 1) = I_eff(1, 2);
  return true;
}

}  // namespace limber::dynamics::internal
