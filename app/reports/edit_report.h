// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "app/reports/report.h"
#include "figure/dynamic/edit.h"

namespace limber::app {

/// Puts what an edit did into its report: where it differs from the clip, the
/// torques, saturation, contacts and help of the root over time, and what each
/// segment, goal and prop did.
void FillEditReport(const figure::EditResult& result,
                    const figure::FigureModel& model,
                    std::span<const figure::EditEvent> events, double seconds,
                    Report& report);

/// The largest angle of a joint to the clip in any frame [deg].
double LargestDifference(const figure::EditResult& result);

}  // namespace limber::app
