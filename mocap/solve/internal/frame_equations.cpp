// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/frame_equations.h"

#include <cmath>
#include <cstddef>

namespace limber::mocap::internal {

namespace {

/// Jr⁻¹(e): Log(Exp(e) Exp(x)) = e + Jr⁻¹(e) x + O(x²).
Matrix3 InverseRightJacobian(const Vector3& e) {
  const double theta_squared = e.squaredNorm();
  // (1 - θ/2 cot(θ/2)) / θ², by its series near zero.
  double k = 1.0 / 12 + theta_squared / 720;
  if (theta_squared > 1e-4) {
    const double half = 0.5 * std::sqrt(theta_squared);
    k = (1 - half / std::tan(half)) / theta_squared;
  }
  const Matrix3 s = Skew(e);
  return Matrix3::Identity() + 0.5 * s + k * (s * s);
}

/// One row of a prior: residual r and its derivative J by the joint's step.
struct Row {
  double r = 0.0;  ///< In sigmas.
  Vector3 J = Vector3::Zero();
};

/// Calls `add(row)` for every row of the joint's prior.
template <typename Add>
void ForEachPriorRow(const JointModel& model, const Quaternion& R_PJ,
                     double sigma_limit, bool with_jacobian, const Add& add) {
  if (model.prior == JointPrior::kNone) return;
  if (model.prior == JointPrior::kBall) {
    const Vector3 e = LogRotation(R_PJ);
    Matrix3 J = Matrix3::Zero();
    if (with_jacobian) J = InverseRightJacobian(e);
    for (int k = 0; k < 3; ++k) {
      add(Row{e[k] / model.sigma[k], J.row(k).transpose() / model.sigma[k]});
      double over = 0.0;
      if (e[k] > model.upper[k]) over = e[k] - model.upper[k];
      if (e[k] < model.lower[k]) over = e[k] - model.lower[k];
      if (over != 0.0) {
        add(Row{over / sigma_limit, J.row(k).transpose() / sigma_limit});
      }
    }
    return;
  }
  // The parent's axis a seen from the segment: a_J = Rᵀ a, da_J = a_J × x.
  // Its component along the bone l is the side leaning, that along n = a × l
  // the twist.
  const Matrix3 R = R_PJ.toRotationMatrix();
  const Vector3& a = model.axis;
  const Vector3& l = model.bone;
  const Vector3 n = a.cross(l);
  const Vector3 a_J = R.transpose() * a;
  add(Row{a_J.dot(l) / model.sigma_side, l.cross(a_J) / model.sigma_side});
  add(Row{a_J.dot(n) / model.sigma_twist, n.cross(a_J) / model.sigma_twist});
  // θ = atan2(v·n, v·l) with v = R l, dv = R (x × l).
  const Vector3 v = R * l;
  const double vn = v.dot(n);
  const double vl = v.dot(l);
  const double angle = std::atan2(vn, vl);
  double over = 0.0;
  if (angle > model.upper_angle) over = angle - model.upper_angle;
  if (angle < model.lower_angle) over = angle - model.lower_angle;
  if (over == 0.0) return;
  const Vector3 dvn = l.cross(R.transpose() * n);
  const Vector3 dvl = l.cross(R.transpose() * l);
  const Vector3 J = (vl * dvn - vn * dvl) / (vn * vn + vl * vl);
  add(Row{over / sigma_limit, J / sigma_limit});
}

/// Sums over the markers of a subtree, places relative to the pelvis.
struct Moments {
  double c = 0.0;                 ///< Σ w
  Vector3 b = Vector3::Zero();    ///< Σ w p
  Matrix3 A = Matrix3::Zero();    ///< Σ w p pᵀ
  Vector3 f = Vector3::Zero();    ///< Σ w r
  Vector3 tau = Vector3::Zero();  ///< Σ w p × r
};

}  // namespace

RobustLoss GemanMcClure(double x_squared, double c) {
  if (std::isinf(c)) return {0.5 * x_squared, 1.0};
  const double share = c * c / (c * c + x_squared);
  return {0.5 * x_squared * share, share * share};
}

double FrameCost(const Actor& actor, const BodyKinematics& kinematics,
                 const BodyPose& pose, std::span<const Vector3> observed,
                 const Weighting& weighting) {
  double cost = 0.0;
  const double per_variance =
      1 / (weighting.sigma_marker * weighting.sigma_marker);
  for (std::size_t m = 0; m < actor.markers.size(); ++m) {
    if (!IsSeen(observed[m])) continue;
    const ActorMarker& marker = actor.markers[m];
    const Vector3 r = kinematics.p_WJ[marker.segment] +
                      kinematics.R_WJ[marker.segment] * marker.p_JM -
                      observed[m];
    cost += marker.weight *
            GemanMcClure(r.squaredNorm() * per_variance, weighting.robust_scale)
                .cost;
  }
  for (int j = 1; j < kNumSegments; ++j) {
    if (!actor.moves[j]) continue;
    ForEachPriorRow(Body()[j].model, pose.R_PJ[j], weighting.sigma_limit, false,
                    [&cost](const Row& row) { cost += 0.5 * row.r * row.r; });
  }
  return cost;
}

double AddFrame(const Actor& actor, const BodyKinematics& kinematics,
                const BodyPose& pose, std::span<const Vector3> observed,
                const Weighting& weighting, TreeSystem& system) {
  const auto& body = Body();
  const BlockTree& tree = Blocks();
  double cost = 0.0;
  const double per_variance =
      1 / (weighting.sigma_marker * weighting.sigma_marker);
  const Vector3 p_WR = pose.p_WR;

  // Markers into the moments of their segments.
  std::array<Moments, kNumSegments> moments;
  for (std::size_t m = 0; m < actor.markers.size(); ++m) {
    if (!IsSeen(observed[m])) continue;
    const ActorMarker& marker = actor.markers[m];
    const int j = marker.segment;
    const Vector3 p_WM = kinematics.p_WJ[j] + kinematics.R_WJ[j] * marker.p_JM;
    const Vector3 r = p_WM - observed[m];
    const RobustLoss loss =
        GemanMcClure(r.squaredNorm() * per_variance, weighting.robust_scale);
    cost += marker.weight * loss.cost;
    const double w = marker.weight * loss.weight * per_variance;
    const Vector3 p = p_WM - p_WR;
    Moments& sum = moments[j];
    sum.c += w;
    sum.b += w * p;
    sum.A.noalias() += (w * p) * p.transpose();
    sum.f += w * r;
    sum.tau += p.cross(w * r);
  }
  // From the leaves to the root, so that each holds its whole subtree.
  for (int j = kNumSegments - 1; j > 0; --j) {
    Moments& up = moments[body[j].parent];
    const Moments& sum = moments[j];
    up.c += sum.c;
    up.b += sum.b;
    up.A += sum.A;
    up.f += sum.f;
    up.tau += sum.tau;
  }

  // A step x of joint i moves marker p by R_i x × u, u = p − p_i. For joint i
  // above j, summed over the markers below j:
  //
  //   H_ij = R_iᵀ (Σ w [u_i]ᵀ[u_j]) R_j = R_iᵀ (tr M · 1 − M) R_j
  //   M    = Σ w u_j u_iᵀ = A − b p_iᵀ − p_j bᵀ + c p_j p_iᵀ
  //   g_j  = R_jᵀ (τ − p_j × f)
  //
  // The translation has H_0j = −[b − c p_j] R_j, g_0 = f.
  std::array<Vector3, kNumSegments> p;
  for (int j = 0; j < kNumSegments; ++j) p[j] = kinematics.p_WJ[j] - p_WR;
  system.H(0, 0).diagonal().array() += moments[0].c;
  system.g(0) += moments[0].f;
  for (int j = 0; j < kNumSegments; ++j) {
    if (system.is_fixed(j + 1)) continue;
    const Moments& sum = moments[j];
    const Matrix3& R_j = kinematics.R_WJ[j];
    const Vector3 arm = sum.b - sum.c * p[j];
    system.H(j + 1, 0).noalias() -= Skew(arm) * R_j;
    // M = (A − p_j bᵀ) − (b − c p_j) p_iᵀ
    const Matrix3 base = sum.A - p[j] * sum.b.transpose();
    for (int d = 1; d <= tree.depth[j + 1]; ++d) {
      const int i = tree.path[j + 1][d] - 1;
      if (system.is_fixed(i + 1)) continue;
      Matrix3 M = base;
      M.noalias() -= arm * p[i].transpose();
      Matrix3 block = -M;
      block.diagonal().array() += M.trace();
      const Matrix3 right = block * R_j;
      system.H(j + 1, d).noalias() += kinematics.R_WJ[i].transpose() * right;
    }
    system.g(j + 1).noalias() +=
        R_j.transpose() * (sum.tau - p[j].cross(sum.f));
    if (j == 0) continue;
    Matrix3& D = system.Diagonal(j + 1);
    Vector3& g = system.g(j + 1);
    ForEachPriorRow(body[j].model, pose.R_PJ[j], weighting.sigma_limit, true,
                    [&](const Row& row) {
                      cost += 0.5 * row.r * row.r;
                      D.noalias() += row.J * row.J.transpose();
                      g += row.r * row.J;
                    });
  }
  return cost;
}

double AddPull(const BodyPose& pose, const BodyPose& target,
               const BlockWeights& weights, TreeSystem& system) {
  double cost = 0.0;
  for (int b = 0; b < kNumBlocks; ++b) {
    if (system.is_fixed(b) || weights[b] == 0) continue;
    const Vector3 e =
        b == 0 ? Vector3(pose.p_WR - target.p_WR)
               : LogRotation(target.R_PJ[b - 1].conjugate() * pose.R_PJ[b - 1]);
    cost += 0.5 * weights[b] * e.squaredNorm();
    // The derivative of Log leaves e itself unchanged, so g = w e is exact.
    system.Diagonal(b).diagonal().array() += weights[b];
    system.g(b) += weights[b] * e;
  }
  return cost;
}

double PullCost(const BodyPose& pose, const BodyPose& target,
                const BlockWeights& weights) {
  double cost = 0.5 * weights[0] * (pose.p_WR - target.p_WR).squaredNorm();
  for (int b = 1; b < kNumBlocks; ++b) {
    if (weights[b] == 0) continue;
    cost += 0.5 * weights[b] *
            LogRotation(target.R_PJ[b - 1].conjugate() * pose.R_PJ[b - 1])
                .squaredNorm();
  }
  return cost;
}

void Move(BodyPose& pose, const std::array<Vector3, kNumBlocks>& x) {
  pose.p_WR += x[0];
  for (int j = 0; j < kNumSegments; ++j) {
    if (x[j + 1] == Vector3::Zero()) continue;
    pose.R_PJ[j] = (pose.R_PJ[j] * ExpRotation(x[j + 1])).normalized();
  }
}

void Difference(const BodyPose& a, const BodyPose& b,
                std::array<Vector3, kNumBlocks>& x) {
  x[0] = b.p_WR - a.p_WR;
  for (int j = 0; j < kNumSegments; ++j) {
    x[j + 1] = LogRotation(a.R_PJ[j].conjugate() * b.R_PJ[j]);
  }
}

}  // namespace limber::mocap::internal
