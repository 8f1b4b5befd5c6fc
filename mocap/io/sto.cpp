// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/sto.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "core/file.h"
#include "mocap/io/internal/quoted.h"
#include "mocap/io/internal/text.h"

namespace limber::mocap {

namespace {

using namespace internal;  // NOLINT: the file is the inside of mocap/io

/// Words parted by tabs and blanks, with their columns from 1.
struct Word {
  std::string_view text;
  std::int64_t column = 1;
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

struct Count {
  std::optional<double> value;
  Place place;
};

struct Header {
  Count rows;
  Count columns;
};

/// Reads up to and with "endheader". False with an error where it never comes.
bool ReadHeader(LineReader& reader, StoTable& table, Header& header,
                Diagnostics& diagnostics) {
  bool is_first = true;
  while (const std::optional<std::string_view> whole = reader.Next()) {
    const std::string_view line = Trim(*whole);
    const Place place = Place::AtLine(reader.line(), 1);
    if (EqualIgnoringCase(line, "endheader")) return true;
    const std::size_t equals = line.find_first_of("= ");
    const std::string_view key = line.substr(0, equals);
    const std::string_view value =
        equals == std::string_view::npos ? "" : Trim(line.substr(equals + 1));
    if (EqualIgnoringCase(key, "nRows") || EqualIgnoringCase(key, "datarows")) {
      header.rows = {ParseNumber(value), place};
    } else if (EqualIgnoringCase(key, "nColumns") ||
               EqualIgnoringCase(key, "datacolumns")) {
      header.columns = {ParseNumber(value), place};
    } else if (EqualIgnoringCase(key, "inDegrees")) {
      table.in_degrees = EqualIgnoringCase(value, "yes");
    } else if (EqualIgnoringCase(key, "DataType") &&
               !EqualIgnoringCase(value, "double")) {
      diagnostics.Error("data-type", place,
                        "expected DataType=double, found " + Quoted(value));
      return false;
    } else if (is_first) {
      table.name = line;
      if (EqualIgnoringCase(key, "name")) table.name = value;
    }
    is_first = false;
  }
  diagnostics.Error("bad-header", Place::AtLine(reader.line()),
                    "expected the line \"endheader\" before the columns, found "
                    "the end of the file");
  return false;
}

bool ReadLabels(LineReader& reader, StoTable& table, Diagnostics& diagnostics) {
  std::optional<std::string_view> line = reader.Next();
  while (line && Trim(*line).empty()) line = reader.Next();
  const std::vector<Word> words = WordsOf(line.value_or(""));
  if (words.empty() || !EqualIgnoringCase(words.front().text, "time")) {
    diagnostics.Error(
        "bad-columns", Place::AtLine(reader.line(), 1),
        "expected the names of the columns, \"time\" first, found " +
            (line ? Quoted(words.empty() ? "" : words.front().text)
                  : std::string("the end of the file")));
    return false;
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    table.labels.emplace_back(words[i].text);
  }
  return true;
}

std::optional<double> ParseValue(std::string_view text) {
  const std::string_view digits =
      text.starts_with('-') || text.starts_with('+') ? text.substr(1) : text;
  if (EqualIgnoringCase(digits.substr(0, 3), "nan")) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return ParseNumber(text);
}

bool ReadRow(std::string_view line, long line_number, StoTable& table,
             Diagnostics& diagnostics) {
  const std::vector<Word> words = WordsOf(line);
  if (words.size() != table.labels.size() + 1) {
    diagnostics.Error("row-length", Place::AtLine(line_number, 1),
                      "expected " + std::to_string(table.labels.size() + 1) +
                          " numbers, found " + std::to_string(words.size()));
    return false;
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::optional<double> value = ParseValue(words[i].text);
    const bool is_time = i == 0;
    if (!value || (is_time && std::isnan(*value))) {
      diagnostics.Error(
          "bad-number", Place::AtLine(line_number, words[i].column),
          "expected " + std::string(is_time ? "a time" : "a number") +
              ", found " + Quoted(words[i].text));
      return false;
    }
    if (is_time) {
      table.times.push_back(*value);
    } else {
      table.values.push_back(*value);
    }
  }
  return true;
}

void Compare(const Count& said, std::size_t found, const char* kind,
             const char* what, Diagnostics& diagnostics) {
  if (!said.value || *said.value == static_cast<double>(found)) return;
  std::string text;
  AppendNumber(text, *said.value);
  diagnostics.Warning(kind, said.place,
                      "the header says " + text + " " + what + ", found " +
                          std::to_string(found) + "; using these");
}

/// Ten digits, enough for angles and lengths of any recording; "nan" where
/// there is no number.
void AppendValue(std::string& text, double value) {
  constexpr int kDigits = 10;
  std::array<char, 40> number{};
  const auto end = std::to_chars(number.data(), number.data() + number.size(),
                                 std::isnan(value) ? std::abs(value) : value,
                                 std::chars_format::general, kDigits);
  text.append(number.data(), end.ptr);
}

/// The line of a table's name. A name that reads as something else of the
/// header is said to be one.
std::string FirstLine(const std::string& name) {
  StoTable again;
  Header header;
  Diagnostics unread;
  const std::string lines = name + "\nendheader";
  LineReader reader(lines);
  const bool is_plain =
      ReadHeader(reader, again, header, unread) && again.name == name;
  return is_plain ? name : "name=" + name;
}

/// What the reader would not take, or take otherwise.
void CheckWritable(const StoTable& table, Diagnostics& diagnostics) {
  const auto refuse = [&diagnostics](const std::string& what) {
    diagnostics.Error("not-writable", Place(), what);
  };
  if (table.name.find_first_of("\r\n") != std::string::npos ||
      Trim(table.name) != table.name) {
    refuse("a table's name is one line without blanks around it, found " +
           Quoted(table.name));
  }
  for (const std::string& label : table.labels) {
    if (!label.empty() && label.find_first_of(" \t\r\n") == std::string::npos) {
      continue;
    }
    refuse("a column's name is one word, found " + Quoted(label));
  }
  for (std::size_t row = 0; row < table.times.size(); ++row) {
    if (std::isfinite(table.times[row])) continue;
    refuse("the time of row " + std::to_string(row + 1) + " is no number");
    break;
  }
  const auto infinite = std::ranges::find_if(
      table.values, [](double v) { return std::isinf(v); });
  if (infinite != table.values.end()) {
    const auto at = static_cast<std::size_t>(infinite - table.values.begin());
    refuse("the value of " + Quoted(table.labels[at % table.labels.size()]) +
           " in row " + std::to_string(at / table.labels.size() + 1) +
           " is infinite");
  }
}

}  // namespace

std::optional<int> StoTable::Find(std::string_view label) const {
  const auto found = std::ranges::find(labels, label);
  if (found == labels.end()) return std::nullopt;
  return static_cast<int>(found - labels.begin());
}

double StoTable::rate_hz() const {
  if (times.size() < 2) return 0.0;
  std::vector<double> steps;
  for (std::size_t i = 1; i < times.size(); ++i) {
    steps.push_back(times[i] - times[i - 1]);
  }
  const auto middle = steps.begin() + std::ptrdiff_t(steps.size() / 2);
  std::ranges::nth_element(steps, middle);
  return *middle > 0 ? 1 / *middle : 0.0;
}

Result<StoTable> ReadSto(std::string_view text, std::string name, bool strict) {
  Diagnostics diagnostics(std::move(name), strict);
  LineReader reader(text);
  StoTable table;
  Header header;
  if (!ReadHeader(reader, table, header, diagnostics) ||
      !ReadLabels(reader, table, diagnostics)) {
    return Result<StoTable>(std::move(diagnostics));
  }
  while (const std::optional<std::string_view> line = reader.Next()) {
    if (Trim(*line).empty()) continue;
    if (!ReadRow(*line, reader.line(), table, diagnostics)) {
      return Result<StoTable>(std::move(diagnostics));
    }
  }
  Compare(header.rows, table.times.size(), "row-count", "rows", diagnostics);
  Compare(header.columns, table.labels.size() + 1, "column-count", "columns",
          diagnostics);
  return {std::move(table), std::move(diagnostics)};
}

Result<StoTable> ReadStoFile(const std::filesystem::path& path) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return Result<StoTable>(text.diagnostics());
  return ReadSto(*text, PathText(path));
}

Result<std::string> FormatSto(const StoTable& table, std::string name) {
  Diagnostics diagnostics(std::move(name));
  CheckWritable(table, diagnostics);
  if (diagnostics.has_errors()) return Result<std::string>(diagnostics);
  std::string text = FirstLine(table.name) +
                     "\nversion=1\nnRows=" + std::to_string(table.num_rows()) +
                     "\nnColumns=" + std::to_string(table.labels.size() + 1) +
                     "\ninDegrees=" + (table.in_degrees ? "yes" : "no") +
                     "\n\nUnits are S.I. units (second, meters, Newtons, ...)\n"
                     "If the header above contains a line with 'inDegrees', "
                     "this indicates whether rotational values are in degrees "
                     "(yes) or radians (no).\n\nendheader\ntime";
  for (const std::string& label : table.labels) text += "\t" + label;
  text += "\n";
  for (std::int64_t row = 0; row < table.num_rows(); ++row) {
    AppendValue(text, table.times[static_cast<std::size_t>(row)]);
    for (int column = 0; column < static_cast<int>(table.labels.size());
         ++column) {
      text += "\t";
      AppendValue(text, table.At(row, column));
    }
    text += "\n";
  }
  return {std::move(text), std::move(diagnostics)};
}

Diagnostics WriteStoFile(const std::filesystem::path& path,
                         const StoTable& table) {
  const Result<std::string> text = FormatSto(table, PathText(path));
  if (!text.ok()) return text.diagnostics();
  return WriteWholeFile(path, *text);
}

}  // namespace limber::mocap
