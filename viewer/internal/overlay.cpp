// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/internal/overlay.h"

#include <osg/BlendFunc>
#include <osg/Depth>
#include <osg/Program>

#include <algorithm>

namespace limber::viewer::internal {

namespace {

const osg::Vec4 kInk(0.13, 0.16, 0.20, 1.0);
const osg::Vec4 kPaper(0.98, 0.98, 0.99, 0.88);
const osg::Vec4 kBarBack(0.55, 0.59, 0.65, 0.45);
const osg::Vec4 kBar(0.20, 0.42, 0.70, 0.95);

osg::ref_ptr<osgText::Text> MakeText() {
  static const osg::ref_ptr<osgText::Font> font = [] {
    osg::ref_ptr<osgText::Font> found = osgText::readRefFontFile(
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf");
    return found.valid() ? found : osgText::Font::getDefaultFont();
  }();
  osg::ref_ptr<osgText::Text> text = new osgText::Text;
  text->setFont(font);
  text->setCharacterSize(16.0F);
  text->setColor(kInk);
  text->setAxisAlignment(osgText::TextBase::SCREEN);
  text->setAlignment(osgText::TextBase::LEFT_TOP);
  text->setDataVariance(osg::Object::DYNAMIC);
  return text;
}

osg::ref_ptr<osg::Geometry> MakeRectangle(const osg::Vec4& colour) {
  osg::ref_ptr<osg::Geometry> rectangle = new osg::Geometry;
  rectangle->setVertexArray(new osg::Vec3Array(4));
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array;
  colours->push_back(colour);
  rectangle->setColorArray(colours, osg::Array::BIND_OVERALL);
  rectangle->addPrimitiveSet(new osg::DrawArrays(GL_TRIANGLE_FAN, 0, 4));
  rectangle->setDataVariance(osg::Object::DYNAMIC);
  rectangle->setUseDisplayList(false);
  return rectangle;
}

std::string Joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

Overlay::Overlay()
    : camera_(new osg::Camera),
      notes_(MakeText()),
      help_(MakeText()),
      help_back_(MakeRectangle(kPaper)),
      bar_back_(MakeRectangle(kBarBack)),
      bar_(MakeRectangle(kBar)) {
  camera_->setReferenceFrame(osg::Transform::ABSOLUTE_RF);
  camera_->setViewMatrix(osg::Matrix::identity());
  camera_->setClearMask(0);
  camera_->setRenderOrder(osg::Camera::POST_RENDER);
  camera_->setAllowEventFocus(false);
  osg::StateSet& state = *camera_->getOrCreateStateSet();
  state.setMode(GL_LIGHTING, osg::StateAttribute::OFF);
  state.setMode(GL_DEPTH_TEST, osg::StateAttribute::OFF);
  state.setMode(GL_BLEND, osg::StateAttribute::ON);
  state.setAttributeAndModes(
      new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA));
  // Drawn in the order in which they stand here.
  int order = 0;
  for (osg::Drawable* drawable : {static_cast<osg::Drawable*>(bar_back_.get()),
                                  static_cast<osg::Drawable*>(bar_.get()),
                                  static_cast<osg::Drawable*>(notes_.get()),
                                  static_cast<osg::Drawable*>(help_back_.get()),
                                  static_cast<osg::Drawable*>(help_.get())}) {
    drawable->getOrCreateStateSet()->setRenderBinDetails(order++, "RenderBin");
    drawable->setCullingActive(false);
    camera_->addChild(drawable);
  }
  Resize(width_, height_);
}

void Overlay::Resize(int width, int height) {
  width_ = width;
  height_ = height;
  camera_->setViewport(0, 0, width, height);
  camera_->setProjectionMatrixAsOrtho2D(0, width, 0, height);
}

void Overlay::PlaceBar(osg::Geometry& bar, double left, double right,
                       double bottom, double top) {
  auto& corners = *static_cast<osg::Vec3Array*>(bar.getVertexArray());
  corners[0] = osg::Vec3(float(left), float(bottom), 0.0F);
  corners[1] = osg::Vec3(float(right), float(bottom), 0.0F);
  corners[2] = osg::Vec3(float(right), float(top), 0.0F);
  corners[3] = osg::Vec3(float(left), float(top), 0.0F);
  corners.dirty();
  bar.dirtyBound();
}

void Overlay::Set(const std::vector<std::string>& notes,
                  const std::vector<std::string>& help, double share) {
  constexpr float kMargin = 14.0F;
  notes_->setText(Joined(notes), osgText::String::ENCODING_UTF8);
  notes_->setPosition(osg::Vec3(kMargin, float(height_) - kMargin, 0.0F));
  const double top = std::max(6.0, 0.012 * height_);
  PlaceBar(*bar_back_, 0.0, width_, 0.0, top);
  PlaceBar(*bar_, 0.0, share * width_, 0.0, top);

  const unsigned shown = help.empty() ? 0U : ~0U;
  help_->setNodeMask(shown);
  help_back_->setNodeMask(shown);
  if (help.empty()) return;
  constexpr double kLine = 21.0;
  constexpr double kWidth = 560.0;
  const double height = kLine * static_cast<double>(help.size()) + 40.0;
  const double left = 0.5 * (width_ - kWidth);
  const double upper = 0.5 * (height_ + height);
  PlaceBar(*help_back_, left, left + kWidth, upper - height, upper);
  help_->setText(Joined(help), osgText::String::ENCODING_UTF8);
  help_->setPosition(osg::Vec3(float(left) + 24.0F, float(upper) - 20.0F, 0));
}

}  // namespace limber::viewer::internal
