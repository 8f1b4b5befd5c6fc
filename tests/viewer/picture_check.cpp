// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/viewer/picture_check.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "figure/dynamic/scene/figure_scene.h"
#include "figure/make_figure.h"
#include "mocap/io/bvh.h"
#include "tests/support/test_data.h"
#include "viewer/scene_show.h"

namespace limber::viewer {

Coloured ColouredPixels(const Image& image) {
  Coloured found;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t* p = image.at(x, y);
      const int spread =
          std::max({p[0], p[1], p[2]}) - std::min({p[0], p[1], p[2]});
      if (spread < 30) continue;
      ++found.count;
      found.left = std::min(found.left, x);
      found.right = std::max(found.right, x);
      found.top = std::min(found.top, y);
      found.bottom = std::max(found.bottom, y);
    }
  }
  return found;
}

double Difference(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height) return 1.0;
  int count = 0;
  for (std::size_t i = 0; i < a.pixels.size(); i += 3) {
    int most = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      most = std::max(most, std::abs(int(a.pixels[i + k]) - b.pixels[i + k]));
    }
    count += most > 24;
  }
  return count / std::max(1.0, double(ColouredPixels(a).count));
}

Camera CameraOn(Show& show, double time) {
  Camera camera;
  camera.target = show.Centre(time);
  camera.height = 0.1;
  camera.Fit(show.Radius());
  return camera;
}

Image DrawSmall(Show& show, double time, const Camera& camera, int width,
                int height) {
  RenderSettings settings;
  settings.width = width;
  settings.height = height;
  settings.samples = 0;
  settings.shadows = false;
  Renderer renderer(show, settings);
  return renderer.Render(time, camera);
}

Vector2 PixelOf(const Camera& camera, const Vector3& p_W, int width,
                int height) {
  const Vector3 forward = camera.Forward();
  const Vector3 right = forward.cross(Vector3::UnitY()).normalized();
  const Vector3 up = right.cross(forward);
  const Vector3 from_eye = p_W - camera.Eye();
  const double scale = 0.5 * height / std::tan(0.5 * camera.field_of_view) /
                       from_eye.dot(forward);
  return {0.5 * width + scale * from_eye.dot(right),
          0.5 * height - scale * from_eye.dot(up)};
}

std::shared_ptr<const figure::Motion> BundledClip(const std::string& name) {
  return std::make_shared<const figure::Motion>(
      mocap::ReadBvhFile(test::BundledData("clips/" + name),
                         {0.01, figure::UpAxis::kY})
          .value());
}

std::shared_ptr<const figure::FigureModel> BodyFor(
    const figure::Motion& motion) {
  return std::make_shared<const figure::FigureModel>(
      figure::MakeFigure(motion.shared_skeleton()).value());
}

std::unique_ptr<Show> BundledScene(const std::string& name) {
  return ShowScene([name] {
    figure::FigureSceneOptions options;
    options.read_clip = [](const std::filesystem::path& path) {
      return mocap::ReadBvhFile(path, {0.01, figure::UpAxis::kY});
    };
    return std::make_shared<figure::FigureScene>(
        figure::ReadFigureScene(test::BundledData("scenes/" + name + ".json"),
                                options)
            .value());
  });
}

}  // namespace limber::viewer
