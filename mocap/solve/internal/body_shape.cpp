// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/body_shape.h"

#include <algorithm>

#include "mocap/solve/body.h"

namespace limber::mocap::internal {

double ThicknessOf(int segment) {
  switch (segment) {
    case kPelvis:
    case kChest:
      return 0.13;
    case kSpine:
    case kHead:
      return 0.11;
    case kLeftUpperLeg:
    case kRightUpperLeg:
    case kLeftClavicle:
    case kRightClavicle:
      return 0.08;
    case kLeftToes:
    case kRightToes:
      return 0.025;
    default:
      return 0.05;
  }
}

Vector3 BoneEnd(int segment) {
  switch (segment) {
    case kPelvis:
      return Body()[kSpine].offset;
    case kChest:
      return Body()[kNeck].offset;
    default:
      break;
  }
  for (int j = segment + 1; j < kNumSegments; ++j) {
    if (Body()[j].parent == segment) return Body()[j].offset;
  }
  return Body()[segment].end;
}

double DepthOnBody(int segment, const Vector3& p_JM) {
  const Vector3 bone = BoneEnd(segment);
  const double along =
      std::clamp(p_JM.dot(bone) / std::max(bone.squaredNorm(), 1e-9), 0.0, 1.0);
  return (along * bone - p_JM).norm() / ThicknessOf(segment);
}

}  // namespace limber::mocap::internal
