// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics.h"
#include "core/result.h"
#include "mocap/marker_take.h"
#include "mocap/solve/body.h"

namespace limber::mocap {

/// One marker of a set: what it is called and about where it sits.
struct SetMarker {
  std::string label;
  std::vector<std::string> aliases;
  int segment = 0;
  /// p_JM on the reference body (1.75 m, T-pose) [m]: where calibration starts
  /// and, with `spread`, what it falls back to.
  Vector3 at = Vector3::Zero();
  double spread = 0.03;  ///< Standard deviation of `at` [m], positive.
  double weight = 1.0;   ///< Trust relative to the others, positive.
};

/// Which markers a laboratory puts where.
struct MarkerSet {
  std::string name;
  std::string description;
  std::vector<SetMarker> markers;
};

/// Reads a marker-set file:
///
///     {"marker_set": "mine", "description": "...", "markers": [
///       {"label": "LKNE", "aliases": ["LKNEE"], "segment": "left-upper-leg",
///        "at": [0.055, -0.42, 0], "spread": 0.03, "weight": 1}]}
///
/// aliases, spread and weight may be left out. Errors have line and column.
Result<MarkerSet> ParseMarkerSet(std::string_view text,
                                 const std::string& file);
Result<MarkerSet> ReadMarkerSet(const std::filesystem::path& path);
/// The same form; reading it gives the same set to 0.1 mm.
std::string FormatMarkerSet(const MarkerSet& set);

/// Writes `FormatMarkerSet` to a file, unless its reader would refuse it; the
/// diagnostics hold the reason if it could not be done.
Diagnostics WriteMarkerSet(const std::filesystem::path& path,
                           const MarkerSet& set);

/// The sets of data/marker_sets, which are part of the library.
const std::vector<MarkerSet>& BuiltInMarkerSets();

/// A label without "Subject:" and without blanks, dots, hyphens, underscores,
/// in upper case: how labels are compared.
std::string PlainLabel(std::string_view label);
/// What stands before the last colon; empty without one.
std::string SubjectOf(std::string_view label);
/// Whether a label says that nobody named the track: "*115", "Unlabeled 12",
/// "Marker7", a number, nothing.
bool IsUnlabelled(std::string_view label);

/// A column of a take by its label without the subject.
struct NamedColumn {
  int column = 0;
  std::string name;  ///< "RTHI"; "RTHI#2" for the second marker of that name.
};
/// The points of kind marker, of `subject` only if it is given. Columns under
/// one label are different markers if they are ever seen apart at one time;
/// otherwise they are copies or pieces of one, and the fullest is taken.
std::vector<NamedColumn> NameColumns(const MarkerTake& take,
                                     const std::optional<std::string>& subject);

/// Which column of a take belongs to which marker of a set.
struct MarkerMatch {
  std::string subject;       ///< Prefix of the labels; may be empty.
  std::vector<int> columns;  ///< Per marker of the set; -1 = not in the take.
  int num_matched = 0;
  double score = 0.0;  ///< Share of the set that was found, in [0, 1].
  /// Tracks that are seen but go with no segment, and are no props.
  int num_left_out = 0;
};

/// Matches by label and aliases among points of kind marker, of `subject` only
/// if it is given, under the names that `NameColumns` gives.
MarkerMatch MatchMarkers(const MarkerSet& set, const MarkerTake& take,
                         const std::optional<std::string>& subject);

/// The subjects whose labels fit a set or name landmarks: prefixes with at
/// least half of the markers of the best one.
std::vector<std::string> FindSubjects(std::span<const MarkerSet> sets,
                                      const MarkerTake& take);

/// The set that fits best with its match. Errors: "no-marker-set" when less
/// than half of any set, or too little of the body, is there (says which came
/// nearest and what it lacks), "several-subjects", "no-subject".
struct RecognisedSet {
  const MarkerSet* set = nullptr;
  MarkerMatch match;
};
Result<RecognisedSet> RecogniseMarkerSet(
    std::span<const MarkerSet> sets, const MarkerTake& take,
    const std::string& file, const std::optional<std::string>& subject);

}  // namespace limber::mocap
