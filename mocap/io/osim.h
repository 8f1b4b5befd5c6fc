// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/result.h"
#include "mocap/osim_model.h"

namespace limber::mocap {

/// Reads bodies, markers and coordinates of an OpenSim model (.osim), in the
/// form of version 4 (JointSet with frames) or of versions 1 to 3 (joints
/// inside the bodies), or a marker set stored alone (.xml). Meshes, muscles
/// and forces are read past.
///
/// Errors: "xml" with the place for text that is no XML, "not-osim" for
/// another document. Warnings: "marker" for one without body or place, which
/// is left out; "joint" for one whose frames lead nowhere.
Result<OsimModel> ReadOsim(std::string_view text, std::string name);
Result<OsimModel> ReadOsimFile(const std::filesystem::path& path);

/// Reads which markers and coordinates OpenSim's inverse kinematics heeds, and
/// how much: an <IKTaskSet> alone, in the set-up of an inverse kinematics, or
/// in that of scaling (there the tasks of the marker placer).
///
/// Errors: "xml", "not-tasks" for another document. Warning "task" for one
/// without a name or a weight of 0 or more, or with a value that is no number
/// or stands in a file; it is left out.
Result<OsimTasks> ReadOsimTasks(std::string_view text, std::string name);
Result<OsimTasks> ReadOsimTasksFile(const std::filesystem::path& path);

}  // namespace limber::mocap
