// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/asf_amc.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/test_data.h"

LIMBER_FUZZ(amc, bytes) {
  using namespace limber;
  static const mocap::AsfSkeleton asf =
      mocap::ReadAsfFile(test::BundledData("clips/chain.asf")).value();
  const Result<figure::Motion> motion =
      mocap::ReadAmc(bytes, asf, {.rate_hz = 120.0});
  if (!motion.ok()) return;
  const Result<std::string> text = mocap::WriteAmc(*motion, asf);
  if (!text.ok()) return;
  const Result<figure::Motion> again =
      mocap::ReadAmc(*text, asf, {.rate_hz = 120.0});
  fuzz::Demand(again.ok(), "a written AMC is read", again.diagnostics());
  fuzz::Demand(again->num_frames() == motion->num_frames(), "frames stay");
}
