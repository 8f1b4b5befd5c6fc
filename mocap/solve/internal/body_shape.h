// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/math.h"

namespace limber::mocap::internal {

/// How thick a segment of the reference body is about its bone: a marker one
/// thickness off is on the skin [m].
double ThicknessOf(int segment);

/// Where a segment's bone ends, in its own axes on the reference body [m].
Vector3 BoneEnd(int segment);

/// Distance of a place on the reference body from the segment's bone, over the
/// thickness.
double DepthOnBody(int segment, const Vector3& p_JM);

}  // namespace limber::mocap::internal
