// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <osg/Camera>
#include <osg/Geometry>
#include <osg/ref_ptr>
#include <osgText/Text>

#include <string>
#include <vector>

namespace limber::viewer::internal {

/// Text and time line in front of the picture, in pixels.
class Overlay {
 public:
  Overlay();

  osg::Camera* camera() const { return camera_; }
  void Resize(int width, int height);
  /// @param notes   lines in the upper left corner.
  /// @param help    lines of the help page; empty hides it.
  /// @param share   of the time line that has been played, in [0, 1].
  void Set(const std::vector<std::string>& notes,
           const std::vector<std::string>& help, double share);

 private:
  void PlaceBar(osg::Geometry& bar, double left, double right, double bottom,
                double top);

  osg::ref_ptr<osg::Camera> camera_;
  osg::ref_ptr<osgText::Text> notes_;
  osg::ref_ptr<osgText::Text> help_;
  osg::ref_ptr<osg::Geometry> help_back_;
  osg::ref_ptr<osg::Geometry> bar_back_;
  osg::ref_ptr<osg::Geometry> bar_;
  int width_ = 1280;
  int height_ = 720;
};

}  // namespace limber::viewer::internal
