// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>

#include "figure/figure_model.h"
#include "figure/motion.h"

namespace limber {

/// What a person does at one instant, in the words of anatomy. Metres, degrees,
/// +Y up, facing +Z, left = +X. Index 0 is left, 1 right.
struct Posture {
  Vector3 pelvis = Vector3::Zero();  ///< Middle of the hips.
  double pelvis_yaw = 0.0;           ///< To the left.
  double pelvis_pitch = 0.0;         ///< Forward.
  double pelvis_roll = 0.0;          ///< To the left (left hip drops).

  struct Trunk {
    double forward = 0.0;
    double left = 0.0;
    double turn = 0.0;  ///< To the left.
  };
  Trunk spine, chest, head;

  struct Arm {
    double flexion = 0.0;
    double abduction = 8.0;
    double twist = 0.0;  ///< Outward.
    double elbow = 12.0;
    double supination = 0.0;
    double wrist = 0.0;  ///< Towards the palm.
  };
  std::array<Arm, 2> arm;

  struct Foot {
    Vector3 ankle = Vector3::Zero();
    double yaw = 0.0;    ///< To the left.
    double pitch = 0.0;  ///< Toes up.
    double toes = 0.0;   ///< Extension.
  };
  std::array<Foot, 2> foot;
};

/// Poses of the bundled adult from postures: legs by inverse kinematics, so
/// that feet stay exactly where the posture says.
class Puppet {
 public:
  explicit Puppet(figure::FigureModel figure);

  const figure::FigureModel& figure() const { return figure_; }
  double leg_length() const { return thigh_ + shank_; }
  double ankle_height() const { return ankle_height_; }
  double thigh() const { return thigh_; }
  double shank() const { return shank_; }
  double half_hips() const { return half_hips_; }
  /// Ankle to ball of the foot in the foot's frame (y up, z forward) [m].
  const Vector3& p_ankle_ball() const { return p_ankle_ball_; }
  /// Ankle to the lowest point of the heel [m].
  const Vector3& p_ankle_heel() const { return p_ankle_heel_; }
  /// Ball to the tip of the toes on the floor [m].
  const Vector3& p_ball_tip() const { return p_ball_tip_; }

  /// Upright, feet side by side under the hips, arms hanging, knees a little
  /// bent.
  Posture Standing() const;

  /// The pose. A foot out of reach is reached for with a straight knee.
  figure::Pose PoseOf(const Posture& posture) const;
  Vector3 MassCentre(const figure::Pose& pose) const;

  /// The posture with the pelvis shifted level until the mass centre is above
  /// (x, z).
  Posture Balanced(Posture posture, double x, double z) const;

 private:
  int Joint(const char* name) const;

  figure::FigureModel figure_;
  double thigh_ = 0.0;
  double shank_ = 0.0;
  double ankle_height_ = 0.0;
  double half_hips_ = 0.0;
  Vector3 p_ankle_ball_;
  Vector3 p_ankle_heel_;
  Vector3 p_ball_tip_;
};

/// The ankle of a foot of this pitch and yaw whose heel, ball or whole sole
/// stands at its place: `flat` is where the ankle is when the sole is flat. The
/// heel carries toes-up feet, the ball toes-down ones.
Vector3 RolledAnkle(const Puppet& puppet, const Vector3& flat, double yaw_deg,
                    double pitch_deg);

/// A clip from a posture at each time, in centimetres and degrees, rounded to
/// 1e-4 degrees and 1e-5 m so that it is the same everywhere.
figure::Motion MakeClip(const Puppet& puppet, double rate_hz, int num_frames,
                        const std::function<Posture(double)>& posture);

}  // namespace limber
