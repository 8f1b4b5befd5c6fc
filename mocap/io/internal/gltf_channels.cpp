// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "mocap/io/internal/gltf_accessor.h"
#include "mocap/io/internal/gltf_document.h"
#include "mocap/io/internal/json_walker.h"

namespace limber::mocap::internal {

namespace {

struct PathRow {
  const char* name;
  ChannelPath path;
  std::size_t components;
};

constexpr std::array kPaths = {
    PathRow{"translation", ChannelPath::kTranslation, 3},
    PathRow{"rotation", ChannelPath::kRotation, 4},
    PathRow{"scale", ChannelPath::kScale, 3},
};

/// Whether a channel of scales changes its node, by more than rounding.
bool Changes(const std::vector<float>& values) {
  constexpr float kRounding = 1e-4f;
  for (std::size_t i = 3; i < values.size(); ++i) {
    if (std::abs(values[i] - values[i % 3]) > kRounding) return true;
  }
  return false;
}

KeyInterpolation InterpolationOf(const Walker& sampler) {
  const Walker json = sampler.At("interpolation");
  const std::string word = json.Text();
  if (word == "STEP") return KeyInterpolation::kStep;
  if (word == "CUBICSPLINE") return KeyInterpolation::kCubicSpline;
  if (sampler.Has("interpolation") && word != "LINEAR") {
    json.Error("syntax",
               "expected STEP, LINEAR or CUBICSPLINE, found " + json.Found());
  }
  return KeyInterpolation::kLinear;
}

/// Times and values of one channel, checked against each other.
bool ReadKeys(const Walker& sampler, std::size_t components,
              AccessorReader& accessors, SceneChannel& channel) {
  channel.interpolation = InterpolationOf(sampler);
  std::optional<std::vector<float>> times =
      accessors.Read(sampler.At("input"), 1);
  std::optional<std::vector<float>> values =
      accessors.Read(sampler.At("output"), components);
  if (!times || !values) return false;
  const std::size_t per_key =
      channel.interpolation == KeyInterpolation::kCubicSpline ? 3 * components
                                                              : components;
  if (times->empty() || values->size() != per_key * times->size()) {
    sampler.Error("accessor",
                  "expected one value a key, found " +
                      std::to_string(times->size()) + " times and " +
                      std::to_string(values->size() / components) + " values");
    return false;
  }
  for (std::size_t i = 1; i < times->size(); ++i) {
    if (!((*times)[i] > (*times)[i - 1])) {
      sampler.At("input").Error("accessor",
                                "expected rising times, found one "
                                "that does not rise at key " +
                                    std::to_string(i));
      return false;
    }
  }
  channel.times = std::move(*times);
  channel.values = std::move(*values);
  return true;
}

}  // namespace

std::vector<SceneChannel> ReadChannels(const GltfDocument& document, int index,
                                       Diagnostics& diagnostics) {
  const Walker animation = Root(document.json, diagnostics)
                               .Array("animations")
                               .At(std::size_t(index));
  const Walker samplers = animation.Array("samplers");
  const Walker channels = animation.Array("channels");
  AccessorReader accessors(document, diagnostics);
  std::vector<SceneChannel> read;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const Walker json = channels.At(i);
    const Walker target = json.At("target");
    // A channel without a node belongs to an extension.
    if (!target.Has("node")) continue;
    const std::string path = target.At("path").Text();
    if (path == "weights") {
      diagnostics.Warning(
          "morph-dropped", {},
          target.path() + ": weights of morph targets are left out");
      continue;
    }
    const auto row = std::ranges::find(kPaths, path, &PathRow::name);
    if (row == kPaths.end()) {
      target.At("path").Error(
          "syntax", "expected translation, rotation, scale or weights, found " +
                        target.At("path").Found());
      continue;
    }
    SceneChannel channel;
    channel.path = row->path;
    channel.node = target.At("node").Index(document.nodes.size(), "nodes");
    const int sampler = json.At("sampler").Index(samplers.size(), "samplers");
    if (channel.node < 0 || sampler < 0) continue;
    if (!ReadKeys(samplers.At(std::size_t(sampler)), row->components, accessors,
                  channel)) {
      continue;
    }
    if (channel.path == ChannelPath::kScale && Changes(channel.values)) {
      diagnostics.Warning("scale-dropped", {},
                          target.path() +
                              ": a scale that changes moves the joints below, "
                              "but is not kept itself");
    }
    read.push_back(std::move(channel));
  }
  return read;
}

}  // namespace limber::mocap::internal
