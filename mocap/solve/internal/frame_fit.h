// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "mocap/solve/internal/frame_equations.h"

namespace limber::mocap::internal {

/// Finds the pose of one frame by Gauss-Newton steps, damped when a step does
/// not lower the cost. No memory is allocated.
class FrameFitter {
 public:
  struct Outcome {
    double cost = 0.0;
    int iterations = 0;
  };

  /// Improves `pose`. `pull` may be null; without it the unseen directions keep
  /// their start by a trace of damping.
  Outcome Fit(const Actor& actor, std::span<const Vector3> observed,
              const Weighting& weighting, const BodyPose* pull,
              const BlockWeights& pull_weights, int max_iterations,
              double step_tolerance, BodyPose& pose);

  /// Of the pose returned last.
  const BodyKinematics& kinematics() const { return kinematics_; }

 private:
  TreeSystem system_;
  BodyKinematics kinematics_;
};

/// A pose to start from, without any history: the pelvis by the best rigid fit
/// of its own and the chest's markers, then each segment down the tree by the
/// best rotation about its joint for its own markers, with a slight
/// preference for the parent's rotation.
/// @return false if the pelvis and its neighbours show fewer than 3 markers.
bool GuessPose(const Actor& actor, std::span<const Vector3> observed,
               BodyPose& pose);

/// `GuessPose` and a fit in which the robust scale tightens.
bool FitFromScratch(const Actor& actor, std::span<const Vector3> observed,
                    const Weighting& weighting, FrameFitter& fitter,
                    BodyPose& pose);

/// Mean square distance of the seen markers from their places [m^2], and how
/// many there are.
struct Misfit {
  double mean_square = 0.0;
  int count = 0;
};
Misfit MeasureMisfit(const Actor& actor, const BodyKinematics& kinematics,
                     std::span<const Vector3> observed);

}  // namespace limber::mocap::internal
