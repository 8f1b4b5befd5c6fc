// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/angle.h"
#include "mocap/solve/bend_spread.h"
#include "mocap/solve/judge_solution.h"
#include "mocap/solve/sole.h"

namespace limber::mocap {

namespace {

/// Joints whose places are looked at over time.
enum Place : int {
  kPlacePelvis,
  kPlaceHead,
  kPlaceLeftFoot,
  kPlaceRightFoot,
  kPlaceLeftHand,
  kPlaceRightHand,
  kNumPlaces
};
constexpr std::array<int, kNumPlaces> kSegmentOf = {
    kPelvis, kHead, kLeftFoot, kRightFoot, kLeftHand, kRightHand};

/// What is kept of a frame for the checks.
struct FrameSketch {
  std::array<Vector3, kNumPlaces> p_W;
  double highest = 0.0;  ///< Of all joints [m].
};

std::vector<FrameSketch> Sketch(const Actor& actor,
                                const std::vector<BodyPose>& poses) {
  std::vector<FrameSketch> sketches;
  sketches.reserve(poses.size());
  BodyKinematics kinematics;
  for (const BodyPose& pose : poses) {
    kinematics.Update(actor.p_PJ, pose);
    FrameSketch sketch;
    for (int i = 0; i < kNumPlaces; ++i) {
      sketch.p_W[i] = kinematics.p_WJ[kSegmentOf[i]];
    }
    sketch.highest = kinematics.p_WJ[0].y();
    for (const Vector3& p : kinematics.p_WJ) {
      sketch.highest = std::max(sketch.highest, p.y());
    }
    sketches.push_back(sketch);
  }
  return sketches;
}

double ShareOf(std::int64_t count, std::size_t of) {
  return of == 0 ? 0.0 : double(count) / double(of);
}

double Median(std::vector<double>& values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Speeds of the places at a frame, over a tenth of a second so that noise
/// does not count [m/s].
class Speeds {
 public:
  Speeds(const std::vector<FrameSketch>& sketches, double rate_hz)
      : sketches_(sketches), rate_hz_(rate_hz) {
    constexpr double kWindow = 0.1;  // [s]
    half_ = std::max<std::int64_t>(1, std::llround(kWindow * rate_hz / 2));
  }
  double operator()(std::int64_t t, Place place) const {
    const auto last = static_cast<std::int64_t>(sketches_.size()) - 1;
    const std::int64_t a = std::max<std::int64_t>(0, t - half_);
    const std::int64_t b = std::min(last, t + half_);
    if (b <= a) return 0.0;
    return (sketches_[b].p_W[place] - sketches_[a].p_W[place]).norm() *
           rate_hz_ / double(b - a);
  }

 private:
  const std::vector<FrameSketch>& sketches_;
  double rate_hz_;
  std::int64_t half_ = 1;
};

/// A foot that stands is slower than this, a pelvis that goes is faster: in
/// walking the sole stands still and the pelvis goes at 1 m/s [m/s].
constexpr double kStands = 0.15;
constexpr double kGoes = 0.4;

void MeasureStance(const std::vector<FrameSketch>& sketches, double rate_hz,
                   SolutionMeasures& measures) {
  const Speeds speed(sketches, rate_hz);
  std::vector<double> ups;
  std::int64_t head_down = 0;
  for (std::size_t t = 0; t < sketches.size(); ++t) {
    const FrameSketch& sketch = sketches[t];
    const double feet = 0.5 * (sketch.p_W[kPlaceLeftFoot].y() +
                               sketch.p_W[kPlaceRightFoot].y());
    const double head = sketch.p_W[kPlaceHead].y();
    const double hands = std::min(sketch.p_W[kPlaceLeftHand].y(),
                                  sketch.p_W[kPlaceRightHand].y());
    if (head < feet - 0.25 * measures.height && hands > head) ++head_down;
    if (speed(std::int64_t(t), kPlacePelvis) < kGoes) continue;
    for (const Place foot : {kPlaceLeftFoot, kPlaceRightFoot}) {
      if (speed(std::int64_t(t), foot) > kStands) continue;
      ups.push_back(
          (sketch.p_W[kPlacePelvis] - sketch.p_W[foot]).normalized().y());
    }
  }
  measures.head_down_share = ShareOf(head_down, sketches.size());
  measures.num_stance_frames = double(ups.size());
  if (!ups.empty()) measures.stance_up = Median(ups);
}

void MeasureKnees(const Actor& actor, const std::vector<BodyPose>& poses,
                  SolutionMeasures& measures) {
  const bool has_legs = actor.moves[kLeftLowerLeg] &&
                        actor.moves[kRightLowerLeg] &&
                        actor.moves[kLeftUpperLeg];
  if (!has_legs || poses.empty()) return;
  const double hips =
      (actor.p_PJ[kLeftUpperLeg] - actor.p_PJ[kRightUpperLeg]).norm();
  std::vector<double> apart;
  BodyKinematics kinematics;
  for (const BodyPose& pose : poses) {
    kinematics.Update(actor.p_PJ, pose);
    const Vector3 across = kinematics.R_WJ[kPelvis].col(0);
    apart.push_back(across.dot(kinematics.p_WJ[kLeftLowerLeg] -
                               kinematics.p_WJ[kRightLowerLeg]) /
                    hips);
  }
  measures.knees_apart = Median(apart);
}

void MeasureFloor(const Actor& actor, const std::vector<BodyPose>& poses,
                  const std::vector<FrameSketch>& sketches, double rate_hz,
                  SolutionMeasures& measures) {
  constexpr double kSunk = 0.1;    // Beyond what a guessed sole explains [m].
  constexpr double kJumped = 0.6;  // Feet of jumping people stay below [m].
  constexpr double kRests = 0.3;   // [m/s]
  const double floor = FindFloor(actor, poses);
  const Speeds speed(sketches, rate_hz);
  std::int64_t under = 0;
  std::int64_t sunk = 0;
  std::int64_t flying = 0;
  for (std::size_t t = 0; t < poses.size(); ++t) {
    const double sole = LowestSole(actor, poses[t]);
    if (sketches[t].highest < 0) ++under;
    if (sole < floor - kSunk) ++sunk;
    if (sole < floor + kJumped) continue;
    bool rests = false;
    for (int place = 0; place < kNumPlaces; ++place) {
      rests |= speed(std::int64_t(t), static_cast<Place>(place)) < kRests;
    }
    if (!rests) ++flying;
  }
  measures.under_floor_share = ShareOf(under, poses.size());
  measures.sunk_share = ShareOf(sunk, poses.size());
  measures.flying_share = ShareOf(flying, poses.size());
}

double FactorBetween(double a, double b) {
  if (!(a > 0) || !(b > 0)) return std::numeric_limits<double>::infinity();
  return std::max(a / b, b / a);
}

void MeasureBones(const Actor& actor, SolutionMeasures& measures) {
  struct Bone {
    const char* name;
    Segment left;  ///< The segment at the far end of the bone.
    Segment right;
    /// Markers must be beyond it for its length to be more than a guess.
  };
  constexpr std::array kBones = {
      Bone{"thigh", kLeftLowerLeg, kRightLowerLeg},
      Bone{"shank", kLeftFoot, kRightFoot},
      Bone{"upper arm", kLeftForearm, kRightForearm},
      Bone{"forearm", kLeftHand, kRightHand},
  };
  const auto check = [&](const char* name, int j) {
    if (!actor.moves[j]) return;
    const double usual =
        Body()[j].offset.norm() * measures.height / kReferenceHeight;
    const double ratio = FactorBetween(actor.p_PJ[j].norm(), usual);
    if (ratio > measures.bone_ratio) {
      measures.bone_ratio = ratio;
      measures.odd_bone = name;
    }
  };
  for (const Bone& bone : kBones) {
    check(bone.name, bone.left);
    check(bone.name, bone.right);
    if (!actor.moves[bone.left] || !actor.moves[bone.right]) continue;
    const double ratio = FactorBetween(actor.p_PJ[bone.left].norm(),
                                       actor.p_PJ[bone.right].norm());
    if (ratio > measures.side_ratio) {
      measures.side_ratio = ratio;
      measures.side_bone = bone.name;
    }
  }
  check("pelvis", kLeftUpperLeg);
  check("chest", kNeck);
}

/// How far from where its set has it a marker may sit on a person of the
/// reference height [m].
double AllowedOff(const SetMarker& set) {
  constexpr double kFar = 0.1;         // [m]
  constexpr double kFarSpreads = 4.0;  // Of the set's own spread.
  return std::max(kFar, kFarSpreads * set.spread);
}

void MeasureMarkers(const PreparedTake& take, const Actor& actor,
                    const TakeSolution& solution, SolutionMeasures& measures) {
  const FitQuality fit = MeasureFit(actor, solution.poses, solution.used);
  measures.rms = fit.all.rms;
  for (int j = 0; j < kNumSegments; ++j) {
    if (fit.per_segment[j].rms > measures.segment_rms) {
      measures.segment_rms = fit.per_segment[j].rms;
      measures.worst_segment = j;
    }
  }
  std::int64_t misplaced = 0;
  for (std::size_t m = 0; m < take.markers.size(); ++m) {
    const SetMarker& set = take.markers[m];
    const double off = (actor.markers[m].p_JM / actor.scale - set.at).norm();
    if (off < AllowedOff(set)) continue;
    ++misplaced;
    measures.misplaced += (measures.misplaced.empty() ? "" : ", ") + set.label;
  }
  measures.misplaced_share = ShareOf(misplaced, take.markers.size());
}

/// The share of segments with markers of which none is used, over the frames
/// that show at least half of them: before and after those the person is not
/// in the view.
void MeasureHidden(const Actor& actor, const Observations& used,
                   SolutionMeasures& measures) {
  std::array<bool, kNumSegments> wears{};
  for (const ActorMarker& marker : actor.markers) wears[marker.segment] = true;
  const std::int64_t worn = std::ranges::count(wears, true);
  std::int64_t hidden = 0;
  std::int64_t possible = 0;
  std::int64_t outside = 0;
  for (std::int64_t t = 0; t < used.num_frames(); ++t) {
    std::array<bool, kNumSegments> shows{};
    for (std::size_t m = 0; m < actor.markers.size(); ++m) {
      if (IsSeen(used.frame(t)[m])) shows[actor.markers[m].segment] = true;
    }
    const std::int64_t shown = std::ranges::count(shows, true);
    if (2 * shown < worn) {
      ++outside;
      if (measures.outside.empty() || measures.outside.back().end != t) {
        measures.outside.push_back({t, t});
      }
      measures.outside.back().end = t + 1;
      continue;
    }
    hidden += worn - shown;
    possible += worn;
  }
  measures.hidden_share = ShareOf(hidden, std::size_t(possible));
  measures.outside_share = ShareOf(outside, std::size_t(used.num_frames()));
}

/// Runs of frames in which a limb shows nothing although the person is in the
/// view.
void MeasureBridged(const Actor& actor, const Observations& used,
                    double rate_hz, SolutionMeasures& measures) {
  // A marker that is lost for less is carried over by its neighbours in time.
  constexpr double kShort = 0.1;  // [s]
  std::array<bool, kNumSegments> wears{};
  for (const ActorMarker& marker : actor.markers) wears[marker.segment] = true;
  std::vector<std::array<bool, kNumSegments>> shows(
      std::size_t(used.num_frames()));
  for (std::int64_t t = 0; t < used.num_frames(); ++t) {
    std::array<bool, kNumSegments>& now = shows[std::size_t(t)];
    for (std::size_t m = 0; m < actor.markers.size(); ++m) {
      if (IsSeen(used.frame(t)[m])) now[actor.markers[m].segment] = true;
    }
    for (int j = kNumSegments - 1; j > 0; --j) {
      if (now[j]) now[Body()[j].parent] = true;
    }
  }
  for (const FrameRun& run : measures.outside) {
    for (std::int64_t t = run.begin; t < run.end; ++t) {
      shows[std::size_t(t)].fill(true);
    }
  }
  for (int j = 0; j < kNumSegments; ++j) {
    if (!wears[j]) continue;
    HiddenRun run{j, {}};
    for (std::int64_t t = 0; t <= used.num_frames(); ++t) {
      if (t < used.num_frames() && !shows[std::size_t(t)][j]) {
        if (run.frames.end != t) run.frames.begin = t;
        run.frames.end = t + 1;
        continue;
      }
      const auto length = double(run.frames.end - run.frames.begin);
      if (run.frames.end == t && length > kShort * rate_hz) {
        measures.bridged.push_back(run);
      }
    }
  }
}

/// What a frame leaves open and what the calibration does, the larger one. A
/// body that was given and not calibrated is taken as known.
void MeasureUnsure(const PreparedTake& take, const Calibration& calibration,
                   const TakeSolution& solution, SolutionMeasures& measures) {
  constexpr double kOpen = Radians(6);  // [rad]
  std::array<double, kNumSegments> of_body{};
  if (!calibration.frames.empty()) {
    for (const UnsureJoint& joint :
         MeasureBendSpread(take, calibration, solution)) {
      of_body[joint.segment] = joint.sigma;
    }
  }
  for (UnsureJoint joint :
       MeasureBends(calibration.actor, solution.poses, solution.used)) {
    joint.sigma = std::max(joint.sigma, of_body[joint.segment]);
    if (joint.sigma > measures.most_open) {
      measures.most_open = joint.sigma;
      measures.open_joint = joint.segment;
    }
    if (joint.sigma > kOpen) measures.unsure.push_back(joint);
  }
}

void MeasureSamples(const PreparedTake& take, const Actor& actor,
                    const TakeSolution& solution, SolutionMeasures& measures) {
  // Noise of a camera is above this, so real points never all repeat [m].
  constexpr double kSame = 1e-6;
  std::int64_t seen = 0;
  std::int64_t used = 0;
  std::int64_t possible = 0;
  std::int64_t still = 0;
  std::int64_t pairs = 0;
  const std::int64_t frames = take.observed.num_frames();
  for (std::int64_t t = 0; t < frames; ++t) {
    const std::span<const Vector3> points = take.observed.frame(t);
    std::int64_t seen_here = 0;
    bool repeats = t > 0;
    int compared = 0;
    for (std::size_t m = 0; m < points.size(); ++m) {
      if (IsSeen(solution.used.frame(t)[m])) ++used;
      if (!IsSeen(points[m])) continue;
      ++seen_here;
      if (t == 0 || !IsSeen(take.observed.frame(t - 1)[m])) continue;
      ++compared;
      if ((points[m] - take.observed.frame(t - 1)[m]).norm() > kSame) {
        repeats = false;
      }
    }
    if (compared > 0) {
      ++pairs;
      if (repeats) ++still;
    }
    seen += seen_here;
    if (seen_here > 0) possible += std::int64_t(points.size());
  }
  MeasureKnees(actor, solution.poses, measures);
  measures.left_out_share =
      double(take.num_left_out) /
      std::max(1.0, take.num_left_out + double(take.markers.size()));
  if (seen > 0)
    measures.used_share = std::min(1.0, double(used) / double(seen));
  measures.seen_share = ShareOf(seen, std::size_t(possible));
  measures.still_share = ShareOf(still, std::size_t(pairs));
  MeasureHidden(actor, solution.used, measures);
  MeasureBridged(actor, solution.used, take.rate_hz, measures);
}

void MeasureSpeed(const PreparedTake& take, SolutionMeasures& measures) {
  // The median of fewer points is that of a hand or of a stray.
  constexpr std::size_t kLeastPoints = 6;
  std::vector<double> steps;
  for (std::int64_t t = 1; t < take.observed.num_frames(); ++t) {
    const std::span<const Vector3> before = take.observed.frame(t - 1);
    const std::span<const Vector3> now = take.observed.frame(t);
    steps.clear();
    for (std::size_t m = 0; m < now.size(); ++m) {
      if (!IsSeen(before[m]) || !IsSeen(now[m])) continue;
      steps.push_back((now[m] - before[m]).norm());
    }
    if (steps.size() < kLeastPoints) continue;
    measures.fastest = std::max(measures.fastest, Median(steps) * take.rate_hz);
  }
}

/// How far a joint is beyond what the table allows [rad]; 0 inside.
double BeyondRange(int segment, const Quaternion& R_PJ) {
  const JointModel& model = Body()[segment].model;
  switch (model.prior) {
    case JointPrior::kNone:
      return 0.0;
    case JointPrior::kBall: {
      const Vector3 turn = LogRotation(R_PJ);
      return std::max({0.0, (turn - model.upper).maxCoeff(),
                       (model.lower - turn).maxCoeff()});
    }
    case JointPrior::kHinge: {
      constexpr double kUsualLean = 0.35;  // 20 degrees of carrying angle.
      const ClinicalAngles angles = MeasureJoint(segment, R_PJ);
      return std::max({0.0, angles.flexion - model.upper_angle,
                       model.lower_angle - angles.flexion,
                       std::fabs(angles.side) - kUsualLean});
    }
  }
  return 0.0;
}

void MeasureJoints(const Actor& actor, const std::vector<BodyPose>& poses,
                   double rate_hz, SolutionMeasures& measures) {
  constexpr double kBeyond = 0.26;  // 15 degrees beyond the range [rad].
  // An arm that throws or strikes is turned this hard; a leap is harder
  // [rad/s^2]. Below the second value it is noise of small turns [rad].
  constexpr double kHardest = 4000.0;
  constexpr double kLeap = 0.5;
  std::vector<bool> leaps(poses.size(), false);
  for (int j = 0; j < kNumSegments; ++j) {
    if (!actor.moves[j]) continue;
    std::int64_t beyond = 0;
    for (std::size_t t = 0; t < poses.size(); ++t) {
      if (BeyondRange(j, poses[t].R_PJ[j]) > kBeyond) ++beyond;
      if (t < 2) continue;
      // What the turn of this frame has more than that of the last one.
      const Quaternion& a = poses[t - 2].R_PJ[j];
      const Quaternion& b = poses[t - 1].R_PJ[j];
      const Quaternion& c = poses[t].R_PJ[j];
      const double change = AngleBetween(a.conjugate() * b, b.conjugate() * c);
      if (change > std::max(kLeap, kHardest / (rate_hz * rate_hz))) {
        leaps[t] = true;
      }
    }
    const double share = ShareOf(beyond, poses.size());
    if (share > measures.beyond_share) {
      measures.beyond_share = share;
      measures.beyond_joint = j;
    }
  }
  measures.jump_share = ShareOf(std::ranges::count(leaps, true), poses.size());
}

}  // namespace

SolutionMeasures MeasureSolution(const PreparedTake& take,
                                 const Calibration& calibration,
                                 const TakeSolution& solution) {
  const Actor& actor = calibration.actor;
  SolutionMeasures measures;
  measures.height = actor.height;
  if (!calibration.frames.empty() && !calibration.converged) {
    measures.unsettled_rms = calibration.rms;
  }
  const std::vector<FrameSketch> sketches = Sketch(actor, solution.poses);
  MeasureStance(sketches, take.rate_hz, measures);
  MeasureFloor(actor, solution.poses, sketches, take.rate_hz, measures);
  MeasureBones(actor, measures);
  MeasureMarkers(take, actor, solution, measures);
  MeasureSamples(take, actor, solution, measures);
  MeasureUnsure(take, calibration, solution, measures);
  MeasureSpeed(take, measures);
  MeasureJoints(actor, solution.poses, take.rate_hz, measures);
  return measures;
}

}  // namespace limber::mocap
