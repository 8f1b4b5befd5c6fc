// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "figure/dynamic/edit_event.h"

namespace limber::jobs {

/// The word of events files for a kind, "push"; of two the first.
std::string_view WordOf(figure::EditEvent::Kind kind);

/// What an event happens to and how much, "chest, 40 N s"; may be empty.
std::string DetailsOf(const figure::EditEvent& event,
                      const figure::FigureModel& model);

/// The number by which people say how strong an event is.
struct EventSize {
  double value = 0.0;
  std::string_view unit;  ///< "N s".
};
/// Of a push its impulse, of a throw its speed, of what is carried its mass, of
/// reaching its greatest force, of a change of strength its share; nothing for
/// kinds that have no such number.
std::optional<EventSize> SizeOf(const figure::EditEvent& event);
/// The same event with another size; directions stay (+Z where there is none).
/// @throws std::invalid_argument if the kind has no size, or `value` is
///         negative or not finite.
figure::EditEvent WithSize(figure::EditEvent event, double value);

/// The same event at another time [s], with the places that its target passes.
figure::EditEvent MovedTo(figure::EditEvent event, double time);

}  // namespace limber::jobs
