// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "dynamics/internal/world_data.h"

namespace limber::dynamics::internal {

/// Threads that step islands beside each other. Each has a work space of its
/// own; an island touches nothing of another, so that the answer does not
/// depend on who takes it. The threads stay: between two calls they look out
/// for work for a short while and then sleep.
class IslandPool {
 public:
  /// `num_threads` with the caller's, two or more.
  IslandPool(Shared& shared, int num_threads);
  ~IslandPool();
  IslandPool(const IslandPool&) = delete;
  IslandPool& operator=(const IslandPool&) = delete;

  int num_threads() const;

  using Task = void (*)(const void* context, Data& data, Island& island);

  /// Calls task(context, data, island) for every island that is awake and in no
  /// pile, with `data` or the work space of a thread, and returns when all are
  /// done. A work space begins with the time of `data`; its report and whether
  /// it met what may break are added to those of `data`. Islands are dealt out
  /// in runs of about equal numbers of bodies, the same as long as the islands
  /// are the same. If tasks throw, one of their exceptions is thrown here after
  /// all threads have ended.
  void Run(Data& data, Task task, const void* context);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Whether the islands of this step are several, and large enough to be dealt
/// out.
bool WorthSharing(const Data& data);

/// A copy that shares no line of the cache, nor the one fetched with it, with
/// anything else: the stack around a task is written all the time.
template <typename T>
struct alignas(128) OwnLines {
  T value;
};

/// Calls use(data, island) for every island that is awake and in no pile, on
/// the threads of the world if it has some and they are worth waking. `use` is
/// copied for them: what it refers to should not be on the stack.
template <typename Use>
void ForEachIsland(Data& data, const Use& use) {
  if (data.shared.pool != nullptr && WorthSharing(data)) {
    const OwnLines<Use> task{use};
    data.shared.pool->Run(
        data,
        [](const void* context, Data& work, Island& island) {
          static_cast<const OwnLines<Use>*>(context)->value(work, island);
        },
        &task);
    return;
  }
  for (std::size_t n = 0; n < data.island_weights.size(); ++n) {
    if (data.island_weights[n] > 0) use(data, data.islands[n]);
  }
}

/// Calls use(data, island) for the islands that `ForEachIsland` leaves out.
template <typename Use>
void ForEachOtherIsland(Data& data, const Use& use) {
  for (std::size_t n = 0; n < data.island_weights.size(); ++n) {
    if (data.island_weights[n] == 0) use(data, data.islands[n]);
  }
}

}  // namespace limber::dynamics::internal
