// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/player/record_edit.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "app/describe.h"
#include "app/player/record.h"
#include "jobs/event_words.h"

namespace limber::app {

namespace {

/// 1 for 100 N s, and for a force of 1000 N.
Vector3 ArrowOf(const figure::EditEvent& event) {
  using Kind = figure::EditEvent::Kind;
  if (event.kind == Kind::kPush) return event.vector / 100.0;
  if (event.kind == Kind::kThrow) return event.mass * event.vector / 100.0;
  return Vector3::Zero();
}

std::string_view WordOf(figure::EditEvent::Kind kind) {
  const auto words = jobs::EventKindWords();
  const auto word = std::ranges::find(words, kind, &jobs::EventKindWord::kind);
  return word == words.end() ? "event" : word->word;
}

}  // namespace

std::optional<PlayerRecording> RecordEdit(
    const figure::EditResult& result, const figure::Motion& clip,
    const std::shared_ptr<const figure::FigureModel>& model,
    const std::vector<figure::EditEvent>& events) {
  std::optional<PlayerRecording> recording = RecordClips(
      "The edited clip, and the clip before",
      {{"Result", &result.motion, model}, {"Source", &clip, model}});
  if (!recording) return recording;
  recording->events = EventsForPlayer(events, *model, clip.duration());
  return recording;
}

std::vector<PlayerEvent> EventsForPlayer(
    const std::vector<figure::EditEvent>& events,
    const figure::FigureModel& model, double clip_end) {
  std::vector<PlayerEvent> shown;
  for (const figure::EditEvent& event : events) {
    PlayerEvent& added = shown.emplace_back();
    added.from = event.time;
    added.to = std::max(event.time, figure::EndOf(event, clip_end));
    const std::string& segment =
        model.segments[static_cast<std::size_t>(event.segment)].name;
    added.text = std::string(WordOf(event.kind)) + " " + segment;
    if (event.kind == figure::EditEvent::Kind::kPush) {
      added.text += " " + Rounded(event.vector.norm(), 1) + " N s";
    }
    added.part = segment;
    added.vector = event.in_body ? Vector3::Zero() : ArrowOf(event);
  }
  return shown;
}

}  // namespace limber::app
