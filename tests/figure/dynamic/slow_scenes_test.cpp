// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0

// Long plays: rag dolls on the floor, every recorded clip, every BVH of the
// zoo.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "figure/dynamic/scene/simulate.h"
#include "figure/make_figure.h"
#include "mocap/io/bvh.h"
#include "tests/scenes/figure_scenes.h"
#include "tests/support/test_data.h"

namespace limber::figure {
namespace {

using scenes::BodyFor;
using scenes::LoadClip;
using scenes::Play;
using scenes::PlayedClip;

constexpr double kDegree = kPi / 180.0;

Motion Bundled(const char* name) {
  return LoadClip(test::SourceDir() / "data/clips" / name);
}

Performer& AddRagDoll(Stage& stage,
                      const std::shared_ptr<const FigureModel>& model,
                      const Strength& strength, double height) {
  Pose pose = RestPose(*model->skeleton);
  pose.X_PJ[0].R = ExpRotation({0.4, 0.2, 0.1});
  pose.X_PJ[0].p += Vector3(0.0, height, 0.0);
  Performer& performer = stage.AddFigure(
      "doll", model, std::make_shared<RagDollController>(pose, strength));
  performer.set_raw(0, std::make_shared<NoControl>());
  ColliderOptions colliders;
  colliders.self_contact = false;
  AddColliders(stage.world(), performer.figure(), colliders);
  return performer;
}

// V-37: brake and attraction. No limit beyond 1 degree, and under the brake no
// jitter above 1 mm/s after five seconds; a doll that is drawn to a pose it
// cannot reach on the floor goes on creeping towards it.
TEST(RagDoll, V37SettlesOnTheFloorWithoutJitter) {
  const auto model = BodyFor(Bundled("walk.bvh"));
  for (const Strength& strength :
       {Strength::Limp(), Strength{0.1, 0.3, 0.03, 0.0}}) {
    Stage stage;
    scenes::AddFloor(stage.world(), 0.0);
    Performer& performer = AddRagDoll(stage, model, strength, 0.3);
    stage.Run(5.0);
    double fastest = 0.0;
    double violation = 0.0;
    for (int i = 0; i < 240; ++i) {
      stage.Step();
      fastest = std::max(
          fastest, scenes::LargestSpeed(stage.world(), performer.figure()));
      violation =
          std::max(violation, stage.recorder().steps().back().limit_violation);
    }
    std::printf(
        "rag doll: fastest in the sixth second %.5f m/s, limits passed by %.3f "
        "deg then and %.3f deg ever, gap %.1e m, overlap %.4f m\n",
        fastest, violation / kDegree,
        stage.recorder().Summary().max_limit_violation / kDegree,
        stage.recorder().Summary().max_dislocation,
        DeepestOverlap(stage.world()));
    EXPECT_LT(fastest, strength.torque > 0.0 ? 0.05 : 1e-3);
    EXPECT_LT(violation, 1.0 * kDegree);
    EXPECT_LT(stage.recorder().Summary().max_dislocation, 1e-3);
  }
}

// Every recorded clip for its full length.
TEST(SlowScene, EveryRecordedClipPlaysToItsEnd) {
  LIMBER_NEEDS_REAL_DATA();
  int played_clips = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(test::RealData("cmu"))) {
    if (entry.path().extension() != ".bvh") continue;
    const Motion clip = LoadClip(entry.path());
    PlayedClip played = Play(clip, BodyFor(clip));
    played.stage->Run(played.duration());
    const PerformanceSummary summary = played.recorder().Summary();
    std::printf("%s: %.1f s, rms %.2f deg, saturated %.2f %%, gap %.1e m\n",
                entry.path().filename().c_str(), played.duration(),
                summary.joint_rms / kDegree, 100.0 * summary.saturation,
                summary.max_dislocation);
    EXPECT_TRUE(played.performer->figure().IsFinite(played.stage->world()));
    EXPECT_LT(summary.max_dislocation, 1e-3) << entry.path();
    ++played_clips;
  }
  EXPECT_GE(played_clips, 7);
}

// A BVH of any kind becomes a figure that can be played, or is refused in
// words.
TEST(SlowScene, EveryBvhOfTheZooPlaysOrIsRefusedWithAReason) {
  LIMBER_NEEDS_REAL_DATA();
  int played_clips = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           test::RealData("bvh-zoo"))) {
    if (entry.path().extension() != ".bvh") continue;
    const std::string name = entry.path().filename().string();
    const Result<Motion> read =
        mocap::ReadBvhFile(entry.path(), {0.01, UpAxis::kY});
    if (!read.ok() || read.value().num_frames() == 0) {
      std::printf("%s: not readable, or without frames\n", name.c_str());
      continue;
    }
    const Motion clip = WithoutLeadIn(read.value());
    FigureOptions options;
    options.clip = &clip;
    Result<FigureModel> made = MakeFigure(clip.shared_skeleton(), options);
    if (!made.ok()) {
      EXPECT_NE(made.diagnostics().ToString().find("error"), std::string::npos);
      std::printf("%s: refused, %s\n", name.c_str(),
                  made.diagnostics().ToString().c_str());
      continue;
    }
    PlayedClip played =
        Play(clip, std::make_shared<FigureModel>(std::move(made).value()));
    const double seconds = std::min(10.0, std::max(0.5, played.duration()));
    played.stage->Run(seconds);
    const PerformanceSummary summary = played.recorder().Summary();
    std::printf("%s: %d segments, %.1f s, rms %.2f deg, gap %.1e m\n",
                name.c_str(), played.model->num_segments(), seconds,
                summary.joint_rms / kDegree, summary.max_dislocation);
    EXPECT_TRUE(played.performer->figure().IsFinite(played.stage->world()))
        << name;
    EXPECT_LT(summary.max_dislocation, 1e-3) << name;
    ++played_clips;
  }
  EXPECT_GE(played_clips, 5);
}

}  // namespace
}  // namespace limber::figure
