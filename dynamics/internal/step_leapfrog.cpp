// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "dynamics/internal/body_refresh.h"
#include "dynamics/internal/drive_friction.h"
#include "dynamics/internal/island_pool.h"
#include "dynamics/internal/leapfrog.h"

// The leapfrog with work-free joints. State: poses at t, velocities at t - h/2.
//
//   kick    V+ = V- + W (h f + J^T lambda), the rows with targets
//             joint           C'+ = -C'- + gamma/2 (C'- + C'+ of the last step)
//             position-like   C'+ from the error that free drift would leave
//   drift   p += h v,  q = flow(q, L, h)
//   close   p, q += W J^T y with J W J^T y = -C: gaps only, no velocity
//
// The joints then do the work lambda . (C'- + C'+) / 2, which the filter keeps
// near zero from below; what it would add is held back by the island's energy
// bank. docs/dynamics.md, section "Leapfrog".

namespace limber::dynamics::internal {

namespace {

// Where a body whose motion is given will be.
BodyMotion PredictMotion(const Body& body, const BodyMotion& now, double h) {
  BodyMotion motion;
  motion.q_WB = now.q_WB;
  motion.p_WC = body.p_WC;
  if (body.kind == BodyKind::kKinematic && !body.removed) {
    motion.q_WB = ExpRotation(h * body.w) * motion.q_WB;
    motion.p_WC += h * body.v;
  }
  motion.v_WC = body.v;
  motion.w_WB = body.w;
  motion.R_WB = motion.q_WB.toRotationMatrix();
  motion.p_WB = motion.p_WC - motion.R_WB * body.mass.p_BC;
  return motion;
}

// Fixed and kinematic bodies at the end of the step, and now. Fixed ones are
// not written for nothing: they lie among what other threads read and write.
void PredictGiven(Data& data, double h) {
  data.predicted.resize(data.bodies.size());
  data.at_kick.resize(data.bodies.size());
  if (!data.shared.fixed_placed || data.any_kinematic) {
    for (const int b : data.given) {
      const Body& body = data.bodies[Index(b)];
      data.at_kick[Index(b)] = InstantOf(body);
      data.predicted[Index(b)] = PredictMotion(body, data.motions[Index(b)], h);
    }
    data.shared.fixed_placed = true;
  }
  if (data.num_asleep == 0) return;
  for (int n = 0; n < data.num_islands; ++n) {
    const Island& island = data.islands[Index(n)];
    if (!island.asleep) continue;
    for (const int b : island.bodies) {
      data.at_kick[Index(b)] = InstantOf(data.bodies[Index(b)]);
      data.predicted[Index(b)] = data.motions[Index(b)];
    }
  }
}

}  // namespace

double LargestShare(double w0, double linear, double quadratic,
                    double allowed) {
  constexpr int kParts = 64;
  for (int k = kParts; k > 0; --k) {
    const double share = static_cast<double>(k) / kParts;
    if (w0 + share * (linear + share * quadratic) <= allowed) return share;
  }
  return 0.0;
}

RowTarget LeapfrogTarget(const RowBuffer::Row& row, double speed,
                         double coasting, const double* predicted, double spin2,
                         double kick, double h) {
  using Policy = Stabilisation::Policy;
  const RowSettings& settings = row.settings;
  RowTarget target = TargetOf(row, speed + row.rate_bias, coasting, h);
  const double k = settings.stabilisation.stiffness;
  const double d = settings.stabilisation.damping;
  const double d_end = settings.stabilisation.end_damping;
  if (settings.stabilisation.springy() && h * k + d + d_end <= 0.0) {
    return target;
  }
  target.lo = settings.lo * kick;
  target.hi = settings.hi * kick;
  if (settings.stabilisation.policy == Policy::kMeanSpring) {
    // f = -k (C + (h C'+ - last h C'-)/4) - d (C'- + C'+)/2 - d_end C'+
    const double last_h = 2.0 * kick - h;
    const double D = 0.25 * h * k + 0.5 * d + d_end;
    target.softness = settings.softness + 1.0 / (kick * D);
    target.u = -(k * row.error +
                 (0.5 * d - 0.25 * last_h * k) * (speed + row.rate_bias)) /
                   D -
               row.rate_bias;
    return target;
  }
  if (predicted == nullptr) return target;
  // C(t + h) = Ce + h J V+
  const double Ce = *predicted - h * speed;
  const double C = row.error;
  switch (settings.stabilisation.policy) {
    case Policy::kDefault:
    case Policy::kImplicit: {
      if (settings.stabilisation.policy == Policy::kDefault &&
          IsOneSided(settings)) {
        target.u = OneSidedTarget(C, Ce, settings.hi > 0.0, h);
        break;
      }
      const double most = ShareOfSpin(spin2, h) *
                          (settings.angular ? kMostTurn : kMaxClosing) / h;
      target.u = std::clamp(-Ce / h, -most, most);
      break;
    }
    case Policy::kSpring:
      target.u = -(k * Ce + d * row.rate_bias + d_end * (Ce - C) / h) /
                 (h * k + d + d_end);
      break;
    default:
      break;
  }
  return target;
}

bool FindSpringGap(const Constraint& constraint, std::size_t i,
                   const RowBuffer::Row& row, double h, SpringGap& gap) {
  const Stabilisation& spring = row.settings.stabilisation;
  const double k = spring.stiffness;
  const double d = spring.end_damping;
  const std::span<const double> impulses = constraint.impulses();
  if (spring.policy != Stabilisation::Policy::kSpring || h * k + d <= 0.0 ||
      spring.damping > 0.0 || i >= impulses.size()) {
    return false;
  }
  // f = -k C - d (C - start)/h
  const double f = impulses[i] / h;
  gap.gap = row.error - (d * row.start - h * f) / (h * k + d);
  gap.softness = row.settings.softness + 1.0 / (h * (h * k + d));
  return true;
}

namespace {

// The square of the largest relative spin among the bodies of row r.
double SpinSquared(const Data& data, int r) {
  const std::span<const RowBuffer::Entry> entries = data.rows.entries(r);
  const auto spin_of = [&data](const RowBuffer::Entry& entry) -> Vector3 {
    return data.motions[Index(entry.body)].w_WB;
  };
  if (entries.empty()) return 0.0;
  const Vector3 first = spin_of(entries[0]);
  if (entries.size() == 1) return first.squaredNorm();
  double largest = 0.0;
  for (const RowBuffer::Entry& entry : entries) {
    largest = std::max(largest, (spin_of(entry) - first).squaredNorm());
  }
  return largest;
}

// The square of the largest spin among the bodies of row r.
double LargestSpinSquared(const Data& data, int r) {
  double largest = 0.0;
  for (const RowBuffer::Entry& entry : data.rows.entries(r)) {
    const Vector3& w = data.motions[Index(entry.body)].w_WB;
    largest = std::max(largest, w.squaredNorm());
  }
  return largest;
}

}  // namespace

void SetLeapfrogTargets(Data& data, const Constraint& constraint, int first,
                        int count, std::span<const double> last_rates,
                        double kick, double h, bool joints_alone) {
  using Policy = Stabilisation::Policy;
  // Errors at the end of the step, if something here asks for them.
  bool wants_prediction = false;
  for (int r = first; r < first + count; ++r) {
    const RowBuffer::Row& row = data.rows.row(r);
    const Policy policy = row.settings.stabilisation.policy;
    wants_prediction =
        wants_prediction ||
        (!IsHardJointRow(row) && policy != Policy::kNone &&
         policy != Policy::kBaumgarte && policy != Policy::kCriticallyDamped &&
         policy != Policy::kMeanSpring);
  }
  data.predicted_rows.Clear();
  if (wants_prediction) {
    constraint.AddRows(data.predicted, data.time + h, data.predicted_rows);
  }
  const bool has_prediction =
      wants_prediction && data.predicted_rows.size() == count;
  const bool has_history = last_rates.size() == Index(count);
  for (int i = 0; i < count; ++i) {
    const int r = first + i;
    const RowBuffer::Row& row = data.rows.row(r);
    const double speed = data.rows.Speed(r, data.motions);
    RowTarget& target = data.targets[Index(r)];
    if (IsHardJointRow(row)) {
      const double rate = speed + row.rate_bias;
      target = {-row.rate_bias, 0.0, -kInfinity, kInfinity};
      if (has_history) {
        target.u +=
            ShareOfMirror(LargestSpinSquared(data, r), h, joints_alone) *
            (-rate + 0.5 * kFilter * (rate + last_rates[Index(i)]));
      }
      continue;
    }
    const double error =
        has_prediction ? data.predicted_rows.row(i).error : 0.0;
    const Policy policy = row.settings.stabilisation.policy;
    const bool coasts =
        policy == Policy::kBaumgarte || policy == Policy::kCriticallyDamped;
    target = LeapfrogTarget(
        row, speed, coasts ? CoastingAcceleration(data, r) : 0.0,
        has_prediction ? &error : nullptr, SpinSquared(data, r), kick, h);
  }
  AddFrictionToRows(data, constraint, first, count, kick);
}

namespace {

// The poses of the kick, to which its mean velocities will belong. Trees do it
// themselves.
void KeepPoses(Data& data, const Island& island) {
  for (const int b : island.bodies) {
    data.at_kick[Index(b)] = InstantOf(data.bodies[Index(b)]);
  }
}

// The trees of an island; a lone body's are those of the work space.
TreeIsland& TreeOf(Data& data, Island& island) {
  return island.tree ? *island.tree : data.lone_tree;
}

// Whether the kick is in the work space, so that the drift has to follow.
bool UsesWorkSpace(const Island& island) {
  return island.kicked_as_tree && !island.tree;
}

// What the kick of an island by its trees has to know before.
void PredictTree(Data& data, TreeIsland& tree, double h) {
  using Prediction = TreeIsland::Prediction;
  const Prediction prediction = tree.ReadDrives();
  if (prediction != Prediction::kNone) {
    tree.Predict(data, h, prediction == Prediction::kRotations);
  }
}

void KickIsland(Data& data, Island& island, double kick, double h) {
  data.rows.Clear();
  island.kicked_as_tree = false;
  if (island.use_tree) {
    TreeIsland& tree = TreeOf(data, island);
    if (!island.tree) tree.BuildLone(data, island.bodies.front());
    PredictTree(data, tree, h);
    island.kicked_as_tree = tree.Kick(data, island, kick, h);
  }
  if (!island.kicked_as_tree) {
    KeepPoses(data, island);
    KickDense(data, island, kick, h);
  }
  FinishContacts(data, island.touches, h);
}

void DriftIsland(Data& data, Island& island, double h) {
  if (island.kicked_as_tree) {
    TreeOf(data, island).DriftAndClose(data, island, h);
  } else {
    DriftBodies(data, island.bodies, h);
    CloseAll(data, island, Closes::kJointsAndSprings, h);
  }
  AfterStep(data, island.constraints);
}

// A pile as one island.
Island& Merge(Data& data, const Pile& pile) {
  Island& all = data.merged_island;
  all.bodies.clear();
  all.constraints.clear();
  all.touches = pile.touches;
  all.elastic.clear();
  for (const int n : pile.islands) {
    const Island& part = data.islands[Index(n)];
    all.bodies.insert(all.bodies.end(), part.bodies.begin(), part.bodies.end());
    all.constraints.insert(all.constraints.end(), part.constraints.begin(),
                           part.constraints.end());
    all.touches.insert(all.touches.end(), part.touches.begin(),
                       part.touches.end());
    all.elastic.insert(all.elastic.end(), part.elastic.begin(),
                       part.elastic.end());
  }
  return all;
}

// How a pile is kicked: free bodies by their blocks, islands with joints by
// their trees, and what suits neither, or is to be the reference, in one
// matrix.
void KickAny(Data& data, Pile& pile, double kick, double h) {
  bool free = true;
  for (const int n : pile.islands) {
    free = free && data.islands[Index(n)].constraints.empty();
  }
  using Method = Pile::Method;
  pile.method = Method::kDense;
  if (free && data.settings.solver != SolverKind::kDense) {
    pile.method = Method::kFree;
    KickPile(data, pile, kick, h);
    return;
  }
  if (!free && data.settings.solver != SolverKind::kDense) {
    for (const int n : pile.islands) {
      Island& island = data.islands[Index(n)];
      if (!island.use_tree) continue;
      if (!island.tree) {
        island.tree = std::make_unique<TreeIsland>();
        island.tree->BuildLone(data, island.bodies.front());
      }
      PredictTree(data, *island.tree, h);
    }
    if (KickFigures(data, pile, kick, h)) {
      pile.method = Method::kFigures;
      return;
    }
  }
  Island& all = Merge(data, pile);
  KickDense(data, all, kick, h);
  pile.free = all.free;
}

}  // namespace

void StepLeapfrog(Data& data, double h) {
  const double kick = 0.5 * (data.last_h + h);
  const double start = data.time;
  const double end = start + h;
  CollectForces(data, h);
  DetectContacts(data, h);
  GroupContacts(data);
  data.report.num_contacts = static_cast<int>(data.contacts.touches.size());
  if (!data.contacts.touches.empty()) {
    PrepareContacts(data, kick, h);
    Bounce(data, kick, h);
  }
  PredictGiven(data, h);
  data.given_known = false;
  data.energy_bank.resize(data.bodies.size(), 0.0);
  data.given_energy.resize(data.bodies.size(), 0.0);

  // An island goes through the whole step at once, while the caches have it,
  // unless something that all see moves between kick and drift: a lone body
  // does not look at it.
  const bool at_once = !data.any_kinematic;
  ForEachIsland(data, [=](Data& work, Island& island) {
    work.time = start;
    KickIsland(work, island, kick, h);
    if (!at_once && !UsesWorkSpace(island)) return;
    work.time = end;
    DriftIsland(work, island, h);
  });
  data.time = start;
  data.rows.Clear();
  for (int k = 0; k < data.contacts.num_piles; ++k) {
    Pile& pile = data.contacts.piles[Index(k)];
    for (const int n : pile.islands) {
      KeepPoses(data, data.islands[Index(n)]);
    }
    KickAny(data, pile, kick, h);
    FinishContacts(data, pile.touches, h);
    for (const int n : pile.islands) {
      FinishContacts(data, data.islands[Index(n)].touches, h);
    }
  }
  data.has_at_kick = true;

  DriftGiven(data, h);
  data.time = end;
  if (!at_once) {
    ForEachIsland(data, [h](Data& work, Island& island) {
      if (!UsesWorkSpace(island)) DriftIsland(work, island, h);
    });
  }
  for (int k = 0; k < data.contacts.num_piles; ++k) {
    Pile& pile = data.contacts.piles[Index(k)];
    if (pile.method == Pile::Method::kFigures) {
      for (const int n : pile.islands) {
        Island& island = data.islands[Index(n)];
        if (!island.asleep) island.tree->DriftAndClose(data, island, h);
      }
      continue;
    }
    for (const int n : pile.islands) {
      const Island& island = data.islands[Index(n)];
      if (!island.asleep) DriftBodies(data, island.bodies, h);
    }
    if (pile.method == Pile::Method::kFree) {
      ClosePile(data, pile);
    } else {
      Island& all = Merge(data, pile);
      all.free = pile.free;
      CloseAll(data, all, Closes::kJointsAndSprings, h);
    }
  }
  ForEachOtherIsland(data, [](Data& work, const Island& island) {
    AfterStep(work, island.constraints);
  });
  data.time = start;
  FallAsleep(data, h);
  for (int n = 0; n < data.num_islands && data.contacts.grouped; ++n) {
    data.islands[Index(n)].touches.clear();
  }
}

}  // namespace limber::dynamics::internal
