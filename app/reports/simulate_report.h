// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/reports/report.h"
#include "figure/dynamic/scene/simulate.h"

namespace limber::app {

/// Puts what came of a scene into its report: criteria, gaps, and what each
/// figure did.
/// @param took  wall time of the play [s].
void FillSceneReport(const figure::FigureScene& scene,
                     const figure::SceneOutcome& outcome, double took,
                     Report& report);

}  // namespace limber::app
