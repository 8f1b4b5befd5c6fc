// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/file.h"
#include "figure/pose.h"
#include "mocap/io/asf_amc.h"
#include "mocap/io/bvh.h"
#include "mocap/io/c3d.h"
#include "mocap/io/sto.h"
#include "tests/app/program_test.h"
#include "tests/support/test_data.h"

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

TEST_F(SolveTest, EndsWithItsVerdict) {
  const std::string take = WalkTake();
  const Outcome right = RunLimber({"solve", take, "-o", In("out.bvh")});
  EXPECT_EQ(right.code, 0) << right.err;
  EXPECT_TRUE(right.out.ends_with("\nlooks right\n")) << right.out;
  const Outcome printed =
      RunLimber({"solve", take, "-o", In("out.bvh"), "--json"});
  EXPECT_EQ(json::parse(printed.out).at("verdict"), "looks right");
  EXPECT_TRUE(json::parse(printed.out).at("doubts").empty());

  // The whole walk in one place: done and written, but not believed.
  mocap::MarkerTake frozen = mocap::ReadC3d(take).value();
  for (std::int64_t t = 1; t < frozen.num_frames(); ++t) {
    for (int m = 0; m < frozen.num_markers(); ++m) {
      frozen.SetPosition(t, m, frozen.Position(0, m));
    }
  }
  ASSERT_FALSE(mocap::WriteC3d(In("frozen.c3d"), frozen).has_errors());
  const Outcome wrong =
      RunLimber({"solve", In("frozen.c3d"), "-o", In("frozen.bvh"), "--report",
                 In("frozen.json")});
  EXPECT_EQ(wrong.code, 3) << wrong.out << wrong.err;
  EXPECT_THAT(wrong.out, HasSubstr("\nlooks wrong: "));
  EXPECT_TRUE(Exists("frozen.bvh"));
  const json report = json::parse(ReadWholeFile(In("frozen.json")).value());
  EXPECT_EQ(report.at("verdict"), "looks wrong");
  EXPECT_EQ(report.at("doubts")[0].at("kind"), "frozen");
}

/// The lines of a table of angles without time, place and turn of the pelvis,
/// to a thousandth of a degree.
std::string JointsOnly(const std::string& csv) {
  std::istringstream lines(csv);
  std::string text;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string field;
    for (int i = 0; std::getline(fields, field, ','); ++i) {
      constexpr int kPelvisColumns = 7;
      if (i < kPelvisColumns) continue;
      text += std::to_string(std::llround(1000 * std::stod(field))) + ",";
    }
    text += "\n";
  }
  return text;
}

TEST_F(SolveTest, TakeThatHangsIsTurnedWithAWarning) {
  const std::string take = WalkTake();
  ASSERT_EQ(RunLimber({"solve", take, "--csv", In("up.csv")}).code, 0);
  // The numbers of the walk in a file that says the opposite axis is up.
  mocap::MarkerTake hanging = mocap::ReadC3d(take).value();
  for (std::int64_t t = 0; t < hanging.num_frames(); ++t) {
    for (int m = 0; m < hanging.num_markers(); ++m) {
      const Vector3 p = hanging.Position(t, m);
      hanging.SetPosition(t, m, {p.x(), -p.y(), -p.z()});
    }
  }
  ASSERT_FALSE(mocap::WriteC3d(In("hanging.c3d"), hanging).has_errors());
  const Outcome turned =
      RunLimber({"solve", In("hanging.c3d"), "--csv", In("turned.csv")});
  EXPECT_EQ(turned.code, 0) << turned.out << turned.err;
  EXPECT_THAT(turned.err, HasSubstr("is up, but the points"));
  // The same joints; which way the pelvis faces is not asked.
  EXPECT_EQ(JointsOnly(ReadWholeFile(In("turned.csv")).value()),
            JointsOnly(ReadWholeFile(In("up.csv")).value()));
  // Who insists gets what he asks for, and the verdict.
  const Outcome kept = RunLimber(
      {"solve", In("hanging.c3d"), "--up", "z", "--csv", In("kept.csv")});
  EXPECT_EQ(kept.code, 3) << kept.out;
  EXPECT_THAT(kept.out, HasSubstr("the head is below the feet"));
}

TEST_F(SolveTest, OpenSimsCoordinatesAreWrittenAndRead) {
  const std::string take = WalkTake();
  const Outcome outcome = RunLimber({"solve", take, "-o", In("out.mot")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("bent knees are positive"));
  const mocap::StoTable table = mocap::ReadStoFile(In("out.mot")).value();
  EXPECT_EQ(table.num_rows(), 529);
  EXPECT_TRUE(table.in_degrees);
  double most = 0.0;
  for (std::int64_t t = 0; t < table.num_rows(); ++t) {
    most = std::max(most, table.At(t, table.Find("knee_angle_r").value()));
  }
  EXPECT_GT(most, 30);
  EXPECT_LT(most, 90);
  const Outcome info = RunLimber({"info", In("out.mot"), "--json"});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_EQ(json::parse(info.out).at("format"), "STO");
  EXPECT_EQ(json::parse(info.out).at("frames"), 529);

  // Counted from its own mean, what is left has none.
  const Outcome neutral =
      RunLimber({"solve", take, "-o", In("neutral.mot"), "--neutral", take,
                 "--report", In("neutral.json")});
  ASSERT_EQ(neutral.code, 0) << neutral.err;
  const mocap::StoTable from = mocap::ReadStoFile(In("neutral.mot")).value();
  double sum = 0.0;
  for (std::int64_t t = 0; t < from.num_rows(); ++t) {
    sum += from.At(t, from.Find("elbow_flex_l").value());
  }
  EXPECT_NEAR(sum / 529, 0.0, 0.5);
  EXPECT_THAT(json::parse(ReadWholeFile(In("neutral.json")).value())
                  .at("angles_from")
                  .get<std::string>(),
              HasSubstr(take));
}

// The published motion of OpenSim's example, from what its users have in hand.
TEST_F(SolveTest, AModelFollowsTheMarkersAsItsTasksWant) {
  const Outcome lonely =
      RunLimber({"solve", WalkTake(), "--tasks", "equal", "-o", In("out.mot")});
  EXPECT_EQ(lonely.code, 2);
  EXPECT_THAT(lonely.err, HasSubstr("--model"));
  EXPECT_FALSE(std::filesystem::exists(In("out.mot")));
  LIMBER_NEEDS_REAL_DATA();
  const auto file = [](const char* name) {
    return (RealData("opensim/gait2354") / name).string();
  };
  const Outcome outcome = RunLimber({"solve", file("subject01_walk1.trc"),
                                     "--model", file("subject01_simbody.osim"),
                                     "--tasks", file("subject01_Setup_IK.xml"),
                                     "-o", In("walk.mot"), "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NEAR(json::parse(outcome.out).at("model_weighted_rms_mm"), 11.7, 0.1);
  const mocap::StoTable ours = mocap::ReadStoFile(In("walk.mot")).value();
  const mocap::StoTable published =
      mocap::ReadStoFile(file("subject01_walk1_ik.mot")).value();
  EXPECT_EQ(ours.labels, published.labels);
  for (std::int64_t row = 0; row < published.num_rows(); ++row) {
    const auto same = std::int64_t(
        std::lround((published.times[std::size_t(row)] - ours.times[0]) * 60));
    for (int c = 0; c < int(published.labels.size()); ++c) {
      EXPECT_NEAR(ours.At(same, c), published.At(row, c), 0.15)
          << published.labels[std::size_t(c)] << " " << row;
    }
  }
}

TEST_F(SolveTest, SeveralPeopleAreSolvedEachAndTracksThatChangeHandsReturn) {
  const mocap::MarkerTake walk = mocap::ReadC3d(WalkTake()).value();
  const int count = walk.num_markers();
  std::vector<std::string> labels;
  for (const char* name : {"Anna:", "Ben:"}) {
    for (const std::string& label : walk.labels()) {
      labels.push_back(name + label);
    }
  }
  mocap::MarkerTake both(labels, walk.num_frames(), walk.rate_hz());
  both.origin = walk.origin;
  for (std::int64_t t = 0; t < walk.num_frames(); ++t) {
    for (int m = 0; m < count; ++m) {
      both.SetPosition(t, m, walk.Position(t, m));
      both.SetPosition(t, count + m, walk.Position(t, m) + Vector3(0.7, 0, 0));
    }
    // For a third of a second each has the other's knee.
    if (t < 100 || t >= 140) continue;
    const int knee = walk.FindMarker("LKNE").value();
    const Vector3 of_anna = both.Position(t, knee);
    both.SetPosition(t, knee, both.Position(t, count + knee));
    both.SetPosition(t, count + knee, of_anna);
  }
  ASSERT_FALSE(mocap::WriteC3d(In("both.c3d"), both).has_errors());
  const Outcome outcome =
      RunLimber({"solve", In("both.c3d"), "-o", In("out.mot"), "-o",
                 In("out.bvh"), "--report", In("report.json")});
  ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_TRUE(Exists("out_Anna.bvh"));
  EXPECT_TRUE(Exists("out_Ben.bvh"));
  EXPECT_FALSE(Exists("out.bvh"));
  const json report = json::parse(ReadWholeFile(In("report.json")).value());
  EXPECT_EQ(report.at("verdict"), "looks right");
  ASSERT_EQ(report.at("subjects").size(), 2);
  EXPECT_EQ(report.at("subjects")[1].at("subject"), "Ben");
  EXPECT_THAT(outcome.err, HasSubstr("in frames 100 to 139; changed back"));
  // Both have the same motion, exchanged knees or not.
  const mocap::StoTable anna = mocap::ReadStoFile(In("out_Anna.mot")).value();
  const mocap::StoTable ben = mocap::ReadStoFile(In("out_Ben.mot")).value();
  const int knee = anna.Find("knee_angle_l").value();
  for (std::int64_t t = 0; t < anna.num_rows(); ++t) {
    ASSERT_NEAR(anna.At(t, knee), ben.At(t, knee), 0.1) << t;
  }
  const Outcome one = RunLimber(
      {"solve", In("both.c3d"), "--subject", "Ben", "-o", In("one.bvh")});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_TRUE(Exists("one.bvh"));
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
