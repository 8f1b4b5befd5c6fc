// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <limber/core/math.h>
#include <limber/mocap/io/bvh.h>
#include <cstdio>

int main() {
  const char* text =
      "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\n}\n"
      "MOTION\nFrames: 2\nFrame Time: 0.01\n10\n20\n";
  const limber::Result<limber::figure::Motion> motion =
      limber::mocap::ReadBvh(text, {1.0, limber::figure::UpAxis::kY});
  std::printf("%d frames of %d joint\n", int(motion->num_frames()),
              motion->skeleton().num_joints());
}
