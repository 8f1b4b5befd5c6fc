// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/internal/panel_drawing.h"

#include <imgui/imgui.h>
#include <osg/BlendFunc>
#include <osg/Geometry>
#include <osg/Image>
#include <osg/Scissor>

#include <algorithm>
#include <cstring>

namespace limber::viewer::internal {

namespace {

/// The corners of a list, which its commands share.
struct Corners {
  osg::ref_ptr<osg::Vec3Array> places = new osg::Vec3Array;
  osg::ref_ptr<osg::Vec2Array> on_texture = new osg::Vec2Array;
  osg::ref_ptr<osg::Vec4ubArray> colours = new osg::Vec4ubArray;
};

Corners CornersOf(const ImDrawList& list) {
  Corners corners;
  for (const ImDrawVert& corner : list.VtxBuffer) {
    corners.places->push_back({corner.pos.x, corner.pos.y, 0.0F});
    corners.on_texture->push_back({corner.uv.x, corner.uv.y});
    const ImU32 c = corner.col;
    corners.colours->push_back(
        osg::Vec4ub(c & 255U, (c >> 8U) & 255U, (c >> 16U) & 255U, c >> 24U));
  }
  corners.colours->setNormalize(true);
  return corners;
}

osg::ref_ptr<osg::Geometry> TrianglesOf(const ImDrawList& list,
                                        const ImDrawCmd& command,
                                        const Corners& corners) {
  osg::ref_ptr<osg::Geometry> triangles = new osg::Geometry;
  triangles->setUseDisplayList(false);
  triangles->setUseVertexBufferObjects(false);
  triangles->setDataVariance(osg::Object::DYNAMIC);
  triangles->setCullingActive(false);
  triangles->setVertexArray(corners.places);
  triangles->setTexCoordArray(0, corners.on_texture,
                              osg::Array::BIND_PER_VERTEX);
  triangles->setColorArray(corners.colours, osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<osg::DrawElementsUShort> order =
      new osg::DrawElementsUShort(GL_TRIANGLES);
  for (unsigned i = 0; i < command.ElemCount; ++i) {
    const auto at = static_cast<int>(command.IdxOffset + i);
    order->push_back(static_cast<GLushort>(list.IdxBuffer[at]));
  }
  triangles->addPrimitiveSet(order);
  return triangles;
}

}  // namespace

PanelDrawing::PanelDrawing() : camera_(new osg::Camera) {
  camera_->setReferenceFrame(osg::Transform::ABSOLUTE_RF);
  camera_->setViewMatrix(osg::Matrix::identity());
  camera_->setClearMask(0);
  // After the overlay.
  camera_->setRenderOrder(osg::Camera::POST_RENDER, 1);
  camera_->setAllowEventFocus(false);
  camera_->setNodeMask(0U);
  osg::StateSet& state = *camera_->getOrCreateStateSet();
  state.setMode(GL_LIGHTING, osg::StateAttribute::OFF);
  state.setMode(GL_DEPTH_TEST, osg::StateAttribute::OFF);
  state.setMode(GL_CULL_FACE, osg::StateAttribute::OFF);
  state.setMode(GL_BLEND, osg::StateAttribute::ON);
  state.setAttributeAndModes(
      new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA));
}

void PanelDrawing::Resize(int width, int height) {
  height_ = height;
  camera_->setViewport(0, 0, width, height);
  // Pixels of a panel count down from the top.
  camera_->setProjectionMatrixAsOrtho2D(0, width, height, 0);
}

void PanelDrawing::Set(const Panel& panel) {
  camera_->removeChildren(0, camera_->getNumChildren());
  const ImDrawData* data = panel.drawing();
  camera_->setNodeMask(data == nullptr ? 0U : ~0U);
  if (data == nullptr) return;
  if (!letters_) {
    const Panel::Letters letters = panel.letters();
    osg::ref_ptr<osg::Image> image = new osg::Image;
    image->allocateImage(letters.width, letters.height, 1, GL_RGBA,
                         GL_UNSIGNED_BYTE);
    std::memcpy(image->data(), letters.pixels,
                std::size_t(4 * letters.width * letters.height));
    letters_ = new osg::Texture2D(image);
    letters_->setResizeNonPowerOfTwoHint(false);
    letters_->setFilter(osg::Texture::MIN_FILTER, osg::Texture::LINEAR);
    letters_->setFilter(osg::Texture::MAG_FILTER, osg::Texture::LINEAR);
    camera_->getOrCreateStateSet()->setTextureAttributeAndModes(0, letters_);
  }
  int number = 0;
  for (int n = 0; n < data->CmdListsCount; ++n) {
    const ImDrawList& list = *data->CmdLists[n];
    const Corners corners = CornersOf(list);
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const ImVec4& clip = command.ClipRect;
      const int width = int(clip.z - clip.x);
      const int height = int(clip.w - clip.y);
      if (width <= 0 || height <= 0 || command.ElemCount == 0) continue;
      osg::ref_ptr<osg::Geometry> triangles =
          TrianglesOf(list, command, corners);
      osg::StateSet& state = *triangles->getOrCreateStateSet();
      state.setAttributeAndModes(
          new osg::Scissor(int(clip.x), height_ - int(clip.w), width, height));
      state.setRenderBinDetails(number++, "RenderBin");
      camera_->addChild(triangles);
    }
  }
}

}  // namespace limber::viewer::internal
