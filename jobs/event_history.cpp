// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/event_history.h"

#include <iterator>
#include <stdexcept>
#include <utility>

namespace limber::jobs {

void EventHistory::Check(const EventSplice& splice) const {
  if (splice.at <= events_.size() &&
      splice.num_removed <= events_.size() - splice.at) {
    return;
  }
  throw std::invalid_argument("EventSplice: there are no such events");
}

void EventHistory::Exchange(std::size_t at, std::size_t num_removed,
                            const std::vector<ListedEvent>& added) {
  const auto from = events_.begin() + static_cast<std::ptrdiff_t>(at);
  const auto to = from + static_cast<std::ptrdiff_t>(num_removed);
  events_.insert(events_.erase(from, to), added.begin(), added.end());
}

void EventHistory::Apply(EventSplice splice) {
  Check(splice);
  const auto from = events_.begin() + static_cast<std::ptrdiff_t>(splice.at);
  Step step;
  step.at = splice.at;
  step.removed.assign(from,
                      from + static_cast<std::ptrdiff_t>(splice.num_removed));
  step.added = std::move(splice.added);
  Exchange(step.at, step.removed.size(), step.added);
  steps_.resize(num_done_);
  steps_.push_back(std::move(step));
  ++num_done_;
}

void EventHistory::Amend(EventSplice splice) {
  Check(splice);
  const bool is_same = can_undo() && !can_redo() &&
                       steps_.back().at == splice.at &&
                       steps_.back().added.size() == splice.num_removed;
  if (!is_same) return Apply(std::move(splice));
  Step& last = steps_.back();
  Exchange(splice.at, splice.num_removed, splice.added);
  last.added = std::move(splice.added);
}

bool EventHistory::Undo() {
  if (!can_undo()) return false;
  const Step& step = steps_[--num_done_];
  Exchange(step.at, step.added.size(), step.removed);
  return true;
}

bool EventHistory::Redo() {
  if (!can_redo()) return false;
  const Step& step = steps_[num_done_++];
  Exchange(step.at, step.removed.size(), step.added);
  return true;
}

}  // namespace limber::jobs
