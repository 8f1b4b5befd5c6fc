// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/fbx.h"

#include <utility>

#include "core/clip_time.h"
#include "mocap/io/internal/apart.h"
#include "mocap/io/internal/fbx_clip.h"
#include "mocap/io/internal/fbx_scene.h"
#include "mocap/io/internal/scene_clip.h"

namespace limber::mocap {

namespace {

/// Processor time that the copy may take: at least so long [s], and a second
/// more for so many bytes. Files of 1 MB take less than 0.1 s; only broken ones
/// take longer.
constexpr int kSecondsAtLeast = 5;
constexpr std::size_t kBytesPerSecond = std::size_t{1} << 20;
/// Memory that the copy may use beyond what there is: per byte of the file, and
/// at least [bytes]. Real files take 6 to 18 a byte, texts the most.
constexpr std::size_t kBytesPerByte = 20;
constexpr std::size_t kBytesAtLeast = std::size_t{64} << 20;

}  // namespace

namespace internal {

Result<CharacterClip> ClipOfPackedFbx(std::string_view packed,
                                      std::size_t num_bytes,
                                      const FbxReadOptions& options) {
  Diagnostics diagnostics(options.file, options.strict);
  FbxScene scene;
  if (!UnpackScene(packed, scene)) {
    diagnostics.Error("fbx-broken", {},
                      "the file cannot be read as FBX: its scene is cut off");
    return Result<CharacterClip>(std::move(diagnostics));
  }
  if (!scene.error.empty()) {
    const auto says = [&scene](const char* words) {
      return scene.error.find(words) != std::string::npos;
    };
    diagnostics.Error(
        "fbx", {},
        says("old format")
            ? "the file is of an FBX version before 7.1 (2011), which is not "
              "read; save it anew from Maya, MotionBuilder or Blender"
            : "the file cannot be read as FBX: " +
                  (says("bad_alloc")
                       ? "it takes more memory than 20 times its size and 64 MB"
                       : scene.error));
    return Result<CharacterClip>(std::move(diagnostics));
  }
  if (scene.nodes.size() < 2) {
    diagnostics.Error("no-nodes", {}, "the file has no nodes: no skeleton");
    return Result<CharacterClip>(std::move(diagnostics));
  }
  const int animation = ChooseAnimation(scene, options.animation, diagnostics);
  if (diagnostics.has_errors()) {
    return Result<CharacterClip>(std::move(diagnostics));
  }
  std::optional<double> rate_hz = options.rate_hz;
  if (!rate_hz && animation >= 0) {
    // The file says its frames per second, between which keys may lie.
    const double said = scene.rates[std::size_t(animation)];
    if (IsUsualRate(said)) rate_hz = said;
  }
  const std::vector<SceneChannel> none;
  std::optional<figure::Motion> motion = MakeSceneClip(
      scene, animation < 0 ? none : scene.channels[std::size_t(animation)],
      {.file = options.file,
       .format = "FBX",
       .metres_per_unit =
           options.metres_per_unit.value_or(scene.metres_per_unit),
       .rate_hz = rate_hz,
       .num_bytes = num_bytes},
      diagnostics);
  if (!motion) return Result<CharacterClip>(std::move(diagnostics));
  return {CharacterClip{std::move(*motion), scene.animations, animation},
          std::move(diagnostics)};
}

}  // namespace internal

Result<CharacterClip> ReadFbx(std::string_view bytes,
                              const FbxReadOptions& options) {
  const internal::ApartResult read =
      internal::RunApart([bytes] { return internal::ReadAndPackFbx(bytes); },
                         kSecondsAtLeast + int(bytes.size() / kBytesPerSecond),
                         kBytesAtLeast + kBytesPerByte * bytes.size());
  if (read.is_done) {
    return internal::ClipOfPackedFbx(read.bytes, bytes.size(), options);
  }
  Diagnostics diagnostics(options.file, options.strict);
  diagnostics.Error("fbx-broken", {},
                    "the file cannot be read as FBX: " + read.why);
  return Result<CharacterClip>(std::move(diagnostics));
}

}  // namespace limber::mocap
