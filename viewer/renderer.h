// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "viewer/camera.h"
#include "viewer/show.h"

namespace limber::viewer {

/// A picture in memory: rows from the top, red, green, blue, one byte each.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;

  const std::uint8_t* at(int x, int y) const {
    return &pixels[3 * (std::size_t(y) * std::size_t(width) + std::size_t(x))];
  }
};

/// Writes a PNG; the diagnostics hold one error if that is not possible.
Diagnostics WritePng(const std::filesystem::path& path, const Image& image);
/// Reads one back, for comparisons; empty if it cannot be read.
Image ReadPng(const std::filesystem::path& path);

/// Puts pictures of one height side by side.
Image Beside(const std::vector<Image>& images);

struct RenderSettings {
  int width = 1280;
  int height = 720;
  int samples = 4;  ///< Per pixel, against jagged edges; 0 or 1 = none.
  bool shadows = true;
};

/// Draws a show into images, without a window. Needs a Display that is ok.
class Renderer {
 public:
  /// @throws std::runtime_error, saying what to install, if there is no OpenGL.
  Renderer(Show& show, const RenderSettings& settings);
  ~Renderer();

  Image Render(double time, const Camera& camera);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace limber::viewer
