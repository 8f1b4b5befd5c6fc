// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tree_solver.h"

#include "core/index.h"
#include "dynamics/internal/tree_solver_sweeps.h"

namespace limber::dynamics::internal {

namespace {

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
  // Where nothing acts the axes do not matter.
  if (node.turns && num_free == 3 && q[0].Idle() && q[1].Idle() &&
      q[2].Idle()) {
    node.d = 0.0;
    node.c = Vec{};
    return Kind::kFreeBall;
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
  // Beside contacts whatever changes a state marks its node.
  if (!touching || IsDirty(node)) {
    for (int k = 0; k < node.num_coordinates; ++k) KeepMode(q[k]);
    node.kind = KindOf(node);
  }
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
    if (!node.turns) x += q[k].q0 * q[k].linear;
  }
  node.x = x;
  node.w = w;
  LoadMomentum(node);
}

void TreeSolver::Start() {
  other_rows.clear();
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
    StartLimpBall(node);
    return;
  }
  if (node.num_coordinates > 0) {
    has_coordinates_ = true;
    for (int k = 0; k < node.num_coordinates; ++k) {
      TreeCoordinate& q = coordinates[Index(node.first_coordinate + k)];
      if (touching && q.bounded()) {
        LendSoftness(node, q);
        // What runs into a limit in this step is held from the start.
        if (q.has_lower && q.guess < q.u_lower) q.limit_state = -1;
        if (q.has_upper && q.guess > q.u_upper) q.limit_state = 1;
      }
      Admit(q);
      q.mode = TreeCoordinate::kNoMode;
    }
  }
  if (node.simple) {
    has_simple_ = true;
    node.c = Vec{};
  }
  PredictNode(node);
}

// V* does not depend on the inertia.
void TreeSolver::ChangeInertia(int i, const Sym& inertia) {
  TreeNode& node = nodes[Index(i)];
  node.inertia = inertia;
  LoadMomentum(node);
}

void TreeSolver::Predict() {
  nodes_held_ = true;
  for (TreeNode& node : nodes) PredictNode(node);
}

// f, t: the missing momentum and the impulses of the body rows.
void TreeSolver::LoadRightSide() {
  for (TreeNode& node : nodes) LoadMomentum(node);
  AddBodyRows();
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
      if (!node.turns) q->lambda += Dot(q->linear, node.F);
    } else {
      if (three) q->delta = Dot(node.ball ? q->angular : q->row, turn);
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
