// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "dynamics/soft/elastic_force.h"

namespace limber::dynamics::internal {

class NodeMatrix;
struct Data;
struct Island;
struct Twist;

/// The nodes of an island and the elements between them, in one kick:
///
///     M (v+ - v_free) = kick f(x0, x1) + J^T lambda ,   x1 = p + h/2 v+
///
/// by Newton's method. While `active`, the responses of nodes to impulses are
/// those of A = M + kick h/2 K and not of M, in every solve of rows.
class ElasticIsland {
 public:
  ElasticIsland();
  ~ElasticIsland();

  /// Finds the elements among the constraints of `island`; false if none.
  bool Build(const Data& data, const Island& island);

  /// The kick begins: places, v_free (`data.free_motion`) and the first v.
  void Begin(const Data& data, double kick, double h);
  /// Forces and A at the present v; then free_motion becomes what Newton's step
  /// without rows gives. False if A could not be made positive definite.
  bool Linearise(Data& data);
  /// Takes v = free_motion + `change`. Returns how far it moved, and how fast
  /// things are, sqrt(sum m v^2) both.
  std::pair<double, double> Advance(const Data& data,
                                    const std::vector<Twist>& change);
  /// Free_motion as before, `change` all that rows and elements do.
  void End(Data& data, std::vector<Twist>& change);

  /// `change` of nodes: impulses in, velocities out.
  void Respond(std::vector<Twist>& change);
  /// What a unit impulse of a row with these entries does to the nodes; false,
  /// and nothing done, if it touches none.
  bool RespondTo(std::span<const RowBuffer::Entry> entries);
  /// To node `body`, after `RespondTo`.
  const Vector3& response(int body) const {
    return x_[static_cast<std::size_t>(place_[static_cast<std::size_t>(body)])];
  }
  bool active() const { return active_; }
  /// Whether elements end at bodies that forces do not move, which take up
  /// momentum.
  bool held() const { return held_; }
  /// Whether `body` is one of its nodes.
  bool Has(int body) const {
    return place_[static_cast<std::size_t>(body)] >= 0;
  }

 private:
  struct Part {
    const ElasticForce* force = nullptr;
    std::vector<int> place;  ///< By node: among the dynamic ones, or -1.
    std::vector<Vector3> x0, x1, f;
  };
  class Sink;
  void Assemble(const Data& data, bool safe);

  std::vector<Part> parts_;
  std::vector<int> bodies_;  ///< By place.
  std::vector<int> place_;   ///< By body, or -1.
  std::unique_ptr<NodeMatrix> matrix_;
  std::vector<int> slots_;  ///< Of the blocks, in the order they come.
  std::vector<Vector3> v_, free_, y_, x_;
  double kick_ = 0.0, h_ = 0.0;
  double share_ = 1.0, last_step_ = 0.0;
  bool active_ = false;
  bool held_ = false;
};

}  // namespace limber::dynamics::internal
