// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/nearest_rotation.h"

#include <Eigen/SVD>

namespace limber::mocap::internal {

Matrix3 NearestRotation(const Matrix3& B) {
  const Eigen::JacobiSVD<Matrix3> svd(
      B, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3 U = svd.matrixU();
  if ((U * svd.matrixV().transpose()).determinant() < 0) U.col(2) = -U.col(2);
  return U * svd.matrixV().transpose();
}

}  // namespace limber::mocap::internal
