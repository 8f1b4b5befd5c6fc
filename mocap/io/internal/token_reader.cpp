// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/token_reader.h"

#include <algorithm>
#include <cmath>

#include "mocap/io/internal/text.h"

namespace limber::mocap::internal {

namespace {

// Length of the valid UTF-8 sequence at the start of `bytes`, 0 when there is
// none (also for over-long forms, surrogates and values past U+10FFFF).
std::size_t Utf8SequenceLength(std::string_view bytes) {
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) >> 6) == 2u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return continues(1) ? 2 : 0;
  if (first < 0xF0) {
    const bool over_long = first == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = first == 0xED && byte(1) >= 0xA0;
    const bool whole = continues(1) && continues(2);
    return whole && !over_long && !surrogate ? 3 : 0;
  }
  const bool over_long = first == 0xF0 && byte(1) < 0x90;
  const bool too_large = first > 0xF4 || (first == 0xF4 && byte(1) >= 0x90);
  const bool whole = continues(1) && continues(2) && continues(3);
  return whole && !over_long && !too_large ? 4 : 0;
}

bool IsUtf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t length = Utf8SequenceLength(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

}  // namespace

bool IsWritable(double value) {
  // NaN fails every comparison.
  return std::abs(value) <= kLargestValue;
}

bool IsWritable(const Vector3& values) {
  return IsWritable(values.x()) && IsWritable(values.y()) &&
         IsWritable(values.z());
}

std::optional<double> ParseValue(std::string_view text) {
  const std::optional<double> number = ParseNumber(text);
  if (number && std::abs(*number) > kLargestValue) return std::nullopt;
  return number;
}

std::string Quoted(std::string_view text) { return '"' + Excerpt(text) + '"'; }

std::string Found(const Token& token) {
  if (token.at_end()) return "the end of the file";
  return Quoted(token.text);
}

TokenReader::TokenReader(std::string_view text, const TokenSyntax& syntax)
    : text_(text) {
  if (text_.substr(0, 3) == "\xEF\xBB\xBF") text_.remove_prefix(3);
  const auto mark = [this](std::string_view characters, CharKind kind) {
    for (const char c : characters)
      kinds_[static_cast<unsigned char>(c)] = kind;
  };
  mark(" \t\f\v", CharKind::kBlank);
  mark("\r\n", CharKind::kLineEnd);
  mark(syntax.blanks, CharKind::kBlank);
  mark(syntax.punctuation, CharKind::kPunctuation);
  if (syntax.comment != '\0') mark({&syntax.comment, 1}, CharKind::kComment);
}

void TokenReader::SkipBlanks() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    switch (KindOf(c)) {
      case CharKind::kBlank:
        ++position_;
        break;
      case CharKind::kLineEnd: {
        const bool crlf = c == '\r' && position_ + 1 < text_.size() &&
                          text_[position_ + 1] == '\n';
        position_ += crlf ? 2 : 1;
        ++line_;
        line_start_ = position_;
        line_has_token_ = false;
        break;
      }
      case CharKind::kComment:
        position_ =
            std::min(text_.find_first_of("\r\n", position_), text_.size());
        break;
      default:
        return;
    }
  }
}

Token TokenReader::Peek() {
  SkipBlanks();
  Token token;
  token.line = line_;
  token.column = static_cast<long>(position_ - line_start_) + 1;
  token.starts_line = !line_has_token_;
  if (position_ == text_.size()) return token;
  std::size_t end = position_ + 1;
  if (KindOf(text_[position_]) == CharKind::kWord) {
    while (end < text_.size() && KindOf(text_[end]) == CharKind::kWord) ++end;
  }
  token.text = text_.substr(position_, end - position_);
  return token;
}

Token TokenReader::Next() {
  const Token token = Peek();
  position_ += token.text.size();
  if (!token.at_end()) line_has_token_ = true;
  return token;
}

std::string_view TokenReader::RestOfLine(char stop) {
  std::size_t end = position_;
  while (end < text_.size() && KindOf(text_[end]) != CharKind::kLineEnd &&
         !(stop != '\0' && text_[end] == stop)) {
    ++end;
  }
  const std::string_view rest = text_.substr(position_, end - position_);
  position_ = end;
  return Trim(rest);
}

std::string ToUtf8(std::string_view bytes, bool& changed) {
  changed = !IsUtf8(bytes);
  if (!changed) return std::string(bytes);
  std::string text;
  for (const char c : bytes) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text.push_back(c);
    } else {
      text.push_back(static_cast<char>(0xC0 | (byte >> 6)));
      text.push_back(static_cast<char>(0x80 | (byte & 0x3F)));
    }
  }
  return text;
}

}  // namespace limber::mocap::internal
