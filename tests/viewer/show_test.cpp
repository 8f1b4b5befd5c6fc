// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/show.h"

#include <gtest/gtest.h>

#include <memory>

#include "figure/make_figure.h"
#include "figure/pose.h"
#include "mocap/io/bvh.h"
#include "mocap/io/c3d.h"
#include "tests/support/test_data.h"
#include "viewer/scene_show.h"

namespace limber::viewer {
namespace {

std::shared_ptr<const figure::Motion> March() {
  return std::make_shared<const figure::Motion>(
      mocap::ReadBvhFile(test::BundledData("clips/march.bvh"),
                         {0.01, figure::UpAxis::kY})
          .value());
}

std::shared_ptr<const figure::FigureModel> BodyOf(
    const figure::Motion& motion) {
  return std::make_shared<const figure::FigureModel>(
      figure::MakeFigure(motion.shared_skeleton()).value());
}

TEST(ShowClip, BonesEndWhereTheJointsAre) {
  const auto motion = March();
  ClipLook look;
  look.bones = true;
  const auto show = ShowClip(motion, BodyOf(*motion), look);
  Picture picture;
  const double time = 0.4;
  show->Draw(time, picture);
  ASSERT_EQ(picture.poses.size(), show->parts().size());
  const auto X_WJ =
      figure::WorldTransforms(motion->skeleton(), motion->Sample(time));
  std::size_t joint = 0;
  for (std::size_t i = 0; i < show->parts().size(); ++i) {
    if (show->parts()[i].shape.kind != PartShape::Kind::kSphere) continue;
    EXPECT_LT((picture.poses[i].p - X_WJ[joint].p).norm(), 1e-12);
    ++joint;
  }
  EXPECT_EQ(joint, X_WJ.size());
}

// V-75: the original as a ghost, in another colour and see-through.
TEST(ShowClip, GhostDiffersInColourAndShift) {
  const auto motion = March();
  const auto body = BodyOf(*motion);
  ClipLook look;
  look.ghost = true;
  look.shift = Vector3(1, 0, 0);
  const auto solid = ShowClip(motion, body);
  const auto ghost = ShowClip(motion, body, look);
  ASSERT_EQ(solid->parts().size(), ghost->parts().size());
  EXPECT_LT(ghost->parts()[0].opacity, 1.0);
  Picture a;
  Picture b;
  solid->Draw(0.2, a);
  ghost->Draw(0.2, b);
  EXPECT_LT((b.poses[0].p - a.poses[0].p - look.shift).norm(), 1e-12);
}

TEST(ShowTogether, DrawsAllPartsInOrder) {
  const auto motion = March();
  std::vector<std::unique_ptr<Show>> shows;
  shows.push_back(ShowClip(motion, BodyOf(*motion)));
  shows.push_back(ShowClip(motion, BodyOf(*motion)));
  const std::size_t one = shows[0]->parts().size();
  const auto both = ShowTogether(std::move(shows));
  Picture picture;
  both->Draw(0.0, picture);
  EXPECT_EQ(both->parts().size(), 2 * one);
  EXPECT_EQ(picture.poses.size(), 2 * one);
}

TEST(ShowTake, MarkersAreWhereTheyWereCaptured) {
  const auto take = std::make_shared<const mocap::MarkerTake>(
      mocap::ReadC3dFile(test::BundledData("takes/march.c3d")).value());
  const auto show = ShowTake(take);
  Picture picture;
  show->Draw(0.5, picture);
  ASSERT_EQ(picture.poses.size(), std::size_t(take->num_markers()));
  for (int m = 0; m < take->num_markers(); ++m) {
    if (!take->IsVisible(30, m)) continue;
    EXPECT_LT((picture.poses[std::size_t(m)].p - take->Position(30, m)).norm(),
              1e-12);
  }
}

// The time line may go to and fro; the same time shows the same picture.
TEST(ShowScene, LookingBackShowsWhatWas) {
  const auto scene = std::make_shared<dynamics::Scene>(
      dynamics::ReadScene(test::BundledData("scenes/coupled_pendula.json"))
          .value());
  const auto show = ShowScene(scene);
  Picture first;
  show->Draw(0.5, first);
  Picture later;
  show->Draw(2.0, later);
  Picture again;
  show->Draw(0.5, again);
  double moved = 0.0;
  for (std::size_t i = 0; i < first.poses.size(); ++i) {
    EXPECT_EQ(first.poses[i].p, again.poses[i].p);
    moved += (later.poses[i].p - first.poses[i].p).norm();
  }
  EXPECT_GT(moved, 0.01);
}

}  // namespace
}  // namespace limber::viewer
