// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/draft.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

#include "mocap/solve/internal/bare_labels.h"

namespace limber::mocap::internal {

namespace {

/// Three markers tell how a segment is turned; more are not missed.
constexpr int kEnough = 3;
/// A set of which this share is there leaves no markers to be looked for among
/// tracks with other names, which are then computed points, forces, toys.
constexpr double kCompleteSet = 0.9;
/// With this many times as many points as the set has markers, the others are
/// no markers.
constexpr double kMostBeside = 1.5;
/// Nameless tracks seen less than this are pieces: the tracker joins those.
constexpr double kLongTrack = 0.6;
/// The same where nothing has a name.
constexpr double kShortTrack = 0.2;

/// A word that several schools use for different places ("hip", "SH") is read
/// as the one whose segment has the fewest markers without it.
void ResolveAmbiguous(std::vector<Draft>& drafts) {
  std::array<int, kNumSegments> count{};
  const auto is_ambiguous = [](const Draft& draft) {
    return std::ranges::any_of(
        draft.readings, [&draft](const LabelReading& reading) {
          return reading.segment != draft.readings.front().segment;
        });
  };
  for (const Draft& draft : drafts) {
    if (draft.is_known && !is_ambiguous(draft)) ++count[draft.marker.segment];
  }
  for (Draft& draft : drafts) {
    if (draft.origin.evidence == Evidence::kSet || !is_ambiguous(draft)) {
      continue;
    }
    // A forearm whose upper arm and hand wear nothing is not meant.
    const auto is_apart = [&count](int segment) {
      bool is_alone =
          count[segment] == 0 &&
          (Body()[segment].parent < 0 || count[Body()[segment].parent] == 0);
      for (int j = segment + 1; j < kNumSegments; ++j) {
        is_alone = is_alone && (Body()[j].parent != segment || count[j] == 0);
      }
      return is_alone;
    };
    const auto best = std::ranges::min_element(
        draft.readings, {}, [&](const LabelReading& reading) {
          const int worn = std::min(kEnough, count[reading.segment]);
          return is_apart(reading.segment) ? kEnough + 1 : worn;
        });
    draft.marker.segment = best->segment;
    draft.marker.at = best->at;
    draft.marker.spread = best->spread;
    draft.origin.confidence = best->confidence;
    draft.origin.why = best->landmark;
  }
}

/// The label of the other side, where L or R is its first letter; else empty.
std::string OtherSide(std::string label) {
  switch (label.empty() ? '\0' : label.front()) {
    case 'L':
      label.front() = 'R';
      return label;
    case 'R':
      label.front() = 'L';
      return label;
    case 'l':
      label.front() = 'r';
      return label;
    case 'r':
      label.front() = 'l';
      return label;
    default:
      return "";
  }
}

/// Two labels that differ in the letter of the side alone are mirror images: a
/// reading in which they are not ("LCAR" and "RCAR" as right heels) is none.
void DropOneSided(std::vector<Draft>& drafts) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    index[drafts[i].marker.label] = i;
  }
  std::vector<std::size_t> dropped;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    const auto twin = index.find(OtherSide(drafts[i].marker.label));
    if (twin == index.end()) continue;
    const Draft& other = drafts[twin->second];
    const bool are_words = drafts[i].is_known && other.is_known &&
                           drafts[i].origin.evidence == Evidence::kWords &&
                           other.origin.evidence == Evidence::kWords;
    if (are_words &&
        other.marker.segment != Body()[drafts[i].marker.segment].mirror) {
      dropped.push_back(i);
    }
  }
  for (const std::size_t i : dropped) {
    drafts[i].is_known = false;
    drafts[i].readings.clear();
    drafts[i].origin = {};
    drafts[i].origin.why = "the label names no part of the body";
  }
}

bool IsCore(int segment) {
  return segment == kPelvis || segment == kSpine || segment == kChest ||
         segment == kLeftUpperLeg || segment == kRightUpperLeg;
}

}  // namespace

std::vector<Draft> ReadLabels(const MarkerTake& take,
                              const std::vector<NamedColumn>& columns,
                              const RecognisedSet* recognised) {
  const BareLabels bare(columns);
  std::map<int, const SetMarker*> of_set;
  if (recognised != nullptr) {
    for (std::size_t i = 0; i < recognised->set->markers.size(); ++i) {
      const int column = recognised->match.columns[i];
      if (column >= 0) of_set[column] = &recognised->set->markers[i];
    }
  }
  const std::vector<std::int64_t> missing = take.MissingPerMarker();
  const std::vector<bool> computed = FindComputedPoints(take.labels());
  const bool is_complete =
      recognised != nullptr && recognised->match.score >= kCompleteSet;
  // Some more markers beside a complete set are welcome; hundreds are not
  // markers but what a program computed from them.
  const bool has_outputs =
      is_complete && double(columns.size()) >
                         kMostBeside * double(recognised->set->markers.size());
  std::vector<Draft> drafts;
  for (const NamedColumn& named : columns) {
    const int column = named.column;
    if (missing[column] == take.num_frames()) continue;
    Draft draft;
    draft.column = column;
    draft.marker.label = named.name;
    const auto found = of_set.find(column);
    if (found != of_set.end()) {
      draft.marker = *found->second;
      draft.is_known = true;
      draft.origin = {Evidence::kSet, 0.98, recognised->set->name, -1};
      drafts.push_back(std::move(draft));
      continue;
    }
    if (computed[std::size_t(column)] || has_outputs) continue;
    const bool is_nameless = IsUnlabelled(take.labels()[column]);
    if (!is_nameless) {
      draft.readings = ReadLabel(bare(named.name));
    }
    if (draft.readings.empty()) {
      const double seen =
          1 - double(missing[column]) / double(take.num_frames());
      // Pieces, and whatever lies beside a complete set, are not markers.
      if (is_complete || (is_nameless && seen < kLongTrack)) continue;
      draft.origin.why = "the label names no part of the body";
      drafts.push_back(std::move(draft));
      continue;
    }
    const LabelReading& reading = draft.readings.front();
    draft.marker.segment = reading.segment;
    draft.marker.at = reading.at;
    draft.marker.spread = reading.spread;
    draft.is_known = true;
    draft.origin = {Evidence::kWords, reading.confidence, reading.landmark, -1};
    drafts.push_back(std::move(draft));
  }
  DropOneSided(drafts);
  ResolveAmbiguous(drafts);
  // Equal labels that are different markers: lateral and medial, or upper and
  // lower. Neither is where the word has its place.
  std::map<std::string, int> count;
  const auto stem = [](const Draft& draft) {
    return PlainLabel(
        draft.marker.label.substr(0, draft.marker.label.find('#')));
  };
  for (const Draft& draft : drafts) ++count[stem(draft)];
  for (Draft& draft : drafts) {
    constexpr double kOneOfTwo = 0.07;  // [m]
    if (draft.origin.evidence == Evidence::kWords && count[stem(draft)] > 1) {
      draft.marker.spread = std::max(draft.marker.spread, kOneOfTwo);
    }
  }
  return drafts;
}

std::vector<Draft> NamelessDrafts(const MarkerTake& take,
                                  const std::vector<NamedColumn>& columns) {
  const std::vector<std::int64_t> missing = take.MissingPerMarker();
  const std::vector<bool> computed = FindComputedPoints(take.labels());
  std::vector<Draft> drafts;
  std::set<std::string> names;
  for (const NamedColumn& named : columns) {
    const double seen =
        1 - double(missing[named.column]) / double(take.num_frames());
    if (computed[std::size_t(named.column)] || seen < kShortTrack) continue;
    Draft draft;
    draft.column = named.column;
    draft.marker.label = named.name;
    if (named.name.empty() || !names.insert(named.name).second) {
      draft.marker.label = "track " + std::to_string(named.column + 1);
    }
    drafts.push_back(std::move(draft));
  }
  return drafts;
}

int CountKnown(std::span<const Draft> drafts) {
  return static_cast<int>(std::ranges::count_if(drafts, &Draft::is_known));
}

int CountCore(std::span<const Draft> drafts) {
  return static_cast<int>(std::ranges::count_if(drafts, [](const Draft& draft) {
    return draft.is_known && IsCore(draft.marker.segment);
  }));
}

void Mirror(SetMarker& marker) {
  marker.segment = Body()[marker.segment].mirror;
  marker.at.x() = -marker.at.x();
}

Observations TracksOf(const MarkerTake& take, std::span<const Draft> drafts,
                      const Quaternion& R_turned) {
  const Matrix3 R = R_turned.toRotationMatrix();
  Observations all;
  all.num_markers = static_cast<int>(drafts.size());
  // Many more frames than are compared, so that the fullest can be chosen.
  constexpr std::int64_t kMostRead = 10 * kMotionFrames;
  const std::int64_t step =
      std::max<std::int64_t>(1, take.num_frames() / kMostRead);
  for (std::int64_t t = 0; t < take.num_frames(); t += step) {
    for (const Draft& draft : drafts) {
      all.points.push_back(R * take.Position(t, draft.column));
    }
  }
  return all;
}

Observations FramesOf(const Observations& all,
                      std::span<const std::int64_t> frames) {
  Observations some;
  some.num_markers = all.num_markers;
  for (const std::int64_t t : frames) {
    some.points.insert(some.points.end(), all.frame(t).begin(),
                       all.frame(t).end());
  }
  return some;
}

PreparedTake KnownPart(std::span<const Draft> drafts,
                       const Observations& tracks, double rate_hz) {
  PreparedTake known;
  known.rate_hz = rate_hz;
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    if (!drafts[i].is_known) continue;
    index.push_back(i);
    known.markers.push_back(drafts[i].marker);
    known.columns.push_back(drafts[i].column);
  }
  known.observed.num_markers = static_cast<int>(index.size());
  for (std::int64_t t = 0; t < tracks.num_frames(); ++t) {
    for (const std::size_t i : index) {
      known.observed.points.push_back(tracks.frame(t)[i]);
    }
  }
  return known;
}

std::string Millimetres(double metres) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.0f mm", 1000 * metres);
  return text.data();
}

std::string Percent(double share) {
  return std::to_string(static_cast<int>(std::lround(100 * share))) + " %";
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

}  // namespace limber::mocap::internal
