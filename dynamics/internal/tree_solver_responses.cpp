// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tree_solver.h"

#include "core/index.h"

// How bodies of the trees answer to impulses on each other, with the factor of
// the last solve. An impulse on b goes up to the root and the motion comes down
// again: with X_i the motion that node i takes over from its parent, all rows
// of its joint in their states, and E_i what its joint alone lets through,
//
//     T_b = 1 ,  T_parent = X_i^T T_i           on the way from b to the root
//     R_0b = E_0 T_0 ,  R_ib = X_i R_parent,b + E_i T_i          down from it
//
// Only the nodes between the bodies asked for and their roots take part, and
// since R_bc is the transposed of R_cb, for each b only those between its
// successors and their roots.

namespace limber::dynamics::internal {

namespace {

Vector6 ToVector6(const Vec& linear, const Vec& angular) {
  Vector6 a;
  a << linear.x, linear.y, linear.z, angular.x, angular.y, angular.z;
  return a;
}

Matrix3 ToMatrix3(const Sym& s) {
  Matrix3 m;
  m << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz;
  return m;
}

Matrix3 ToMatrix3(const Mat& a) {
  Matrix3 m;
  m << a.m[0], a.m[1], a.m[2], a.m[3], a.m[4], a.m[5], a.m[6], a.m[7], a.m[8];
  return m;
}

// The motion of the parent at the joint: dx = dx_parent + dw_parent x l.
Matrix6 ShiftBy(const Vec& l) {
  Matrix6 X = Matrix6::Identity();
  X(0, 4) = l.z;
  X(0, 5) = -l.y;
  X(1, 3) = -l.z;
  X(1, 5) = l.x;
  X(2, 3) = l.y;
  X(2, 4) = -l.x;
  return X;
}

}  // namespace

// X and E of one node.
void TreeSolver::SetPropagator(int i) {
  const TreeNode& node = nodes[Index(i)];
  Propagator& own = propagators_[Index(i)];
  own.E.setZero();
  own.X = ShiftBy(node.l);
  switch (node.kind) {
    case TreeNode::Kind::kRigid:
      break;
    case TreeNode::Kind::kFreeRoot: {
      const Root& root = roots_[Index(i)];
      Matrix6 inverse_L = Matrix6::Identity();
      for (int r = 1; r < 6; ++r) {
        for (int k = 0; k < r; ++k) {
          inverse_L.row(r) -= root.L[r][k] * inverse_L.row(k);
        }
      }
      for (int r = 0; r < 6; ++r) {
        own.E += inverse_L.row(r).transpose() * inverse_L.row(r) / root.D[r];
      }
      break;
    }
    case TreeNode::Kind::kFreeBall:
      // dw = D^-1 t - W^T dx
      own.E.bottomRightCorner<3, 3>() = ToMatrix3(node.M.C);
      own.X.bottomRows<3>() =
          -ToMatrix3(node.M.H).transpose() * own.X.topRows<3>();
      break;
    case TreeNode::Kind::kSoftBall: {
      // dw = D^-1 (t + d dw_parent) - W^T dx
      const Matrix3 inverse_D = ToMatrix3(node.inverse_D);
      own.E.bottomRightCorner<3, 3>() = inverse_D;
      own.X.bottomRows<3>() =
          node.d * inverse_D * own.X.bottomRows<3>() -
          ToMatrix3(node.W).transpose() * own.X.topRows<3>();
      break;
    }
    case TreeNode::Kind::kMixed:
      if (node.turns) {
        SetTurningPropagator(node, own);
      } else {
        SetMixedPropagator(node, own);
      }
      break;
  }
}

// One direction a at a time: y = a.(f,t)/D and (f,t) -= y U on the way up,
// (dx,dw) += a (y - U.(dx,dw)/D) in the opposite order down.
void TreeSolver::SetMixedPropagator(const TreeNode& node,
                                    Propagator& own) const {
  Vector6 a[6], U[6];
  double inverse_D[6];
  Eigen::Matrix<double, 1, 6> y[6];
  Matrix6 F = Matrix6::Identity();
  int count = 0;
  for (int k = 0; k < node.num_coordinates; ++k) {
    const TreeCoordinate& q = coordinates[Index(node.first_coordinate + k)];
    if (q.locked) continue;
    a[count] = ToVector6(q.linear, q.angular);
    U[count] = ToVector6(q.U_linear, q.U_angular);
    inverse_D[count] = q.inverse_D;
    y[count] = q.inverse_D * (a[count].transpose() * F);
    F -= U[count] * y[count];
    ++count;
  }
  for (int k = count - 1; k >= 0; --k) {
    own.X -= a[k] * (inverse_D[k] * (U[k].transpose() * own.X));
    own.E += a[k] * (y[k] - inverse_D[k] * (U[k].transpose() * own.E));
  }
}

// The same where no direction shifts: of F, X and E only the rows of turns
// count.
void TreeSolver::SetTurningPropagator(const TreeNode& node,
                                      Propagator& own) const {
  using Matrix36 = Eigen::Matrix<double, 3, 6>;
  Vector3 a[3], U_angular[3], U_linear[3];
  double inverse_D[3];
  Eigen::Matrix<double, 1, 6> y[3];
  Matrix36 T = Matrix36::Zero();
  T.rightCols<3>().setIdentity();
  int count = 0;
  for (int k = 0; k < node.num_coordinates; ++k) {
    const TreeCoordinate& q = coordinates[Index(node.first_coordinate + k)];
    if (q.locked) continue;
    a[count] = ToEigen(q.angular);
    U_linear[count] = ToEigen(q.U_linear);
    U_angular[count] = ToEigen(q.U_angular);
    inverse_D[count] = q.inverse_D;
    y[count] = q.inverse_D * (a[count].transpose() * T);
    T -= U_angular[count] * y[count];
    ++count;
  }
  const Matrix36 X_linear = own.X.topRows<3>();
  Matrix36 X = own.X.bottomRows<3>();
  Matrix36 E = Matrix36::Zero();
  for (int k = count - 1; k >= 0; --k) {
    X -= a[k] * (inverse_D[k] * (U_linear[k].transpose() * X_linear +
                                 U_angular[k].transpose() * X));
    E += a[k] * (y[k] - inverse_D[k] * (U_angular[k].transpose() * E));
  }
  own.X.bottomRows<3>() = X;
  own.E.bottomRows<3>() = E;
}

void TreeSolver::FindResponses(const std::vector<int>& touched,
                               std::vector<Matrix6>& responses) {
  const std::size_t num = touched.size();
  responses.resize(num * num);
  if (all_held_) {
    for (Matrix6& R : responses) R.setZero();
    return;
  }
  if (propagators_.size() < nodes.size()) propagators_.resize(nodes.size());
  // The nodes from the touched ones to the roots, parents first, and the last
  // of the touched ones that hangs on each.
  for (Propagator& own : propagators_) own.last = -1;
  for (std::size_t n = num; n-- > 0;) {
    for (int i = touched[n]; i >= 0 && propagators_[Index(i)].last < 0;
         i = nodes[Index(i)].parent) {
      propagators_[Index(i)].last = static_cast<int>(n);
    }
  }
  used_nodes_.clear();
  for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
    if (propagators_[Index(i)].last < 0) continue;
    used_nodes_.push_back(i);
    SetPropagator(i);
  }
  for (std::size_t n = 0; n < num; ++n) {
    const int b = touched[n];
    for (const int i : used_nodes_) propagators_[Index(i)].above = false;
    Matrix6 T = Matrix6::Identity();
    for (int i = b; i >= 0; i = nodes[Index(i)].parent) {
      Propagator& own = propagators_[Index(i)];
      own.above = true;
      own.R.noalias() = own.E * T;
      if (nodes[Index(i)].parent < 0) break;
      const Matrix6 next = own.X.transpose() * T;
      T = next;
    }
    for (const int i : used_nodes_) {
      Propagator& own = propagators_[Index(i)];
      if (own.last < static_cast<int>(n)) continue;
      if (!own.above) own.R.setZero();
      const int parent = nodes[Index(i)].parent;
      if (parent >= 0) own.R.noalias() += own.X * propagators_[Index(parent)].R;
    }
    responses[n * num + n] = propagators_[Index(b)].R;
    for (std::size_t c = n + 1; c < num; ++c) {
      responses[c * num + n] = propagators_[Index(touched[c])].R;
      responses[n * num + c] = responses[c * num + n].transpose();
    }
  }
}

}  // namespace limber::dynamics::internal
