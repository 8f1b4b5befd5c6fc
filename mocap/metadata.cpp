// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/metadata.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace limber::mocap {

namespace {

constexpr std::size_t kMaxDimension = 255;

bool SameName(std::string_view a, std::string_view b) {
  const auto upper = [](unsigned char c) { return std::toupper(c); };
  return std::ranges::equal(a, b, {}, upper, upper);
}

std::string WithoutPadding(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) {
    text.remove_suffix(1);
  }
  return std::string(text);
}

void SetVectorDimensions(MetadataParameter& parameter, std::size_t size) {
  parameter.dimensions = {static_cast<std::uint8_t>(size)};
  parameter.num_dimensions = 1;
}

void SetScalarDimensions(MetadataParameter& parameter) {
  parameter.dimensions = {};
  parameter.num_dimensions = 0;
}

}  // namespace

std::size_t MetadataParameter::ExpectedSize() const {
  std::size_t product = 1;
  for (int i = 0; i < num_dimensions; ++i) product *= dimensions[i];
  return product;
}

std::size_t MetadataParameter::size() const {
  return std::visit([](const auto& values) { return values.size(); }, data);
}

std::optional<double> MetadataParameter::Number(std::size_t i) const {
  return std::visit(
      [i](const auto& values) -> std::optional<double> {
        using Values = std::decay_t<decltype(values)>;
        if constexpr (std::is_same_v<Values, std::string>) {
          return std::nullopt;
        } else {
          if (i >= values.size()) return std::nullopt;
          return static_cast<double>(values[i]);
        }
      },
      data);
}

std::optional<double> MetadataParameter::UnsignedNumber(std::size_t i) const {
  if (const auto* values = std::get_if<std::vector<std::int16_t>>(&data)) {
    if (i >= values->size()) return std::nullopt;
    return static_cast<std::uint16_t>((*values)[i]);
  }
  return Number(i);
}

std::vector<std::string> MetadataParameter::Strings() const {
  std::vector<std::string> result;
  const auto* text = std::get_if<std::string>(&data);
  if (text == nullptr) return result;
  if (num_dimensions < 2) {
    result.push_back(WithoutPadding(*text));
    return result;
  }
  const std::size_t width = dimensions[0];
  const std::size_t count = width > 0 ? text->size() / width : 0;
  result.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back(
        WithoutPadding(std::string_view(*text).substr(i * width, width)));
  }
  return result;
}

void MetadataParameter::SetStrings(const std::vector<std::string>& strings) {
  std::size_t width = 0;
  for (const std::string& string : strings) {
    width = std::max(width, string.size());
  }
  width = std::clamp<std::size_t>(width, 1, kMaxDimension);
  const std::size_t count = std::min(strings.size(), kMaxDimension);
  std::string text;
  text.reserve(width * count);
  for (std::size_t i = 0; i < count; ++i) {
    text += strings[i].substr(0, width);
    text.append(width - std::min(width, strings[i].size()), ' ');
  }
  data = std::move(text);
  dimensions = {static_cast<std::uint8_t>(width),
                static_cast<std::uint8_t>(count)};
  num_dimensions = 2;
}

void MetadataParameter::SetText(std::string_view text) {
  data = std::string(text.substr(0, kMaxDimension));
  SetVectorDimensions(*this, size());
}

void MetadataParameter::SetFloats(std::vector<float> values) {
  values.resize(std::min(values.size(), kMaxDimension));
  data = std::move(values);
  SetVectorDimensions(*this, size());
}

void MetadataParameter::SetIntegers(std::vector<std::int16_t> values) {
  values.resize(std::min(values.size(), kMaxDimension));
  data = std::move(values);
  SetVectorDimensions(*this, size());
}

void MetadataParameter::SetFloat(float value) {
  data = std::vector<float>{value};
  SetScalarDimensions(*this);
}

void MetadataParameter::SetInteger(std::int16_t value) {
  data = std::vector<std::int16_t>{value};
  SetScalarDimensions(*this);
}

const MetadataParameter* MetadataGroup::Find(std::string_view wanted) const {
  for (const MetadataParameter& parameter : parameters) {
    if (SameName(parameter.name, wanted)) return &parameter;
  }
  return nullptr;
}

MetadataParameter* MetadataGroup::Find(std::string_view wanted) {
  return const_cast<MetadataParameter*>(std::as_const(*this).Find(wanted));
}

MetadataParameter& MetadataGroup::FindOrAdd(std::string_view wanted) {
  if (MetadataParameter* known = Find(wanted)) return *known;
  MetadataParameter& added = parameters.emplace_back();
  added.name = wanted;
  return added;
}

void MetadataGroup::Remove(std::string_view unwanted) {
  std::erase_if(parameters, [&](const MetadataParameter& parameter) {
    return SameName(parameter.name, unwanted);
  });
}

const MetadataGroup* Metadata::Find(std::string_view wanted) const {
  for (const MetadataGroup& group : groups) {
    if (SameName(group.name, wanted)) return &group;
  }
  return nullptr;
}

MetadataGroup* Metadata::Find(std::string_view wanted) {
  return const_cast<MetadataGroup*>(std::as_const(*this).Find(wanted));
}

const MetadataParameter* Metadata::Find(std::string_view wanted,
                                        std::string_view parameter) const {
  for (const MetadataGroup& group : groups) {
    if (!SameName(group.name, wanted)) continue;
    if (const MetadataParameter* found = group.Find(parameter)) return found;
  }
  return nullptr;
}

MetadataGroup& Metadata::FindOrAdd(std::string_view wanted) {
  if (MetadataGroup* known = Find(wanted)) return *known;
  MetadataGroup& added = groups.emplace_back();
  added.name = wanted;
  return added;
}

}  // namespace limber::mocap
