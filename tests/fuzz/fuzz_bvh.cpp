// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/bvh.h"
#include "tests/fuzz/fuzz.h"

// What is read can be written, and what is written can be read.
LIMBER_FUZZ(bvh, bytes) {
  using namespace limber;
  Result<mocap::BvhDocument> document = mocap::ParseBvh(bytes);
  if (!document.ok()) return;
  const mocap::BvhUnitsGuess guess = mocap::GuessBvhUnits(*document);
  const figure::Motion motion =
      mocap::MakeMotion(std::move(document).value(), guess.units);
  const Result<std::string> text = mocap::WriteBvh(motion);
  if (!text.ok()) return;
  const Result<figure::Motion> again = mocap::ReadBvh(*text, guess.units);
  fuzz::Demand(again.ok(), "a written BVH is read", again.diagnostics());
  fuzz::Demand(
      again->num_frames() == motion.num_frames() &&
          again->skeleton().num_joints() == motion.skeleton().num_joints(),
      "frames and joints stay");
}
