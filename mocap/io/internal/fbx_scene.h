// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mocap/io/internal/node_scene.h"

namespace limber::mocap::internal {

/// What an FBX file holds of skeletons and animations, with +Y up.
struct FbxScene : NodeScene {
  double metres_per_unit = 0.01;
  /// Channels of each animation.
  std::vector<std::vector<SceneChannel>> channels;
  std::vector<double> rates;  ///< Frames per second of each animation [Hz].
  std::string error;          ///< Why it was not understood; empty if it was.
};

/// The scene as Assimp reads it, as bytes for `UnpackScene`. May crash, hang or
/// throw on broken files: to be run apart.
std::string ReadAndPackFbx(std::string_view bytes);

/// The other way round. Indices are checked. False if the bytes are none of
/// `ReadAndPackFbx`.
bool UnpackScene(std::string_view bytes, FbxScene& scene);

}  // namespace limber::mocap::internal
