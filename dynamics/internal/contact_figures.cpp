// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "dynamics/internal/world_data.h"

// Piles in which bodies hang together by joints. Each island keeps its trees,
// exact in joints, drives, limits and contacts with the ground; the contacts
// between islands are swept over the bodies they touch, whose motions answer
// with all that hangs on them:
//
//     V_c = V_c0 + sum_b R_cb J_b^T lambda ,   R_cb = dV_c / d impulse on b
//
// R comes from the trees' factor, and holds while no row changes its state;
// the islands are then solved with the impulses found, and if states did
// change, once more.

namespace limber::dynamics::internal {

namespace {

std::size_t Index(int i) { return static_cast<std::size_t>(i); }

/// Bodies that overlap here part by a velocity, at most this fast [m/s].
constexpr double kMostPush = 0.3;
constexpr double kPushOut = 0.2;
/// Passes over responses, sweeps and islands, at most.
constexpr int kMostPasses = 3;
/// Velocities that differ by less from those the sweeps saw are the same [m/s].
constexpr double kSame = 2e-2;
/// Sweeps end when no row changes its speed by more [m/s].
constexpr double kConverged = 1e-5;

// Which bodies are touched, island by island.
void CollectTouched(Data& data, const Pile& pile) {
  FigureSweeps& sweeps = data.contacts.figures;
  sweeps.local.resize(data.bodies.size(), -1);
  sweeps.bodies.clear();
  const auto add = [&](int b) {
    if (sweeps.local[Index(b)] >= 0) return;
    sweeps.local[Index(b)] = 0;
    TouchedBody& own = sweeps.bodies.emplace_back();
    own.body = b;
    own.island = data.bodies[Index(b)].island_number;
  };
  for (const int t : pile.touches) {
    add(data.contacts.touches[Index(t)].body_a);
    add(data.contacts.touches[Index(t)].body_b);
  }
  std::sort(sweeps.bodies.begin(), sweeps.bodies.end(),
            [](const TouchedBody& a, const TouchedBody& b) {
              return std::pair(a.island, a.body) < std::pair(b.island, b.body);
            });
  int first = 0;
  for (int i = 0; i < static_cast<int>(sweeps.bodies.size()); ++i) {
    TouchedBody& own = sweeps.bodies[Index(i)];
    sweeps.local[Index(own.body)] = i;
    if (own.island != sweeps.bodies[Index(first)].island) first = i;
    own.first = first;
  }
  int end = static_cast<int>(sweeps.bodies.size());
  for (int i = end - 1; i >= 0; --i) {
    sweeps.bodies[Index(i)].end = end;
    if (sweeps.bodies[Index(i)].first == i) end = i;
  }
}

void AddLoads(Data& data, const Pile& pile) {
  for (const int t : pile.touches) {
    const Touch& touch = data.contacts.touches[Index(t)];
    for (int side = 0; side < 2; ++side) {
      Vec f, torque;
      for (int k = 0; k < touch.num_rows; ++k) {
        Vec linear, angular;
        touch.Jacobian(k, side, linear, angular);
        f += touch.lambda[k] * linear;
        torque += touch.lambda[k] * angular;
      }
      const int b = side == 1 ? touch.body_b : touch.body_a;
      data.islands[Index(data.bodies[Index(b)].island_number)].tree.AddLoad(
          b, f, torque);
    }
  }
}

// R_cb for all touched bodies of each island, six columns each.
void FindResponses(Data& data) {
  FigureSweeps& sweeps = data.contacts.figures;
  sweeps.responses.clear();
  for (TouchedBody& own : sweeps.bodies) {
    own.responses = static_cast<int>(sweeps.responses.size());
    TreeIsland& tree = data.islands[Index(own.island)].tree;
    for (int axis = 0; axis < 6; ++axis) {
      const Vec unit{axis % 3 == 0 ? 1.0 : 0.0, axis % 3 == 1 ? 1.0 : 0.0,
                     axis % 3 == 2 ? 1.0 : 0.0};
      tree.Respond(own.body, axis < 3 ? unit : Vec{}, axis < 3 ? Vec{} : unit);
      for (int c = own.first; c < own.end; ++c) {
        FigureResponse& response = sweeps.responses.emplace_back();
        tree.Response(sweeps.bodies[Index(c)].body, response.v, response.w);
      }
    }
  }
}

// R_cb J^T, added to the row's changes of velocity.
void AddChanges(const FigureSweeps& sweeps, const TouchedBody& body,
                const Vec& linear, const Vec& angular, FigureResponse* change) {
  const double wrench[6] = {linear.x,  linear.y,  linear.z,
                            angular.x, angular.y, angular.z};
  const FigureResponse* response = sweeps.responses.data() + body.responses;
  const int n = body.end - body.first;
  for (int axis = 0; axis < 6; ++axis) {
    for (int c = 0; c < n; ++c, ++response) {
      change[c].v += wrench[axis] * response->v;
      change[c].w += wrench[axis] * response->w;
    }
  }
}

void AddRows(Data& data, const Pile& pile, double h) {
  FigureSweeps& sweeps = data.contacts.figures;
  const ContactSettings& settings = data.settings.contact;
  sweeps.rows.clear();
  sweeps.changes.clear();
  for (const int t : pile.touches) {
    const Touch& touch = data.contacts.touches[Index(t)];
    const int normal = static_cast<int>(sweeps.rows.size());
    for (int k = 0; k < touch.num_rows; ++k) {
      FigureRow& row = sweeps.rows.emplace_back();
      row.a = sweeps.local[Index(touch.body_a)];
      row.b = sweeps.local[Index(touch.body_b)];
      touch.Jacobian(k, 0, row.linear_a, row.angular_a);
      touch.Jacobian(k, 1, row.linear_b, row.angular_b);
      row.u = touch.u[k];
      const double deep = -touch.distance - settings.slop;
      if (k == 0 && deep > 0.0) {
        row.u = std::min(kPushOut * deep / h, kMostPush);
      }
      row.s = touch.s[k];
      row.c = touch.c[k];
      row.normal = k == 0 ? -1 : normal;
      row.lambda = touch.lambda[k];
      const TouchedBody& a = sweeps.bodies[Index(row.a)];
      const TouchedBody& b = sweeps.bodies[Index(row.b)];
      const bool one = a.island == b.island;
      row.changes = static_cast<int>(sweeps.changes.size());
      const int num_a = a.end - a.first;
      const int num_b = one ? 0 : b.end - b.first;
      sweeps.changes.resize(sweeps.changes.size() + Index(num_a + num_b));
      FigureResponse* change = sweeps.changes.data() + row.changes;
      AddChanges(sweeps, a, row.linear_a, row.angular_a, change);
      AddChanges(sweeps, b, row.linear_b, row.angular_b,
                 one ? change : change + num_a);
      const FigureResponse& at_a = change[row.a - a.first];
      const FigureResponse& at_b =
          one ? change[row.b - a.first] : change[num_a + row.b - b.first];
      row.inverse_response =
          1.0 /
          (row.s + Dot(row.linear_a, at_a.v) + Dot(row.angular_a, at_a.w) +
           Dot(row.linear_b, at_b.v) + Dot(row.angular_b, at_b.w));
    }
  }
}

double Relax(FigureSweeps& sweeps, FigureRow& row) {
  TouchedBody& a = sweeps.bodies[Index(row.a)];
  TouchedBody& b = sweeps.bodies[Index(row.b)];
  const double e = Dot(row.linear_a, a.v) + Dot(row.angular_a, a.w) +
                   Dot(row.linear_b, b.v) + Dot(row.angular_b, b.w) - row.u +
                   row.s * row.lambda;
  double next = row.lambda - e * row.inverse_response;
  if (row.normal < 0) {
    next = std::max(0.0, next);
  } else {
    const double bound = row.c * sweeps.rows[Index(row.normal)].lambda;
    next = std::clamp(next, -bound, bound);
  }
  const double change = next - row.lambda;
  if (change == 0.0) return 0.0;
  row.lambda = next;
  const FigureResponse* response = sweeps.changes.data() + row.changes;
  for (int c = a.first; c < a.end; ++c, ++response) {
    sweeps.bodies[Index(c)].v += change * response->v;
    sweeps.bodies[Index(c)].w += change * response->w;
  }
  if (a.island != b.island) {
    for (int c = b.first; c < b.end; ++c, ++response) {
      sweeps.bodies[Index(c)].v += change * response->v;
      sweeps.bodies[Index(c)].w += change * response->w;
    }
  }
  return std::abs(change) / row.inverse_response;
}

void Sweep(FigureSweeps& sweeps, int most) {
  const int num_rows = static_cast<int>(sweeps.rows.size());
  for (int sweep = 0; sweep < most; ++sweep) {
    double largest = 0.0;
    for (int i = 0; i < num_rows; ++i) {
      const int r = sweep % 2 == 0 ? i : num_rows - 1 - i;
      largest = std::max(largest, Relax(sweeps, sweeps.rows[Index(r)]));
    }
    if (largest < kConverged) return;
  }
}

}  // namespace

bool KickFigures(Data& data, const Pile& pile, double kick, double h) {
  const auto island_of = [&data](int n) -> Island& {
    return data.islands[Index(n)];
  };
  for (const int n : pile.islands) {
    if (!island_of(n).use_tree) return false;
  }
  for (const int n : pile.islands) {
    if (!island_of(n).tree.BeginKick(data, island_of(n), kick, h)) return false;
  }
  // Where the states of an island do not settle two islands are solved in one
  // matrix. For more there is no exact solver to turn to: the last answer
  // counts.
  bool all_settled = true;
  const auto solved = [&all_settled](bool settled) {
    all_settled = all_settled && settled;
  };
  CollectTouched(data, pile);
  FigureSweeps& sweeps = data.contacts.figures;
  AddLoads(data, pile);
  for (const int n : pile.islands) {
    solved(island_of(n).tree.SolveRows(data, island_of(n)));
  }
  for (int pass = 0; pass < kMostPasses; ++pass) {
    double off = 0.0;
    for (TouchedBody& own : sweeps.bodies) {
      const Vec v = own.v;
      island_of(own.island).tree.Velocity(own.body, own.v, own.w);
      off = std::max(off, Dot(own.v - v, own.v - v));
    }
    if (pass > 0 && off < kSame * kSame) break;
    FindResponses(data);
    AddRows(data, pile, h);
    Sweep(sweeps, data.settings.contact.sweeps);
    std::size_t r = 0;
    for (const int t : pile.touches) {
      Touch& touch = data.contacts.touches[Index(t)];
      for (int k = 0; k < touch.num_rows; ++k) {
        touch.lambda[k] = sweeps.rows[r++].lambda;
      }
      touch.bound = touch.lambda[0];
    }
    for (const int n : pile.islands) island_of(n).tree.TakeLoadsOff();
    AddLoads(data, pile);
    for (const int n : pile.islands) {
      solved(island_of(n).tree.SolveLoaded(data, island_of(n)));
    }
  }
  for (const TouchedBody& own : sweeps.bodies) {
    sweeps.local[Index(own.body)] = -1;
  }
  constexpr std::size_t kMostInOneMatrix = 2;
  if (!all_settled && pile.islands.size() <= kMostInOneMatrix) {
    for (const int n : pile.islands) island_of(n).tree.TakeLoadsOff();
    return false;
  }
  if (!all_settled) {
    data.report.status =
        std::max(data.report.status, LcpStatus::kIterationLimit);
  }
  data.report.num_rows += static_cast<int>(sweeps.rows.size());
  for (const int n : pile.islands) {
    // The answer stands even where the joints' work could not be limited.
    island_of(n).kicked_as_tree = true;
    island_of(n).tree.EndKickAnyway(data, island_of(n), kick, h);
  }
  return true;
}

}  // namespace limber::dynamics::internal
