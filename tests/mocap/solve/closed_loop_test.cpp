// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The bundled clips made into markers and solved again, knowing only the
// labels.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "figure/joint_names.h"
#include "figure/make_figure.h"
#include "mocap/io/bvh.h"
#include "mocap/solve/solve_take.h"
#include "mocap/virtual_markers.h"
#include "tests/support/test_data.h"

namespace limber::test {
namespace {

using namespace mocap;
using figure::Role;

Matrix3 NearestRotation(const Matrix3& B) {
  const Eigen::JacobiSVD<Matrix3> svd(
      B, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3 U = svd.matrixU();
  if ((U * svd.matrixV().transpose()).determinant() < 0) U.col(2) = -U.col(2);
  return U * svd.matrixV().transpose();
}

/// RMS angle between b(t) and A a(t) B for the best constant A and B [deg]: two
/// bodies agree on a joint though their segments' axes are laid differently.
double RmsUpToAxes(const std::vector<Matrix3>& a,
                   const std::vector<Matrix3>& b) {
  Matrix3 A = Matrix3::Identity();
  Matrix3 B = Matrix3::Identity();
  for (int round = 0; round < 100; ++round) {
    Matrix3 for_A = Matrix3::Zero();
    for (std::size_t t = 0; t < a.size(); ++t) {
      for_A += b[t] * (a[t] * B).transpose();
    }
    A = NearestRotation(for_A);
    Matrix3 for_B = Matrix3::Zero();
    for (std::size_t t = 0; t < a.size(); ++t) {
      for_B += (A * a[t]).transpose() * b[t];
    }
    B = NearestRotation(for_B);
  }
  double sum = 0.0;
  for (std::size_t t = 0; t < a.size(); ++t) {
    const double angle =
        AngleBetween(Quaternion(Matrix3(A * a[t] * B)), Quaternion(b[t]));
    sum += angle * angle;
  }
  return std::sqrt(sum / double(a.size())) * 180 / kPi;
}

struct JointPair {
  const char* name;
  Role above;
  Role below;
  Segment segment_above;
  Segment segment_below;
};
constexpr JointPair kJoints[] = {
    {"left hip", Role::kPelvis, Role::kLeftUpperLeg, kPelvis, kLeftUpperLeg},
    {"right hip", Role::kPelvis, Role::kRightUpperLeg, kPelvis, kRightUpperLeg},
    {"left knee", Role::kLeftUpperLeg, Role::kLeftLowerLeg, kLeftUpperLeg,
     kLeftLowerLeg},
    {"right knee", Role::kRightUpperLeg, Role::kRightLowerLeg, kRightUpperLeg,
     kRightLowerLeg},
    {"left ankle", Role::kLeftLowerLeg, Role::kLeftFoot, kLeftLowerLeg,
     kLeftFoot},
    {"right ankle", Role::kRightLowerLeg, Role::kRightFoot, kRightLowerLeg,
     kRightFoot},
    {"trunk", Role::kPelvis, Role::kChest, kPelvis, kChest},
    {"left shoulder", Role::kChest, Role::kLeftUpperArm, kChest, kLeftUpperArm},
    {"right shoulder", Role::kChest, Role::kRightUpperArm, kChest,
     kRightUpperArm},
    {"left elbow", Role::kLeftUpperArm, Role::kLeftForearm, kLeftUpperArm,
     kLeftForearm},
    {"right elbow", Role::kRightUpperArm, Role::kRightForearm, kRightUpperArm,
     kRightForearm},
};

struct VirtualTake {
  figure::Motion motion;
  figure::FigureModel figure;
  MarkerTake take;
  PreparedTake prepared;
};

VirtualTake MakeTake(const std::string& clip, const TakeFaults& faults) {
  const figure::Motion motion =
      ReadBvhFile(SourceDir() / "data/clips" / (clip + ".bvh"),
                  {.metres_per_unit = 0.01, .up = figure::UpAxis::kY})
          .value();
  const figure::FigureModel figure =
      figure::MakeFigure(motion.shared_skeleton()).value();
  MarkerTake take = MakeVirtualTake(motion, MarkerSitesOf(figure, "cmu41"));
  AddFaults(faults, take);
  const Result<RecognisedSet> set =
      RecogniseMarkerSet(BuiltInMarkerSets(), take, clip, std::nullopt);
  PreparedTake prepared =
      PrepareTake(take, *set->set, set->match, clip).value();
  return {motion, figure, std::move(take), std::move(prepared)};
}

/// RMS over all joints of `kJoints` [deg], the actor calibrated from the take
/// of `calibrated_on`.
double SolveAgain(const std::string& clip, const TakeFaults& faults,
                  const std::string& calibrated_on) {
  const VirtualTake made = MakeTake(clip, faults);
  const figure::Motion& motion = made.motion;
  const figure::FigureModel& figure = made.figure;
  const Actor actor = Calibrate(calibrated_on == clip
                                    ? made.prepared
                                    : MakeTake(calibrated_on, faults).prepared,
                                nullptr, clip)
                          .value()
                          .actor;
  const TakeSolution solution = SolveTake(made.prepared, &made.take, actor);
  const FitQuality quality = MeasureFit(actor, solution.poses, solution.used);

  double sum = 0.0;
  int count = 0;
  std::string text;
  for (const JointPair& pair : kJoints) {
    const int above = figure::FindRole(figure.roles, pair.above);
    const int below = figure::FindRole(figure.roles, pair.below);
    if (above < 0 || below < 0) continue;
    std::vector<Matrix3> truth;
    std::vector<Matrix3> found;
    BodyKinematics kinematics;
    for (std::int64_t t = 0; t < motion.num_frames(); ++t) {
      const std::vector<Transform> X_WJ =
          figure::WorldTransforms(motion.skeleton(), motion.pose(t));
      truth.push_back(
          (X_WJ[above].R.conjugate() * X_WJ[below].R).toRotationMatrix());
      kinematics.Update(actor.p_PJ, solution.poses[std::size_t(t)]);
      found.push_back(kinematics.R_WJ[pair.segment_above].transpose() *
                      kinematics.R_WJ[pair.segment_below]);
    }
    const double rms = RmsUpToAxes(truth, found);
    text +=
        std::string(" ") + pair.name + " " + std::to_string(rms).substr(0, 5);
    sum += rms * rms;
    ++count;
  }
  const double all = std::sqrt(sum / count);
  std::printf("%s: %.2f mm; %.3f deg:%s\n", clip.c_str(),
              1000 * quality.all.rms, all, text.c_str());
  return all;
}

class ClosedLoop : public testing::TestWithParam<const char*> {};

TEST_P(ClosedLoop, WithoutNoiseIsWithinHalfADegree) {
  EXPECT_LE(SolveAgain(GetParam(), {}, GetParam()), 0.5);
}

TEST_P(ClosedLoop, WithNoiseAndGapsIsWithinTwoDegrees) {
  TakeFaults faults;
  faults.noise = 0.001;
  faults.gap_share = 0.2;
  faults.gap_seconds = 0.5;
  EXPECT_LE(SolveAgain(GetParam(), faults, GetParam()), 2.0);
}

INSTANTIATE_TEST_SUITE_P(Clips, ClosedLoop,
                         testing::Values("walk", "run", "squat", "jump", "wave",
                                         "bow", "sit", "turn", "march"));

// An actor calibrated from another take serves as well.
TEST(ClosedLoopTurn, WithTheActorOfTheWalkIsWithinHalfADegree) {
  EXPECT_LE(SolveAgain("turn", {}, "walk"), 0.5);
}

}  // namespace
}  // namespace limber::test
