// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Looking at pictures pixel by pixel.
#pragma once

#include <memory>
#include <string>

#include "figure/figure_model.h"
#include "figure/motion.h"
#include "viewer/camera.h"
#include "viewer/renderer.h"

namespace limber::viewer {

/// Pixels that are neither floor nor background: these are greyish.
struct Coloured {
  int count = 0;
  int left = 1 << 20, right = -1, top = 1 << 20, bottom = -1;
};
Coloured ColouredPixels(const Image& image);

/// Pixels that differ by more than a shade, by the coloured ones of the first.
double Difference(const Image& a, const Image& b);

/// Above this, two pictures do not show the same: finer than a limb, coarser
/// than what the same picture differs by from build to build.
inline constexpr double kSamePicture = 0.04;

/// The camera of the tests: all of the show at `time` is in the picture.
Camera CameraOn(Show& show, double time);
/// A small picture without shadows.
Image DrawSmall(Show& show, double time, const Camera& camera, int width = 160,
                int height = 200);

/// Where a point of the world lies in a picture [pixels, y down].
Vector2 PixelOf(const Camera& camera, const Vector3& p_W, int width,
                int height);

/// A bundled clip and the body that is made for it.
std::shared_ptr<const figure::Motion> BundledClip(const std::string& name);
std::shared_ptr<const figure::FigureModel> BodyFor(
    const figure::Motion& motion);

/// A bundled scene, clips included.
std::unique_ptr<Show> BundledScene(const std::string& name);

}  // namespace limber::viewer
