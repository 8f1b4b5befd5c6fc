// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "mocap/io/osim.h"
#include "tests/fuzz/fuzz.h"

// Bodies come after their parents and lie at numbers.
LIMBER_FUZZ(osim, bytes) {
  using namespace limber;
  const Result<mocap::OsimModel> model = mocap::ReadOsim(bytes, "fuzz");
  if (!model.ok()) return;
  for (int i = 0; i < static_cast<int>(model->bodies.size()); ++i) {
    const mocap::OsimBody& body = model->bodies[static_cast<std::size_t>(i)];
    fuzz::Demand(body.parent >= -1 && body.parent < i,
                 "parents come before children");
    fuzz::Demand(body.X_GB.p.allFinite() && body.X_GB.R.coeffs().allFinite(),
                 "bodies lie at numbers");
  }
  fuzz::Demand(std::ranges::all_of(model->markers,
                                   [](const mocap::OsimMarker& marker) {
                                     return marker.p_BM.allFinite();
                                   }),
               "markers lie at numbers");
}
