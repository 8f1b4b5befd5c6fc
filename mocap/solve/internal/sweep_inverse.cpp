// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/sweep_inverse.h"

namespace limber::mocap::internal {

void InvertBySweeps(MatrixX& A, MatrixX& panel) {
  // With A = [D Pᵀ; P C], a sweep on D gives [−D⁻¹ D⁻¹Pᵀ; P D⁻¹ C − P D⁻¹ Pᵀ];
  // after all sweeps A has become −A⁻¹ [Goodnight 1979]. Only the lower
  // triangle is kept up to date.
  const int n = static_cast<int>(A.rows());
  panel.resize(n, 6);
  for (int k = 0; k < n; k += 3) {
    Matrix3 D = A.block<3, 3>(k, k).selfadjointView<Eigen::Lower>();
    const Matrix3 inverse = D.inverse();
    // P with zeros in the rows of D, and Q = P D⁻¹.
    panel.block(0, 0, k, 3) = A.block(k, 0, 3, k).transpose();
    panel.block<3, 3>(k, 0).setZero();
    panel.block(k + 3, 0, n - k - 3, 3) = A.block(k + 3, k, n - k - 3, 3);
    panel.rightCols<3>().noalias() = panel.leftCols<3>() * inverse;
    const double* __restrict q0 = panel.col(3).data();
    const double* __restrict q1 = panel.col(4).data();
    const double* __restrict q2 = panel.col(5).data();
    for (int j = 0; j < n; ++j) {
      const double p0 = panel(j, 0);
      const double p1 = panel(j, 1);
      const double p2 = panel(j, 2);
      double* __restrict column = A.col(j).data();
      // From a multiple of four, so that whole vectors are used; what lies
      // above the diagonal is not read.
      for (int i = j & ~3; i < n; ++i) {
        column[i] -= q0[i] * p0 + q1[i] * p1 + q2[i] * p2;
      }
    }
    A.block(k, 0, 3, k) = panel.block(0, 3, k, 3).transpose();
    A.block(k + 3, k, n - k - 3, 3) = panel.block(k + 3, 3, n - k - 3, 3);
    A.block<3, 3>(k, k) = -inverse;
  }
  A = -A;
  A.triangularView<Eigen::StrictlyUpper>() = A.transpose();
}

}  // namespace limber::mocap::internal
