// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/load.h"
#include "app/report.h"
#include "core/result.h"
#include "figure/body_plan.h"
#include "figure/figure_model.h"
#include "figure/motion.h"

namespace limber::app {

/// A clip of a human body, with its parts found by name.
struct BodyClip {
  figure::Motion motion;
  std::vector<figure::Role> roles;
  figure::BodyPlan plan;
  std::vector<Guess> guesses;
  /// As the file has it, where that is another skeleton than `motion`'s.
  std::optional<figure::Motion> own;
};

/// The rate that flights show, where it is another one than the clip's and the
/// user has said none: applied, and added to the guesses.
void MendRate(const LoadOptions& options, BodyClip& clip);

/// Loads a clip whose joints are a human body. Error kinds beside those of the
/// reader: "no-motion" (the file holds markers or a bare skeleton),
/// "no-frames", "no-body" (no pelvis with two legs among the joints, with their
/// names).
Result<BodyClip> LoadBodyClip(const std::filesystem::path& path,
                              const LoadOptions& options);

/// What clips are measured against.
struct ClipReference {
  const BodyClip* clip = nullptr;
  /// Height of the floor of the measured clip; without it the reference's,
  /// carried over [m].
  std::optional<double> floor;
  /// Whether joints of the same name mean the same and are compared.
  bool compare_joints = true;
};

/// Adds the metrics of a clip to a report: stance speed and drift, penetration,
/// jerk. With a reference, stances are those of the reference, and ratios and
/// joint errors come in.
void AddClipMetrics(const BodyClip& clip, const ClipReference& reference,
                    Report& report);

/// Adds how far the clip leaves the limits of the figure it is on.
void AddLimitMetrics(const figure::FigureModel& figure,
                     const figure::Motion& motion, Report& report);

/// "unit cm, +Y up, 60 Hz by flights": what was guessed of a clip; what is a
/// mere guess says so.
std::string GuessText(const std::vector<Guess>& guesses);

}  // namespace limber::app
