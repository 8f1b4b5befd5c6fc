// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/file.h"
#include "figure/pose.h"
#include "mocap/io/asf_amc.h"
#include "mocap/io/bvh.h"
#include "tests/app/program_test.h"

namespace limber::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class SolveTest : public ProgramTest {
 protected:
  /// The bundled walk as markers.
  std::string WalkTake() {
    const std::string take = In("walk.c3d");
    const Outcome outcome =
        RunLimber({"markers", (SourceDir() / "data/clips/walk.bvh").string(),
                   "-o", take});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return take;
  }
};

TEST_F(SolveTest, TakeBecomesMotionAnglesActorAndReport) {
  const std::string take = WalkTake();
  const Outcome outcome =
      RunLimber({"solve", take, "-o", In("out.bvh"), "--csv", In("angles.csv"),
                 "--figure-out", In("actor.json"), "--report",
                 In("report.json"), "--method", "both", "--hold-out", "20%"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("marker RMS"));
  const json report = json::parse(ReadWholeFile(In("report.json")).value());
  EXPECT_LT(report.at("marker_rms_mm"), 2.0);
  EXPECT_LT(report.at("physical_marker_rms_mm"), 8.0);
  EXPECT_LT(report.at("held_out_rms_mm"), 15.0);
  EXPECT_EQ(report.at("frames"), 529);
  EXPECT_EQ(report.at("marker_set"), "cmu-41");
  EXPECT_TRUE(report.contains("worst_marker"));
  EXPECT_TRUE(report.contains("marker_frame_max_mean_mm"));
  EXPECT_TRUE(report.contains("warnings"));
  const Result<figure::Motion> motion = mocap::ReadBvhFile(
      In("out.bvh"), {.metres_per_unit = 0.01, .up = figure::UpAxis::kY});
  ASSERT_TRUE(motion.ok());
  EXPECT_EQ(motion->num_frames(), 529);
  EXPECT_THAT(ReadWholeFile(In("angles.csv")).value(),
              HasSubstr("LeftLeg flexion [deg]"));

  // The actor serves another solve, without calibration.
  const Outcome again = RunLimber({"solve", take, "-o", In("again.bvh"),
                                   "--actor", In("actor.json"), "--json"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_LT(json::parse(again.out).at("marker_rms_mm"), 2.0);
  EXPECT_FALSE(json::parse(again.out).contains("calibration_s"));
}

TEST_F(SolveTest, AmcIsWrittenWithItsSkeleton) {
  const std::string take = WalkTake();
  const Outcome outcome =
      RunLimber({"solve", take, "-o", In("out.amc"), "-o", In("out.bvh")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("its skeleton " + In("out.asf")));
  const mocap::AsfSkeleton asf = mocap::ReadAsfFile(In("out.asf")).value();
  const figure::Motion amc =
      mocap::ReadAmcFile(In("out.amc"), asf, {.rate_hz = 120}).value();
  const figure::Motion bvh =
      mocap::ReadBvhFile(In("out.bvh"),
                         {.metres_per_unit = 0.01, .up = figure::UpAxis::kY})
          .value();
  ASSERT_EQ(amc.num_frames(), bvh.num_frames());
  for (std::int64_t t = 0; t < amc.num_frames(); t += 40) {
    const auto X_amc = figure::WorldTransforms(amc.skeleton(), amc.pose(t));
    const auto X_bvh = figure::WorldTransforms(bvh.skeleton(), bvh.pose(t));
    for (int j = 1; j < bvh.skeleton().num_joints(); ++j) {
      const int at = amc.skeleton().Find(bvh.skeleton().joint(j).name);
      ASSERT_GE(at, 0);
      EXPECT_LT((X_amc[at].p - X_bvh[j].p).norm(), 1e-6);
      EXPECT_LT(AngleBetween(X_amc[at].R, X_bvh[j].R), 1e-6);
    }
  }
}

TEST_F(SolveTest, PageIsWritten) {
  const Outcome outcome =
      RunLimber({"solve", WalkTake(), "--report", In("report.html")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(ReadWholeFile(In("report.html")).value(),
              HasSubstr("Knee flexion"));
}

TEST_F(SolveTest, PhysicalMethodStandsOnTheFloor) {
  const Outcome outcome =
      RunLimber({"solve", WalkTake(), "-o", In("out.bvh"), "--method",
                 "physical", "--gravity", "--floor-contact", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_LT(report.at("marker_rms_mm"), 8.0);
  EXPECT_LT(report.at("floor_penetration_mm"), 2.0);
  EXPECT_GT(report.at("floor_penetration_free_mm"),
            report.at("floor_penetration_mm"));
}

TEST_F(SolveTest, InterruptedLeavesTheOldFilesOrWholeOnes) {
  const std::string take = WalkTake();
  ASSERT_EQ(RunLimber({"solve", take, "-o", In("whole.bvh")}).code, 0);
  const std::string whole = ReadWholeFile(In("whole.bvh")).value();
  int num_interrupted = 0;
  for (int run = 0; run < 12; ++run) {
    const std::string before = run % 2 == 0 ? "before" : whole;
    Make("out.bvh", before);
    const Outcome outcome = InterruptLimber(
        0.01 + 0.04 * run, {"solve", take, "-o", In("out.bvh")});
    if (outcome.code != 0) {
      EXPECT_EQ(outcome.code, 1000 + SIGINT);
      ++num_interrupted;
    }
    const std::string found = ReadWholeFile(In("out.bvh")).value();
    EXPECT_TRUE(found == before || found == whole) << run;
    // The take, the two results, and nothing else.
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}),
              3)
        << run;
  }
  EXPECT_GT(num_interrupted, 0);
}

TEST_F(SolveTest, BadCallsAreRefusedBeforeTheWork) {
  const std::string take = In("none.c3d");
  EXPECT_EQ(
      RunLimber({"solve", take, "-o", In("out.bvh"), "--floor-contact"}).code,
      2);
  EXPECT_EQ(
      RunLimber({"solve", take, "-o", In("out.bvh"), "--floor", "low"}).code,
      2);
  EXPECT_EQ(RunLimber({"solve", take}).code, 2);
  EXPECT_EQ(RunLimber({"solve", take, "-o", In("out.fbx")}).code, 2);
  EXPECT_EQ(
      RunLimber({"solve", take, "-o", In("out.bvh"), "--hold-out", "all"}).code,
      2);
  EXPECT_EQ(RunLimber({"solve", take, "-o", In("out.bvh")}).code, 1);
  EXPECT_FALSE(Exists("out.bvh"));
}

TEST_F(SolveTest, SkeletonInsteadOfMarkersSaysSo) {
  const Outcome outcome =
      RunLimber({"solve", (SourceDir() / "data/clips/walk.bvh").string(), "-o",
                 In("out.bvh")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("expected markers"));
}

TEST_F(SolveTest, MarkerSetsAreListedShownAndProposed) {
  const Outcome list = RunLimber({"marker-set"});
  EXPECT_THAT(list.out, HasSubstr("plug-in-gait-39"));
  const Outcome shown = RunLimber({"marker-set", "--show", "cmu-41"});
  EXPECT_THAT(shown.out, HasSubstr("\"left-upper-leg\""));
  EXPECT_EQ(RunLimber({"marker-set", "--show", "nonsense"}).code, 2);
  // Proposed from a standing pose, it solves the take it came from.
  const std::string bow = In("bow.c3d");
  ASSERT_EQ(RunLimber({"markers", (SourceDir() / "data/clips/bow.bvh").string(),
                       "-o", bow})
                .code,
            0);
  const Outcome proposed =
      RunLimber({"marker-set", "--from", bow, "-o", In("set.json")});
  ASSERT_EQ(proposed.code, 0) << proposed.err;
  const Outcome solved =
      RunLimber({"solve", WalkTake(), "--marker-set", In("set.json"), "-o",
                 In("out.bvh"), "--json"});
  ASSERT_EQ(solved.code, 0) << solved.err;
  EXPECT_LT(json::parse(solved.out).at("marker_rms_mm"), 10.0);
}

}  // namespace
}  // namespace limber::test
