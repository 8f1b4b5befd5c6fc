// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/limited_limb.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/checkpoint.h"
#include "figure/pose_metrics.h"

namespace limber::mocap {

namespace {

using figure::Anchor;
using figure::AnchorKind;
using figure::Pose;

constexpr int kSteps = 8;
constexpr double kLongestStep = 0.5;  // Of a coordinate [rad].
constexpr double kDamping = 1e-4;     // Beside weights of about one.
constexpr int kMostSteps = 40;        // Of a limb; most settle in five.
constexpr double kMoreDamping = 10.0;
constexpr double kMostDamping = 1e8;  // Steps are below a nanometre then.
constexpr double kSettled = 1e-6;     // Of the cost: less is no gain.
/// Where a coordinate changes by more from frame to frame it is looked whether
/// it jumped [rad]: 6 rad/s at 120 Hz, which only fast limbs reach.
constexpr double kJumps = 0.05;

/// Newton steps that bring points to their goals: each leaves about the square
/// of what there was, so that three are enough from a tenth of a millimetre.
constexpr int kExactSteps = 3;
/// Beside the squares of a limb's lengths: makes the least change unique, and
/// leaves a ten-millionth of the way in each step [m^2].
constexpr double kLeastNorm = 1e-9;

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

LimitedLimb::LimitedLimb(const HumanBody& body, int first, int last)
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

/// One search of a limb for its goals: coordinates, places, cost, steps.
class LimitedLimb::Search {
 public:
  Search(const LimitedLimb& limb, const Transform& X_WP, const LimbGoals& goals,
         Pose& pose)
      : limb_(limb),
        X_WP_(X_WP),
        goals_(goals),
        pose_(pose),
        n_(limb.num_coordinates_),
        num_links_(std::min(limb.links_.size(), kMostLinks)) {
    limb.GetCoordinates(pose, x0_.data());
    for (int i = 0; i < n_; ++i) {
      x0_[i] = std::clamp(x0_[i], limb.lower_[i], limb.upper_[i]);
    }
    x_ = x0_;
  }

  /// Begins elsewhere; what is kept is still where the limb was.
  void BeginFrom(const Pose& pose) {
    limb_.GetCoordinates(pose, x_.data());
    for (int i = 0; i < n_; ++i) {
      x_[i] = std::clamp(x_[i], limb_.lower_[i], limb_.upper_[i]);
    }
  }

  /// How far the farthest coordinate is from those of `pose` [rad].
  double FarFrom(const Pose& pose) const {
    std::array<double, kMost> other = {};
    limb_.GetCoordinates(pose, other.data());
    double far = 0.0;
    for (int i = 0; i < n_; ++i)
      far = std::max(far, std::abs(x_[i] - other[i]));
    return far;
  }

  /// Steps that would make things worse are shortened by more damping. Returns
  /// the cost.
  double Run() {
    double damping = kDamping;
    Place();
    double cost = Cost();
    for (int step = 0; step < kMostSteps && damping < kMostDamping; ++step) {
      Square H;
      Column g;
      Linearise(H, g);
      const std::array<double, kMost> before = x_;
      double after = cost;
      for (; damping < kMostDamping; damping *= kMoreDamping) {
        Square damped = H;
        damped.diagonal().array() += damping;
        x_ = before;
        BoundedStep(damped, g, limb_.lower_.data(), limb_.upper_.data(),
                    x_.data());
        Place();
        after = Cost();
        if (after <= cost) break;
      }
      if (after > cost) {
        x_ = before;
        Place();
        return cost;
      }
      damping = std::max(kDamping, damping / kMoreDamping);
      if (cost - after <= kSettled * cost) return after;
      cost = after;
    }
    return cost;
  }

  /// Points that are nearly at their goals go there by the least change of
  /// coordinates, within bounds:
  ///
  ///     min |dx|²        J dx = e
  ///
  /// What the other goals left them to lack is small, and a foot that stands
  /// must stand where it does.
  void GoExactly() {
    for (int step = 0; step < kExactSteps; ++step) {
      const double off = OffPlaces();
      if (off <= 0.0 || off > goals_.exact_within) return;
      Square H = Square::Identity(n_, n_) * kLeastNorm;
      Column g = Column::Zero(n_);
      for (const PointGoal& goal : goals_.points) {
        if (!goal.is_floor) AddPoint(goal, 1.0, H, g);
      }
      const std::array<double, kMost> before = x_;
      BoundedStep(H, g, limb_.lower_.data(), limb_.upper_.data(), x_.data());
      Place();
      if (OffPlaces() < off) continue;
      x_ = before;
      Place();
      return;
    }
  }

  /// The largest distance of a point from its goal [m].
  double Off() const {
    double off = 0.0;
    for (const PointGoal& goal : goals_.points) {
      off = std::max(off, Error(goal).norm());
    }
    return off;
  }

 private:
  static constexpr std::size_t kMostLinks = 32;

  /// The same, floors apart [m].
  double OffPlaces() const {
    double off = 0.0;
    for (const PointGoal& goal : goals_.points) {
      if (!goal.is_floor) off = std::max(off, Error(goal).norm());
    }
    return off;
  }

  std::size_t LinkOf(int joint) const {
    for (std::size_t k = 0; k < num_links_; ++k) {
      if (limb_.links_[k].joint == joint) return k;
    }
    return num_links_ - 1;
  }

  /// Which coordinates move link k: those of the links up to it.
  int CountTo(std::size_t k) const {
    return k + 1 < limb_.links_.size() ? limb_.links_[k + 1].first : n_;
  }

  /// The limb at x.
  void Place() {
    limb_.SetCoordinates(x_.data(), pose_);
    Transform X = X_WP_;
    for (std::size_t k = 0; k < num_links_; ++k) {
      const Link& link = limb_.links_[k];
      const Quaternion R_WP = X.R;
      X = X * pose_.X_PJ[link.joint];
      X_WJ_[k] = X;
      if (!link.anchor) continue;
      WorldAxes(*link.anchor, R_WP * link.anchor->R_PF, X.R * link.anchor->R_JM,
                x_.data() + link.first, axes_.data() + link.first);
      for (int i = 0; i < link.anchor->num_axes(); ++i) {
        origins_[link.first + i] = X.p;
      }
    }
  }

  /// What a point lacks [m].
  Vector3 Error(const PointGoal& goal) const {
    const Vector3 e = goal.p_WQ - X_WJ_[LinkOf(goal.joint)] * goal.p_JQ;
    if (!goal.is_floor) return e;
    return Vector3(0.0, std::max(0.0, e.y()), 0.0);
  }

  Vector3 TurnError() const {
    const Quaternion& R = X_WJ_[LinkOf(goals_.turned_joint)].R;
    return LogRotation(goals_.R_WJ * R.conjugate());
  }

  double Cost() const {
    double cost = 0.0;
    for (int i = 0; i < n_; ++i) {
      const double moved = goals_.keep_weight * (x_[i] - x0_[i]);
      cost += moved * moved;
    }
    for (const PointGoal& goal : goals_.points) {
      cost += goal.weight * goal.weight * Error(goal).squaredNorm();
    }
    if (goals_.turned_joint >= 0) {
      cost +=
          goals_.turn_weight * goals_.turn_weight * TurnError().squaredNorm();
    }
    return cost;
  }

  /// What a point adds to H dx = g, times w.
  void AddPoint(const PointGoal& goal, double w, Square& H, Column& g) const {
    const Vector3 e = Error(goal);
    if (goal.is_floor && e.y() <= 0.0) return;
    const std::size_t k = LinkOf(goal.joint);
    const Vector3 p = X_WJ_[k] * goal.p_JQ;
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, kMost> J(3, n_);
    J.setZero();
    for (int i = 0; i < CountTo(k); ++i) {
      J.col(i) = axes_[i].cross(p - origins_[i]);
      if (goal.is_floor) J(0, i) = J(2, i) = 0.0;
    }
    H.noalias() += w * J.transpose() * J;
    g.noalias() += w * J.transpose() * e;
  }

  /// H dx = g, the step without damping.
  void Linearise(Square& H, Column& g) const {
    const double keep = goals_.keep_weight * goals_.keep_weight;
    H = Square::Identity(n_, n_) * keep;
    g.resize(n_);
    for (int i = 0; i < n_; ++i) g[i] = keep * (x0_[i] - x_[i]);
    for (const PointGoal& goal : goals_.points) {
      AddPoint(goal, goal.weight * goal.weight, H, g);
    }
    if (goals_.turned_joint < 0) return;
    const Vector3 e = TurnError();
    const double w = goals_.turn_weight * goals_.turn_weight;
    const int m = CountTo(LinkOf(goals_.turned_joint));
    for (int i = 0; i < m; ++i) {
      g[i] += w * axes_[i].dot(e);
      for (int j = 0; j < m; ++j) H(i, j) += w * axes_[i].dot(axes_[j]);
    }
  }

  const LimitedLimb& limb_;
  const Transform X_WP_;
  const LimbGoals& goals_;
  Pose& pose_;
  const int n_;
  const std::size_t num_links_;
  std::array<double, kMost> x0_ = {};
  std::array<double, kMost> x_ = {};
  std::array<Vector3, kMost> axes_;
  std::array<Vector3, kMost> origins_;
  std::array<Transform, kMostLinks> X_WJ_;
};

LimbReach LimitedLimb::Reach(const Transform& X_WP, const LimbGoals& goals,
                             Pose& pose, const Pose* neighbour) const {
  Checkpoint();
  Pose other = neighbour != nullptr ? pose : Pose();
  Search search(*this, X_WP, goals, pose);
  const double cost = search.Run();
  if (neighbour == nullptr || search.FarFrom(*neighbour) <= kJumps) {
    search.GoExactly();
    return {search.Off(), cost};
  }
  Search again(*this, X_WP, goals, other);
  again.BeginFrom(*neighbour);
  const double other_cost = again.Run();
  if (other_cost >= cost) {
    search.GoExactly();
    return {search.Off(), cost};
  }
  again.GoExactly();
  pose = std::move(other);
  return {again.Off(), other_cost};
}

}  // namespace limber::mocap
