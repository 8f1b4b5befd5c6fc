// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint.h"

#include <utility>

namespace limber {

namespace {

/// The innermost scope of this thread.
thread_local CheckpointScope* innermost = nullptr;  // NOLINT

}  // namespace

void Checkpoint() {
  CheckpointScope* const scope = innermost;
  if (scope == nullptr) return;
  const auto now = CheckpointScope::Clock::now();
  if (now - scope->last_ < CheckpointScope::kBetween) return;
  scope->last_ = now;
  if (scope->look_) scope->look_();
}

CheckpointScope::CheckpointScope(std::function<void()> look)
    : look_(std::move(look)), outer_(innermost) {
  innermost = this;
}

CheckpointScope::~CheckpointScope() { innermost = outer_; }

}  // namespace limber
