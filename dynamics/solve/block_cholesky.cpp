// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/solve/block_cholesky.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/index.h"

namespace limber::dynamics::solve {

namespace {

// A column of six numbers is one register of four and one of two.
typedef double Four __attribute__((vector_size(32)));
typedef double Two __attribute__((vector_size(16)));

inline Four LoadFour(const double* a) {
  Four r;
  std::memcpy(&r, a, sizeof r);
  return r;
}
inline Two LoadTwo(const double* a) {
  Two r;
  std::memcpy(&r, a, sizeof r);
  return r;
}
inline void Store(double* a, const Four& r) { std::memcpy(a, &r, sizeof r); }
inline void Store(double* a, const Two& r) { std::memcpy(a, &r, sizeof r); }

// C -= A B^T
inline void SubtractProduct(Block& C, const Block& A, const Block& B) {
  Four top[6];
  Two low[6];
  for (int c = 0; c < 6; ++c) {
    top[c] = LoadFour(C.at + 6 * c);
    low[c] = LoadTwo(C.at + 6 * c + 4);
  }
  for (int k = 0; k < 6; ++k) {
    const Four a = LoadFour(A.at + 6 * k);
    const Two b = LoadTwo(A.at + 6 * k + 4);
    const double* row = B.at + 6 * k;
    for (int c = 0; c < 6; ++c) {
      top[c] -= a * row[c];
      low[c] -= b * row[c];
    }
  }
  for (int c = 0; c < 6; ++c) {
    Store(C.at + 6 * c, top[c]);
    Store(C.at + 6 * c + 4, low[c]);
  }
}

// C = A B^T, B lower triangular.
inline void SetProduct(Block& C, const Block& A, const Block& B) {
  Four top[6] = {};
  Two low[6] = {};
  for (int k = 0; k < 6; ++k) {
    const Four a = LoadFour(A.at + 6 * k);
    const Two b = LoadTwo(A.at + 6 * k + 4);
    const double* row = B.at + 6 * k;
    for (int c = k; c < 6; ++c) {
      top[c] += a * row[c];
      low[c] += b * row[c];
    }
  }
  for (int c = 0; c < 6; ++c) {
    Store(C.at + 6 * c, top[c]);
    Store(C.at + 6 * c + 4, low[c]);
  }
}

// y -= A x
inline void SubtractTimes(Six& y, const Block& A, const Six& x) {
  Four top = LoadFour(y.at);
  Two low = LoadTwo(y.at + 4);
  for (int k = 0; k < 6; ++k) {
    top -= LoadFour(A.at + 6 * k) * x.at[k];
    low -= LoadTwo(A.at + 6 * k + 4) * x.at[k];
  }
  Store(y.at, top);
  Store(y.at + 4, low);
}

// y -= A^T x
inline void SubtractTransposedTimes(Six& y, const Block& A, const Six& x) {
  for (int c = 0; c < 6; ++c) {
    const double* a = A.at + 6 * c;
    y.at[c] -= (a[0] * x.at[0] + a[1] * x.at[1]) +
               (a[2] * x.at[2] + a[3] * x.at[3]) +
               (a[4] * x.at[4] + a[5] * x.at[5]);
  }
}

// The inverse of L, A = L L^T, lower triangular with zeros above.
void InvertFactor(const Block& A, Block& inverse) {
  double L[6][6];  // Its diagonal is inverted.
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = A.at[6 * j + i];
      for (int k = 0; k < j; ++k) sum -= L[i][k] * L[j][k];
      L[i][j] = i == j ? 1.0 / std::sqrt(sum) : sum * L[j][j];
    }
  }
  for (int j = 0; j < 6; ++j) {
    double* column = inverse.at + 6 * j;
    for (int i = 0; i < j; ++i) column[i] = 0.0;
    column[j] = L[j][j];
    for (int i = j + 1; i < 6; ++i) {
      double sum = 0.0;
      for (int k = j; k < i; ++k) sum -= L[i][k] * column[k];
      column[i] = sum * L[i][i];
    }
  }
}

// x = inverse x, lower triangular.
inline void TimesLower(const Block& inverse, Six& x) {
  Six y;
  for (int k = 0; k < 6; ++k) {
    for (int i = k; i < 6; ++i) y.at[i] += inverse.at[6 * k + i] * x.at[k];
  }
  x = y;
}

// x = inverse^T x
inline void TimesUpper(const Block& inverse, Six& x) {
  for (int k = 0; k < 6; ++k) {
    double sum = 0.0;
    for (int i = k; i < 6; ++i) sum += inverse.at[6 * k + i] * x.at[i];
    x.at[k] = sum;
  }
}

bool IsZero(const Block& block) {
  for (const double x : block.at) {
    if (x != 0.0) return false;
  }
  return true;
}

}  // namespace

void BlockCholesky::SetGraph(int num,
                             std::span<const std::pair<int, int>> edges) {
  for (Column& column : columns_) column.dirty = true;
  if (num == num_columns() &&
      std::equal(edges.begin(), edges.end(), edges_.begin(), edges_.end())) {
    return;
  }
  edges_.assign(edges.begin(), edges.end());
  ordering_.Order(num, edges);
  columns_.resize(Index(num));
  Analyse();
}

// Columns in the order of elimination, their rows ascending, and for every
// column where the blocks of its own row are.
void BlockCholesky::Analyse() {
  const int num = num_columns();
  place_of_body_.resize(Index(num));
  place_of_row_.assign(Index(num), 0);
  for (int k = 0; k < num; ++k) {
    place_of_body_[Index(ordering_.order()[Index(k)])] = k;
  }
  rows_.clear();
  for (int k = 0; k < num; ++k) {
    Column& column = columns_[Index(k)];
    column = Column{};
    column.body = ordering_.order()[Index(k)];
    column.begin = static_cast<int>(rows_.size());
    for (const int body : ordering_.Column(k)) {
      const int row = place_of_body_[Index(body)];
      rows_.push_back(row);
      ++place_of_row_[Index(row)];
    }
    column.end = static_cast<int>(rows_.size());
    std::sort(rows_.begin() + column.begin, rows_.end());
  }
  int begin = 0;
  for (int k = 0; k < num; ++k) {
    Column& column = columns_[Index(k)];
    column.begin_left = column.end_left = begin;
    begin += place_of_row_[Index(k)];
  }
  lefts_.resize(Index(begin));
  for (int k = 0; k < num; ++k) {
    const Column& column = columns_[Index(k)];
    for (int place = column.begin; place < column.end; ++place) {
      Column& of_row = columns_[Index(rows_[Index(place)])];
      lefts_[Index(of_row.end_left++)] = {k, place};
    }
  }
  diagonal_.resize(Index(num));
  inverse_diagonal_.resize(Index(num));
  factor_.resize(rows_.size());
  filled_.resize(rows_.size());
  work_.resize(Index(num));
  PlaceEdges();
}

void BlockCholesky::PlaceEdges() {
  edge_blocks_.resize(edges_.size());
  column_of_edge_.resize(edges_.size());
  edges_of_columns_.resize(edges_.size());
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const int a = place_of_body_[Index(edges_[e].first)];
    const int b = place_of_body_[Index(edges_[e].second)];
    column_of_edge_[e] = std::min(a, b);
    ++columns_[Index(std::min(a, b))].end_edge;
  }
  int begin = 0;
  for (Column& column : columns_) {
    column.begin_edge = begin;
    begin += column.end_edge;
    column.end_edge = column.begin_edge;
  }
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const int a = place_of_body_[Index(edges_[e].first)];
    const int b = place_of_body_[Index(edges_[e].second)];
    Column& column = columns_[Index(std::min(a, b))];
    const auto place =
        std::lower_bound(rows_.begin() + column.begin,
                         rows_.begin() + column.end, std::max(a, b));
    edges_of_columns_[Index(column.end_edge++)] = {
        static_cast<int>(e), static_cast<int>(place - rows_.begin()), a < b};
  }
}

Block& BlockCholesky::Diagonal(int i) {
  const int place = place_of_body_[Index(i)];
  columns_[Index(place)].dirty = true;
  return diagonal_[Index(place)];
}

Block& BlockCholesky::Edge(int e) {
  columns_[Index(column_of_edge_[Index(e)])].dirty = true;
  return edge_blocks_[Index(e)];
}

void BlockCholesky::FactoriseColumn(int j) {
  const Column& column = columns_[Index(j)];
  Block diagonal = diagonal_[Index(j)];
  for (int place = column.begin; place < column.end; ++place) {
    std::memset(factor_[Index(place)].at, 0, sizeof(Block));
    filled_[Index(place)] = 0;
    place_of_row_[Index(rows_[Index(place)])] = place;
  }
  for (int k = column.begin_edge; k < column.end_edge; ++k) {
    const ColumnEdge& edge = edges_of_columns_[Index(k)];
    const Block& from = edge_blocks_[Index(edge.edge)];
    if (IsZero(from)) continue;
    Block& to = factor_[Index(edge.place)];
    filled_[Index(edge.place)] = 1;
    if (!edge.turned) {
      to = from;
      continue;
    }
    for (int c = 0; c < 6; ++c) {
      for (int r = 0; r < 6; ++r) to.at[6 * c + r] = from.at[6 * r + c];
    }
  }
  for (int k = column.begin_left; k < column.end_left; ++k) {
    const Left& left = lefts_[Index(k)];
    if (filled_[Index(left.place)] == 0) continue;
    const Block& own = factor_[Index(left.place)];
    SubtractProduct(diagonal, own, own);
    const int end = columns_[Index(left.column)].end;
    for (int place = left.place + 1; place < end; ++place) {
      if (filled_[Index(place)] == 0) continue;
      const int to = place_of_row_[Index(rows_[Index(place)])];
      filled_[Index(to)] = 1;
      SubtractProduct(factor_[Index(to)], factor_[Index(place)], own);
    }
  }
  Block& inverse = inverse_diagonal_[Index(j)];
  InvertFactor(diagonal, inverse);
  for (int place = column.begin; place < column.end; ++place) {
    if (filled_[Index(place)] == 0) continue;
    const Block block = factor_[Index(place)];
    SetProduct(factor_[Index(place)], block, inverse);
  }
}

void BlockCholesky::Factorise() {
  for (int j = 0; j < num_columns(); ++j) {
    Column& column = columns_[Index(j)];
    if (!column.dirty) continue;
    FactoriseColumn(j);
    column.dirty = false;
    // The first row below the diagonal is the parent in the tree of
    // elimination: all columns that depend on this one are above it.
    if (column.begin < column.end) {
      columns_[Index(rows_[Index(column.begin)])].dirty = true;
    }
  }
}

void BlockCholesky::Solve(std::span<Six> x) {
  const int num = num_columns();
  for (int j = 0; j < num; ++j) {
    work_[Index(j)] = x[Index(columns_[Index(j)].body)];
  }
  for (int j = 0; j < num; ++j) {
    const Column& column = columns_[Index(j)];
    TimesLower(inverse_diagonal_[Index(j)], work_[Index(j)]);
    for (int place = column.begin; place < column.end; ++place) {
      if (filled_[Index(place)] == 0) continue;
      SubtractTimes(work_[Index(rows_[Index(place)])], factor_[Index(place)],
                    work_[Index(j)]);
    }
  }
  for (int j = num - 1; j >= 0; --j) {
    const Column& column = columns_[Index(j)];
    for (int place = column.begin; place < column.end; ++place) {
      if (filled_[Index(place)] == 0) continue;
      SubtractTransposedTimes(work_[Index(j)], factor_[Index(place)],
                              work_[Index(rows_[Index(place)])]);
    }
    TimesUpper(inverse_diagonal_[Index(j)], work_[Index(j)]);
    x[Index(columns_[Index(j)].body)] = work_[Index(j)];
  }
}

}  // namespace limber::dynamics::solve
