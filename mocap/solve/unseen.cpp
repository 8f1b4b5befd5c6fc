// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/unseen.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/angle.h"
#include "mocap/solve/sole.h"

namespace limber::mocap {

namespace {

/// Arms beside the body, a little away from it, and elbows not quite straight.
constexpr double kHang = Radians(80);
constexpr double kElbow = Radians(12);

void HangArms(const Actor& actor, BodyPose& pose) {
  for (const int arm : {kLeftUpperArm, kRightUpperArm}) {
    const double side = arm == kLeftUpperArm ? 1.0 : -1.0;
    if (!actor.moves[arm]) {
      pose.R_PJ[arm] = ExpRotation({0, 0, -side * kHang});
    }
    if (!actor.moves[arm + 1]) {
      pose.R_PJ[arm + 1] = ExpRotation({0, -side * kElbow, 0});
    }
  }
}

/// The turn about the vertical that comes nearest to R.
Matrix3 YawOf(const Matrix3& R) {
  const double yaw = std::atan2(R(0, 2) - R(2, 0), R(0, 0) + R(2, 2));
  return ExpRotation({0, yaw, 0}).toRotationMatrix();
}

/// Bends hip and knee of an unseen leg so that its ankle is `drop` below the
/// hip, under it, with the foot level.
void StandLeg(const Actor& actor, int leg, double drop, const Matrix3& R_WR,
              BodyPose& pose) {
  const double thigh = actor.p_PJ[leg + 1].norm();
  const double shank = actor.p_PJ[leg + 2].norm();
  const double reach =
      std::clamp(drop, std::abs(thigh - shank) + 1e-6, thigh + shank - 1e-6);
  // The triangle of thigh, shank and reach: angles at the hip and inside the
  // knee by the law of cosines.
  const auto corner = [](double a, double b, double opposite) {
    return std::acos(std::clamp(
        (a * a + b * b - opposite * opposite) / (2 * a * b), -1.0, 1.0));
  };
  const double hip = corner(thigh, reach, shank);
  const double knee = kPi - corner(thigh, shank, reach);
  const Matrix3 R_WL = YawOf(R_WR) * ExpRotation({-hip, 0, 0});
  pose.R_PJ[leg] = Quaternion(Matrix3(R_WR.transpose() * R_WL)).normalized();
  pose.R_PJ[leg + 1] = ExpRotation({knee, 0, 0});
  pose.R_PJ[leg + 2] = ExpRotation({hip - knee, 0, 0});
}

/// How far the hips are above the ankles when the person stands: the leg's
/// length where the hips are high, less where they come down.
void StandLegs(const Actor& actor, std::span<BodyPose> poses) {
  for (const int leg : {kLeftUpperLeg, kRightUpperLeg}) {
    if (actor.moves[leg] || poses.empty()) continue;
    const double length =
        actor.p_PJ[leg + 1].norm() + actor.p_PJ[leg + 2].norm();
    std::vector<double> heights;
    for (const BodyPose& pose : poses) {
      heights.push_back((pose.p_WR + pose.R_PJ[kPelvis] * actor.p_PJ[leg]).y());
    }
    std::vector<double> sorted = heights;
    // The hips are a little lower than the leg is long, so the knees are not
    // locked; now and then they rise above their usual height.
    const auto usual =
        sorted.begin() + std::ptrdiff_t(0.9 * double(sorted.size() - 1));
    std::ranges::nth_element(sorted, usual);
    constexpr double kStance = 0.995;
    const double ankle = *usual - kStance * length;
    for (std::size_t t = 0; t < poses.size(); ++t) {
      StandLeg(actor, leg, heights[t] - ankle,
               poses[t].R_PJ[kPelvis].toRotationMatrix(), poses[t]);
    }
  }
}

/// Turns an unseen foot on a leg that is seen towards the level, as far as an
/// ankle gives.
void LevelFeet(const Actor& actor, BodyPose& pose) {
  constexpr double kGives = Radians(25);
  BodyKinematics kinematics;
  kinematics.Update(actor.p_PJ, pose);
  for (const int foot : {kLeftFoot, kRightFoot}) {
    if (actor.moves[foot] || !actor.moves[foot - 1]) continue;
    const Matrix3& R_WS = kinematics.R_WJ[foot - 1];
    // The angle about the ankle's axis that brings forward into the level.
    const double down = std::atan2(R_WS(1, 2), R_WS(1, 1));
    pose.R_PJ[foot] = ExpRotation({std::clamp(down, -kGives, kGives), 0, 0});
  }
}

/// The smallest turn of the toes upward that keeps their tip above the floor.
/// With r the vertical row of R_WF and e the tip, turned by a about X:
///
///     height(a) = A cos a + B sin a,  A = r·e,  B = r_z e_y − r_y e_z
double ToeTurn(const Matrix3& R_WF, const Vector3& p_WT, const Vector3& e,
               double floor) {
  const Vector3 r = R_WF.row(1);
  const double A = r.y() * e.y() + r.z() * e.z();
  const double B = r.z() * e.y() - r.y() * e.z();
  const double wanted = floor - p_WT.y() - r.x() * e.x();
  if (A >= wanted) return 0.0;
  const double size = std::hypot(A, B);
  const double middle = std::atan2(B, A);
  const double half = std::acos(std::clamp(wanted / size, -1.0, 1.0));
  constexpr double kMost = Radians(75);
  const double up = std::remainder(middle + half, 2 * kPi);
  return std::clamp(up, -kMost, 0.0);
}

void LiftToes(const Actor& actor, double floor, BodyPose& pose) {
  BodyKinematics kinematics;
  kinematics.Update(actor.p_PJ, pose);
  for (const int toes : {kLeftToes, kRightToes}) {
    if (actor.moves[toes]) continue;
    const double turn =
        ToeTurn(kinematics.R_WJ[toes - 1], kinematics.p_WJ[toes],
                actor.scale * Body()[toes].end, floor);
    pose.R_PJ[toes] = ExpRotation({turn, 0, 0});
  }
}

}  // namespace

void PoseUnseen(const Actor& actor, std::span<BodyPose> poses) {
  const bool all_seen =
      std::ranges::all_of(actor.moves, [](bool moves) { return moves; });
  if (all_seen) return;
  StandLegs(actor, poses);
  for (BodyPose& pose : poses) {
    HangArms(actor, pose);
    LevelFeet(actor, pose);
  }
  const double floor = FindFloor(actor, poses);
  for (BodyPose& pose : poses) LiftToes(actor, floor, pose);
}

}  // namespace limber::mocap
