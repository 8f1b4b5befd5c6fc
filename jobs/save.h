// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "core/diagnostics.h"
#include "figure/figure_model.h"
#include "figure/motion.h"
#include "jobs/load.h"
#include "mocap/io/asf_amc.h"
#include "mocap/io/sto.h"
#include "mocap/marker_take.h"

namespace limber::jobs {

/// Refuses endings that `WriteClip` cannot write. @throws BadCall.
void CheckClipPath(const std::filesystem::path& path);

struct ClipOutput {
  std::filesystem::path file;  ///< .bvh, .glb, .npz or .usda.
  /// The character that a GLB shows: a glTF file on whose skeleton the motion
  /// is. Any other file, or none, gives a plain body.
  std::filesystem::path character = {};
  LoadOptions load = {};  ///< As the character was read.
};

/// Writes a clip by the name's ending. A GLB of a character is its own file
/// with one animation more, called after the output; where the motion is on
/// another skeleton a plain body is written, with the warning
/// "character-left-out".
Diagnostics WriteClip(const ClipOutput& output, const figure::Motion& motion);

/// Writes a clip by the name's ending: .bvh, .glb, .npz, .usda, or .amc with
/// the .asf that it needs beside it. The file has the unit, axes and channels
/// that `motion.source()` says, where the format can.
/// @throws BadCall for another ending, with the valid ones.
Diagnostics Save(const figure::Motion& motion,
                 const std::filesystem::path& path);

/// Writes a take as .c3d or .trc; a TRC is +Y up, and what it cannot hold is a
/// warning ("left-out"). @throws BadCall for another ending.
Diagnostics Save(const mocap::MarkerTake& take,
                 const std::filesystem::path& path);

/// Writes a figure as .json, a skeleton as .asf, a table as .sto or .mot.
/// @throws BadCall for another ending.
Diagnostics Save(const figure::FigureModel& figure,
                 const std::filesystem::path& path);
Diagnostics Save(const mocap::AsfSkeleton& skeleton,
                 const std::filesystem::path& path);
Diagnostics Save(const mocap::StoTable& table,
                 const std::filesystem::path& path);
Diagnostics Save(const Content& content, const std::filesystem::path& path);

/// The skeleton written for an AMC file: the same name with .asf.
std::filesystem::path AsfPathOf(const std::filesystem::path& amc);

/// Adds the warning "left-out" for what a TRC file cannot hold of a take.
void WarnOfTrcLoss(const mocap::MarkerTake& take, Diagnostics& diagnostics);

}  // namespace limber::jobs
