// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0

// Long scenes: rag dolls on floors and stairs, a pool of boxes, markers, every
// recorded clip, every BVH of the zoo.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>

#include "figure/make_figure.h"
#include "mocap/io/bvh.h"
#include "tests/scenes/figure_scenes.h"
#include "tests/support/test_data.h"

namespace limber::figure {
namespace {

using dynamics::BodyId;
using dynamics::World;
using scenes::BodyFor;
using scenes::LoadClip;
using scenes::Play;
using scenes::PlayedClip;
using scenes::PlayOptions;

constexpr double kDegree = kPi / 180.0;

std::size_t Index(int i) { return static_cast<std::size_t>(i); }

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
        scenes::DeepestOverlap(stage.world()));
    EXPECT_LT(fastest, strength.torque > 0.0 ? 0.05 : 1e-3);
    EXPECT_LT(violation, 1.0 * kDegree);
    EXPECT_LT(stage.recorder().Summary().max_dislocation, 1e-3);
  }
}

TEST(SlowScene, V53WalksThroughAPoolOfBoxes) {
  const Motion clip = Bundled("walk.bvh");
  PlayOptions options;
  options.ground = true;
  options.rate_hz = 480.0;
  options.seconds = 20.0;
  PlayedClip played = Play(clip, BodyFor(clip), options);
  World& world = played.stage->world();
  std::mt19937 random(5);
  std::uniform_real_distribution<double> side(-0.6, 0.6);
  std::uniform_real_distribution<double> size(0.1, 0.25);
  Pose pose;
  for (int i = 0; i < 24; ++i) {
    played.task->track().Sample(1.0 + 0.75 * i, pose);
    const Vector3 extent(size(random), size(random), size(random));
    const Vector3 p(pose.X_PJ[0].p.x() + side(random),
                    played.floor + 0.5 * extent.y() + 0.001,
                    pose.X_PJ[0].p.z() + side(random));
    scenes::AddBox(world, p, extent,
                   200.0 * extent.x() * extent.y() * extent.z());
  }
  double deepest = 0.0;
  for (int i = 0; i < 20 * 480; ++i) {
    played.stage->Step();
    deepest = std::max(deepest, scenes::DeepestOverlap(world));
  }
  std::printf(
      "obstacles: overlap %.4f m, rms %.2f deg, root help %.3f, gap "
      "%.1e m\n",
      deepest, played.recorder().Summary().joint_rms / kDegree,
      played.recorder().Summary().root_help_mean,
      played.recorder().Summary().max_dislocation);
  EXPECT_TRUE(played.performer->figure().IsFinite(world));
  EXPECT_LT(deepest, 5e-3);
}

// V-36 and V-59: markers on the segments, some hidden now and then, lead a limp
// figure; V-36: missing ones are left alone.
TEST(SlowScene, V59MarkersLeadTheFigureWhileSomeAreHidden) {
  const Motion clip = Bundled("walk.bvh");
  const auto model = BodyFor(clip);
  ASSERT_GE(model->markers.size(), 30u);
  MotionTrack track;
  track.Append(std::make_shared<SmoothMotion>(clip));
  Stage stage;
  const auto task = std::make_shared<AnimationController>(
      track, StrengthSchedule(model->num_segments(), Strength::Limp()));
  Performer& performer = stage.AddFigure("figure", model, task);
  performer.set_raw(0, std::make_shared<NoControl>());

  std::vector<MarkerPull::Marker> markers;
  for (const FigureSite& site : model->markers) {
    const int s = model->segment_of_joint[Index(site.joint)];
    markers.push_back({performer.figure().body(s),
                       PlaceInSegment(*model, site.joint) + site.offset});
  }
  const auto position = [&](int index, double time) {
    Pose pose;
    track.Sample(time, pose);
    const FigureSite& site = model->markers[Index(index)];
    const std::vector<Transform> X_WJ = WorldTransforms(*model->skeleton, pose);
    return Vector3(X_WJ[Index(site.joint)] * site.offset);
  };
  // Every fourth marker is hidden for 0.3 s out of each second.
  const auto seen = [](int index, double time) {
    return index % 4 != 0 || std::fmod(time + 0.1 * index, 1.0) > 0.3;
  };
  MarkerPull& pull = stage.AddGoal(std::make_unique<MarkerPull>(
      stage, markers,
      [&](int index, double time) -> std::optional<Vector3> {
        if (!seen(index, time)) return std::nullopt;
        return position(index, time);
      },
      2e4));
  double squares = 0.0, count = 0.0, hidden_squares = 0.0, hidden = 0.0;
  for (int i = 0; i < static_cast<int>(track.duration() * 240.0) - 2; ++i) {
    stage.Step();
    for (int m = 0; m < pull.num_markers(); ++m) {
      const MarkerPull::Marker& marker = markers[Index(m)];
      const double error =
          (stage.world().motion(marker.body).Point(marker.p_BA) -
           position(m, stage.time()))
              .squaredNorm();
      if (seen(m, stage.time())) {
        squares += error;
        count += 1.0;
      } else {
        hidden_squares += error;
        hidden += 1.0;
      }
    }
  }
  const double rms = std::sqrt(squares / count);
  const double hidden_rms = std::sqrt(hidden_squares / hidden);
  std::printf("by markers: rms %.2f mm seen, %.2f mm hidden\n", 1e3 * rms,
              1e3 * hidden_rms);
  EXPECT_LT(rms, 0.008);
  EXPECT_LT(hidden_rms, 0.03);
  EXPECT_LT(stage.recorder().Summary().max_dislocation, 1e-3);
}

TEST(SlowScene, V61RagDollFallsDownTheStairsAndRests) {
  const auto model = BodyFor(Bundled("walk.bvh"));
  StageSettings settings;
  settings.rate_hz = 960.0;
  Stage stage(settings);
  World& world = stage.world();
  scenes::AddFloor(world, 0.0);
  constexpr int kSteps = 8;
  constexpr double kRise = 0.17;
  constexpr double kTread = 0.28;
  for (int i = 0; i < kSteps; ++i) {
    // Slabs on top of one another, so that no faces lie inside the stairs.
    const double top = kRise * (kSteps - i);
    const double depth = 2.0 + kTread * (i + 1);
    scenes::AddFixedBox(world, {0.0, 0.5 * top, 0.5 * depth - 2.0},
                        {6.0, top, depth});
  }
  Performer& performer =
      AddRagDoll(stage, model, Strength::Limp(), kRise * kSteps + 0.05);
  // Over the edge.
  for (int s = 0; s < model->num_segments(); ++s) {
    world.ApplyImpulse(performer.figure().body(s),
                       model->segments[Index(s)].p_JC,
                       Vector3(0.0, 0.0, 1.5 * model->segments[Index(s)].mass));
  }
  double deepest = 0.0;
  for (int i = 0; i < 960 * 8; ++i) {
    stage.Step();
    deepest = std::max(deepest, scenes::DeepestOverlap(world));
  }
  const double speed = scenes::LargestSpeed(world, performer.figure());
  std::printf(
      "staircase: overlap %.4f m, speed after 8 s %.4f m/s, hips at "
      "%.2f m, gap %.1e m\n",
      deepest, speed, performer.actual()[0].p.y(),
      stage.recorder().Summary().max_dislocation);
  EXPECT_TRUE(performer.figure().IsFinite(world));
  EXPECT_LT(deepest, 5e-3);
  EXPECT_LT(speed, 0.01);
  EXPECT_LT(performer.actual()[0].p.y(), 1.3);
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
