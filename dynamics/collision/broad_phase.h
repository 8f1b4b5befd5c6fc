// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "dynamics/collision/bounding_box.h"

namespace limber::dynamics {

/// A pair of proxies whose boxes overlap; first < second.
using ProxyPair = std::pair<int, int>;

/// Finds which of many moving boxes overlap, by sweep and prune: boxes stay
/// sorted by their lower end along the axis on which they are spread most, and
/// a step of small motions costs little more than a pass over that order.
///
/// Boxes are kept fat: larger by `margin` than given, and left alone while the
/// given box stays inside. So `Pairs` is the set of pairs whose fat boxes
/// overlap; it holds every pair whose given boxes overlap.
class BroadPhase {
 public:
  /// @param margin  zero or positive [m].
  explicit BroadPhase(double margin = 0.0);

  /// Returns the proxy's id: the smallest that is free. Infinite sides are
  /// allowed.
  /// @param family  proxies of one family other than 0 make no pairs.
  /// @throws std::invalid_argument if `box` is empty or holds a NaN.
  int Add(const BoundingBox& box, std::int64_t family = 0);
  /// @throws std::invalid_argument for an id that is not in use (also below).
  void Remove(int id);
  /// Says where the proxy is now; returns whether its fat box changed.
  bool Update(int id, const BoundingBox& box);

  const BoundingBox& FatBox(int id) const;
  int num_proxies() const { return num_proxies_; }

  /// All pairs, ascending: the order depends on ids and boxes alone, not on
  /// the history. Valid until the next call of anything not const. Allocates
  /// only while the number of proxies or pairs grows.
  /// @throws std::runtime_error if there are more than forty for each proxy:
  ///         bodies lie in one another, and memory and time would grow with
  ///         the square of their number.
  const std::vector<ProxyPair>& Pairs();
  /// What the last call of `Pairs` gave.
  const std::vector<ProxyPair>& last_pairs() const { return pairs_; }

  /// Calls `visit(id)`, in the order of ids, for each proxy whose fat box
  /// touches `box`.
  template <typename Visit>
  void ForEachTouching(const BoundingBox& box, Visit&& visit) const {
    for (int id = 0; id < static_cast<int>(proxies_.size()); ++id) {
      if (proxies_[id].used && proxies_[id].box.Overlaps(box)) visit(id);
    }
  }

 private:
  struct Proxy {
    BoundingBox box;
    bool used = false;
    std::int64_t family = 0;
  };
  /// A proxy in the order of the sweep: its ends along axis_, and those along
  /// the two others, lower ones and less upper ones.
  struct Swept {
    double low, high;
    double ends[4];
    std::int64_t family;
    int id;
  };

  void CheckId(int id) const;
  void CheckBox(const BoundingBox& box) const;
  void ChooseAxis();
  void Sort();
  void SortPairs(std::size_t num);

  double margin_;
  int num_proxies_ = 0;
  int first_free_ = 0;  // No id below it is free.
  int axis_ = 0;
  std::vector<Proxy> proxies_;
  std::vector<int> order_;  // Used ids by lower end along axis_.
  std::vector<Swept> swept_;
  std::vector<ProxyPair> found_;     // Work space: pairs in the order found,
  std::vector<std::size_t> starts_;  // and by id, where its pairs start.
  std::vector<ProxyPair> pairs_;     // Of the last call of Pairs,
  bool changed_ = true;              // and whether boxes are others since.
};

}  // namespace limber::dynamics
