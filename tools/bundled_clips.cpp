// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tools/bundled_clips.h"

#include <cmath>
#include <cstddef>
#include <functional>

#include "core/angle.h"
#include "tools/curve.h"

namespace limber {

namespace {

constexpr double kRate = 60.0;       // of the slow clips [Hz]
constexpr double kFastRate = 120.0;  // [Hz]
/// Where the mass centre stands: between ankles and balls of the feet [m].
constexpr double kMiddleOfFeet = 0.045;

int Frames(double seconds, double rate) {
  return static_cast<int>(std::lround(seconds * rate)) + 1;
}

/// From rest to rest through these (time, value).
Curve Holds(std::vector<std::pair<double, double>> points) {
  std::vector<Curve::Knot> knots;
  for (const auto& [time, value] : points) knots.push_back({time, value});
  return Curve(std::move(knots));
}

/// The right hand greets; 4 s, ends as it begins.
figure::Motion Wave(const Puppet& puppet) {
  const Posture stand = puppet.Standing();
  const Curve raise = Holds({{0.3, 0.0}, {1.2, 1.0}, {2.8, 1.0}, {3.7, 0.0}});
  return MakeClip(puppet, kRate, Frames(4.0, kRate), [&](double time) {
    Posture p = stand;
    const double up = raise(time);
    const double wag = Smooth((time - 1.0) / 0.5) *
                       (1.0 - Smooth((time - 2.6) / 0.5)) *
                       std::sin(2.0 * kPi * 1.6 * (time - 1.0));
    Posture::Arm& arm = p.arm[1];
    arm.flexion = 25.0 * up;
    arm.abduction = 8.0 + 72.0 * up + 5.0 * wag;
    arm.twist = 70.0 * up;
    arm.elbow = 12.0 + 83.0 * up + 8.0 * wag;
    arm.supination = -25.0 * up + 25.0 * wag;
    arm.wrist = -14.0 * wag;
    p.spine.left = 2.5 * up;
    p.chest.left = 3.0 * up;
    p.head = {0.0, -5.0 * up, -6.0 * up};
    return puppet.Balanced(p, 0.0, kMiddleOfFeet);
  });
}

/// 3.5 s, ends as it begins.
figure::Motion Bow(const Puppet& puppet) {
  const Posture stand = puppet.Standing();
  const Curve depth = Holds({{0.3, 0.0}, {1.4, 1.0}, {2.0, 1.0}, {3.2, 0.0}});
  return MakeClip(puppet, kRate, Frames(3.5, kRate), [&](double time) {
    Posture p = stand;
    const double bow = depth(time);
    p.pelvis_pitch = 32.0 * bow;
    p.pelvis.y() -= 0.012 * bow;
    p.spine.forward = 20.0 * bow;
    p.chest.forward = 16.0 * bow;
    p.head.forward = 12.0 * bow;
    for (Posture::Arm& arm : p.arm) {
      arm.flexion = 38.0 * bow;
      arm.elbow = 12.0 + 10.0 * bow;
    }
    return puppet.Balanced(p, 0.0, kMiddleOfFeet);
  });
}

/// Two squats of 2 s, so that a loop of one begins at any of them.
figure::Motion Squat(const Puppet& puppet) {
  Posture stand = puppet.Standing();
  for (std::size_t i = 0; i < 2; ++i) {
    const double side = i == 0 ? 1.0 : -1.0;
    stand.foot[i].ankle.x() = side * 0.16;
    stand.foot[i].yaw = side * 15.0;
  }
  stand.pelvis.y() -= 0.005;
  return MakeClip(puppet, kRate, Frames(4.0, kRate), [&](double time) {
    Posture p = stand;
    const double phase = time / 2.0 - std::floor(time / 2.0);
    const double down = 0.5 - 0.5 * std::cos(2.0 * kPi * phase);
    p.pelvis.y() -= 0.40 * down;
    p.pelvis_pitch = 24.0 * down;
    p.spine.forward = 9.0 * down;
    p.chest.forward = 4.0 * down;
    p.head.forward = -18.0 * down;
    for (Posture::Arm& arm : p.arm) {
      arm.flexion = 85.0 * down;
      arm.elbow = 12.0 + 4.0 * down;
    }
    return puppet.Balanced(p, 0.0, kMiddleOfFeet);
  });
}

/// From standing onto a chair with a seat 0.45 m high; 3 s, stays seated.
figure::Motion Sit(const Puppet& puppet) {
  const Posture stand = puppet.Standing();
  const double begin = 0.4;
  const double end = 2.2;
  const Curve lower = Holds({{begin, 0.0}, {end, 1.0}});
  const Curve lean = Holds({{begin - 0.1, 0.0}, {1.3, 1.0}, {2.6, 0.0}});
  const double seated_height = 0.54;
  const double seated_back = -0.40;
  return MakeClip(puppet, kRate, Frames(3.0, kRate), [&](double time) {
    Posture p = stand;
    const double s = lower(time);
    const double l = lean(time);
    // The hips go back before they go down.
    const double back = Holds({{begin, 0.0}, {end - 0.3, 1.0}})(time);
    p.pelvis.y() += s * (seated_height - stand.pelvis.y());
    p.pelvis.z() += back * (seated_back - stand.pelvis.z());
    p.pelvis_pitch = 32.0 * l - 8.0 * s;
    p.spine.forward = 14.0 * l + 6.0 * s;
    p.chest.forward = 6.0 * l + 4.0 * s;
    p.head.forward = -14.0 * l;
    for (Posture::Arm& arm : p.arm) {
      arm.flexion = 22.0 * s + 18.0 * l;
      arm.elbow = 12.0 + 48.0 * s;
      arm.abduction = 8.0 + 2.0 * s;
    }
    return p;
  });
}

/// A quarter turn to the left on the spot in four steps; 3.6 s.
figure::Motion Turn(const Puppet& puppet) {
  const Posture stand = puppet.Standing();
  struct Step {
    std::size_t foot;
    double begin;
    double from_deg;
    double to_deg;
  };
  constexpr double kStep = 0.5;  // [s]
  const std::vector<Step> steps = {{0, 0.5, 0.0, 50.0},
                                   {1, 1.2, 0.0, 50.0},
                                   {0, 1.9, 50.0, 90.0},
                                   {1, 2.6, 50.0, 90.0}};
  // Weight: 1 on the left foot, -1 on the right.
  const Curve weight = Holds({{0.05, 0.0},
                              {0.55, -0.8},
                              {0.95, -0.8},
                              {1.25, 0.8},
                              {1.65, 0.8},
                              {1.95, -0.8},
                              {2.35, -0.8},
                              {2.65, 0.8},
                              {3.05, 0.8},
                              {3.5, 0.0}});
  const Curve yaw = Holds({{0.4, 0.0}, {3.0, 90.0}});
  const Curve look = Holds({{0.1, 0.0}, {0.9, 25.0}, {1.8, 25.0}, {3.0, 0.0}});
  const auto around = [](const Vector3& p, double angle_deg) {
    return Vector3(Eigen::AngleAxisd(Radians(angle_deg), Vector3::UnitY()) * p);
  };
  return MakeClip(puppet, kRate, Frames(3.6, kRate), [&](double time) {
    Posture p = stand;
    std::array<double, 2> turned = {0.0, 0.0};
    for (const Step& step : steps) {
      const double share = (time - step.begin) / kStep;
      // Up before it turns.
      turned[step.foot] +=
          (step.to_deg - step.from_deg) * Smooth((share - 0.18) / 0.64);
      p.foot[step.foot].pitch -= 8.0 * Bump(share);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      p.foot[i].ankle = around(stand.foot[i].ankle, turned[i]);
      p.foot[i].yaw += turned[i];
    }
    for (const Step& step : steps) {
      const double share = (time - step.begin) / kStep;
      p.foot[step.foot].ankle.y() += 0.075 * Bump(share);
    }
    p.pelvis.y() -= 0.012;
    p.pelvis_yaw = yaw(time);
    p.head.turn = look(time);
    p.chest.turn = 0.25 * look(time);
    const auto middle = [&](std::size_t i) {
      return Vector3(p.foot[i].ankle +
                     around({0.0, 0.0, kMiddleOfFeet}, p.foot[i].yaw));
    };
    const double w = 0.5 + 0.5 * weight(time);
    const Vector3 target = w * middle(0) + (1.0 - w) * middle(1);
    return puppet.Balanced(p, target.x(), target.z());
  });
}

/// Running on the spot: 0.7 s a stride, in the air a fifth of a second of each.
/// The floor pushes with a smooth pulse, so that with m y'' = F - m g
///
///     stance  y'' = -g + A (1 - cos ωτ),  A = g T / Ts,  ω = 2π / Ts
///     flight  y'' = -g
///
/// the height returns after every step of T seconds, Ts of them on the floor.
figure::Motion Run(const Puppet& puppet) {
  const Posture stand = puppet.Standing();
  constexpr double kStepSeconds = 0.35;
  constexpr double kStance = 0.21;
  constexpr double kFlight = kStepSeconds - kStance;
  constexpr double kStrideTime = 2.0 * kStepSeconds;
  const auto height = [](double time) {
    const double tau = time - kStepSeconds * std::floor(time / kStepSeconds);
    const double omega = 2.0 * kPi / kStance;
    const double push = kGravity * kStepSeconds / kStance;
    const double v0 = -0.5 * kGravity * kFlight;
    if (tau <= kStance) {
      return v0 * tau - 0.5 * kGravity * tau * tau +
             push * (0.5 * tau * tau +
                     (std::cos(omega * tau) - 1.0) / (omega * omega));
    }
    const double t = tau - kStance;
    return -v0 * t - 0.5 * kGravity * t * t;
  };
  const double landing = puppet.ankle_height() + puppet.leg_length() - 0.035;
  // A foot over its stride from landing: it rolls onto the ball and leaves the
  // floor, heel towards the seat, and comes down flat.
  const double off = kStance / kStrideTime;
  const Curve pitch(
      {{0.12, 0.0}, {off, -32.0, -420.0, -1500.0}, {0.55, -62.0}, {0.97, 0.0}});
  const auto stance = [&](const Vector3& flat, double yaw, double phase) {
    return RolledAnkle(puppet, flat, yaw, pitch(phase));
  };
  const auto foot_at = [&](std::size_t i, double phase) {
    Posture::Foot foot = stand.foot[i];
    const double p = phase - std::floor(phase);
    const Vector3 flat = foot.ankle;
    foot.pitch = pitch(p);
    foot.toes = -foot.pitch * (1.0 - Smooth((p - off) / 0.2));
    if (p <= off) {
      foot.ankle = stance(flat, foot.yaw, p);
      return foot;
    }
    constexpr double h = 1e-4;
    for (int axis = 0; axis < 3; ++axis) {
      const double before = stance(flat, foot.yaw, off - h)[axis];
      const double at = stance(flat, foot.yaw, off)[axis];
      const double after = stance(flat, foot.yaw, off + h)[axis];
      const Curve swing({{off, at, (after - before) / (2.0 * h),
                          (after - 2.0 * at + before) / (h * h)},
                         {1.0, flat[axis]}});
      foot.ankle[axis] = swing(p);
    }
    const double share = (p - off) / (1.0 - off);
    foot.ankle.y() += 0.24 * Bump(share);
    foot.ankle.z() -= 0.13 * Bump(share);
    return foot;
  };
  return MakeClip(puppet, kFastRate, Frames(4.0 * kStrideTime, kFastRate),
                  [&](double time) {
                    Posture p = stand;
                    const double phase = time / kStrideTime;
                    const double turn = 2.0 * kPi * phase;
                    p.foot[0] = foot_at(0, phase);
                    p.foot[1] = foot_at(1, phase + 0.5);
                    p.pelvis = {0.02 * std::cos(turn - 2.0 * kPi * 0.15),
                                landing + height(time), 0.03};
                    p.pelvis_pitch = 4.0;
                    p.pelvis_yaw = 4.0 * std::sin(turn - 2.0 * kPi * 0.15);
                    p.spine = {4.0, 0.0, -1.4 * p.pelvis_yaw};
                    p.chest = {3.0, 0.0, -1.4 * p.pelvis_yaw};
                    p.head = {-7.0, 0.0, 1.4 * p.pelvis_yaw};
                    for (std::size_t i = 0; i < 2; ++i) {
                      const double side = i == 0 ? 1.0 : -1.0;
                      const double swing =
                          -side * std::cos(turn - 2.0 * kPi * 0.15);
                      p.arm[i].flexion = 2.0 - 28.0 * swing;
                      p.arm[i].abduction = 12.0;
                      p.arm[i].elbow = 88.0 - 8.0 * swing;
                    }
                    return p;
                  });
}

/// A jump on the spot that is its own mirror image in time. In the air the mass
/// centre flies freely: y = y0 + v t - g t²/2.
class JumpMaker {
 public:
  explicit JumpMaker(const Puppet& puppet)
      : puppet_(puppet), stand_(puppet.Standing()) {
    // The pelvis' curvature at take-off so that the mass centre already falls.
    for (int i = 0; i < 60; ++i) {
      take_off_curvature_ += -kGravity - CentreDerivative(2);
    }
    const double v = CentreDerivative(1);
    centre_ = puppet_.MassCentre(puppet_.PoseOf(OnFloor(kTakeOff)));
    speed_ = v;
    apex_ = kTakeOff + v / kGravity;
    for (std::size_t foot = 0; foot < 2; ++foot) {
      for (int axis = 0; axis < 3; ++axis) {
        constexpr double h = 1e-3;
        const auto place = [&](double time) {
          const Posture p = OnFloor(time);
          return p.foot[foot].ankle[axis] - p.pelvis[axis];
        };
        const double before = place(kTakeOff - h);
        const double at = place(kTakeOff);
        const double after = place(kTakeOff + h);
        const double tucked = axis == 0   ? at
                              : axis == 1 ? -0.9 * puppet.leg_length()
                                          : at + 0.01;
        in_air_[foot][static_cast<std::size_t>(axis)] =
            Curve({{kTakeOff, at, (after - before) / (2.0 * h),
                    (after - 2.0 * at + before) / (h * h)},
                   {apex_, tucked}});
      }
    }
  }

  double seconds() const { return 2.0 * apex_; }

  Posture At(double time) const {
    const double t = std::min(time, 2.0 * apex_ - time);
    return t <= kTakeOff ? OnFloor(t) : InAir(t);
  }

 private:
  static constexpr double kTakeOff = 1.15;  // [s]

  /// Crouch and push, with the feet on the floor; defined a little beyond
  /// take-off for the derivatives.
  Posture OnFloor(double time) const {
    Posture p = stand_;
    const double y = stand_.pelvis.y();
    const Curve height({{0.2, y},
                        {0.75, y - 0.3, 0.0, 12.0},
                        {kTakeOff, y - 0.04, 2.3, take_off_curvature_},
                        {kTakeOff + 0.1, y + 0.14, 1.4, -kGravity}});
    const Curve pitch(
        {{0.85, 0.0}, {kTakeOff, -46.0, -450.0, 0.0}, {kTakeOff + 0.2, -80.0}});
    p.pelvis.y() = height(time);
    Body(time, p);
    for (Posture::Foot& foot : p.foot) {
      foot.pitch = pitch(time);
      foot.toes = -foot.pitch;
      foot.ankle = RolledAnkle(puppet_, foot.ankle, foot.yaw, foot.pitch);
    }
    // Over the balls of the feet at the end.
    const double z =
        kMiddleOfFeet + 0.05 * Smooth((time - 0.5) / (kTakeOff - 0.5));
    return puppet_.Balanced(p, 0.0, z);
  }

  void Body(double time, Posture& p) const {
    const Curve bend({{0.2, 0.0}, {0.75, 1.0}, {kTakeOff, 0.0}});
    const Curve arms({{0.2, 0.0},
                      {0.75, -48.0},
                      {kTakeOff, 120.0, 200.0, -1500.0},
                      {kTakeOff + 0.28, 140.0}});
    p.pelvis_pitch = 30.0 * bend(time);
    p.spine.forward = 12.0 * bend(time);
    p.chest.forward = 6.0 * bend(time);
    p.head.forward = -20.0 * bend(time);
    for (Posture::Arm& arm : p.arm) {
      arm.flexion = arms(time);
      arm.elbow = 18.0;
      arm.abduction = 12.0;
    }
  }

  double CentreDerivative(int order) const {
    constexpr double h = 1e-3;
    const auto y = [&](double time) {
      return puppet_.MassCentre(puppet_.PoseOf(OnFloor(time))).y();
    };
    const double before = y(kTakeOff - h);
    const double at = y(kTakeOff);
    const double after = y(kTakeOff + h);
    return order == 1 ? (after - before) / (2.0 * h)
                      : (after - 2.0 * at + before) / (h * h);
  }

  Posture InAir(double time) const {
    Posture p = stand_;
    p.pelvis.setZero();
    Body(time, p);
    const double share = (time - kTakeOff) / (apex_ - kTakeOff);
    const Curve pitch({{kTakeOff, -46.0, -450.0, 0.0}, {apex_, -45.0}});
    for (std::size_t i = 0; i < 2; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        p.foot[i].ankle[axis] =
            in_air_[i][static_cast<std::size_t>(axis)](time);
      }
      p.foot[i].pitch = pitch(time);
      p.foot[i].toes = -p.foot[i].pitch * (1.0 - 0.9 * Smooth(share));
    }
    const double t = time - kTakeOff;
    const Vector3 centre(centre_.x(),
                         centre_.y() + speed_ * t - 0.5 * kGravity * t * t,
                         centre_.z());
    const Vector3 shift = centre - puppet_.MassCentre(puppet_.PoseOf(p));
    p.pelvis += shift;
    for (Posture::Foot& foot : p.foot) foot.ankle += shift;
    return p;
  }

  const Puppet& puppet_;
  Posture stand_;
  double take_off_curvature_ = -kGravity;
  double apex_ = 0.0;
  double speed_ = 0.0;
  Vector3 centre_ = Vector3::Zero();
  std::array<std::array<Curve, 3>, 2> in_air_;
};

figure::Motion Jump(const Puppet& puppet) {
  const JumpMaker jump(puppet);
  const int frames =
      static_cast<int>(std::ceil(jump.seconds() * kFastRate)) + 1;
  return MakeClip(puppet, kFastRate, frames,
                  [&](double time) { return jump.At(time); });
}

}  // namespace

std::vector<BundledClip> MakeBundledClips(const Puppet& puppet) {
  return {{"walk", MakeWalk(puppet)}, {"run", Run(puppet)},
          {"wave", Wave(puppet)},     {"bow", Bow(puppet)},
          {"squat", Squat(puppet)},   {"jump", Jump(puppet)},
          {"turn", Turn(puppet)},     {"sit", Sit(puppet)}};
}

}  // namespace limber
