// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/math.h"

namespace limber::mocap {

/// A symmetric positive definite system A x = b whose matrix is zero farther
/// than `half_width` from its diagonal: time and memory grow linearly with its
/// size. Unknowns may be fixed; the others are solved for with these in place.
class BandedSystem {
 public:
  BandedSystem(std::size_t size, std::size_t half_width);

  std::size_t size() const { return size_; }

  /// A_ij += value, and A_ji with it. |i - j| must not exceed the half width.
  void Add(std::size_t i, std::size_t j, double value);
  /// b_i += value.
  void AddRight(std::size_t i, double value) { b_[i] += value; }
  /// Demands x_i = value exactly.
  void Fix(std::size_t i, double value);

  /// Adds weight * |third difference of x|^2 / 2 over unknowns begin, begin +
  /// stride, ... `count` of them. Fewer than four add nothing.
  void AddThirdDifferences(std::size_t begin, std::size_t stride,
                           std::size_t count, double weight);

  /// Solves by LDLᵀ; the system is used up.
  /// @throws std::runtime_error if the matrix is not positive definite.
  std::vector<double> Solve();

 private:
  double& Entry(std::size_t i, std::size_t back) {
    return a_[i * (half_width_ + 1) + back];
  }
  void EliminateFixed();

  std::size_t size_;
  std::size_t half_width_;
  std::vector<double> a_;  ///< Row i: A_ii, A_i,i-1, ..., A_i,i-half_width.
  std::vector<double> b_;
  std::vector<char> is_fixed_;
  std::vector<double> fixed_;
};

}  // namespace limber::mocap
