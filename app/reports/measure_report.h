// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "app/reports/report.h"
#include "core/diagnostics.h"
#include "figure/figure_model.h"
#include "figure/motion.h"
#include "jobs/measure.h"

namespace limber::app {

/// What a clip measures, with its verdict.
/// @param input  how the report calls the clip.
Report MakeMeasureReport(const std::string& input,
                         const jobs::MeasuredClip& measured,
                         const Diagnostics& findings);

/// Shows the clip as its file has it, and the reference as a ghost.
/// @param reference  as its file has it; may be null.
/// @param figure     that the clip is on; may be null.
void AddMeasurePlayer(const jobs::MeasuredClip& measured,
                      const figure::Motion* reference,
                      std::shared_ptr<const figure::FigureModel> figure,
                      Report& report);

}  // namespace limber::app
