// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/bare_labels.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <vector>

#include "mocap/solve/landmarks.h"

namespace limber::mocap::internal {

namespace {

bool IsLetter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// Whether a word ends before `i`: at a separator, or where a capital follows.
bool IsBoundary(std::string_view name, std::size_t i) {
  if (!IsLetter(name[i - 1]) || !IsLetter(name[i])) return true;
  return std::islower(static_cast<unsigned char>(name[i - 1])) != 0 &&
         std::isupper(static_cast<unsigned char>(name[i])) != 0;
}

/// Where a name goes on behind a number and a separator ("05_LSHO"); 0 if it
/// does not begin with these.
std::size_t BehindNumber(std::string_view name) {
  std::size_t i = 0;
  while (i < name.size() &&
         std::isdigit(static_cast<unsigned char>(name[i])) != 0) {
    ++i;
  }
  const std::size_t digits = i;
  while (i < name.size() && !IsLetter(name[i])) ++i;
  return digits > 0 && i > digits && i < name.size() ? i : 0;
}

/// How much a name says: what its reading is trusted with.
double Said(std::string_view name) {
  const std::vector<LabelReading> readings = ReadLabel(name);
  return readings.empty() ? 0.0 : readings.front().confidence;
}

/// How much the names say without `words` at their beginning (or end).
double SaidWithout(const std::vector<std::string_view>& names,
                   std::string_view words, bool at_end) {
  double sum = 0.0;
  for (std::string_view name : names) {
    const bool has_words =
        at_end ? name.ends_with(words) : name.starts_with(words);
    if (has_words && at_end) name.remove_suffix(words.size());
    if (has_words && !at_end) name.remove_prefix(words.size());
    sum += Said(name);
  }
  return sum;
}

/// The words that more than half of the names begin (or end) with and without
/// which they say most; of equals the longest.
std::string Shared(const std::vector<std::string_view>& names, bool at_end) {
  std::map<std::string_view, std::size_t> counts;
  std::set<std::string_view> whole;  // That end where a word does.
  for (const std::string_view name : names) {
    for (std::size_t i = 1; i < name.size(); ++i) {
      ++counts[at_end ? name.substr(i) : name.substr(0, i)];
      if (IsBoundary(name, i))
        whole.insert(at_end ? name.substr(i) : name.substr(0, i));
    }
  }
  std::erase_if(counts, [&names](const auto& entry) {
    return 2 * entry.second <= names.size() ||
           std::ranges::none_of(entry.first, IsLetter);
  });
  if (counts.empty()) return "";
  std::string_view best;
  double most = SaidWithout(names, best, at_end);
  for (const auto& [words, count] : counts) {
    const double said = SaidWithout(names, words, at_end);
    const bool is_longer = whole.contains(words) && words.size() > best.size();
    if (said > most || (said == most && is_longer)) {
      best = words;
      most = said;
    }
  }
  return std::string(best);
}

std::string Capitals(std::string_view name) {
  std::string capitals;
  for (const char c : name) {
    capitals += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return capitals;
}

/// Where a name has a letter of `sides` at the edge of a word, but for an
/// index, such that the name with the other letter is there, too.
std::optional<std::size_t> SideAt(const std::set<std::string>& names,
                                  const std::string& name,
                                  std::string_view sides) {
  const auto is_letter = [&name](std::size_t i) {
    return i < name.size() &&
           std::isalpha(static_cast<unsigned char>(name[i])) != 0;
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::size_t side = sides.find(name[i]);
    const bool is_inside = i > 0 && is_letter(i - 1) && is_letter(i + 1);
    if (side == std::string_view::npos || is_inside) continue;
    std::string other = name;
    other[i] = sides[1 - side];
    if (names.contains(other)) return i;
  }
  return std::nullopt;
}

/// The name with L or R for its letter of `sides`.
std::string WithSides(const std::set<std::string>& names, std::string name,
                      std::string_view sides) {
  const std::string capitals = Capitals(name);
  const std::optional<std::size_t> at = SideAt(names, capitals, sides);
  if (at) name[*at] = capitals[*at] == sides[0] ? 'L' : 'R';
  return name;
}

/// The name with a number for a letter at the end of a word, where the names
/// with A, B and C there are all there.
std::string WithIndex(const std::set<std::string>& names, std::string name) {
  const std::string capitals = Capitals(name);
  const auto is_letter = [&capitals](std::size_t i) {
    return i < capitals.size() &&
           std::isalpha(static_cast<unsigned char>(capitals[i])) != 0;
  };
  for (std::size_t i = 1; i < capitals.size(); ++i) {
    if (!is_letter(i) || !is_letter(i - 1) || is_letter(i + 1)) continue;
    if (capitals[i] > 'D') continue;
    std::string other = capitals;
    const bool is_index =
        std::ranges::all_of(std::string_view("ABC"), [&](char letter) {
          other[i] = letter;
          return names.contains(other);
        });
    if (is_index) name[i] = static_cast<char>('1' + (capitals[i] - 'A'));
  }
  return name;
}

}  // namespace

BareLabels::BareLabels(std::span<const NamedColumn> columns) {
  std::vector<std::string_view> names;
  for (const NamedColumn& column : columns) {
    if (!IsUnlabelled(column.name)) names.push_back(column.name);
  }
  // Of fewer names two may begin alike by chance.
  constexpr std::size_t kFewest = 4;
  if (names.size() < kFewest) return;
  is_numbered_ =
      2 * std::ranges::count_if(
              names, [](std::string_view name) { return BehindNumber(name); }) >
      std::ptrdiff_t(names.size());
  for (std::string_view& name : names) {
    if (is_numbered_) name.remove_prefix(BehindNumber(name));
  }
  beginning_ = Shared(names, false);
  ending_ = Shared(names, true);
  for (const std::string_view name : names) {
    names_.insert(Capitals(WithoutShared(name)));
  }
  const auto said = [&](std::string_view sides) {
    double sum = 0.0;
    for (const std::string& name : names_) {
      sum += Said(WithSides(names_, name, sides));
    }
    return sum;
  };
  std::optional<double> most;
  for (const std::string_view sides : {"GD", "ID", "ED", "SD", "VH"}) {
    const bool has_pair =
        std::ranges::any_of(names_, [&](const std::string& name) {
          return SideAt(names_, name, sides).has_value();
        });
    if (!has_pair) continue;
    if (!most) most = said(sides_);
    const double now = said(sides);
    if (now <= *most) continue;
    most = now;
    sides_ = sides;
  }
}

std::string_view BareLabels::WithoutShared(std::string_view name) const {
  if (is_numbered_) name.remove_prefix(BehindNumber(name));
  if (name.size() > beginning_.size() && name.starts_with(beginning_)) {
    name.remove_prefix(beginning_.size());
  }
  if (name.size() > ending_.size() && name.ends_with(ending_)) {
    name.remove_suffix(ending_.size());
  }
  return name;
}

std::string BareLabels::operator()(std::string_view name) const {
  const std::string plain(WithoutShared(name));
  return WithIndex(names_, plain) == plain ? WithSides(names_, plain, sides_)
                                           : WithIndex(names_, plain);
}

}  // namespace limber::mocap::internal
