// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/island_pool.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <numeric>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace limber::dynamics::internal {

namespace {

// Fewer bodies a thread than this take less time than waking it.
constexpr int kLeastBodies = 24;

// How often a thread looks for work, or for the others' end, before it sleeps:
// some 50 microseconds. A step of a few figures takes that long, so that steps
// which follow each other find the threads awake.
constexpr int kLooks = 4000;

void Pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

// Waits until `value` is no longer `old`.
void WaitForChange(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (int i = 0; i < kLooks; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    Pause();
  }
  value.wait(old, std::memory_order_acquire);
}

void AddReport(const StepReport& from, StepReport& to) {
  to.status = std::max(to.status, from.status);
  to.residual = std::max(to.residual, from.residual);
  to.num_rows += from.num_rows;
  to.factorisations = std::max(to.factorisations, from.factorisations);
  to.solves = std::max(to.solves, from.solves);
  to.friction_rounds = std::max(to.friction_rounds, from.friction_rounds);
  to.friction_settled = to.friction_settled && from.friction_settled;
  to.unmet.insert(to.unmet.end(), from.unmet.begin(), from.unmet.end());
}

void ClearReport(StepReport& report) {
  std::vector<const Constraint*> unmet = std::move(report.unmet);
  unmet.clear();
  report = StepReport{};
  report.unmet = std::move(unmet);
}

}  // namespace

bool WorthSharing(const Data& data) {
  int bodies = 0;
  int islands = 0;
  for (const int weight : data.island_weights) {
    bodies += weight;
    islands += weight > 0;
  }
  return islands > 1 && bodies >= 2 * kLeastBodies;
}

class IslandPool::Implementation {
 public:
  Implementation(Shared& shared, int num_threads) : shared_(shared) {
    const std::size_t helpers = static_cast<std::size_t>(num_threads - 1);
    for (std::size_t i = 0; i < helpers; ++i) {
      helpers_.push_back(std::make_unique<Helper>(shared));
    }
    for (std::size_t i = 0; i < helpers; ++i) {
      helpers_[i]->thread = std::thread([this, i] { Work(*helpers_[i]); });
    }
  }

  ~Implementation() {
    ends_ = true;
    call_.fetch_add(1, std::memory_order_release);
    call_.notify_all();
    for (const auto& helper : helpers_) helper->thread.join();
  }

  int num_threads() const { return static_cast<int>(helpers_.size()) + 1; }

  void Run(Data& data, Task task, const void* context) {
    task_ = task;
    context_ = context;
    const std::size_t mine = DealOut(data.time);
    busy_.store(static_cast<std::uint32_t>(helpers_.size()),
                std::memory_order_relaxed);
    call_.fetch_add(1, std::memory_order_release);
    call_.notify_all();

    std::exception_ptr failure = RunIslands(data, 0, mine);
    for (std::uint32_t left = busy_.load(std::memory_order_acquire); left != 0;
         left = busy_.load(std::memory_order_acquire)) {
      WaitForChange(busy_, left);
    }
    for (const auto& helper : helpers_) {
      AddReport(helper->data.report, data.report);
      data.breakable = data.breakable || helper->data.breakable;
      if (!failure) failure = helper->failure;
    }
    if (failure) std::rethrow_exception(failure);
  }

 private:
  // Aligned so that what one thread writes is in no line of another's.
  struct alignas(64) Helper {
    explicit Helper(Shared& shared) : data(shared) {}
    Data data;
    double time = 0.0;      ///< Of the caller.
    std::size_t first = 0;  ///< Islands of this call: first to last - 1.
    std::size_t last = 0;
    std::exception_ptr failure;
    std::thread thread;
  };

  // Runs of islands, by the bodies before them. Returns where the caller's
  // ends.
  std::size_t DealOut(double time) {
    const std::vector<int>& weights = shared_.island_weights;
    const long total = std::accumulate(weights.begin(), weights.end(), 0L);
    const long used = std::min<long>(num_threads(), total / kLeastBodies);
    long before = 0;
    std::size_t n = 0;
    const auto take = [&](long share) {
      // An island goes to the run in which its middle lies.
      while (n < weights.size()) {
        const long weight = weights[n];
        if (share < used && used * (2 * before + weight) >= 2 * share * total) {
          break;
        }
        before += weight;
        ++n;
      }
      return n;
    };
    const std::size_t mine = take(1);
    for (std::size_t i = 0; i < helpers_.size(); ++i) {
      helpers_[i]->time = time;
      helpers_[i]->first = n;
      helpers_[i]->last = take(static_cast<long>(i) + 2);
    }
    return mine;
  }

  std::exception_ptr RunIslands(Data& data, std::size_t first,
                                std::size_t last) {
    try {
      for (std::size_t n = first; n < last; ++n) {
        if (shared_.island_weights[n] == 0) continue;
        task_(context_, data, shared_.islands[n]);
      }
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }

  void Work(Helper& helper) {
    std::uint32_t seen = 0;
    while (true) {
      WaitForChange(call_, seen);
      ++seen;
      if (ends_) return;
      ClearReport(helper.data.report);
      helper.data.given_known = false;
      helper.data.breakable = false;
      helper.data.time = helper.time;
      helper.failure = RunIslands(helper.data, helper.first, helper.last);
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        busy_.notify_one();
      }
    }
  }

  Shared& shared_;
  std::vector<std::unique_ptr<Helper>> helpers_;
  Task task_ = nullptr;
  const void* context_ = nullptr;
  bool ends_ = false;  ///< Written before `call_`, read after it.
  alignas(64) std::atomic<std::uint32_t> call_{0};
  alignas(64) std::atomic<std::uint32_t> busy_{0};
};

IslandPool::IslandPool(Shared& shared, int num_threads)
    : implementation_(std::make_unique<Implementation>(shared, num_threads)) {}

IslandPool::~IslandPool() = default;

int IslandPool::num_threads() const { return implementation_->num_threads(); }

void IslandPool::Run(Data& data, Task task, const void* context) {
  implementation_->Run(data, task, context);
}

}  // namespace limber::dynamics::internal
