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
  const auto show = ShowClip(motion, BodyOf(*motion));
  Layers layers;
  layers.bones = true;
  show->SetLayers(layers);
  Picture picture;
  const double time = 0.4;
  show->Draw(time, picture);
  ASSERT_EQ(picture.poses.size(), show->parts().size());
  const auto X_WJ =
      figure::WorldTransforms(motion->skeleton(), motion->Sample(time));
  std::size_t joint = 0;
  for (std::size_t i = 0; i < show->parts().size(); ++i) {
    if (IsHidden(picture.poses[i])) continue;
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

// Characters of games have a root that stays where the clip began, while the
// hips walk away from it.
TEST(ShowClip, CameraFollowsTheBodyAndNotARootThatStaysBehind) {
  const auto motion = March();
  std::vector<figure::Joint> joints = {{"Root", -1, Vector3::Zero()}};
  for (figure::Joint joint : motion->skeleton().joints()) {
    ++joint.parent;
    joints.push_back(joint);
  }
  std::vector<figure::Site> sites = motion->skeleton().sites();
  for (figure::Site& site : sites) ++site.joint;
  const auto with_root =
      figure::Skeleton::Make(std::move(joints), std::move(sites));
  const Vector3 away(0.0, 0.0, 20.0);  // [m]
  auto walked = std::make_shared<figure::Motion>(with_root, motion->rate_hz());
  for (std::int64_t i = 0; i < motion->num_frames(); ++i) {
    figure::Pose pose = motion->pose(i);
    pose.X_PJ.front().p += away;
    pose.X_PJ.insert(pose.X_PJ.begin(), Transform::Identity());
    walked->Append(pose);
  }
  const Vector3 plain = ShowClip(motion, BodyOf(*motion))->Centre(0.4);
  const Vector3 far = ShowClip(walked, BodyOf(*walked))->Centre(0.4);
  EXPECT_LT((far - plain - away).norm(), 1e-9);
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
      mocap::ReadC3d(test::BundledData("takes/march.c3d")).value());
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

TEST(ShowClip, BodiesOrBonesNeverBoth) {
  const auto motion = March();
  const auto show = ShowClip(motion, BodyOf(*motion));
  for (const bool bones : {false, true}) {
    Layers layers;
    layers.bones = bones;
    show->SetLayers(layers);
    Picture picture;
    show->Draw(0.4, picture);
    int seen = 0;
    for (const Transform& X : picture.poses) seen += !IsHidden(X);
    EXPECT_GT(seen, 10);
    EXPECT_LT(seen, int(picture.poses.size()) - 10);
  }
}

// The end of a trail is where the hand or foot is; it is a second long.
TEST(ShowClip, TrailsEndAtHandsAndFeet) {
  const auto motion = March();
  const auto body = BodyOf(*motion);
  const auto show = ShowClip(motion, body);
  Layers layers;
  layers.trails = true;
  layers.mass_centre = true;
  show->SetLayers(layers);
  Picture picture;
  const double time = 1.5;
  show->Draw(time, picture);
  const auto X_WJ =
      figure::WorldTransforms(motion->skeleton(), motion->Sample(time));
  const auto& foot =
      body->segments[std::size_t(body->SegmentOf(figure::Role::kLeftFoot))];
  const Vector3 p = X_WJ[std::size_t(foot.joint)] * foot.p_JC;
  int ends = 0;
  int mass_centre = 0;
  for (const Line& line : picture.lines) {
    ends += (line.end - p).norm() < 1e-9;
    mass_centre += line.colour == palette::kMassCentre;
  }
  EXPECT_EQ(ends, 1);
  EXPECT_EQ(mass_centre, 4);  // A cross and a line down.
  EXPECT_EQ(picture.lines.size(), std::size_t(4 * 60 + 4));
}

TEST(ShowClip, StandingFeetAreMarked) {
  const auto motion = March();
  const auto body = std::make_shared<const figure::FigureModel>(
      figure::MakeFigure(motion->shared_skeleton()).value());
  const auto show = ShowClip(motion, body);
  Picture picture;
  show->Draw(0.5, picture);
  EXPECT_TRUE(picture.signs.empty());
  Layers layers;
  layers.contacts = true;
  show->SetLayers(layers);
  std::size_t most = 0;
  std::size_t all = 0;
  for (double time = 0.0; time <= motion->duration(); time += 1.0 / 30.0) {
    picture.Clear();
    show->Draw(time, picture);
    for (const Sign& sign : picture.signs) {
      EXPECT_EQ(sign.kind, Sign::Kind::kTouch);
      EXPECT_LT(std::abs(sign.point.y()), 0.06) << time;
    }
    most = std::max(most, picture.signs.size());
    all += picture.signs.size();
  }
  // Whoever marches stands on one foot, with its toe and its heel.
  EXPECT_EQ(most, 2U);
  EXPECT_GT(all, std::size_t(30.0 * motion->duration()));
}

TEST(ShowMarkerErrors, LinesLeadFromTheFigureToWhatWasCaptured) {
  const auto motion = March();
  auto take = std::make_shared<const mocap::MarkerTake>(
      mocap::ReadC3d(test::BundledData("takes/march.c3d")).value());
  figure::FigureModel body = *BodyOf(*motion);
  // Two markers on their joints, 5 cm off; one that nobody captured.
  body.markers = {{"X:LANK", 0, Vector3::Zero()}, {"NONE", 0, Vector3::Zero()}};
  const auto show = ShowMarkerErrors(
      take, motion, std::make_shared<const figure::FigureModel>(body));
  Picture picture;
  show->Draw(0.5, picture);
  ASSERT_EQ(picture.poses.size(), show->parts().size());
  ASSERT_EQ(picture.lines.size(), 1u);
  const auto X_WJ =
      figure::WorldTransforms(motion->skeleton(), motion->Sample(0.5));
  EXPECT_LT((picture.lines[0].begin - X_WJ[0].p).norm(), 1e-12);
  int label = 0;
  while (take->labels()[std::size_t(label)] != "LANK") ++label;
  EXPECT_LT((picture.lines[0].end - take->Position(30, label)).norm(), 1e-12);
  ASSERT_EQ(picture.notes.size(), 1u);
}

// The time line may go to and fro; the same time shows the same picture.
TEST(ShowScene, LookingBackShowsWhatWas) {
  const auto show = ShowScene([] {
    return std::make_shared<figure::FigureScene>(
        figure::ReadFigureScene(
            test::BundledData("scenes/coupled_pendula.json"), {})
            .value());
  });
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
