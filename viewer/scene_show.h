// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "dynamics/scene/scene.h"
#include "viewer/show.h"

namespace limber::viewer {

/// A scene that is simulated as far as it is looked at. What has been computed
/// is kept, one state per drawn frame of 1/60 s, so that the time line can be
/// moved to and fro.
std::unique_ptr<Show> ShowScene(std::shared_ptr<dynamics::Scene> scene);

}  // namespace limber::viewer
