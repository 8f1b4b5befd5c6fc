// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/calibration_fit.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "mocap/solve/internal/frame_fit.h"

namespace limber::mocap::internal {

namespace {

bool IsOnPath(int segment, int joint) {
  while (segment > joint) segment = Body()[segment].parent;
  return segment == joint;
}

}  // namespace

std::vector<Measure> BodyMeasures(const Actor& actor, double scale,
                                  bool symmetric) {
  std::vector<Measure> measures;
  const auto add = [&](const char* name, Segment left, int axis, double sigma) {
    const int right = Body()[left].mirror;
    const bool has_sides = right != left;
    const double sign = axis == 0 ? -1.0 : 1.0;
    // A leg points down: lengths are positive along the bone.
    const Vector3& offset = Body()[left].offset;
    const Vector3 direction =
        Vector3::Unit(axis) * (offset[axis] < 0 ? -1.0 : 1.0);
    const double prior = std::abs(offset[axis]) * scale;
    const bool left_counts = actor.moves[left];
    const bool right_counts = actor.moves[right];
    if (!left_counts && !right_counts) return;
    Measure measure{name, {{left, direction}}, prior, sigma * scale};
    if (has_sides && symmetric) {
      measure.directions.push_back({right, sign * direction});
    }
    if (!has_sides || symmetric) {
      measures.push_back(std::move(measure));
      return;
    }
    measure.name = std::string("left ") + name;
    if (left_counts) measures.push_back(measure);
    measure.name = std::string("right ") + name;
    measure.directions = {{right, sign * direction}};
    if (right_counts) measures.push_back(measure);
  };
  // Spreads between people of one height [m].
  add("hip half width", kLeftUpperLeg, 0, 0.005);
  add("pelvis to spine, up", kSpine, 1, 0.02);
  add("pelvis to spine, back", kSpine, 2, 0.02);
  add("lower spine", kChest, 1, 0.025);
  add("lower spine, back", kChest, 2, 0.015);
  add("chest to neck, up", kNeck, 1, 0.03);
  add("chest to neck, forward", kNeck, 2, 0.02);
  add("neck", kHead, 1, 0.015);
  add("neck, forward", kHead, 2, 0.015);
  add("chest to clavicle, up", kLeftClavicle, 1, 0.02);
  add("chest to clavicle, forward", kLeftClavicle, 2, 0.02);
  add("clavicle", kLeftUpperArm, 0, 0.02);
  add("shoulder, up", kLeftUpperArm, 1, 0.015);
  add("shoulder, back", kLeftUpperArm, 2, 0.02);
  add("upper arm", kLeftForearm, 0, 0.03);
  add("forearm", kLeftHand, 0, 0.03);
  add("thigh", kLeftLowerLeg, 1, 0.04);
  add("shank", kLeftFoot, 1, 0.04);
  add("ankle to toes, up", kLeftToes, 1, 0.015);
  add("ankle to toes, forward", kLeftToes, 2, 0.02);
  return measures;
}

double ValueOf(const Measure& measure, const BodyOffsets& p_PJ) {
  const auto& [segment, direction] = measure.directions.front();
  return p_PJ[segment].dot(direction);
}

CalibrationFit::CalibrationFit(Actor actor, std::vector<Measure> measures,
                               std::vector<Vector3> place_priors,
                               std::vector<double> place_sigmas)
    : actor_(std::move(actor)),
      measures_(std::move(measures)),
      place_priors_(std::move(place_priors)),
      place_sigmas_(std::move(place_sigmas)) {
  for (const Measure& measure : measures_) {
    values_.push_back(ValueOf(measure, actor_.p_PJ));
  }
}

void CalibrationFit::AddFrame(std::span<const Vector3> observed,
                              const BodyPose& pose) {
  observed_.emplace_back(observed.begin(), observed.end());
  poses_.push_back(pose);
}

double CalibrationFit::PriorCost() const {
  double cost = 0.0;
  for (std::size_t k = 0; k < measures_.size(); ++k) {
    const double r = (values_[k] - measures_[k].prior) / measures_[k].sigma;
    cost += 0.5 * r * r;
  }
  for (std::size_t m = 0; m < actor_.markers.size(); ++m) {
    cost += 0.5 * (actor_.markers[m].p_JM - place_priors_[m]).squaredNorm() /
            (place_sigmas_[m] * place_sigmas_[m]);
  }
  return cost;
}

double CalibrationFit::Cost(const Weighting& weighting) const {
  double cost = PriorCost();
  BodyKinematics kinematics;
  for (std::size_t f = 0; f < poses_.size(); ++f) {
    kinematics.Update(actor_.p_PJ, poses_[f]);
    cost += FrameCost(actor_, kinematics, poses_[f], observed_[f], weighting);
  }
  return cost;
}

void CalibrationFit::AddParameters(std::size_t frame,
                                   const BodyKinematics& kinematics,
                                   const Weighting& weighting, MatrixX& H_fc,
                                   MatrixX& H_cc, VectorX& g_c) const {
  const BlockTree& tree = Blocks();
  const int num_measures = static_cast<int>(measures_.size());
  const double per_variance =
      1 / (weighting.sigma_marker * weighting.sigma_marker);
  std::vector<Vector3> by_measure(measures_.size());
  std::vector<int> active;
  for (std::size_t m = 0; m < actor_.markers.size(); ++m) {
    const Vector3& seen = observed_[frame][m];
    if (!IsSeen(seen)) continue;
    const ActorMarker& marker = actor_.markers[m];
    const int j = marker.segment;
    const Matrix3& R_WJ = kinematics.R_WJ[j];
    const Vector3 p_WM = kinematics.p_WJ[j] + R_WJ * marker.p_JM;
    const Vector3 r = p_WM - seen;
    const double w =
        per_variance * marker.weight *
        GemanMcClure(r.squaredNorm() * per_variance, weighting.robust_scale)
            .weight;
    // ∂p_WM/∂measure = R_WP d for the joints on the way to the marker.
    active.clear();
    for (int k = 0; k < num_measures; ++k) {
      Vector3 sum = Vector3::Zero();
      bool any = false;
      for (const auto& [segment, direction] : measures_[k].directions) {
        if (!IsOnPath(j, segment)) continue;
        sum += kinematics.R_WJ[Body()[segment].parent] * direction;
        any = true;
      }
      if (!any) continue;
      by_measure[k] = sum;
      active.push_back(k);
    }
    const int place = num_measures + 3 * static_cast<int>(m);
    for (std::size_t a = 0; a < active.size(); ++a) {
      const int k = active[a];
      g_c[k] += w * by_measure[k].dot(r);
      for (std::size_t b = 0; b <= a; ++b) {
        H_cc(k, active[b]) += w * by_measure[k].dot(by_measure[active[b]]);
      }
      H_cc.block<3, 1>(place, k) += w * R_WJ.transpose() * by_measure[k];
    }
    H_cc.block<3, 3>(place, place).diagonal().array() += w;
    g_c.segment<3>(place) += w * R_WJ.transpose() * r;
    // Against the poses: ∂p_WM/∂x_i = −[p_WM − p_i] R_i, and 1 for the
    // translation.
    for (int d = 0; d <= tree.depth[j + 1]; ++d) {
      const int block = tree.path[j + 1][d];
      Matrix3 J_t = Matrix3::Identity();
      if (block > 0) {
        if (!actor_.moves[block - 1]) continue;
        J_t = kinematics.R_WJ[block - 1].transpose() *
              Skew(p_WM - kinematics.p_WJ[block - 1]);
      }
      for (const int k : active) {
        H_fc.block<3, 1>(3 * block, k) += w * (J_t * by_measure[k]);
      }
      H_fc.block<3, 3>(3 * block, place) += w * (J_t * R_WJ);
    }
  }
}

void CalibrationFit::AddPriors(MatrixX& H_cc, VectorX& g_c) const {
  for (std::size_t k = 0; k < measures_.size(); ++k) {
    const double precision = 1 / (measures_[k].sigma * measures_[k].sigma);
    H_cc(k, k) += precision;
    g_c[k] += precision * (values_[k] - measures_[k].prior);
  }
  for (std::size_t m = 0; m < actor_.markers.size(); ++m) {
    const double precision = 1 / (place_sigmas_[m] * place_sigmas_[m]);
    const std::size_t place = measures_.size() + 3 * m;
    H_cc.block<3, 3>(place, place).diagonal().array() += precision;
    g_c.segment<3>(place) +=
        precision * (actor_.markers[m].p_JM - place_priors_[m]);
  }
}

void CalibrationFit::EliminatePose(const TreeSystem& system, MatrixX& H_fc,
                                   MatrixX& S, VectorX& b) const {
  const int num_measures = static_cast<int>(measures_.size());
  for (int k = 0; k < num_measures; ++k) system.Eliminate(H_fc.col(k));
  for (std::size_t m = 0; m < actor_.markers.size(); ++m) {
    const int place = num_measures + 3 * static_cast<int>(m);
    for (int axis = 0; axis < 3; ++axis) {
      system.Eliminate(actor_.markers[m].segment + 1, H_fc.col(place + axis));
    }
  }
  // Block by block, over the columns that have something in it.
  const auto n = static_cast<std::size_t>(num_parameters());
  std::vector<int> columns(n);
  std::vector<Vector3> Z(n);
  for (int block = 0; block < kNumBlocks; ++block) {
    if (system.is_fixed(block)) continue;
    std::size_t count = 0;
    for (std::size_t k = 0; k < n; ++k) {
      Z[count] = H_fc.block<3, 1>(3 * block, static_cast<int>(k));
      columns[count] = static_cast<int>(k);
      if (!Z[count].isZero(0)) ++count;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Vector3 scaled = system.inverse(block) * Z[i];
      b[columns[i]] -= scaled.dot(system.g(block));
      double* S_column = &S(0, columns[i]);
      for (std::size_t k = i; k < count; ++k) {
        S_column[columns[k]] -= Z[k].dot(scaled);
      }
    }
  }
}

VectorX CalibrationFit::ParameterGradient(const Weighting& weighting) {
  const int n = num_parameters();
  MatrixX H_fc = MatrixX::Zero(kNumUnknowns, n);
  MatrixX H_cc = MatrixX::Zero(n, n);
  VectorX g_c = VectorX::Zero(n);
  BodyKinematics kinematics;
  for (std::size_t f = 0; f < poses_.size(); ++f) {
    kinematics.Update(actor_.p_PJ, poses_[f]);
    AddParameters(f, kinematics, weighting, H_fc, H_cc, g_c);
  }
  AddPriors(H_cc, g_c);
  return g_c;
}

void CalibrationFit::MoveParameters(const VectorX& step) {
  for (std::size_t k = 0; k < measures_.size(); ++k) {
    values_[k] += step[k];
    for (const auto& [segment, direction] : measures_[k].directions) {
      actor_.p_PJ[segment] += step[k] * direction;
    }
  }
  for (std::size_t m = 0; m < actor_.markers.size(); ++m) {
    actor_.markers[m].p_JM += step.segment<3>(measures_.size() + 3 * m);
  }
}

int CalibrationFit::Minimise(const Weighting& weighting, int max_iterations) {
  const int n = num_parameters();
  constexpr double kSettled = 1e-4;  // [m]
  double damping = 1e-3;
  double cost = Cost(weighting);
  // Per frame H_ff = L D Lᵀ with L⁻¹ g_f, and L⁻¹ H_fc.
  TreeSystem empty;
  for (int j = 0; j < kNumSegments; ++j) {
    empty.SetFixed(j + 1, !actor_.moves[j]);
  }
  std::vector<TreeSystem> systems(poses_.size(), empty);
  std::vector<MatrixX> H_fc(poses_.size());
  BodyKinematics kinematics;
  MatrixX S(n, n);
  VectorX b(n);
  for (int iteration = 1; iteration <= max_iterations; ++iteration) {
    // S dθ = −b:  S = H_cc − Σ H_fcᵀ H_ff⁻¹ H_fc,  b = g_c − Σ H_fcᵀ H_ff⁻¹
    // g_f.
    S.setZero();
    b.setZero();
    AddPriors(S, b);
    for (std::size_t f = 0; f < poses_.size(); ++f) {
      kinematics.Update(actor_.p_PJ, poses_[f]);
      systems[f].Clear();
      internal::AddFrame(actor_, kinematics, poses_[f], observed_[f], weighting,
                         systems[f]);
      H_fc[f].setZero(kNumUnknowns, n);
      AddParameters(f, kinematics, weighting, H_fc[f], S, b);
      systems[f].Factor(std::max(damping, 1e-3));
      EliminatePose(systems[f], H_fc[f], S, b);
    }
    S.diagonal().array() *= 1 + damping;
    const Eigen::LLT<MatrixX, Eigen::Lower> factor(S);
    const VectorX step = -factor.solve(b);
    if (!step.allFinite()) {
      damping *= 10;
      continue;
    }

    // Poses follow: x_f = −H_ff⁻¹ (g_f + H_fc dθ).
    const Actor old_actor = actor_;
    const std::vector<double> old_values = values_;
    const std::vector<BodyPose> old_poses = poses_;
    MoveParameters(step);
    std::array<Vector3, kNumBlocks> x;
    for (std::size_t f = 0; f < poses_.size(); ++f) {
      const VectorX moved = H_fc[f] * step;
      for (int block = 0; block < kNumBlocks; ++block) {
        systems[f].g(block) += moved.segment<3>(3 * block);
      }
      systems[f].Solve(x);
      Move(poses_[f], x);
    }
    const double new_cost = Cost(weighting);
    if (!(new_cost <= cost)) {
      actor_ = old_actor;
      values_ = old_values;
      poses_ = old_poses;
      damping *= 10;
      if (damping > 1e6) return iteration;
      continue;
    }
    damping = std::max(0.2 * damping, 1e-6);
    const bool small_gain = cost - new_cost < 1e-5 * cost;
    cost = new_cost;
    if (step.cwiseAbs().maxCoeff() < kSettled || small_gain) return iteration;
  }
  return max_iterations;
}

double CalibrationFit::Rms() const {
  double sum = 0.0;
  double count = 0.0;
  BodyKinematics kinematics;
  for (std::size_t f = 0; f < poses_.size(); ++f) {
    kinematics.Update(actor_.p_PJ, poses_[f]);
    const Misfit misfit = MeasureMisfit(actor_, kinematics, observed_[f]);
    sum += misfit.mean_square * misfit.count;
    count += misfit.count;
  }
  return count > 0 ? std::sqrt(sum / count) : 0.0;
}

std::vector<double> CalibrationFit::Scatter() const {
  std::vector<std::vector<double>> distances(actor_.markers.size());
  BodyKinematics kinematics;
  for (std::size_t f = 0; f < poses_.size(); ++f) {
    kinematics.Update(actor_.p_PJ, poses_[f]);
    for (std::size_t m = 0; m < actor_.markers.size(); ++m) {
      if (!IsSeen(observed_[f][m])) continue;
      const ActorMarker& marker = actor_.markers[m];
      distances[m].push_back((kinematics.p_WJ[marker.segment] +
                              kinematics.R_WJ[marker.segment] * marker.p_JM -
                              observed_[f][m])
                                 .norm());
    }
  }
  // From the median, which wrong labels in a few frames do not move: for a
  // normal distribution in space RMS / median of the distance is 1.126.
  constexpr double kRmsOfMedian = 1.126;
  std::vector<double> scatter;
  for (std::vector<double>& of_marker : distances) {
    const auto middle = of_marker.begin() + of_marker.size() / 2;
    std::nth_element(of_marker.begin(), middle, of_marker.end());
    scatter.push_back(of_marker.empty() ? 0.0 : kRmsOfMedian * *middle);
  }
  return scatter;
}

}  // namespace limber::mocap::internal
