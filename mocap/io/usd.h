// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/result.h"
#include "figure/motion.h"

namespace limber::mocap {

struct UsdWriteOptions {
  std::string file = {};  ///< For messages.
  bool strict = false;    ///< Warnings become errors.
};

/// The motion as the text of a USD file (.usda) with the schemas of UsdSkel: a
/// SkelRoot "Limber" with a Skeleton, a SkelAnimation of one time sample a
/// frame, and a plain body, a capsule round every bone, so that any viewer
/// shows somebody. Metres, +Y up, frames as time codes from 0.
///
/// Joints are named by their path ("Hips/Spine"), in which characters that USD
/// does not take become "_" and like siblings get a number; `jointNames` keeps
/// the names as they are. End sites have no place in UsdSkel: they are ends of
/// the body. Numbers are floats: a joint of a body's size stays within 0.01 mm
/// and 0.001 degree. The same motion gives the same text.
///
/// Error kinds: "rate" (outside 1 to 10 000 frames per second), "too-far" (a
/// joint beyond 1e9 m).
Result<std::string> WriteUsda(const figure::Motion& motion,
                              const UsdWriteOptions& options);

}  // namespace limber::mocap
