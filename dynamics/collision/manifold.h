// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/math.h"

namespace limber::dynamics {

namespace internal {
struct CollideScratch;
}

struct ContactPoint {
  Vector3 p_W = Vector3::Zero();  ///< Midway between the two surfaces [m].
  double distance = 0.0;          ///< Along the normal; < 0: overlap [m].
  /// Names the meeting features (corner of A on face of B, edge across edge).
  /// The same pair of features has the same id in every step, and no two
  /// points of one pair of shapes share an id: contacts persist by it alone.
  std::uint32_t feature = 0;
};

/// Up to four points that share a normal: a patch.
struct Manifold {
  Vector3 normal_W = Vector3::UnitY();  ///< Unit, from A to B.
  std::array<ContactPoint, 4> points;   ///< The first num_points count.
  int num_points = 0;
  int sub_a = 0;  ///< Child of a compound or triangle of a surface, else 0.
  int sub_b = 0;

  const ContactPoint* begin() const { return points.data(); }
  const ContactPoint* end() const { return points.data() + num_points; }
};

/// The results of `Collide`, with the memory it works in: keep one list per
/// thread and clear it, and nothing is allocated once it has grown.
class ManifoldList {
 public:
  ManifoldList();
  ~ManifoldList();
  ManifoldList(ManifoldList&&) noexcept;
  ManifoldList& operator=(ManifoldList&&) noexcept;

  void clear() { manifolds_.clear(); }
  bool empty() const { return manifolds_.empty(); }
  std::size_t size() const { return manifolds_.size(); }
  const Manifold& operator[](std::size_t i) const { return manifolds_[i]; }
  Manifold& operator[](std::size_t i) { return manifolds_[i]; }
  void push_back(const Manifold& manifold) { manifolds_.push_back(manifold); }
  std::vector<Manifold>::const_iterator begin() const {
    return manifolds_.begin();
  }
  std::vector<Manifold>::const_iterator end() const { return manifolds_.end(); }

  // For the code of this folder.
  internal::CollideScratch& scratch() { return *scratch_; }
  std::vector<Manifold>& manifolds() { return manifolds_; }

 private:
  std::vector<Manifold> manifolds_;
  std::unique_ptr<internal::CollideScratch> scratch_;
};

}  // namespace limber::dynamics
