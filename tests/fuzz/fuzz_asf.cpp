// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/asf_amc.h"
#include "mocap/io/asf_writer.h"
#include "tests/fuzz/fuzz.h"

LIMBER_FUZZ(asf, bytes) {
  using namespace limber;
  const Result<mocap::AsfSkeleton> asf = mocap::ReadAsf(bytes);
  if (!asf.ok()) return;
  const Result<mocap::AsfSkeleton> again =
      mocap::ReadAsf(mocap::WriteAsf(*asf));
  fuzz::Demand(again.ok(), "a written ASF is read", again.diagnostics());
  fuzz::Demand(again->skeleton->num_joints() == asf->skeleton->num_joints(),
               "joints stay");
}
