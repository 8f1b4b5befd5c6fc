// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/elastic_island.h"

#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "dynamics/internal/leapfrog.h"
#include "dynamics/internal/world_data.h"
#include "dynamics/soft/node_matrix.h"

namespace limber::dynamics::internal {

namespace {

// Pairs of nodes that share a block.
class PairSink final : public StiffnessSink {
 public:
  PairSink(const std::vector<int>& place,
           std::vector<std::pair<int, int>>& pairs)
      : place_(place), pairs_(pairs) {}
  void Add(int i, int j, const Matrix3& /*block*/) override {
    const int a = place_[Index(i)], b = place_[Index(j)];
    if (a >= 0 && b >= 0 && a != b) pairs_.push_back(std::minmax(a, b));
  }

 private:
  const std::vector<int>& place_;
  std::vector<std::pair<int, int>>& pairs_;
};

}  // namespace

ElasticIsland::ElasticIsland() : matrix_(std::make_unique<NodeMatrix>()) {}
ElasticIsland::~ElasticIsland() = default;

// Adds blocks times `scale` to the matrix. The first time it looks their places
// up, then they come in the same order.
class ElasticIsland::Sink final : public StiffnessSink {
 public:
  Sink(ElasticIsland& island, double scale)
      : island_(island), scale_(scale), known_(!island.slots_.empty()) {}
  void Take(const Part& part) { part_ = &part; }
  void Add(int i, int j, const Matrix3& block) override {
    if (!known_) {
      const int a = part_->place[Index(i)], b = part_->place[Index(j)];
      int slot = kNone;
      if (a >= 0 && a == b) slot = 2 * a;
      if (a >= 0 && b >= 0 && a != b) {
        const int edge =
            island_.matrix_->EdgeOf(std::min(a, b), std::max(a, b));
        slot = a < b ? 2 * edge + 1 : -2 * edge - 1;
      }
      island_.slots_.push_back(slot);
    }
    const int slot = island_.slots_[next_++];
    if (slot == kNone) return;
    if (slot % 2 == 0) {
      island_.matrix_->Diagonal(slot / 2) += scale_ * block;
    } else if (slot > 0) {
      island_.matrix_->Edge(slot / 2) += scale_ * block;
    } else {
      island_.matrix_->Edge(-slot / 2) += scale_ * block.transpose();
    }
  }

 private:
  static constexpr int kNone = -2;  // Even, and of no node.
  ElasticIsland& island_;
  double scale_;
  bool known_;
  const Part* part_ = nullptr;
  std::size_t next_ = 0;
};

bool ElasticIsland::Build(const Data& data, const Island& island) {
  parts_.clear();
  bodies_.clear();
  slots_.clear();
  active_ = held_ = false;
  for (const int k : island.constraints) {
    const auto* rows =
        dynamic_cast<const ForceRows*>(data.constraints[Index(k)].get());
    if (rows == nullptr) continue;
    const auto* force = dynamic_cast<const ElasticForce*>(&rows->force());
    if (force != nullptr) parts_.emplace_back().force = force;
  }
  if (parts_.empty()) return false;
  place_.assign(data.bodies.size(), -1);
  std::vector<std::pair<int, int>> pairs;
  for (Part& part : parts_) {
    for (const BodyId node : part.force->bodies()) {
      const std::size_t b = Index(node.value);
      if (data.bodies[b].dynamic() && place_[b] < 0) {
        place_[b] = static_cast<int>(bodies_.size());
        bodies_.push_back(node.value);
      }
      part.place.push_back(place_[b]);
      held_ = held_ || place_[b] < 0;
    }
    const std::size_t num = part.place.size();
    part.x0.assign(num, Vector3::Zero());
    part.x1.assign(num, Vector3::Zero());
    part.f.assign(num, Vector3::Zero());
    PairSink sink(part.place, pairs);
    part.force->AddStiffness(part.x0, part.x1, 1.0, true, sink);
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  matrix_->SetGraph(static_cast<int>(bodies_.size()), std::move(pairs));
  for (std::vector<Vector3>* v : {&v_, &free_, &y_, &x_}) {
    v->assign(bodies_.size(), Vector3::Zero());
  }
  return true;
}

void ElasticIsland::Begin(const Data& data, double kick, double h) {
  kick_ = kick;
  h_ = h;
  share_ = 1.0;
  last_step_ = kInfinity;
  active_ = true;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    free_[i] = data.free_motion[Index(bodies_[i])].linear;
    v_[i] = data.bodies[Index(bodies_[i])].v;
  }
  for (Part& part : parts_) {
    const std::span<const BodyId> nodes = part.force->bodies();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Body& body = data.bodies[Index(nodes[i].value)];
      part.x0[i] = body.p_WC - 0.5 * data.last_h * body.v;
      part.x1[i] = body.p_WC + 0.5 * h * body.v;
    }
  }
}

void ElasticIsland::Assemble(const Data& data, bool safe) {
  matrix_->SetZero();
  Sink sink(*this, 0.5 * kick_ * h_);
  for (const Part& part : parts_) {
    sink.Take(part);
    part.force->AddStiffness(part.x0, part.x1, kick_, safe, sink);
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    matrix_->Diagonal(static_cast<int>(i)) +=
        data.bodies[Index(bodies_[i])].mass.mass * Matrix3::Identity();
  }
}

bool ElasticIsland::Linearise(Data& data) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    y_[i] = data.bodies[Index(bodies_[i])].mass.mass * (free_[i] - v_[i]);
  }
  for (Part& part : parts_) {
    std::ranges::fill(part.f, Vector3::Zero());
    const std::span<const BodyId> nodes = part.force->bodies();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (part.place[i] < 0) continue;
      part.x1[i] = data.bodies[Index(nodes[i].value)].p_WC +
                   0.5 * h_ * v_[Index(part.place[i])];
    }
    part.force->AddKick(part.x0, part.x1, kick_, part.f);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (part.place[i] >= 0) y_[Index(part.place[i])] += kick_ * part.f[i];
    }
  }
  bool solved = false;
  for (const bool safe : {false, true}) {
    Assemble(data, safe);
    solved = matrix_->Factorise() && matrix_->Solve(y_, x_);
    if (solved) break;
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    data.free_motion[Index(bodies_[i])].linear = v_[i] + x_[i];
  }
  return solved;
}

std::pair<double, double> ElasticIsland::Advance(
    const Data& data, const std::vector<Twist>& change) {
  double step = 0.0, speed = 0.0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const std::size_t b = Index(bodies_[i]);
    const double mass = data.bodies[b].mass.mass;
    const Vector3 next = data.free_motion[b].linear + change[b].linear;
    x_[i] = next - v_[i];
    step += mass * x_[i].squaredNorm();
    speed += mass * (next.squaredNorm() + free_[i].squaredNorm() +
                     (next - free_[i]).squaredNorm());
  }
  step = std::sqrt(step);
  // Places are rounded: velocities are not known better than this.
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = data.bodies[Index(bodies_[i])];
    const double least = kPlaceRounding * 2.0 / h_ / kElasticSolved;
    speed += body.mass.mass * least * least * body.p_WC.squaredNorm();
  }
  // A step that is longer than the last one went too far: half of it.
  share_ = step > last_step_ ? 0.5 * share_ : std::min(1.0, 2.0 * share_);
  last_step_ = step;
  for (std::size_t i = 0; i < bodies_.size(); ++i) v_[i] += share_ * x_[i];
  return {step, std::sqrt(speed)};
}

void ElasticIsland::End(Data& data, std::vector<Twist>& change) {
  active_ = false;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const std::size_t b = Index(bodies_[i]);
    data.free_motion[b].linear = free_[i];
    change[b].linear = v_[i] - free_[i];
  }
}

bool ElasticIsland::RespondTo(std::span<const RowBuffer::Entry> entries) {
  bool any = false;
  for (const RowBuffer::Entry& entry : entries) {
    if (!Has(entry.body)) continue;
    if (!any) std::ranges::fill(y_, Vector3::Zero());
    any = true;
    y_[Index(place_[Index(entry.body)])] += entry.linear;
  }
  if (any) matrix_->Solve(y_, x_);
  return any;
}

void ElasticIsland::Respond(std::vector<Twist>& change) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    y_[i] = change[Index(bodies_[i])].linear;
  }
  matrix_->Solve(y_, x_);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    change[Index(bodies_[i])].linear = x_[i];
  }
}

}  // namespace limber::dynamics::internal
