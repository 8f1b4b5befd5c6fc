// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/trc_header.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "mocap/io/internal/quoted.h"
#include "mocap/io/internal/trc_fields.h"

namespace limber::mocap::internal {

TrcFields::TrcFields(std::string_view line)
    : line_(line), by_tab_(line.find('\t') != std::string_view::npos) {
  if (!by_tab_) SkipBlanks();
}

std::optional<std::string_view> TrcFields::Next() {
  if (done_ || (!by_tab_ && at_ >= line_.size())) return std::nullopt;
  const std::size_t begin = at_;
  const std::size_t end =
      std::min(line_.find(by_tab_ ? '\t' : ' ', at_), line_.size());
  done_ = end == line_.size();
  at_ = end + 1;
  if (!by_tab_) SkipBlanks();
  return Found(line_.substr(begin, end - begin), begin);
}

std::optional<std::string_view> TrcFields::NextNumber(bool& had_blanks) {
  const std::size_t begin = at_;
  const std::optional<std::string_view> field = Next();
  if (!field || !by_tab_) return field;
  const std::size_t blank = field->find(' ');
  if (blank == std::string_view::npos) return field;
  had_blanks = true;
  at_ = static_cast<std::size_t>(field->data() - line_.data()) + blank;
  SkipBlanks();
  done_ = false;
  return Found(field->substr(0, blank), begin);
}

std::string_view TrcFields::Found(std::string_view raw, std::size_t begin) {
  const std::string_view field = Trim(raw);
  column_ =
      1 + static_cast<std::int64_t>(
              field.empty()
                  ? begin
                  : static_cast<std::size_t>(field.data() - line_.data()));
  return field;
}

void TrcFields::SkipBlanks() {
  while (at_ < line_.size() && line_[at_] == ' ') ++at_;
}

namespace {

/// The words of a line, parted by tabs and blanks alike.
struct Word {
  std::string_view text;
  std::int64_t column = 1;  ///< From 1.
};
std::vector<Word> WordsOf(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<Word> words;
  std::size_t at = line.find_first_not_of(kBlanks);
  while (at != std::string_view::npos) {
    const std::size_t end =
        std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back(
        {line.substr(at, end - at), 1 + static_cast<std::int64_t>(at)});
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

bool BeginsWith(std::string_view line, std::string_view word) {
  const std::vector<Word> words = WordsOf(line);
  return !words.empty() && EqualIgnoringCase(words.front().text, word);
}

/// Whether the line begins with `word`. A blank behind it where a tab belongs
/// is a repair.
bool ExpectWord(const std::optional<std::string_view>& line, long line_number,
                std::string_view word, Diagnostics& diagnostics) {
  const std::string_view found =
      line ? TrcFields(*line).Next().value_or("") : std::string_view();
  if (line && EqualIgnoringCase(found, word)) return true;
  if (line && BeginsWith(*line, word)) {
    diagnostics.Warning(
        "blanks-for-tabs",
        Place::AtLine(line_number, 1 + std::int64_t(word.size())),
        "expected a tab after " + std::string(word) +
            ", found blanks: " + Quoted(found));
    return true;
  }
  diagnostics.Error(
      "bad-header", Place::AtLine(line_number, 1),
      "expected " + std::string(word) + ", found " +
          (line ? Quoted(found) : std::string("the end of the file")));
  return false;
}

struct Slot {
  std::string_view name;
  TrcHeaderValue* value;
};
std::array<Slot, 8> SlotsOf(TrcHeader& header) {
  return {{{"DataRate", &header.data_rate},
           {"CameraRate", &header.camera_rate},
           {"NumFrames", &header.num_frames},
           {"NumMarkers", &header.num_markers},
           {"Units", &header.units},
           {"OrigDataRate", &header.orig_data_rate},
           {"OrigDataStartFrame", &header.orig_data_start_frame},
           {"OrigNumFrames", &header.orig_num_frames}}};
}

bool IsUnits(std::string_view name) { return EqualIgnoringCase(name, "Units"); }

/// Values under their names: pairs of indices.
using Columns = std::vector<std::pair<std::size_t, Word>>;

/// Whether each value is of its name's kind: Units a word, the others numbers.
bool AreOfTheirKind(const std::vector<std::string_view>& names,
                    const Columns& columns) {
  return std::ranges::all_of(columns, [&](const auto& column) {
    const auto& [name, value] = column;
    if (value.text.empty()) return true;
    return name < names.size() &&
           ParseNumber(value.text).has_value() != IsUnits(names[name]);
  });
}

/// Each value in the column of its name.
Columns ByColumn(std::string_view values) {
  Columns columns;
  TrcFields fields(values);
  for (std::size_t i = 0; const auto field = fields.Next(); ++i) {
    columns.push_back({i, {*field, fields.column()}});
  }
  return columns;
}

/// The values in their order, whatever is between them. Where there is no word
/// among them, Units is the name that has none.
Columns ByOrder(const std::vector<std::string_view>& names,
                std::string_view values) {
  Columns columns;
  const std::vector<Word> words = WordsOf(values);
  const bool has_word = std::ranges::any_of(
      words, [](const Word& word) { return !ParseNumber(word.text); });
  std::size_t name = 0;
  for (const Word& word : words) {
    if (!has_word && name < names.size() && IsUnits(names[name])) ++name;
    columns.push_back({name++, word});
  }
  return columns;
}

void ReadValues(std::string_view names_line, std::string_view values,
                long line_number, TrcHeader& header, Diagnostics& diagnostics) {
  const std::array<Slot, 8> slots = SlotsOf(header);
  for (const Slot& slot : slots) {
    slot.value->place = Place::AtLine(line_number);
  }
  std::vector<std::string_view> names;
  TrcFields fields(names_line);
  while (const auto name = fields.Next()) names.push_back(*name);
  const bool has_blanks = std::ranges::any_of(names, [](std::string_view name) {
    return name.find(' ') != std::string_view::npos;
  });
  if (has_blanks) {
    names.clear();
    for (const Word& word : WordsOf(names_line)) names.push_back(word.text);
  }
  Columns columns = ByColumn(values);
  if (!AreOfTheirKind(names, columns)) {
    Columns ordered = ByOrder(names, values);
    if (AreOfTheirKind(names, ordered)) {
      diagnostics.Warning("shifted-header", Place::AtLine(line_number, 1),
                          "expected each value in the column of its name, "
                          "found them shifted; taken in their order");
      columns = std::move(ordered);
    }
  }
  for (const auto& [name, value] : columns) {
    if (name >= names.size()) continue;
    for (const Slot& slot : slots) {
      if (!EqualIgnoringCase(names[name], slot.name)) continue;
      slot.value->text = value.text;
      slot.value->place = Place::AtLine(line_number, value.column);
    }
  }
}

// Labels stand above the first of their three columns, mostly; some programs
// shift them. Their order is what counts.
void ReadLabels(std::string_view line, TrcHeader& header) {
  TrcFields fields(line);
  const std::string_view first = fields.Next().value_or("");
  // "Frame#  Time" with a blank between them is one field.
  if (WordsOf(first).size() < 2) fields.Next();
  while (const std::optional<std::string_view> label = fields.Next()) {
    if (!label->empty()) header.labels.emplace_back(*label);
  }
}

bool StartsWithNumber(std::string_view line) {
  TrcFields fields(line);
  bool had_blanks = false;
  const std::optional<std::string_view> first = fields.NextNumber(had_blanks);
  return first && ParseNumber(*first).has_value();
}

// The line X1 Y1 Z1 ... and an empty line, either of which may be missing.
std::optional<LineReader> SkipToRows(LineReader reader, bool has_labels,
                                     Diagnostics& diagnostics) {
  bool found_axes = false;
  bool found_blank = false;
  LineReader before = reader;
  while (const std::optional<std::string_view> line = reader.Next()) {
    if (StartsWithNumber(*line)) break;
    const std::string_view word = Trim(*line);
    if (!found_axes && !found_blank && !word.empty() &&
        (word.front() == 'X' || word.front() == 'x')) {
      found_axes = true;
    } else if (word.empty()) {
      // Without labels the line of axes is blank too.
      found_axes = found_axes || !has_labels;
      found_blank = true;
    } else {
      diagnostics.Error("bad-row", Place::AtLine(reader.line(), 1),
                        "expected a row that begins with a frame number, "
                        "found " +
                            Quoted(word));
      return std::nullopt;
    }
    before = reader;
  }
  if (!found_axes) {
    diagnostics.Warning("no-axis-line", Place::AtLine(before.line() + 1),
                        "expected the line X1 Y1 Z1 ... under the labels");
  }
  if (!found_blank) {
    diagnostics.Warning("no-blank-line", Place::AtLine(before.line() + 1),
                        "expected an empty line before the first row");
  }
  return before;
}

}  // namespace

std::optional<LineReader> ReadTrcHeader(LineReader reader, TrcHeader& header,
                                        Diagnostics& diagnostics) {
  if (!ExpectWord(reader.Next(), 1, "PathFileType", diagnostics)) {
    return std::nullopt;
  }
  std::string_view names;
  std::string_view values;
  std::optional<std::string_view> line = reader.Next();
  if (!line || !BeginsWith(*line, "Frame#")) {
    if (!ExpectWord(line, reader.line(), "DataRate", diagnostics)) {
      return std::nullopt;
    }
    names = *line;
    line = reader.Next();
    if (line && !BeginsWith(*line, "Frame#")) {
      values = *line;
      line = reader.Next();
    }
  }
  if (values.empty()) {
    diagnostics.Warning("no-header-values", Place::AtLine(reader.line()),
                        "expected the values of DataRate, NumMarkers, Units "
                        "... before the labels; the rows decide");
  }
  ReadValues(names, values, std::max(1L, reader.line() - 1), header,
             diagnostics);
  if (!ExpectWord(line, line ? reader.line() : 4, "Frame#", diagnostics)) {
    return std::nullopt;
  }
  ReadLabels(*line, header);
  return SkipToRows(reader, !header.labels.empty(), diagnostics);
}

}  // namespace limber::mocap::internal
