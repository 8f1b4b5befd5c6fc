// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "app/player/recording.h"
#include "app/reports/solve_report.h"

namespace limber::app {

/// The body of a take, its markers, and lines from where they are worn to where
/// they were seen.
std::optional<PlayerRecording> RecordSolved(const SolvedTake& solved);

}  // namespace limber::app
