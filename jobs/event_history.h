// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "jobs/event_words.h"

namespace limber::jobs {

/// The one change that a list of events knows: `num_removed` of them from `at`
/// on give way to `added`. Adding, changing, moving, switching and removing are
/// all of it, so that all are undone in the same way.
struct EventSplice {
  std::size_t at = 0;
  std::size_t num_removed = 0;
  std::vector<ListedEvent> added;
};

/// A list of events, and every step that led to it: each can be undone and
/// done again.
class EventHistory {
 public:
  EventHistory() = default;
  explicit EventHistory(std::vector<ListedEvent> start)
      : events_(std::move(start)) {}

  const std::vector<ListedEvent>& events() const { return events_; }

  /// A new step. What had been undone cannot be done again after it.
  /// @throws std::invalid_argument if the splice reaches beyond the list.
  void Apply(EventSplice splice);
  /// The same, but one step with the last one where it changes just what that
  /// one added: the many small changes of one drag of a pointer.
  void Amend(EventSplice splice);

  bool can_undo() const { return num_done_ > 0; }
  bool can_redo() const { return num_done_ < steps_.size(); }
  /// False, and nothing happens, where there is no such step.
  bool Undo();
  bool Redo();

 private:
  struct Step {
    std::size_t at = 0;
    std::vector<ListedEvent> removed;
    std::vector<ListedEvent> added;
  };
  void Check(const EventSplice& splice) const;
  void Exchange(std::size_t at, std::size_t num_removed,
                const std::vector<ListedEvent>& added);

  std::vector<ListedEvent> events_;
  std::vector<Step> steps_;
  std::size_t num_done_ = 0;  ///< Of the steps; the others were undone.
};

}  // namespace limber::jobs
