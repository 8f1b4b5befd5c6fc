// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/landmarks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>
#include <unordered_map>

#include "mocap/solve/body.h"
#include "mocap/solve/internal/label_words.h"
#include "mocap/solve/internal/landmark_table.h"
#include "mocap/solve/marker_set.h"

namespace limber::mocap {

namespace {

using internal::LabelSide;
using internal::Landmark;
using internal::Landmarks;
using internal::SideOfWord;

/// Where on its part a marker sits, as far as the label says it.
struct Direction {
  bool medial = false;
  bool lateral = false;
  bool front = false;
  bool back = false;
  bool upper = false;
  bool lower = false;

  bool any() const {
    return medial || lateral || front || back || upper || lower;
  }
};

struct DirectionWord {
  std::string_view word;
  bool Direction::*flag;
};
/// Long words first, so that "lateral" is not read as "lat" and a rest.
constexpr std::array<DirectionWord, 39> kDirectionWords = {{
    {"posterior", &Direction::back},  {"superior", &Direction::upper},
    {"inferior", &Direction::lower},  {"anterior", &Direction::front},
    {"proximal", &Direction::upper},  {"external", &Direction::lateral},
    {"internal", &Direction::medial}, {"outside", &Direction::lateral},
    {"lateral", &Direction::lateral}, {"inside", &Direction::medial},
    {"bottom", &Direction::lower},    {"distal", &Direction::lower},
    {"medial", &Direction::medial},   {"front", &Direction::front},
    {"inner", &Direction::medial},    {"lower", &Direction::lower},
    {"outer", &Direction::lateral},   {"upper", &Direction::upper},
    {"side", &Direction::lateral},    {"back", &Direction::back},
    {"dist", &Direction::lower},      {"high", &Direction::upper},
    {"post", &Direction::back},       {"prox", &Direction::upper},
    {"rear", &Direction::back},       {"ant", &Direction::front},
    {"inf", &Direction::lower},       {"lat", &Direction::lateral},
    {"low", &Direction::lower},       {"med", &Direction::medial},
    {"out", &Direction::lateral},     {"sup", &Direction::upper},
    {"top", &Direction::upper},       {"ext", &Direction::lateral},
    {"int", &Direction::medial},      {"in", &Direction::medial},
    {"up", &Direction::upper},        {"m", &Direction::medial},
    {"l", &Direction::lateral},
}};

/// Words beside the landmark that say nothing about the place.
constexpr std::array<std::string_view, 30> kFillers = {
    "cluster",  "marker",    "study",  "static",   "calib",  "joint",
    "tracking", "center",    "centre", "wand",     "of",     "the",
    "mkr",      "skin",      "bone",   "clust",    "spinal", "spinous",
    "process",  "technical", "triad",  "vertebra", "plate",  "great",
    "maj",      "peak",      "spin",   "proc",     "mid",    "middle"};

const std::unordered_map<std::string, std::vector<int>>& WordIndex() {
  static const auto index = [] {
    std::unordered_map<std::string, std::vector<int>> made;
    for (std::size_t k = 0; k < Landmarks().size(); ++k) {
      std::string_view words = Landmarks()[k].words;
      while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        if (end > 0) {
          made[std::string(words.substr(0, end))].push_back(
              static_cast<int>(k));
        }
        words.remove_prefix(std::min(end + 1, words.size()));
      }
    }
    return made;
  }();
  return index;
}

/// A landmark found in the letters of a label, with what stood beside it.
struct Found {
  std::vector<int> landmarks;
  Direction direction;
  bool has_index = false;
  /// Letters that had to be left aside, single letters counting double.
  int effort = 0;
};

/// Reads `text` as [directions and fillers] landmark [more] [index].
bool ReadWords(std::string text, const Direction& direction, bool has_index,
               int effort, int depth, Found& found) {
  const auto exact = WordIndex().find(text);
  // What is left between two other words is no part ("ANT-S-UP").
  const bool is_remnant = text.size() == 1 && effort > 2;
  if (exact != WordIndex().end() && !is_remnant) {
    if (found.landmarks.empty() || effort < found.effort) {
      found = {exact->second, direction, has_index, effort};
    }
    return true;
  }
  if (depth == 0 || text.size() < 2) return false;
  bool any = false;
  // The index of a cluster, before or behind.
  std::size_t digits = 0;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(
                                     text[text.size() - 1 - digits]))) {
    ++digits;
  }
  if (digits > 0 && digits < text.size()) {
    any |= ReadWords(text.substr(0, text.size() - digits), direction, true,
                     effort, depth - 1, found);
  }
  for (const std::string_view filler : kFillers) {
    if (text.size() <= filler.size()) continue;
    const int cost = effort + 1;
    if (text.starts_with(filler)) {
      any |= ReadWords(text.substr(filler.size()), direction, has_index, cost,
                       depth - 1, found);
    }
    if (text.ends_with(filler)) {
      any |= ReadWords(text.substr(0, text.size() - filler.size()), direction,
                       has_index, cost, depth - 1, found);
    }
  }
  for (const DirectionWord& word : kDirectionWords) {
    const std::size_t length = word.word.size();
    if (text.size() <= length) continue;
    // One letter is a direction only beside a word that is longer.
    if (length == 1 && text.size() < 4) continue;
    const int cost = effort + (length == 1 ? 4 : length == 2 ? 2 : 1);
    Direction told = direction;
    told.*word.flag = true;
    if (text.starts_with(word.word)) {
      any |= ReadWords(text.substr(length), told, has_index, cost, depth - 1,
                       found);
    }
    if (text.ends_with(word.word)) {
      any |= ReadWords(text.substr(0, text.size() - length), told, has_index,
                       cost, depth - 1, found);
    }
  }
  return any;
}

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word;
  return text;
}

/// A label taken apart into a side and the words of the landmark.
struct Parse {
  LabelSide side = LabelSide::kNone;
  std::vector<std::string> words;
  int effort = 0;  ///< Of finding the side.
};

/// Sides that are letters of a word ("LASI", "RTH1L").
void AddSidesInside(const std::string& whole, std::vector<Parse>& parses) {
  for (const std::string_view word :
       {std::string_view("left"), std::string_view("right"),
        std::string_view("l"), std::string_view("r")}) {
    if (whole.size() <= word.size() + 1) continue;
    const LabelSide side = SideOfWord(word);
    if (whole.starts_with(word)) {
      parses.push_back({side, {whole.substr(word.size())}, 1});
    }
    if (whole.ends_with(word)) {
      parses.push_back(
          {side, {whole.substr(0, whole.size() - word.size())}, 3});
    }
    // Behind the word, before the index.
    std::size_t end = whole.size();
    while (end > 0 &&
           std::isdigit(static_cast<unsigned char>(whole[end - 1]))) {
      --end;
    }
    const std::string_view stem = std::string_view(whole).substr(0, end);
    if (end < whole.size() && stem.ends_with(word) && end > word.size() + 1) {
      parses.push_back(
          {side, {whole.substr(0, end - word.size()) + whole.substr(end)}, 3});
    }
  }
}

/// Sides behind a direction ("INRKNE").
void AddSidesBehindDirections(const std::string& whole,
                              std::vector<Parse>& parses) {
  for (const DirectionWord& word : kDirectionWords) {
    const std::size_t length = word.word.size();
    if (length < 2 || whole.size() < length + 3 ||
        !whole.starts_with(word.word)) {
      continue;
    }
    const LabelSide side =
        SideOfWord(std::string_view(whole).substr(length, 1));
    if (side == LabelSide::kNone) continue;
    parses.push_back(
        {side, {std::string(word.word), whole.substr(length + 1)}, 3});
  }
}

/// All ways to find a side, none included.
std::vector<Parse> ParsesOf(std::string_view label) {
  const std::vector<std::string> words = internal::SplitLabel(label);
  std::vector<Parse> parses;
  bool has_side = false;
  for (std::size_t i = 0; i < words.size() && words.size() > 1; ++i) {
    // A cluster may have its index behind the side ("thigh_L1").
    const std::size_t end = words[i].find_last_not_of("0123456789") + 1;
    const LabelSide side =
        SideOfWord(std::string_view(words[i]).substr(0, end));
    if (side == LabelSide::kNone) continue;
    // In the middle of a label a letter is a side only with much goodwill
    // ("WaistLFront").
    const bool is_edge = i == 0 || i + 1 == words.size();
    std::vector<std::string> others = words;
    others[i] = words[i].substr(end);
    if (others[i].empty()) others.erase(others.begin() + std::ptrdiff_t(i));
    parses.push_back({side, std::move(others), is_edge ? 0 : 1});
    has_side = has_side || is_edge;
  }
  parses.push_back({LabelSide::kNone, words, 1});
  // Where a word says the side, no letter inside another does.
  if (has_side) return parses;
  AddSidesInside(Join(words), parses);
  AddSidesBehindDirections(Join(words), parses);
  // "pelvis-RASIS".
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].size() < 3) continue;
    const LabelSide side = SideOfWord(std::string_view(words[i]).substr(0, 1));
    if (side == LabelSide::kNone) continue;
    std::vector<std::string> others = words;
    others[i].erase(0, 1);
    parses.push_back({side, std::move(others), 2});
  }
  return parses;
}

bool IsVowel(char c) {
  return std::string_view("aeiouy").find(c) != std::string_view::npos;
}

/// Whether `text` is a longer word cut off ("acrom") or without its vowels
/// ("trnk").
bool Abbreviates(std::string_view text, std::string_view word) {
  constexpr std::size_t kShortestCut = 4;
  constexpr std::size_t kFewestConsonants = 3;
  if (text.size() >= word.size() || text.front() != word.front()) return false;
  if (text.size() >= kShortestCut && word.starts_with(text)) return true;
  std::string consonants(1, word.front());
  for (const char c : word.substr(1)) {
    if (!IsVowel(c)) consonants += c;
  }
  return text.size() >= kFewestConsonants && text == consonants;
}

/// The shortest word that `text` is short for; empty where the words it may be
/// short for are on different segments, or there are none.
std::string Expand(const std::string& text) {
  std::string shortest;
  int segment = -1;
  for (const auto& [word, of_word] : WordIndex()) {
    if (!Abbreviates(text, word)) continue;
    for (const int k : of_word) {
      if (segment >= 0 && Landmarks()[k].segment != segment) return "";
      segment = Landmarks()[k].segment;
    }
    if (shortest.empty() || word.size() < shortest.size() ||
        (word.size() == shortest.size() && word < shortest)) {
      shortest = word;
    }
  }
  return shortest;
}

/// Reads the words in any order.
bool ReadInAnyOrder(std::vector<std::string> words, int effort, int depth,
                    Found& found) {
  constexpr std::size_t kMostWords = 4;
  std::erase_if(words, [](const std::string& word) {
    return std::ranges::find(kFillers, word) != kFillers.end();
  });
  std::ranges::sort(words);
  if (words.empty() || words.size() > kMostWords) return false;
  bool any = false;
  do {
    any |= ReadWords(Join(words), {}, false, effort, depth, found);
  } while (std::ranges::next_permutation(words).found);
  return any;
}

/// Reads the words with one of them, or all together, as an abbreviation.
bool ReadAbbreviated(const std::vector<std::string>& words, int depth,
                     Found& found) {
  constexpr int kEffort = 4;
  std::string text = Join(words);
  const std::size_t end = text.find_last_not_of("0123456789") + 1;
  const bool has_index = end < text.size();
  text.resize(end);
  if (text.empty()) return false;
  const std::string whole = Expand(text);
  if (!whole.empty()) {
    found = {WordIndex().at(whole), {}, has_index, kEffort};
    return true;
  }
  bool any = false;
  for (std::size_t i = 0; i < words.size() && words.size() > 1; ++i) {
    std::vector<std::string> others = words;
    others[i] = Expand(words[i]);
    any |= !others[i].empty() && ReadInAnyOrder(others, kEffort, depth, found);
  }
  return any;
}

bool AreNeighbours(int a, int b) {
  return a == b || Body()[a].parent == b || Body()[b].parent == a;
}

/// Reads the words as a part of the body and a place on it ("pelvis-RASIS",
/// "femur_LEC_r"): one is a whole part, and the others are read by themselves.
/// Of their meanings those on that part, or beside it, count.
bool ReadPartAndPlace(const std::vector<std::string>& words, int depth,
                      Found& found) {
  constexpr int kEffort = 3;
  constexpr double kWholePart = 0.06;  // The spread of its markers [m].
  bool any = false;
  for (std::size_t i = 0; i < words.size() && words.size() > 1; ++i) {
    const auto part = WordIndex().find(words[i]);
    if (part == WordIndex().end()) continue;
    std::vector<std::string> others = words;
    others.erase(others.begin() + std::ptrdiff_t(i));
    Found place;
    if (!ReadWords(Join(others), {}, false, kEffort, depth, place) &&
        !ReadInAnyOrder(others, kEffort, depth, place)) {
      continue;
    }
    std::erase_if(place.landmarks, [&part](int k) {
      return std::ranges::none_of(part->second, [k](int whole) {
        return Landmarks()[whole].spread > kWholePart &&
               AreNeighbours(Landmarks()[k].segment,
                             Landmarks()[whole].segment);
      });
    });
    if (place.landmarks.empty()) continue;
    if (found.landmarks.empty() || place.effort < found.effort) found = place;
    any = true;
  }
  return any;
}

/// Reads the words of a parse: as they stand, in another order, with a short
/// one as the index of a cluster ("thigh_A"), as abbreviations. What needs less
/// goodwill goes first.
bool ReadParse(const Parse& parse, Found& found) {
  constexpr int kDepth = 4;
  if (ReadWords(Join(parse.words), {}, false, 0, kDepth, found)) return true;
  if (ReadInAnyOrder(parse.words, 2, kDepth, found)) return true;
  bool any = false;
  for (const std::string& word : parse.words) {
    if (word.size() > 2 || parse.words.size() == 1) continue;
    std::vector<std::string> others = parse.words;
    others.erase(std::ranges::find(others, word));
    // Of two short words the longer one is the part.
    if (Join(others).size() < std::max<std::size_t>(2, word.size())) continue;
    any |= ReadWords(Join(others), {}, true, 3, kDepth, found);
  }
  return any || ReadPartAndPlace(parse.words, kDepth, found) ||
         ReadAbbreviated(parse.words, kDepth, found);
}

bool IsLimb(int segment) { return segment >= kLeftClavicle; }

bool IsArm(int segment) {
  return segment >= kLeftUpperArm && segment <= kRightHand &&
         segment != kRightClavicle;
}

/// The place of a marker that the label puts medially, in front and so on [m].
/// `at` and the result are those of the left side.
void Displace(const Direction& direction, int segment, Vector3& at,
              double& spread) {
  constexpr double kAside = 0.045;
  constexpr double kAlong = 0.1;
  const bool is_arm = IsArm(segment);
  // In the T-pose the outer side of an arm is up, and its bone is X.
  const int aside = is_arm ? 1 : 0;
  const int along = is_arm ? 0 : 1;
  if (direction.lateral) at[aside] = std::max(std::abs(at[aside]), kAside);
  if (direction.medial) {
    at[aside] =
        segment <= kHead ? at[aside] : -std::max(std::abs(at[aside]), kAside);
  }
  if (direction.front) at.z() = std::max(at.z(), 0.0) + kAside;
  if (direction.back) at.z() = std::min(at.z(), 0.0) - kAside;
  const double up = direction.upper ? 1.0 : direction.lower ? -1.0 : 0.0;
  if (up != 0.0 && IsLimb(segment) && spread > kAside) {
    at[along] += (is_arm ? -up : up) * kAlong;
  }
  if (direction.any()) spread = std::max(spread, 0.04);
}

LabelReading MakeReading(const Landmark& landmark, LabelSide side,
                         const Found& found) {
  LabelReading reading;
  reading.segment = landmark.segment;
  reading.at = landmark.at;
  reading.spread = landmark.spread;
  Displace(found.direction, landmark.segment, reading.at, reading.spread);
  // Several markers under one word are somewhere on the part.
  if (found.has_index) reading.spread = std::max(reading.spread, 0.07);
  reading.landmark = landmark.name;
  if (side == LabelSide::kRight) {
    reading.at.x() = -reading.at.x();
    reading.segment = Body()[landmark.segment].mirror;
  }
  if (side != LabelSide::kNone && !IsLimb(landmark.segment) &&
      std::abs(landmark.at.x()) < 1e-9) {
    // A sided word for a part in the middle ("LHEAD", "R_PELVIS_1").
    constexpr double kBeside = 0.06;
    reading.at.x() = side == LabelSide::kLeft ? kBeside : -kBeside;
    reading.spread = std::max(reading.spread, 0.06);
  }
  if (side == LabelSide::kNone && std::abs(landmark.at.x()) > 1e-9) {
    // No side: anywhere across the body.
    reading.at.x() = 0.0;
    reading.spread = std::max(reading.spread, 0.1);
  }
  return reading;
}

}  // namespace

std::vector<LabelReading> ReadLabel(std::string_view label) {
  const std::size_t colon = label.rfind(':');
  if (colon != std::string_view::npos) label.remove_prefix(colon + 1);
  // "RTHI#2" is the second marker of that name.
  label = label.substr(0, label.find('#'));
  if (IsUnlabelled(label)) return {};
  std::vector<LabelReading> readings;
  int best = 1000;
  for (const Parse& parse : ParsesOf(label)) {
    Found found;
    if (!ReadParse(parse, found)) continue;
    const int effort = found.effort + parse.effort;
    if (effort >= best) continue;
    std::vector<LabelReading> made;
    // One of several is on the shaft of a limb rather than at its end.
    const auto is_shaft = [](int k) { return Landmarks()[k].spread > 0.06; };
    const bool is_cluster =
        found.has_index && std::ranges::any_of(found.landmarks, is_shaft);
    for (const int k : found.landmarks) {
      const Landmark& landmark = Landmarks()[k];
      if (is_cluster && !is_shaft(k)) continue;
      const bool lacks_side =
          parse.side == LabelSide::kNone && IsLimb(landmark.segment);
      // A vertebra has no side: "RT1" is not one.
      const bool has_wrong_side =
          parse.side != LabelSide::kNone &&
          (landmark.name.find("vertebra") != std::string_view::npos ||
           landmark.name.find("thoracic") != std::string_view::npos);
      if (lacks_side || has_wrong_side) continue;
      LabelReading reading = MakeReading(landmark, parse.side, found);
      // Full words are sure; two letters and much left aside are not.
      double confidence = landmark.spread > 0.06 ? 0.9 : 0.95;
      if (Join(parse.words).size() <= 2) confidence = 0.6;
      confidence -= 0.04 * std::min(effort, 6);
      if (found.landmarks.size() > 1 && !is_cluster) confidence *= 0.6;
      if (is_cluster) confidence += 0.1;
      reading.confidence = confidence;
      made.push_back(std::move(reading));
    }
    if (made.empty()) continue;
    best = effort;
    readings = std::move(made);
  }
  std::ranges::stable_sort(readings, std::ranges::greater{},
                           &LabelReading::confidence);
  return readings;
}

std::vector<bool> FindComputedPoints(const std::vector<std::string>& labels) {
  std::set<std::string> all;
  for (const std::string& label : labels) all.insert(PlainLabel(label));
  std::vector<bool> computed;
  for (const std::string& label : labels) {
    std::string plain = PlainLabel(label);
    bool is_one = false;
    // A frame as four points: the origin and a point along each axis.
    for (const std::string_view ends : {"OALP", "OXYZ"}) {
      if (plain.size() < 3 ||
          ends.find(plain.back()) == std::string_view::npos) {
        continue;
      }
      std::string other = plain;
      is_one = is_one || std::ranges::all_of(ends, [&](char end) {
                 other.back() = end;
                 return all.contains(other);
               });
    }
    const bool is_mass =
        plain.starts_with("CENTREOFMASS") || plain.starts_with("CENTEROFMASS");
    computed.push_back(is_one || is_mass);
  }
  return computed;
}

}  // namespace limber::mocap
