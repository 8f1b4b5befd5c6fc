// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The walk. Normative hip and knee angles give the path of the pelvis over a
// planted foot; the feet then roll over heel, sole and ball exactly, and the
// legs follow by inverse kinematics.
#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/angle.h"
#include "tools/bundled_clips.h"
#include "tools/curve.h"

namespace limber {

namespace {

constexpr double kRate = 120.0;  // [Hz]
constexpr int kStrides = 4;

// Phases of a stride [share].
constexpr double kFootFlat = 0.12;
constexpr double kHeelOff = 0.34;
constexpr double kToeOff = 0.62;

/// Pitch of the foot, toes up, in degrees: thigh - knee + ankle of the norm,
/// with a sole that is exactly flat from foot flat to heel off.
double FootPitch(double phase) {
  static const PeriodicSpline pitch(
      {0.00, 0.05, 0.12, 0.20, 0.34, 0.42, 0.50, 0.56, 0.62, 0.66, 0.72, 0.78,
       0.84, 0.90, 0.95},
      {16.0, 7.0, 0.0, 0.0, 0.0, -5.0, -16.0, -36.0, -57.0, -60.0, -49.0, -27.0,
       -5.0, 11.0, 16.0});
  const double p = phase - std::floor(phase);
  if (p >= kFootFlat && p <= kHeelOff) return 0.0;
  // Smooth to and from the flat sole.
  const double leave = Smooth((p - kHeelOff) / 0.10);
  const double arrive = Smooth((kFootFlat - p) / 0.08);
  return pitch(p) * (p > kFootFlat ? leave : arrive);
}

/// Toes stay flat while the heel rises, and straighten after toe off.
double ToeAngle(double phase) {
  const double p = phase - std::floor(phase);
  if (p < kHeelOff) return 0.0;
  const double flat = -FootPitch(p);
  return flat * (1.0 - Smooth((p - kToeOff) / 0.22));
}

/// From the hip to the ankle as the normative angles say,
///
///     z = L1 sin θt + L2 sin(θt - θk)      y = -L1 cos θt - L2 cos(θt - θk)
Vector3 NormalLeg(const Puppet& puppet, double phase) {
  const NormalGait norm = NormalGaitAt(phase);
  const double thigh = norm.thigh * kRadiansPerDegree;
  const double shank = (norm.thigh - norm.knee) * kRadiansPerDegree;
  return {0.0,
          -puppet.thigh() * std::cos(thigh) - puppet.shank() * std::cos(shank),
          puppet.thigh() * std::sin(thigh) + puppet.shank() * std::sin(shank)};
}

/// Path of the pelvis: forward at an even speed, up and down twice a stride.
struct PelvisPath {
  double stride = 0.0;            // [m]
  double start = 0.0;             // [m]
  std::array<double, 3> up = {};  // mean, cos, sin [m]

  Vector3 At(double phase) const {
    return {0.0,
            up[0] + up[1] * std::cos(4.0 * kPi * phase) +
                up[2] * std::sin(4.0 * kPi * phase),
            stride * phase + start};
  }
};

/// Least squares over the stance of one leg: the pelvis stands over the rolling
/// ankle as the normative angles say.
PelvisPath FitPelvis(const Puppet& puppet) {
  constexpr int kSamples = 59;
  Eigen::MatrixXd A_z(kSamples, 2);
  Eigen::MatrixXd A_y(kSamples, 3);
  Eigen::VectorXd z(kSamples);
  Eigen::VectorXd y(kSamples);
  for (int i = 0; i < kSamples; ++i) {
    const double phase = 0.01 * i;
    const Vector3 pelvis =
        RolledAnkle(puppet, {0.0, puppet.ankle_height(), 0.0}, 0.0,
                    FootPitch(phase)) -
        NormalLeg(puppet, phase);
    A_z.row(i) << phase, 1.0;
    A_y.row(i) << 1.0, std::cos(4.0 * kPi * phase), std::sin(4.0 * kPi * phase);
    z(i) = pelvis.z();
    y(i) = pelvis.y();
  }
  const Eigen::VectorXd fit_z = A_z.colPivHouseholderQr().solve(z);
  const Eigen::VectorXd fit_y = A_y.colPivHouseholderQr().solve(y);
  return {fit_z(0), fit_z(1), {fit_y(0), fit_y(1), fit_y(2)}};
}

/// One foot: the ankle over a stride, planted at z = 0 in the first and at
/// z = stride in the next. In swing it follows the normative leg, plus what
/// this misses at toe off and at heel contact, blended.
class FootPath {
 public:
  FootPath(const Puppet& puppet, const PelvisPath& pelvis, double x, double yaw)
      : puppet_(puppet), pelvis_(pelvis), x_(x), yaw_(yaw) {
    const auto knot = [&](double phase, double z0, int axis) {
      constexpr double h = 1e-4;
      const auto missing = [&](double at) {
        return Stance(at, z0)[axis] - Normal(at)[axis];
      };
      const double before = missing(phase - h);
      const double at = missing(phase);
      const double after = missing(phase + h);
      return Curve::Knot{phase, at, (after - before) / (2.0 * h),
                         (after - 2.0 * at + before) / (h * h)};
    };
    for (int axis = 0; axis < 3; ++axis) {
      // Most of it is made up for in the first and the last third.
      const Curve::Knot off = knot(kToeOff, 0.0, axis);
      const Curve::Knot contact = knot(1.0, pelvis.stride, axis);
      const double change = contact.value - off.value;
      missing_[static_cast<std::size_t>(axis)] =
          Curve({off,
                 {0.75, off.value + 0.35 * change},
                 {0.87, off.value + 0.65 * change},
                 contact});
    }
  }

  Posture::Foot At(double phase) const {
    const double cycle = std::floor(phase);
    const double p = phase - cycle;
    Posture::Foot foot;
    foot.yaw = yaw_;
    foot.pitch = FootPitch(p);
    foot.toes = ToeAngle(p);
    if (p <= kToeOff) {
      foot.ankle = Stance(p, 0.0);
    } else {
      foot.ankle =
          Normal(p) + Vector3(missing_[0](p), missing_[1](p), missing_[2](p));
      // The toes clear the floor, and the leg reaches the ankle in the end.
      foot.ankle.y() += 0.04 * Bump((p - kToeOff) / (1.0 - kToeOff)) +
                        0.009 * Bump((p - 0.86) / (1.0 - 0.86));
    }
    foot.ankle.z() += cycle * pelvis_.stride;
    return foot;
  }

 private:
  Vector3 Stance(double phase, double z0) const {
    return RolledAnkle(puppet_, {x_, puppet_.ankle_height(), z0}, yaw_,
                       FootPitch(phase));
  }

  Vector3 Normal(double phase) const {
    return pelvis_.At(phase) + NormalLeg(puppet_, phase);
  }

  const Puppet& puppet_;
  const PelvisPath& pelvis_;
  double x_;
  double yaw_;
  std::array<Curve, 3> missing_;
};

}  // namespace

NormalGait NormalGaitAt(double phase) {
  // Initial contact, the ends of loading response, mid, terminal and pre-swing
  // stance, and of initial and mid swing; the point in terminal swing keeps
  // the curve from stretching the knee too far.
  static const std::vector<double> key = {0.0,  0.12, 0.31, 0.50,
                                          0.62, 0.75, 0.87, 0.94};
  static const PeriodicSpline thigh(key, {20, 17, 0, -19, -11, 15, 25, 23});
  static const PeriodicSpline knee(key, {6, 16, 7, 8, 40, 60, 25, 10});
  static const PeriodicSpline ankle(key, {0, -5, 5, 10, -15, -5, 0, 0});
  return {thigh(phase), knee(phase), ankle(phase)};
}

figure::Motion MakeWalk(const Puppet& puppet) {
  PelvisPath path = FitPelvis(puppet);
  // No leg is longer than its bones: the fit is lowered, flattened and moved
  // forward until the knees keep some degrees of bend.
  path.up[0] -= 0.011;
  path.start += 0.016;
  path.up[1] *= 0.75;
  path.up[2] *= 0.75;
  const double half_step_width = 0.055;
  const FootPath left(puppet, path, half_step_width, 7.0);
  const FootPath right(puppet, path, -half_step_width, -7.0);
  const auto posture = [&](double time) {
    const double phase = time / kStrideSeconds;
    const double turn = 2.0 * kPi * phase;
    Posture p;
    p.pelvis = path.At(phase);
    // Towards the leg that stands: the left one at a phase of 0.3.
    p.pelvis.x() = 0.018 * std::cos(turn - 2.0 * kPi * 0.3);
    p.pelvis_yaw = -5.0 * std::cos(turn);
    p.pelvis_roll = -4.0 * std::cos(turn - 2.0 * kPi * 0.17);
    p.pelvis_pitch = 2.0;
    p.spine = {1.0, -0.9 * p.pelvis_roll, 4.0 * std::cos(turn)};
    p.chest = {1.0, -0.3 * p.pelvis_roll, 6.0 * std::cos(turn)};
    p.head = {-3.0, 0.2 * p.pelvis_roll, -4.5 * std::cos(turn)};
    for (std::size_t i = 0; i < 2; ++i) {
      const double side = i == 0 ? 1.0 : -1.0;
      // The arm is back when the foot of its side strikes.
      const double swing = -side * std::cos(turn - 0.15);
      p.arm[i].flexion = 3.0 + 19.0 * swing;
      p.arm[i].abduction = 9.0;
      p.arm[i].elbow = 24.0 + 11.0 * swing;
    }
    p.foot[0] = left.At(phase);
    p.foot[1] = right.At(phase + 0.5);
    p.foot[1].ankle.z() -= 0.5 * path.stride;
    return p;
  };
  const int frames = static_cast<int>(std::lround(kStrideSeconds * kRate));
  return MakeClip(puppet, kRate, kStrides * frames + 1, posture);
}

}  // namespace limber
