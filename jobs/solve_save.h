// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "figure/motion.h"
#include "jobs/solve.h"
#include "mocap/io/sto.h"

namespace limber::jobs {

/// Refuses endings that `Save` cannot write of a solved take. @throws BadCall.
void CheckMotionPath(const std::filesystem::path& path);

/// The solution as a motion that files hold in centimetres.
figure::Motion MotionOf(const SolvedTake& solved);

/// Writes by the name's ending: .bvh, .glb, .npz, .usda, .amc with the .asf
/// that it needs beside it, .csv for joint angles, .mot or .sto for OpenSim's
/// coordinates. @throws BadCall for another ending.
Diagnostics Save(const SolvedTake& solved, const std::filesystem::path& path);

/// All files that `Save` writes for this one.
std::vector<std::filesystem::path> FilesOfMotion(
    const std::filesystem::path& path);

/// Time, pelvis position [m] and three angles per joint [deg] as CSV; those of
/// joints from the neutral pose.
std::string FormatAngles(const SolvedTake& solved);

/// OpenSim's coordinates in degrees and metres; those of joints from the
/// neutral pose.
mocap::StoTable OpenSimTable(const SolvedTake& solved);

}  // namespace limber::jobs
