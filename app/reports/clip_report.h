// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/jobs.h"
#include "app/reports/report.h"
#include "figure/figure_model.h"
#include "figure/motion.h"
#include "jobs/body_clip.h"
#include "jobs/measure.h"

namespace limber::app {

using jobs::BodyClip;
using jobs::ClipReference;
using jobs::LoadBodyClip;
using jobs::MendRate;

/// Adds the metrics of a clip to a report: stance speed and drift, penetration,
/// jerk. With a reference, stances are those of the reference, and ratios and
/// joint errors come in.
void AddClipMetrics(const BodyClip& clip, const ClipReference& reference,
                    Report& report);

/// The same of measures that were taken.
void AddClipMetrics(const jobs::ClipMetrics& metrics, Report& report);

/// Adds how far the clip leaves the limits of the figure it is on.
void AddLimitMetrics(const figure::FigureModel& figure,
                     const figure::Motion& motion, Report& report);

/// "unit cm, +Y up, 60 Hz by flights": what was guessed of a clip; what is a
/// mere guess says so.
std::string GuessText(const std::vector<Guess>& guesses);

}  // namespace limber::app
