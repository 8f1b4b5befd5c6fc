// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/load.h"
#include "core/result.h"
#include "viewer/show.h"

namespace limber::app {

/// What of the files of `limber view` is seen, and how.
struct ShowOptions {
  LoadOptions load;
  std::filesystem::path figure;  ///< Of the clips; empty: made from them.
  /// Plays clips on the physical figure; empty: as they are.
  std::string mode;
  /// Clips can be played on the physical figure where that is possible.
  bool performs = false;
  bool side_by_side = false;
  viewer::Layers layers;
};

/// All files on one stage: one beside the other, or the first over the ghosts
/// of the others. A take beside a clip whose figure wears markers gets lines to
/// them.
Result<std::unique_ptr<viewer::Show>> MakeShows(
    const std::vector<std::filesystem::path>& files,
    const ShowOptions& options);

/// Folders replaced by what can be seen in them, in the order of the names.
/// Sets `is_list` if the files are to be seen one after another: where there is
/// a folder, or more than one scene.
Result<std::vector<std::filesystem::path>> ExpandFolders(
    const std::vector<std::filesystem::path>& files, bool* is_list);

}  // namespace limber::app
