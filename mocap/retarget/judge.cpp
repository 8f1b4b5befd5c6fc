// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/judge.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/angle.h"
#include "figure/flight_rate.h"
#include "figure/pose_metrics.h"
#include "figure/stance_metrics.h"
#include "figure/working_rig.h"
#include "mocap/retarget/palm_turns.h"

namespace limber::mocap {

namespace {

using figure::ArmPlan;
using figure::BodyPlan;
using figure::ClipTracks;
using figure::Motion;
using figure::Role;

/// Where doubt begins. The first eight are what users were promised.
constexpr double kMostFootOff = 0.001;  // [m]
constexpr double kMostRootShift = 0.1;  // Of the target's leg.
constexpr double kMostBeyond = 1.0;     // Beyond a limit [deg].
constexpr double kMostSunk = 0.005;     // On figures [m].
constexpr double kMostDeeper = 0.001;   // Than the source's, on skeletons [m].
constexpr double kMostPalm = 5.0;       // Hands point away [deg].
/// Feet in stances may be faster and drift farther than the source's by this
/// share: what is less comes from rounding.
constexpr double kMostSlide = 1e-6;
/// The same of clips that a physical figure played: what bounded motors leave.
constexpr double kMostSlidePlayed = 0.01;
/// Heads that are turned by this look elsewhere [deg]; limits turn them by less
/// most of the time.
constexpr double kMostTurned = 15.0;
/// Wrists cannot be bent farther for long [deg].
constexpr double kMostBent = 60.0;
/// Legs of a small child and of a giant [m].
constexpr double kShortestLeg = 0.25;
constexpr double kLongestLeg = 2.0;
/// Share of the frames that must lie.
constexpr double kMostFrames = 0.8;
/// A joint that turns by more has a motion of its own [deg].
constexpr double kMoves = 10.0;

/// Places may have so many times the source's jerk. On recordings other
/// proportions and planted feet make up to 1.7 times of it; limbs that jump
/// from one pose into another make more than three.
constexpr double kMostJerk = 3.0;
/// A clip with less jerk is compared with this, by leg length [1/s^3]: half of
/// what the quietest recordings have by their noise alone, which nobody sees.
/// Clips that a program made may be smoother than feet that are planted.
constexpr double kQuiet = 400.0;

std::string Text(double value, int decimals) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", decimals, value);
  return text;
}

/// Frames looked at, spread over the clip.
std::vector<std::int64_t> SampledFrames(const Motion& motion) {
  constexpr std::int64_t kSamples = 200;
  const std::int64_t n = std::min(kSamples, motion.num_frames());
  std::vector<std::int64_t> frames;
  for (std::int64_t i = 0; i < n; ++i) {
    frames.push_back(i * motion.num_frames() / n);
  }
  return frames;
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double AngleOf(const Vector3& a, const Vector3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

std::vector<std::vector<Transform>> WorldsOf(const Motion& motion) {
  std::vector<std::vector<Transform>> worlds;
  for (const std::int64_t frame : SampledFrames(motion)) {
    worlds.push_back(
        figure::WorldTransforms(motion.skeleton(), motion.pose(frame)));
  }
  return worlds;
}

/// Straight bodies that lie or hang upside down.
void JudgeLying(const Motion& motion, const BodyPlan& plan, Verdict& verdict) {
  const int top = !plan.neck.empty()    ? plan.neck.back()
                  : !plan.spine.empty() ? plan.spine.back()
                                        : -1;
  if (top < 0) return;
  int lying = 0;
  int num = 0;
  for (const std::vector<Transform>& X_WJ : WorldsOf(motion)) {
    const Vector3 hips =
        0.5 * (X_WJ[plan.legs[0].thigh].p + X_WJ[plan.legs[1].thigh].p);
    const Vector3 feet =
        0.5 * (X_WJ[plan.legs[0].foot].p + X_WJ[plan.legs[1].foot].p);
    const Vector3 trunk = X_WJ[top].p - hips;
    const Vector3 legs = hips - feet;
    const double level = 30.0 * kRadiansPerDegree;
    const auto slope = [](const Vector3& d) {
      return std::abs(kPi / 2.0 - AngleOf(d, Vector3::UnitY()));
    };
    const bool straight = AngleOf(trunk, legs) < 45.0 * kRadiansPerDegree;
    // Upside down counts, too.
    const bool hangs = trunk.y() < 0.0 && legs.y() < 0.0 &&
                       slope(trunk) > level && slope(legs) > level;
    lying +=
        straight && (hangs || (slope(trunk) < level && slope(legs) < level))
            ? 1
            : 0;
    ++num;
  }
  if (num == 0 || lying < kMostFrames * num) return;
  const double share = 100.0 * lying / num;
  verdict.Add({"lies",
               "the body lies or hangs upside down, straight, in " +
                   Text(share, 0) + " % of the frames",
               "--up x, y or z says which axis of the file points up", share,
               100.0 * kMostFrames, "%"});
}

void JudgeSize(const BodyPlan& plan, const std::string& whose,
               Verdict& verdict) {
  if (plan.leg_length >= kShortestLeg && plan.leg_length <= kLongestLeg) {
    return;
  }
  verdict.Add(
      {"size", whose + " legs are " + Text(plan.leg_length, 3) + " m long",
       "--unit says what a length unit of the file is", plan.leg_length,
       plan.leg_length < kShortestLeg ? kShortestLeg : kLongestLeg, "m"});
}

void JudgeRate(const Motion& motion, const BodyPlan& plan,
               const ClipTracks& tracks, Verdict& verdict) {
  const figure::FlightRate rate = figure::FindFlightRate(motion, plan, tracks);
  if (rate.rate_hz == motion.rate_hz()) return;
  verdict.Add({"rate",
               "in flight the body falls with " + Text(rate.gravity, 1) +
                   " m/s^2: the clip seems to have " + Text(rate.rate_hz, 0) +
                   " frames per second and not " + Text(motion.rate_hz(), 0),
               "--rate " + Text(rate.rate_hz, 0) + " sets the rate",
               rate.gravity, kGravity, "m/s^2"});
}

void JudgePlaces(const HumanBody& target, const Retargeted& result,
                 Verdict& verdict) {
  const RetargetReport& report = result.report;
  if (report.plant.worst_miss > kMostFootOff) {
    const double mm = 1000.0 * report.plant.worst_miss;
    verdict.Add({"foot-off",
                 "a standing foot is " + Text(mm, 0) + " mm off its place", "",
                 mm, 1000.0 * kMostFootOff, "mm"});
  }
  const double most = kMostRootShift * target.plan.leg_length;
  if (report.plant.largest_root_shift > most) {
    const double mm = 1000.0 * report.plant.largest_root_shift;
    verdict.Add({"root-shift",
                 "the root is " + Text(mm, 0) + " mm off its scaled path", "",
                 mm, 1000.0 * most, "mm"});
  }
}

void JudgeLimits(const HumanBody& target, const Motion& motion,
                 Verdict& verdict) {
  if (!target.figure) return;
  const figure::LimitReport limits =
      figure::MeasureLimits(*target.figure, motion);
  const double beyond = limits.worst / kRadiansPerDegree;
  if (beyond <= kMostBeyond) return;
  verdict.Add(
      {"limits",
       limits.segment + " passes a joint limit by " + Text(beyond, 1) + " deg",
       "", beyond, kMostBeyond, "deg"});
}

/// Soles below the floor: on figures below the floor itself, on skeletons
/// deeper below the ground, which may have steps, than the source's by the
/// ratio of the feet.
void JudgeFloor(const ClipTracks& source, const ClipTracks& target,
                bool is_figure, const RetargetReport& report,
                Verdict& verdict) {
  double deep = figure::FloorPenetration(target, report.floor_target);
  double allowed = 0.0;
  if (!is_figure && report.num_phases > 0) {
    deep = report.deepest_sole;
    allowed = std::max(1.0, report.foot_ratio) * report.deepest_sole_of_source;
  } else if (!is_figure) {
    allowed = std::max(1.0, report.foot_ratio) *
              figure::FloorPenetration(source, source.floor);
  }
  const double most = is_figure ? kMostSunk : kMostDeeper;
  if (deep <= allowed + most) return;
  verdict.Add({"floor",
               "a sole is " + Text(1000.0 * deep, 0) + " mm deep in the floor" +
                   (allowed > 0.0 ? " (" + Text(1000.0 * allowed, 0) +
                                        " mm in the source)"
                                  : ""),
               "", 1000.0 * deep, 1000.0 * (allowed + most), "mm"});
}

/// Palms below the floor: only figures have a real one.
void JudgePalmDepth(const RetargetReport& report, bool is_figure,
                    Verdict& verdict) {
  const double deep = report.hands.deepest_palm;
  if (!is_figure || deep <= kMostSunk) return;
  verdict.Add({"floor",
               "a hand is " + Text(1000.0 * deep, 0) + " mm deep in the floor",
               "", 1000.0 * deep, 1000.0 * kMostSunk, "mm"});
}

/// Feet that slide more in the source's stances than the source's do.
void JudgeStances(const ClipTracks& source, const ClipTracks& target,
                  bool is_played, Verdict& verdict) {
  const std::vector<figure::Stance> stances =
      figure::FindStances(source, figure::FootPoint::kToe);
  const auto slide = [&stances](const ClipTracks& tracks) {
    return figure::MeasureSlide(tracks, figure::FootPoint::kToe, stances);
  };
  const figure::StanceSlide s = slide(source);
  const figure::StanceSlide t = slide(target);
  const double most = is_played ? kMostSlidePlayed : kMostSlide;
  const auto is_more = [most](double value, double of_source) {
    constexpr double kLeast = 1e-9;  // Per leg and per leg and second.
    return value > (1.0 + most) * of_source + kLeast;
  };
  if (!is_more(t.speed_per_leg, s.speed_per_leg) &&
      !is_more(t.drift_per_leg, s.drift_per_leg)) {
    return;
  }
  verdict.Add({"slides",
               "standing feet slide by " + Text(t.speed_per_leg, 4) +
                   " legs/s and " + Text(t.drift_per_leg, 4) +
                   " legs, those of the source by " + Text(s.speed_per_leg, 4) +
                   " and " + Text(s.drift_per_leg, 4),
               "", t.speed_per_leg, s.speed_per_leg, "1/s"});
}

/// Limbs that jump, as legs do that are beyond their limits in the source.
void JudgeJerk(const ClipTracks& source, const ClipTracks& target,
               Verdict& verdict) {
  const double of_source =
      std::max(kQuiet, figure::MeasureJerk(source).of_places);
  const double times = figure::MeasureJerk(target).of_places / of_source;
  if (times <= kMostJerk) return;
  verdict.Add(
      {"jerky",
       "places have " + Text(times, 1) + " times the source's jerk: limbs jump",
       "look at the knees and elbows of the result", times, kMostJerk, ""});
}

class PoseJudge {
 public:
  PoseJudge(const Motion& source_motion, const HumanBody& source,
            const HumanBody& target, const Motion& result)
      : source_(source),
        target_(target),
        X_s_(WorldsOf(source_motion)),
        X_t_(WorldsOf(result)) {}

  void Run(Verdict& verdict) const {
    for (int side = 0; side < 2; ++side) {
      const ArmPlan& t = target_.plan.arms[side];
      if (t.hand < 0 || t.palm.p_JQ.isZero()) continue;
      JudgeWrist(t, side == 0 ? "left" : "right", verdict);
    }
    if (source_.plan.neck.empty() || target_.plan.neck.empty()) return;
    Compare("head", "the head", source_.plan.neck.back(),
            source_.plan.axes.forward, target_.plan.neck.back(),
            target_.plan.axes.forward, verdict);
  }

 private:
  /// Direction d_s of joint j_s of the source and d_t of j_t of the target.
  void Compare(const std::string& kind, const std::string& what, int j_s,
               const Vector3& d_s, int j_t, const Vector3& d_t,
               Verdict& verdict) const {
    std::vector<double> angles;
    for (std::size_t i = 0; i < X_t_.size(); ++i) {
      angles.push_back(AngleOf(X_s_[i][j_s].R * d_s, X_t_[i][j_t].R * d_t));
    }
    const double turned = Median(std::move(angles)) / kRadiansPerDegree;
    if (turned <= kMostTurned) return;
    verdict.Add({kind,
                 what + " points " + Text(turned, 0) +
                     " deg away from the source's most of the time",
                 "", turned, kMostTurned, "deg"});
  }

  void JudgeWrist(const ArmPlan& arm, const std::string& which,
                  Verdict& verdict) const {
    std::vector<double> angles;
    for (const std::vector<Transform>& X_WJ : X_t_) {
      angles.push_back(AngleOf(X_WJ[arm.hand].p - X_WJ[arm.forearm].p,
                               X_WJ[arm.hand].R * arm.palm.p_JQ));
    }
    const double bent = Median(std::move(angles)) / kRadiansPerDegree;
    if (bent <= kMostBent) return;
    verdict.Add({"wrists",
                 "the " + which + " wrist is bent by " + Text(bent, 0) +
                     " deg most of the time",
                 "", bent, kMostBent, "deg"});
  }

  const HumanBody& source_;
  const HumanBody& target_;
  std::vector<std::vector<Transform>> X_s_;
  std::vector<std::vector<Transform>> X_t_;
};

/// Hands that point elsewhere while no limit says so.
void JudgePalms(const Motion& source_motion, const HumanBody& source,
                const HumanBody& target, const Retargeted& result,
                Verdict& verdict) {
  const PalmTurn palms = MeasurePalms(source_motion, source, result.motion,
                                      target, result.report.mended);
  const double turned = palms.worst / kRadiansPerDegree;
  if (turned <= kMostPalm) return;
  verdict.Add({"hands",
               std::string("the ") + (palms.side == 0 ? "left" : "right") +
                   " hand points " + Text(turned, 0) +
                   " deg away from the source's in frame " +
                   std::to_string(palms.frame),
               "", turned, kMostPalm, "deg"});
}

/// How far a joint of the clip turns from its first frame [rad].
double TurnsBy(const Motion& motion, int joint) {
  const std::vector<std::int64_t> frames = SampledFrames(motion);
  double most = 0.0;
  const Quaternion first = motion.pose(frames.front()).X_PJ[joint].R;
  for (const std::int64_t frame : frames) {
    most =
        std::max(most, AngleBetween(first, motion.pose(frame).X_PJ[joint].R));
  }
  return most;
}

/// The part of the body a joint is or hangs on.
Role PartOf(const HumanBody& body, int joint) {
  while (joint >= 0 && body.roles[joint] == Role::kOther) {
    joint = body.skeleton->joint(joint).parent;
  }
  return joint < 0 ? Role::kOther : body.roles[joint];
}

void JudgeMap(const Motion& motion, const HumanBody& source,
              const HumanBody& target, const JointMap& map, Verdict& verdict) {
  const auto is_needed = [](Role role) {
    const Role left = figure::LeftOf(role);
    return left == Role::kHead || left == Role::kLeftUpperArm ||
           left == Role::kLeftForearm || left == Role::kLeftUpperLeg ||
           left == Role::kLeftLowerLeg || left == Role::kLeftFoot;
  };
  std::vector<std::string> lost;
  std::vector<Role> open;  // Parts with joints that follow nothing.
  for (int joint = 0; joint < target.skeleton->num_joints(); ++joint) {
    if (map.pairs[joint].source >= 0) continue;
    if (is_needed(target.roles[joint])) {
      lost.push_back(target.skeleton->joint(joint).name);
    }
    bool has_child = false;
    for (const figure::Joint& child : target.skeleton->joints()) {
      has_child = has_child || child.parent == joint;
    }
    if (has_child) open.push_back(PartOf(target, joint));
  }
  if (!lost.empty()) {
    verdict.Add({"not-followed",
                 std::to_string(lost.size()) +
                     " parts of the target follow "
                     "nothing, " +
                     lost.front() + " among them",
                 "--map FILE says which joint is which",
                 static_cast<double>(lost.size()), 0.0, ""});
  }
  // What hangs on a joint and is followed carries its turn along.
  const auto is_carried = [&](int joint) {
    return std::ranges::any_of(map.pairs, [&](const JointPair& pair) {
      return pair.source >= 0 && pair.source != joint &&
             figure::IsAbove(*source.skeleton, joint, pair.source);
    });
  };
  std::vector<std::string> unused;
  for (const int joint : map.unused_sources) {
    const Role part = PartOf(source, joint);
    if (is_carried(joint)) continue;
    if (part == Role::kOther || std::ranges::find(open, part) == open.end() ||
        TurnsBy(motion, joint) < kMoves * kRadiansPerDegree) {
      continue;
    }
    unused.push_back(source.skeleton->joint(joint).name);
  }
  if (unused.empty()) return;
  verdict.Add({"not-used",
               std::to_string(unused.size()) +
                   " joints of the source move and nothing follows them, " +
                   unused.front() + " among them",
               "--map FILE says which joint is which",
               static_cast<double>(unused.size()), 0.0, ""});
}

void JudgeRest(const HumanBody& body, const std::string& whose,
               Verdict& verdict) {
  const std::vector<Transform> X_WJ =
      figure::WorldTransforms(*body.skeleton, figure::RestPose(*body.skeleton));
  if (figure::IsBodyPose(body.roles, X_WJ)) return;
  verdict.Add({"rest-pose",
               "the rest pose of the " + whose +
                   " is none that a body can take, and no frame of its clip "
                   "is more neutral",
               "", 0.0, 0.0, ""});
}

}  // namespace

Verdict JudgeClip(const Motion& motion, const BodyPlan& plan,
                  const ClipTracks& tracks, const JudgeOptions& options) {
  Verdict verdict;
  if (motion.num_frames() == 0) return verdict;
  if (!options.up_is_said) JudgeLying(motion, plan, verdict);
  JudgeSize(plan, "the", verdict);
  if (!options.rate_is_said) JudgeRate(motion, plan, tracks, verdict);
  return verdict;
}

Verdict JudgeRetarget(const Motion& source_motion, const HumanBody& source,
                      const HumanBody& target, const JointMap& map,
                      const Retargeted& result, const JudgeOptions& options) {
  Verdict verdict;
  if (result.motion.num_frames() == 0) return verdict;
  const ClipTracks tracks = figure::TrackClip(result.motion, target.plan);
  const ClipTracks tracks_s = figure::TrackClip(source_motion, source.plan);
  if (!options.up_is_said) JudgeLying(result.motion, target.plan, verdict);
  JudgeSize(source.plan, "the source's", verdict);
  JudgeSize(target.plan, "the target's", verdict);
  if (!options.rate_is_said) {
    JudgeRate(source_motion, source.plan, tracks_s, verdict);
  }
  JudgeRest(source, "source", verdict);
  JudgeRest(target, "target", verdict);
  JudgeMap(source_motion, source, target, map, verdict);
  PoseJudge(source_motion, source, target, result.motion).Run(verdict);
  JudgePalms(source_motion, source, target, result, verdict);
  JudgePlaces(target, result, verdict);
  JudgeStances(tracks_s, tracks, options.is_played, verdict);
  JudgeJerk(tracks_s, tracks, verdict);
  JudgeFloor(tracks_s, tracks, target.figure != nullptr, result.report,
             verdict);
  JudgePalmDepth(result.report, target.figure != nullptr, verdict);
  JudgeLimits(target, result.motion, verdict);
  return verdict;
}

}  // namespace limber::mocap
