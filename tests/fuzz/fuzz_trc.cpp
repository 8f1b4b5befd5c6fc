// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/trc.h"
#include "tests/fuzz/fuzz.h"

LIMBER_FUZZ(trc, bytes) {
  using namespace limber;
  const Result<mocap::MarkerTake> take = mocap::ReadTrc(bytes, "fuzz");
  if (!take.ok()) return;
  const Result<mocap::MarkerTake> again =
      mocap::ReadTrc(mocap::FormatTrc(*take), "again");
  fuzz::Demand(again.ok(), "a written TRC is read", again.diagnostics());
  fuzz::Demand(again->num_frames() == take->num_frames() &&
                   again->num_markers() == take->num_markers(),
               "frames and markers stay");
}
