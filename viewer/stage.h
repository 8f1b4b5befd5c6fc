// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <osg/Group>
#include <osg/ref_ptr>
#include <vector>

#include "viewer/part.h"

namespace limber::viewer {

/// The room in which a show is seen: floor with a grid of one metre, three
/// lights, soft shadows on the floor, and the parts of the show.
class Stage {
 public:
  /// @param parts  of the show; made once.
  explicit Stage(const std::vector<Part>& parts);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  osg::Group* root() const;

  /// Parts whose pose is `kHidden` are not drawn.
  /// @throws std::invalid_argument if there is not one pose per part.
  void Set(const Picture& picture);

  void SetShadows(bool on);
  void SetFloor(bool on);
  /// The part that the ray from `eye` along `direction` meets first, with the
  /// point there in `p_W`; or -1.
  int Pick(const Vector3& eye, const Vector3& direction, Vector3* p_W) const;

 private:
  struct Nodes;
  osg::ref_ptr<osg::Group> root_;
  std::unique_ptr<Nodes> nodes_;
};

/// What is behind everything; the floor fades into it.
extern const Colour kBackground;

}  // namespace limber::viewer
