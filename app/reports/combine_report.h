// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/reports/report.h"
#include "core/diagnostics.h"
#include "jobs/combine.h"

namespace limber::app {

/// Where clips were joined, and what the whole measures.
/// @param inputs  how the report calls the clips, in their order.
Report MakeCombineReport(const std::vector<std::string>& inputs,
                         const jobs::CombinedClips& combined,
                         const Diagnostics& findings);

/// Shows the clips as one.
void AddCombinePlayer(const jobs::CombinedClips& combined, Report& report);

}  // namespace limber::app
