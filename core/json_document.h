// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/math.h"
#include "core/result.h"

namespace limber {

/// One value of a JSON file, and where it stands.
struct JsonValue {
  enum class Kind { kNull, kBoolean, kNumber, kText, kArray, kObject };

  Kind kind = Kind::kNull;
  Place place;      ///< Of its first character.
  std::string key;  ///< Its name in the object around it; else empty.
  Place key_place;  ///< Of the name.
  bool boolean = false;
  double number = 0.0;  ///< Always finite.
  std::string text;
  std::vector<JsonValue> items;  ///< Of an array, or the members of an object.

  /// The member of this name, or null; null also for what is no object.
  const JsonValue* Find(std::string_view name) const;
};

/// "a number", "an object", ...; for messages.
std::string_view NameOf(JsonValue::Kind kind);

/// Reads JSON text with `//` and `/* */` comments. Errors: "syntax",
/// "duplicate-name" and "too-deep" (more than 64 levels), with the place.
Result<JsonValue> ParseJson(std::string_view text, const std::string& file);
Result<JsonValue> ReadJson(const std::filesystem::path& path);

/// Which numbers are good.
struct NumberRange {
  double lo = -std::numeric_limits<double>::infinity();
  double hi = std::numeric_limits<double>::infinity();
  bool above_lo = false;  ///< `lo` itself is refused.

  static NumberRange Any() { return {}; }
  static NumberRange Positive() {
    return {0.0, std::numeric_limits<double>::infinity(), true};
  }
  static NumberRange NotNegative() { return {0.0}; }
  static NumberRange Between(double lo, double hi) { return {lo, hi}; }
};

/// Takes a JSON object apart, name by name. What is missing, of the wrong kind
/// or out of range becomes an error with its place, and the getter returns the
/// fallback (or zero, or nothing), so that one pass finds every mistake:
///
///     JsonObject joint(value, "a joint", diagnostics);
///     constexpr std::array<std::string_view, 2> kKinds = {"ball", "hinge"};
///     spec.kind = Kind(joint.Word("kind", kKinds));
///     spec.softness = joint.Number("softness", NumberRange::NotNegative(), 0);
///     joint.Finish();   // refuses names nobody asked for, lists the known
///     ones
///
/// Getters without a fallback demand the name. Units are the caller's matter.
class JsonObject {
 public:
  /// @param what  for messages: "a joint". The value must outlive this object.
  JsonObject(const JsonValue& value, std::string_view what,
             Diagnostics& diagnostics);

  bool Has(std::string_view name);
  double Number(std::string_view name, NumberRange range = {});
  double Number(std::string_view name, NumberRange range, double fallback);
  std::int64_t Integer(std::string_view name, std::int64_t lo, std::int64_t hi);
  std::int64_t Integer(std::string_view name, std::int64_t lo, std::int64_t hi,
                       std::int64_t fallback);
  bool Flag(std::string_view name, bool fallback);
  std::string Text(std::string_view name);
  std::string Text(std::string_view name, std::string_view fallback);
  /// The index of the text in `words`; an unknown word gets the valid ones.
  int Word(std::string_view name, std::span<const std::string_view> words);
  int Word(std::string_view name, std::span<const std::string_view> words,
           int fallback);
  /// Three numbers.
  Vector3 Vector(std::string_view name);
  Vector3 Vector(std::string_view name, const Vector3& fallback);
  /// As many numbers as there are; `count` of them unless it is negative.
  std::vector<double> Numbers(std::string_view name, int count,
                              NumberRange range = {});
  /// The value, if it is there and of this kind; null for a missing one, with
  /// an error only if it is `required`.
  const JsonValue* Array(std::string_view name, bool required = false);
  const JsonValue* Object(std::string_view name, bool required = false);
  /// The value of whatever kind, or null.
  const JsonValue* Value(std::string_view name);

  /// Reports members that no getter asked for.
  void Finish();

  /// Adds an error at the value of `name` (or at the object's place).
  void Error(std::string_view name, std::string_view kind,
             const std::string& message);

 private:
  const JsonValue* Get(std::string_view name, JsonValue::Kind kind,
                       bool required);

  const JsonValue& value_;
  std::string what_;
  Diagnostics& diagnostics_;
  std::vector<std::string> known_;
};

/// The number `value` holds, checked; `name` is for the message.
double NumberOf(const JsonValue& value, std::string_view name,
                NumberRange range, Diagnostics& diagnostics);
/// The three numbers `value` holds; zero after an error.
Vector3 VectorOf(const JsonValue& value, std::string_view name,
                 Diagnostics& diagnostics);
/// The index of the text of `value` in `words`, or -1 with an error that lists
/// them and names the nearest.
int WordOf(const JsonValue& value, std::string_view name,
           std::span<const std::string_view> words, Diagnostics& diagnostics);
/// Checks the kind of `value`; adds an error and returns false if it is not it.
bool CheckKind(const JsonValue& value, std::string_view name,
               JsonValue::Kind kind, Diagnostics& diagnostics);

}  // namespace limber
