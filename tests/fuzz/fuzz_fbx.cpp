// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/fbx.h"

#include "mocap/io/bvh.h"
#include "mocap/io/gltf.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace limber;

void TryBvh(const figure::Motion& motion) {
  const Result<std::string> text = mocap::WriteBvh(motion);
  if (!text.ok()) return;  // Numbers that no BVH holds.
  const Result<figure::Motion> again =
      mocap::ReadBvh(*text, {1.0, figure::UpAxis::kY});
  fuzz::Demand(again.ok(), "a written BVH is read", again.diagnostics());
  fuzz::Demand(
      again->num_frames() == motion.num_frames() &&
          again->skeleton().num_joints() == motion.skeleton().num_joints(),
      "frames and joints stay in BVH");
}

void TryGlb(const figure::Motion& motion) {
  const Result<std::string> bytes = mocap::WriteGlb(motion, {.file = "again"});
  if (!bytes.ok()) return;
  const Result<mocap::CharacterClip> again =
      mocap::ReadGltf(*bytes, {.file = "again"});
  fuzz::Demand(again.ok(), "a written GLB is read", again.diagnostics());
  fuzz::Demand(
      again->motion.skeleton().num_joints() >= motion.skeleton().num_joints(),
      "joints stay in GLB");
}

}  // namespace

// What another process makes of the bytes is finite, can be written as BVH and
// as GLB, and is read again.
LIMBER_FUZZ(fbx, bytes) {
  const Result<mocap::CharacterClip> clip =
      mocap::ReadFbx(bytes, {.file = "fuzz"});
  if (!clip.ok()) {
    fuzz::Demand(clip.diagnostics().has_errors(), "a refusal says why");
    return;
  }
  const figure::Motion& motion = clip->motion;
  for (std::int64_t frame = 0; frame < motion.num_frames(); ++frame) {
    for (const Transform& X :
         figure::WorldTransforms(motion.skeleton(), motion.pose(frame))) {
      fuzz::Demand(X.p.allFinite() && X.R.coeffs().allFinite(),
                   "every joint is somewhere");
    }
  }
  TryBvh(motion);
  TryGlb(motion);
}
