// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/foot_planter.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mocap/retarget/banded_system.h"
#include "mocap/retarget/limb.h"

namespace limber::mocap {

namespace {

using figure::LegPlan;
using figure::Pose;
using figure::Shot;

constexpr int kRounds = 3;
constexpr double kSwingWeight = 0.3;     // Of a leg that does not stand.
constexpr double kFollow = 0.02;         // ε
constexpr double kHold = 1e-3;           // μ, up and down
constexpr double kHoldFlat = 0.1;        // μ, along the floor
constexpr double kStraightest = 0.9998;  // Of the length of the leg.
constexpr double kOverreach = 10.0;      // Growth of the weight of a short leg.
constexpr int kMostExtraRounds = 8;
constexpr double kHeightWeight = 20.0;
constexpr double kSink = 1e-4;    // Tolerated when searching [m].
constexpr double kMissed = 1e-4;  // [m]

/// One leg over the clip before anything is moved, and what is to be moved.
struct LegTrack {
  std::vector<Vector3> hip, knee, ankle, toe, hinge;
  std::vector<double> height, lowest;
  std::vector<double> weight;  ///< w: how much its bend counts for the root.
  std::vector<Vector3> g;      ///< Shift of the foot.
  std::vector<char> stands;    ///< Frame is in a phase.
  std::vector<char> held_up;   ///< Frame is held at its lowest.
  std::vector<char> is_short;  ///< Frame could not be reached once.
  double length = 0.0;
};

/// |D³x|² T⁶ for a time constant in frames; beyond 40 frames the numbers of the
/// system would differ by more than 1e12.
double Stiffness(double time, double rate_hz) {
  constexpr double kMostFrames = 40.0;
  return std::pow(std::min(time * rate_hz, kMostFrames), 6.0);
}

/// How much the bend of a knee changes with the length of its leg, squared,
/// against that of a knee bent by half a right angle; bounded for straight
/// legs.
///
///     dℓ/dθ = -|a x b| / ℓ
double BendWeight(const Vector3& a, const Vector3& b) {
  constexpr double kUsual = 0.19;  // |a x b| / ℓ² at 45 degrees.
  constexpr double kLeast = 0.1;
  const double squared = (a + b).squaredNorm();
  if (squared <= 0.0) return 1.0;
  const double s = a.cross(b).norm() / squared / kUsual;
  return (1.0 + kLeast * kLeast) / (s * s + kLeast * kLeast);
}

class FootPlanter {
 public:
  FootPlanter(const Body& body, double rate_hz,
              const std::array<FootGoal, 2>& goals, double rounding,
              const PlantOptions& options, std::vector<Pose>& poses)
      : body_(body),
        goals_(goals),
        rounding_(rounding),
        root_stiffness_(Stiffness(options.root_time, rate_hz)),
        foot_stiffness_(Stiffness(options.foot_time, rate_hz)),
        poses_(poses),
        r_(poses.size(), Vector3::Zero()) {
    Track();
  }

  PlantReport Run(const std::vector<Shot>& shots) {
    for (const Shot& shot : shots) {
      for (int round = 0; round < kRounds; ++round) {
        PlaceFeet(shot);
        SolveSwings(shot);
        SolveRoot(shot);
      }
      SolveSwings(shot);
      for (int round = 0; round < kMostExtraRounds && PressShortLegs(shot);
           ++round) {
        SolveRoot(shot);
        SolveSwings(shot);
      }
      HoldUp(shot);
    }
    for (std::size_t i = 0; i < poses_.size(); ++i) TurnLegs(i);
    return report_;
  }

 private:
  void Track() {
    std::vector<Transform> X_WJ;
    for (int side = 0; side < 2; ++side) {
      const LegPlan& plan = body_.plan.legs[side];
      LegTrack& leg = legs_[side];
      leg.length = plan.length;
      const std::size_t n = poses_.size();
      for (auto* track :
           {&leg.hip, &leg.knee, &leg.ankle, &leg.toe, &leg.hinge}) {
        track->reserve(n);
      }
      leg.g.assign(n, Vector3::Zero());
      leg.stands.assign(n, 0);
      leg.held_up.assign(n, 0);
      leg.is_short.assign(n, 0);
      leg.weight.assign(n, kSwingWeight);
      for (const FootPhase& phase : goals_[side].phases) {
        std::fill(leg.stands.begin() + phase.begin,
                  leg.stands.begin() + phase.end, 1);
      }
      const Vector3 d = body_.skeleton->joint(plan.foot).offset;
      hinge_[side] = body_.plan.axes.forward.cross(d).normalized();
    }
    for (const Pose& pose : poses_) {
      figure::WorldTransforms(*body_.skeleton, pose, X_WJ);
      for (int side = 0; side < 2; ++side) {
        const LegPlan& plan = body_.plan.legs[side];
        LegTrack& leg = legs_[side];
        leg.hip.push_back(X_WJ[plan.thigh].p);
        leg.knee.push_back(X_WJ[plan.shank].p);
        leg.ankle.push_back(X_WJ[plan.foot].p);
        leg.toe.push_back(plan.toe.At(X_WJ));
        leg.hinge.push_back(X_WJ[plan.shank].R * hinge_[side]);
        leg.height.push_back(
            SoleHeight(leg.toe.back().y(), plan.heel.At(X_WJ).y(), rounding_));
        double lowest = std::numeric_limits<double>::infinity();
        for (const figure::BodyPoint& point : plan.sole) {
          if (goals_[side].bend_toes && point.joint == plan.toes) continue;
          lowest = std::min(lowest, point.At(X_WJ).y());
        }
        leg.lowest.push_back(lowest);
        const std::size_t i = leg.hip.size() - 1;
        leg.weight[i] =
            (leg.stands[i] ? 1.0 : kSwingWeight) *
            BendWeight(leg.knee[i] - leg.hip[i], leg.ankle[i] - leg.knee[i]);
      }
    }
  }

  /// Where the feet stand.
  void PlaceFeet(const Shot& shot) {
    for (int side = 0; side < 2; ++side) {
      for (const FootPhase& phase : goals_[side].phases) {
        if (shot.begin <= phase.begin && phase.begin < shot.end) {
          PlacePhase(side, phase);
        }
      }
    }
  }

  /// How they go from stance to stance.
  void SolveSwings(const Shot& shot) {
    for (int side = 0; side < 2; ++side) {
      for (int axis = 0; axis < 3; ++axis) SolveFootAxis(shot, side, axis);
    }
  }

  /// x and z: the toe follows its steps; the place of the whole is the one that
  /// needs the smallest shifts. y: the height as wanted, or what keeps the sole
  /// up.
  void PlacePhase(int side, const FootPhase& phase) {
    const FootGoal& goal = goals_[side];
    LegTrack& leg = legs_[side];
    // gap = place of the toe - goal that starts at the toe.
    std::vector<Vector3> gap(phase.size(), Vector3::Zero());
    Vector3 goal_place = leg.toe[phase.begin];
    Vector3 mean = Vector3::Zero();
    for (std::int64_t i = phase.begin; i < phase.end; ++i) {
      gap[i - phase.begin] = leg.toe[i] - goal_place;
      mean += gap[i - phase.begin] + r_[i];
      goal_place += goal.toe_step[i];
    }
    mean /= static_cast<double>(phase.size());
    for (std::int64_t i = phase.begin; i < phase.end; ++i) {
      leg.g[i] = mean - gap[i - phase.begin];
      leg.g[i].y() = std::max(goal.height[i] - leg.height[i],
                              goal.lowest[i] - leg.lowest[i]);
    }
  }

  /// Solves for c = g - r.
  void SolveFootAxis(const Shot& shot, int side, int axis) {
    LegTrack& leg = legs_[side];
    const FootGoal& goal = goals_[side];
    const auto n = static_cast<std::size_t>(shot.size());
    BandedSystem system(n, 3);
    system.AddThirdDifferences(0, 1, n, foot_stiffness_);
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t frame = shot.begin + static_cast<std::int64_t>(i);
      const double r = r_[frame][axis];
      system.Add(i, i, 1.0);
      if (leg.stands[frame]) {
        system.Fix(i, leg.g[frame][axis] - r);
      } else if (axis == 1 && leg.held_up[frame]) {
        system.Fix(i, goal.lowest[frame] - leg.lowest[frame] - r);
      } else if (axis == 1) {
        const double w = kHeightWeight * goal.near_floor[frame];
        system.Add(i, i, w);
        system.AddRight(i, w * (goal.height[frame] - leg.height[frame] - r));
      }
    }
    const std::vector<double> c = system.Solve();
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t frame = shot.begin + static_cast<std::int64_t>(i);
      leg.g[frame][axis] = c[i] + r_[frame][axis];
    }
  }

  void SolveRoot(const Shot& shot) {
    const auto n = static_cast<std::size_t>(shot.size());
    BandedSystem system(3 * n, 11);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      system.AddThirdDifferences(axis, 3, n, root_stiffness_);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t frame = shot.begin + static_cast<std::int64_t>(i);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        system.Add(3 * i + axis, 3 * i + axis, axis == 1 ? kHold : kHoldFlat);
      }
      for (const LegTrack& leg : legs_) AddLeg(leg, frame, i, system);
    }
    const std::vector<double> r = system.Solve();
    for (std::size_t i = 0; i < n; ++i) {
      r_[shot.begin + static_cast<std::int64_t>(i)] =
          Vector3(r[3 * i], r[3 * i + 1], r[3 * i + 2]);
    }
  }

  /// |d| - ℓ, linear about the shift so far: u·r = |d| - ℓ + u·r_old.
  void AddLeg(const LegTrack& leg, std::int64_t frame, std::size_t i,
              BandedSystem& system) {
    const Vector3 before = leg.ankle[frame] - leg.hip[frame];
    const Vector3 d = before + leg.g[frame] - r_[frame];
    const double length = d.norm();
    if (length <= 0.0) return;
    const Vector3 u = d / length;
    const double w = leg.weight[frame];
    const double follow = kFollow * (leg.stands[frame] ? 1.0 : kSwingWeight);
    const double wanted =
        leg.is_short[frame] ? std::min(before.norm(), kStraightest * leg.length)
                            : before.norm();
    const double right = length - wanted + u.dot(r_[frame]);
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        system.Add(3 * i + a, 3 * i + b, w * u[a] * u[b]);
      }
      system.AddRight(3 * i + a, w * u[a] * right);
      system.Add(3 * i + a, 3 * i + a, follow);
      system.AddRight(3 * i + a, follow * leg.g[frame][a]);
    }
  }

  /// Legs that stand and do not reach count more; says whether there are any.
  bool PressShortLegs(const Shot& shot) {
    bool any = false;
    for (LegTrack& leg : legs_) {
      for (std::int64_t i = shot.begin; i < shot.end; ++i) {
        if (!leg.stands[i]) continue;
        const Vector3 d = leg.ankle[i] + leg.g[i] - leg.hip[i] - r_[i];
        if (d.norm() <= leg.length) continue;
        leg.weight[i] *= kOverreach;
        leg.is_short[i] = 1;
        any = true;
      }
    }
    return any;
  }

  /// Frames between stances in which the sole would sink are held at their
  /// lowest, until none sinks.
  void HoldUp(const Shot& shot) {
    constexpr int kMostTurns = 8;
    for (int side = 0; side < 2; ++side) {
      LegTrack& leg = legs_[side];
      for (int turn = 0; turn < kMostTurns; ++turn) {
        bool sinks = false;
        for (std::int64_t i = shot.begin; i < shot.end; ++i) {
          if (leg.stands[i] || leg.held_up[i]) continue;
          if (leg.lowest[i] + leg.g[i].y() >= goals_[side].lowest[i] - kSink) {
            continue;
          }
          leg.held_up[i] = 1;
          sinks = true;
        }
        if (!sinks) break;
        SolveFootAxis(shot, side, 1);
      }
    }
  }

  void TurnLegs(std::size_t i) {
    Pose& pose = poses_[i];
    figure::WorldTransforms(*body_.skeleton, pose, X_WJ_);
    const auto parent_rotation = [&](int joint) {
      const int parent = body_.skeleton->joint(joint).parent;
      return parent < 0 ? Quaternion::Identity() : X_WJ_[parent].R;
    };
    const int pelvis = body_.plan.pelvis;
    pose.X_PJ[pelvis].p += parent_rotation(pelvis).conjugate() * r_[i];
    report_.largest_root_shift =
        std::max(report_.largest_root_shift, r_[i].norm());
    for (int side = 0; side < 2; ++side) {
      const LegPlan& plan = body_.plan.legs[side];
      const LegTrack& leg = legs_[side];
      const Limb limb{leg.knee[i] - leg.hip[i], leg.ankle[i] - leg.knee[i],
                      leg.hinge[i]};
      const LimbTurn turn =
          ReachFor(limb, leg.ankle[i] + leg.g[i] - leg.hip[i] - r_[i]);
      // The parents of shank and foot turn with the bone above.
      const Quaternion R_thigh = turn.Q_a * X_WJ_[plan.thigh].R;
      const Quaternion R_shank = turn.Q_b * X_WJ_[plan.shank].R;
      pose.X_PJ[plan.thigh].R =
          (parent_rotation(plan.thigh).conjugate() * R_thigh).normalized();
      pose.X_PJ[plan.shank].R =
          ((turn.Q_a * parent_rotation(plan.shank)).conjugate() * R_shank)
              .normalized();
      pose.X_PJ[plan.foot].R =
          ((turn.Q_b * parent_rotation(plan.foot)).conjugate() *
           X_WJ_[plan.foot].R)
              .normalized();
      if (goals_[side].bend_toes && plan.toes >= 0) BendToes(side, i);
      report_.largest_foot_shift =
          std::max(report_.largest_foot_shift, leg.g[i].norm());
      if (!leg.stands[i]) continue;
      report_.worst_miss = std::max(report_.worst_miss, turn.miss);
      if (turn.miss > kMissed) ++report_.missed_frames;
    }
  }

  /// Turns the toes up about the foot's own left until no tip sinks: with v
  /// from the joint to the tip and n the axis, the height of R(n, φ) v is
  ///
  ///     y(φ) = n_y (n·v) + cos φ (v - n (n·v))_y + sin φ (n x v)_y
  void BendToes(int side, std::size_t i) {
    const LegPlan& plan = body_.plan.legs[side];
    const double ground = goals_[side].lowest[i];
    const double base = X_WJ_[plan.toes].p.y() + legs_[side].g[i].y();
    const Vector3 n =
        X_WJ_[plan.foot].R * plan.sole_up.cross(plan.sole_forward);
    double turn = 0.0;
    for (const figure::BodyPoint& point : plan.sole) {
      if (point.joint != plan.toes) continue;
      const Vector3 v = X_WJ_[plan.toes].R * point.p_JQ;
      if (base + v.y() >= ground) continue;
      const double still = n.y() * n.dot(v);
      const double a = v.y() - still;
      const double b = n.cross(v).y();
      const double reach = std::hypot(a, b);
      const double wanted = ground - base - still;
      if (reach <= 0.0 || wanted > reach) continue;
      // y = reach cos(φ - φ0): from where it is, the shorter way up.
      const double top = std::atan2(b, a);
      const double half = std::acos(std::clamp(wanted / reach, -1.0, 1.0));
      const double angle = top > 0.0 ? top - half : top + half;
      if (std::abs(angle) > std::abs(turn)) turn = angle;
    }
    if (turn == 0.0) return;
    const Quaternion R_WF = X_WJ_[body_.skeleton->joint(plan.toes).parent].R;
    poses_[i].X_PJ[plan.toes].R =
        (R_WF.conjugate() * ExpRotation(turn * n) * X_WJ_[plan.toes].R)
            .normalized();
  }

  const Body& body_;
  const std::array<FootGoal, 2>& goals_;
  const double rounding_;
  const double root_stiffness_;
  const double foot_stiffness_;
  std::vector<Pose>& poses_;
  std::array<LegTrack, 2> legs_;
  std::array<Vector3, 2> hinge_;
  std::vector<Vector3> r_;
  std::vector<Transform> X_WJ_;
  PlantReport report_;
};

}  // namespace

double SoleHeight(double toe, double heel, double rounding) {
  const double half = 0.5 * (toe - heel);
  return 0.5 * (toe + heel) - std::sqrt(half * half + rounding * rounding) +
         rounding;
}

PlantReport PlantFeet(const Body& body, double rate_hz,
                      const std::vector<Shot>& shots,
                      const std::array<FootGoal, 2>& goals, double rounding,
                      const PlantOptions& options, std::vector<Pose>& poses) {
  return FootPlanter(body, rate_hz, goals, rounding, options, poses).Run(shots);
}

}  // namespace limber::mocap
