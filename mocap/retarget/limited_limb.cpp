// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/limited_limb.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "figure/pose_metrics.h"

namespace limber::mocap {

namespace {

using figure::Anchor;
using figure::AnchorKind;
using figure::Pose;

constexpr int kSteps = 8;
constexpr double kLongestStep = 0.5;  // Of a coordinate [rad].
constexpr double kDamping = 1e-4;     // Beside weights of about one.

using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0,
                             LimitedLimb::kMost, LimitedLimb::kMost>;
using Column =
    Eigen::Matrix<double, Eigen::Dynamic, 1, 0, LimitedLimb::kMost, 1>;

/// Solves H dx = g and moves x, within its bounds. Coordinates at a bound that
/// are pulled outwards are left where they are; those that a step carries to a
/// bound are held there and the others solved for again.
void BoundedStep(const Square& H, const Column& g, const double* lower,
                 const double* upper, double* x) {
  const auto n = static_cast<int>(g.size());
  std::array<bool, LimitedLimb::kMost> is_held = {};
  std::array<double, LimitedLimb::kMost> move = {};
  for (int i = 0; i < n; ++i) {
    is_held[i] =
        (x[i] <= lower[i] && g[i] < 0.0) || (x[i] >= upper[i] && g[i] > 0.0);
  }
  for (int turn = 0; turn <= n; ++turn) {
    Square A = H;
    Column b = g;
    for (int i = 0; i < n; ++i) {
      if (!is_held[i]) continue;
      b -= H.col(i) * move[i];
    }
    for (int i = 0; i < n; ++i) {
      if (!is_held[i]) continue;
      A.row(i).setZero();
      A.col(i).setZero();
      A(i, i) = 1.0;
      b[i] = move[i];
    }
    const Column dx = A.ldlt().solve(b);
    bool any = false;
    for (int i = 0; i < n; ++i) {
      if (is_held[i]) continue;
      move[i] = std::clamp(dx[i], -kLongestStep, kLongestStep);
      if (x[i] + move[i] < lower[i] || x[i] + move[i] > upper[i]) {
        move[i] = std::clamp(x[i] + move[i], lower[i], upper[i]) - x[i];
        is_held[i] = true;
        any = true;
      }
    }
    if (!any) break;
  }
  for (int i = 0; i < n; ++i) {
    x[i] = std::clamp(x[i] + move[i], lower[i], upper[i]);
  }
}

/// The axes of an anchor's coordinates in the world, R_WF given.
void WorldAxes(const Anchor& anchor, const Quaternion& R_WF,
               const Quaternion& R_WM, const double* q, Vector3* axes) {
  switch (anchor.kind) {
    case AnchorKind::kBall: {
      // R_FM = Rx(q0) Ry(q1) Rz(q2)
      const Quaternion R_x =
          R_WF * Quaternion(Eigen::AngleAxisd(q[0], Vector3::UnitX()));
      axes[0] = R_WF * Vector3::UnitX();
      axes[1] = R_x * Vector3::UnitY();
      axes[2] = R_WM * Vector3::UnitZ();
      break;
    }
    case AnchorKind::kUniversal:
      axes[0] = R_WF * Vector3::UnitX();
      axes[1] = R_WM * Vector3::UnitY();
      break;
    case AnchorKind::kHinge:
      axes[0] = R_WF * Vector3::UnitZ();
      break;
    case AnchorKind::kFree:
    case AnchorKind::kWeld:
      break;
  }
}

}  // namespace

Quaternion WithCoordinates(const Anchor& anchor, const Quaternion& R_PJ,
                           const std::array<double, 3>& q) {
  const auto turn = [](const Vector3& axis, double angle) {
    return Quaternion(Eigen::AngleAxisd(angle, axis));
  };
  const Quaternion R_FM = anchor.R_PF.conjugate() * R_PJ * anchor.R_JM;
  Quaternion R = R_FM;
  switch (anchor.kind) {
    case AnchorKind::kBall:
      return figure::RotationOfAnchor(anchor, q);
    case AnchorKind::kUniversal: {
      // R_FM = Rx(q0) Rz(e) Ry(q1), and e stays.
      const std::array<double, 3> now = figure::MeasureAnchor(anchor, R_PJ).q;
      R = turn(Vector3::UnitX(), q[0] - now[0]) * R_FM *
          turn(Vector3::UnitY(), q[1] - now[1]);
      break;
    }
    case AnchorKind::kHinge: {
      const std::array<double, 3> now = figure::MeasureAnchor(anchor, R_PJ).q;
      R = turn(Vector3::UnitZ(), q[0] - now[0]) * R_FM;
      break;
    }
    case AnchorKind::kFree:
    case AnchorKind::kWeld:
      return R_PJ;
  }
  return (anchor.R_PF * R * anchor.R_JM.conjugate()).normalized();
}

std::array<double, 3> NearestWithinLimits(const Anchor& anchor,
                                          const Quaternion& R_PJ,
                                          const std::array<double, 3>& start) {
  const int n = anchor.num_axes();
  std::array<double, 3> lower = {};
  std::array<double, 3> upper = {};
  std::array<double, 3> q = start;
  for (int i = 0; i < n; ++i) {
    lower[i] = anchor.axes[i].lower;
    upper[i] = anchor.axes[i].upper;
    q[i] = std::clamp(q[i], lower[i], upper[i]);
  }
  if (anchor.kind != AnchorKind::kBall) return q;
  const Quaternion R_FM = anchor.R_PF.conjugate() * R_PJ * anchor.R_JM;
  for (int step = 0; step < kSteps; ++step) {
    const auto turn = [](const Vector3& axis, double angle) {
      return Quaternion(Eigen::AngleAxisd(angle, axis));
    };
    const Quaternion R_x = turn(Vector3::UnitX(), q[0]);
    const Quaternion R_xy = R_x * turn(Vector3::UnitY(), q[1]);
    const Quaternion R = R_xy * turn(Vector3::UnitZ(), q[2]);
    // e = log(R_FM Rᵀ), and dR Rᵀ = [x dq0 + R_x y dq1 + R_xy z dq2]
    const Vector3 e = LogRotation(R_FM * R.conjugate());
    Matrix3 J;
    J.col(0) = Vector3::UnitX();
    J.col(1) = R_x * Vector3::UnitY();
    J.col(2) = R_xy * Vector3::UnitZ();
    Square H = J.transpose() * J;
    H.diagonal().array() += kDamping;
    const Column g = J.transpose() * e;
    BoundedStep(H, g, lower.data(), upper.data(), q.data());
  }
  return q;
}

LimitedLimb::LimitedLimb(const Body& body, int first, int last)
    : figure_(body.figure) {
  for (int joint = last; joint >= 0;
       joint = body.skeleton->joint(joint).parent) {
    joints_.insert(joints_.begin(), joint);
    if (joint == first) break;
  }
  if (joints_.empty() || joints_.front() != first) {
    throw std::invalid_argument("joint " + std::to_string(last) +
                                " is not below joint " + std::to_string(first));
  }
  for (const int joint : joints_) {
    Link link{joint, nullptr, num_coordinates_};
    if (figure_) {
      for (const figure::FigureSegment& segment : figure_->segments) {
        if (segment.joint == joint && segment.anchor.has_limits()) {
          link.anchor = &segment.anchor;
        }
      }
    }
    const int n = link.anchor ? link.anchor->num_axes() : 0;
    if (num_coordinates_ + n > kMost) link.anchor = nullptr;
    if (link.anchor) {
      for (int i = 0; i < n; ++i) {
        lower_[num_coordinates_] = link.anchor->axes[i].lower;
        upper_[num_coordinates_++] = link.anchor->axes[i].upper;
      }
    }
    links_.push_back(link);
  }
}

double LimitedLimb::Violation(const Pose& pose) const {
  double beyond = 0.0;
  for (const Link& link : links_) {
    if (!link.anchor) continue;
    beyond = std::max(
        beyond, figure::LimitViolation(*link.anchor, pose.X_PJ[link.joint].R));
  }
  return beyond;
}

void LimitedLimb::GetCoordinates(const Pose& pose, double* x) const {
  for (const Link& link : links_) {
    if (!link.anchor) continue;
    const std::array<double, 3> q =
        figure::MeasureAnchor(*link.anchor, pose.X_PJ[link.joint].R).q;
    std::copy_n(q.begin(), link.anchor->num_axes(), x + link.first);
  }
}

void LimitedLimb::SetCoordinates(const double* x, Pose& pose) const {
  for (const Link& link : links_) {
    if (!link.anchor) continue;
    std::array<double, 3> q = {};
    std::copy_n(x + link.first, link.anchor->num_axes(), q.begin());
    Quaternion& R = pose.X_PJ[link.joint].R;
    R = WithCoordinates(*link.anchor, R, q);
  }
}

double LimitedLimb::Reach(const Transform& X_WP, const LimbGoals& goals,
                          Pose& pose) const {
  const int n = num_coordinates_;
  std::array<double, kMost> x0 = {};
  GetCoordinates(pose, x0.data());
  for (int i = 0; i < n; ++i) x0[i] = std::clamp(x0[i], lower_[i], upper_[i]);
  std::array<double, kMost> x = x0;
  std::array<Vector3, kMost> axes;
  std::array<Vector3, kMost> origins;
  constexpr std::size_t kMostLinks = 32;
  std::array<Transform, kMostLinks> X_WJ;
  const std::size_t num_links = std::min(links_.size(), kMostLinks);
  const auto link_of = [&](int joint) {
    for (std::size_t k = 0; k < num_links; ++k) {
      if (links_[k].joint == joint) return k;
    }
    return num_links - 1;
  };
  const auto place = [&] {
    SetCoordinates(x.data(), pose);
    Transform X = X_WP;
    for (std::size_t k = 0; k < num_links; ++k) {
      const Link& link = links_[k];
      const Quaternion R_WP = X.R;
      X = X * pose.X_PJ[link.joint];
      X_WJ[k] = X;
      if (!link.anchor) continue;
      WorldAxes(*link.anchor, R_WP * link.anchor->R_PF, X.R * link.anchor->R_JM,
                x.data() + link.first, axes.data() + link.first);
      for (int i = 0; i < link.anchor->num_axes(); ++i) {
        origins[link.first + i] = X.p;
      }
    }
  };
  // Which coordinates move link k: those of the links up to it.
  const auto count_to = [&](std::size_t k) {
    return k + 1 < links_.size() ? links_[k + 1].first : n;
  };
  double off = 0.0;
  for (int step = 0; step <= kSteps; ++step) {
    place();
    Square H = Square::Identity(n, n) *
               (goals.keep_weight * goals.keep_weight + kDamping);
    Column g(n);
    for (int i = 0; i < n; ++i) {
      g[i] = goals.keep_weight * goals.keep_weight * (x0[i] - x[i]);
    }
    off = 0.0;
    for (const PointGoal& goal : goals.points) {
      const std::size_t k = link_of(goal.joint);
      const Vector3 p = X_WJ[k] * goal.p_JQ;
      Vector3 e = goal.p_WQ - p;
      if (goal.is_floor) {
        if (e.y() <= 0.0) continue;
        e.x() = e.z() = 0.0;
      }
      off = std::max(off, e.norm());
      const int m = count_to(k);
      Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, kMost> J(3, n);
      J.setZero();
      for (int i = 0; i < m; ++i) {
        J.col(i) = axes[i].cross(p - origins[i]);
        if (goal.is_floor) J(0, i) = J(2, i) = 0.0;
      }
      const double w = goal.weight * goal.weight;
      H.noalias() += w * J.transpose() * J;
      g.noalias() += w * J.transpose() * e;
    }
    if (step == kSteps) break;
    if (goals.turned_joint >= 0) {
      const std::size_t k = link_of(goals.turned_joint);
      const Vector3 e = LogRotation(goals.R_WJ * X_WJ[k].R.conjugate());
      const double w = goals.turn_weight * goals.turn_weight;
      const int m = count_to(k);
      for (int i = 0; i < m; ++i) {
        g[i] += w * axes[i].dot(e);
        for (int j = 0; j < m; ++j) H(i, j) += w * axes[i].dot(axes[j]);
      }
    }
    BoundedStep(H, g, lower_.data(), upper_.data(), x.data());
  }
  return off;
}

}  // namespace limber::mocap
