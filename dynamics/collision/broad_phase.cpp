// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/collision/broad_phase.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "dynamics/internal/check.h"
#include "dynamics/internal/lanes.h"

namespace limber::dynamics {

namespace {

/// Pairs for each proxy, in the mean. A box among boxes of its size touches up
/// to 26 others, which are 13 pairs; where there are far more, bodies lie in
/// one another, and pairs, memory and time would grow with the square of their
/// number.
constexpr std::size_t kMostPairsOfOne = 40;

}  // namespace

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

int BroadPhase::Add(const BoundingBox& box, std::int64_t family) {
  CheckBox(box);
  int& id = first_free_;
  while (id < static_cast<int>(proxies_.size()) && proxies_[id].used) ++id;
  if (id == static_cast<int>(proxies_.size())) proxies_.emplace_back();
  proxies_[id] = {box.Grown(margin_), true, family};
  order_.push_back(id);
  changed_ = true;
  ++num_proxies_;
  return id;
}

void BroadPhase::Remove(int id) {
  CheckId(id);
  proxies_[id].used = false;
  first_free_ = std::min(first_free_, id);
  std::erase(order_, id);
  changed_ = true;
  --num_proxies_;
}

bool BroadPhase::Update(int id, const BoundingBox& box) {
  CheckId(id);
  CheckBox(box);
  if (proxies_[id].box.Contains(box)) return false;
  proxies_[id].box = box.Grown(margin_);
  changed_ = true;
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

// Fills pairs_ with the first `num` of found_, ascending: by counting for the
// first id, then within the few pairs of each.
void BroadPhase::SortPairs(std::size_t num) {
  constexpr std::ptrdiff_t kFew = 16;
  const auto first_of = [](const ProxyPair& pair) {
    return static_cast<std::size_t>(pair.first);
  };
  starts_.assign(proxies_.size() + 1, 0);
  for (std::size_t i = 0; i < num; ++i) ++starts_[first_of(found_[i]) + 1];
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  pairs_.resize(num);
  for (std::size_t i = 0; i < num; ++i) {
    pairs_[starts_[first_of(found_[i])]++] = found_[i];
  }
  // Each start is now the end of its pairs.
  ProxyPair* begin = pairs_.data();
  for (std::size_t i = 0; i + 1 < starts_.size(); ++i) {
    ProxyPair* end = pairs_.data() + starts_[i];
    if (end - begin > kFew) {
      std::sort(begin, end);
    } else {
      for (ProxyPair* own = begin + 1; own < end; ++own) {
        for (ProxyPair* at = own; at > begin && at->second < (at - 1)->second;
             --at) {
          std::swap(*at, *(at - 1));
        }
      }
    }
    begin = end;
  }
}

const std::vector<ProxyPair>& BroadPhase::Pairs() {
  if (!changed_) return pairs_;
  changed_ = false;
  ChooseAxis();
  Sort();
  swept_.clear();
  const int second = (axis_ + 1) % 3;
  const int third = (axis_ + 2) % 3;
  for (const int id : order_) {
    const Proxy& proxy = proxies_[id];
    const Vector3& min = proxy.box.min;
    const Vector3& max = proxy.box.max;
    swept_.push_back({min[axis_],
                      max[axis_],
                      {min[second], min[third], -max[second], -max[third]},
                      proxy.family,
                      id});
  }
  // Boxes are apart where one of the four differences min - max is above 0.
  // Nobody can foretell which are, so every candidate is written down, and the
  // next one over it if it is none.
  std::size_t num = 0;
  std::size_t sifted = 0;  // So many are known to be of different families.
  const int end = static_cast<int>(swept_.size());
  const std::size_t most_pairs = kMostPairsOfOne * swept_.size();
  const auto drop_families = [this](std::size_t first, std::size_t last) {
    std::size_t kept = first;
    for (std::size_t i = first; i < last; ++i) {
      const std::int64_t own = swept_[found_[i].first].family;
      const std::int64_t other = swept_[found_[i].second].family;
      found_[kept] = found_[i];
      kept += own != other || own == 0;
    }
    return kept;
  };
  for (int i = 0; i < end; ++i) {
    const std::size_t most = num + static_cast<std::size_t>(end - i);
    if (found_.size() < most) found_.resize(2 * most);
    ProxyPair* found = found_.data();
    const Swept& own = swept_[i];
    const double* e = own.ends;
    const internal::Lane turned = {e[2], e[3], e[0], e[1]};
    for (int k = i + 1; k < end && swept_[k].low <= own.high; ++k) {
      const double* f = swept_[k].ends;
      const internal::Lane gaps =
          turned + internal::Lane{f[0], f[1], f[2], f[3]};
      found[num] = {i, k};
      num += !internal::Any(gaps > internal::Lane{});
    }
    if (num <= most_pairs) continue;
    num = sifted = drop_families(sifted, num);
    if (num <= most_pairs) continue;
    changed_ = true;
    throw std::runtime_error("too many bodies lie in one another: more than " +
                             std::to_string(most_pairs) + " pairs of " +
                             std::to_string(end) + " shapes overlap");
  }
  num = drop_families(sifted, num);
  // From places in the sweep to ids.
  for (std::size_t i = 0; i < num; ++i) {
    const Swept& own = swept_[found_[i].first];
    const Swept& other = swept_[found_[i].second];
    found_[i] = std::minmax(own.id, other.id);
  }
  SortPairs(num);
  return pairs_;
}

}  // namespace limber::dynamics
