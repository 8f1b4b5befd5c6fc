// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/json_document.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "core/file.h"
#include "core/suggest.h"

namespace limber {

namespace {

using nlohmann::json;

constexpr std::size_t kDeepestLevel = 64;

/// Line and column of every byte of a text.
class Places {
 public:
  explicit Places(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') line_begins_.push_back(i + 1);
    }
  }
  Place At(std::size_t offset) const {
    const auto after = std::ranges::upper_bound(line_begins_, offset);
    const std::size_t begin = *(after - 1);
    return Place::AtLine(after - line_begins_.begin(),
                         static_cast<std::int64_t>(offset - begin) + 1);
  }

 private:
  std::vector<std::size_t> line_begins_ = {0};
};

/// A position in the text that tells its owner how far the parser has read.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** furthest)
      : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    *furthest_ = at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const {
    return at_ == other.at_;
  }

 private:
  const char* at_;
  const char** furthest_;
};

/// Builds the tree from the parser's events. The parser tells no places: it
/// reports a token when it has read to its end, so a token begins at the first
/// character after the last token that is neither space, comma, colon nor
/// comment.
class TreeBuilder : public nlohmann::json_sax<json> {
 public:
  TreeBuilder(std::string_view text, const char** furthest,
              Diagnostics& diagnostics)
      : text_(text),
        furthest_(furthest),
        places_(text),
        diagnostics_(diagnostics) {}

  JsonValue&& TakeRoot() { return std::move(root_); }

  bool null() override { return Put(OfKind(JsonValue::Kind::kNull)); }
  bool boolean(bool value) override {
    JsonValue made = OfKind(JsonValue::Kind::kBoolean);
    made.boolean = value;
    return Put(std::move(made));
  }
  bool number_integer(number_integer_t value) override {
    return PutNumber(static_cast<double>(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return PutNumber(static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t&) override {
    return PutNumber(value);
  }
  bool string(string_t& value) override {
    JsonValue made = OfKind(JsonValue::Kind::kText);
    made.text = std::move(value);
    return Put(std::move(made));
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    return Open(JsonValue::Kind::kObject);
  }
  bool start_array(std::size_t) override {
    return Open(JsonValue::Kind::kArray);
  }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool key(string_t& name) override {
    key_place_ = TokenPlace();
    key_ = std::move(name);
    if (!names_.back().insert(key_).second) {
      diagnostics_.Error("duplicate-name", key_place_,
                         "the name \"" + key_ + "\" stands here twice");
      return false;
    }
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    // "[json.exception...] parse error at line 1, column 2: what is wrong", or
    // "[json.exception...] number overflow parsing '1e999'".
    std::string message = error.what();
    const std::size_t name = message.find("] ");
    if (name != std::string::npos) message.erase(0, name + 2);
    const std::size_t head = message.find(": ");
    if (message.starts_with("parse error") && head != std::string::npos) {
      message.erase(0, head + 2);
    }
    const std::size_t offset = position == 0 ? 0 : position - 1;
    diagnostics_.Error("syntax", places_.At(std::min(offset, text_.size())),
                       "no JSON: " + message);
    return false;
  }

 private:
  static JsonValue OfKind(JsonValue::Kind kind) {
    JsonValue value;
    value.kind = kind;
    return value;
  }

  bool PutNumber(double value) {
    JsonValue made = OfKind(JsonValue::Kind::kNumber);
    made.number = value;
    Put(std::move(made));
    // The parser reads one character past a number to find its end.
    while (last_end_ > 0 && !IsNumberCharacter(text_[last_end_ - 1])) {
      --last_end_;
    }
    return true;
  }

  static bool IsNumberCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.';
  }

  Place TokenPlace() {
    std::size_t at = last_end_;
    const auto starts = [&](std::string_view with) {
      return text_.substr(at).starts_with(with);
    };
    const auto skip_past = [&](std::string_view end) {
      const std::size_t found = text_.find(end, at + 2);
      at = found == std::string_view::npos ? text_.size() : found + end.size();
    };
    constexpr std::string_view kBetween = " \t\r\n,:]}";
    while (at < text_.size()) {
      if (starts("//")) {
        skip_past("\n");
      } else if (starts("/*")) {
        skip_past("*/");
      } else if (starts("\xEF\xBB\xBF")) {
        at += 3;
      } else if (kBetween.find(text_[at]) != std::string_view::npos) {
        ++at;
      } else {
        break;
      }
    }
    last_end_ = static_cast<std::size_t>(*furthest_ - text_.data());
    return places_.At(std::min(at, text_.size()));
  }

  bool Put(JsonValue value) {
    value.place = TokenPlace();
    value.key = std::move(key_);
    value.key_place = key_place_;
    key_.clear();
    if (open_.empty()) {
      root_ = std::move(value);
    } else {
      open_.back()->items.push_back(std::move(value));
    }
    return true;
  }

  bool Open(JsonValue::Kind kind) {
    if (open_.size() == kDeepestLevel) {
      diagnostics_.Error("too-deep", TokenPlace(),
                         "more than " + std::to_string(kDeepestLevel) +
                             " brackets inside one another");
      return false;
    }
    Put(OfKind(kind));
    open_.push_back(open_.empty() ? &root_ : &open_.back()->items.back());
    names_.emplace_back();
    return true;
  }

  bool Close() {
    open_.pop_back();
    names_.pop_back();
    return true;
  }

  std::string_view text_;
  const char** furthest_;
  Places places_;
  Diagnostics& diagnostics_;
  JsonValue root_;
  /// The brackets around what comes next. Only the last one's items grow, so
  /// the pointers stay good.
  std::vector<JsonValue*> open_;
  std::vector<std::unordered_set<std::string>> names_;  ///< Of each bracket.
  std::string key_;
  Place key_place_;
  std::size_t last_end_ = 0;
};

std::string Quoted(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string quoted = "\"";
  quoted += text.substr(0, kLongest);
  return quoted + (text.size() > kLongest ? "...\"" : "\"");
}

std::string NumberText(double number) { return json(number).dump(); }

/// What a message says was found: `a text, "abc"`, `the number -1`.
std::string Found(const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::kText:
      return "the text " + Quoted(value.text);
    case JsonValue::Kind::kNumber:
      return "the number " + NumberText(value.number);
    case JsonValue::Kind::kBoolean:
      return value.boolean ? "true" : "false";
    default:
      return std::string(NameOf(value.kind));
  }
}

std::string RangeText(const NumberRange& range) {
  const bool has_lo = std::isfinite(range.lo);
  const bool has_hi = std::isfinite(range.hi);
  const std::string lo =
      (range.above_lo ? "above " : "at least ") + NumberText(range.lo);
  if (has_lo && has_hi) {
    return (range.above_lo ? lo + " and at most " + NumberText(range.hi)
                           : "from " + NumberText(range.lo) + " to " +
                                 NumberText(range.hi));
  }
  if (has_lo) return lo;
  return "at most " + NumberText(range.hi);
}

std::string Listed(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ", ";
    text += word;
  }
  return text;
}

/// `; did you mean "ball"? Expected one of ball, hinge`.
std::string ValidWords(std::string_view word, std::vector<std::string> words) {
  std::string text;
  if (const std::optional<std::string> meant = Suggest(word, words)) {
    text = "; did you mean " + Quoted(*meant) + "?";
  }
  return text + " (valid: " + Listed(words) + ")";
}

/// The numbers of an array; `count` of them, unless it is negative.
std::vector<double> NumbersOf(const JsonValue& value, std::string_view name,
                              int count, NumberRange range,
                              Diagnostics& diagnostics) {
  std::vector<double> numbers;
  if (count >= 0 && value.items.size() != static_cast<std::size_t>(count)) {
    diagnostics.Error("wrong-count", value.place,
                      Quoted(name) + " must have " + std::to_string(count) +
                          " numbers, found " +
                          std::to_string(value.items.size()));
    numbers.resize(static_cast<std::size_t>(count));
    return numbers;
  }
  for (const JsonValue& item : value.items) {
    numbers.push_back(NumberOf(item, name, range, diagnostics));
  }
  return numbers;
}

}  // namespace

const JsonValue* JsonValue::Find(std::string_view name) const {
  if (kind != Kind::kObject) return nullptr;
  const auto found = std::ranges::find(items, name, &JsonValue::key);
  return found == items.end() ? nullptr : &*found;
}

std::string_view NameOf(JsonValue::Kind kind) {
  switch (kind) {
    case JsonValue::Kind::kNull:
      return "null";
    case JsonValue::Kind::kBoolean:
      return "true or false";
    case JsonValue::Kind::kNumber:
      return "a number";
    case JsonValue::Kind::kText:
      return "a text";
    case JsonValue::Kind::kArray:
      return "an array [...]";
    case JsonValue::Kind::kObject:
      return "an object {...}";
  }
  return "";
}

Result<JsonValue> ParseJson(std::string_view text, const std::string& file) {
  Diagnostics diagnostics(file);
  const char* furthest = text.data();
  TreeBuilder builder(text, &furthest, diagnostics);
  json::sax_parse(CountingIterator(text.data(), &furthest),
                  CountingIterator(text.data() + text.size(), &furthest),
                  &builder, json::input_format_t::json, true, true);
  return {builder.TakeRoot(), std::move(diagnostics)};
}

Result<JsonValue> ReadJson(const std::filesystem::path& path) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text) return Result<JsonValue>(text.diagnostics());
  return ParseJson(*text, PathText(path));
}

bool CheckKind(const JsonValue& value, std::string_view name,
               JsonValue::Kind kind, Diagnostics& diagnostics) {
  if (value.kind == kind) return true;
  diagnostics.Error("wrong-kind", value.place,
                    Quoted(name) + " must be " + std::string(NameOf(kind)) +
                        ", found " + Found(value));
  return false;
}

double NumberOf(const JsonValue& value, std::string_view name,
                NumberRange range, Diagnostics& diagnostics) {
  if (!CheckKind(value, name, JsonValue::Kind::kNumber, diagnostics)) return 0;
  const double number = value.number;
  if (number < range.lo || number > range.hi ||
      (range.above_lo && number == range.lo)) {
    diagnostics.Error("out-of-range", value.place,
                      Quoted(name) + " must be " + RangeText(range) +
                          ", found " + NumberText(number));
    return 0;
  }
  return number;
}

Vector3 VectorOf(const JsonValue& value, std::string_view name,
                 Diagnostics& diagnostics) {
  if (!CheckKind(value, name, JsonValue::Kind::kArray, diagnostics)) {
    return Vector3::Zero();
  }
  const std::vector<double> numbers =
      NumbersOf(value, name, 3, NumberRange::Any(), diagnostics);
  return {numbers[0], numbers[1], numbers[2]};
}

int WordOf(const JsonValue& value, std::string_view name,
           std::span<const std::string_view> words, Diagnostics& diagnostics) {
  if (!CheckKind(value, name, JsonValue::Kind::kText, diagnostics)) return -1;
  const auto found = std::ranges::find(words, value.text);
  if (found != words.end()) return static_cast<int>(found - words.begin());
  diagnostics.Error("unknown-word", value.place,
                    "unknown " + std::string(name) + " " + Quoted(value.text) +
                        ValidWords(value.text, {words.begin(), words.end()}));
  return -1;
}

JsonObject::JsonObject(const JsonValue& value, std::string_view what,
                       Diagnostics& diagnostics)
    : value_(value), what_(what), diagnostics_(diagnostics) {
  if (value.kind != JsonValue::Kind::kObject) {
    diagnostics.Error(
        "wrong-kind", value.place,
        what_ + " must be an object {...}, found " + Found(value));
  }
}

const JsonValue* JsonObject::Value(std::string_view name) {
  if (std::ranges::find(known_, name) == known_.end()) {
    known_.emplace_back(name);
  }
  return value_.Find(name);
}

bool JsonObject::Has(std::string_view name) { return Value(name) != nullptr; }

const JsonValue* JsonObject::Get(std::string_view name, JsonValue::Kind kind,
                                 bool required) {
  const JsonValue* value = Value(name);
  if (value == nullptr) {
    if (required && value_.kind == JsonValue::Kind::kObject) {
      diagnostics_.Error(
          "missing-name", value_.place,
          what_ + " needs " + Quoted(name) + ": " + std::string(NameOf(kind)));
    }
    return nullptr;
  }
  return CheckKind(*value, name, kind, diagnostics_) ? value : nullptr;
}

double JsonObject::Number(std::string_view name, NumberRange range) {
  const JsonValue* value = Get(name, JsonValue::Kind::kNumber, true);
  return value == nullptr ? 0.0 : NumberOf(*value, name, range, diagnostics_);
}

double JsonObject::Number(std::string_view name, NumberRange range,
                          double fallback) {
  return Has(name) ? Number(name, range) : fallback;
}

std::int64_t JsonObject::Integer(std::string_view name, std::int64_t lo,
                                 std::int64_t hi) {
  const JsonValue* value = Get(name, JsonValue::Kind::kNumber, true);
  if (value == nullptr) return lo;
  if (value->number != std::floor(value->number)) {
    Error(name, "out-of-range",
          Quoted(name) + " must be a whole number, found " +
              NumberText(value->number));
    return lo;
  }
  if (value->number < static_cast<double>(lo) ||
      value->number > static_cast<double>(hi)) {
    Error(name, "out-of-range",
          Quoted(name) + " must be from " + std::to_string(lo) + " to " +
              std::to_string(hi) + ", found " + NumberText(value->number));
    return lo;
  }
  return static_cast<std::int64_t>(value->number);
}

std::int64_t JsonObject::Integer(std::string_view name, std::int64_t lo,
                                 std::int64_t hi, std::int64_t fallback) {
  return Has(name) ? Integer(name, lo, hi) : fallback;
}

bool JsonObject::Flag(std::string_view name, bool fallback) {
  const JsonValue* value = Get(name, JsonValue::Kind::kBoolean, false);
  return value == nullptr ? fallback : value->boolean;
}

std::string JsonObject::Text(std::string_view name) {
  const JsonValue* value = Get(name, JsonValue::Kind::kText, true);
  return value == nullptr ? std::string() : value->text;
}

std::string JsonObject::Text(std::string_view name, std::string_view fallback) {
  return Has(name) ? Text(name) : std::string(fallback);
}

int JsonObject::Word(std::string_view name,
                     std::span<const std::string_view> words) {
  const JsonValue* value = Get(name, JsonValue::Kind::kText, true);
  if (value == nullptr) return 0;
  return std::max(0, WordOf(*value, name, words, diagnostics_));
}

int JsonObject::Word(std::string_view name,
                     std::span<const std::string_view> words, int fallback) {
  return Has(name) ? Word(name, words) : fallback;
}

std::vector<double> JsonObject::Numbers(std::string_view name, int count,
                                        NumberRange range) {
  const JsonValue* value = Get(name, JsonValue::Kind::kArray, true);
  if (value == nullptr) {
    return std::vector<double>(static_cast<std::size_t>(std::max(0, count)));
  }
  return NumbersOf(*value, name, count, range, diagnostics_);
}

Vector3 JsonObject::Vector(std::string_view name) {
  const std::vector<double> numbers = Numbers(name, 3);
  return {numbers[0], numbers[1], numbers[2]};
}

Vector3 JsonObject::Vector(std::string_view name, const Vector3& fallback) {
  return Has(name) ? Vector(name) : fallback;
}

const JsonValue* JsonObject::Array(std::string_view name, bool required) {
  return Get(name, JsonValue::Kind::kArray, required);
}

const JsonValue* JsonObject::Object(std::string_view name, bool required) {
  return Get(name, JsonValue::Kind::kObject, required);
}

void JsonObject::Finish() {
  if (value_.kind != JsonValue::Kind::kObject) return;
  for (const JsonValue& member : value_.items) {
    if (std::ranges::find(known_, member.key) != known_.end()) continue;
    diagnostics_.Error("unknown-word", member.key_place,
                       what_ + " has no " + Quoted(member.key) +
                           ValidWords(member.key, known_));
  }
}

void JsonObject::Error(std::string_view name, std::string_view kind,
                       const std::string& message) {
  const JsonValue* value = value_.Find(name);
  diagnostics_.Error(kind, value == nullptr ? value_.place : value->place,
                     message);
}

}  // namespace limber
