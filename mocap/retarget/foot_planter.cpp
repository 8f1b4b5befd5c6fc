// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/foot_planter.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/clip_time.h"
#include "figure/pose_metrics.h"
#include "mocap/retarget/banded_system.h"
#include "mocap/retarget/envelope.h"
#include "mocap/retarget/leg_track.h"
#include "mocap/retarget/limited_limb.h"

namespace limber::mocap {

namespace {

using figure::LegPlan;
using figure::Pose;
using figure::Shot;

constexpr int kRounds = 8;
constexpr int kFreeRounds = 4;  // In which the root is not yet held.
constexpr int kExtraRounds = 8;
constexpr double kSwingWeight = 0.3;     // Of a leg that does not stand.
constexpr double kFollow = 0.02;         // ε
constexpr double kHold = 1e-4;           // μ, up and down
constexpr double kFlight = 0.1;          // |D¹ r_y|² T_r² in flight
constexpr double kHoldFlat = 0.1;        // μ, along the floor
constexpr double kReached = 1.0 + 1e-9;  // Rounding of a straight leg.
constexpr double kStraightest = 0.9998;  // Of the length of the leg.
constexpr double kPress = 10.0;          // Growth of a weight that fell short.
constexpr double kPressLimits = 3.0;     // Likewise, for limits.
constexpr double kMostFollow = 1.0;
/// Of the leg's length: how far the root may leave its path before knees give
/// way. What is doubted begins at a tenth, and a spring stays a little beyond.
constexpr double kFarRoot = 0.08;
constexpr double kFarEnough = 1.1;   // Times that is still good.
constexpr double kLeastHold = 0.01;  // Beside w of a leg.
constexpr double kMostHold = 100.0;
constexpr double kPressRoot = 6.0;
constexpr double kMostStay = 1e5;
constexpr double kFade = 0.1;       // [s]
constexpr double kTurnTime = 0.05;  // Over which a turn of a foot begins [s].
constexpr double kLiftTime = 0.02;  // Over which a standing sole rises [s].
constexpr double kHeightWeight = 20.0;
constexpr double kHoldUpWeight = 1e8;  // Gives way by micrometres.
constexpr double kLetGo = 1e-6;        // Held down by so much, at least [m].
constexpr double kSink = 1e-4;         // Tolerated when searching [m].
constexpr double kMissed = 1e-4;       // [m]
constexpr double kSlack = 1e-3;        // Limits, when searching [rad].
constexpr double kExact = 1e-6;        // Limits, in the end [rad].
constexpr std::int64_t kShortestShot = 3;
constexpr double kToeWeight = 1000.0;     // Of a toe that stands [rad/m].
constexpr double kSwingToeWeight = 30.0;  // Of one that swings [rad/m].
constexpr double kLegKeepWeight = 0.1;
constexpr int kMostRootRounds = 8;
constexpr double kSunk = 5e-4;  // A sole that goes up [m].

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

class FootPlanter {
 public:
  FootPlanter(const Body& body, double rate_hz,
              const std::array<FootGoal, 2>& goals, double rounding,
              const PlantOptions& options, std::vector<Pose>& poses)
      : body_(body),
        goals_(goals),
        root_stiffness_(Stiffness(options.root_time, rate_hz)),
        foot_stiffness_(Stiffness(options.foot_time, rate_hz)),
        flight_stiffness_(kFlight * std::pow(options.root_time * rate_hz, 2.0)),
        fade_(1.0 / std::max(1.0, kFade * rate_hz)),
        turn_frames_(std::max<std::int64_t>(1, FramesIn(kTurnTime, rate_hz))),
        lift_frames_(std::max<std::int64_t>(1, FramesIn(kLiftTime, rate_hz))),
        anchor_frames_(
            std::max<std::int64_t>(1, FramesIn(options.anchor_time, rate_hz))),
        poses_(poses),
        tracks_(TrackLegs(body, goals, rounding, poses)),
        r_(poses.size(), Vector3::Zero()),
        hold_(poses.size(), 0.0) {
    for (int side = 0; side < 2; ++side) StartLeg(side);
    FindAllowed();
    if (!body.figure || !options.hold_limits) return;
    for (int side = 0; side < 2; ++side) {
      const LegPlan& plan = body.plan.legs[side];
      limbs_[side].emplace(body, plan.thigh,
                           plan.toes >= 0 ? plan.toes : plan.foot);
    }
  }

  PlantReport Run(const std::vector<Shot>& shots) {
    for (const Shot& shot : shots) {
      // A single pose among others (an added T-pose) stands nowhere.
      if (shot.size() < kShortestShot) continue;
      for (int round = 0; round < kRounds; ++round) {
        PlaceFeet(shot);
        SolveSwings(shot);
        SolveRoot(shot);
        if (round >= kFreeRounds) PressFarRoot(shot);
      }
      SolveSwings(shot);
      HoldUp(shot);
      // What falls short counts more, until nothing does.
      for (int round = 0; round < kExtraRounds; ++round) {
        const bool is_short = PressShortLegs(shot);
        const bool is_bent = PressBentJoints(shot);
        const bool is_far = PressFarRoot(shot);
        if (!is_short && !is_bent && !is_far) break;
        // Feet come along with a root that is held on its path.
        if (is_far) PlaceFeet(shot);
        SolveRoot(shot);
        SolveSwings(shot);
        HoldUp(shot);
      }
    }
    FindFootTurns(shots);
    for (int side = 0; side < 2; ++side) {
      near_stance_[side].assign(legs_[side].stands.begin(),
                                legs_[side].stands.end());
      misses_[side].assign(poses_.size(), Vector3::Zero());
      sunk_[side].assign(poses_.size(), 0.0);
      for (const Shot& shot : shots) FadeOut(near_stance_[side], shot);
    }
    TurnAllLegs(shots);
    return report_;
  }

 private:
  void StartLeg(int side) {
    const LegTrack& track = tracks_[side];
    const FootGoal& goal = goals_[side];
    LegPlot& leg = legs_[side];
    const std::size_t n = poses_.size();
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
      leg.weight.push_back(say * bend);
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
  /// needs the smallest shifts. y: the height as wanted, or what keeps the sole
  /// up.
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
      mean += gap[i - phase.begin] + r_[i];
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
                   (axis == 1 ? kHold : kHoldFlat) + hold_[frame]);
      }
      if (i + 1 < n) {
        // In flight the shift stays as high as it is, wherever that is: the
        // height of the whole must not matter.
        const double still = flight_stiffness_ * (1.0 - Support(frame));
        system.Add(3 * i + 1, 3 * i + 1, still);
        system.Add(3 * i + 4, 3 * i + 4, still);
        system.Add(3 * i + 4, 3 * i + 1, -still);
      }
      for (int side = 0; side < 2; ++side) AddLeg(side, frame, i, system);
    }
    const std::vector<double> r = system.Solve();
    for (std::size_t i = 0; i < n; ++i) {
      r_[shot.begin + static_cast<std::int64_t>(i)] =
          Vector3(r[3 * i], r[3 * i + 1], r[3 * i + 2]);
    }
  }

  /// 1 where a foot stands, 0 where both are high in the air.
  double Support(std::int64_t frame) const {
    double support = 0.0;
    for (int side = 0; side < 2; ++side) {
      support = std::max(support, legs_[side].stands[frame]
                                      ? 1.0
                                      : goals_[side].near_floor[frame]);
    }
    return std::min(support, 1.0);
  }

  /// |d| - ℓ, linear about the shift so far: u·r = |d| - ℓ + u·r_old.
  void AddLeg(int side, std::int64_t frame, std::size_t i,
              BandedSystem& system) {
    const LegTrack& track = tracks_[side];
    const LegPlot& leg = legs_[side];
    const Vector3 before = track.ankle[frame] - track.hip[frame];
    const Vector3 d = before + leg.g[frame] - r_[frame];
    const double length = d.norm();
    if (length <= 0.0) return;
    const Vector3 u = d / length;
    const double w = leg.weight[frame];
    const double follow = leg.follow[frame];
    const double wanted =
        leg.is_short[frame]
            ? std::min(before.norm(), kStraightest * track.length)
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
      FadeOut(press);
      for (std::int64_t i = shot.begin; i < shot.end; ++i) {
        leg.stay[i] = std::min(
            leg.stay[i] * std::pow(kPress, press[i - shot.begin]), kMostStay);
      }
    }
    return any;
  }

  /// Where the root is farther off its path than it may be it is held there the
  /// more, so that knees bend instead: they give way first. Legs that are too
  /// short have more say. Says whether there are any such frames.
  ///
  ///     hold <- max(hold, kLeastHold) (|r| / far)^kPressRoot
  bool PressFarRoot(const Shot& shot) {
    const double far = kFarRoot * body_.plan.leg_length;
    bool any = false;
    for (std::int64_t i = shot.begin; i < shot.end; ++i) {
      const double share = r_[i].norm() / far;
      if (share <= 1.0 || legs_[0].is_short[i] || legs_[1].is_short[i]) {
        continue;
      }
      any = any || share > kFarEnough;
      hold_[i] = std::min(std::max(hold_[i], kLeastHold) *
                              std::min(kPress, std::pow(share, kPressRoot)),
                          kMostHold);
    }
    return any;
  }

  /// The anchors of the leg's joints; null where there is no figure.
  std::array<const figure::Anchor*, 3> AnchorsOf(int side) const {
    const LegPlan& plan = body_.plan.legs[side];
    std::array<const figure::Anchor*, 3> anchors = {};
    if (!body_.figure) return anchors;
    for (const figure::FigureSegment& segment : body_.figure->segments) {
      if (segment.joint == plan.thigh) anchors[0] = &segment.anchor;
      if (segment.joint == plan.shank) anchors[1] = &segment.anchor;
      if (segment.joint == plan.foot) anchors[2] = &segment.anchor;
    }
    return anchors;
  }

  /// How far beyond its limits each joint of the legs goes as it is.
  void FindAllowed() {
    for (int side = 0; side < 2; ++side) {
      anchors_[side] = AnchorsOf(side);
      const LegPlan& plan = body_.plan.legs[side];
      const std::array<int, 3> joints = {plan.thigh, plan.shank, plan.foot};
      for (int j = 0; j < 3; ++j) {
        if (anchors_[side][j] == nullptr) continue;
        for (const Pose& pose : poses_) {
          allowed_[side][j] =
              std::max(allowed_[side][j],
                       figure::LimitViolation(*anchors_[side][j],
                                              pose.X_PJ[joints[j]].R));
        }
      }
    }
  }

  /// How far beyond what is allowed a turn of the leg goes [rad].
  double Excess(int side, const LegTurn& turn) const {
    const std::array<const Quaternion*, 3> R = {&turn.thigh, &turn.shank,
                                                &turn.foot};
    double excess = 0.0;
    for (int j = 0; j < 3; ++j) {
      if (anchors_[side][j] == nullptr) continue;
      excess =
          std::max(excess, figure::LimitViolation(*anchors_[side][j], *R[j]) -
                               allowed_[side][j]);
    }
    return excess;
  }

  /// A leg whose joints leave their limits farther than before wants its old
  /// shape back, in this frame and less and less in those around it: the root
  /// goes with a standing foot, a swinging foot with the root. Says whether
  /// there are any.
  bool PressBentJoints(const Shot& shot) {
    if (!body_.figure) return false;
    bool any_leg = false;
    for (int side = 0; side < 2; ++side) {
      LegPlot& leg = legs_[side];
      bool any = false;
      std::vector<double> press(static_cast<std::size_t>(shot.size()), 0.0);
      for (std::int64_t i = shot.begin; i < shot.end; ++i) {
        const auto frame = static_cast<std::size_t>(i);
        if (Excess(side, TurnLeg(tracks_[side], frame, r_[i], leg.g[i])) >
            kSlack) {
          press[i - shot.begin] = 1.0;
          any = true;
        }
      }
      if (!any) continue;
      any_leg = true;
      FadeOut(press);
      for (std::int64_t i = shot.begin; i < shot.end; ++i) {
        const double factor = std::pow(kPressLimits, press[i - shot.begin]);
        leg.follow[i] = std::min(leg.follow[i] * factor, kMostFollow);
        leg.stay[i] = std::min(leg.stay[i] * factor, kMostStay);
      }
    }
    return any_leg;
  }

  /// Lets every 1 fade to 0 on both sides, in a straight line.
  void FadeOut(std::vector<double>& values) const {
    FadeOut(values, {0, static_cast<std::int64_t>(values.size())});
  }
  void FadeOut(std::vector<double>& values, const Shot& shot) const {
    for (std::int64_t i = shot.begin + 1; i < shot.end; ++i) {
      values[i] = std::max(values[i], values[i - 1] - fade_);
    }
    for (std::int64_t i = shot.end - 1; i-- > shot.begin;) {
      values[i] = std::max(values[i], values[i + 1] - fade_);
    }
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

  /// Turns the legs. Where a leg cannot reach within its limits the root goes
  /// with it, and where a sole sinks the foot goes up; the best of all rounds
  /// counts.
  void TurnAllLegs(const std::vector<Shot>& shots) {
    const std::vector<Pose> before = poses_;
    const auto turn_all = [&] {
      poses_ = before;
      report_ = {};
      for (std::size_t i = 0; i < poses_.size(); ++i) TurnLegs(i);
      double worst = report_.worst_miss;
      for (const Shot& shot : shots) {
        if (shot.size() < kShortestShot) continue;
        for (const std::vector<double>& sunk : sunk_) {
          for (std::int64_t i = shot.begin; i < shot.end; ++i) {
            worst = std::max(worst, sunk[i]);
          }
        }
      }
      return worst;
    };
    double worst = turn_all();
    double best = worst;
    std::vector<Vector3> best_root = r_;
    std::array<std::vector<Vector3>, 2> best_feet = {legs_[0].g, legs_[1].g};
    for (int round = 0; limbs_[0] && round < kMostRootRounds; ++round) {
      const bool moved = MoveRoot(shots, round);
      const bool lifted = LiftFeet(shots);
      if (!moved && !lifted) return;
      worst = turn_all();
      if (worst >= best) continue;
      best = worst;
      best_root = r_;
      best_feet = {legs_[0].g, legs_[1].g};
    }
    if (worst <= best) return;
    r_ = std::move(best_root);
    for (int side = 0; side < 2; ++side)
      legs_[side].g = std::move(best_feet[side]);
    turn_all();
  }

  /// Feet whose soles sink go up, without a kink. Says whether there are any.
  bool LiftFeet(const std::vector<Shot>& shots) {
    bool any = false;
    for (int side = 0; side < 2; ++side) {
      std::vector<double>& sunk = sunk_[side];
      for (const Shot& shot : shots) {
        if (shot.size() < kShortestShot) continue;
        const double deepest = *std::max_element(sunk.begin() + shot.begin,
                                                 sunk.begin() + shot.end);
        if (deepest <= kSunk) continue;
        any = true;
        Envelope(sunk, shot.begin, shot.end, lift_frames_,
                 [](double value) { return value; });
        for (std::int64_t i = shot.begin; i < shot.end; ++i) {
          legs_[side].g[i].y() += sunk[i];
        }
      }
    }
    return any;
  }

  void TurnLegs(std::size_t i) {
    Pose& pose = poses_[i];
    const int pelvis = body_.plan.pelvis;
    const int parent = body_.skeleton->joint(pelvis).parent;
    if (parent < 0) {
      pose.X_PJ[pelvis].p += r_[i];
    } else {
      figure::WorldTransforms(*body_.skeleton, pose, X_WJ_);
      pose.X_PJ[pelvis].p += X_WJ_[parent].R.conjugate() * r_[i];
    }
    report_.largest_root_shift =
        std::max(report_.largest_root_shift, r_[i].norm());
    for (int side = 0; side < 2; ++side) {
      const LegPlan& plan = body_.plan.legs[side];
      const LegPlot& leg = legs_[side];
      const LegTurn turn =
          TurnWithinLimits(side, i, ExpRotation(foot_turns_[side][i]));
      pose.X_PJ[plan.thigh].R = turn.thigh;
      pose.X_PJ[plan.shank].R = turn.shank;
      pose.X_PJ[plan.foot].R = turn.foot;
      if (goals_[side].bend_toes && plan.toes >= 0) {
        BendToesWithinLimits(side, i, turn.Q, pose);
      }
      const double off =
          limbs_[side] ? ReachWithinLimits(side, i, turn, pose) : turn.miss;
      report_.largest_foot_shift =
          std::max(report_.largest_foot_shift, leg.g[i].norm());
      report_.worst_excess = std::max(
          report_.worst_excess,
          limbs_[side] ? limbs_[side]->Violation(pose) : Excess(side, turn));
      if (!leg.stands[i]) continue;
      report_.worst_miss = std::max(report_.worst_miss, off);
      if (off > kMissed) ++report_.missed_frames;
    }
  }

  /// Where a joint of the leg is beyond its limits, or the sole below its
  /// lowest, or the leg too short: the whole leg reaches for the toe's place
  /// and the foot's turn. Returns how far the toe stays away [m].
  double ReachWithinLimits(int side, std::size_t i, const LegTurn& turn,
                           Pose& pose) {
    const LegPlan& plan = body_.plan.legs[side];
    const LegTrack& track = tracks_[side];
    const LegPlot& leg = legs_[side];
    Vector3& miss = misses_[side][i];
    miss.setZero();
    sunk_[side][i] = 0.0;
    const Transform X_WP{track.R[i].thigh_parent,
                         track.hip[i] + r_[i] -
                             track.R[i].thigh_parent * pose.X_PJ[plan.thigh].p};
    const double lowest = goals_[side].lowest[i];
    // From the hip down: the joints of the leg are a chain.
    const auto place = [&](const figure::BodyPoint& point) {
      Transform X = X_WP;
      for (const int joint : limbs_[side]->joints()) {
        X = X * pose.X_PJ[joint];
        if (joint == point.joint) return X * point.p_JQ;
      }
      return X * point.p_JQ;
    };
    bool sinks = false;
    for (const figure::BodyPoint& point : plan.sole) {
      sinks = sinks || place(point).y() < lowest - kSink;
    }
    if (limbs_[side]->Violation(pose) <= kExact && turn.miss <= kMissed &&
        !sinks) {
      return turn.miss;
    }
    LimbGoals goals;
    const double near = near_stance_[side][i];
    const Vector3 wanted = track.toe[i] + leg.g[i];
    goals.points.push_back(
        {plan.toe.joint, plan.toe.p_JQ, wanted,
         kSwingToeWeight * std::pow(kToeWeight / kSwingToeWeight, near),
         false});
    for (const figure::BodyPoint& point : plan.sole) {
      goals.points.push_back({point.joint, point.p_JQ,
                              Vector3(0.0, lowest, 0.0), kToeWeight, true});
    }
    goals.turned_joint = plan.foot;
    goals.R_WJ = turn.Q * track.R[i].foot;
    goals.keep_weight = kLegKeepWeight;
    limbs_[side]->Reach(X_WP, goals, pose);
    miss = wanted - place(plan.toe);
    const double off = miss.norm();
    double sunk = 0.0;
    for (const figure::BodyPoint& point : plan.sole) {
      sunk = std::max(sunk, lowest - place(point).y());
    }
    sunk_[side][i] = sunk;
    return off;
  }

  /// The root goes where it brings feet that do not reach their places, as
  /// smoothly as it can. Says whether there are any.
  bool MoveRoot(const std::vector<Shot>& shots, int round) {
    bool any = false;
    const double pull = std::pow(kPress, std::min(round, 2));
    for (const Shot& shot : shots) {
      if (shot.size() < kShortestShot) continue;
      bool any_here = false;
      const auto n = static_cast<std::size_t>(shot.size());
      std::vector<Vector3> sum(n, Vector3::Zero());
      std::vector<double> weight(n, 0.0);
      for (int side = 0; side < 2; ++side) {
        for (std::size_t i = 0; i < n; ++i) {
          const std::size_t frame = static_cast<std::size_t>(shot.begin) + i;
          if (!legs_[side].stands[frame]) continue;
          const bool misses = misses_[side][frame].norm() > kMissed;
          any_here = any_here || misses;
          // Feet in their place hold the root a little where it is.
          const double w = misses ? pull : kHoldFlat;
          sum[i] += w * misses_[side][frame];
          weight[i] += w;
        }
      }
      if (!any_here) continue;
      any = true;
      for (int axis = 0; axis < 3; ++axis) {
        BandedSystem system(n, 3);
        system.AddThirdDifferences(0, 1, n, root_stiffness_);
        for (std::size_t i = 0; i < n; ++i) {
          system.Add(i, i, weight[i] + kHold);
          system.AddRight(i, sum[i][axis]);
        }
        const std::vector<double> move = system.Solve();
        for (std::size_t i = 0; i < n; ++i) {
          r_[static_cast<std::size_t>(shot.begin) + i][axis] += move[i];
        }
      }
    }
    return any;
  }

  /// How the feet must turn for their ankles, without kinks in time.
  void FindFootTurns(const std::vector<Shot>& shots) {
    for (int side = 0; side < 2; ++side) {
      std::vector<Vector3>& turns = foot_turns_[side];
      turns.assign(poses_.size(), Vector3::Zero());
      if (anchors_[side][2] == nullptr) continue;
      for (std::size_t i = 0; i < poses_.size(); ++i) {
        turns[i] =
            LogRotation(TurnWithinLimits(side, i, Quaternion::Identity()).Q);
      }
      for (const Shot& shot : shots) {
        Envelope(turns, shot.begin, shot.end, turn_frames_,
                 [](const Vector3& v) { return v.squaredNorm(); });
      }
    }
  }

  /// The leg as planned, its foot turned by `Q`; where the ankle would still
  /// leave its limits farther than before, the foot turns more until it does
  /// not: about its toe where it stands, about its ankle in the air.
  LegTurn TurnWithinLimits(int side, std::size_t i, const Quaternion& planned) {
    const LegTrack& track = tracks_[side];
    const Vector3& g = legs_[side].g[i];
    const double share =
        legs_[side].stands[i] ? 1.0 : std::min(1.0, goals_[side].near_floor[i]);
    const Vector3 from_toe = share * (track.ankle[i] - track.toe[i]);
    LegTurn turn =
        TurnLeg(track, i, r_[i], g + planned * from_toe - from_toe, planned);
    const figure::Anchor* anchor = anchors_[side][2];
    if (anchor == nullptr) return turn;
    constexpr int kMostTurns = 10;
    const double allowed = allowed_[side][2];
    for (int n = 0; n < kMostTurns; ++n) {
      if (figure::LimitViolation(*anchor, turn.foot) <= allowed + kExact) break;
      const Quaternion within =
          figure::WithinLimits(*anchor, turn.foot, allowed);
      const Quaternion Q =
          (turn.foot_parent * within * track.R[i].foot.conjugate())
              .normalized();
      turn = TurnLeg(track, i, r_[i], g + Q * from_toe - from_toe, Q);
    }
    return turn;
  }

  /// Toes bend as far as their limits let them.
  void BendToesWithinLimits(int side, std::size_t i, const Quaternion& Q,
                            Pose& pose) {
    const LegPlan& plan = body_.plan.legs[side];
    Quaternion& R_PJ = pose.X_PJ[plan.toes].R;
    const Quaternion before = R_PJ;
    const Quaternion bent =
        BendToes(plan, tracks_[side], i, Q, legs_[side].g[i].y(),
                 goals_[side].lowest[i]);
    R_PJ = bent;
    if (!body_.figure) return;
    const figure::Anchor* anchor = nullptr;
    for (const figure::FigureSegment& segment : body_.figure->segments) {
      if (segment.joint == plan.toes) anchor = &segment.anchor;
    }
    if (anchor == nullptr) return;
    const double allowed = figure::LimitViolation(*anchor, before);
    if (figure::LimitViolation(*anchor, bent) <= allowed) return;
    double good = 0.0;
    double bad = 1.0;
    for (int turn = 0; turn < 20; ++turn) {
      const double middle = 0.5 * (good + bad);
      const bool is_good = figure::LimitViolation(
                               *anchor, before.slerp(middle, bent)) <= allowed;
      (is_good ? good : bad) = middle;
    }
    R_PJ = before.slerp(good, bent);
  }

  const Body& body_;
  const std::array<FootGoal, 2>& goals_;
  const double root_stiffness_;
  const double foot_stiffness_;
  const double flight_stiffness_;  ///< Of the root's height, per difference.
  const double fade_;              ///< Per frame.
  const std::int64_t turn_frames_;
  const std::int64_t lift_frames_;
  const std::int64_t anchor_frames_;
  std::vector<Pose>& poses_;
  const std::array<LegTrack, 2> tracks_;
  std::array<LegPlot, 2> legs_;
  std::array<std::array<const figure::Anchor*, 3>, 2> anchors_ = {};
  std::array<std::array<double, 3>, 2> allowed_ = {};
  /// Rotation vectors of the feet in the world, for the ankles' limits.
  std::array<std::vector<Vector3>, 2> foot_turns_;
  /// Legs of figures, where limits are held.
  std::array<std::optional<LimitedLimb>, 2> limbs_;
  std::array<std::vector<double>, 2> near_stance_;  ///< 1 in it, fading.
  std::array<std::vector<Vector3>, 2> misses_;      ///< What the toe lacks [m].
  std::array<std::vector<double>, 2> sunk_;         ///< Below the lowest [m].
  std::vector<Vector3> r_;
  std::vector<double> hold_;  ///< How much the root is held on its path.
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
