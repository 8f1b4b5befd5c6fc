// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace limber::app::batch {
struct Program;
}  // namespace limber::app::batch

namespace limber::app {

/// Work that a parsed command line asked for; returns an ExitCode of
/// app/exit_code.h.
using Job = std::function<int()>;

/// Each command adds itself to the parser; when the command is on the command
/// line, its job is put into `job`.
/// @param program  runs the jobs of the batch.
void AddBatch(CLI::App& app, Job& job, const batch::Program& program);
void AddInfo(CLI::App& app, Job& job);
void AddConvert(CLI::App& app, Job& job);
void AddEdit(CLI::App& app, Job& job);
void AddCombine(CLI::App& app, Job& job);
void AddFigure(CLI::App& app, Job& job);
void AddMarkerSet(CLI::App& app, Job& job);
void AddMarkers(CLI::App& app, Job& job);
void AddMeasure(CLI::App& app, Job& job);
void AddPage(CLI::App& app, Job& job);
/// @param program  does each of several clips.
void AddRetarget(CLI::App& app, Job& job, const batch::Program& program);
void AddSimulate(CLI::App& app, Job& job);
void AddSolve(CLI::App& app, Job& job);
/// Only where the viewer is built.
void AddView(CLI::App& app, Job& job);

}  // namespace limber::app
