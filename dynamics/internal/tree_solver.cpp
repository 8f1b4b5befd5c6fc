// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tree_solver.h"

#include "dynamics/internal/tree_solver_sweeps.h"

namespace limber::dynamics::internal {

namespace {

std::size_t Index(int i) { return static_cast<std::size_t>(i); }

Vec Scaled(const Vec& a, double s) { return s * a; }

// The momentum that V* lacks, at the reference point:
//     f = m (v_free - v*) ,  t = I (w_free - w*) + r x f
void LoadMomentum(TreeNode& node) {
  node.f = node.mass * (node.free_v - node.x - Cross(node.w, node.r));
  node.t = node.inertia * (node.free_w - node.w) + Cross(node.r, node.f);
}

}  // namespace

// ---- Factor and solve, all states given ------------------------------------

// What the states of the rows mean for the coordinate: q' = q0, or
// lambda = c - d (q' - q0).
void TreeSolver::SetMode(TreeCoordinate& q) const {
  const double s = Softness(q);
  const double s_limit = LimitSoftness(q);
  const bool main_acts = q.has_main && q.main_state == 0;
  const bool limit_acts = q.limit_state != 0;
  const double u_limit = q.limit_state < 0 ? q.u_lower : q.u_upper;
  q.c = q.d = 0.0;
  q.locked = true;
  if (limit_acts && s_limit == 0.0) {
    q.q0 = u_limit;
    return;
  }
  if (main_acts && s == 0.0) {
    q.q0 = q.u;
    return;
  }
  q.locked = false;
  // q0 where the rows that give way balance, so that c holds bounds alone.
  q.q0 = main_acts ? q.u : limit_acts ? u_limit : q.guess;
  if (main_acts && limit_acts) {
    q.d = 1.0 / s + 1.0 / s_limit;
    q.q0 += (u_limit - q.u) * (1.0 / s_limit) / q.d;
  } else if (main_acts) {
    q.d = 1.0 / s;
  } else if (limit_acts) {
    q.d = 1.0 / s_limit;
  }
  if (!main_acts && q.has_main) q.c = q.main_state < 0 ? q.lo : q.hi;
}

TreeNode::Kind TreeSolver::KindOf(TreeNode& node) {
  using Kind = TreeNode::Kind;
  if (node.free_root) return Kind::kFreeRoot;
  if (node.limp_ball) return Kind::kFreeBall;
  if (node.simple) return node.d > 0.0 ? Kind::kSoftBall : Kind::kRigid;
  const TreeCoordinate* q = &coordinates[Index(node.first_coordinate)];
  int num_free = 0;
  for (int k = 0; k < node.num_coordinates; ++k) num_free += !q[k].locked;
  if (num_free == 0) return Kind::kRigid;
  if (node.ball && num_free == 3 && q[0].d == q[1].d && q[0].d == q[2].d) {
    node.d = q[0].d;
    node.c = Scaled(q[0].angular, q[0].c) + Scaled(q[1].angular, q[1].c) +
             Scaled(q[2].angular, q[2].c);
    return node.d == 0.0 ? Kind::kFreeBall : Kind::kSoftBall;
  }
  return Kind::kMixed;
}

void TreeSolver::MarkDirty(int i) {
  any_dirty_ = true;
  while (i >= 0 && !nodes[Index(i)].dirty) {
    nodes[Index(i)].dirty = true;
    i = nodes[Index(i)].parent;
  }
}

void TreeSolver::MarkAllDirty() { any_dirty_ = all_dirty_ = true; }

// One node of the way down: what the states of its rows mean, V*, and the
// momentum that V* lacks.
inline void TreeSolver::PredictNode(TreeNode& node) {
  TreeCoordinate* q = coordinates.data() + node.first_coordinate;
  for (int k = 0; k < node.num_coordinates; ++k) SetMode(q[k]);
  node.kind = KindOf(node);
  nodes_held_ = nodes_held_ && node.kind == TreeNode::Kind::kRigid;
  if (node.free_root) {
    node.x = node.free_v;
    node.w = node.free_w;
    node.f = node.t = Vec{};
    return;
  }
  Vec x, w;
  if (node.parent >= 0) {
    const TreeNode& parent = nodes[Index(node.parent)];
    x = parent.x + Cross(parent.w, node.l);
    w = parent.w;
  } else {
    x = node.base_x;
    w = node.base_w;
  }
  x += node.offset_linear;
  if (node.limp_ball) {
    // V* = V_free as far as the joint lets it: no spin is lacking.
    w = node.free_w;
    node.x = x;
    node.w = w;
    node.f = node.mass * (node.free_v - x - Cross(w, node.r));
    node.t = Cross(node.r, node.f);
    return;
  }
  if (node.simple) w += node.q0;
  if (!node.ball) w += node.offset_angular;
  for (int k = 0; k < node.num_coordinates; ++k) {
    w += q[k].q0 * q[k].angular;
    if (!node.ball) x += q[k].q0 * q[k].linear;
  }
  node.x = x;
  node.w = w;
  LoadMomentum(node);
}

void TreeSolver::Start() {
  conflict_ = false;
  touching = false;
  capped = 0;
  softer_cones_ = 1.0;
  residual = 0.0;
  status = LcpStatus::kSolved;
  nodes_held_ = true;
  has_coordinates_ = has_simple_ = false;
  MarkAllDirty();
}

void TreeSolver::StartNode(int i) {
  TreeNode& node = nodes[Index(i)];
  if (node.limp_ball) {
    // As PredictNode has it, without the questions.
    Vec x = node.offset_linear;
    if (node.parent >= 0) {
      const TreeNode& parent = nodes[Index(node.parent)];
      x += parent.x + Cross(parent.w, node.l);
    } else {
      x += node.base_x;
    }
    node.kind = TreeNode::Kind::kFreeBall;
    nodes_held_ = false;
    node.x = x;
    node.w = node.free_w;
    const Vec f = node.mass * (node.free_v - x - Cross(node.free_w, node.r));
    node.f = f;
    node.t = Cross(node.r, f);
    return;
  }
  if (node.num_coordinates > 0) {
    has_coordinates_ = true;
    for (int k = 0; k < node.num_coordinates; ++k) {
      TreeCoordinate& q = coordinates[Index(node.first_coordinate + k)];
      if (touching && (q.has_lower || q.has_upper)) {
        LendSoftness(node, q);
        // What runs into a limit in this step is held from the start.
        if (q.has_lower && q.guess < q.u_lower) q.limit_state = -1;
        if (q.has_upper && q.guess > q.u_upper) q.limit_state = 1;
      }
      Admit(q);
    }
  }
  if (node.simple) {
    has_simple_ = true;
    node.c = Vec{};
  }
  PredictNode(node);
}

void TreeSolver::Predict() {
  nodes_held_ = true;
  for (TreeNode& node : nodes) PredictNode(node);
}

namespace {

// A - H C^-1 H^T is all that is left; the place of H and C is that of W and
// D^-1.
inline void EliminateFreeBall(TreeNode& node, const BlockInertia& M) {
  const Sym inverse_D = Inverse(M.C);
  const Mat W = M.H * inverse_D;
  node.M.A = MinusProduct(M.A, W, M.H);
  node.M.H = W;
  node.M.C = inverse_D;
}

}  // namespace

// Removes the joint's own directions from M, and stores what is left.
void TreeSolver::Eliminate(TreeNode& node, const BlockInertia& M) {
  switch (node.kind) {
    case TreeNode::Kind::kFreeRoot:
    case TreeNode::Kind::kRigid:
      node.M = M;
      return;
    case TreeNode::Kind::kFreeBall:
      EliminateFreeBall(node, M);
      return;
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
        if (node.ball) {
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

// One node of the sweep up.
inline void TreeSolver::Reduce(int i, bool homogeneous, Passed& passed) {
  TreeNode& node = nodes[Index(i)];
  Vec f = node.f;
  Vec t = node.t;
  if (passed.to == i) {
    f += passed.f;
    t += passed.t;
  }
  switch (node.kind) {
    case TreeNode::Kind::kFreeRoot:
      node.f = f;
      node.t = t;
      return;
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
        if (!node.ball) along += Dot(q.linear, f);
        q.y = along * q.inverse_D;
        f -= q.y * q.U_linear;
        t -= q.y * q.U_angular;
      }
      break;
  }
  node.f = f;
  node.t = t;
  if (node.parent < 0) return;
  const Vec t_parent = t + Cross(node.l, f);
  if (node.parent == i - 1) {
    passed.to = i - 1;
    passed.f = f;
    passed.t = t_parent;
    return;
  }
  TreeNode& parent = nodes[Index(node.parent)];
  parent.f += f;
  parent.t += t_parent;
}

// Block elimination from the leaves to the roots, of the dirty nodes only, and
// the sweep up of all nodes on the same way.
void TreeSolver::Factorise(bool homogeneous) {
  ++factorisations;
  AddBodyBlocks();
  // In a chain the parent is the next node: what it is passed stays in
  // registers.
  Passed passed;
  BlockInertia passed_M;
  int passed_to = -1;
  for (int i = static_cast<int>(nodes.size()) - 1; i >= 0; --i) {
    TreeNode& node = nodes[Index(i)];
    const bool dirty = IsDirty(node);
    if (dirty) {
      BlockInertia M = RigidInertia(node.mass, node.inertia, node.r);
      if (node.loaded) M += node.M;
      if (passed_to == i) M += passed_M;
      node.loaded = node.dirty = false;
      if (node.kind == TreeNode::Kind::kFreeBall) {
        EliminateFreeBall(node, M);
      } else {
        Eliminate(node, M);
      }
      if (node.free_root) {
        if (roots_.size() < nodes.size()) roots_.resize(nodes.size());
        FactorRoot(node, roots_[Index(i)]);
      }
    }
    if (node.parent >= 0 && IsDirty(nodes[Index(node.parent)])) {
      const bool next = node.parent == i - 1;
      if (next) passed_to = i - 1;
      if (node.kind == TreeNode::Kind::kFreeBall) {
        const BlockInertia block = ShiftedMass(node.M.A, node.l);
        if (next) {
          passed_M = block;
        } else {
          nodes[Index(node.parent)].Load(block);
        }
      } else {
        const BlockInertia block = Shifted(node.M, node.l);
        if (next) {
          passed_M = block;
        } else {
          nodes[Index(node.parent)].Load(block);
        }
      }
    }
    Reduce(i, homogeneous, passed);
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

// f, t: the missing momentum and the impulses of the body rows.
void TreeSolver::LoadRightSide() {
  for (TreeNode& node : nodes) LoadMomentum(node);
  AddBodyRows();
}

void TreeSolver::SweepUp(bool homogeneous) {
  Passed passed;
  for (int i = static_cast<int>(nodes.size()) - 1; i >= 0; --i) {
    Reduce(i, homogeneous, passed);
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

// Answers from the roots down.
void TreeSolver::SweepDown(bool homogeneous) {
  // In a chain the parent is the node before: its motion stays in registers.
  Vec last_dx, last_dw;
  for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
    TreeNode& node = nodes[static_cast<std::size_t>(i)];
    Vec dx, dw;
    if (node.parent >= 0) {
      if (node.parent != i - 1) {
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
          if (!node.ball) dx += q.delta * q.linear;
        }
        break;
    }
    node.dx = last_dx = dx;
    node.dw = last_dw = dw;
  }
}

bool TreeSolver::SolveLinear() {
  Predict();
  return SolvePredicted();
}

bool TreeSolver::SolvePredicted() {
  answered_ = true;
  all_held_ = nodes_held_ && !HasBodyRows() && aux_rows.empty();
  if (all_held_) {
    // V = V*: impulses alone, summed from the leaves; no factor.
    for (int i = static_cast<int>(nodes.size()) - 1; i >= 0; --i) {
      TreeNode& node = nodes[Index(i)];
      node.F = -node.f;
      node.T = -node.t;
      node.dx = node.dw = Vec{};
      if (node.parent < 0) continue;
      TreeNode& parent = nodes[Index(node.parent)];
      parent.f += node.f;
      parent.t += node.t + Cross(node.l, node.f);
    }
    ++solves;
    FinishRows();
    return true;
  }
  AddBodyRows();
  if (any_dirty_) {
    Factorise(false);
  } else {
    SweepUp(false);
  }
  SweepDown(false);
  ++solves;
  answered_ = aux_rows.empty() || SolveAux();
  if (answered_) FinishRows();
  return answered_;
}

// Speeds and impulses of all rows from the answer of the sweeps.
void TreeSolver::FinishCoordinates(const TreeNode& node) {
  TreeCoordinate* q = &coordinates[Index(node.first_coordinate)];
  Vec turn;
  const bool three = node.kind == TreeNode::Kind::kFreeBall ||
                     node.kind == TreeNode::Kind::kSoftBall;
  if (three) {
    turn = node.dw;
    if (node.parent >= 0) turn -= nodes[Index(node.parent)].dw;
  }
  for (int k = 0; k < node.num_coordinates; ++k, ++q) {
    if (q->locked) {
      q->rate = q->q0;
      q->lambda = Dot(q->angular, node.T);
      if (!node.ball) q->lambda += Dot(q->linear, node.F);
    } else {
      if (three) q->delta = Dot(q->angular, turn);
      q->rate = q->q0 + q->delta;
      q->lambda = q->c - q->d * q->delta;
    }
    q->limit_impulse = 0.0;
    q->main_impulse = q->lambda;
    if (q->limit_state == 0) continue;
    // Both act: the one that is not held has its own law.
    const double s_limit = LimitSoftness(*q);
    if (s_limit == 0.0) {
      q->main_impulse = 0.0;
      if (q->has_main) {
        q->main_impulse = q->main_state < 0   ? q->lo
                          : q->main_state > 0 ? q->hi
                                              : (q->u - q->rate) / q->s;
      }
      q->limit_impulse = q->lambda - q->main_impulse;
    } else if (q->has_main && q->main_state != 0) {
      q->main_impulse = q->main_state < 0 ? q->lo : q->hi;
      q->limit_impulse = q->lambda - q->main_impulse;
    } else {
      const double u = q->limit_state < 0 ? q->u_lower : q->u_upper;
      q->limit_impulse =
          q->has_main || q->locked ? (u - q->rate) / s_limit : q->lambda;
      q->main_impulse = 0.0;
      if (q->has_main) {
        q->main_impulse = q->locked ? q->lambda - q->limit_impulse
                                    : (q->u - q->rate) / Softness(*q);
      }
    }
  }
}

void TreeSolver::FinishRows() {
  if (has_simple_ && !SimpleDrivesFit()) ExpandSimpleDrives();
  if (!has_coordinates_ && !HasBodyRows()) return;
  for (const TreeNode& node : nodes) {
    if (node.num_coordinates > 0) FinishCoordinates(node);
  }
  FinishBodyRows();
}

}  // namespace limber::dynamics::internal
