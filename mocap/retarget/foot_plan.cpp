// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/foot_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/clip_time.h"
#include "mocap/retarget/banded_system.h"
#include "mocap/retarget/envelope.h"
#include "mocap/retarget/limb.h"

namespace limber::mocap {

namespace {

using figure::Shot;

constexpr int kRounds = 8;
constexpr int kFreeRounds = 4;  // In which the root is not yet held.
constexpr int kExtraRounds = 8;
constexpr double kSwingWeight = 0.3;     // Of a leg that does not stand.
constexpr double kFollow = 0.02;         // ε
constexpr double kHold = 1e-4;           // μ, up and down
constexpr double kFlight = 0.1;          // |D¹ r_y|² T_r² in flight
constexpr double kReached = 1.0 + 1e-9;  // Rounding of a straight leg.
constexpr double kStraightest = 0.9998;  // Of the length of the leg.
constexpr double kPress = 10.0;          // Growth of a weight that fell short.
constexpr double kPressLimits = 3.0;     // Likewise, for limits.
constexpr double kMostFollow = 1.0;
constexpr double kFarEnough = 1.1;   // Times as far as it may be is still good.
constexpr double kLeastHold = 0.01;  // Beside w of a leg.
constexpr double kMostHold = 100.0;
constexpr double kPressRoot = 6.0;
constexpr double kMostStay = 1e5;
constexpr double kFade = 0.1;  // [s]
constexpr double kHeightWeight = 20.0;
constexpr double kHoldUpWeight = 1e8;  // Gives way by micrometres.
constexpr double kLetGo = 1e-6;        // Held down by so much, at least [m].
constexpr double kSink = 1e-4;         // Tolerated when searching [m].
constexpr double kSlack = 1e-3;        // Limits, when searching [rad].

/// The larger one, a little more where they are nearly equal, without a kink.
double RoundedMax(double a, double b, double rounding) {
  const double half = 0.5 * (a - b);
  return 0.5 * (a + b) + std::sqrt(half * half + rounding * rounding);
}

/// What is decided about a leg, frame by frame.
struct LegPlot {
  std::vector<Vector3> g;      ///< Shift of the foot [m].
  std::vector<char> stands;    ///< In a phase.
  std::vector<char> held_up;   ///< Held at its lowest.
  std::vector<char> is_short;  ///< Could not be reached once.
  std::vector<double> weight;  ///< w: how much its bend counts for the root.
  std::vector<double> follow;  ///< ε: how much the root goes with the foot.
  std::vector<double> stay;    ///< How much a swinging foot goes with the root.
};

class FootPlan {
 public:
  FootPlan(const HumanBody& body, double rate_hz,
           const std::array<FootGoal, 2>& goals,
           const std::array<ArmTrack, 2>& arms,
           const std::vector<double>& floor_shift, const PlantOptions& options,
           const std::array<LegTrack, 2>& tracks, const LegLimits& limits)
      : goals_(goals),
        arms_(arms),
        floor_shift_(floor_shift),
        tracks_(tracks),
        limits_(limits),
        rate_hz_(rate_hz),
        far_root_(options.far_root * body.plan.leg_length),
        hold_flat_(options.root_hold),
        root_stiffness_(PathStiffness(options.root_time, rate_hz)),
        foot_stiffness_(PathStiffness(options.foot_time, rate_hz)),
        flight_stiffness_(kFlight * std::pow(options.root_time * rate_hz, 2.0)),
        lift_frames_(std::max<std::int64_t>(1, FramesIn(kLiftTime, rate_hz))),
        anchor_frames_(
            std::max<std::int64_t>(1, FramesIn(options.anchor_time, rate_hz))),
        r_(tracks[0].hip.size(), Vector3::Zero()),
        hold_(r_.size(), 0.0) {
    for (int side = 0; side < 2; ++side) StartLeg(side);
  }

  FootPaths Run(const std::vector<Shot>& shots) {
    for (const Shot& shot : shots) {
      if (shot.size() < kShortestShot) continue;
      PlaceFeet(shot);
      for (int round = 0; round < kRounds; ++round) {
        SolveSwings(shot);
        SolveRoot(shot);
        if (round >= kFreeRounds) PressFarRoot(shot, 1.0);
      }
      SolveSwings(shot);
      HoldUp(shot);
      // What falls short counts more, until nothing does.
      for (int round = 0; round < kExtraRounds; ++round) {
        const bool is_short = PressShortLegs(shot);
        const bool is_bent = PressBentJoints(shot);
        const bool is_far = PressFarRoot(shot, kFarEnough);
        if (!is_short && !is_bent && !is_far) break;
        SolveRoot(shot);
        SolveSwings(shot);
        HoldUp(shot);
      }
    }
    FootPaths paths;
    paths.root = std::move(r_);
    for (int side = 0; side < 2; ++side) {
      paths.feet[side] = std::move(legs_[side].g);
      paths.stands[side] = std::move(legs_[side].stands);
    }
    return paths;
  }

 private:
  void StartLeg(int side) {
    const LegTrack& track = tracks_[side];
    const FootGoal& goal = goals_[side];
    LegPlot& leg = legs_[side];
    const std::size_t n = r_.size();
    leg.g.assign(n, Vector3::Zero());
    leg.stands.assign(n, 0);
    leg.held_up.assign(n, 0);
    leg.is_short.assign(n, 0);
    for (const FootPhase& phase : goal.phases) {
      std::fill(leg.stands.begin() + phase.begin,
                leg.stands.begin() + phase.end, 1);
    }
    for (std::size_t i = 0; i < n; ++i) {
      // A foot high in the air has no say in where the root goes.
      const double say =
          leg.stands[i] ? 1.0 : kSwingWeight * goal.near_floor[i];
      const double bend = BendWeight(track.knee[i] - track.hip[i],
                                     track.ankle[i] - track.knee[i]);
      leg.weight.push_back(say);
      leg.follow.push_back(kFollow * say);
      // A straight leg that swings had better stay as it is.
      leg.stay.push_back(std::max(1.0, bend));
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

  /// x and z: the toe follows its steps; the place of the whole is the one that
  /// needs the smallest shifts from the copy. Where the root goes has no say:
  /// feet that follow the root while the root follows feet walk away together,
  /// a centimetre of foot becoming a decimetre of root. y: the height as
  /// wanted, or what keeps the sole up.
  void PlacePhase(int side, const FootPhase& phase) {
    const FootGoal& goal = goals_[side];
    const LegTrack& track = tracks_[side];
    LegPlot& leg = legs_[side];
    // gap = place of the toe - goal that starts at the toe.
    std::vector<Vector3> gap(phase.size(), Vector3::Zero());
    Vector3 goal_place = track.toe[phase.begin];
    for (std::int64_t i = phase.begin; i < phase.end; ++i) {
      gap[i - phase.begin] = track.toe[i] - goal_place;
      goal_place += goal.toe_step[i];
    }
    // Only the last part of a long stance decides, so that it does not matter
    // where in the stance the clip begins.
    const std::int64_t from = std::max(phase.begin, phase.end - anchor_frames_);
    Vector3 mean = Vector3::Zero();
    for (std::int64_t i = from; i < phase.end; ++i) {
      mean += gap[i - phase.begin];
    }
    mean /= static_cast<double>(phase.end - from);
    std::vector<double> lift;
    for (std::int64_t i = phase.begin; i < phase.end; ++i) {
      lift.push_back(RoundedMax(goal.height[i] - track.height[i],
                                goal.lowest[i] - track.lowest[i],
                                goal.rounding));
    }
    // A sole that is held up goes up and down with every tremor of the foot,
    // and a straight knee makes it many times larger.
    if (goal.rounding > 0.0) {
      Envelope(lift, 0, phase.size(), lift_frames_,
               [](double value) { return value; });
    }
    for (std::int64_t i = phase.begin; i < phase.end; ++i) {
      leg.g[i] = mean - gap[i - phase.begin];
      leg.g[i].y() = lift[i - phase.begin];
    }
  }

  /// How they go from stance to stance.
  void SolveSwings(const Shot& shot) {
    for (int side = 0; side < 2; ++side) {
      for (int axis = 0; axis < 3; ++axis) SolveFootAxis(shot, side, axis);
    }
  }

  /// Solves for c = g - r.
  void SolveFootAxis(const Shot& shot, int side, int axis) {
    LegPlot& leg = legs_[side];
    const LegTrack& track = tracks_[side];
    const FootGoal& goal = goals_[side];
    const auto n = static_cast<std::size_t>(shot.size());
    BandedSystem system(n, 3);
    system.AddThirdDifferences(0, 1, n, foot_stiffness_);
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t frame = shot.begin + static_cast<std::int64_t>(i);
      const double r = r_[frame][axis];
      system.Add(i, i, leg.stay[frame]);
      if (leg.stands[frame]) {
        system.Fix(i, leg.g[frame][axis] - r);
      } else if (axis == 1 && leg.held_up[frame]) {
        const double up = goal.lowest[frame] - track.lowest[frame] - r;
        system.Add(i, i, kHoldUpWeight);
        system.AddRight(i, kHoldUpWeight * up);
      } else if (axis == 1) {
        const double w = kHeightWeight * goal.near_floor[frame];
        system.Add(i, i, w);
        system.AddRight(i, w * (goal.height[frame] - track.height[frame] - r));
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
        system.Add(3 * i + axis, 3 * i + axis,
                   (axis == 1 ? kHold : hold_flat_) + hold_[frame]);
      }
      system.AddRight(3 * i + 1, (kHold + hold_[frame]) * floor_shift_[frame]);
      if (i + 1 < n) {
        // In flight the shift stays as high as it is, wherever that is: the
        // height of the whole must not matter.
        const double still = flight_stiffness_ * (1.0 - Support(frame));
        system.Add(3 * i + 1, 3 * i + 1, still);
        system.Add(3 * i + 4, 3 * i + 4, still);
        system.Add(3 * i + 4, 3 * i + 1, -still);
      }
      for (int side = 0; side < 2; ++side) {
        AddLeg(side, frame, i, system);
        AddArm(side, frame, i, system);
      }
    }
    const std::vector<double> r = system.Solve();
    for (std::size_t i = 0; i < n; ++i) {
      r_[shot.begin + static_cast<std::int64_t>(i)] =
          Vector3(r[3 * i], r[3 * i + 1], r[3 * i + 2]);
    }
  }

  /// 1 where a foot or a hand stands, 0 where all are high in the air.
  double Support(std::int64_t frame) const {
    double support = 0.0;
    for (int side = 0; side < 2; ++side) {
      support = std::max(support, legs_[side].stands[frame]
                                      ? 1.0
                                      : goals_[side].near_floor[frame]);
    }
    for (const ArmTrack& arm : arms_) {
      if (!arm.arm.empty()) support = std::max(support, arm.weight[frame]);
    }
    return std::min(support, 1.0);
  }

  /// θ(|d|) - θ(ℓ), linear about the shift so far: u·r = u·r_old + what |d|
  /// has too much.
  void AddLeg(int side, std::int64_t frame, std::size_t i,
              BandedSystem& system) {
    const LegTrack& track = tracks_[side];
    const LegPlot& leg = legs_[side];
    const Vector3 before = track.ankle[frame] - track.hip[frame];
    const Vector3 d = before + leg.g[frame] - r_[frame];
    const double length = d.norm();
    if (length <= 0.0) return;
    const Vector3 u = d / length;
    const double follow = leg.follow[frame];
    const double wanted =
        leg.is_short[frame]
            ? std::min(before.norm(), kStraightest * track.length)
            : before.norm();
    const BendChange change = ChangeOfBend(
        (track.knee[frame] - track.hip[frame]).norm(),
        (track.ankle[frame] - track.knee[frame]).norm(), wanted, length);
    const double w = leg.weight[frame] * change.weight;
    const double right = change.too_long + u.dot(r_[frame]);
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        system.Add(3 * i + a, 3 * i + b, w * u[a] * u[b]);
      }
      system.AddRight(3 * i + a, w * u[a] * right);
      system.Add(3 * i + a, 3 * i + a, follow);
      system.AddRight(3 * i + a, follow * leg.g[frame][a]);
    }
  }

  /// |d| - ℓ of an arm whose palm goes up by `lift`, and otherwise with the
  /// root: only the root's height counts.
  ///
  ///     d = arm + (lift - r_y) y
  void AddArm(int side, std::int64_t frame, std::size_t i,
              BandedSystem& system) {
    const ArmTrack& track = arms_[side];
    if (track.arm.empty() || track.weight[frame] <= 0.0) return;
    const Vector3& arm = track.arm[frame];
    const double r = r_[frame].y();
    const Vector3 d = arm + (track.lift[frame] - r) * Vector3::UnitY();
    const double length = d.norm();
    if (length <= 0.0) return;
    const double u = d.y() / length;
    const double w = track.weight[frame];
    const double right = length - arm.norm() + u * r;
    system.Add(3 * i + 1, 3 * i + 1, w * u * u);
    system.AddRight(3 * i + 1, w * u * right);
    // The shoulder goes with its hand a little, as a hip with its foot.
    const double follow = kFollow * std::min(1.0, w);
    system.Add(3 * i + 1, 3 * i + 1, follow);
    system.AddRight(3 * i + 1, follow * track.lift[frame]);
  }

  /// Legs that do not reach count more: those that stand for the root, those
  /// that swing for their foot, which then goes more with the root. Says
  /// whether there are any.
  bool PressShortLegs(const Shot& shot) {
    bool any = false;
    for (int side = 0; side < 2; ++side) {
      const LegTrack& track = tracks_[side];
      LegPlot& leg = legs_[side];
      std::vector<double> press(static_cast<std::size_t>(shot.size()), 0.0);
      for (std::int64_t i = shot.begin; i < shot.end; ++i) {
        const Vector3 d = track.ankle[i] + leg.g[i] - track.hip[i] - r_[i];
        if (d.norm() <= kReached * track.length) continue;
        any = true;
        press[i - shot.begin] = 1.0;
        if (!leg.stands[i]) continue;
        leg.weight[i] *= kPress;
        leg.is_short[i] = 1;
      }
      FadeOut(press, 0, shot.size(), rate_hz_);
      for (std::int64_t i = shot.begin; i < shot.end; ++i) {
        leg.stay[i] = std::min(
            leg.stay[i] * std::pow(kPress, press[i - shot.begin]), kMostStay);
      }
    }
    return any;
  }

  /// Where the root is farther off its path than it may be it is held there the
  /// more, so that knees bend instead: they give way first. Legs that are too
  /// short grow heavier still, and pull it along where they must. Frames that
  /// are less than `least` times too far are left alone: what goes on elsewhere
  /// must not matter to them. Says whether there are any others.
  ///
  ///     hold <- max(hold, kLeastHold) (|r| / far)^kPressRoot
  bool PressFarRoot(const Shot& shot, double least) {
    bool any = false;
    for (std::int64_t i = shot.begin; i < shot.end; ++i) {
      const double share =
          (r_[i] - floor_shift_[i] * Vector3::UnitY()).norm() / far_root_;
      if (share <= least) continue;
      any = true;
      hold_[i] = std::min(std::max(hold_[i], kLeastHold) *
                              std::min(kPress, std::pow(share, kPressRoot)),
                          kMostHold);
    }
    return any;
  }

  /// A leg whose joints leave their limits farther than before wants its old
  /// shape back, in this frame and less and less in those around it: the root
  /// goes with a standing foot, a swinging foot with the root. Says whether
  /// there are any.
  bool PressBentJoints(const Shot& shot) {
    if (limits_.ankle(0) == nullptr) return false;
    bool any_leg = false;
    for (int side = 0; side < 2; ++side) {
      LegPlot& leg = legs_[side];
      bool any = false;
      std::vector<double> press(static_cast<std::size_t>(shot.size()), 0.0);
      for (std::int64_t i = shot.begin; i < shot.end; ++i) {
        const auto frame = static_cast<std::size_t>(i);
        if (limits_.Excess(side, TurnLeg(tracks_[side], frame, r_[i],
                                         leg.g[i])) > kSlack) {
          press[i - shot.begin] = 1.0;
          any = true;
        }
      }
      if (!any) continue;
      any_leg = true;
      FadeOut(press, 0, shot.size(), rate_hz_);
      for (std::int64_t i = shot.begin; i < shot.end; ++i) {
        const double factor = std::pow(kPressLimits, press[i - shot.begin]);
        leg.follow[i] = std::min(leg.follow[i] * factor, kMostFollow);
        leg.stay[i] = std::min(leg.stay[i] * factor, kMostStay);
      }
    }
    return any_leg;
  }

  /// Frames between stances in which the sole would sink are held at their
  /// lowest, until none sinks; those that are held down instead are let go.
  void HoldUp(const Shot& shot) {
    constexpr int kMostTurns = 16;
    // A frame that goes to and fro stays held in the end.
    constexpr int kMayLetGo = 8;
    for (int side = 0; side < 2; ++side) {
      const LegTrack& track = tracks_[side];
      LegPlot& leg = legs_[side];
      for (int turn = 0; turn < kMostTurns; ++turn) {
        bool changed = false;
        for (std::int64_t i = shot.begin; i < shot.end; ++i) {
          if (leg.stands[i]) continue;
          const double above =
              track.lowest[i] + leg.g[i].y() - goals_[side].lowest[i];
          // What holds gives way a little: below when it holds the foot up,
          // above when it holds it down.
          const bool holds = leg.held_up[i]
                                 ? above <= kLetGo || turn >= kMayLetGo
                                 : above < -kSink;
          changed = changed || holds != (leg.held_up[i] != 0);
          leg.held_up[i] = holds ? 1 : 0;
        }
        if (!changed) break;
        SolveFootAxis(shot, side, 1);
      }
    }
  }

  const std::array<FootGoal, 2>& goals_;
  const std::array<ArmTrack, 2>& arms_;
  const std::vector<double>& floor_shift_;  ///< [m]
  const std::array<LegTrack, 2>& tracks_;
  const LegLimits& limits_;
  const double rate_hz_;
  const double far_root_;   ///< [m]
  const double hold_flat_;  ///< μ, over the floor.
  const double root_stiffness_;
  const double foot_stiffness_;
  const double flight_stiffness_;  ///< Of the root's height, per difference.
  const std::int64_t lift_frames_;
  const std::int64_t anchor_frames_;
  std::array<LegPlot, 2> legs_;
  std::vector<Vector3> r_;
  std::vector<double> hold_;  ///< How much the root is held on its path.
};

}  // namespace

double PathStiffness(double time, double rate_hz) {
  constexpr double kMostFrames = 40.0;
  return std::pow(std::min(time * rate_hz, kMostFrames), 6.0);
}

void FadeOut(std::vector<double>& values, std::int64_t begin, std::int64_t end,
             double rate_hz) {
  const double fade = 1.0 / std::max(1.0, kFade * rate_hz);
  for (std::int64_t i = begin + 1; i < end; ++i) {
    values[i] = std::max(values[i], values[i - 1] - fade);
  }
  for (std::int64_t i = end - 1; i-- > begin;) {
    values[i] = std::max(values[i], values[i + 1] - fade);
  }
}

FootPaths PlanFeet(
    const HumanBody& body, double rate_hz, const std::vector<Shot>& shots,
    const std::array<FootGoal, 2>& goals, const std::array<ArmTrack, 2>& arms,
    const std::vector<double>& floor_shift, const PlantOptions& options,
    const std::array<LegTrack, 2>& tracks, const LegLimits& limits) {
  return FootPlan(body, rate_hz, goals, arms, floor_shift, options, tracks,
                  limits)
      .Run(shots);
}

}  // namespace limber::mocap
