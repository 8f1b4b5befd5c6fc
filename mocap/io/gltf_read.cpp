// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "mocap/io/gltf.h"
#include "mocap/io/internal/gltf_document.h"
#include "mocap/io/internal/scene_clip.h"

namespace limber::mocap {

Result<CharacterClip> ReadGltf(std::string_view bytes,
                               const GltfReadOptions& options) {
  Result<internal::GltfDocument> parsed =
      internal::ParseGltf(bytes, options.file, options.strict, options.folder);
  Diagnostics diagnostics(options.file, options.strict);
  diagnostics.Append(parsed.diagnostics());
  if (!parsed.ok()) return Result<CharacterClip>(std::move(diagnostics));
  const internal::GltfDocument& document = *parsed;
  if (document.nodes.empty()) {
    diagnostics.Error("no-nodes", {}, "the file has no nodes: no skeleton");
    return Result<CharacterClip>(std::move(diagnostics));
  }
  const int animation =
      internal::ChooseAnimation(document, options.animation, diagnostics);
  std::vector<internal::SceneChannel> channels;
  if (animation >= 0 && !diagnostics.has_errors()) {
    channels = internal::ReadChannels(document, animation, diagnostics);
  }
  if (diagnostics.has_errors()) {
    return Result<CharacterClip>(std::move(diagnostics));
  }
  std::optional<figure::Motion> motion =
      internal::MakeSceneClip(document, channels,
                              {.file = options.file,
                               .format = "glTF",
                               .metres_per_unit = options.metres_per_unit,
                               .rate_hz = options.rate_hz,
                               .num_bytes = bytes.size()},
                              diagnostics);
  if (!motion) return Result<CharacterClip>(std::move(diagnostics));
  return {CharacterClip{std::move(*motion), document.animations, animation},
          std::move(diagnostics)};
}

}  // namespace limber::mocap
