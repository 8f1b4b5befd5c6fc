// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"
#include "figure/dynamic/edit.h"

namespace limber::app {

// The words of `limber edit`; segments as in figure/segment_words.h. Directions
// are +x to -z in the world, or three numbers "1,0.5,0". All throw BadCall with
// what was expected and found.

/// "left-forearm@1.2s:10Ns:+x" or "...:200N/0.3s:+x".
std::vector<figure::EditEvent> ParsePush(const std::string& text,
                                         const figure::FigureModel& model);
/// "arms@0.5s..2s": loose from the one time to the other, each way in a fifth
/// of a second; without a second time to the end.
std::vector<figure::EditEvent> ParseLoosen(const std::string& text,
                                           const figure::FigureModel& model);
/// "right-hand@0s..3s:5kg".
std::vector<figure::EditEvent> ParseCarry(const std::string& text,
                                          const figure::FigureModel& model);
/// "1.5s" or "1.5s..3s": lets go, and recovers.
std::vector<figure::EditEvent> ParseRagDoll(const std::string& text);

/// An events file (docs/editing.md): {"limber_events": 1, "events": [...]}.
Result<std::vector<figure::EditEvent>> ReadEvents(
    const std::filesystem::path& path, const figure::FigureModel& model);

}  // namespace limber::app
