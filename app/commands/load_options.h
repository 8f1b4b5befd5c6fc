// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <limits>
#include <optional>
#include <string>

#include "app/jobs.h"

namespace limber::app {

/// Adds --strict, --unit, --up, --rate, --asf, --offsets and --animation, which
/// fill `options` while the command line is parsed.
void AddLoadOptions(CLI::App& command, LoadOptions& options);

/// Adds --force, which lets an output overwrite an input or another output.
void AddForceOption(CLI::App& command, bool& force);

/// A CLI11 option whose value is a unit or an axis, with a message that lists
/// the valid ones.
void AddUnitOption(CLI::App& command, const std::string& name,
                   std::optional<Unit>& unit, const std::string& help);
void AddAxisOption(CLI::App& command, const std::string& name,
                   std::optional<mocap::SignedAxis>& axis,
                   const std::string& help);

/// Refuses what is no number above 0 and at most `most`, in these words.
CLI::Validator PositiveNumber(double most = std::numeric_limits<double>::max());

}  // namespace limber::app
