// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "mocap/io/sto.h"
#include "tests/fuzz/fuzz.h"

// Angles and forces of OpenSim: .mot and .sto.
LIMBER_FUZZ(sto, bytes) {
  using namespace limber;
  const Result<mocap::StoTable> table = mocap::ReadSto(bytes, "fuzz");
  if (!table.ok()) return;
  (void)table->rate_hz();
  const Result<std::string> text = mocap::FormatSto(*table, "again");
  fuzz::Demand(text.ok(), "a table that was read can be written",
               text.diagnostics());
  const Result<mocap::StoTable> again = mocap::ReadSto(*text, "again");
  fuzz::Demand(again.ok() && again.diagnostics().all().empty(),
               "a written table is read", again.diagnostics());
  fuzz::Demand(again->num_rows() == table->num_rows() &&
                   again->labels == table->labels &&
                   again->name == table->name &&
                   again->in_degrees == table->in_degrees,
               "rows, columns and names stay");
}
