// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/verdict.h"
#include "mocap/osim_model.h"
#include "mocap/solve/actor.h"
#include "mocap/solve/solve_take.h"

namespace limber::mocap {

/// An OpenSim model that follows markers: its own bodies, joints and marker
/// places, held as the file has them.
struct ModelMotion {
  std::vector<OsimCoordinate> coordinates;  ///< Of the model, in its order.
  /// Row-major, one row per frame [rad], [m].
  std::vector<double> values;
  std::vector<std::string> markers;     ///< That were heeded.
  std::vector<double> weights;          ///< Of each.
  std::vector<MarkerError> per_marker;  ///< Distance from its place [m].
  double rms = 0.0;                     ///< Over all samples heeded [m].
  /// With the weights: sqrt(Σ w r² / Σ w) [m].
  double weighted_rms = 0.0;
  std::int64_t num_empty = 0;  ///< Frames with fewer than 3 markers heeded.
};

/// The coordinates q of `model` in every frame that lay its markers over the
/// observed points p as the tasks want it, which is OpenSim's inverse
/// kinematics:
///
///     min ½ Σ_m w_m |p_GM(q) − p_m|² / Σ_m w_m + ½ Σ_c w_c (q_c − value_c)²
///
/// Locked coordinates stay, clamped ones keep to their range (but for the
/// joint on the ground: people walk farther and turn round), coupled ones
/// follow. Gauss-Newton with damping from the frame before; the first frame,
/// and every one after a frame with fewer than three markers, from the best of
/// 64 ways to turn the model. A frame with fewer than three markers keeps the
/// coordinates of its neighbour.
///
/// `labels` names the columns of `observed`, which is in metres with +Y up.
/// Labels are compared as `PlainLabel` has them.
///
/// Errors: "unknown-joint" for a model with joints or constraints that are not
/// understood, "no-tasks" when fewer than three tasks have a marker both on
/// the model and in the take. Warning "task-markers" names those that lack
/// either.
Result<ModelMotion> FollowMarkers(const OsimModel& model,
                                  const OsimTasks& tasks,
                                  std::span<const std::string> labels,
                                  const Observations& observed,
                                  const std::string& file);

/// Doubt "model-off" where the model leaves its markers by more than the
/// scaled models of people do: it is not of this person, or not scaled.
Verdict JudgeModelMotion(const ModelMotion& motion);

/// World pose of every body of the model, and how each coordinate moves points
/// on them.
class ModelPose {
 public:
  explicit ModelPose(const OsimModel& model);

  /// Places the bodies for coordinates q, one per coordinate of the model.
  void Update(const VectorX& q);
  const Transform& X_GB(int body) const { return X_GB_[std::size_t(body)]; }
  /// Adds d p_G / d q of a point fixed on a body, a column per coordinate.
  void AddJacobian(int body, const Vector3& p_G,
                   Eigen::Ref<Eigen::Matrix3Xd> J) const;

 private:
  /// A turn about `axis` through `origin` or a shift along it, in the ground,
  /// for a unit of the coordinate.
  struct Move {
    bool is_turn = true;
    int coordinate = 0;
    Vector3 axis = Vector3::Zero();
    Vector3 origin = Vector3::Zero();
  };

  const OsimModel& model_;
  std::vector<Transform> X_GB_;
  std::vector<std::vector<Move>> moves_;  ///< Per body.
};

}  // namespace limber::mocap
