// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/math.h"
#include "mocap/osim_function.h"

namespace limber::mocap {

/// A body of an OpenSim model and where it is while every coordinate is 0, in
/// OpenSim's axes: X forward, Y up, Z to the right.
struct OsimBody {
  std::string name;
  int parent = -1;  ///< Index of the body its joint hangs on; -1 the ground.
  Transform X_GB;   ///< In the ground [m].
};

/// A marker of the model's marker set.
struct OsimMarker {
  std::string name;
  std::string body;
  Vector3 p_BM = Vector3::Zero();  ///< [m]
};

/// What a coordinate measures. OpenSim's tables give turns in degrees; of what
/// drives both turns and shifts by curves (a kneecap) the plain number.
enum class OsimMotion { kTurn, kShift, kOther };

/// A coordinate with the range that the model gives it.
struct OsimCoordinate {
  std::string name;
  double lower = 0.0;  ///< [rad] or [m].
  double upper = 0.0;
  double default_value = 0.0;
  bool is_clamped = false;  ///< Stays within its range.
  bool is_locked = false;   ///< Stays at its default value.
  OsimMotion motion = OsimMotion::kTurn;
};

/// One turn or shift of a joint: by `function` of a coordinate about or along
/// `axis` (unit).
struct OsimAxis {
  bool is_turn = true;
  Vector3 axis = Vector3::UnitX();
  int coordinate = -1;  ///< Of the model; -1 for a constant.
  OsimFunction function;
};

/// How body B moves on its parent P, with t the shifts and R_k the turns in
/// their order:
///
///     X_PB = X_PF (R_1 R_2 R_3, Σ t) X_BF⁻¹
struct OsimJoint {
  std::string name;
  Transform X_PF;
  Transform X_BF;
  std::vector<OsimAxis> axes;  ///< Turns first.

  /// Of the joint's frame on the child in that on the parent. `q` has a value
  /// for each coordinate of the model.
  Transform Moved(const VectorX& q) const;
};

/// A coordinate that follows another.
struct OsimCoupling {
  int dependent = 0;
  int independent = 0;
  OsimFunction function;
};

/// What Limber needs of an OpenSim model, or of a marker set stored alone
/// (which has no bodies).
struct OsimModel {
  std::string name;
  std::vector<OsimBody> bodies;   ///< Parents before children.
  std::vector<OsimJoint> joints;  ///< Of each body, the one that it hangs on.
  std::vector<OsimMarker> markers;
  std::vector<OsimCoordinate> coordinates;
  std::vector<OsimCoupling> couplings;
  /// What of its joints could not be understood, in words ("joint \"knee\" of
  /// type EllipsoidJoint"): such a model has markers but cannot be moved.
  std::vector<std::string> unknown;

  const OsimBody* FindBody(std::string_view body) const;
  const OsimCoordinate* FindCoordinate(std::string_view coordinate) const;
};

/// What a set-up of OpenSim's inverse kinematics wants of a marker or of a
/// coordinate.
struct OsimTask {
  std::string name;
  bool is_applied = true;
  double weight = 1.0;  ///< Not negative.
};
struct OsimCoordinateTask : OsimTask {
  /// Where the coordinate should be [rad], [m]; else at its default value.
  bool has_value = false;
  double value = 0.0;
};

/// The tasks of an inverse-kinematics or scaling set-up.
struct OsimTasks {
  std::string name;
  std::string model_file;   ///< As the set-up names it; may be empty.
  bool is_default = false;  ///< Of no set-up: every marker of the model.
  std::vector<OsimTask> markers;
  std::vector<OsimCoordinateTask> coordinates;

  /// Every marker of the model with weight 1, as OpenSim does without tasks.
  static OsimTasks Equal(const OsimModel& model);
};

}  // namespace limber::mocap
