// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mocap/solve/actor.h"
#include "mocap/solve/internal/frame_equations.h"

namespace limber::mocap::internal {

/// One number of the skeleton: p_PJ of each segment named changes by the
/// direction beside it for each metre of the number.
struct Measure {
  std::string name;
  std::vector<std::pair<int, Vector3>> directions;
  double prior = 0.0;  ///< Expected value [m].
  double sigma = 0.0;  ///< Of `prior` [m].
};

/// The measures of the body at `scale`, shared by both sides if `symmetric`.
/// Those of segments that do not move and carry nothing are left out.
std::vector<Measure> BodyMeasures(const Actor& actor, double scale,
                                  bool symmetric);

/// The value of a measure in given offsets.
double ValueOf(const Measure& measure, const BodyOffsets& p_PJ);

/// A least-squares problem in the poses of some frames, the measures and the
/// marker places:
///
///     min  Σ_frames FrameCost(pose, p_PJ, p_JM)
///        + ½ Σ ((measure − prior)/sigma)²
///        + ½ Σ |p_JM − at|² / spread²
///
/// Poses are eliminated frame by frame (each is a tree), which leaves a dense
/// system in measures and places.
class CalibrationFit {
 public:
  CalibrationFit(Actor actor, std::vector<Measure> measures,
                 std::vector<Vector3> place_priors,
                 std::vector<double> place_sigmas);

  void AddFrame(std::span<const Vector3> observed, const BodyPose& pose);

  /// Levenberg-Marquardt until the parameters move less than a tenth of a
  /// millimetre. Returns the number of iterations; less than `max_iterations`
  /// means convergence.
  int Minimise(const Weighting& weighting, int max_iterations);

  /// Gradient by measures and places at the present point; for tests.
  VectorX ParameterGradient(const Weighting& weighting);
  double Cost(const Weighting& weighting) const;
  /// Changes measures and places by `step`.
  void MoveParameters(const VectorX& step);

  const Actor& actor() const { return actor_; }
  const std::vector<BodyPose>& poses() const { return poses_; }
  double Rms() const;
  /// Usual distance of each marker from its place [m].
  std::vector<double> Scatter() const;

 private:
  int num_parameters() const {
    return static_cast<int>(measures_.size() + 3 * actor_.markers.size());
  }
  double PriorCost() const;
  /// One frame's share of the parameters: H_cc, H_fc, g_c.
  void AddParameters(std::size_t frame, const BodyKinematics& kinematics,
                     const Weighting& weighting, MatrixX& H_fc, MatrixX& H_cc,
                     VectorX& g_c) const;
  void AddPriors(MatrixX& H_cc, VectorX& g_c) const;
  /// Takes the pose of one frame out of the equations of the parameters: with
  /// H_ff = L D Lᵀ and Z = L⁻¹ H_fc, which replaces H_fc,
  ///
  ///     S −= Zᵀ D⁻¹ Z,   b −= Zᵀ D⁻¹ L⁻¹ g_f.
  ///
  /// A marker's place is coupled only to the blocks between it and the root, so
  /// that Z is mostly empty and no product of full matrices is needed.
  void EliminatePose(const TreeSystem& system, MatrixX& H_fc, MatrixX& S,
                     VectorX& b) const;

  Actor actor_;
  std::vector<Measure> measures_;
  std::vector<double> values_;
  std::vector<Vector3> place_priors_;
  std::vector<double> place_sigmas_;
  std::vector<std::vector<Vector3>> observed_;
  std::vector<BodyPose> poses_;
};

}  // namespace limber::mocap::internal
