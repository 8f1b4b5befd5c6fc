// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <osg/Matrixd>
#include <osg/Quat>
#include <osg/Vec3d>
#include <osg/Vec4>

#include "core/math.h"

namespace limber::viewer {

inline osg::Vec3d ToOsg(const Vector3& v) { return {v.x(), v.y(), v.z()}; }
inline Vector3 FromOsg(const osg::Vec3d& v) { return {v.x(), v.y(), v.z()}; }
inline osg::Vec4 ToOsgColour(const Vector3& colour, double opacity = 1.0) {
  return {static_cast<float>(colour.x()), static_cast<float>(colour.y()),
          static_cast<float>(colour.z()), static_cast<float>(opacity)};
}

/// OpenSceneGraph multiplies row vectors from the left, p_W = p_B M: its matrix
/// is the transpose of ours. This is the one place that knows.
inline osg::Matrixd ToOsg(const Transform& X_WB) {
  const Quaternion& q = X_WB.R;
  osg::Matrixd M = osg::Matrixd::rotate(osg::Quat(q.x(), q.y(), q.z(), q.w()));
  M.setTrans(ToOsg(X_WB.p));
  return M;
}

}  // namespace limber::viewer
