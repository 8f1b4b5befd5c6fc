// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

namespace limber::dynamics::internal {

/// A number for each of a few bodies of a world. Its memory grows with those
/// few, not with the bodies of the world, so that a world of many islands with
/// a table each takes no more than its bodies do.
///
/// Open addressing by the lowest bits of the body's index: bodies that follow
/// each other, as those of a figure do, never meet.
class BodyTable {
 public:
  /// Forgets everything; room for `num_bodies`.
  void Reset(std::size_t num_bodies) {
    // At least half of the places stay empty, so that searches are short.
    places_.assign(std::bit_ceil(2 * num_bodies + 1), Place{});
    mask_ = places_.size() - 1;
  }
  void Set(int body, int number) {
    Place& place = places_[Find(body)];
    place.body = body;
    place.number = number;
  }
  /// -1 for a body that was not set.
  int operator[](int body) const { return places_[Find(body)].number; }

 private:
  struct Place {
    int body = -1;
    int number = -1;
  };
  /// Where the body is, or the empty place where it would be.
  std::size_t Find(int body) const {
    std::size_t at = static_cast<std::size_t>(body) & mask_;
    while (places_[at].body != body && places_[at].body >= 0) {
      at = (at + 1) & mask_;
    }
    return at;
  }

  std::vector<Place> places_ = std::vector<Place>(1);
  std::size_t mask_ = 0;
};

}  // namespace limber::dynamics::internal
