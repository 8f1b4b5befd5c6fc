// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/solve/free_bodies.h"

#include <algorithm>

#include "core/index.h"

namespace limber::dynamics::solve {

using internal::AddRankOne;
using internal::BlockInertia;
using internal::Mat;

namespace {

// K [r]
Mat TimesCross(const Sym& K, const Vec& r) {
  return {K.xy * r.z - K.xz * r.y, K.xz * r.x - K.xx * r.z,
          K.xx * r.y - K.xy * r.x, K.yy * r.z - K.yz * r.y,
          K.yz * r.x - K.xy * r.z, K.xy * r.y - K.yy * r.x,
          K.yz * r.z - K.zz * r.y, K.zz * r.x - K.xz * r.z,
          K.xz * r.y - K.yz * r.x};
}

// [r] M
Mat CrossTimes(const Vec& r, const Mat& M) {
  const double* m = M.m;
  return {r.y * m[6] - r.z * m[3], r.y * m[7] - r.z * m[4],
          r.y * m[8] - r.z * m[5], r.z * m[0] - r.x * m[6],
          r.z * m[1] - r.x * m[7], r.z * m[2] - r.x * m[8],
          r.x * m[3] - r.y * m[0], r.x * m[4] - r.y * m[1],
          r.x * m[5] - r.y * m[2]};
}

Mat Full(const Sym& s) {
  return {s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz};
}

void AddPart(Block& block, int row, int column, const Mat& m, double sign) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      block.at[6 * (column + j) + row + i] += sign * m.m[3 * i + j];
    }
  }
}

}  // namespace

int FreeBodies::EdgeOf(int a, int b) const {
  if (a < 0 || b < 0) return -1;
  const std::pair<int, int> edge = std::minmax(a, b);
  return static_cast<int>(std::lower_bound(edges_.begin(), edges_.end(), edge) -
                          edges_.begin());
}

void FreeBodies::Start(const Problem& problem) {
  edges_.clear();
  const auto add = [&](int a, int b) {
    if (a < 0 || b < 0) return;
    const std::pair<int, int> edge = std::minmax(a, b);
    if (edges_.empty() || edges_.back() != edge) edges_.push_back(edge);
  };
  for (const ContactPoint& contact : problem.contacts)
    add(contact.a, contact.b);
  for (const BoundedRow& row : problem.rows) add(row.a, row.b);
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  edge_of_contact_.clear();
  for (const ContactPoint& contact : problem.contacts) {
    edge_of_contact_.push_back(EdgeOf(contact.a, contact.b));
  }
  edge_of_row_.clear();
  for (const BoundedRow& row : problem.rows) {
    edge_of_row_.push_back(EdgeOf(row.a, row.b));
  }
  matrix_.SetGraph(static_cast<int>(problem.bodies.size()), edges_);
  sums_.resize(problem.bodies.size());
  for (Sum& sum : sums_) sum.changed = true;
  edge_changed_.assign(edges_.size(), 1);
  edge_blocks_.resize(edges_.size());
  started_ = true;
}

void FreeBodies::MarkChanged(const Problem& problem,
                             std::span<const PointStiffness> points,
                             std::span<const RowStiffness> rows) {
  const auto mark = [&](int a, int b, int edge) {
    if (a >= 0) sums_[Index(a)].changed = true;
    if (b >= 0) sums_[Index(b)].changed = true;
    if (edge >= 0) edge_changed_[Index(edge)] = 1;
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ContactPoint& contact = problem.contacts[i];
    if (points[i].changed) mark(contact.a, contact.b, edge_of_contact_[i]);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const BoundedRow& row = problem.rows[i];
    if (rows[i].changed) mark(row.a, row.b, edge_of_row_[i]);
  }
}

void FreeBodies::AddPoint(const ContactPoint& contact, int edge, const Sym& K) {
  // J^T K J with J = (1, -[r]), the velocity of a point at r.
  if (contact.a >= 0 && sums_[Index(contact.a)].changed) {
    sums_[Index(contact.a)].own += ShiftedMass(K, contact.arm_a);
  }
  if (contact.b >= 0 && sums_[Index(contact.b)].changed) {
    sums_[Index(contact.b)].own += ShiftedMass(K, contact.arm_b);
  }
  if (edge < 0 || edge_changed_[Index(edge)] == 0) return;
  const bool a_first = contact.a < contact.b;
  const Vec& r = a_first ? contact.arm_a : contact.arm_b;
  const Mat KR = TimesCross(K, a_first ? contact.arm_b : contact.arm_a);
  Block& block = *edge_blocks_[Index(edge)];
  const Mat whole = Full(K);
  AddPart(block, 0, 0, whole, -1.0);
  AddPart(block, 0, 3, KR, 1.0);
  AddPart(block, 3, 0, CrossTimes(r, whole), -1.0);
  AddPart(block, 3, 3, CrossTimes(r, KR), 1.0);
}

void FreeBodies::AddRow(const BoundedRow& row, int edge, double d) {
  if (d == 0.0) return;
  if (row.a >= 0 && sums_[Index(row.a)].changed) {
    AddRankOne(sums_[Index(row.a)].own, row.linear_a, row.angular_a, d);
  }
  if (row.b >= 0 && sums_[Index(row.b)].changed) {
    AddRankOne(sums_[Index(row.b)].own, row.linear_b, row.angular_b, d);
  }
  if (edge < 0 || edge_changed_[Index(edge)] == 0) return;
  const double a[6] = {row.linear_a.x,  row.linear_a.y,  row.linear_a.z,
                       row.angular_a.x, row.angular_a.y, row.angular_a.z};
  const double b[6] = {row.linear_b.x,  row.linear_b.y,  row.linear_b.z,
                       row.angular_b.x, row.angular_b.y, row.angular_b.z};
  const double* first = row.a < row.b ? a : b;
  const double* second = row.a < row.b ? b : a;
  Block& block = *edge_blocks_[Index(edge)];
  for (int c = 0; c < 6; ++c) {
    for (int r = 0; r < 6; ++r) {
      block.at[6 * c + r] += d * first[r] * second[c];
    }
  }
}

// The body's own inertia and what its rows add to it.
void FreeBodies::WriteBody(const ProblemBody& body, int i) {
  BlockInertia& M = sums_[Index(i)].own;
  if (body.stiff) {
    const Mat P = Full(body.turns);
    M.H = M.H * P;
    const Mat C = P * (Full(M.C) * P);
    M.C = {C.m[0], C.m[1], C.m[2], C.m[4], C.m[5], C.m[8]};
  }
  M.A += Sym{body.mass, 0.0, 0.0, body.mass, 0.0, body.mass};
  M.C += body.inertia;
  const Mat A = Full(M.A), C = Full(M.C);
  Block& block = matrix_.Diagonal(i);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      block.at[6 * c + r] = A.m[3 * r + c];
      block.at[6 * (3 + c) + r] = M.H.m[3 * r + c];
      block.at[6 * r + 3 + c] = M.H.m[3 * r + c];
      block.at[6 * (3 + c) + 3 + r] = C.m[3 * r + c];
    }
  }
}

// No row turns a body about an axis that it does not have.
void FreeBodies::Project(const Problem& problem, int edge) {
  const auto [a, b] = edges_[Index(edge)];
  Block& block = *edge_blocks_[Index(edge)];
  const auto project = [&block](const Sym& turns, int step, int other) {
    for (int k = 0; k < 6; ++k) {
      double* x = block.at + 3 * step + k * other;
      const Vec v = turns * Vec{x[0], x[step], x[2 * step]};
      x[0] = v.x;
      x[step] = v.y;
      x[2 * step] = v.z;
    }
  };
  const ProblemBody& first = problem.bodies[Index(a)];
  const ProblemBody& second = problem.bodies[Index(b)];
  if (first.stiff) project(first.turns, 1, 6);
  if (second.stiff) project(second.turns, 6, 1);
}

void FreeBodies::Factorise(const Problem& problem,
                           std::span<const PointStiffness> points,
                           std::span<const RowStiffness> rows) {
  if (!started_) MarkChanged(problem, points, rows);
  started_ = false;
  for (Sum& sum : sums_) {
    if (sum.changed) sum.own = BlockInertia{};
  }
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    if (edge_changed_[e] == 0) continue;
    edge_blocks_[e] = &matrix_.Edge(static_cast<int>(e));
    *edge_blocks_[e] = Block{};
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    AddPoint(problem.contacts[i], edge_of_contact_[i], points[i].K);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    AddRow(problem.rows[i], edge_of_row_[i], rows[i].d);
  }
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    if (!sums_[i].changed) continue;
    WriteBody(problem.bodies[i], static_cast<int>(i));
    sums_[i].changed = false;
  }
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    if (edge_changed_[e] == 0) continue;
    Project(problem, static_cast<int>(e));
    edge_changed_[e] = 0;
  }
  matrix_.Factorise();
}

}  // namespace limber::dynamics::solve
