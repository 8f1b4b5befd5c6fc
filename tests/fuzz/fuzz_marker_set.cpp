// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <span>

#include "mocap/io/c3d.h"
#include "mocap/solve/calibrate.h"
#include "mocap/solve/marker_set.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/test_data.h"

// A set that is read can be written, and tried on a take.
LIMBER_FUZZ(marker_set, bytes) {
  using namespace limber;
  static const mocap::MarkerTake take =
      mocap::ReadC3d(test::BundledData("takes/march.c3d")).value();
  const Result<mocap::MarkerSet> set = mocap::ParseMarkerSet(bytes, "fuzz");
  if (!set.ok()) return;
  const Result<mocap::MarkerSet> again =
      mocap::ParseMarkerSet(mocap::FormatMarkerSet(*set), "again");
  fuzz::Demand(again.ok(), "a written marker set is read", again.diagnostics());
  const Result<mocap::RecognisedSet> match = mocap::RecogniseMarkerSet(
      std::span(&*set, 1), take, "take", std::nullopt);
  if (!match.ok()) return;
  (void)mocap::PrepareTake(take, *set, match->match, "take");
}
