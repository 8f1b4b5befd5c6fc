// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "dynamics/internal/tolerances.h"
#include "dynamics/internal/world_data.h"

// Piles in which bodies hang together by joints. Each island keeps its trees,
// exact in joints, drives, limits and contacts with the ground; the contacts
// between islands are swept over,
//
//     lambda_r <- clamp(lambda_r - e_r / g_rr) ,   e_s += g_sr dlambda_r ,
//     g_sr = sum over islands of J_s R J_r^T ,   R_cb = dV_c / d impulse on b
//
// R comes from the trees' factor, and holds while no row of theirs changes its
// state; the islands are then solved with the impulses found, and if states did
// change, all is done once more. Contacts that are neither pressing nor about
// to meet stay out of it.

namespace limber::dynamics::internal {

using namespace piles;

namespace {

TreeIsland& TreeOf(Data& data, int island) {
  return *data.islands[Index(island)].tree;
}

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
  for (std::size_t i = 0; i < sweeps.bodies.size(); ++i) {
    sweeps.local[Index(sweeps.bodies[i].body)] = static_cast<int>(i);
  }
  sweeps.live.assign(pile.touches.size(), 0);
  sweeps.rows.clear();
}

void AddLoads(Data& data, const Pile& pile) {
  for (const int t : pile.touches) {
    const Touch& touch = data.contacts.touches[Index(t)];
    if (touch.lambda[0] == 0.0) continue;
    for (int side = 0; side < 2; ++side) {
      Vec f, torque;
      for (int k = 0; k < touch.num_rows; ++k) {
        Vec linear, angular;
        touch.Jacobian(k, side, linear, angular);
        f += touch.lambda[k] * linear;
        torque += touch.lambda[k] * angular;
      }
      const int b = side == 1 ? touch.body_b : touch.body_a;
      TreeOf(data, data.bodies[Index(b)].island_number).AddLoad(b, f, torque);
    }
  }
}

// Row k of a contact.
FigureRow MakeRow(Data& data, const Touch& touch, int k, double h) {
  FigureSweeps& sweeps = data.contacts.figures;
  FigureRow row;
  row.u = touch.u[k];
  const double deep = -touch.distance - data.settings.contact.slop;
  if (k == 0 && deep > 0.0) row.u = std::min(kPushOut * deep / h, kMostPush);
  row.s = touch.s[k];
  row.c = touch.c[k];
  row.lambda = touch.lambda[k];
  for (int side = 0; side < 2; ++side) {
    const int b = side == 1 ? touch.body_b : touch.body_a;
    row.body[side] = sweeps.local[Index(b)];
    const TouchedBody& own = sweeps.bodies[Index(row.body[side])];
    Vec linear, angular;
    touch.Jacobian(k, side, linear, angular);
    row.J[side] = TreeOf(data, own.island).AtReference(b, linear, angular);
  }
  return row;
}

// J V with the velocities at hand.
double RateOf(const FigureSweeps& sweeps, const FigureRow& row) {
  return row.J[0].dot(sweeps.bodies[Index(row.body[0])].velocity) +
         row.J[1].dot(sweeps.bodies[Index(row.body[1])].velocity);
}

double ErrorOf(const FigureSweeps& sweeps, const FigureRow& row,
               double lambda) {
  return RateOf(sweeps, row) - row.u + row.s * lambda;
}

// What is to be done about the rows.
struct Seen {
  double off = 0.0;   ///< From what the sweeps saw, or from being met [m/s].
  bool more = false;  ///< Contacts have become live.
};

// How far the rows are from what the sweeps saw, and contacts that took no part
// from being met; the latter become live if they are about to be.
Seen SeeRows(Data& data, const Pile& pile, double h) {
  FigureSweeps& sweeps = data.contacts.figures;
  Seen seen;
  std::size_t r = 0;
  for (std::size_t i = 0; i < pile.touches.size(); ++i) {
    const Touch& touch = data.contacts.touches[Index(pile.touches[i])];
    if (sweeps.live[i] == 0) {
      const double e = ErrorOf(sweeps, MakeRow(data, touch, 0, h), 0.0);
      seen.off = std::max(seen.off, -e);
      if (touch.lambda[0] == 0.0 && e >= kNear) continue;
      sweeps.live[i] = 1;
      seen.more = true;
      continue;
    }
    for (int k = 0; k < touch.num_rows; ++k, ++r) {
      if (touch.lambda[0] == 0.0 && k > 0) continue;
      const double e = ErrorOf(sweeps, sweeps.rows[r], touch.lambda[k]);
      seen.off = std::max(seen.off, touch.lambda[0] == 0.0
                                        ? -e
                                        : std::abs(e - sweeps.errors[r]));
    }
  }
  return seen;
}

// The rows of the live contacts, and the bodies that answer to them.
void AddRows(Data& data, const Pile& pile, double h) {
  FigureSweeps& sweeps = data.contacts.figures;
  sweeps.rows.clear();
  for (TouchedBody& own : sweeps.bodies) own.row = own.answer = -1;
  for (std::size_t i = 0; i < pile.touches.size(); ++i) {
    if (sweeps.live[i] == 0) continue;
    const Touch& touch = data.contacts.touches[Index(pile.touches[i])];
    const int normal = static_cast<int>(sweeps.rows.size());
    for (int k = 0; k < touch.num_rows; ++k) {
      const int r = normal + k;
      FigureRow& row = sweeps.rows.emplace_back(MakeRow(data, touch, k, h));
      row.normal = k == 0 ? -1 : normal;
      for (int side = 0; side < 2; ++side) {
        TouchedBody& own = sweeps.bodies[Index(row.body[side])];
        row.next[side] = own.row;
        own.row = 2 * r + side;
      }
    }
  }
}

// Impulses of the contacts, and e with the velocities at hand.
void StartRows(Data& data, const Pile& pile) {
  FigureSweeps& sweeps = data.contacts.figures;
  sweeps.errors.resize(sweeps.rows.size());
  std::size_t r = 0;
  for (std::size_t i = 0; i < pile.touches.size(); ++i) {
    if (sweeps.live[i] == 0) continue;
    const Touch& touch = data.contacts.touches[Index(pile.touches[i])];
    for (int k = 0; k < touch.num_rows; ++k, ++r) {
      FigureRow& row = sweeps.rows[r];
      row.lambda = touch.lambda[k];
      sweeps.errors[r] = ErrorOf(sweeps, row, row.lambda);
    }
  }
}

void FindResponses(Data& data) {
  FigureSweeps& sweeps = data.contacts.figures;
  sweeps.num_islands = 0;
  sweeps.answering.clear();
  TouchedIsland* current = nullptr;
  const auto solve = [&] {
    if (current == nullptr) return;
    TreeOf(data, current->island)
        .FindResponses(sweeps.nodes, current->responses);
  };
  for (std::size_t i = 0; i < sweeps.bodies.size(); ++i) {
    TouchedBody& own = sweeps.bodies[i];
    if (own.row < 0) continue;
    if (current == nullptr || current->island != own.island) {
      solve();
      if (Index(sweeps.num_islands) == sweeps.islands.size()) {
        sweeps.islands.emplace_back();
      }
      current = &sweeps.islands[Index(sweeps.num_islands++)];
      current->island = own.island;
      current->first = static_cast<int>(sweeps.answering.size());
      current->num = 0;
      sweeps.nodes.clear();
    }
    own.answer = current->num++;
    sweeps.answering.push_back(static_cast<int>(i));
    sweeps.nodes.push_back(TreeOf(data, own.island).NodeOf(own.body));
  }
  solve();
}

// g_sr of the rows s from the first to the last that row r moves.
void FindEntries(Data& data) {
  FigureSweeps& sweeps = data.contacts.figures;
  sweeps.entries.clear();
  sweeps.sums.assign(sweeps.rows.size(), 0.0);
  std::vector<int>& island_of = sweeps.reached;
  island_of.assign(sweeps.bodies.size(), -1);
  for (int n = 0; n < sweeps.num_islands; ++n) {
    const TouchedIsland& island = sweeps.islands[Index(n)];
    for (int c = 0; c < island.num; ++c) {
      island_of[Index(sweeps.answering[Index(island.first + c)])] = n;
    }
  }
  for (std::size_t r = 0; r < sweeps.rows.size(); ++r) {
    FigureRow& row = sweeps.rows[r];
    row.first_entry = static_cast<int>(sweeps.entries.size());
    for (int side = 0; side < 2; ++side) {
      const TouchedBody& b = sweeps.bodies[Index(row.body[side])];
      const TouchedIsland& island =
          sweeps.islands[Index(island_of[Index(row.body[side])])];
      for (int c = 0; c < island.num; ++c) {
        const Vector6 change =
            island.responses[Index(c * island.num + b.answer)] * row.J[side];
        const TouchedBody& other =
            sweeps.bodies[Index(sweeps.answering[Index(island.first + c)])];
        for (int at = other.row; at >= 0;) {
          const FigureRow& moved = sweeps.rows[Index(at / 2)];
          sweeps.sums[Index(at / 2)] += moved.J[at % 2].dot(change);
          at = moved.next[at % 2];
        }
      }
    }
    sweeps.sums[r] += row.s;
    row.inverse_response = 1.0 / sweeps.sums[r];
    std::size_t first = 0;
    std::size_t end = sweeps.rows.size();
    while (sweeps.sums[first] == 0.0) ++first;
    while (sweeps.sums[end - 1] == 0.0) --end;
    const auto sum = sweeps.sums.begin();
    sweeps.entries.insert(sweeps.entries.end(), sum + first, sum + end);
    std::fill(sum + first, sum + end, 0.0);
    row.first_moved = static_cast<int>(first);
    row.num_entries = static_cast<int>(end - first);
  }
}

// Returns the change of speed that row r asked for.
double Relax(FigureSweeps& sweeps, int r) {
  FigureRow& row = sweeps.rows[Index(r)];
  double next = row.lambda - sweeps.errors[Index(r)] * row.inverse_response;
  if (row.normal < 0) {
    next = std::max(0.0, next);
  } else {
    const double bound = row.c * sweeps.rows[Index(row.normal)].lambda;
    next = std::clamp(next, -bound, bound);
  }
  const double change = next - row.lambda;
  if (change == 0.0) return 0.0;
  row.lambda = next;
  const double* g = sweeps.entries.data() + row.first_entry;
  double* e = sweeps.errors.data() + row.first_moved;
  for (int i = 0; i < row.num_entries; ++i) e[i] += change * g[i];
  return std::abs(change) / row.inverse_response;
}

void Sweep(FigureSweeps& sweeps, int most) {
  const int num_rows = static_cast<int>(sweeps.rows.size());
  for (int sweep = 0; sweep < most; ++sweep) {
    double largest = 0.0;
    for (int i = 0; i < num_rows; ++i) {
      const int r = sweep % 2 == 0 ? i : num_rows - 1 - i;
      largest = std::max(largest, Relax(sweeps, r));
    }
    if (largest < kConverged) return;
  }
}

// Impulses of the rows to their contacts, by a share of the way; marks the
// islands they changed for.
void StoreRows(Data& data, const Pile& pile, double share) {
  FigureSweeps& sweeps = data.contacts.figures;
  std::size_t r = 0;
  for (std::size_t i = 0; i < pile.touches.size(); ++i) {
    if (sweeps.live[i] == 0) continue;
    Touch& touch = data.contacts.touches[Index(pile.touches[i])];
    bool changed = false;
    for (int k = 0; k < touch.num_rows; ++k, ++r) {
      const double change = sweeps.rows[r].lambda - touch.lambda[k];
      changed = changed || change != 0.0;
      touch.lambda[k] += share * change;
    }
    touch.bound = touch.lambda[0];
    if (!changed) continue;
    for (const int b : {touch.body_a, touch.body_b}) {
      data.islands[Index(data.bodies[Index(b)].island_number)].reloaded = true;
    }
  }
}

void ReadVelocities(Data& data) {
  for (TouchedBody& own : data.contacts.figures.bodies) {
    own.velocity = TreeOf(data, own.island).Velocity(own.body);
  }
}

// How far rows may be off. The faster a pile, the sooner all is different.
double SameSpeed(const FigureSweeps& sweeps) {
  double squares = 0.0;
  for (const TouchedBody& own : sweeps.bodies) {
    squares += own.velocity.head<3>().squaredNorm();
  }
  const double mean =
      std::sqrt(squares / static_cast<double>(sweeps.bodies.size()));
  return std::clamp(kSameShare * mean, kSame, kMostSame);
}

bool SolveLoads(Data& data, const Pile& pile, bool all) {
  bool solved = true;
  for (const int n : pile.islands) {
    data.islands[Index(n)].tree->TakeLoadsOff();
  }
  AddLoads(data, pile);
  for (const int n : pile.islands) {
    Island& island = data.islands[Index(n)];
    // What no impulse has changed for is solved already.
    if (!all && !island.reloaded) continue;
    solved = island.tree->SolveLoaded(data, island, island.reloaded) && solved;
  }
  return solved;
}

// Whether the contacts do more work than their targets ask for. The sweeps see
// the islands as linear; where a light body is caught between heavy ones the
// impulses may be far off.
bool GivesEnergy(const Data& data, const Pile& pile) {
  const FigureSweeps& sweeps = data.contacts.figures;
  double work = 0.0;
  std::size_t r = 0;
  for (std::size_t i = 0; i < pile.touches.size(); ++i) {
    if (sweeps.live[i] == 0) continue;
    const Touch& touch = data.contacts.touches[Index(pile.touches[i])];
    // Rows may be off by as much as the passes allow.
    work -= kSame * touch.lambda[0];
    for (int k = 0; k < touch.num_rows; ++k, ++r) {
      const FigureRow& row = sweeps.rows[r];
      work += touch.lambda[k] * RateOf(sweeps, row) -
              std::max(0.0, touch.lambda[k] * row.u);
    }
  }
  if (work <= 0.0) return false;
  double energy = 0.0;
  for (const int n : pile.islands) {
    energy += data.islands[Index(n)].tree->kinetic_energy();
  }
  return work > kMostWork * energy;
}

bool IsPassive(const Data& data, const Pile& pile) {
  return std::all_of(pile.islands.begin(), pile.islands.end(), [&](int n) {
    return data.islands[Index(n)].tree->passive();
  });
}

// Takes back what would give energy. Beside motors states are solved for
// exactly, and the impulses fit unless the passes have `diverged`.
bool LimitLoads(Data& data, const Pile& pile, bool diverged) {
  bool solved = true;
  if (!diverged && !IsPassive(data, pile)) return true;
  for (int i = 0; i <= kMostHalvings; ++i) {
    ReadVelocities(data);
    if (!GivesEnergy(data, pile)) break;
    for (const int t : pile.touches) {
      Touch& touch = data.contacts.touches[Index(t)];
      for (double& lambda : touch.lambda) {
        lambda *= i < kMostHalvings ? 0.5 : 0.0;
      }
      touch.bound = touch.lambda[0];
    }
    for (const int n : pile.islands) data.islands[Index(n)].reloaded = true;
    solved = SolveLoads(data, pile, true) && solved;
  }
  return solved;
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
    if (!island_of(n).tree->BeginKick(data, island_of(n), kick, h))
      return false;
  }
  // Where the states of an island or the passes do not settle two islands are
  // solved in one matrix. For more there is no exact solver to turn to: the
  // last answer counts.
  bool all_settled = true;
  CollectTouched(data, pile);
  FigureSweeps& sweeps = data.contacts.figures;
  AddLoads(data, pile);
  for (const int n : pile.islands) {
    all_settled =
        island_of(n).tree->SolveRows(data, island_of(n)) && all_settled;
  }
  bool diverged = false;
  for (int pass = 0;; ++pass) {
    ReadVelocities(data);
    const Seen seen = SeeRows(data, pile, h);
    if (seen.more) AddRows(data, pile, h);
    if (pass > 0 && seen.off < SameSpeed(sweeps)) break;
    if (pass >= kMostPasses && seen.off < kFar) break;
    if (pass == kMostHardPasses) {
      diverged = !IsPassive(data, pile);
      break;
    }
    StartRows(data, pile);
    FindResponses(data);
    FindEntries(data);
    Sweep(sweeps, kMoreSweeps * data.settings.contact.sweeps);
    for (const int n : pile.islands) island_of(n).reloaded = false;
    StoreRows(data, pile, pass < kMostPasses ? 1.0 : 0.5);
    all_settled = SolveLoads(data, pile, pass == 0) && all_settled;
  }
  all_settled = LimitLoads(data, pile, diverged) && all_settled && !diverged;
  for (const int n : pile.islands) {
    all_settled = island_of(n).tree->LookAgain(data, island_of(n), kick, h) &&
                  all_settled;
  }
  for (const TouchedBody& own : sweeps.bodies) {
    sweeps.local[Index(own.body)] = -1;
  }
  constexpr std::size_t kMostInOneMatrix = 2;
  if (!all_settled && pile.islands.size() <= kMostInOneMatrix) {
    for (const int n : pile.islands) island_of(n).tree->TakeLoadsOff();
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
    island_of(n).tree->EndKickAnyway(data, island_of(n), kick, h);
  }
  return true;
}

}  // namespace limber::dynamics::internal
