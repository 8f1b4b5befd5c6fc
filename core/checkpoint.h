// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>

namespace limber {

/// A place where work that takes long may be ended. Whatever a job does for
/// every frame or for every trial of a search passes through one of these:
/// forward kinematics, a step of a world, a frame of a solver. So a job of any
/// length can be stopped at once without its parts knowing of one another.
///
/// Does nothing but read a pointer where no `CheckpointScope` of this thread is
/// alive. Otherwise may throw what the scope's function throws: the work ends,
/// and what it was making is lost; what it was given stays as it is.
void Checkpoint();

/// While it lives, `Checkpoint` calls a function, on this thread and not more
/// often than every `kBetween`. Scopes may be inside one another: the inner
/// one's function is called.
class CheckpointScope {
 public:
  /// Ten times as often as the 0.2 s within which jobs are to end.
  static constexpr std::chrono::milliseconds kBetween{20};

  explicit CheckpointScope(std::function<void()> look);
  ~CheckpointScope();
  CheckpointScope(const CheckpointScope&) = delete;
  CheckpointScope& operator=(const CheckpointScope&) = delete;

 private:
  friend void Checkpoint();
  using Clock = std::chrono::steady_clock;
  const std::function<void()> look_;
  CheckpointScope* const outer_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace limber
