// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/result.h"
#include "figure/figure_model.h"
#include "figure/motion.h"
#include "jobs/formats.h"
#include "jobs/units.h"
#include "mocap/axis_convention.h"
#include "mocap/io/asf_amc.h"
#include "mocap/io/sto.h"
#include "mocap/marker_take.h"

namespace limber::jobs {

/// What the caller says about a file that the file may not say itself.
struct LoadOptions {
  bool strict = false;                  ///< Warnings become errors.
  std::optional<Unit> unit;             ///< Length unit of the file.
  std::optional<mocap::SignedAxis> up;  ///< Upward axis of the file.
  std::optional<double> rate_hz;        ///< AMC stores no rate [Hz].
  std::filesystem::path asf;            ///< Skeleton of an AMC, or empty.
  /// Bones of a pose file (NPZ), or empty: an NPZ with `J`, or a clip.
  std::filesystem::path offsets;
  std::string animation;  ///< Of a glTF: name or number; empty: the first.
};

/// The up axis of a skeletal file, which can only be a positive one.
/// @throws BadCall naming `option` for the other three.
figure::UpAxis PositiveAxis(mocap::SignedAxis axis, std::string_view option);

/// Something the file leaves open and `Load` decided.
struct Guess {
  std::string what;    ///< The key of `info`: "unit", "up_axis", "rate_hz".
  std::string value;   ///< What it was taken for.
  std::string reason;  ///< Why, in words.
  bool sure = false;
};

/// What files hold: markers, a clip, a skeleton, a body, or a table of numbers.
using Content =
    std::variant<mocap::MarkerTake, figure::Motion, mocap::AsfSkeleton,
                 figure::FigureModel, mocap::StoTable>;

struct LoadedFile {
  std::filesystem::path path;
  Format format = Format::kC3d;
  Content content;
  std::vector<Guess> guesses;
};

/// Reads a file of any known format. The content decides which one it is; where
/// it fits none, the name does, so that a damaged file gets the findings of its
/// own reader. A name that promises another format is a warning
/// ("extension-lies").
/// @throws BadCall if an option does not apply to the file's format, or an AMC
///         has no skeleton: neither `options.asf` nor one lying beside it.
Result<LoadedFile> Load(const std::filesystem::path& path,
                        const LoadOptions& options = {});

/// Reads the skeleton file `path` by the same rules.
Result<mocap::AsfSkeleton> LoadAsf(const std::filesystem::path& path,
                                   bool strict);

/// Adds the error "too-long" for a clip or a take that is too long, or has too
/// many frames per second, for jobs that need it as a whole.
void CheckTime(const figure::Motion& motion, Diagnostics& diagnostics);
void CheckTime(const mocap::MarkerTake& take, Diagnostics& diagnostics);

/// The clip of a BVH, AMC, glTF, FBX or NPZ file, its unit and axes guessed
/// where it does not say them; an error for any other content.
Result<figure::Motion> LoadClip(const std::filesystem::path& path);

/// The markers of a C3D or TRC file; an error for any other content.
Result<mocap::MarkerTake> LoadTake(const std::filesystem::path& path,
                                   const LoadOptions& options = {});

}  // namespace limber::jobs
