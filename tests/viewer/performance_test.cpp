// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// A clip on the physical figure, without a screen.
#include "viewer/performance_show.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "figure/make_figure.h"
#include "mocap/io/bvh.h"
#include "tests/support/test_data.h"
#include "viewer/internal/effort.h"

namespace limber::viewer {
namespace {

std::shared_ptr<const figure::Motion> Clip(const std::string& name) {
  return std::make_shared<const figure::Motion>(
      mocap::ReadBvhFile(test::BundledData("clips/" + name),
                         {0.01, figure::UpAxis::kY})
          .value());
}

std::unique_ptr<Show> Perform(const std::string& clip,
                              const std::string& mode) {
  const auto motion = Clip(clip);
  auto show = ShowPerformance(
      motion, std::make_shared<const figure::FigureModel>(
                  figure::MakeFigure(motion->shared_skeleton()).value()));
  show->SetMode(mode);
  return show;
}

Picture DrawWith(Show& show, double time, const Layers& layers) {
  show.SetLayers(layers);
  Picture picture;
  show.Draw(time, picture);
  return picture;
}

TEST(ShowPerformance, SimulationGivesWayToThePicture) {
  const auto show = Perform("walk.bvh", "dynamic");
  // No time at all: one frame, and no more.
  EXPECT_NEAR(show->Prepare(2.0, 0.0), 1.0 / 60, 1e-12);
  EXPECT_NEAR(show->live_time(), 1.0 / 60, 1e-12);
  EXPECT_NEAR(show->Prepare(2.0, 1e9), 2.0, 1e-12);
  EXPECT_NEAR(show->live_time(), 2.0, 1e-12);
  // What is there is not computed again.
  EXPECT_NEAR(show->Prepare(1.0, 0.0), 1.0, 1e-12);
}

// Standing feet carry the body: arrows up under the feet of about its weight.
TEST(ShowPerformance, ForcesUnderTheFeetCarryTheBody) {
  const auto show = Perform("wave.bvh", "dynamic");
  Layers layers;
  layers.forces = true;
  const Picture alone = DrawWith(*show, 1.0, layers);
  double up = 0.0;
  for (const Sign& sign : alone.signs) {
    // Arrows begin at the floor.
    if (sign.colour == palette::kForce && std::abs(sign.point.y()) < 0.03) {
      up += sign.vector.y();
    }
  }
  // The weight, all of them together.
  const double weight =
      figure::MakeFigure(Clip("wave.bvh")->shared_skeleton())->total_mass() *
      kGravity;
  EXPECT_NEAR(up / show->force_scale(), weight, 0.15 * weight);
  // And about as long as the figure is large: a round number is near.
  EXPECT_GT(up, 0.6 * show->Radius());
  EXPECT_LT(up, 1.7 * show->Radius());
  layers.reactions = true;
  const Picture both = DrawWith(*show, 1.0, layers);
  int forces = 0;
  int reactions = 0;
  for (const Sign& sign : both.signs) {
    forces += sign.colour == palette::kForce;
    reactions += sign.colour == palette::kReaction;
  }
  EXPECT_GT(forces, 0);
  EXPECT_EQ(forces, reactions);
}

TEST(ShowPerformance, ContactsAreCrossesOnTheFloor) {
  const auto show = Perform("wave.bvh", "dynamic");
  Layers layers;
  layers.contacts = true;
  const Picture picture = DrawWith(*show, 1.0, layers);
  ASSERT_FALSE(picture.signs.empty());
  for (const Sign& sign : picture.signs) {
    EXPECT_EQ(sign.kind, Sign::Kind::kTouch);
    EXPECT_TRUE(sign.colour == palette::kSticking ||
                sign.colour == palette::kSliding);
    EXPECT_LT(std::abs(sign.point.y()), 0.03);
  }
}

TEST(ShowPerformance, EffortColoursFollowTheMotors) {
  EXPECT_EQ(internal::EffortColour(0.0), palette::kIdle);
  EXPECT_EQ(internal::EffortColour(1.0), palette::kSaturated);
  figure::Anchor anchor;
  anchor.kind = figure::AnchorKind::kHinge;
  anchor.axes[0].max_torque = 50.0;
  figure::MotorReading reading;
  reading.torque[0] = -25.0;
  EXPECT_NEAR(internal::EffortOf(anchor, reading), 0.5, 1e-12);
  reading.num_saturated = 1;
  EXPECT_EQ(internal::EffortOf(anchor, reading), 1.0);

  const auto show = Perform("wave.bvh", "dynamic");
  Layers layers;
  layers.effort = true;
  EXPECT_FALSE(DrawWith(*show, 1.0, layers).colours.empty());
  EXPECT_TRUE(DrawWith(*show, 1.0, Layers{}).colours.empty());
}

TEST(ShowPerformance, TrailsAndMassCentreAreThoseOfTheBodies) {
  const auto show = Perform("walk.bvh", "dynamic");
  Layers layers;
  layers.trails = true;
  layers.mass_centre = true;
  const Picture picture = DrawWith(*show, 1.5, layers);
  int trail = 0;
  int centre = 0;
  for (const Line& line : picture.lines) {
    trail += line.colour == palette::kTrail;
    centre += line.colour == palette::kMassCentre;
  }
  EXPECT_EQ(trail, 4 * 60);
  EXPECT_EQ(centre, 4);
}

// V-75: beside it, the ghost is 1.2 m away; over it, where the figure is.
TEST(ShowPerformance, GhostOfAComparisonIsOverOrBesideTheFigure) {
  const auto show = Perform("wave.bvh", "compare");
  Layers layers;
  const Picture over = DrawWith(*show, 0.5, layers);
  layers.beside = true;
  const Picture beside = DrawWith(*show, 0.5, layers);
  int moved = 0;
  for (std::size_t i = 0; i < over.poses.size(); ++i) {
    if (IsHidden(over.poses[i])) continue;
    const Vector3 shift = beside.poses[i].p - over.poses[i].p;
    if (show->parts()[i].opacity < 1.0) {
      EXPECT_LT((shift - Vector3(1.2, 0, 0)).norm(), 1e-12);
      ++moved;
    } else {
      EXPECT_LT(shift.norm(), 1e-12);
    }
  }
  EXPECT_GT(moved, 10);
}

TEST(ShowPerformance, BallsAndPushesAreGoneAfterRewinding) {
  const auto show = Perform("wave.bvh", "dynamic");
  const Picture before = DrawWith(*show, 0.5, Layers{});
  show->Fire(Vector3(0, 1, 4), Vector3(0, 0, -1));
  const Picture shot = DrawWith(*show, 1.0, Layers{});
  EXPECT_FALSE(IsHidden(shot.poses[shot.poses.size() - 8]));
  show->Rewind();
  const Picture after = DrawWith(*show, 0.5, Layers{});
  for (std::size_t i = 0; i < before.poses.size(); ++i) {
    EXPECT_EQ(before.poses[i].p, after.poses[i].p);
  }
}

TEST(ShowPerformance, UnknownModeIsRefused) {
  const auto show = Perform("march.bvh", "kinematic");
  EXPECT_THROW(show->SetMode("fly"), std::invalid_argument);
}

}  // namespace
}  // namespace limber::viewer
