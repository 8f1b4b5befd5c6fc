// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "app/player/recording.h"
#include "figure/dynamic/edit_event.h"
#include "figure/figure_model.h"
#include "viewer/part.h"

namespace limber::app {

/// Every event for the time line, with its numbers in words; what changes the
/// strength of segments colours them while it lasts.
/// @param clip_end  [s]
std::vector<PlayerEvent> EventsForPlayer(
    const std::vector<figure::EditEvent>& events,
    const figure::FigureModel& model, double clip_end);

/// What is seen of events in the room: arrows of pushes and balls that end
/// where they act, targets of hands and eyes, the way gravity points.
class EventSigns {
 public:
  /// `events` outlive it.
  EventSigns(const std::vector<figure::EditEvent>& events, double clip_end)
      : events_(events), clip_end_(clip_end), pinned_(events.size()) {}

  /// Adds those of `time`; times rise from call to call.
  /// @param X_WB  of the segments.
  void Add(double time, const std::vector<Transform>& X_WB,
           std::vector<viewer::Sign>& signs);

 private:
  void AddOne(std::size_t index, double time,
              const std::vector<Transform>& X_WB,
              std::vector<viewer::Sign>& signs);

  const std::vector<figure::EditEvent>& events_;
  double clip_end_;
  /// Where a point was when it was pinned, by event.
  std::vector<std::optional<Vector3>> pinned_;
};

/// When nothing of the event acts any more, as far as the other events tell:
/// strengths last until they are recovered, gravity and floor until the next of
/// their kind [s].
double LastsUntil(const figure::EditEvent& event,
                  const std::vector<figure::EditEvent>& events,
                  double clip_end);

}  // namespace limber::app
