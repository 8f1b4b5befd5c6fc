// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/c3d.h"
#include "tests/fuzz/fuzz.h"

LIMBER_FUZZ(c3d, bytes) {
  using namespace limber;
  const Result<mocap::MarkerTake> take = mocap::ReadC3d(bytes, "fuzz");
  if (!take.ok()) return;
  const Result<std::string> text = mocap::FormatC3d(*take);
  if (!text.ok()) return;
  const Result<mocap::MarkerTake> again = mocap::ReadC3d(*text, "again");
  fuzz::Demand(again.ok(), "a written C3D is read", again.diagnostics());
  fuzz::Demand(again->num_frames() == take->num_frames() &&
                   again->num_markers() == take->num_markers(),
               "frames and markers stay");
}
