// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Each job in one call: what goes in comes out as promised.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "jobs/bad_call.h"
#include "jobs/combine.h"
#include "jobs/data_path.h"
#include "jobs/edit.h"
#include "jobs/markers.h"
#include "jobs/measure.h"
#include "jobs/retarget.h"
#include "jobs/save.h"
#include "jobs/simulate.h"
#include "jobs/solve_save.h"
#include "tests/support/test_data.h"

namespace limber::jobs {
namespace {

using testing::HasSubstr;

figure::Motion BundledClip(const std::string& name) {
  return LoadClip(test::BundledData("clips/" + name + ".bvh")).value();
}

/// A folder that is gone at the end.
class JobsTest : public testing::Test {
 protected:
  JobsTest() {
    std::string name = testing::TempDir() + "limber_jobs_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~JobsTest() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path Path(const std::string& name) const {
    return folder_ / name;
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(JobsTest, MarkersOfAClipAreSolvedBackToIt) {
  const figure::Motion clip = BundledClip("walk");
  const VirtualMarkers made = Markers(clip).value();
  const SolvedTake solved = Solve(made.take).value();
  EXPECT_TRUE(solved.verdict.looks_right()) << solved.verdict.ToString();
  EXPECT_LT(solved.fit.all.rms, 0.005);
  EXPECT_EQ(MotionOf(solved).num_frames(), clip.num_frames());
}

TEST_F(JobsTest, AClipOnItsOwnBodyIsItself) {
  const figure::Motion clip = BundledClip("march");
  const RetargetedClip same =
      Retarget(clip, ScaledTarget("legs=1,arms=1")).value();
  EXPECT_TRUE(same.verdict.looks_right());
  const figure::JointError error = figure::CompareJoints(same.motion, clip);
  EXPECT_LT(error.worst, 1e-6);
}

TEST_F(JobsTest, AnEditWithoutEventsIsTheClip) {
  const figure::Motion clip = BundledClip("march");
  const EditedClip same = Edit(clip, {}).value();
  EXPECT_LT(figure::CompareJoints(same.result.motion, clip).worst, 1e-12);
}

TEST_F(JobsTest, APushByItsNameIsTheEventOfItsSegment) {
  const figure::Motion clip = BundledClip("march");
  const auto model = FigureForClip(clip).value();
  const std::vector<figure::EditEvent> events =
      Resolve(Push{.segment = "chest", .at = 0.3, .impulse = {10, 0, 0}},
              {model.get(), &clip});
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].segment, model->SegmentOf(figure::Role::kChest));
  EXPECT_EQ(events[0].vector, Vector3(10, 0, 0));
  EXPECT_THROW(Resolve(Push{.segment = "tail"}, {model.get(), &clip}), BadCall);
  EXPECT_THROW(Resolve(RagDoll{1.0, 0.5}, {model.get(), &clip}), BadCall);
}

TEST_F(JobsTest, AClipMeasuredAgainstItselfHasNoError) {
  const figure::Motion clip = BundledClip("walk");
  MeasureOptions options;
  options.against = &clip;
  const MeasuredClip measured = Measure(clip, options).value();
  ASSERT_TRUE(measured.metrics.reference && measured.metrics.reference->joints);
  EXPECT_LT(measured.metrics.reference->joints->worst, 1e-12);
  EXPECT_NEAR(*measured.metrics.reference->jerk_ratio, 1.0, 1e-12);
}

TEST_F(JobsTest, ClipsThatAreCombinedGoOnForBoth) {
  const std::vector<figure::Motion> clips = {BundledClip("walk"),
                                             BundledClip("run")};
  const CombinedClips both = Combine(clips).value();
  EXPECT_GT(both.motion.num_frames(), clips[0].num_frames());
  EXPECT_EQ(both.joins.size(), 1U);
  EXPECT_THROW(Combine(std::span(clips).first(1)), BadCall);
}

TEST_F(JobsTest, AJobStopsWhereItsCallbackSaysSo) {
  const figure::Motion clip = BundledClip("march");
  int calls = 0;
  EditOptions options;
  options.progress = [&calls](double) { return ++calls < 3; };
  const Result<EditedClip> stopped = Edit(clip, {}, options);
  EXPECT_FALSE(stopped.ok());
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(stopped.diagnostics().all().front().kind, "stopped");
  SolveOptions solving;
  solving.progress = [](double) { return false; };
  const Result<SolvedTake> unsolved =
      Solve(LoadTake(test::BundledData("takes/march.c3d")).value(), solving);
  EXPECT_EQ(unsolved.diagnostics().all().front().kind, "stopped");
}

TEST_F(JobsTest, EveryEndingIsWrittenAndOthersAreRefused) {
  const figure::Motion clip = BundledClip("walk");
  for (const char* name : {"a.bvh", "a.glb", "a.npz", "a.usda", "a.amc"}) {
    EXPECT_FALSE(Save(clip, Path(name)).has_errors()) << name;
    EXPECT_TRUE(std::filesystem::exists(Path(name))) << name;
  }
  const mocap::MarkerTake take = Markers(clip)->take;
  for (const char* name : {"a.c3d", "a.trc"}) {
    EXPECT_FALSE(Save(take, Path(name)).has_errors()) << name;
    EXPECT_EQ(LoadTake(Path(name))->num_frames(), take.num_frames()) << name;
  }
  EXPECT_THROW(Save(clip, Path("a.c3d")), BadCall);
  EXPECT_THROW(Save(take, Path("a.bvh")), BadCall);
}

TEST_F(JobsTest, WhatComesWithLimberIsFoundByItsName) {
  EXPECT_TRUE(std::filesystem::exists(FigurePath("fat_man")));
  EXPECT_TRUE(std::filesystem::exists(DataPath(kScenes, "umbrella")));
  EXPECT_THAT(DataNames(kMarkerSets), testing::Contains("cmu-41"));
  EXPECT_EQ(FigurePath("nobody"), "nobody");
  SimulateOptions options;
  options.duration = 0.1;
  const SimulatedScene played = Simulate("coupled_pendula", options).value();
  EXPECT_NEAR(played.outcome.seconds, 0.1, 1e-9);
}

TEST_F(JobsTest, AMissingFileIsAFindingAndNoException) {
  const Result<LoadedFile> none = Load("none.bvh");
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.diagnostics().ToString(), HasSubstr("none.bvh"));
  EXPECT_FALSE(LoadTarget("nobody").ok());
}

}  // namespace
}  // namespace limber::jobs
