// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace limber::dynamics::solve {

/// In which order to eliminate the unknowns of a sparse symmetric matrix so
/// that little fills in, and what fills in: minimum degree on the quotient
/// graph, with the degrees bounded as in [Amestoy, Davis, Duff 1996]. The same
/// graph gives the same order. Keeps its memory.
class MinimumDegree {
 public:
  /// @param edges  unequal pairs of 0 .. num - 1, none twice in any order.
  void Order(int num, std::span<const std::pair<int, int>> edges);

  /// The unknown that is eliminated as the k-th.
  std::span<const int> order() const { return order_; }
  /// What is left and meets the k-th when it is eliminated: the unknowns whose
  /// rows are filled in its column.
  std::span<const int> Column(int k) const;

 private:
  void Build(int num, std::span<const std::pair<int, int>> edges);
  void Eliminate(int pivot);
  void GatherColumn(int pivot);
  void UpdateNeighbour(int i, int pivot, int size, int left);
  void Link(int i, int degree);
  void Unlink(int i);

  // The lists of an unknown lie in `lists_`, elements first, then unknowns; of
  // an eliminated one (an element) the unknowns of its column.
  struct Node {
    int begin = 0;
    int num_elements = 0;
    int num_variables = 0;
    int degree = 0;
    int next = -1, last = -1;  ///< Among those of the same degree.
    int mark = 0;
    int outside = 0;  ///< Of an element: unknowns not in the present column.
    bool absorbed = false;
  };
  std::vector<Node> nodes_;
  std::vector<int> lists_;
  std::vector<int> heads_;  ///< By degree.
  std::vector<int> order_;
  int mark_ = 0;
  int least_ = 0;
};

}  // namespace limber::dynamics::solve
