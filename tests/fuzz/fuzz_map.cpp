// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/joint_map.h"
#include "tests/fuzz/fuzz.h"

LIMBER_FUZZ(map, bytes) {
  const limber::fuzz::MemoryFile file(bytes);
  (void)limber::mocap::ReadMapFile(file.path());
}
