// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/glb_builder.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

namespace limber::mocap::internal {

namespace {

using nlohmann::ordered_json;

constexpr int kFloat = 5126;
constexpr int kUnsignedShort = 5123;
constexpr int kUnsignedInt = 5125;
constexpr int kNoTarget = 0;
constexpr int kElementArray = 34963;

void AppendWord(std::string& bytes, std::uint32_t word) {
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(word >> 8 * i & 0xFF);
}

void PadTo4(std::string& bytes, char with) {
  while (bytes.size() % 4 != 0) bytes += with;
}

ordered_json& ArrayOf(ordered_json& json, const char* key) {
  if (!json.contains(key)) json[key] = ordered_json::array();
  return json[key];
}

/// The whole number `key` of a buffer view, 0 where it is left out; nothing
/// where something else stands there. Nobody reads such a view.
std::optional<std::size_t> WholeNumber(const ordered_json& view,
                                       const char* key) {
  if (!view.is_object()) return std::nullopt;
  const auto found = view.find(key);
  if (found == view.end()) return 0;
  if (!found->is_number_unsigned()) return std::nullopt;
  return found->get<std::size_t>();
}

}  // namespace

GlbBuilder::GlbBuilder() {
  json_["asset"] = {{"version", "2.0"}, {"generator", "Limber"}};
}

GlbBuilder::GlbBuilder(GltfDocument document)
    : json_(std::move(document.json)) {
  std::vector<std::size_t> begins;
  for (const std::string& buffer : document.buffers) {
    PadTo4(bin_, '\0');
    begins.push_back(bin_.size());
    bin_ += buffer;
  }
  if (document.buffers.size() > 1 ||
      (document.buffers.size() == 1 && !document.is_binary)) {
    for (ordered_json& view : ArrayOf(json_, "bufferViews")) {
      const auto buffer = WholeNumber(view, "buffer");
      const auto offset = WholeNumber(view, "byteOffset");
      if (!buffer || !offset || *buffer >= begins.size()) continue;
      view["buffer"] = 0;
      view["byteOffset"] = *offset + begins[*buffer];
    }
  }
}

int GlbBuilder::AddView(std::string_view bytes, int target) {
  PadTo4(bin_, '\0');
  ordered_json view = {
      {"buffer", 0}, {"byteOffset", bin_.size()}, {"byteLength", bytes.size()}};
  if (target != kNoTarget) view["target"] = target;
  bin_ += bytes;
  ordered_json& views = ArrayOf(json_, "bufferViews");
  views.push_back(std::move(view));
  return int(views.size()) - 1;
}

int GlbBuilder::AddAccessor(ordered_json accessor) {
  ordered_json& accessors = ArrayOf(json_, "accessors");
  accessors.push_back(std::move(accessor));
  return int(accessors.size()) - 1;
}

int GlbBuilder::AddFloats(std::span<const float> numbers, int components,
                          const char* type, bool bounds) {
  std::string bytes;
  bytes.reserve(4 * numbers.size());
  for (const float number : numbers) {
    AppendWord(bytes, std::bit_cast<std::uint32_t>(number));
  }
  const std::size_t width = std::size_t(components);
  ordered_json accessor = {{"bufferView", AddView(bytes, kNoTarget)},
                           {"componentType", kFloat},
                           {"count", numbers.size() / width},
                           {"type", type}};
  if (bounds && !numbers.empty()) {
    std::vector<float> least(width, std::numeric_limits<float>::max());
    std::vector<float> greatest(width, std::numeric_limits<float>::lowest());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      least[i % width] = std::min(least[i % width], numbers[i]);
      greatest[i % width] = std::max(greatest[i % width], numbers[i]);
    }
    accessor["min"] = least;
    accessor["max"] = greatest;
  }
  return AddAccessor(std::move(accessor));
}

int GlbBuilder::AddShorts(std::span<const std::uint16_t> numbers,
                          int components, const char* type) {
  std::string bytes;
  for (const std::uint16_t number : numbers) {
    bytes += static_cast<char>(number & 0xFF);
    bytes += static_cast<char>(number >> 8);
  }
  return AddAccessor({{"bufferView", AddView(bytes, kNoTarget)},
                      {"componentType", kUnsignedShort},
                      {"count", numbers.size() / std::size_t(components)},
                      {"type", type}});
}

int GlbBuilder::AddIndices(std::span<const std::uint32_t> numbers) {
  std::string bytes;
  for (const std::uint32_t number : numbers) AppendWord(bytes, number);
  return AddAccessor({{"bufferView", AddView(bytes, kElementArray)},
                      {"componentType", kUnsignedInt},
                      {"count", numbers.size()},
                      {"type", "SCALAR"}});
}

std::string GlbBuilder::Finish() && {
  if (!bin_.empty()) {
    // What the file's own buffer says of itself beside its size stays.
    ordered_json buffer = ordered_json::object();
    if (json_.contains("buffers") && json_["buffers"].size() == 1) {
      buffer = json_["buffers"][0];
      buffer.erase("uri");
    }
    buffer["byteLength"] = bin_.size();
    json_["buffers"] = ordered_json::array({std::move(buffer)});
  }
  std::string text =
      json_.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  PadTo4(text, ' ');
  PadTo4(bin_, '\0');
  const std::size_t length =
      12 + 8 + text.size() + (bin_.empty() ? 0 : 8 + bin_.size());
  std::string bytes = "glTF";
  bytes.reserve(length);
  AppendWord(bytes, 2);
  AppendWord(bytes, std::uint32_t(length));
  AppendWord(bytes, std::uint32_t(text.size()));
  bytes += "JSON";
  bytes += text;
  if (!bin_.empty()) {
    AppendWord(bytes, std::uint32_t(bin_.size()));
    bytes += std::string_view("BIN\0", 4);
    bytes += bin_;
  }
  return bytes;
}

void AddAnimation(GlbBuilder& builder, const std::string& name, double rate_hz,
                  std::span<const NodeTrack> tracks) {
  if (tracks.empty() || tracks.front().rotations.empty()) return;
  std::vector<float> times(tracks.front().rotations.size() / 4);
  for (std::size_t i = 0; i < times.size(); ++i) {
    times[i] = float(double(i) / rate_hz);
  }
  const int input = builder.AddFloats(times, 1, "SCALAR", true);
  ordered_json samplers = ordered_json::array();
  ordered_json channels = ordered_json::array();
  const auto add = [&](int node, const char* path, int output) {
    channels.push_back({{"sampler", samplers.size()},
                        {"target", {{"node", node}, {"path", path}}}});
    samplers.push_back(
        {{"input", input}, {"interpolation", "LINEAR"}, {"output", output}});
  };
  for (const NodeTrack& track : tracks) {
    add(track.node, "rotation", builder.AddFloats(track.rotations, 4, "VEC4"));
    if (track.places.empty()) continue;
    add(track.node, "translation", builder.AddFloats(track.places, 3, "VEC3"));
  }
  ArrayOf(builder.json(), "animations")
      .push_back({{"name", name},
                  {"channels", std::move(channels)},
                  {"samplers", std::move(samplers)}});
}

void MakeContinuous(std::vector<float>& rotations) {
  for (std::size_t i = 4; i + 3 < rotations.size(); i += 4) {
    float dot = 0.0f;
    for (std::size_t k = 0; k < 4; ++k) {
      dot += rotations[i + k] * rotations[i + k - 4];
    }
    if (dot >= 0.0f) continue;
    for (std::size_t k = 0; k < 4; ++k) rotations[i + k] = -rotations[i + k];
  }
}

}  // namespace limber::mocap::internal
