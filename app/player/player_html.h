// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "app/player/recording.h"

namespace limber::app {

/// Whether the program was built with the player's script (web/README.md).
bool HasPlayer();

/// A recording for a page: a strip of pictures that becomes a player once the
/// page has its script.
std::string PlayerHtml(const PlayerRecording& recording);

/// The script that a page with players needs once, at its end; empty for a
/// page without players, and in a program without the script.
std::string PlayerScriptFor(std::string_view body);

}  // namespace limber::app
