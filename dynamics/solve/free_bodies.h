// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "dynamics/internal/small_algebra.h"
#include "dynamics/solve/linear_solver.h"

namespace limber::dynamics::solve {

/// H of bodies that no joint holds: a block a body, and one for every pair that
/// rows join.
class FreeBodies : public LinearSolver {
 public:
  void Start(const Problem& problem) override;
  void Factorise(const Problem& problem, std::span<const PointStiffness> points,
                 std::span<const RowStiffness> rows) override;
  void Solve(std::span<Six> x) override { matrix_.Solve(x); }

 private:
  struct Sum {
    internal::BlockInertia own;
    bool changed = true;
  };
  int EdgeOf(int a, int b) const;
  void MarkChanged(const Problem& problem,
                   std::span<const PointStiffness> points,
                   std::span<const RowStiffness> rows);
  void AddPoint(const ContactPoint& contact, int edge, const Sym& K);
  void AddRow(const BoundedRow& row, int edge, double d);
  void WriteBody(const ProblemBody& body, int i);
  void Project(const Problem& problem, int edge);

  BlockCholesky matrix_;
  std::vector<std::pair<int, int>> edges_;  ///< Ascending.
  std::vector<int> edge_of_contact_;        ///< -1: one body.
  std::vector<int> edge_of_row_;
  std::vector<char> edge_changed_;
  std::vector<Block*> edge_blocks_;
  std::vector<Sum> sums_;  ///< By body.
  bool started_ = false;
};

}  // namespace limber::dynamics::solve
