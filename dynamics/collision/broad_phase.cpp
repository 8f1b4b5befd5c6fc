// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/collision/broad_phase.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "dynamics/internal/check.h"

namespace limber::dynamics {

BroadPhase::BroadPhase(double margin) : margin_(margin) {
  if (!(margin >= 0.0) || !std::isfinite(margin)) {
    internal::ThrowBadValue("margin", "zero or positive and finite", margin);
  }
}

void BroadPhase::CheckId(int id) const {
  if (id < 0 || id >= static_cast<int>(proxies_.size()) || !proxies_[id].used) {
    internal::ThrowBadValue("id", "a proxy in use", std::to_string(id));
  }
}

void BroadPhase::CheckBox(const BoundingBox& box) const {
  if (!(box.min.array() <= box.max.array()).all()) {
    internal::ThrowBadValue(
        "box", "not empty and without NaN",
        internal::ToText(box.min) + " to " + internal::ToText(box.max));
  }
}

int BroadPhase::Add(const BoundingBox& box) {
  CheckBox(box);
  int id = 0;
  while (id < static_cast<int>(proxies_.size()) && proxies_[id].used) ++id;
  if (id == static_cast<int>(proxies_.size())) proxies_.emplace_back();
  proxies_[id] = {box.Grown(margin_), true};
  order_.push_back(id);
  ++num_proxies_;
  return id;
}

void BroadPhase::Remove(int id) {
  CheckId(id);
  proxies_[id].used = false;
  std::erase(order_, id);
  --num_proxies_;
}

bool BroadPhase::Update(int id, const BoundingBox& box) {
  CheckId(id);
  CheckBox(box);
  if (proxies_[id].box.Contains(box)) return false;
  proxies_[id].box = box.Grown(margin_);
  return true;
}

const BoundingBox& BroadPhase::FatBox(int id) const {
  CheckId(id);
  return proxies_[id].box;
}

// The axis along which the middles of the finite boxes vary most.
void BroadPhase::ChooseAxis() {
  Vector3 sum = Vector3::Zero();
  Vector3 squares = Vector3::Zero();
  int count = 0;
  for (const int id : order_) {
    const Vector3 middle = 0.5 * (proxies_[id].box.min + proxies_[id].box.max);
    if (!middle.allFinite()) continue;
    sum += middle;
    squares += middle.cwiseProduct(middle);
    ++count;
  }
  if (count == 0) return;
  const Vector3 variance =
      squares / count - (sum / count).cwiseProduct(sum / count);
  int best = axis_;
  variance.maxCoeff(&best);
  // Changing the axis costs a full sort: only for a clear gain.
  if (variance[best] > 1.5 * variance[axis_]) axis_ = best;
}

// By insertion while the order is nearly right, which it is from step to step.
void BroadPhase::Sort() {
  const auto before = [this](int a, int b) {
    const double low_a = proxies_[a].box.min[axis_];
    const double low_b = proxies_[b].box.min[axis_];
    return low_a < low_b || (low_a == low_b && a < b);
  };
  const int n = static_cast<int>(order_.size());
  std::int64_t moves = 0;
  for (int i = 1; i < n; ++i) {
    const int id = order_[i];
    int k = i;
    while (k > 0 && before(id, order_[k - 1])) {
      order_[k] = order_[k - 1];
      --k;
    }
    order_[k] = id;
    moves += i - k;
    if (moves > 8 * std::int64_t{n}) {
      std::sort(order_.begin(), order_.end(), before);
      return;
    }
  }
}

const std::vector<ProxyPair>& BroadPhase::Pairs() {
  ChooseAxis();
  Sort();
  pairs_.clear();
  const int n = static_cast<int>(order_.size());
  for (int i = 0; i < n; ++i) {
    const BoundingBox& box = proxies_[order_[i]].box;
    for (int k = i + 1; k < n; ++k) {
      const BoundingBox& other = proxies_[order_[k]].box;
      if (other.min[axis_] > box.max[axis_]) break;
      if (box.Overlaps(other)) {
        pairs_.push_back(std::minmax(order_[i], order_[k]));
      }
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

}  // namespace limber::dynamics
