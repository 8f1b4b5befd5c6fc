// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/solve_report.h"
#include "core/diagnostics.h"
#include "figure/motion.h"
#include "mocap/io/sto.h"

namespace limber::app {

/// Refuses endings that `WriteMotion` cannot write. @throws BadCall.
void CheckMotionPath(const std::filesystem::path& path);

/// The solution as a motion that files hold in centimetres.
figure::Motion MotionForFiles(const SolvedTake& solved);

/// Writes by the name's ending: .bvh, .glb, .npz, .usda, .amc with the .asf
/// that it needs beside it, .csv for joint angles, .mot or .sto for OpenSim's
/// coordinates.
Diagnostics WriteMotion(const std::filesystem::path& path,
                        const figure::Motion& motion, const SolvedTake& solved);

/// All files that `WriteMotion` writes for this one.
std::vector<std::filesystem::path> FilesOfMotion(
    const std::filesystem::path& path);

/// The skeleton written for an AMC file: the same name with .asf.
std::filesystem::path AsfPathOf(const std::filesystem::path& amc);

/// "  wrote out.amc and its skeleton out.asf (...)\n".
std::string WrittenLine(const std::filesystem::path& path,
                        const SolvedTake& solved);

/// Time, pelvis position [m] and three angles per joint [deg] as CSV; those of
/// joints from the neutral pose.
std::string FormatAngles(const SolvedTake& solved);

/// OpenSim's coordinates in degrees and metres; those of joints from the
/// neutral pose.
mocap::StoTable OpenSimTable(const SolvedTake& solved);

/// The height of --floor, or nothing for "found" and for no word at all.
/// @throws BadCall for other words.
std::optional<double> ParseFloor(const std::string& floor);

/// Finds the floor and, if `floor` is "found" or a height in metres, moves the
/// solution so that the floor is at 0. @throws BadCall for other words.
void ApplyFloor(const std::string& floor, SolvedTake& solved);

}  // namespace limber::app
