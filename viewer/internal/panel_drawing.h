// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <osg/Camera>
#include <osg/Group>
#include <osg/Texture2D>
#include <osg/ref_ptr>

#include "viewer/internal/panel.h"

namespace limber::viewer::internal {

/// The triangles of a panel in front of the picture, as OpenSceneGraph draws
/// them: so its state is never touched behind its back.
class PanelDrawing {
 public:
  PanelDrawing();

  osg::Camera* camera() const { return camera_; }
  void Resize(int width, int height);
  /// What the panel laid out last; nothing where it is hidden.
  void Set(const Panel& panel);

 private:
  osg::ref_ptr<osg::Camera> camera_;
  osg::ref_ptr<osg::Texture2D> letters_;
  int height_ = 720;
};

}  // namespace limber::viewer::internal
