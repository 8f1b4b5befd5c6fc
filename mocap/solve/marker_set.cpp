// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/marker_set.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "mocap/solve/internal/bare_labels.h"
#include "mocap/solve/landmarks.h"

namespace limber::mocap {

namespace {

/// The share of a set that must be there, and the least body that can be
/// solved.
constexpr double kLeastScore = 0.5;
constexpr double kLeastOfTake = 0.8;
constexpr int kLeastMarkers = 8;
constexpr int kLeastPelvisMarkers = 2;

char Upper(char c) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
}

std::string_view WithoutSubject(std::string_view label) {
  const std::size_t colon = label.rfind(':');
  return colon == std::string_view::npos ? label : label.substr(colon + 1);
}

std::string List(const std::vector<std::string>& words, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i) {
    text += (i == 0 ? "" : ", ") + words[i];
  }
  if (words.size() > most) {
    text += " and " + std::to_string(words.size() - most) + " more";
  }
  return text;
}

std::vector<std::string> Lacking(const MarkerSet& set,
                                 const MarkerMatch& match) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < set.markers.size(); ++i) {
    if (match.columns[i] < 0) labels.push_back(set.markers[i].label);
  }
  return labels;
}

/// Whether the matched markers hold enough of a body: half of the set, or
/// nearly all that the take has.
bool IsEnough(const MarkerSet& set, const MarkerMatch& match,
              const MarkerTake& take) {
  int labelled = 0;
  for (int column = 0; column < take.num_markers(); ++column) {
    if (take.kind(column) == PointKind::kMarker &&
        !IsUnlabelled(take.labels()[column])) {
      ++labelled;
    }
  }
  const bool is_most_of_take =
      match.num_matched >= kLeastOfTake * double(labelled);
  int pelvis = 0;
  for (std::size_t i = 0; i < set.markers.size(); ++i) {
    if (match.columns[i] >= 0 && set.markers[i].segment == kPelvis) ++pelvis;
  }
  return match.num_matched >= kLeastMarkers && pelvis >= kLeastPelvisMarkers &&
         (match.score >= kLeastScore || is_most_of_take);
}

}  // namespace

std::string PlainLabel(std::string_view label) {
  std::string plain;
  for (const char c : WithoutSubject(label)) {
    if (c == ' ' || c == '.' || c == '-' || c == '_' || c == '\0') continue;
    plain += Upper(c);
  }
  return plain;
}

std::string SubjectOf(std::string_view label) {
  const std::size_t colon = label.rfind(':');
  return std::string(colon == std::string_view::npos ? std::string_view()
                                                     : label.substr(0, colon));
}

bool IsUnlabelled(std::string_view label) {
  std::string plain = PlainLabel(label);
  if (plain.empty() || plain.front() == '*') return true;
  constexpr std::array<std::string_view, 5> kWords = {
      "UNLABELED", "UNLABELLED", "UNNAMED", "UNIDENTIFIED", "MARKER"};
  for (const std::string_view word : kWords) {
    if (plain.starts_with(word)) plain.erase(0, word.size());
  }
  return std::ranges::all_of(plain, [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

std::vector<NamedColumn> NameColumns(
    const MarkerTake& take, const std::optional<std::string>& subject) {
  const std::vector<std::int64_t> missing = take.MissingPerMarker();
  // Whether two columns are ever seen at one time in two places.
  const auto are_apart = [&take](int a, int b) {
    for (std::int64_t t = 0; t < take.num_frames(); ++t) {
      if (take.IsVisible(t, a) && take.IsVisible(t, b) &&
          take.Position(t, a) != take.Position(t, b)) {
        return true;
      }
    }
    return false;
  };
  std::vector<NamedColumn> columns;
  // Indices into `columns` of the markers under one label.
  std::map<std::string, std::vector<std::size_t>> same;
  for (int column = 0; column < take.num_markers(); ++column) {
    const std::string& label = take.labels()[column];
    if (take.kind(column) != PointKind::kMarker) continue;
    if (subject && SubjectOf(label) != *subject) continue;
    const std::string name(WithoutSubject(label));
    if (IsUnlabelled(name)) {
      columns.push_back({column, name});
      continue;
    }
    std::vector<std::size_t>& others = same[PlainLabel(label)];
    const auto twin = std::ranges::find_if(others, [&](std::size_t k) {
      return !are_apart(columns[k].column, column);
    });
    if (twin != others.end()) {
      NamedColumn& kept = columns[*twin];
      if (missing[column] < missing[kept.column]) kept.column = column;
      continue;
    }
    others.push_back(columns.size());
    columns.push_back(
        {column, others.size() == 1
                     ? name
                     : name + "#" + std::to_string(others.size())});
  }
  return columns;
}

namespace {

/// The columns of a take by their labels, whole and without what most labels
/// begin or end with.
std::map<std::string, int> ColumnsByLabel(
    const MarkerTake& take, const std::optional<std::string>& subject) {
  const std::vector<NamedColumn> columns = NameColumns(take, subject);
  const internal::BareLabels bare(columns);
  std::map<std::string, int> column_of;
  for (const NamedColumn& named : columns) {
    column_of.try_emplace(PlainLabel(named.name), named.column);
    column_of.try_emplace(PlainLabel(bare(named.name)), named.column);
  }
  return column_of;
}

MarkerMatch MatchColumns(const MarkerSet& set,
                         const std::map<std::string, int>& column_of,
                         const std::optional<std::string>& subject) {
  MarkerMatch match;
  match.subject = subject.value_or("");
  match.columns.assign(set.markers.size(), -1);
  std::set<int> taken;
  // Labels first, so that an alias never takes the column of another marker.
  for (const bool by_alias : {false, true}) {
    for (std::size_t i = 0; i < set.markers.size(); ++i) {
      if (match.columns[i] >= 0) continue;
      std::vector<std::string> names = {set.markers[i].label};
      if (by_alias) names = set.markers[i].aliases;
      for (const std::string& name : names) {
        const auto found = column_of.find(PlainLabel(name));
        if (found == column_of.end() || !taken.insert(found->second).second) {
          continue;
        }
        match.columns[i] = found->second;
        ++match.num_matched;
        break;
      }
    }
  }
  match.score =
      static_cast<double>(match.num_matched) / double(set.markers.size());
  return match;
}

}  // namespace

MarkerMatch MatchMarkers(const MarkerSet& set, const MarkerTake& take,
                         const std::optional<std::string>& subject) {
  return MatchColumns(set, ColumnsByLabel(take, subject), subject);
}

std::vector<std::string> FindSubjects(std::span<const MarkerSet> sets,
                                      const MarkerTake& take) {
  std::set<std::string> subjects;
  for (int column = 0; column < take.num_markers(); ++column) {
    if (take.kind(column) == PointKind::kMarker) {
      subjects.insert(SubjectOf(take.labels()[column]));
    }
  }
  std::vector<std::pair<int, std::string>> counts;
  int most = 0;
  for (const std::string& subject : subjects) {
    int best = 0;
    const std::map<std::string, int> column_of = ColumnsByLabel(take, subject);
    for (const MarkerSet& set : sets) {
      best = std::max(best, MatchColumns(set, column_of, subject).num_matched);
    }
    int named = 0;
    const std::vector<NamedColumn> columns = NameColumns(take, subject);
    const internal::BareLabels bare(columns);
    for (const NamedColumn& column : columns) {
      named += ReadLabel(bare(column.name)).empty() ? 0 : 1;
    }
    best = std::max(best, named);
    most = std::max(most, best);
    counts.emplace_back(best, subject);
  }
  std::vector<std::string> found;
  for (const auto& [count, subject] : counts) {
    if (count >= kLeastMarkers && 2 * count >= most) found.push_back(subject);
  }
  return found;
}

Result<RecognisedSet> RecogniseMarkerSet(
    std::span<const MarkerSet> sets, const MarkerTake& take,
    const std::string& file, const std::optional<std::string>& subject) {
  Diagnostics diagnostics(file);
  std::optional<std::string> chosen = subject;
  const std::vector<std::string> subjects = FindSubjects(sets, take);
  if (!subject && subjects.size() > 1) {
    diagnostics.Error("several-subjects", {},
                      "the take has several subjects (" + List(subjects, 8) +
                          "); choose one with --subject");
    return Result<RecognisedSet>(std::move(diagnostics));
  }
  if (!subject && subjects.size() == 1) chosen = subjects.front();
  RecognisedSet best;
  const std::map<std::string, int> column_of = ColumnsByLabel(take, chosen);
  for (const MarkerSet& set : sets) {
    MarkerMatch match = MatchColumns(set, column_of, chosen);
    const bool is_better = best.set == nullptr ||
                           match.score > best.match.score ||
                           (match.score == best.match.score &&
                            match.num_matched > best.match.num_matched);
    if (is_better) best = {&set, std::move(match)};
  }
  if (best.set == nullptr) {
    diagnostics.Error("no-marker-set", {}, "no marker sets to choose from");
    return Result<RecognisedSet>(std::move(diagnostics));
  }
  if (subject && best.match.num_matched == 0) {
    diagnostics.Error("no-subject", {},
                      "no label begins with \"" + *subject +
                          ":\" and fits a "
                          "marker set; subjects that do: " +
                          (subjects.empty() ? "none" : List(subjects, 8)));
    return Result<RecognisedSet>(std::move(diagnostics));
  }
  if (!IsEnough(*best.set, best.match, take)) {
    std::vector<std::string> labels;
    for (int column = 0; column < take.num_markers(); ++column) {
      if (take.kind(column) == PointKind::kMarker) {
        labels.push_back(take.labels()[column]);
      }
    }
    diagnostics.Error(
        "no-marker-set", {},
        "the labels fit no known marker set: nearest is " + best.set->name +
            " with " + std::to_string(best.match.num_matched) + " of " +
            std::to_string(best.set->markers.size()) + " markers (lacking " +
            List(Lacking(*best.set, best.match), 6) + "). The take has " +
            List(labels, 6) +
            ". A body needs at least 8 markers with 2 on the pelvis; describe "
            "another set with --marker-set FILE, or let `limber marker-set "
            "--from STATIC` propose one from a T-pose or standing pose");
    return Result<RecognisedSet>(std::move(diagnostics));
  }
  if (best.match.num_matched < static_cast<int>(best.set->markers.size())) {
    diagnostics.Warning("markers-lacking", {},
                        "marker set " + best.set->name + " recognised, " +
                            std::to_string(best.match.num_matched) + " of " +
                            std::to_string(best.set->markers.size()) +
                            " markers; not in the take: " +
                            List(Lacking(*best.set, best.match), 12));
  }
  return {std::move(best), std::move(diagnostics)};
}

}  // namespace limber::mocap
