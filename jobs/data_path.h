// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace limber::jobs {

/// The kinds of files that come with Limber, each a folder of its data.
inline constexpr std::string_view kFigures = "figures";
inline constexpr std::string_view kMarkerSets = "marker_sets";
inline constexpr std::string_view kScenes = "scenes";

/// Says where the data lies: the folder that holds `figures`, `marker_sets` and
/// `scenes`. Not needed by a program that was installed with it or that runs in
/// the source tree, nor by one that links the installed package.
void SetDataFolder(std::filesystem::path folder);

/// The file of a kind that `named` means: itself where there is such a file,
/// else, for a plain word such as "fat_man", the one of that name that comes
/// with Limber. It is looked for in the folder of `SetDataFolder`, in that of
/// the environment variable LIMBER_DATA, and in `share/limber` and `data`
/// beside the program and above. A name that means nothing is returned as it
/// is.
std::filesystem::path DataPath(std::string_view kind,
                               const std::filesystem::path& named);

/// The figure file that `named` means.
std::filesystem::path FigurePath(const std::filesystem::path& named);

/// The names of a kind that come with Limber, sorted; empty if they are not
/// found.
std::vector<std::string> DataNames(std::string_view kind);

#ifdef LIMBER_DATA_FOLDER
/// Set by the installed package: where it put the data.
inline const bool kHasInstalledData = (SetDataFolder(LIMBER_DATA_FOLDER), true);
#endif

}  // namespace limber::jobs
