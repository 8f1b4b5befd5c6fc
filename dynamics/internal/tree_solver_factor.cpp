// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tree_solver.h"

#include "core/index.h"

// Factor and sweeps of the trees: from the leaves to the roots and back.

namespace limber::dynamics::internal {

namespace {

// A long chain does not fit the caches, but a node of the sweeps takes long
// enough for the lines of one further on to come meanwhile. Lines first to
// end - 1 of node i, if there is such a node.
constexpr int kAhead = 4;
constexpr std::size_t kFewNodes = 32;  // Of these all lines are there.
template <int first, int end>
inline void FetchAhead(const std::vector<TreeNode>& nodes, int i) {
  if (nodes.size() <= kFewNodes || i < 0 ||
      i >= static_cast<int>(nodes.size())) {
    return;
  }
  const char* node = reinterpret_cast<const char*>(&nodes[Index(i)]);
  for (int k = first; k < end; ++k) __builtin_prefetch(node + 64 * k, 1);
}

}  // namespace

// Removes the joint's own directions from M, and stores what is left.
void TreeSolver::Eliminate(TreeNode& node, const BlockInertia& M) {
  switch (node.kind) {
    case TreeNode::Kind::kFreeRoot:
    case TreeNode::Kind::kRigid:
      node.M = M;
      return;
    case TreeNode::Kind::kFreeBall: {
      // A - H C^-1 H^T is all that is left; the place of H and C is that of W
      // and D^-1.
      const Sym inverse_D = Inverse(M.C);
      const Mat W = M.H * inverse_D;
      node.M.A = MinusProduct(M.A, W, M.H);
      node.M.H = W;
      node.M.C = inverse_D;
      return;
    }
    case TreeNode::Kind::kSoftBall: {
      // D = C + d:  A - H D^-1 H^T ,  d H D^-1 ,  d C D^-1
      const double d = node.d;
      const Sym& C = M.C;
      Sym D = C;
      D.xx += d;
      D.yy += d;
      D.zz += d;
      const Sym i = Inverse(D);
      const Mat W = M.H * i;
      node.inverse_D = i;
      node.W = W;
      node.M.A = MinusProduct(M.A, W, M.H);
      for (int k = 0; k < 9; ++k) node.M.H.m[k] = d * W.m[k];
      node.M.C = {d * (C.xx * i.xx + C.xy * i.xy + C.xz * i.xz),
                  d * (C.xx * i.xy + C.xy * i.yy + C.xz * i.yz),
                  d * (C.xx * i.xz + C.xy * i.yz + C.xz * i.zz),
                  d * (C.xy * i.xy + C.yy * i.yy + C.yz * i.yz),
                  d * (C.xy * i.xz + C.yy * i.yz + C.yz * i.zz),
                  d * (C.xz * i.xz + C.yz * i.yz + C.zz * i.zz)};
      return;
    }
    case TreeNode::Kind::kMixed:
      // One direction a at a time: U = M a, D = a.U + d, M -= U U^T / D
      node.M = M;
      for (int k = 0; k < node.num_coordinates; ++k) {
        TreeCoordinate& q = coordinates[Index(node.first_coordinate + k)];
        if (q.locked) continue;
        if (node.turns) {
          q.U_linear = node.M.H * q.angular;
          q.U_angular = node.M.C * q.angular;
          q.inverse_D = 1.0 / (Dot(q.angular, q.U_angular) + q.d);
        } else {
          q.U_linear = Momentum(node.M, q.linear, q.angular);
          q.U_angular = Spin(node.M, q.linear, q.angular);
          q.inverse_D = 1.0 / (Dot(q.linear, q.U_linear) +
                               Dot(q.angular, q.U_angular) + q.d);
        }
        AddRankOne(node.M, q.U_linear, q.U_angular, -q.inverse_D);
      }
      return;
  }
}

// One node of the sweep up: what it and all that hangs on it lacks, without the
// joint's own directions.
inline void TreeSolver::Reduce(TreeNode& node, bool homogeneous, Vec& f,
                               Vec& t) {
  switch (node.kind) {
    case TreeNode::Kind::kFreeRoot:
    case TreeNode::Kind::kRigid:
      break;
    case TreeNode::Kind::kFreeBall: {
      // y = D^-1 (t + c) ,  f -= W (t + c) ,  t = -c
      const Vec c = homogeneous || node.limp_ball ? Vec{} : node.c;
      const Vec driven = t + c;
      node.y = node.M.C * driven;
      f -= node.M.H * driven;
      t = -c;
      break;
    }
    case TreeNode::Kind::kSoftBall: {
      // As above, and  t = d y - c
      const Vec c = homogeneous ? Vec{} : node.c;
      const Vec driven = t + c;
      node.y = node.inverse_D * driven;
      f -= node.W * driven;
      t = node.d * node.y - c;
      break;
    }
    case TreeNode::Kind::kMixed:
      for (int k = 0; k < node.num_coordinates; ++k) {
        TreeCoordinate& q = coordinates[Index(node.first_coordinate + k)];
        if (q.locked) continue;
        double along = Dot(q.angular, t) + (homogeneous ? 0.0 : q.c);
        if (!node.turns) along += Dot(q.linear, f);
        q.y = along * q.inverse_D;
        f -= q.y * q.U_linear;
        t -= q.y * q.U_angular;
      }
      break;
  }
}

// In a chain the parent is the next node of a sweep up: what it is passed stays
// in registers.
struct TreeSolver::Passed {
  int to = -1;
  Vec f, t;

  void Take(int i, TreeNode& node, Vec& node_f, Vec& node_t) const {
    node_f = node.f;
    node_t = node.t;
    if (to != i) return;
    node_f += f;
    node_t += t;
  }
  void Give(int i, std::vector<TreeNode>& nodes, const Vec& node_f,
            const Vec& t_parent) {
    const int parent = nodes[Index(i)].parent;
    if (parent == i - 1) {
      to = parent;
      f = node_f;
      t = t_parent;
    } else {
      nodes[Index(parent)].f += node_f;
      nodes[Index(parent)].t += t_parent;
    }
  }
};

// Block elimination from the leaves to the roots, of the dirty nodes only, and
// the sweep up of all nodes on the same way.
void TreeSolver::Factorise(bool homogeneous) {
  ++factorisations;
  AddBodyBlocks();
  Passed passed;
  BlockInertia passed_M;
  int passed_to = -1;
  for (int i = static_cast<int>(nodes.size()) - 1; i >= 0; --i) {
    TreeNode& node = nodes[Index(i)];
    FetchAhead<0, 6>(nodes, i - kAhead);
    const bool dirty = IsDirty(node);
    BlockInertia M;
    if (dirty) {
      M = RigidInertia(node.mass, node.inertia, node.r);
      if (node.loaded) M += node.M;
      if (passed_to == i) M += passed_M;
      node.loaded = node.dirty = false;
    }
    const bool loads = node.parent >= 0 && IsDirty(nodes[Index(node.parent)]);
    const bool next = node.parent == i - 1;
    if (loads && next) passed_to = i - 1;
    Vec f, t;
    passed.Take(i, node, f, t);
    if (node.limp_ball && dirty) {
      // As below, in one go.
      const Sym inverse_D = Inverse(M.C);
      const Mat W = M.H * inverse_D;
      const Sym A = MinusProduct(M.A, W, M.H);
      f -= W * t;
      node.y = inverse_D * t;
      node.f = f;
      node.M.A = A;
      node.M.H = W;
      node.M.C = inverse_D;
      if (loads && next) {
        passed_M = ShiftedMass(A, node.l);
      } else if (loads) {
        nodes[Index(node.parent)].Load(ShiftedMass(A, node.l));
      }
      if (node.parent >= 0) passed.Give(i, nodes, f, Cross(node.l, f));
      continue;
    }
    if (dirty) {
      Eliminate(node, M);
      if (node.free_root) {
        if (roots_.size() < nodes.size()) roots_.resize(nodes.size());
        FactorRoot(node, roots_[Index(i)]);
      }
    }
    if (loads) {
      const BlockInertia block = node.kind == TreeNode::Kind::kFreeBall
                                     ? ShiftedMass(node.M.A, node.l)
                                     : Shifted(node.M, node.l);
      if (next) {
        passed_M = block;
      } else {
        nodes[Index(node.parent)].Load(block);
      }
    }
    Reduce(node, homogeneous, f, t);
    node.f = f;
    node.t = t;
    if (node.parent >= 0) passed.Give(i, nodes, f, t + Cross(node.l, f));
  }
  any_dirty_ = all_dirty_ = false;
}

// L D L^T of a free root's 6x6 block.
void TreeSolver::FactorRoot(const TreeNode& node, Root& root) const {
  const Sym& A = node.M.A;
  const Sym& C = node.M.C;
  const double* H = node.M.H.m;
  const double m[6][6] = {{A.xx},
                          {A.xy, A.yy},
                          {A.xz, A.yz, A.zz},
                          {H[0], H[3], H[6], C.xx},
                          {H[1], H[4], H[7], C.xy, C.yy},
                          {H[2], H[5], H[8], C.xz, C.yz, C.zz}};
  for (int j = 0; j < 6; ++j) {
    double d = m[j][j];
    for (int k = 0; k < j; ++k) d -= root.L[j][k] * root.L[j][k] * root.D[k];
    root.D[j] = d;
    for (int r = j + 1; r < 6; ++r) {
      double a = m[r][j];
      for (int k = 0; k < j; ++k) a -= root.L[r][k] * root.L[j][k] * root.D[k];
      root.L[r][j] = a / d;
    }
  }
}

void TreeSolver::SweepUp(bool homogeneous) {
  Passed passed;
  for (int i = static_cast<int>(nodes.size()) - 1; i >= 0; --i) {
    TreeNode& node = nodes[Index(i)];
    FetchAhead<1, 6>(nodes, i - kAhead);
    Vec f, t;
    passed.Take(i, node, f, t);
    if (node.limp_ball) {
      node.y = node.M.C * t;
      f -= node.M.H * t;
      node.f = f;
      if (node.parent >= 0) passed.Give(i, nodes, f, Cross(node.l, f));
      continue;
    }
    Reduce(node, homogeneous, f, t);
    node.f = f;
    node.t = t;
    if (node.parent >= 0) passed.Give(i, nodes, f, t + Cross(node.l, f));
  }
}

void TreeSolver::SolveRoot(const Root& root, TreeNode& node) const {
  double y[6] = {node.f.x, node.f.y, node.f.z, node.t.x, node.t.y, node.t.z};
  for (int i = 1; i < 6; ++i) {
    for (int k = 0; k < i; ++k) y[i] -= root.L[i][k] * y[k];
  }
  for (int i = 5; i >= 0; --i) {
    y[i] /= root.D[i];
    for (int k = i + 1; k < 6; ++k) y[i] -= root.L[k][i] * y[k];
  }
  node.dx = {y[0], y[1], y[2]};
  node.dw = {y[3], y[4], y[5]};
}

void TreeSolver::SweepDown(bool homogeneous) {
  SweepDown(0, static_cast<int>(nodes.size()), homogeneous);
}

// Answers from the roots down, for nodes first to end - 1.
void TreeSolver::SweepDown(int first, int end, bool homogeneous) {
  // In a chain the parent is the node before: its motion stays in registers.
  Vec last_dx, last_dw;
  for (int i = first; i < end; ++i) {
    TreeNode& node = nodes[static_cast<std::size_t>(i)];
    FetchAhead<2, 8>(nodes, i + kAhead);
    Vec dx, dw;
    if (node.parent >= 0) {
      if (node.parent != i - 1 || i == first) {
        const TreeNode& parent = nodes[static_cast<std::size_t>(node.parent)];
        last_dx = parent.dx;
        last_dw = parent.dw;
      }
      dx = last_dx + Cross(last_dw, node.l);
      dw = last_dw;
    }
    // The impulse F, T of the joint is asked for in full solves only.
    switch (node.kind) {
      case TreeNode::Kind::kFreeRoot:
        SolveRoot(roots_[static_cast<std::size_t>(i)], node);
        node.F = node.T = Vec{};
        dx = node.dx;
        dw = node.dw;
        break;
      case TreeNode::Kind::kRigid:
        if (homogeneous) break;
        node.F = Momentum(node.M, dx, dw) - node.f;
        node.T = Spin(node.M, dx, dw) - node.t;
        break;
      case TreeNode::Kind::kFreeBall:
        if (!homogeneous) {
          node.F = node.M.A * dx - node.f;
          if (!node.limp_ball) node.T = -node.t;
        }
        dw = node.y - TransposedTimes(node.M.H, dx);
        break;
      case TreeNode::Kind::kSoftBall: {
        const Vec spin = node.y + node.inverse_D * (node.d * dw) -
                         TransposedTimes(node.W, dx);
        if (!homogeneous) {
          node.F = Momentum(node.M, dx, dw) - node.f;
          node.T = node.c - node.d * (spin - dw);
        }
        dw = spin;
        break;
      }
      case TreeNode::Kind::kMixed:
        if (!homogeneous) {
          node.F = Momentum(node.M, dx, dw) - node.f;
          node.T = Spin(node.M, dx, dw) - node.t;
        }
        for (int k = node.num_coordinates - 1; k >= 0; --k) {
          TreeCoordinate& q =
              coordinates[static_cast<std::size_t>(node.first_coordinate + k)];
          if (q.locked) continue;
          q.delta =
              q.y - q.inverse_D * (Dot(q.U_linear, dx) + Dot(q.U_angular, dw));
          dw += q.delta * q.angular;
          if (!node.turns) dx += q.delta * q.linear;
        }
        break;
    }
    node.dx = last_dx = dx;
    node.dw = last_dw = dw;
  }
}

}  // namespace limber::dynamics::internal
