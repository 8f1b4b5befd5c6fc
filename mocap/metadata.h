// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace limber::mocap {

/// One named array of a take's free metadata, as C3D stores it: text, bytes,
/// 16-bit integers or 32-bit floats in up to seven dimensions, the first one
/// running fastest. Text of dimensions (c, n) is n strings of c characters.
struct MetadataParameter {
  /// The alternatives are C3D's types -1, 1, 2 and 4.
  using Data = std::variant<std::string, std::vector<std::uint8_t>,
                            std::vector<std::int16_t>, std::vector<float>>;
  static constexpr int kMaxDimensions = 7;

  std::string name;
  std::string description;
  Data data;
  std::array<std::uint8_t, kMaxDimensions> dimensions{};
  std::uint8_t num_dimensions = 0;  ///< 0 = a single value.
  bool locked = false;

  /// Number of values the dimensions ask for; 1 for none.
  std::size_t ExpectedSize() const;
  std::size_t size() const;
  bool is_text() const { return data.index() == 0; }

  /// Value `i` as a number; nothing for text or past the end.
  std::optional<double> Number(std::size_t i = 0) const;
  /// As `Number`, 16-bit integers taken without sign.
  std::optional<double> UnsignedNumber(std::size_t i = 0) const;
  /// The strings of a text parameter, without the padding at their ends. Text
  /// of less than two dimensions is one string.
  std::vector<std::string> Strings() const;

  /// Makes (c, n) text, c the longest of `strings` (at most 255).
  void SetStrings(const std::vector<std::string>& strings);
  void SetText(std::string_view text);
  void SetFloats(std::vector<float> values);
  void SetIntegers(std::vector<std::int16_t> values);
  void SetFloat(float value);
  void SetInteger(std::int16_t value);

  bool operator==(const MetadataParameter&) const = default;
};

/// A named list of parameters.
struct MetadataGroup {
  std::string name;
  std::string description;
  int id = 0;  ///< 1..127 as stored, 0 = not given yet.
  bool locked = false;
  std::vector<MetadataParameter> parameters;

  /// The first parameter of that name, case ignored, or null.
  const MetadataParameter* Find(std::string_view name) const;
  MetadataParameter* Find(std::string_view name);
  /// As `Find`; adds an empty one where there is none.
  MetadataParameter& FindOrAdd(std::string_view name);
  void Remove(std::string_view name);

  bool operator==(const MetadataGroup&) const = default;
};

/// All groups of a take, in the order of the file.
struct Metadata {
  std::vector<MetadataGroup> groups;

  /// The first group of that name, case ignored, or null.
  const MetadataGroup* Find(std::string_view group) const;
  MetadataGroup* Find(std::string_view group);
  /// The first such parameter in any group of that name (files exist with two
  /// groups of one name), or null.
  const MetadataParameter* Find(std::string_view group,
                                std::string_view parameter) const;
  MetadataGroup& FindOrAdd(std::string_view group);

  bool operator==(const Metadata&) const = default;
};

}  // namespace limber::mocap
