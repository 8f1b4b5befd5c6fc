// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/banded_system.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <stdexcept>
#include <utility>

#include "core/checkpoint.h"

namespace limber::mocap {

BandedSystem::BandedSystem(std::size_t size, std::size_t half_width)
    : size_(size),
      half_width_(half_width),
      a_(size * (half_width + 1), 0.0),
      b_(size, 0.0),
      is_fixed_(size, 0),
      fixed_(size, 0.0) {}

void BandedSystem::Add(std::size_t i, std::size_t j, double value) {
  if (i < j) std::swap(i, j);
  assert(i < size_ && i - j <= half_width_);
  Entry(i, i - j) += value;
}

void BandedSystem::Fix(std::size_t i, double value) {
  is_fixed_[i] = 1;
  fixed_[i] = value;
}

void BandedSystem::AddThirdDifferences(std::size_t begin, std::size_t stride,
                                       std::size_t count, double weight) {
  constexpr std::array<double, 4> kStencil = {-1.0, 3.0, -3.0, 1.0};
  for (std::size_t t = 0; t + 4 <= count; ++t) {
    for (std::size_t p = 0; p < 4; ++p) {
      for (std::size_t q = 0; q <= p; ++q) {
        Add(begin + (t + p) * stride, begin + (t + q) * stride,
            weight * kStencil[p] * kStencil[q]);
      }
    }
  }
}

void BandedSystem::EliminateFixed() {
  for (std::size_t i = 0; i < size_; ++i) {
    const std::size_t reach = std::min(i, half_width_);
    for (std::size_t back = 1; back <= reach; ++back) {
      const std::size_t j = i - back;
      double& entry = Entry(i, back);
      if (is_fixed_[i]) {
        b_[j] -= entry * fixed_[i];
      } else if (is_fixed_[j]) {
        b_[i] -= entry * fixed_[j];
      } else {
        continue;
      }
      entry = 0.0;
    }
  }
  for (std::size_t i = 0; i < size_; ++i) {
    if (!is_fixed_[i]) continue;
    Entry(i, 0) = 1.0;
    b_[i] = fixed_[i];
  }
}

std::vector<double> BandedSystem::Solve() {
  Checkpoint();
  EliminateFixed();
  // A = L D Lᵀ in place: L_ij = (A_ij - sum_k L_ik D_k L_jk) / D_j.
  for (std::size_t i = 0; i < size_; ++i) {
    const std::size_t first = i - std::min(i, half_width_);
    for (std::size_t j = first; j < i; ++j) {
      double sum = Entry(i, i - j);
      const std::size_t from = std::max(first, j - std::min(j, half_width_));
      for (std::size_t k = from; k < j; ++k) {
        sum -= Entry(i, i - k) * Entry(j, j - k);  // L_ik D_k so far, and L_jk.
      }
      Entry(i, i - j) = sum;  // L_ij D_j
    }
    double diagonal = Entry(i, 0);
    for (std::size_t j = first; j < i; ++j) {
      const double scaled = Entry(i, i - j);
      const double l = scaled / Entry(j, 0);
      diagonal -= scaled * l;
      Entry(i, i - j) = l;
    }
    if (!(diagonal > 0.0)) {
      throw std::runtime_error("banded system is not positive definite");
    }
    Entry(i, 0) = diagonal;
  }
  std::vector<double> x = std::move(b_);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = i - std::min(i, half_width_); j < i; ++j) {
      x[i] -= Entry(i, i - j) * x[j];
    }
  }
  for (std::size_t i = 0; i < size_; ++i) x[i] /= Entry(i, 0);
  for (std::size_t i = size_; i-- > 0;) {
    for (std::size_t j = i - std::min(i, half_width_); j < i; ++j) {
      x[j] -= Entry(i, i - j) * x[i];
    }
  }
  return x;
}

}  // namespace limber::mocap
