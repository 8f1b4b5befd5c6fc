// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/opensim_angles.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber::mocap {

namespace {

/// OpenSim's axes in those of a segment: x = Z, y = Y, z = -X.
const Matrix3& OpenSimAxes() {
  static const Matrix3 K = [] {
    Matrix3 axes;
    axes << 0, 0, -1, 0, 1, 0, 1, 0, 0;
    return axes;
  }();
  return K;
}

Matrix3 InOpenSim(const Matrix3& R) {
  return OpenSimAxes().transpose() * R * OpenSimAxes();
}

/// The angles of R = Rz(v0) Rx(v1) Ry(v2).
Vector3 TurnsZxy(const Matrix3& R) {
  return {std::atan2(-R(0, 1), R(1, 1)),
          std::asin(std::clamp(R(2, 1), -1.0, 1.0)),
          std::atan2(-R(2, 0), R(2, 2))};
}

/// The angles v of R = Exp(a0 v0) Exp(a1 v1) Exp(a2 v2), by Newton's method
/// from `start`. With M the product for v and r = Log(Mᵀ R),
///
///     J dv = r,   J = [Exp(-a2 v2) Exp(-a1 v1) a0,  Exp(-a2 v2) a1,  a2]
Vector3 TurnsAbout(const Matrix3& axes, const Matrix3& R, Vector3 v) {
  constexpr int kMostSteps = 20;
  constexpr double kSettled = 1e-10;  // [rad]
  for (int step = 0; step < kMostSteps; ++step) {
    const auto turn = [&](int i) {
      return ExpRotation(v[i] * axes.col(i)).toRotationMatrix();
    };
    const Matrix3 M = turn(0) * turn(1) * turn(2);
    const Vector3 r = LogRotation(Quaternion(Matrix3(M.transpose() * R)));
    if (r.norm() < kSettled) break;
    Matrix3 J;
    J.col(0) = turn(2).transpose() * turn(1).transpose() * axes.col(0);
    J.col(1) = turn(2).transpose() * axes.col(1);
    J.col(2) = axes.col(2);
    v += J.partialPivLu().solve(r);
  }
  return v;
}

/// Two slanted axes of a right limb as columns, the third at right angles.
Matrix3 SlantedAxes(const Vector3& first, const Vector3& second) {
  Matrix3 axes;
  axes.col(0) = first.normalized();
  axes.col(1) = second.normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1)).normalized();
  return axes;
}

/// The axes of a left limb: mirrored at the plane between the sides, turns
/// about Z keep their sense.
Vector3 Mirrored(const Vector3& axis) {
  return {-axis.x(), -axis.y(), axis.z()};
}

/// Collects the columns of one row; the names only in the first.
class Row {
 public:
  Row(OpenSimCoordinates& out, std::span<const double> last)
      : out_(out), last_(last) {}

  void Angle(const std::string& name, double value) {
    if (!last_.empty()) {
      const double before = last_[column_];
      value += 2 * kPi * std::round((before - value) / (2 * kPi));
    }
    Add(name, value, true);
  }
  void Place(const std::string& name, double value) { Add(name, value, false); }
  /// The last row's value of the column that comes `ahead` of the next one.
  double Before(std::size_t ahead) const {
    return last_.empty() ? 0.0 : last_[column_ + ahead];
  }

 private:
  void Add(const std::string& name, double value, bool is_angle) {
    if (last_.empty()) {
      out_.names.push_back(name);
      out_.is_angle.push_back(is_angle);
    }
    out_.values.push_back(value);
    ++column_;
  }

  OpenSimCoordinates& out_;
  std::span<const double> last_;
  std::size_t column_ = 0;
};

/// The middle between the hips to the origin of OpenSim's pelvis, the middle
/// between the front spines, in OpenSim's axes for a person of 1.75 m [m].
Vector3 PelvisOrigin(OpenSimFamily family) {
  return family == OpenSimFamily::kRajagopal ? Vector3(0.056, 0.079, 0)
                                             : Vector3(0.071, 0.066, 0);
}

struct Side {
  std::string ending;
  double sign = 1.0;  ///< Of adduction and rotation.
  int leg = 0;        ///< First segment of the leg.
  int clavicle = 0;
};

Matrix3 Turn(const BodyPose& pose, int segment) {
  return pose.R_PJ[segment].toRotationMatrix();
}

void AddTrunk(const Actor& actor, const BodyPose& pose, OpenSimFamily family,
              Row& row) {
  const Matrix3 R_GO = Turn(pose, kPelvis) * OpenSimAxes();
  const Vector3 pelvis = TurnsZxy(R_GO);
  row.Angle("pelvis_tilt", pelvis[0]);
  row.Angle("pelvis_list", pelvis[1]);
  row.Angle("pelvis_rotation", pelvis[2]);
  const Vector3 p = pose.p_WR + actor.scale * (R_GO * PelvisOrigin(family));
  row.Place("pelvis_tx", p.x());
  row.Place("pelvis_ty", p.y());
  row.Place("pelvis_tz", p.z());
  if (!actor.moves[kSpine]) return;
  const Vector3 back =
      TurnsZxy(InOpenSim(Turn(pose, kSpine) * Turn(pose, kChest)));
  row.Angle("lumbar_extension", back[0]);
  row.Angle("lumbar_bending", back[1]);
  row.Angle("lumbar_rotation", back[2]);
}

void AddLeg(const Actor& actor, const BodyPose& pose, OpenSimFamily family,
            const Side& side, Row& row) {
  const int hip = side.leg;
  if (!actor.moves[hip]) return;
  const Vector3 thigh = TurnsZxy(InOpenSim(Turn(pose, hip)));
  row.Angle("hip_flexion" + side.ending, thigh[0]);
  row.Angle("hip_adduction" + side.ending, side.sign * thigh[1]);
  row.Angle("hip_rotation" + side.ending, side.sign * thigh[2]);
  if (!actor.moves[hip + 1]) return;
  const bool is_rajagopal = family == OpenSimFamily::kRajagopal;
  const double knee = MeasureJoint(hip + 1, pose.R_PJ[hip + 1]).flexion;
  row.Angle("knee_angle" + side.ending, is_rajagopal ? knee : -knee);
  if (!actor.moves[hip + 2]) return;
  const bool is_left = side.sign < 0;
  const auto axis = [is_left](const Vector3& right) {
    return is_left ? Mirrored(right) : right;
  };
  const Vector3 ankle = TurnsAbout(
      SlantedAxes(axis({-0.105, -0.174, 0.979}), axis({0.787, 0.605, -0.121})),
      InOpenSim(Turn(pose, hip + 2)), {row.Before(0), row.Before(1), 0});
  row.Angle("ankle_angle" + side.ending, ankle[0]);
  row.Angle("subtalar_angle" + side.ending, ankle[1]);
  if (!actor.moves[hip + 3]) return;
  // Toes bend about Z; up is positive in gait2354 and negative in Rajagopal's.
  const double toes = TurnsZxy(InOpenSim(Turn(pose, hip + 3)))[0];
  row.Angle("mtp_angle" + side.ending, is_rajagopal ? -toes : toes);
}

void AddArm(const Actor& actor, const BodyPose& pose, const Side& side,
            Row& row) {
  const int arm = side.clavicle + 1;
  if (!actor.moves[arm]) return;
  const bool is_left = side.sign < 0;
  // N turns the arm of the rest pose down to the side.
  const Matrix3 N =
      ExpRotation({0, 0, is_left ? -kPi / 2 : kPi / 2}).toRotationMatrix();
  const Matrix3 humerus =
      InOpenSim(Turn(pose, side.clavicle) * Turn(pose, arm) * N.transpose());
  const Vector3 shoulder = TurnsZxy(humerus);
  row.Angle("arm_flex" + side.ending, shoulder[0]);
  row.Angle("arm_add" + side.ending, side.sign * shoulder[1]);
  row.Angle("arm_rot" + side.ending, side.sign * shoulder[2]);
  if (!actor.moves[arm + 1]) return;
  const auto axis = [is_left](const Vector3& right) {
    return is_left ? Mirrored(right) : right;
  };
  // The rest pose has its palms turned to the thighs once the arms hang.
  constexpr double kPalms = kPi / 2;
  const bool is_first = row.Before(0) == 0 && row.Before(1) == 0;
  const Vector3 elbow = TurnsAbout(
      SlantedAxes(axis({0.226, 0.022, 0.974}), axis({0.056, 0.998, 0.002})),
      InOpenSim(N * Turn(pose, arm + 1) * N.transpose()),
      {row.Before(0), is_first ? 0.0 : row.Before(1) - kPalms, 0});
  row.Angle("elbow_flex" + side.ending, elbow[0]);
  row.Angle("pro_sup" + side.ending, elbow[1] + kPalms);
}

}  // namespace

OpenSimFamily FamilyOf(const OsimModel& model) {
  for (const char* knee : {"knee_angle_r", "knee_angle_l"}) {
    const OsimCoordinate* coordinate = model.FindCoordinate(knee);
    if (coordinate == nullptr) continue;
    return coordinate->lower < -coordinate->upper ? OpenSimFamily::kGait2354
                                                  : OpenSimFamily::kRajagopal;
  }
  return OpenSimFamily::kRajagopal;
}

OpenSimCoordinates ToOpenSim(const Actor& actor,
                             std::span<const BodyPose> poses,
                             OpenSimFamily family) {
  OpenSimCoordinates out;
  const Side right{"_r", 1.0, kRightUpperLeg, kRightClavicle};
  const Side left{"_l", -1.0, kLeftUpperLeg, kLeftClavicle};
  std::vector<double> last;
  for (const BodyPose& pose : poses) {
    Row row(out, last);
    AddTrunk(actor, pose, family, row);
    for (const Side& side : {right, left}) {
      AddLeg(actor, pose, family, side, row);
    }
    for (const Side& side : {right, left}) AddArm(actor, pose, side, row);
    last.assign(out.values.end() - std::ptrdiff_t(out.names.size()),
                out.values.end());
  }
  return out;
}

}  // namespace limber::mocap
