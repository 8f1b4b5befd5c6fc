// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures of every mode, looked at and compared with stored ones. With
// LIMBER_WRITE_REFERENCES set, the stored ones are written anew instead.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>

#include "tests/support/test_data.h"
#include "tests/viewer/picture_check.h"
#include "viewer/display.h"
#include "viewer/internal/mesh.h"
#include "viewer/performance_show.h"

namespace limber::viewer {
namespace {

constexpr double kTime = 0.4;  // [s]; in rag doll it has just begun to fall.

class ModePicture : public testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() { display_ = new Display; }
  static void TearDownTestSuite() {
    delete display_;
    display_ = nullptr;
  }
  void SetUp() override {
    ASSERT_TRUE(display_->ok()) << display_->problem();
    motion_ = BundledClip("walk.bvh");
    body_ = BodyFor(*motion_);
    show_ = Perform(body_);
  }
  std::unique_ptr<Show> Perform(
      std::shared_ptr<const figure::FigureModel> body) const {
    auto show = ShowPerformance(motion_, std::move(body));
    show->SetMode(GetParam());
    return show;
  }
  /// Stands still, whatever the figure does: so does the grid in the picture.
  Camera FixedCamera() const {
    return CameraOn(*ShowClip(motion_, body_), kTime);
  }

  static Display* display_;
  std::shared_ptr<const figure::Motion> motion_;
  std::shared_ptr<const figure::FigureModel> body_;
  std::unique_ptr<Show> show_;
};

Display* ModePicture::display_ = nullptr;

// V-70, V-75: something is seen, all of it, and it stands on the floor: the
// lowest coloured pixel is where the lowest point of the feet is.
TEST_P(ModePicture, FigureIsWholeInTheFrameWithItsFeetOnTheGrid) {
  const Camera camera = FixedCamera();
  const Image image = DrawSmall(*show_, kTime, camera, 320, 400);
  const Coloured seen = ColouredPixels(image);
  EXPECT_GT(seen.count, 3000);
  EXPECT_GT(seen.left, 0);
  EXPECT_LT(seen.right, image.width - 1);
  EXPECT_GT(seen.top, 0);
  EXPECT_LT(seen.bottom, image.height - 1);

  Picture picture;
  show_->Draw(kTime, picture);
  double lowest = 1e9;
  double lowest_row = 0.0;
  for (std::size_t i = 0; i < picture.poses.size(); ++i) {
    if (IsHidden(picture.poses[i])) continue;
    for (const Vector3& vertex :
         internal::MeshOf(show_->parts()[i].shape).vertices) {
      const Vector3 p = picture.poses[i] * vertex;
      lowest = std::min(lowest, p.y());
      lowest_row = std::max(lowest_row,
                            PixelOf(camera, p, image.width, image.height).y());
    }
  }
  EXPECT_NEAR(lowest, 0.0, 0.015);
  EXPECT_NEAR(seen.bottom, lowest_row, 3.0);
}

// Before the first step of the walk, so that every change of a solver, which
// moves a falling figure by a hair, does not ask for new pictures.
TEST_P(ModePicture, LooksAsItDid) {
  constexpr double kEarly = 0.12;  // [s]
  const Image image = DrawSmall(*show_, kEarly, FixedCamera());
  const std::filesystem::path file =
      test::SourceDir() / "tests" / "viewer" / "references" /
      ("mode_" + std::string(GetParam()) + ".png");
  if (std::getenv("LIMBER_WRITE_REFERENCES") != nullptr) {
    ASSERT_FALSE(WritePng(file, image).has_errors());
  }
  EXPECT_LT(Difference(ReadPng(file), image), kSamePicture);
}

// The comparison would notice: each limb that is taken away is missed.
TEST_P(ModePicture, MissingLimbIsNoticed) {
  // When no limb hides another.
  const double time = GetParam() == std::string("rag-doll") ? 0.6 : kTime;
  const Camera camera = FixedCamera();
  const Image whole = DrawSmall(*show_, time, camera);
  for (const figure::Role role :
       {figure::Role::kLeftUpperArm, figure::Role::kLeftForearm,
        figure::Role::kRightForearm, figure::Role::kLeftLowerLeg,
        figure::Role::kRightLowerLeg, figure::Role::kRightUpperLeg,
        figure::Role::kHead}) {
    figure::FigureModel model = *body_;
    const int segment = model.SegmentOf(role);
    ASSERT_GE(segment, 0);
    model.segments[std::size_t(segment)].shapes.clear();
    const auto maimed =
        Perform(std::make_shared<const figure::FigureModel>(std::move(model)));
    EXPECT_GT(Difference(whole, DrawSmall(*maimed, time, camera)), kSamePicture)
        << figure::ToString(role);
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, ModePicture,
                         testing::Values("kinematic", "dynamic", "compare",
                                         "loose-arms", "rag-doll"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase(name, '-');
                           return name;
                         });

/// Mean colour of the coloured pixels of a half of the picture.
Vector3 MeanColour(const Image& image, bool right_half) {
  Vector3 sum = Vector3::Zero();
  int count = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width / 2; ++x) {
      const std::uint8_t* p = image.at(right_half ? image.width / 2 + x : x, y);
      const int spread =
          std::max({p[0], p[1], p[2]}) - std::min({p[0], p[1], p[2]});
      if (spread < 30) continue;
      sum += Vector3(p[0], p[1], p[2]);
      ++count;
    }
  }
  return count == 0 ? sum : Vector3(sum / count);
}

TEST(ComparePicture, GhostIsBlueAndTheFigureIsNot) {
  const Display display;
  ASSERT_TRUE(display.ok()) << display.problem();
  const auto motion = BundledClip("walk.bvh");
  const auto show = ShowPerformance(motion, BodyFor(*motion));
  show->SetMode("compare");
  Layers layers;
  layers.beside = true;
  show->SetLayers(layers);
  Camera camera = CameraOn(*show, kTime);
  camera.turn = 0.0;
  const Image image = DrawSmall(*show, kTime, camera, 400, 300);
  const Vector3 figure = MeanColour(image, false);
  const Vector3 ghost = MeanColour(image, true);
  EXPECT_GT(ghost[2] - ghost[0], 40.0);
  EXPECT_LT(figure[2] - figure[0], 20.0);
  EXPECT_GT((ghost - figure).norm(), 40.0);
}

}  // namespace
}  // namespace limber::viewer
