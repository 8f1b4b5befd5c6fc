// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "core/math.h"

/// The ways in which joints measure R_FM. Each gives errors or coordinates with
/// their exact rates along the angular velocity w of M relative to F in axes of
/// F (so R_FM' = [w] R_FM), and the part `bias` of their second derivatives
/// that does not come from w':
///
///     x' = row . w        x'' = row . w' + bias
namespace limber::dynamics::internal {

struct Measure {
  Vector3 row = Vector3::Zero();
  double value = 0.0;
  double bias = 0.0;
};

/// The three components of the rotation vector of R_FM, for joints that lock
/// all turning. They are 0 for R_FM = 1 only and lead there the shortest way
/// from everywhere; at half a turn either way is taken.
std::array<Measure, 3> RotationVectorErrors(const Matrix3& R_FM,
                                            const Vector3& w);

/// R_FM as a turn by `turn` about z followed by the shortest turn that brings
/// z_F to z_M, whose rotation vector (tilt_x, tilt_y, 0) is the error of joints
/// that keep the z axes aligned: it is 0 for z_M = z_F only and leads there the
/// shortest way. Where the axes are opposite, no direction is the shortest and
/// rows grow without bound; closer to it than 1e-4 rad they are those of a tilt
/// about y at that distance. `axis` is z_M, the direction along which the tilt
/// does not change.
struct TiltAndTurn {
  std::array<Measure, 2> tilt;
  Measure turn;  ///< Value in [-pi, pi].
  Vector3 axis = Vector3::Zero();
};
TiltAndTurn MeasureTiltAndTurn(const Matrix3& R_FM, const Vector3& w);
double TurnAngle(const Matrix3& R_FM);

/// Angles of a sequence of turns about three different axes of one frame,
///
///     R_FM = R_first(q0) R_middle(q1) R_last(q2)
///
/// with q1 in [-pi/2, pi/2], the others in [-pi, pi]. Columns are the axes in
/// F; rows are dual to them. Near |q1| = pi/2, where the outer axes meet, the
/// rows of q0 and q2 stay bounded by 1e4 and stop being exact.
struct SequenceAngles {
  std::array<Measure, 3> angle;
  std::array<Vector3, 3> column;
};
/// `first` and `last` are 0, 1, 2 for x, y, z and different.
SequenceAngles MeasureSequence(int first, int last, const Matrix3& R_FM,
                               const Vector3& w);
/// Of all angles of the same rotation, (q0, q1, q2) and (q0 + pi, pi - q1,
/// q2 + pi) plus whole turns each, takes the nearest to `last`.
void MoveNear(const Vector3& last, SequenceAngles& angles);
/// q0 and q2 alone.
std::array<double, 2> OuterAngles(int first, int last, const Matrix3& R_FM);

}  // namespace limber::dynamics::internal
