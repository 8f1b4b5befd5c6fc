// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "dynamics/scene/scene.h"
#include "viewer/show.h"

namespace limber::viewer {

/// Makes the scene as it stands at its start; called again when it restarts.
using SceneMaker = std::function<std::shared_ptr<dynamics::Scene>()>;

/// A scene that is simulated as far as it is looked at. What has been computed
/// is kept, one state per drawn frame of 1/60 s, so that the time line can be
/// moved to and fro. Bodies can be pulled, pushed and shot at.
std::unique_ptr<Show> ShowScene(SceneMaker make);

}  // namespace limber::viewer
