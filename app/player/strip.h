// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/player/recording.h"

namespace limber::app {

/// A recording as a strip of poses, an SVG element: where nothing can move (on
/// paper, without WebGL) it stands for the player. One row an actor, at the
/// same times, seen from where the player's camera stands at the start; all
/// rows have one scale.
std::string StripSvg(const PlayerRecording& recording);

}  // namespace limber::app
