// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/gltf_accessor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

namespace limber::mocap::internal {

namespace {

/// Types of components, as glTF numbers them.
enum ComponentType : std::size_t {
  kByte = 5120,
  kUnsignedByte = 5121,
  kShort = 5122,
  kUnsignedShort = 5123,
  kFloat = 5126
};

/// The largest stride that glTF allows [bytes].
constexpr std::size_t kLargestStride = 252;

std::size_t SizeOf(std::size_t type) {
  switch (type) {
    case kByte:
    case kUnsignedByte:
      return 1;
    case kShort:
    case kUnsignedShort:
      return 2;
    case kFloat:
      return 4;
    default:
      return 0;
  }
}

float Number(const char* at, std::size_t type) {
  const auto byte = [at](int i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(at[i]));
  };
  switch (type) {
    case kByte:
      return std::max(float(static_cast<signed char>(at[0])) / 127.0f, -1.0f);
    case kUnsignedByte:
      return float(byte(0)) / 255.0f;
    case kShort:
      return std::max(
          float(static_cast<std::int16_t>(byte(0) | byte(1) << 8)) / 32767.0f,
          -1.0f);
    case kUnsignedShort:
      return float(byte(0) | byte(1) << 8) / 65535.0f;
    default:
      return std::bit_cast<float>(byte(0) | byte(1) << 8 | byte(2) << 16 |
                                  byte(3) << 24);
  }
}

/// Where the elements of an accessor lie in their view.
struct Elements {
  std::size_t type = 0;
  std::size_t width = 0;  ///< Of a component [bytes].
  std::size_t count = 0;
  std::size_t stride = 0;  ///< [bytes]
  std::size_t begin = 0;   ///< In the view [bytes].

  bool Fit(std::size_t view_size, std::size_t components) const {
    const std::size_t packed = width * components;
    return stride >= packed && stride <= kLargestStride && begin <= view_size &&
           (count == 0 ||
            (packed <= view_size - begin &&
             (count - 1) <= (view_size - begin - packed) / stride));
  }

  std::vector<float> Numbers(const char* base, std::size_t components) const {
    const bool is_plain = type == kFloat && stride == width * components &&
                          std::endian::native == std::endian::little;
    std::vector<float> numbers(count * components);
    if (is_plain) {
      if (count > 0) std::memcpy(numbers.data(), base, count * stride);
      return numbers;
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < components; ++k) {
        numbers[i * components + k] =
            Number(base + i * stride + k * width, type);
      }
    }
    return numbers;
  }
};

/// All at once, without an end in the middle of the loop.
bool AllFinite(const std::vector<float>& numbers) {
  constexpr std::uint32_t kExponent = 0x7F800000;
  std::uint32_t bad = 0;
  for (const float number : numbers) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    bad |= (bits & kExponent) == kExponent ? 1u : 0u;
  }
  return bad == 0;
}

}  // namespace

AccessorReader::AccessorReader(const GltfDocument& document,
                               Diagnostics& diagnostics)
    : document_(document), diagnostics_(diagnostics) {
  for (const std::string& buffer : document.buffers) {
    allowance_ += buffer.size();
  }
}

std::optional<std::vector<float>> AccessorReader::Read(const Walker& index_json,
                                                       std::size_t components) {
  const Walker root = Root(document_.json, diagnostics_);
  const Walker accessors = root.Array("accessors");
  const int index = index_json.Index(accessors.size(), "accessors");
  if (index < 0) return std::nullopt;
  const Walker accessor = accessors.At(std::size_t(index));
  constexpr std::array<std::pair<const char*, std::size_t>, 5> kTypes = {
      {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}}};
  std::size_t stored = 0;
  for (const auto& [name, size] : kTypes) {
    if (accessor.At("type").Text() == name) stored = size;
  }
  if (components != stored) {
    accessor.At("type").Error(
        "accessor", "expected elements of " + std::to_string(components) +
                        ", found " + accessor.At("type").Found());
    return std::nullopt;
  }
  if (accessor.Has("sparse") || !accessor.Has("bufferView")) {
    accessor.Error("accessor", "expected a buffer view, and nothing sparse");
    return std::nullopt;
  }
  return Decode(accessor, components);
}

std::optional<AccessorReader::View> AccessorReader::ViewOf(
    const Walker& accessor) const {
  const Walker views = Root(document_.json, diagnostics_).Array("bufferViews");
  const int view_index =
      accessor.At("bufferView").Index(views.size(), "buffer views");
  if (view_index < 0) return std::nullopt;
  const Walker view = views.At(std::size_t(view_index));
  const int buffer_index =
      view.At("buffer").Index(document_.buffers.size(), "buffers");
  if (buffer_index < 0) return std::nullopt;
  const std::string_view buffer = document_.buffers[std::size_t(buffer_index)];
  const std::size_t begin = view.At("byteOffset").Size(0);
  const std::size_t size = view.At("byteLength").Size(0);
  std::optional<std::size_t> stride;
  if (view.Has("byteStride")) stride = view.At("byteStride").Size(0);
  if (begin > buffer.size() || size > buffer.size() - begin) {
    view.Error("accessor", std::to_string(size) +
                               " bytes do not fit into buffer " +
                               std::to_string(buffer_index));
    return std::nullopt;
  }
  return View{buffer.substr(begin, size), stride};
}

std::optional<std::vector<float>> AccessorReader::Decode(
    const Walker& accessor, std::size_t components) {
  const std::optional<View> view = ViewOf(accessor);
  if (!view) return std::nullopt;
  Elements elements;
  elements.type = accessor.At("componentType").Size(0);
  elements.width = SizeOf(elements.type);
  if (elements.width == 0 || (elements.width < 4 && components == 16)) {
    accessor.At("componentType")
        .Error("accessor",
               "expected floats (5126) or normalised integers, found " +
                   accessor.At("componentType").Found());
    return std::nullopt;
  }
  elements.count = accessor.At("count").Size(0);
  elements.begin = accessor.At("byteOffset").Size(0);
  elements.stride = view->stride.value_or(elements.width * components);
  if (!elements.Fit(view->bytes.size(), components)) {
    accessor.Error("accessor", std::to_string(elements.count) +
                                   " elements do not fit into buffer view " +
                                   accessor.At("bufferView").Found());
    return std::nullopt;
  }
  if (elements.count * components > allowance_) {
    accessor.Error("accessor",
                   "the accessors together hold more than the file");
    return std::nullopt;
  }
  allowance_ -= elements.count * components;
  std::vector<float> numbers =
      elements.Numbers(view->bytes.data() + elements.begin, components);
  if (!AllFinite(numbers)) {
    const auto bad = std::ranges::find_if_not(
        numbers, [](float number) { return std::isfinite(number); });
    accessor.Error(
        "not-finite",
        "element " +
            std::to_string(std::size_t(bad - numbers.begin()) / components) +
            " is not finite");
    return std::nullopt;
  }
  return numbers;
}

}  // namespace limber::mocap::internal
