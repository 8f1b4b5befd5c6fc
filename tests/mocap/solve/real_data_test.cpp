// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What the solver reaches on real recordings, and on synthetic ones made by
// others. Every number printed is measured here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/angle.h"
#include "figure/pose.h"
#include "mocap/io/asf_amc.h"
#include "mocap/io/bvh.h"
#include "mocap/io/c3d.h"
#include "mocap/io/trc.h"
#include "mocap/solve/hold_out.h"
#include "mocap/solve/solve_take.h"
#include "tests/support/test_data.h"

namespace limber::test {
namespace {

using namespace mocap;

MarkerTake ReadTake(const std::string& name) {
  const std::filesystem::path path = RealData(name);
  if (name.ends_with(".trc")) return ReadTrc(path).value();
  return ReadC3d(path).value();
}

struct Solved {
  MarkerTake raw;
  PreparedTake take;
  Actor actor;
  TakeSolution solution;
  FitQuality quality;
};

PreparedTake PrepareAs(const MarkerTake& take, const std::string& name,
                       const MarkerSet** set_used = nullptr) {
  const Result<RecognisedSet> set =
      RecogniseMarkerSet(set_used != nullptr && *set_used != nullptr
                             ? std::span(*set_used, 1)
                             : std::span<const MarkerSet>(BuiltInMarkerSets()),
                         take, name, std::nullopt);
  if (set_used != nullptr) *set_used = set->set;
  return PrepareTake(take, *set->set, set->match, name).value();
}

Solved SolveFile(const std::string& name, const std::string& standing = "") {
  Solved solved;
  solved.raw = ReadTake(name);
  const MarkerSet* set = nullptr;
  solved.take = PrepareAs(solved.raw, name, &set);
  std::optional<PreparedTake> still;
  if (!standing.empty()) still = PrepareAs(ReadTake(standing), standing, &set);
  solved.actor =
      Calibrate(solved.take, still ? &*still : nullptr, name).value().actor;
  solved.solution = SolveTake(solved.take, &solved.raw, solved.actor);
  solved.quality =
      MeasureFit(solved.actor, solved.solution.poses, solved.solution.used);
  return solved;
}

struct Bound {
  const char* file;
  double rms_mm;
};
class SolveRms : public testing::TestWithParam<Bound> {};

TEST_P(SolveRms, CalibratedFromTheTakeIsWithinTheBound) {
  LIMBER_NEEDS_REAL_DATA();
  const Solved solved = SolveFile(GetParam().file);
  std::printf("%s: %.2f mm RMS\n", GetParam().file,
              1000 * solved.quality.all.rms);
  EXPECT_LE(1000 * solved.quality.all.rms, GetParam().rms_mm);
  // The figure is not bought by throwing markers away.
  std::int64_t rejected = 0;
  for (const Repair& repair : solved.solution.repairs) {
    if (repair.what == MarkerFate::kRejected) rejected += repair.num_frames;
  }
  EXPECT_LE(rejected, 0.001 * double(solved.take.observed.points.size()));
}
INSTANTIATE_TEST_SUITE_P(
    Takes, SolveRms,
    testing::Values(Bound{"cmu/02/02_01.c3d", 8}, Bound{"cmu/07/07_01.c3d", 10},
                    Bound{"cmu/16/16_07.c3d", 10},
                    Bound{"cmu/85/85_02.c3d", 14},
                    Bound{"opensim/arnold-synthetic/subject01/markers.trc",
                          6}));

TEST(SolveJointCentres, OfTheJumpAreWithinTwoCentimetresOfTheFilesOwn) {
  LIMBER_NEEDS_REAL_DATA();
  const Solved solved = SolveFile("cmu/16/16_07.c3d");
  struct Joint {
    const char* label;
    Segment segment;
  };
  for (const Joint joint :
       {Joint{"LHJ0", kLeftUpperLeg}, Joint{"RHJ0", kRightUpperLeg},
        Joint{"LFE0", kLeftLowerLeg}, Joint{"RFE0", kRightLowerLeg},
        Joint{"LTI0", kLeftFoot}, Joint{"RTI0", kRightFoot}}) {
    const int column =
        *solved.raw.FindMarker(std::string("Justin_Nancy:") + joint.label);
    // The best constant offset, in the axes of the segment above the joint.
    std::vector<Vector3> off;
    Vector3 mean = Vector3::Zero();
    BodyKinematics kinematics;
    for (std::size_t t = 0; t < solved.solution.poses.size(); ++t) {
      kinematics.Update(solved.actor.p_PJ, solved.solution.poses[t]);
      const int parent = Body()[joint.segment].parent;
      off.push_back(kinematics.R_WJ[parent].transpose() *
                    (solved.raw.Position(std::int64_t(t), column) -
                     kinematics.p_WJ[joint.segment]));
      mean += off.back();
    }
    mean /= double(off.size());
    double sum = 0.0;
    for (const Vector3& vector : off) sum += (vector - mean).norm();
    const double mean_mm = 1000 * sum / double(off.size());
    std::printf("%s: %.1f mm mean after an offset of %.1f mm\n", joint.label,
                mean_mm, 1000 * mean.norm());
    EXPECT_LE(mean_mm, 20) << joint.label;
  }
}

/// RMS of a − b without its mean [deg] for radians.
double RmsWithoutMeanDeg(const std::vector<double>& a,
                         const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double mean = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) mean += (a[i] - b[i]);
  mean /= double(a.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += std::pow(a[i] - b[i] - mean, 2);
  }
  return std::sqrt(sum / double(a.size())) * 180 / kPi;
}

std::vector<double> Flexion(const Solved& solved, int segment) {
  std::vector<double> angles;
  for (const BodyPose& pose : solved.solution.poses) {
    angles.push_back(MeasureJoint(segment, pose.R_PJ[segment]).flexion);
  }
  return angles;
}

/// 07_01 as CMU distributes it: the markers and the skeleton solved from them.
struct WalkWithAmc {
  Solved solved = SolveFile("cmu/07/07_01.c3d");
  AsfSkeleton asf = ReadAsfFile(RealData("cmu/07/07.asf")).value();
  figure::Motion amc = ReadAmcFile(RealData("cmu/07/07_01.amc"), asf,
                                   AmcReadOptions{.rate_hz = 120})
                           .value();

  /// The first channel of a joint [rad].
  std::vector<double> Channel(const char* joint) const {
    const int index = amc.skeleton().Find(joint);
    const std::size_t at = amc.layout()->runs()[index].begin;
    std::vector<double> values;
    for (std::int64_t t = 0; t < amc.num_frames(); ++t) {
      values.push_back(amc.row(t)[at]);
    }
    return values;
  }

  /// Places of a joint in the axes of the markers: AMC (x, y, z) = C3D (y, z,
  /// x) = ours (-z, y, x).
  std::vector<Vector3> Places(const char* joint) const {
    const int index = amc.skeleton().Find(joint);
    std::vector<Vector3> places;
    for (std::int64_t t = 0; t < amc.num_frames(); ++t) {
      const Vector3 p =
          figure::WorldTransforms(amc.skeleton(), amc.pose(t))[index].p;
      places.emplace_back(p.z(), p.y(), -p.x());
    }
    return places;
  }
};

TEST(SolveAgainstAmc, ElbowsOfTheWalkAreWithinFourDegrees) {
  LIMBER_NEEDS_REAL_DATA();
  const WalkWithAmc walk;
  for (const auto& [joint, segment] :
       {std::pair{"lradius", kLeftForearm}, {"rradius", kRightForearm}}) {
    const double rms =
        RmsWithoutMeanDeg(Flexion(walk.solved, segment), walk.Channel(joint));
    std::printf("%s: %.2f deg RMS\n", joint, rms);
    EXPECT_LE(rms, 4.0) << joint;
  }
}

// Asked for are 4 degrees; reached are 8.5 and 9.4, and the AMC is the reason.
// Its thigh and shank are hung between its hip and its ankle, so its knee
// follows from their distance L,
//
//     cos θ = (L² − a² − b²) / (2 a b)        a thigh, b shank
//
// and near a straight leg 24 mm of L are 26 degrees. Its ankles keep to their
// markers, but its hips wander against the waist markers by 13 mm RMS. Holding
// them still there, with its own ankles and its own lengths, changes its knees
// by 8.0 and 8.5 degrees: a solve whose pelvis follows the waist markers cannot
// have these knees. No shift in time explains it either:
// the best one, printed, leaves 6.8 and 8.2 degrees.
TEST(SolveAgainstAmc, KneesDifferAsFarAsTheAmcLeavesItsOwnMarkers) {
  LIMBER_NEEDS_REAL_DATA();
  const WalkWithAmc walk;
  const std::size_t num_frames = std::size_t(walk.amc.num_frames());
  struct Leg {
    const char* hip;
    const char* knee;
    const char* ankle;
    Segment shank;
    double reached_deg;
  };
  for (const Leg& leg :
       {Leg{"lfemur", "ltibia", "lfoot", kLeftLowerLeg, 9.0},
        Leg{"rfemur", "rtibia", "rfoot", kRightLowerLeg, 9.9}}) {
    const std::vector<double> theirs = walk.Channel(leg.knee);
    const std::vector<double> ours = Flexion(walk.solved, leg.shank);
    const double rms = RmsWithoutMeanDeg(ours, theirs);
    // The best shift in time.
    double shifted = rms;
    std::size_t best_shift = 0;
    for (std::size_t shift = 1; shift < 12; ++shift) {
      const double with_shift = RmsWithoutMeanDeg(
          {ours.begin(), ours.end() - std::ptrdiff_t(shift)},
          {theirs.begin() + std::ptrdiff_t(shift), theirs.end()});
      if (with_shift >= shifted) continue;
      shifted = with_shift;
      best_shift = shift;
    }
    // Their hip in our pelvis, which keeps to the waist markers.
    const std::vector<Vector3> hips = walk.Places(leg.hip);
    const std::vector<Vector3> knees = walk.Places(leg.knee);
    const std::vector<Vector3> ankles = walk.Places(leg.ankle);
    std::vector<Vector3> p_JH;
    Vector3 mean = Vector3::Zero();
    for (std::size_t t = 0; t < num_frames; ++t) {
      const BodyPose& pose = walk.solved.solution.poses[t];
      p_JH.push_back(pose.R_PJ[kPelvis].conjugate() * (hips[t] - pose.p_WR));
      mean += p_JH.back() / double(num_frames);
    }
    double wander = 0.0;
    std::vector<double> held;
    for (std::size_t t = 0; t < num_frames; ++t) {
      wander += (p_JH[t] - mean).squaredNorm() / double(num_frames);
      const BodyPose& pose = walk.solved.solution.poses[t];
      const Vector3 hip = pose.p_WR + pose.R_PJ[kPelvis] * mean;
      const double a = (knees[t] - hips[t]).norm();
      const double b = (ankles[t] - knees[t]).norm();
      const double L = (ankles[t] - hip).norm();
      held.push_back(std::acos(
          std::clamp((L * L - a * a - b * b) / (2 * a * b), -1.0, 1.0)));
    }
    const double own = RmsWithoutMeanDeg(held, theirs);
    std::printf(
        "%s: %.2f deg RMS (%.2f with a shift of %zu frames); the AMC's hip "
        "wanders by %.1f mm RMS against the waist, held there its own knee "
        "changes by %.2f deg RMS\n",
        leg.knee, rms, shifted, best_shift, 1000 * std::sqrt(wander), own);
    EXPECT_LE(rms, leg.reached_deg) << leg.knee;
    EXPECT_GT(shifted, 4.0) << leg.knee;
    EXPECT_GT(own, 4.0) << leg.knee;
    EXPECT_GT(std::sqrt(wander), 0.01) << leg.knee;
  }
}

/// Waist markers as a frame: origin their middle, x to the left, z forward.
Transform WaistFrame(const MarkerTake& take, std::int64_t t) {
  const auto at = [&](const char* label) {
    return take.Position(t, *take.FindMarker(std::string("liu:") + label));
  };
  const Vector3 left = at("LFWT") + at("LBWT");
  const Vector3 right = at("RFWT") + at("RBWT");
  const Vector3 front = at("LFWT") + at("RFWT");
  const Vector3 back = at("LBWT") + at("RBWT");
  Matrix3 R;
  R.col(0) = (left - right).normalized();
  R.col(1) = (front - back).cross(R.col(0)).normalized();
  R.col(2) = R.col(0).cross(R.col(1));
  return {Quaternion(R), 0.25 * (left + right)};
}

struct Range {
  double least = std::numeric_limits<double>::infinity();
  double most = 0.0;
  void Add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

// The knee without any solver: from the AMC's own hip, held still in the frame
// of the four waist markers, over the knee's to the ankle's marker, seen from
// the side. Our solve has these knees, the AMC has not: its knee is at the stop
// of its joint, stretched, in 48 and 32 of 316 frames, while the markers bend
// by 12 degrees, and it leaves the marker on the knee by 44 and 72 mm.
TEST(SolveAgainstAmc, KneesFollowTheMarkersWhereTheAmcDoesNot) {
  LIMBER_NEEDS_REAL_DATA();
  const WalkWithAmc walk;
  const MarkerTake& take = walk.solved.raw;
  struct Leg {
    const char* hip;
    const char* knee;
    std::string side;
    Segment shank;
  };
  for (const Leg& leg : {Leg{"lfemur", "ltibia", "L", kLeftLowerLeg},
                         Leg{"rfemur", "rtibia", "R", kRightLowerLeg}}) {
    const std::vector<Vector3> hips = walk.Places(leg.hip);
    const std::vector<Vector3> knees = walk.Places(leg.knee);
    const std::vector<double> theirs = walk.Channel(leg.knee);
    const std::vector<double> ours = Flexion(walk.solved, leg.shank);
    const int knee = *take.FindMarker("liu:" + leg.side + "KNE");
    const int ankle = *take.FindMarker("liu:" + leg.side + "ANK");
    const std::int64_t num_frames = walk.amc.num_frames();
    ASSERT_EQ(take.num_frames(), num_frames);
    Vector3 p_JH = Vector3::Zero();
    for (std::int64_t t = 0; t < num_frames; ++t) {
      p_JH += WaistFrame(take, t).Inverse() * hips[t] / double(num_frames);
    }
    std::vector<double> seen;
    int stretched = 0;
    BodyKinematics kinematics;
    Range our_distance;
    Range their_distance;
    for (std::int64_t t = 0; t < num_frames; ++t) {
      const Transform X_WJ = WaistFrame(take, t);
      const Quaternion R_JW = X_WJ.R.conjugate();
      const Vector3 thigh = R_JW * (take.Position(t, knee) - X_WJ * p_JH);
      const Vector3 shank =
          R_JW * (take.Position(t, ankle) - take.Position(t, knee));
      // Both seen from the left.
      seen.push_back(std::atan2(thigh.y() * shank.z() - thigh.z() * shank.y(),
                                thigh.y() * shank.y() + thigh.z() * shank.z()));
      stretched += std::abs(theirs[t]) < 1e-6 ? 1 : 0;
      kinematics.Update(walk.solved.actor.p_PJ, walk.solved.solution.poses[t]);
      our_distance.Add(
          (take.Position(t, knee) - kinematics.p_WJ[leg.shank]).norm());
      their_distance.Add((take.Position(t, knee) - knees[t]).norm());
    }
    const double our_rms = RmsWithoutMeanDeg(ours, seen);
    const double their_rms = RmsWithoutMeanDeg(theirs, seen);
    std::printf(
        "%s against the markers: ours %.2f, the AMC %.2f deg RMS; AMC "
        "stretched in %d frames; from the knee's marker ours %.0f to %.0f, the "
        "AMC %.0f to %.0f mm\n",
        leg.knee, our_rms, their_rms, stretched, 1000 * our_distance.least,
        1000 * our_distance.most, 1000 * their_distance.least,
        1000 * their_distance.most);
    EXPECT_LE(our_rms, 2.0) << leg.knee;
    EXPECT_GT(their_rms, 4.0) << leg.knee;
    EXPECT_GT(stretched, 30) << leg.knee;
    EXPECT_LT(our_distance.most - our_distance.least, 0.01) << leg.knee;
    EXPECT_GT(their_distance.most - their_distance.least, 0.04) << leg.knee;
  }
}

TEST(SolveArnold, FlexionAnglesAreWithinADegreeAndAHalfOfTheTruth) {
  LIMBER_NEEDS_REAL_DATA();
  const Solved solved =
      SolveFile("opensim/arnold-synthetic/subject01/markers.trc");
  std::ifstream in(
      RealData("opensim/arnold-synthetic/subject01/coordinates.sto"));
  std::string line;
  while (std::getline(in, line) && line.rfind("endheader", 0) != 0) {
  }
  std::getline(in, line);
  std::vector<std::string> names;
  std::istringstream header(line);
  for (std::string name; header >> name;) names.push_back(name);
  std::map<std::string, std::vector<double>> truth;
  while (std::getline(in, line)) {
    std::istringstream row(line);
    double value = 0.0;
    for (const std::string& name : names) {
      if (row >> value) truth[name].push_back(value);
    }
  }
  for (const auto& [name, segment] :
       {std::pair{"hip_flexion_r", kRightUpperLeg},
        {"hip_flexion_l", kLeftUpperLeg},
        {"knee_angle_r", kRightLowerLeg},
        {"knee_angle_l", kLeftLowerLeg},
        {"ankle_angle_r", kRightFoot},
        {"ankle_angle_l", kLeftFoot}}) {
    const double rms =
        RmsWithoutMeanDeg(Flexion(solved, segment), truth.at(name));
    std::printf("%s: %.2f deg RMS\n", name, rms);
    EXPECT_LE(rms, 1.5) << name;
  }
}

TEST(SolveHeldOut, TenPercentOfTheWalksMarkersAreWithinFifteenMillimetres) {
  LIMBER_NEEDS_REAL_DATA();
  const Solved solved = SolveFile("cmu/02/02_01.c3d");
  const HeldOut held_out = MeasureHeldOut(solved.take, solved.actor, 0.1);
  std::printf("held out: %.2f mm RMS\n", 1000 * held_out.all.rms);
  EXPECT_LE(1000 * held_out.all.rms, 15);
}

TEST(SolveGaps, HalfASecondOnTwoMarkersOfASegmentIsWithinTwentyMillimetres) {
  LIMBER_NEEDS_REAL_DATA();
  const Solved solved = SolveFile("cmu/02/02_01.c3d");
  for (const auto& [a, b] : {std::pair{"LTHI", "LKNE"},
                             {"RUPA", "RELB"},
                             {"LFHD", "RBHD"},
                             {"RSHN", "RANK"},
                             {"LFWT", "RFWT"},
                             {"LWRA", "LWRB"}}) {
    for (const std::int64_t begin : {40, 150, 260}) {
      PreparedTake gappy = solved.take;
      Observations hidden = gappy.observed;
      std::ranges::fill(hidden.points, Unseen());
      for (std::size_t m = 0; m < gappy.markers.size(); ++m) {
        if (gappy.markers[m].label != a && gappy.markers[m].label != b) {
          continue;
        }
        for (std::int64_t t = begin; t < begin + 60; ++t) {
          std::swap(hidden.frame(t)[m], gappy.observed.frame(t)[m]);
        }
      }
      const TakeSolution bridged = SolveTake(gappy, nullptr, solved.actor);
      const FitQuality quality =
          MeasureFit(solved.actor, bridged.poses, hidden);
      ASSERT_EQ(quality.all.count, 120);
      std::printf("%s %s at %lld: %.1f mm\n", a, b,
                  static_cast<long long>(begin), 1000 * quality.all.rms);
      EXPECT_LE(1000 * quality.all.rms, 20) << a << " " << b << " " << begin;
    }
  }
}

TEST(SolveStart, FromTheMiddleGivesTheSamePosesAfterASecond) {
  LIMBER_NEEDS_REAL_DATA();
  const Solved solved = SolveFile("cmu/02/02_01.c3d");
  PreparedTake later = solved.take;
  constexpr std::int64_t kStart = 150;
  later.observed.points.erase(
      later.observed.points.begin(),
      later.observed.points.begin() + kStart * later.observed.num_markers);
  const TakeSolution part = SolveTake(later, nullptr, solved.actor);
  double worst = 0.0;
  for (std::size_t t = 120; t < part.poses.size(); ++t) {
    for (int j = 0; j < kNumSegments; ++j) {
      worst = std::max(worst,
                       AngleBetween(part.poses[t].R_PJ[j],
                                    solved.solution.poses[t + kStart].R_PJ[j]));
    }
  }
  std::printf("largest difference %.4f deg\n", Degrees(worst));
  EXPECT_LE(Degrees(worst), 0.1);
}

TEST(SolveSwap, ThirtyFramesOfExchangedLabelsAreFoundAndRepaired) {
  LIMBER_NEEDS_REAL_DATA();
  const Solved clean = SolveFile("cmu/02/02_01.c3d");
  for (const auto& [a, b] :
       {std::pair{"LFHD", "RFHD"}, {"LWRA", "LWRB"}, {"LKNE", "RKNE"}}) {
    PreparedTake swapped = clean.take;
    int first = -1;
    int second = -1;
    for (std::size_t m = 0; m < swapped.markers.size(); ++m) {
      if (swapped.markers[m].label == a) first = static_cast<int>(m);
      if (swapped.markers[m].label == b) second = static_cast<int>(m);
    }
    for (std::int64_t t = 120; t < 150; ++t) {
      std::swap(swapped.observed.frame(t)[first],
                swapped.observed.frame(t)[second]);
    }
    // Calibrated from the spoilt take, too.
    const Actor actor = Calibrate(swapped, nullptr, "f").value().actor;
    const TakeSolution solution = SolveTake(swapped, nullptr, actor);
    std::int64_t repaired = 0;
    for (const Repair& repair : solution.repairs) {
      const bool is_one = repair.marker == first || repair.marker == second;
      if (is_one && repair.what == MarkerFate::kSwapped) {
        EXPECT_GE(repair.first_frame, 120);
        EXPECT_LE(repair.first_frame + repair.num_frames, 150);
        repaired += repair.num_frames;
      }
    }
    EXPECT_EQ(repaired, 60) << a << " " << b;
  }
}

TEST(SolveAllTakes, RunWithoutNonsenseOrAreRefusedWithAReason) {
  LIMBER_NEEDS_REAL_DATA();
  struct Job {
    const char* file;
    const char* standing;
  };
  for (const Job job :
       {Job{"c3d-zoo/kinematics_tennis_serve.c3d", ""},
        Job{"trc-zoo/ballet_reduced.trc", "trc-zoo/T.trc"},
        Job{"c3d-zoo/rehazenter_2014001_C1_01.c3d",
            "c3d-zoo/rehazenter_2014001_ST.c3d"},
        Job{"c3d-zoo/nick_freeform_001.c3d", ""},
        Job{"c3d-zoo/pig_Movement_trial.c3d", "c3d-zoo/pig_Static_trial.c3d"},
        Job{"opensim/gait2354/subject01_walk1.trc",
            "opensim/gait2354/subject01_static.trc"},
        Job{"c3d-zoo/mocap36.c3d", ""}, Job{"c3d-zoo/walking5.c3d", ""}}) {
    const Solved solved = SolveFile(job.file, job.standing);
    std::printf("%s: %.2f mm RMS\n", job.file, 1000 * solved.quality.all.rms);
    EXPECT_LE(1000 * solved.quality.all.rms, 10) << job.file;
    for (const BodyPose& pose : solved.solution.poses) {
      ASSERT_TRUE(pose.p_WR.allFinite()) << job.file;
      for (const Quaternion& R : pose.R_PJ) {
        ASSERT_TRUE(R.coeffs().allFinite()) << job.file;
      }
    }
    // The person stands upright most of the time.
    int upright = 0;
    for (const BodyPose& pose : solved.solution.poses) {
      upright += (pose.R_PJ[kPelvis] * Vector3::UnitY()).y() > 0.5;
    }
    EXPECT_GT(upright, 0.8 * double(solved.solution.poses.size())) << job.file;
  }
  const MarkerTake wheelchair =
      ReadTake("c3d-zoo/kinematics_basket_sprint.c3d");
  const Result<RecognisedSet> refused = RecogniseMarkerSet(
      BuiltInMarkerSets(), wheelchair, "sprint.c3d", std::nullopt);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.diagnostics().ToString().find("--marker-set"),
            std::string::npos);
}

TEST(SolveMotion, WrittenAsBvhHasNoFlips) {
  LIMBER_NEEDS_REAL_DATA();
  const Solved solved = SolveFile("cmu/85/85_02.c3d");
  const figure::Motion motion =
      ToMotion(solved.solution, solved.actor, solved.take.rate_hz);
  const std::string text = WriteBvh(motion).value();
  const figure::Motion read =
      ReadBvh(text, {.metres_per_unit = 1.0, .up = figure::UpAxis::kY}).value();
  double largest = 0.0;
  for (std::int64_t t = 1; t < read.num_frames(); ++t) {
    for (int c = 3; c < read.layout()->num_channels(); ++c) {
      if (read.layout()->channels()[c].kind != figure::ChannelKind::kRotation) {
        continue;
      }
      largest =
          std::max(largest, std::abs(read.row(t)[c] - read.row(t - 1)[c]));
    }
  }
  // Near gimbal lock two angles may turn fast together, but never by half a
  // turn in one frame.
  EXPECT_LT(largest, 0.75 * kPi);
}

}  // namespace
}  // namespace limber::test
