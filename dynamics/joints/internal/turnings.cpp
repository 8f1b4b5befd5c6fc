// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/joints/internal/turnings.h"

#include <algorithm>
#include <cmath>

namespace limber::dynamics::internal {
namespace {

// Sine of the angle at which undefined directions are taken as defined.
constexpr double kMargin = 1e-4;

// c(a) = (1 - (a/2) cot(a/2)) / a^2 and c1 = c'(a) / a, for 0 <= a <= pi.
struct LogCoefficients {
  double c = 0.0;
  double c1 = 0.0;
};

LogCoefficients CoefficientsOfLog(double a) {
  const double t = a * a;
  // The series sums |B_2k| a^(2k-2) / (2k)!; its seventh term is below
  // round-off here.
  if (t < 0.25) {
    constexpr double k[6] = {1.0 / 12.0,       1.0 / 720.0,
                             1.0 / 30240.0,    1.0 / 1209600.0,
                             1.0 / 47900160.0, 691.0 / 1307674368000.0};
    double c = 0.0;
    double c1 = 0.0;
    for (int i = 5; i >= 1; --i) {
      c = c * t + k[i];
      c1 = c1 * t + 2.0 * i * k[i];
    }
    return {c * t + k[0], c1};
  }
  const double half = 0.5 * a;
  const double y = half / std::tan(half);
  const double y_rate =
      (y - half * half / (std::sin(half) * std::sin(half))) / a;
  const double c = (1.0 - y) / t;
  return {c, -(y_rate / a + 2.0 * c) / t};
}

// g = a / sin(a) as a function of cos(a), with its two derivatives.
struct TiltCoefficients {
  double g = 0.0;
  double g1 = 0.0;
  double g2 = 0.0;
};

TiltCoefficients CoefficientsOfTilt(double sine, double cosine) {
  const double x = sine * sine / (1.0 + cosine);  // 1 - cos
  // g = sum_n 2^n n!^2 / (2n+1)! x^n, ratio of terms below x/2.
  if (cosine > 0.99) {
    constexpr double k[8] = {1.0,           1.0 / 3.0,    2.0 / 15.0,
                             2.0 / 35.0,    8.0 / 315.0,  8.0 / 693.0,
                             16.0 / 3003.0, 16.0 / 6435.0};
    double g = 0.0;
    double slope = 0.0;
    double curve = 0.0;
    for (int n = 7; n >= 0; --n) {
      curve = curve * x + 2.0 * slope;
      slope = slope * x + g;
      g = g * x + k[n];
    }
    return {g, -slope, curve};
  }
  const double g = std::atan2(sine, cosine) / sine;
  const double g1 = (g * cosine - 1.0) / (sine * sine);
  return {g, g1, (g + 3.0 * cosine * g1) / (sine * sine)};
}

}  // namespace

std::array<Measure, 3> RotationVectorErrors(const Matrix3& R_FM,
                                            const Vector3& w) {
  const Vector3 a = LogRotation(Quaternion(R_FM));
  const LogCoefficients k = CoefficientsOfLog(a.norm());
  // a' = B w,  B = 1 - [a]/2 + c [a]^2,  a'' = B w' + B' w
  const Vector3 a_w = a.cross(w);
  const Vector3 rate = w - 0.5 * a_w + k.c * a.cross(a_w);
  const Vector3 bias = -0.5 * rate.cross(w) +
                       k.c1 * a.dot(rate) * a.cross(a_w) +
                       k.c * (rate.cross(a_w) + a.cross(rate.cross(w)));
  std::array<Measure, 3> errors;
  for (int i = 0; i < 3; ++i) {
    // Row i of B is its transpose times the unit vector.
    const Vector3 unit = Vector3::Unit(i);
    const Vector3 a_unit = a.cross(unit);
    errors[static_cast<std::size_t>(i)] = {
        unit + 0.5 * a_unit + k.c * a.cross(a_unit), a[i], bias[i]};
  }
  return errors;
}

double TurnAngle(const Matrix3& R_FM) {
  return std::atan2(R_FM(1, 0) - R_FM(0, 1), R_FM(0, 0) + R_FM(1, 1));
}

TiltAndTurn MeasureTiltAndTurn(const Matrix3& R_FM, const Vector3& w) {
  Vector3 b = R_FM.col(2);
  double sine = std::hypot(b.x(), b.y());
  if (b.z() < 0.0 && sine < kMargin) {
    b = Vector3(kMargin, 0.0, -std::sqrt(1.0 - kMargin * kMargin));
    sine = kMargin;
  }
  const Vector3 b_rate = w.cross(b);
  const Vector3 b_bias = w.cross(b_rate);

  // tilt = g(b.z) (-b.y, b.x):  d tilt_y = h . db  with  h = (g, 0, g1 b.x),
  // db = w x b, so the row is b x h; likewise tilt_x.
  const TiltCoefficients k = CoefficientsOfTilt(sine, b.z());
  const Vector3 h_x(0.0, -k.g, -k.g1 * b.y());
  const Vector3 h_y(k.g, 0.0, k.g1 * b.x());
  const double bend = k.g2 * b_rate.z() * b_rate.z();
  const double twice = 2.0 * k.g1 * b_rate.z();
  TiltAndTurn result;
  result.axis = b;
  result.tilt[0] = {b.cross(h_x), -k.g * b.y(),
                    h_x.dot(b_bias) - bend * b.y() - twice * b_rate.y()};
  result.tilt[1] = {b.cross(h_y), k.g * b.x(),
                    h_y.dot(b_bias) + bend * b.x() + twice * b_rate.x()};

  // turn' = w . (z + b) / (1 + b.z)
  const double sum = b.z() < 0.0 ? sine * sine / (1.0 - b.z()) : 1.0 + b.z();
  const Vector3 row = (Vector3::UnitZ() + b) / sum;
  result.turn = {row, TurnAngle(R_FM), -row.dot(w) * b_rate.z() / sum};
  return result;
}

std::array<double, 2> OuterAngles(int first, int last, const Matrix3& R_FM) {
  // e = first x last: +1 or -1 times the third axis.
  const int middle = 3 - first - last;
  const double sign = (first + 1) % 3 == last ? 1.0 : -1.0;
  return {std::atan2(sign * R_FM(middle, last), R_FM(last, last)),
          std::atan2(sign * R_FM(first, middle), R_FM(first, first))};
}

SequenceAngles MeasureSequence(int first, int last, const Matrix3& R_FM,
                               const Vector3& w) {
  const double sign = (first + 1) % 3 == last ? 1.0 : -1.0;
  const Vector3 a = Vector3::Unit(first);
  const Vector3 c = R_FM.col(last);
  const double s = a.dot(c);
  // The middle axis is +-(a x c): the unit vector e_middle at the start.
  Vector3 m = sign * a.cross(c);
  const double cosine = m.norm();
  m = cosine < kMargin ? AnyPerpendicular(a) : Vector3(m / cosine);

  // w = q0' a + q1' m + q2' c,  a.m = c.m = 0,  a.c = s
  const double square = std::max(cosine * cosine, kMargin * kMargin);
  const std::array<double, 2> outer = OuterAngles(first, last, R_FM);
  SequenceAngles result;
  result.column = {a, m, c};
  result.angle[0] = {(a - s * c) / square, outer[0], 0.0};
  result.angle[1] = {m, std::atan2(-sign * s, cosine), 0.0};
  result.angle[2] = {(c - s * a) / square, outer[1], 0.0};

  // w' = sum q'' column + q1' m' + q2' c',  m' = q0' a x m,
  // c' = (q0' a + q1' m) x c
  const double r0 = result.angle[0].row.dot(w);
  const double r1 = m.dot(w);
  const double r2 = result.angle[2].row.dot(w);
  const Vector3 drift =
      r0 * r1 * a.cross(m) + r0 * r2 * a.cross(c) + r1 * r2 * m.cross(c);
  for (Measure& angle : result.angle) angle.bias = -angle.row.dot(drift);
  return result;
}

void MoveNear(const Vector3& last, SequenceAngles& angles) {
  const Vector3 q(angles.angle[0].value, angles.angle[1].value,
                  angles.angle[2].value);
  // The usual case: all other ways to say it are half a turn away or more.
  if ((q - last).squaredNorm() < 1.0) return;
  const auto near = [&last](const Vector3& angle) -> Vector3 {
    return angle +
           2.0 * kPi * ((last - angle) / (2.0 * kPi)).array().round().matrix();
  };
  const Vector3 same = near(q);
  const Vector3 other = near(Vector3(q.x() + kPi, kPi - q.y(), q.z() + kPi));
  const bool turned =
      (other - last).squaredNorm() < (same - last).squaredNorm();
  const Vector3& nearest = turned ? other : same;
  for (int i = 0; i < 3; ++i) {
    angles.angle[static_cast<std::size_t>(i)].value = nearest[i];
  }
  if (!turned) return;
  // The middle axis points the other way, and so does all that belongs to it.
  angles.column[1] = -angles.column[1];
  angles.angle[1].row = -angles.angle[1].row;
  angles.angle[1].bias = -angles.angle[1].bias;
}

}  // namespace limber::dynamics::internal
