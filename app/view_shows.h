// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/jobs.h"
#include "core/result.h"
#include "viewer/show.h"

namespace limber::app {

/// What of the files of `limber view` is seen, and how.
struct ShowOptions {
  LoadOptions load;
  std::filesystem::path figure;  ///< Of the clips; empty: made from them.
  /// Clips with other joints than the figure's get a body of their own instead
  /// of an error.
  bool figure_where_it_fits = false;
  /// Plays clips on the physical figure; empty: as they are.
  std::string mode;
  /// Clips can be played on the physical figure where that is possible.
  bool performs = false;
  bool side_by_side = false;
  viewer::Layers layers;
};

/// The clip that is played by a physical figure; null where there is none.
struct PerformedClip {
  std::shared_ptr<const figure::Motion> motion;
  std::shared_ptr<const figure::FigureModel> figure;
};

/// All files on one stage: one beside the other, or the first over the ghosts
/// of the others. A take beside a clip whose figure wears markers gets lines to
/// them.
/// @param performed  is filled where a single clip is performed; may be null.
Result<std::unique_ptr<viewer::Show>> MakeShows(
    const std::vector<std::filesystem::path>& files, const ShowOptions& options,
    PerformedClip* performed = nullptr);

/// A file that is shown by itself.
struct ShownFile {
  std::unique_ptr<viewer::Show> show;
  bool is_take = false;
  double rate_hz = 60.0;  ///< Of the file; of what is drawn for a scene.
  PerformedClip performed;
};

/// The shows of `MakeShows` one by one, all but the first as ghosts.
Result<std::vector<ShownFile>> MakeEachShow(
    const std::vector<std::filesystem::path>& files,
    const ShowOptions& options);

/// Folders replaced by what can be seen in them, in the order of the names.
/// Sets `is_list` if the files are to be seen one after another: where there is
/// a folder, or more than one scene.
Result<std::vector<std::filesystem::path>> ExpandFolders(
    const std::vector<std::filesystem::path>& files, bool* is_list);

}  // namespace limber::app
