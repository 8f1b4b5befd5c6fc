// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "figure/dynamic/edit.h"
#include "jobs/events.h"

namespace limber::jobs {

/// A flag of `limber edit`, which is an event in one word. Segments are named
/// as in jobs/events.h. Directions are +x to -z in the world or three numbers
/// "1,0.5,0".
struct EventFlag {
  std::string_view name;     ///< "--push".
  std::string_view form;     ///< "SEGMENT@TIME:IMPULSE:DIRECTION".
  std::string_view example;  ///< "left-forearm@1.2s:10Ns:+x".
  std::string_view help;
  Event (*parse)(const std::string& text, const EventFlag& flag);
};
std::span<const EventFlag> EventFlags();

/// The events of one flag, e.g. "--push" and "left-forearm@1.2s:10Ns:+x".
/// @throws BadCall with what was expected and found.
std::vector<figure::EditEvent> ParseEvents(std::string_view flag,
                                           const std::string& text,
                                           const EditContext& context);

/// "loose-arm", "loose-head" or "carried-weight", over the whole clip.
/// @throws BadCall listing them.
std::vector<figure::EditEvent> PresetEvents(const std::string& name,
                                            const EditContext& context);

/// "weak", "normal", "strong", or a share of the figure's own strength.
/// @throws BadCall for another word or a number that is not positive.
figure::Strength ParseStrength(const std::string& text);

/// An events file (docs/editing.md): {"limber_events": 1, "events": [...]}.
/// Those that are switched off are checked and left out.
Result<std::vector<figure::EditEvent>> ReadEvents(
    const std::filesystem::path& path, const EditContext& context);

/// An event of a list that somebody works on.
struct ListedEvent {
  figure::EditEvent event;
  bool is_on = true;  ///< "off" in the file: kept, but nothing happens.
};

/// The text of an events file, with those that are switched off.
/// @param file  how findings call it.
Result<std::vector<ListedEvent>> ParseEventsFile(std::string_view text,
                                                 const std::string& file,
                                                 const EditContext& context);

/// The other way round: the text of a file that `ReadEvents` reads as the same
/// numbers (angles of obstacles are stored in degrees, to the last digit).
/// @throws std::invalid_argument for an event that no word stands for: a
///         strength that is neither loose nor stiff, a floor that both rises
///         and tilts, segments that share a name.
std::string FormatEvents(std::span<const ListedEvent> events,
                         const figure::FigureModel& model);

/// The words of events files and sweeps.
struct EventKindWord {
  std::string_view word;
  figure::EditEvent::Kind kind;
};
std::span<const EventKindWord> EventKindWords();

/// The finite number at the start of `text`, which must go on with `unit`.
std::optional<double> NumberWithUnit(std::string_view text,
                                     std::string_view unit);

}  // namespace limber::jobs
