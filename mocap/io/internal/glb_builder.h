// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "figure/motion.h"
#include "mocap/io/internal/gltf_document.h"

namespace limber::mocap::internal {

/// Puts a glTF file together: the JSON and the one buffer behind it.
class GlbBuilder {
 public:
  /// Goes on with a document: its buffers become one, in their order, and the
  /// views follow; no byte of them changes.
  explicit GlbBuilder(GltfDocument document);
  GlbBuilder();

  nlohmann::ordered_json& json() { return json_; }

  /// Adds an accessor over packed numbers of its own view and returns its
  /// index. `type` is "SCALAR", "VEC3", ...; with `bounds` the least and the
  /// greatest of each component are stored, as times and positions need it.
  int AddFloats(std::span<const float> numbers, int components,
                const char* type, bool bounds = false);
  int AddShorts(std::span<const std::uint16_t> numbers, int components,
                const char* type);
  /// Corners of triangles.
  int AddIndices(std::span<const std::uint32_t> numbers);

  /// The file.
  std::string Finish() &&;

 private:
  int AddView(std::string_view bytes, int target);
  int AddAccessor(nlohmann::ordered_json accessor);

  nlohmann::ordered_json json_;
  std::string bin_;
};

/// Adds an animation with rotations and places of joints to `builder`.
///
/// `nodes` are the nodes the tracks belong to. A track of places may be empty:
/// then the node keeps its own.
struct NodeTrack {
  int node = 0;
  std::vector<float> rotations;  ///< x y z w per frame.
  std::vector<float> places;     ///< x y z per frame, or none.
};
void AddAnimation(GlbBuilder& builder, const std::string& name, double rate_hz,
                  std::span<const NodeTrack> tracks);

/// Turns the signs of quaternions (x y z w) so that neighbours lie on one side:
/// who interpolates them takes the short way.
void MakeContinuous(std::vector<float>& rotations);

}  // namespace limber::mocap::internal
