// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/solve/block_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "core/math.h"

namespace limber::dynamics::solve {
namespace {

using Edges = std::vector<std::pair<int, int>>;

Edges RandomGraph(int num, int num_edges, std::mt19937& random) {
  std::set<std::pair<int, int>> edges;
  std::uniform_int_distribution<int> pick(0, num - 1);
  for (int k = 0; k < num_edges; ++k) {
    const int a = pick(random);
    const int b = pick(random);
    if (a != b) edges.insert(std::minmax(a, b));
  }
  return {edges.begin(), edges.end()};
}

// What fills in when the unknowns go in this order, by plain elimination.
std::vector<std::vector<int>> FilledColumns(int num, const Edges& edges,
                                            std::span<const int> order) {
  std::vector<std::set<int>> meets(static_cast<std::size_t>(num));
  for (const auto& [a, b] : edges) {
    meets[static_cast<std::size_t>(a)].insert(b);
    meets[static_cast<std::size_t>(b)].insert(a);
  }
  std::vector<std::vector<int>> columns;
  for (const int pivot : order) {
    const std::set<int> own = meets[static_cast<std::size_t>(pivot)];
    columns.emplace_back(own.begin(), own.end());
    for (const int i : own) {
      std::set<int>& other = meets[static_cast<std::size_t>(i)];
      other.erase(pivot);
      for (const int j : own) {
        if (i != j) other.insert(j);
      }
    }
  }
  return columns;
}

TEST(MinimumDegree, ColumnsAreWhatPlainEliminationFillsIn) {
  std::mt19937 random(1);
  MinimumDegree ordering;
  for (int trial = 0; trial < 200; ++trial) {
    const int num = 1 + trial % 40;
    const Edges edges = RandomGraph(num, trial % 90, random);
    ordering.Order(num, edges);
    std::vector<int> all(ordering.order().begin(), ordering.order().end());
    const auto expected = FilledColumns(num, edges, all);
    for (int k = 0; k < num; ++k) {
      std::vector<int> column(ordering.Column(k).begin(),
                              ordering.Column(k).end());
      std::sort(column.begin(), column.end());
      ASSERT_EQ(column, expected[static_cast<std::size_t>(k)]) << trial;
    }
    std::sort(all.begin(), all.end());
    for (int k = 0; k < num; ++k) {
      ASSERT_EQ(all[static_cast<std::size_t>(k)], k);
    }
  }
}

// A chain and a tree fill in nothing, a grid of 20 x 20 less than half of what
// it does row by row.
TEST(MinimumDegree, FillsInLittle) {
  MinimumDegree ordering;
  const auto filled = [&](int num, const Edges& edges) {
    ordering.Order(num, edges);
    int sum = 0;
    for (int k = 0; k < num; ++k) {
      sum += static_cast<int>(ordering.Column(k).size());
    }
    return sum;
  };
  Edges chain, tree, grid;
  for (int i = 1; i < 100; ++i) {
    chain.emplace_back(i - 1, i);
    tree.emplace_back((i - 1) / 2, i);
  }
  EXPECT_EQ(filled(100, chain), 99);
  EXPECT_EQ(filled(100, tree), 99);
  for (int i = 0; i < 400; ++i) {
    if (i % 20 < 19) grid.emplace_back(i, i + 1);
    if (i < 380) grid.emplace_back(i, i + 20);
  }
  EXPECT_LT(filled(400, grid), 400 * 20 / 2);
}

Block ToBlock(const Eigen::Matrix<double, 6, 6>& m) {
  Block block;
  Eigen::Map<Eigen::Matrix<double, 6, 6>>(block.at) = m;
  return block;
}

// Against a dense factorisation; then some blocks change and the others stay.
TEST(BlockCholesky, SolvesAsADenseFactorisationDoes) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  BlockCholesky matrix;
  for (int trial = 0; trial < 100; ++trial) {
    const int num = 1 + trial % 25;
    const Edges edges = RandomGraph(num, trial, random);
    matrix.SetGraph(num, edges);
    MatrixX H = MatrixX::Zero(6 * num, 6 * num);
    const auto change_edge = [&](std::size_t e) {
      Eigen::Matrix<double, 6, 6> m;
      for (double& x : m.reshaped()) x = normal(random);
      const auto [a, b] = edges[e];
      H.block<6, 6>(6 * a, 6 * b) = m;
      H.block<6, 6>(6 * b, 6 * a) = m.transpose();
      matrix.Edge(static_cast<int>(e)) = ToBlock(m);
    };
    for (std::size_t e = 0; e < edges.size(); ++e) change_edge(e);
    for (int i = 0; i < num; ++i) {
      const Eigen::Matrix<double, 6, 6> m =
          30.0 * num * Eigen::Matrix<double, 6, 6>::Identity();
      H.block<6, 6>(6 * i, 6 * i) = m;
      matrix.Diagonal(i) = ToBlock(m);
    }
    for (int round = 0; round < 3; ++round) {
      matrix.Factorise();
      VectorX x = VectorX::NullaryExpr(6 * num, [&] { return normal(random); });
      std::vector<Six> six(static_cast<std::size_t>(num));
      for (int i = 0; i < 6 * num; ++i) {
        six[static_cast<std::size_t>(i / 6)].at[i % 6] = x[i];
      }
      matrix.Solve(six);
      const VectorX expected = H.llt().solve(x);
      for (int i = 0; i < 6 * num; ++i) {
        ASSERT_NEAR(six[static_cast<std::size_t>(i / 6)].at[i % 6], expected[i],
                    1e-12)
            << trial;
      }
      for (std::size_t e = 0; e < edges.size(); e += 4) change_edge(e);
    }
  }
}

}  // namespace
}  // namespace limber::dynamics::solve
