// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "dynamics/solve/linear_solver.h"
#include "dynamics/solve/newton.h"

namespace limber::dynamics::solve {

/// A `Problem` of bodies that no joint holds, as a system of rows.
class BodySystem final : public System {
 public:
  /// Velocities and impulses of the problem are the answer afterwards.
  Report Solve(Problem& problem, LinearSolver& linear);

  std::span<ContactPoint> contacts() override { return problem_->contacts; }
  std::span<Point> points() override { return points_; }
  double tolerance() const override { return problem_->tolerance; }
  bool Direction() override;
  bool RowsFit() override;
  void TakeNextRowStates(bool whole_steps) override;
  bool RowsAgree() const override;
  void SetBounds() override;
  void StartSearch() override;
  Slope SlopeAt(double share) const override;
  void Advance(double share) override;

 private:
  /// What the stiffness of a point depends on.
  struct State {
    Grip grip = Grip::kOpen;
    double along_1 = 0.0, along_2 = 0.0, across = -1.0;
    bool operator==(const State&) const = default;
  };
  struct Line {
    double z = 0.0, g = 0.0, lambda = 0.0, linear = 0.0;
  };

  void Rates();
  void TakeFirstStates();
  void SetStiffness();
  void Load();
  void Finish(bool solved);

  Problem* problem_ = nullptr;
  LinearSolver* linear_ = nullptr;
  std::vector<Point> points_;
  std::vector<State> states_;
  std::vector<Line> lines_;
  std::vector<PointStiffness> point_stiffness_;
  std::vector<RowStiffness> row_stiffness_;
  std::vector<Six> step_;  ///< p, and before that the right side.
  Slope quadratic_;        ///< Of the bodies at the base of a search.
};

}  // namespace limber::dynamics::solve
