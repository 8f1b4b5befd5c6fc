// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/renderer.h"

#include <osg/GraphicsContext>
#include <osg/Image>
#include <osgDB/ReadFile>
#include <osgDB/Registry>
#include <osgViewer/Viewer>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "core/angle.h"
#include "core/file.h"
#include "viewer/display.h"
#include "viewer/osg_convert.h"
#include "viewer/stage.h"

namespace limber::viewer {

namespace {

/// Copies the finished picture out of the graphics memory.
class ReadBack : public osg::Camera::DrawCallback {
 public:
  ReadBack(int width, int height) : width_(width), height_(height) {}
  void operator()(osg::RenderInfo&) const override {
    image_->readPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE);
  }
  const osg::Image& image() const { return *image_; }

 private:
  int width_;
  int height_;
  osg::ref_ptr<osg::Image> image_ = new osg::Image;
};

osg::ref_ptr<osg::GraphicsContext> MakeContext(int width, int height,
                                               int samples) {
  osg::ref_ptr<osg::GraphicsContext::Traits> traits =
      new osg::GraphicsContext::Traits;
  traits->readDISPLAY();
  traits->setUndefinedScreenDetailsToDefaultScreen();
  traits->width = width;
  traits->height = height;
  traits->pbuffer = true;
  traits->stencil = 8;
  traits->doubleBuffer = false;
  traits->depth = 24;
  traits->sampleBuffers = samples > 1 ? 1 : 0;
  traits->samples = samples > 1 ? static_cast<unsigned>(samples) : 0U;
  return osg::GraphicsContext::createGraphicsContext(traits);
}

}  // namespace

struct Renderer::Implementation {
  explicit Implementation(Show& the_show)
      : show(the_show), stage(the_show.parts()) {}

  Show& show;
  Stage stage;
  osg::ref_ptr<ReadBack> read_back;
  RenderSettings settings;
  osgViewer::Viewer viewer;
  Picture picture;
};

Renderer::Renderer(Show& show, const RenderSettings& settings)
    : implementation_(std::make_unique<Implementation>(show)) {
  Implementation& own = *implementation_;
  own.settings = settings;
  osg::ref_ptr<osg::GraphicsContext> context =
      MakeContext(settings.width, settings.height, settings.samples);
  if (!context.valid() && settings.samples > 1) {
    context = MakeContext(settings.width, settings.height, 0);
  }
  if (!context.valid()) {
    throw std::runtime_error(NoOpenGl());
  }
  own.viewer.setThreadingModel(osgViewer::ViewerBase::SingleThreaded);
  osg::Camera& camera = *own.viewer.getCamera();
  camera.setGraphicsContext(context);
  camera.setViewport(0, 0, settings.width, settings.height);
  camera.setClearColor(ToOsgColour(kBackground));
  camera.setClearMask(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT |
                      GL_STENCIL_BUFFER_BIT);
  camera.setDrawBuffer(GL_FRONT);
  camera.setReadBuffer(GL_FRONT);
  camera.setComputeNearFarMode(osg::Camera::DO_NOT_COMPUTE_NEAR_FAR);
  own.read_back = new ReadBack(settings.width, settings.height);
  camera.setFinalDrawCallback(own.read_back);
  own.stage.SetShadows(settings.shadows);
  own.viewer.setSceneData(own.stage.root());
  own.viewer.realize();
}

Renderer::~Renderer() = default;

Image Renderer::Render(double time, const Camera& camera) {
  Implementation& own = *implementation_;
  own.picture.Clear();
  own.show.Draw(time, own.picture);
  own.stage.Set(own.picture);
  osg::Camera& view = *own.viewer.getCamera();
  const double aspect =
      static_cast<double>(own.settings.width) / own.settings.height;
  view.setProjectionMatrixAsPerspective(Degrees(camera.field_of_view), aspect,
                                        0.01 * camera.distance,
                                        100.0 + 2.0 * camera.distance);
  view.setViewMatrixAsLookAt(ToOsg(camera.Eye()), ToOsg(camera.target),
                             osg::Vec3d(0, 1, 0));
  own.viewer.frame();

  const osg::Image& drawn = own.read_back->image();
  Image image;
  image.width = own.settings.width;
  image.height = own.settings.height;
  image.pixels.resize(3 * std::size_t(image.width) * std::size_t(image.height));
  const std::size_t row_bytes = 3 * std::size_t(image.width);
  for (int y = 0; y < image.height; ++y) {
    // OpenGL counts rows from the bottom.
    const unsigned char* row = drawn.data(0, unsigned(image.height - 1 - y));
    std::copy(row, row + row_bytes, &image.pixels[std::size_t(y) * row_bytes]);
  }
  return image;
}

Diagnostics WritePng(const std::filesystem::path& path, const Image& image) {
  osg::ref_ptr<osg::Image> flipped = new osg::Image;
  flipped->allocateImage(image.width, image.height, 1, GL_RGB,
                         GL_UNSIGNED_BYTE);
  const std::size_t row_bytes = 3 * std::size_t(image.width);
  for (int y = 0; y < image.height; ++y) {
    const std::uint8_t* row = image.at(0, y);
    std::copy(row, row + row_bytes,
              flipped->data(0, unsigned(image.height - 1 - y)));
  }
  osgDB::ReaderWriter* writer =
      osgDB::Registry::instance()->getReaderWriterForExtension("png");
  std::ostringstream bytes;
  if (path.extension() != ".png" || writer == nullptr ||
      !writer->writeImage(*flipped, bytes).success()) {
    Diagnostics diagnostics(PathText(path));
    diagnostics.Error("cannot-write", {},
                      "the picture cannot be written; the name must end in "
                      ".png");
    return diagnostics;
  }
  return WriteWholeFile(path, bytes.str());
}

Image ReadPng(const std::filesystem::path& path) {
  const osg::ref_ptr<osg::Image> read = osgDB::readRefImageFile(path.string());
  Image image;
  if (!read.valid()) return image;
  image.width = read->s();
  image.height = read->t();
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const osg::Vec4 colour =
          read->getColor(unsigned(x), unsigned(image.height - 1 - y));
      for (int k = 0; k < 3; ++k) {
        image.pixels.push_back(
            static_cast<std::uint8_t>(colour[k] * 255.0F + 0.5F));
      }
    }
  }
  return image;
}

Image Beside(const std::vector<Image>& images) {
  Image all;
  for (const Image& image : images) {
    all.width += image.width;
    all.height = std::max(all.height, image.height);
  }
  all.pixels.resize(3 * std::size_t(all.width) * std::size_t(all.height));
  int left = 0;
  for (const Image& image : images) {
    for (int y = 0; y < image.height; ++y) {
      const std::uint8_t* row = image.at(0, y);
      std::copy(row, row + 3 * image.width,
                &all.pixels[3 * (std::size_t(y) * std::size_t(all.width) +
                                 std::size_t(left))]);
    }
    left += image.width;
  }
  return all;
}

}  // namespace limber::viewer
