// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/foot_planter.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/clip_time.h"
#include "figure/pose_metrics.h"
#include "mocap/retarget/banded_system.h"
#include "mocap/retarget/envelope.h"
#include "mocap/retarget/foot_plan.h"
#include "mocap/retarget/leg_limits.h"
#include "mocap/retarget/leg_track.h"
#include "mocap/retarget/limited_limb.h"

namespace limber::mocap {

namespace {

using figure::LegPlan;
using figure::Pose;
using figure::Shot;

constexpr double kHold = 1e-4;        // Of a root that no foot pulls.
constexpr double kHoldInPlace = 0.1;  // Of feet that are in their places.
constexpr double kPull = 10.0;        // More from round to round.
constexpr double kTurnTime = 0.05;    // Over which a turn of a foot begins [s].
constexpr double kSink = 1e-4;        // Tolerated when searching [m].
constexpr double kMissed = 1e-4;      // Is counted as missed [m].
constexpr double kReached = 1e-7;     // A toe within limits, by search [m].
constexpr double kExactly = 1e-10;    // In closed form [m].
constexpr double kExact = 1e-6;       // Limits, in the end [rad].
constexpr double kToeWeight = 1000.0;     // Of a toe that stands [rad/m].
constexpr double kSwingToeWeight = 30.0;  // Of one that swings [rad/m].
constexpr double kLegKeepWeight = 0.1;
constexpr int kMostRootRounds = 8;
constexpr double kSunk = 5e-4;  // A sole that goes up [m].
/// Half of how long a stance is averaged to tell its tremor [s]: ten times as
/// long as a frame of recordings, a tenth of a step.
constexpr double kTremor = 0.05;
/// More than that is no tremor but a foot that lands or leaves, of the leg's
/// length.
constexpr double kMostTremor = 2e-4;

class FootPlanter {
 public:
  FootPlanter(const HumanBody& body, double rate_hz,
              const std::array<FootGoal, 2>& goals, double rounding,
              const PlantOptions& options, std::vector<Pose>& poses)
      : body_(body),
        goals_(goals),
        options_(options),
        rate_hz_(rate_hz),
        turn_frames_(std::max<std::int64_t>(1, FramesIn(kTurnTime, rate_hz))),
        lift_frames_(std::max<std::int64_t>(1, FramesIn(kLiftTime, rate_hz))),
        poses_(poses),
        tracks_(TrackLegs(body, goals, rounding, poses)),
        limits_(body, poses) {
    if (!body.figure || !options.hold_limits) return;
    for (int side = 0; side < 2; ++side) {
      const LegPlan& plan = body.plan.legs[side];
      limbs_[side].emplace(body, plan.thigh,
                           plan.toes >= 0 ? plan.toes : plan.foot);
    }
  }

  PlantReport Run(const std::vector<Shot>& shots,
                  const BodySupports& supports) {
    const std::array<ArmTrack, 2> arms =
        TrackArms(body_, supports.hands, poses_);
    floor_shift_ = supports.floor_shift;
    floor_shift_.resize(poses_.size(), 0.0);
    paths_ = PlanFeet(body_, rate_hz_, shots, goals_, arms, floor_shift_,
                      options_, tracks_, limits_);
    FindFootTurns(shots);
    SteadyAnkles();
    for (int side = 0; side < 2; ++side) {
      near_stance_[side].assign(paths_.stands[side].begin(),
                                paths_.stands[side].end());
      misses_[side].assign(poses_.size(), Vector3::Zero());
      sunk_[side].assign(poses_.size(), 0.0);
      reach_costs_[side].assign(poses_.size(), 0.0);
      offs_[side].assign(poses_.size(), 0.0);
      excesses_[side].assign(poses_.size(), 0.0);
      for (const Shot& shot : shots) {
        FadeOut(near_stance_[side], shot.begin, shot.end, rate_hz_);
      }
    }
    TurnAllLegs(shots);
    return report_;
  }

 private:
  /// Turns the legs. Where a leg cannot reach within its limits the root goes
  /// with it, and where a sole sinks the foot goes up; the best of all rounds
  /// counts.
  void TurnAllLegs(const std::vector<Shot>& shots) {
    const std::vector<Pose> before = poses_;
    const auto turn_all = [&] {
      poses_ = before;
      for (std::size_t i = 0; i < poses_.size(); ++i) TurnLegs(i);
      // What the frame after tells, as the frame before did.
      for (std::size_t i = poses_.size(); i-- > 1;)
        TurnLegsAgain(i - 1, before);
      Measure();
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
    std::vector<Vector3> best_root = paths_.root;
    std::array<std::vector<Vector3>, 2> best_feet = paths_.feet;
    for (int round = 0; round < kMostRootRounds; ++round) {
      const bool moved = MoveRoot(shots, round);
      const bool lifted = LiftFeet(shots);
      if (!moved && !lifted) return;
      worst = turn_all();
      // Without limits every round is nearer, each foot by itself: which one is
      // the last must not depend on what the clip holds elsewhere.
      if (limbs_[0] && worst >= best) continue;
      best = worst;
      best_root = paths_.root;
      best_feet = paths_.feet;
    }
    if (worst <= best) return;
    paths_.root = std::move(best_root);
    paths_.feet = std::move(best_feet);
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
          paths_.feet[side][i].y() += sunk[i];
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
      pose.X_PJ[pelvis].p += paths_.root[i];
    } else {
      figure::WorldTransforms(*body_.skeleton, pose, X_WJ_);
      pose.X_PJ[pelvis].p += X_WJ_[parent].R.conjugate() * paths_.root[i];
    }
    for (int side = 0; side < 2; ++side) {
      TurnOneLeg(side, i, i > 0 ? &poses_[i - 1] : nullptr, pose);
    }
  }

  /// One leg as planned; `neighbour`, which may be null, is the pose of the
  /// frame before or after.
  void TurnOneLeg(int side, std::size_t i, const Pose* neighbour, Pose& pose) {
    const LegPlan& plan = body_.plan.legs[side];
    const LegTurn turn =
        TurnWithinLimits(side, i, ExpRotation(foot_turns_[side][i]));
    pose.X_PJ[plan.thigh].R = turn.thigh;
    pose.X_PJ[plan.shank].R = turn.shank;
    pose.X_PJ[plan.foot].R = turn.foot;
    if (goals_[side].bend_toes && plan.toes >= 0) {
      BendToesWithinLimits(side, i, turn.Q, pose);
    }
    reach_costs_[side][i] = 0.0;
    misses_[side][i] = turn.lack;
    offs_[side][i] = limbs_[side]
                         ? ReachWithinLimits(side, i, turn, neighbour, pose)
                         : turn.miss;
    excesses_[side][i] = limbs_[side] ? limbs_[side]->Violation(pose)
                                      : limits_.Excess(side, turn);
  }

  /// Legs that had to reach do so once more with the frame after as their
  /// neighbour, and keep the better answer.
  void TurnLegsAgain(std::size_t i, const std::vector<Pose>& before) {
    for (int side = 0; side < 2; ++side) {
      if (reach_costs_[side][i] <= 0.0) continue;
      const double cost = reach_costs_[side][i];
      const double off = offs_[side][i];
      const double excess = excesses_[side][i];
      const double sunk = sunk_[side][i];
      const Vector3 miss = misses_[side][i];
      Pose pose = poses_[i];
      for (const int joint : limbs_[side]->joints()) {
        pose.X_PJ[joint] = before[i].X_PJ[joint];
      }
      TurnOneLeg(side, i, &poses_[i + 1], pose);
      if (reach_costs_[side][i] < cost) {
        poses_[i] = std::move(pose);
        continue;
      }
      reach_costs_[side][i] = cost;
      offs_[side][i] = off;
      excesses_[side][i] = excess;
      sunk_[side][i] = sunk;
      misses_[side][i] = miss;
    }
  }

  /// How far root and feet went, and what was not reached.
  void Measure() {
    report_ = {};
    for (std::size_t i = 0; i < poses_.size(); ++i) {
      report_.largest_root_shift = std::max(
          report_.largest_root_shift,
          (paths_.root[i] - floor_shift_[i] * Vector3::UnitY()).norm());
      for (int side = 0; side < 2; ++side) {
        report_.largest_foot_shift =
            std::max(report_.largest_foot_shift, paths_.feet[side][i].norm());
        report_.worst_excess =
            std::max(report_.worst_excess, excesses_[side][i]);
        if (!paths_.stands[side][i]) continue;
        report_.worst_miss = std::max(report_.worst_miss, offs_[side][i]);
        if (offs_[side][i] > kMissed) ++report_.missed_frames;
      }
    }
  }

  /// Where a joint of the leg is beyond its limits, or the sole below its
  /// lowest, or the leg too short: the whole leg reaches for the toe's place
  /// and the foot's turn. Returns how far the toe stays away [m].
  double ReachWithinLimits(int side, std::size_t i, const LegTurn& turn,
                           const Pose* neighbour, Pose& pose) {
    const LegPlan& plan = body_.plan.legs[side];
    const LegTrack& track = tracks_[side];
    Vector3& miss = misses_[side][i];
    miss.setZero();
    sunk_[side][i] = 0.0;
    const Transform X_WP{track.R[i].thigh_parent,
                         track.hip[i] + paths_.root[i] -
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
    if (limbs_[side]->Violation(pose) <= kExact && turn.miss <= kReached &&
        !sinks) {
      return turn.miss;
    }
    LimbGoals goals;
    const double near = near_stance_[side][i];
    const Vector3 wanted = track.toe[i] + paths_.feet[side][i];
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
    // What other goals left a standing toe to lack would pull the root along.
    if (paths_.stands[side][i]) goals.exact_within = kMissed;
    reach_costs_[side][i] =
        limbs_[side]->Reach(X_WP, goals, pose, neighbour).cost;
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
    const double pull = std::pow(kPull, std::min(round, 2));
    for (const Shot& shot : shots) {
      if (shot.size() < kShortestShot) continue;
      bool any_here = false;
      const auto n = static_cast<std::size_t>(shot.size());
      std::vector<Vector3> sum(n, Vector3::Zero());
      std::vector<double> weight(n, 0.0);
      for (int side = 0; side < 2; ++side) {
        for (std::size_t i = 0; i < n; ++i) {
          const std::size_t frame = static_cast<std::size_t>(shot.begin) + i;
          if (!paths_.stands[side][frame]) continue;
          const bool misses = misses_[side][frame].norm() >
                              (limbs_[side] ? kReached : kExactly);
          any_here = any_here || misses;
          // Feet in their place hold the root a little where it is.
          const double w = misses ? pull : kHoldInPlace;
          sum[i] += w * misses_[side][frame];
          weight[i] += w;
        }
      }
      if (!any_here) continue;
      any = true;
      for (int axis = 0; axis < 3; ++axis) {
        BandedSystem system(n, 3);
        system.AddThirdDifferences(0, 1, n,
                                   PathStiffness(options_.root_time, rate_hz_));
        for (std::size_t i = 0; i < n; ++i) {
          system.Add(i, i, weight[i] + kHold);
          system.AddRight(i, sum[i][axis]);
        }
        const std::vector<double> move = system.Solve();
        for (std::size_t i = 0; i < n; ++i) {
          paths_.root[static_cast<std::size_t>(shot.begin) + i][axis] +=
              move[i];
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
      if (limits_.ankle(side) == nullptr) continue;
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

  /// Standing toes tremble by hundredths of a millimetre, and a straight knee
  /// makes a hundred times of it. Turning the foot about its toe by what is
  /// even less takes the tremor e from the ankle, where it is not along the
  /// foot; with a from toe to ankle,
  ///
  ///     e = g - mean of g around        (Q - 1) a = -e   =>   ω = -a x e /
  ///     |a|²
  void SteadyAnkles() {
    const auto half = FramesIn(kTremor, rate_hz_);
    const double most = kMostTremor * body_.plan.leg_length;
    for (int side = 0; side < 2; ++side) {
      const std::vector<Vector3>& g = paths_.feet[side];
      for (const FootPhase& phase : goals_[side].phases) {
        for (std::int64_t i = phase.begin; i < phase.end; ++i) {
          // Narrower towards both ends: there the ankle goes with its toe.
          const std::int64_t around =
              std::min({half, i - phase.begin, phase.end - 1 - i});
          Vector3 sum = Vector3::Zero();
          for (std::int64_t j = i - around; j <= i + around; ++j) sum += g[j];
          Vector3 e = g[i] - sum / static_cast<double>(2 * around + 1);
          e /= 1.0 + e.squaredNorm() / (most * most);
          const Vector3 a = tracks_[side].ankle[i] - tracks_[side].toe[i];
          if (a.squaredNorm() <= 0.0) continue;
          foot_turns_[side][i] -= a.cross(e) / a.squaredNorm();
        }
      }
    }
  }

  /// The leg as planned, its foot turned by `Q`; where the ankle would still
  /// leave its limits farther than before, the foot turns more until it does
  /// not: about its toe where it stands, about its ankle in the air.
  LegTurn TurnWithinLimits(int side, std::size_t i, const Quaternion& planned) {
    const LegTrack& track = tracks_[side];
    const Vector3& g = paths_.feet[side][i];
    const double share = paths_.stands[side][i]
                             ? 1.0
                             : std::min(1.0, goals_[side].near_floor[i]);
    const Vector3 from_toe = share * (track.ankle[i] - track.toe[i]);
    LegTurn turn = TurnLeg(track, i, paths_.root[i],
                           g + planned * from_toe - from_toe, planned);
    const figure::Anchor* anchor = limits_.ankle(side);
    if (anchor == nullptr) return turn;
    constexpr int kMostTurns = 10;
    const double allowed = limits_.ankle_allowed(side);
    for (int n = 0; n < kMostTurns; ++n) {
      if (figure::LimitViolation(*anchor, turn.foot) <= allowed + kExact) break;
      const Quaternion within =
          figure::WithinLimits(*anchor, turn.foot, allowed);
      const Quaternion Q =
          (turn.foot_parent * within * track.R[i].foot.conjugate())
              .normalized();
      turn = TurnLeg(track, i, paths_.root[i], g + Q * from_toe - from_toe, Q);
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
        BendToes(plan, tracks_[side], i, Q, paths_.feet[side][i].y(),
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

  const HumanBody& body_;
  const std::array<FootGoal, 2>& goals_;
  const PlantOptions options_;
  const double rate_hz_;
  const std::int64_t turn_frames_;
  const std::int64_t lift_frames_;
  std::vector<Pose>& poses_;
  const std::array<LegTrack, 2> tracks_;
  const LegLimits limits_;
  FootPaths paths_;
  std::vector<double> floor_shift_;  ///< See BodySupports [m].
  /// Rotation vectors of the feet in the world, for the ankles' limits.
  std::array<std::vector<Vector3>, 2> foot_turns_;
  /// Legs of figures, where limits are held.
  std::array<std::optional<LimitedLimb>, 2> limbs_;
  std::array<std::vector<double>, 2> near_stance_;  ///< 1 in it, fading.
  std::array<std::vector<Vector3>, 2> misses_;      ///< What the toe lacks [m].
  std::array<std::vector<double>, 2> sunk_;         ///< Below the lowest [m].
  /// Of legs that had to reach within their limits, see LimbReach; else 0.
  std::array<std::vector<double>, 2> reach_costs_;
  std::array<std::vector<double>, 2> offs_;      ///< Toe off its place [m].
  std::array<std::vector<double>, 2> excesses_;  ///< Beyond limits [rad].
  std::vector<Transform> X_WJ_;
  PlantReport report_;
};

}  // namespace

double SoleHeight(double toe, double heel, double rounding) {
  const double half = 0.5 * (toe - heel);
  return 0.5 * (toe + heel) - std::sqrt(half * half + rounding * rounding) +
         rounding;
}

PlantReport PlantFeet(const HumanBody& body, double rate_hz,
                      const std::vector<Shot>& shots,
                      const std::array<FootGoal, 2>& goals, double rounding,
                      const PlantOptions& options, std::vector<Pose>& poses,
                      const BodySupports& supports) {
  return FootPlanter(body, rate_hz, goals, rounding, options, poses)
      .Run(shots, supports);
}

}  // namespace limber::mocap
