// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/text.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace limber::mocap::internal {

namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes a leading '+' away, which from_chars refuses; false when nothing, or a
// second sign, follows.
bool DropPlus(std::string_view& text) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return false;
  }
  return !text.empty();
}

}  // namespace

std::optional<double> ParseNumber(std::string_view text) {
  if (!DropPlus(text)) return std::nullopt;
  // from_chars also takes "inf" and "nan"; a number starts like one.
  const char first =
      text.front() == '-' && text.size() > 1 ? text[1] : text.front();
  if (!IsDigit(first) && first != '.') return std::nullopt;
  double value = 0.0;
  const char* end = text.data() + text.size();
  const std::from_chars_result result =
      std::from_chars(text.data(), end, value);
  if (result.ptr != end) return std::nullopt;
  if (result.ec == std::errc::result_out_of_range) {
    // Too small is as good as zero; too large is not a number we can hold.
    const std::size_t exponent = text.find_first_of("eE");
    const bool tiny = exponent != std::string_view::npos &&
                      exponent + 1 < text.size() && text[exponent + 1] == '-';
    if (!tiny) return std::nullopt;
    return 0.0;
  }
  if (result.ec != std::errc()) return std::nullopt;
  return value;
}

std::optional<int> ParseInteger(std::string_view text) {
  if (!DropPlus(text)) return std::nullopt;
  int value = 0;
  const char* end = text.data() + text.size();
  const std::from_chars_result result =
      std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (Lower(a[i]) != Lower(b[i])) return false;
  }
  return true;
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\f\v";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::string Excerpt(std::string_view text, std::size_t limit) {
  std::size_t size = text.size();
  if (size > limit) {
    size = limit;
    // Do not cut inside a UTF-8 sequence.
    while (size > 0 && (text[size] & 0xC0) == 0x80) --size;
  }
  std::string result(text.substr(0, size));
  for (char& c : result) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) c = byte == '\t' ? ' ' : '?';
  }
  if (size < text.size()) result += "...";
  return result;
}

void AppendNumber(std::string& text, double value) {
  char buffer[32];
  const std::to_chars_result result =
      std::to_chars(buffer, buffer + sizeof(buffer), value);
  text.append(buffer, result.ptr);
}

void AppendFixed(std::string& text, double value, int digits) {
  // The largest double has 309 digits before the point.
  char buffer[352];
  char* end = std::to_chars(buffer, buffer + sizeof(buffer), value,
                            std::chars_format::fixed, digits)
                  .ptr;
  if (std::memchr(buffer, '.', static_cast<std::size_t>(end - buffer))) {
    while (end[-1] == '0') --end;
    if (end[-1] == '.') --end;
  }
  if (end - buffer == 2 && buffer[0] == '-' && buffer[1] == '0') {
    text.push_back('0');
    return;
  }
  text.append(buffer, end);
}

LineReader::LineReader(std::string_view text) : rest_(text) {
  if (rest_.substr(0, 3) == "\xEF\xBB\xBF") rest_.remove_prefix(3);
}

std::optional<std::string_view> LineReader::Next() {
  if (rest_.empty()) return std::nullopt;
  ++line_;
  const std::size_t end = rest_.find_first_of("\r\n");
  if (end == std::string_view::npos) {
    const std::string_view line = rest_;
    rest_ = {};
    return line;
  }
  const std::string_view line = rest_.substr(0, end);
  const bool crlf =
      rest_[end] == '\r' && end + 1 < rest_.size() && rest_[end + 1] == '\n';
  rest_.remove_prefix(end + (crlf ? 2 : 1));
  return line;
}

}  // namespace limber::mocap::internal
