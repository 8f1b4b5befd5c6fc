// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/gltf.h"
#include "tests/fuzz/fuzz.h"

// A clip that is read can be written, alone and onto its own file, and read
// again.
LIMBER_FUZZ(gltf, bytes) {
  using namespace limber;
  const mocap::GltfReadOptions options{.file = "fuzz"};
  const Result<mocap::CharacterClip> clip = mocap::ReadGltf(bytes, options);
  if (!clip.ok()) return;
  const auto check = [&clip, &options](const Result<std::string>& written) {
    if (!written.ok()) return;
    const Result<mocap::CharacterClip> again =
        mocap::ReadGltf(*written, options);
    fuzz::Demand(again.ok(), "a written GLB is read", again.diagnostics());
    fuzz::Demand(again->motion.skeleton().num_joints() >=
                     clip->motion.skeleton().num_joints(),
                 "joints stay");
  };
  check(mocap::WriteGlb(clip->motion, {.file = "again"}));
  check(mocap::WriteGlbOnto(bytes, clip->motion, options, {.file = "onto"}));
}
