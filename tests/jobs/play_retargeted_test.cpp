// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Retargeted clips played by the physical figures they were made for.
#include "jobs/play_retargeted.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "figure/clip_tracks.h"
#include "figure/stance_metrics.h"
#include "tests/mocap/retarget/bodies.h"

namespace limber::jobs {
namespace {

using test::kDegree;

/// The demands of issue "retarget" on --dynamic.
void PlayOnAll(const figure::Motion& motion, const char* clip) {
  const mocap::HumanBody source = *mocap::MakeBody(motion.shared_skeleton());
  const figure::ClipTracks before = figure::TrackClip(motion, source.plan);
  const auto stances = figure::FindStances(before, figure::FootPoint::kToe);
  const double source_penetration =
      figure::FloorPenetration(before, before.floor);
  for (const char* name : {"fat_man", "child", "giant"}) {
    SCOPED_TRACE(name);
    const mocap::HumanBody target = test::BundledBody(name);
    const mocap::Retargeted kinematic = mocap::Retarget(
        motion, source, target, mocap::MakeJointMap(source, target));
    const figure::PlayResult played =
        PlayRetargeted(motion, source, kinematic, target).value();
    ASSERT_EQ(played.motion.num_frames(), motion.num_frames());
    const auto slide = [&](const figure::Motion& of) {
      return figure::MeasureSlide(figure::TrackClip(of, target.plan),
                                  figure::FootPoint::kToe, stances);
    };
    const figure::StanceSlide wanted = slide(kinematic.motion);
    const figure::StanceSlide found = slide(played.motion);
    const double penetration =
        figure::FloorPenetration(figure::TrackClip(played.motion, target.plan),
                                 kinematic.report.floor_target);
    std::printf(
        "%s on %s: %.2f deg at most, %.2f RMS; speed %.4f (before %.4f), drift "
        "%.4f (%.4f), sole %.1f mm below the floor; joint gap %.4f mm; root "
        "help %.0f %% of the weight, at most %.0f %%; motors at their bound "
        "%.1f %%\n",
        clip, name, played.largest_difference / kDegree,
        played.rms_difference / kDegree, found.speed_per_leg,
        wanted.speed_per_leg, found.drift_per_leg, wanted.drift_per_leg,
        1e3 * penetration, 1e3 * played.summary.max_dislocation,
        1e2 * played.summary.root_help_mean, 1e2 * played.summary.root_help_max,
        1e2 * played.summary.saturation);
    EXPECT_LE(played.largest_difference, 4.0 * kDegree);
    // As before: to a hundredth of the source's own.
    EXPECT_LE(found.speed_per_leg, 1.01 * wanted.speed_per_leg);
    EXPECT_LE(found.drift_per_leg, 1.01 * wanted.drift_per_leg);
    EXPECT_LE(penetration, source_penetration + 1e-3);
    EXPECT_LT(played.summary.max_dislocation, 1e-4);
    // The feet carry the body, not the root.
    EXPECT_LT(played.summary.root_help_mean, 0.5);
  }
}

TEST(PlayRetargeted, BundledWalkIsWithinFourDegreesAndPlanted) {
  PlayOnAll(test::BundledClip("walk.bvh"), "walk");
}

TEST(PlayRetargeted, Cmu0201IsWithinFourDegreesAndPlanted) {
  LIMBER_NEEDS_REAL_DATA();
  PlayOnAll(mocap::ReadBvhFile(test::RealData("cmu/02/02_01.bvh"),
                               {0.0254 / 0.45, figure::UpAxis::kY})
                .value(),
            "02_01");
}

// The giant cannot: the same angles at the same pace need torques that grow
// with mass times length squared, strengths grow with mass times length.
TEST(PlayRetargeted, OwnStrengthIsEnoughForBodiesOfOurSize) {
  const figure::Motion motion = test::BundledClip("walk.bvh");
  const mocap::HumanBody source = *mocap::MakeBody(motion.shared_skeleton());
  const auto largest_difference = [&](const char* name) {
    const mocap::HumanBody target = test::BundledBody(name);
    const mocap::Retargeted kinematic = mocap::Retarget(
        motion, source, target, mocap::MakeJointMap(source, target));
    return PlayRetargeted(motion, source, kinematic, target, 1.0)
        .value()
        .largest_difference;
  };
  EXPECT_LE(largest_difference("fat_man"), 4.0 * kDegree);
  EXPECT_LE(largest_difference("child"), 4.0 * kDegree);
  EXPECT_GT(largest_difference("giant"), 4.0 * kDegree);
}

TEST(PlayRetargeted, SkeletonWithoutFigureGetsOne) {
  const figure::Motion motion =
      test::Cut(test::BundledClip("walk.bvh"), 0, 120);
  const mocap::HumanBody source = *mocap::MakeBody(motion.shared_skeleton());
  const mocap::HumanBody target = test::Scaled(source, "legs=1.1");
  const mocap::Retargeted kinematic = mocap::Retarget(
      motion, source, target, mocap::MakeJointMap(source, target));
  const figure::PlayResult played =
      PlayRetargeted(motion, source, kinematic, target).value();
  EXPECT_LE(played.largest_difference, 4.0 * kDegree);
}

TEST(PlayMotion, WithoutHoldTheRootCarriesTheFigureAndSaysSo) {
  const figure::Motion motion =
      test::Cut(test::BundledClip("walk.bvh"), 0, 120);
  const mocap::HumanBody source = *mocap::MakeBody(motion.shared_skeleton());
  const mocap::HumanBody target = test::BundledBody("child");
  const mocap::Retargeted kinematic = mocap::Retarget(
      motion, source, target, mocap::MakeJointMap(source, target));
  const figure::PlayResult held =
      PlayRetargeted(motion, source, kinematic, target).value();
  const figure::PlayResult free =
      figure::PlayMotion(kinematic.motion, target.figure);
  EXPECT_LT(held.summary.root_help_mean, 0.3);
  EXPECT_GT(free.summary.root_help_mean, 0.7);
}

TEST(PlayMotion, BadArgumentsThrow) {
  const mocap::HumanBody child = test::BundledBody("child");
  const figure::Motion chain = test::BundledClip("chain.bvh");
  EXPECT_THROW(figure::PlayMotion(chain, child.figure), std::invalid_argument);
  figure::Motion still(child.skeleton, 30.0);
  EXPECT_THROW(figure::PlayMotion(still, child.figure), std::invalid_argument);
  still.Append(figure::RestPose(*child.skeleton));
  figure::PlaySettings settings;
  settings.held = {{.segment = 99, .point_B = {}, .share = {1.0}}};
  EXPECT_THROW(figure::PlayMotion(still, child.figure, settings),
               std::invalid_argument);
  settings.held = {{.segment = 0, .point_B = {}, .share = {1.0, 1.0}}};
  EXPECT_THROW(figure::PlayMotion(still, child.figure, settings),
               std::invalid_argument);
  settings.held.clear();
  settings.root_stiffness = 0.0;
  EXPECT_THROW(figure::PlayMotion(still, child.figure, settings),
               std::invalid_argument);
}

}  // namespace
}  // namespace limber::jobs
