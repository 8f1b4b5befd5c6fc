// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/batch/log_line.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace limber::app::batch {

namespace {

/// Where the text in quotes that begins at `at` ends: behind its second quote;
/// npos if it does not.
std::size_t EndOfText(std::string_view line, std::size_t at) {
  for (std::size_t i = at + 1; i < line.size(); ++i) {
    if (line[i] == '"') return i + 1;
    if (line[i] == '\\') ++i;
  }
  return std::string_view::npos;
}

/// Where the value that begins at `at` ends; npos if it does not. Lists and
/// objects end where as many brackets are closed as were opened.
std::size_t EndOfValue(std::string_view line, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i < line.size();) {
    const char c = line[i];
    if (c == '"') {
      i = EndOfText(line, i);
      if (i == std::string_view::npos || depth == 0) return i;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') {
      if (depth == 0) return i > at ? i : std::string_view::npos;
      if (--depth == 0) return i + 1;
    }
    if (c == ',' && depth == 0) return i > at ? i : std::string_view::npos;
    ++i;
  }
  return std::string_view::npos;
}

template <typename Number>
Number ToNumber(std::string_view json) {
  Number value{};
  const char* end = json.data() + json.size();
  const auto [at, error] = std::from_chars(json.data(), end, value);
  return error == std::errc() && at == end ? value : Number{};
}

}  // namespace

std::optional<std::string> UnquoteJson(std::string_view quoted) {
  if (quoted.size() < 2 || quoted.front() != '"' || quoted.back() != '"') {
    return std::nullopt;
  }
  const std::string_view inside = quoted.substr(1, quoted.size() - 2);
  if (inside.find_first_of("\\\"") == std::string_view::npos) {
    return std::string(inside);
  }
  const nlohmann::json text = nlohmann::json::parse(quoted, nullptr, false);
  if (!text.is_string()) return std::nullopt;
  return text.get<std::string>();
}

std::optional<LogLine> LogLine::Scan(std::string_view line) {
  // What a lost block of the disk leaves are zeros.
  constexpr unsigned char kFirstLetter = 0x20;
  if (std::ranges::any_of(line, [](char c) {
        return static_cast<unsigned char>(c) < kFirstLetter;
      })) {
    return std::nullopt;
  }
  LogLine scanned;
  std::size_t at = 0;
  const auto take = [&line, &at](std::string_view expected) {
    if (!line.substr(at).starts_with(expected)) return false;
    at += expected.size();
    return true;
  };
  for (std::size_t i = 0; i < kLogMembers.size(); ++i) {
    if (!take(i == 0 ? "{\"" : ",\"") || !take(kLogMembers[i]) ||
        !take("\":")) {
      return std::nullopt;
    }
    const std::size_t end = EndOfValue(line, at);
    if (end == std::string_view::npos) return std::nullopt;
    scanned.json_[i] = line.substr(at, end - at);
    at = end;
  }
  if (!take("}") || at != line.size()) return std::nullopt;
  return scanned;
}

std::string LogLine::text(LogMember member) const {
  return UnquoteJson(json(member)).value_or("");
}

std::int64_t LogLine::whole_number(LogMember member) const {
  return ToNumber<std::int64_t>(json(member));
}

double LogLine::number(LogMember member) const {
  return ToNumber<double>(json(member));
}

void LogLine::ForEach(
    LogMember member,
    const std::function<void(std::string key, std::string_view json)>& visit)
    const {
  const std::string_view object = json(member);
  std::size_t at = 1;
  while (at < object.size() && object[at] == '"') {
    const std::size_t colon = EndOfText(object, at);
    if (colon >= object.size() || object[colon] != ':') return;
    const std::size_t end = EndOfValue(object, colon + 1);
    if (end >= object.size()) return;
    std::optional<std::string> key = UnquoteJson(object.substr(at, colon - at));
    if (!key) return;
    visit(std::move(*key), object.substr(colon + 1, end - colon - 1));
    at = end + 1;
  }
}

}  // namespace limber::app::batch
