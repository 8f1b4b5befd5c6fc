// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "dynamics/solve/minimum_degree.h"

namespace limber::dynamics::solve {

/// Six numbers of a body, and a 6 x 6 block of two, columns first.
struct Six {
  double at[6] = {};
};
struct alignas(32) Block {
  double at[36] = {};
};

/// H = L L^T of a symmetric positive definite matrix of 6 x 6 blocks, one row
/// of blocks a body. The order of elimination and the blocks that fill in are
/// found once per graph; blocks that changed since the last factorisation cost
/// the columns that depend on them and no others, and blocks that are zero, as
/// those of contacts that are open, cost nothing.
class BlockCholesky {
 public:
  /// @param edges  pairs a < b of bodies that share a block, ascending, none
  ///               twice. Forgets the values if the graph is another.
  void SetGraph(int num, std::span<const std::pair<int, int>> edges);

  /// The block of body i with itself, to be written. Both halves count.
  Block& Diagonal(int i);
  /// The block of edge e: rows of its first body, columns of its second.
  Block& Edge(int e);

  /// @pre every block was written since `SetGraph`, those that `Diagonal` or
  ///      `Edge` named since the last call anew.
  void Factorise();
  /// x = H^-1 x, one entry a body.
  void Solve(std::span<Six> x);

  int num_columns() const { return static_cast<int>(columns_.size()); }
  /// Blocks of L below the diagonal.
  int num_filled() const { return static_cast<int>(rows_.size()); }

 private:
  struct Column {
    int body = 0;
    int begin = 0, end = 0;            ///< In `rows_` and `factor_`.
    int begin_left = 0, end_left = 0;  ///< In `lefts_`.
    int begin_edge = 0, end_edge = 0;  ///< In `edges_of_columns_`.
    bool dirty = true;
  };
  /// A block of the column's own row, in an earlier column.
  struct Left {
    int column = 0;
    int place = 0;
  };
  /// An edge whose block is in this column.
  struct ColumnEdge {
    int edge = 0;
    int place = 0;
    bool turned = false;  ///< The block is to be transposed.
  };

  void Analyse();
  void PlaceEdges();
  void FactoriseColumn(int j);

  std::vector<std::pair<int, int>> edges_;
  MinimumDegree ordering_;
  std::vector<int> place_of_body_;
  std::vector<Column> columns_;
  std::vector<int> rows_;  ///< Of the blocks below the diagonal, as columns.
  std::vector<Left> lefts_;
  std::vector<ColumnEdge> edges_of_columns_;
  std::vector<int> column_of_edge_;
  std::vector<int> place_of_row_;  ///< While a column is worked on.

  std::vector<Block> diagonal_;          ///< By column.
  std::vector<Block> edge_blocks_;       ///< By edge.
  std::vector<Block> factor_;            ///< By place.
  std::vector<char> filled_;             ///< By place: not all zero.
  std::vector<Block> inverse_diagonal_;  ///< Of L, by column.
  std::vector<Six> work_;
};

}  // namespace limber::dynamics::solve
