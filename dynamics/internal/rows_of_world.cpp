// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/index.h"
#include "dynamics/internal/island_pool.h"
#include "dynamics/internal/tolerances.h"
#include "dynamics/internal/world_data.h"

namespace limber::dynamics::internal {

namespace {

// Root of body `i` in the forest of merged bodies, which lies in Body::island.
int RootOf(std::vector<Body>& bodies, int i) {
  while (bodies[Index(i)].island != i) {
    int& next = bodies[Index(i)].island;
    next = bodies[Index(next)].island;
    i = next;
  }
  return i;
}

// Whether the islands are still the right ones and all settings are good. Each
// thread looks at the constraints of its own islands, which nobody else needs
// to have in his cache.
bool NothingNew(Data& data) {
  if (!data.islands_known) return false;
  std::atomic<bool> nothing_new = true;
  const auto look_at = [&](std::span<const int> constraints) {
    try {
      for (const int k : constraints) {
        const Constraint& constraint = *data.constraints[Index(k)];
        const bool enabled = constraint.enabled();
        if (enabled != (data.enabled_then[Index(k)] != 0)) nothing_new = false;
        if (enabled) constraint.CheckSettings();
      }
    } catch (const std::exception&) {
      nothing_new = false;
    }
  };
  const auto look = [look_at](const Data&, Island& island) {
    island.factorisations = island.solves = 0;
    look_at(island.constraints);
  };
  ForEachIsland(data, look);
  ForEachOtherIsland(data, look);
  look_at(data.other_constraints);
  return nothing_new;
}

}  // namespace

void FindIslands(Data& data) {
  if (NothingNew(data)) return;
  for (const auto& constraint : data.constraints) {
    if (constraint->enabled()) constraint->CheckSettings();
  }
  for (Island& island : data.islands) island.factorisations = island.solves = 0;
  bool same =
      data.islands_known && data.enabled_then.size() == data.constraints.size();
  data.enabled_then.resize(data.constraints.size());
  for (std::size_t k = 0; k < data.constraints.size(); ++k) {
    const char enabled = data.constraints[k]->enabled();
    if (data.islands_known && enabled != data.enabled_then[k]) {
      for (const BodyId body : data.constraints[k]->bodies()) {
        WakeGroup(data, body.value);
      }
    }
    same = same && enabled == data.enabled_then[k];
    data.enabled_then[k] = enabled;
  }
  if (same) return;
  data.islands_known = true;

  std::vector<Body>& bodies = data.bodies;
  const int num_bodies = static_cast<int>(bodies.size());
  for (int i = 0; i < num_bodies; ++i) bodies[Index(i)].island = i;

  // Merge the dynamic bodies of each constraint; the smallest index is root.
  for (const auto& constraint : data.constraints) {
    if (!constraint->enabled()) continue;
    int first = -1;
    for (const BodyId body : constraint->bodies()) {
      if (!bodies[Index(body.value)].dynamic()) continue;
      const int root = RootOf(bodies, body.value);
      if (first < 0) {
        first = root;
        continue;
      }
      const int low = std::min(first, root);
      bodies[Index(std::max(first, root))].island = low;
      first = low;
    }
  }

  // Number the islands in the order of their first bodies.
  data.island_of_root.assign(Index(num_bodies), -1);
  data.num_islands = 0;
  int num_roots = 0;
  for (int i = 0; i < num_bodies; ++i) {
    num_roots += bodies[Index(i)].dynamic() && RootOf(bodies, i) == i;
  }
  data.islands.reserve(Index(num_roots));
  for (int i = 0; i < num_bodies; ++i) {
    if (!bodies[Index(i)].dynamic()) continue;
    const int root = RootOf(bodies, i);
    int& island = data.island_of_root[Index(root)];
    if (island < 0) {
      island = data.num_islands++;
      if (Index(island) == data.islands.size()) data.islands.emplace_back();
      data.islands[Index(island)].bodies.clear();
      data.islands[Index(island)].constraints.clear();
      data.islands[Index(island)].touches.clear();
      data.islands[Index(island)].asleep = false;
      data.islands[Index(island)].pile = -1;
    }
    data.islands[Index(island)].bodies.push_back(i);
    bodies[Index(i)].island_number = island;
  }
  data.other_constraints.clear();
  for (int k = 0; k < static_cast<int>(data.constraints.size()); ++k) {
    const Constraint& constraint = *data.constraints[Index(k)];
    const std::span<const BodyId> held = constraint.bodies();
    const auto body = std::ranges::find_if(
        held, [&](BodyId b) { return bodies[Index(b.value)].dynamic(); });
    if (!constraint.enabled() || body == held.end()) {
      data.other_constraints.push_back(k);
      continue;
    }
    const int island = data.island_of_root[Index(RootOf(bodies, body->value))];
    data.islands[Index(island)].constraints.push_back(k);
  }
  data.given.clear();
  data.any_kinematic = data.shared.fixed_placed = false;
  for (int i = 0; i < num_bodies; ++i) {
    const Body& body = bodies[Index(i)];
    if (body.dynamic()) continue;
    data.given.push_back(i);
    data.any_kinematic = data.any_kinematic ||
                         (body.kind == BodyKind::kKinematic && !body.removed);
  }
  data.island_weights.resize(Index(data.num_islands));
  for (int n = 0; n < data.num_islands; ++n) {
    data.island_weights[Index(n)] =
        static_cast<int>(data.islands[Index(n)].bodies.size());
  }
  data.row_range.assign(data.constraints.size(), {0, 0});
  const SolverKind solver = data.settings.solver;
  for (int n = 0; n < data.num_islands; ++n) {
    Island& island = data.islands[Index(n)];
    const bool allowed =
        solver == SolverKind::kAutomatic || solver == SolverKind::kTree;
    if (island.bodies.size() == 1 && island.constraints.empty()) {
      island.tree.reset();
      island.elastic.clear();
      const Body& body = bodies[Index(island.bodies.front())];
      island.use_tree = allowed && !body.flow.is_one_dimensional();
      continue;
    }
    island.elastic.clear();
    auto elastic = std::make_unique<ElasticIsland>();
    if (elastic->Build(data, island)) {
      // Nodes are held by blocks of a matrix and not by joints.
      island.own_elastic = std::move(elastic);
      island.elastic.push_back(island.own_elastic.get());
      island.tree.reset();
      island.use_tree = false;
      continue;
    }
    if (!island.tree) island.tree = std::make_unique<TreeIsland>();
    island.use_tree = island.tree->Build(data, island) && allowed;
  }
}

void AfterStep(Data& data, std::span<const int> constraints) {
  for (const int k : constraints) {
    Constraint& constraint = *data.constraints[Index(k)];
    if (!constraint.enabled()) {
      ConstraintAccess::impulses(constraint).clear();
      ConstraintAccess::last_rates(constraint).clear();
      continue;
    }
    constraint.AfterStep(data.motions, data.time);
    data.breakable = data.breakable || constraint.max_force() < kInfinity ||
                     constraint.max_torque() < kInfinity;
  }
}

void AddIslandRows(Data& data, Island& island) {
  island.first_row = data.rows.size();
  for (const int k : island.constraints) {
    const int first = data.rows.size();
    data.constraints[Index(k)]->AddRows(data.motions, data.time, data.rows);
    data.row_range[Index(k)] = {first, data.rows.size() - first};
  }
  AddContactRows(data, island);
  island.num_rows = data.rows.size() - island.first_row;
  if (data.targets.size() < Index(data.rows.size())) {
    data.targets.resize(Index(data.rows.size()));
  }
}

bool IsOneSided(const RowSettings& settings) {
  return (settings.lo >= 0.0 && settings.hi > 0.0) ||
         (settings.hi <= 0.0 && settings.lo < 0.0);
}

bool IsHardJointRow(const RowBuffer::Row& row) {
  const RowSettings& settings = row.settings;
  return settings.stabilisation.policy == Stabilisation::Policy::kDefault &&
         settings.softness == 0.0 && settings.lo == -kInfinity &&
         settings.hi == kInfinity && row.normal_row < 0;
}

double CoastingAcceleration(const Data& data, int r) {
  double acceleration = data.rows.row(r).acceleration_bias;
  for (const RowBuffer::Entry& entry : data.rows.entries(r)) {
    const Body& body = data.bodies[Index(entry.body)];
    if (!body.dynamic()) continue;
    // I w' = -w x L
    acceleration -=
        entry.angular.dot(body.inverse_inertia_W * body.w.cross(body.L));
  }
  return acceleration;
}

RowTarget TargetOf(const RowBuffer::Row& row, double rate, double coasting,
                   double h) {
  using Policy = Stabilisation::Policy;
  const RowSettings& settings = row.settings;
  const Stabilisation& policy = settings.stabilisation;
  const double C = row.error;
  RowTarget target;
  target.softness = settings.softness;
  target.lo = settings.lo * h;
  target.hi = settings.hi * h;
  double wanted_rate = 0.0;  // C' after the step
  switch (policy.policy) {
    case Policy::kNone:
      break;
    case Policy::kDefault: {
      // A violated one-sided row is pushed out by a fifth of the error a step;
      // one with room left may use the room up, not more.
      const bool violated =
          IsOneSided(settings) && (settings.hi > 0.0 ? C < 0.0 : C > 0.0);
      wanted_rate = -(violated ? kPushOut : 1.0) * C / h;
      break;
    }
    case Policy::kImplicit:
      wanted_rate = -C / h;
      break;
    case Policy::kBaumgarte:
      // With beta, the acceleration-level law over the step: C'+ = C' + h C''.
      wanted_rate = policy.beta == 0.0
                        ? -policy.alpha * C
                        : rate + h * (-2.0 * policy.alpha * rate -
                                      policy.beta * policy.beta * C - coasting);
      break;
    case Policy::kCriticallyDamped: {
      const double ratio = 1.0 + h / policy.tau;
      // What is wanted after the drift, less what the drift adds by itself.
      wanted_rate =
          (rate - h * C / (policy.tau * policy.tau)) / (ratio * ratio) -
          h * coasting;
      break;
    }
    case Policy::kSpring:
    case Policy::kMeanSpring: {
      const double hk_d =
          h * policy.stiffness + policy.damping + policy.end_damping;
      if (hk_d <= 0.0) {
        target.lo = target.hi = 0.0;
        break;
      }
      // f = -k (C + h C'+) - d (C'+ + rate_bias - rate_bias): the damper works
      // on C' itself, whose bias holds the target speed.
      wanted_rate = -policy.stiffness * C / hk_d;
      target.softness += 1.0 / (h * hk_d);
      break;
    }
  }
  target.u = wanted_rate - row.rate_bias;
  return target;
}

namespace {

// The report names the island that needed most in the whole step.
void CountSolve(Data& data, Island& island, int factorisations, int solves) {
  island.factorisations += factorisations;
  island.solves += solves;
  StepReport& report = data.report;
  report.factorisations =
      std::max(report.factorisations, island.factorisations);
  report.solves = std::max(report.solves, island.solves);
}

// Projected Gauss-Seidel on the rows of one island, without a matrix: each row
// in turn takes the impulse that meets it, within its bounds,
//
//     lambda <- clamp(lambda - e / k, lo, hi) ,   k = J W J^T + s
//
// and passes the change on to its bodies. Starts from the last impulses.
void SolveByGaussSeidel(Data& data, Island& island,
                        const std::vector<Twist>& free_motion, bool tension,
                        std::vector<Twist>& change) {
  const int m = island.num_rows;
  if (data.lambda.size() < m) data.lambda.resize(m);
  if (data.c.size() < m) data.c.resize(m);
  for (const int b : island.bodies) change[Index(b)] = Twist{};
  const auto inertia = [&](int b) -> const Matrix3& {
    const Body& body = data.bodies[Index(b)];
    return tension ? body.step_inverse_inertia_W : body.inverse_inertia_W;
  };
  const auto apply = [&](int r, double impulse) {
    for (const RowBuffer::Entry& entry : data.rows.entries(r)) {
      const Body& body = data.bodies[Index(entry.body)];
      if (!body.dynamic()) continue;
      change[Index(entry.body)].linear +=
          (impulse * body.inverse_mass) * entry.linear;
      change[Index(entry.body)].angular +=
          inertia(entry.body) * (impulse * entry.angular);
    }
  };
  const auto start_row = [&](int r, double start) {
    const RowTarget& target = data.targets[Index(r)];
    const double lambda = std::clamp(start, target.lo, target.hi);
    data.lambda[r - island.first_row] = lambda;
    if (lambda != 0.0) apply(r, lambda);
    double k_row = target.softness;
    for (const RowBuffer::Entry& entry : data.rows.entries(r)) {
      const Body& body = data.bodies[Index(entry.body)];
      if (!body.dynamic()) continue;
      k_row += body.inverse_mass * entry.linear.squaredNorm() +
               entry.angular.dot(inertia(entry.body) * entry.angular);
    }
    data.c[r - island.first_row] = k_row;
  };
  for (const int k : island.constraints) {
    const auto [first, count] = data.row_range[Index(k)];
    const std::span<const double> last = data.constraints[Index(k)]->impulses();
    const bool warm = !data.closing && last.size() == Index(count);
    for (int i = 0; i < count; ++i) {
      start_row(first + i, warm ? last[Index(i)] : 0.0);
    }
  }
  int next = island.first_contact_row;
  for (const int t : island.touches) {
    const Touch& touch = data.contacts.touches[Index(t)];
    for (int k = 0; k < touch.num_rows; ++k) {
      start_row(next++, data.closing ? 0.0 : touch.lambda[k]);
    }
  }
  double residual = 0.0;
  const int sweeps = data.settings.gauss_seidel_sweeps;
  for (int sweep = 0; sweep <= sweeps; ++sweep) {
    for (int i = 0; i < m; ++i) {
      const int r = island.first_row + i;
      const RowBuffer::Row& row = data.rows.row(r);
      const RowTarget& target = data.targets[Index(r)];
      const double k = data.c[i];
      if (k <= 0.0) continue;
      double free_speed = -target.u;
      double changed_speed = target.softness * data.lambda[i];
      for (const RowBuffer::Entry& entry : data.rows.entries(r)) {
        const Twist& V = free_motion[Index(entry.body)];
        free_speed += entry.linear.dot(V.linear) + entry.angular.dot(V.angular);
        if (!data.bodies[Index(entry.body)].dynamic()) continue;
        const Twist& z = change[Index(entry.body)];
        changed_speed +=
            entry.linear.dot(z.linear) + entry.angular.dot(z.angular);
      }
      double lo = target.lo;
      double hi = target.hi;
      if (row.normal_row >= 0) {
        hi = row.friction *
             std::max(0.0, data.lambda[row.normal_row - island.first_row]);
        lo = -hi;
      }
      const double old = data.lambda[i];
      const double next =
          std::clamp(old - (free_speed + changed_speed) / k, lo, hi);
      if (sweep == sweeps) {
        // As `LcpResidual`, with |K lambda| for the sum of its parts.
        const double scale =
            std::abs(free_speed) + std::abs(changed_speed) + k * std::abs(old);
        if (next != old) {
          residual = std::max(residual, k * std::abs(next - old) / scale);
        }
        continue;
      }
      data.lambda[i] = next;
      if (next != old) apply(r, next - old);
    }
  }
  data.row_states.assign(Index(m), LcpRowState::kInterior);
  for (int i = 0; i < m; ++i) {
    const RowTarget& target = data.targets[Index(island.first_row + i)];
    if (data.lambda[i] == target.lo) {
      data.row_states[Index(i)] = LcpRowState::kAtLo;
    } else if (data.lambda[i] == target.hi) {
      data.row_states[Index(i)] = LcpRowState::kAtHi;
    }
  }
  StepReport& report = data.report;
  CountSolve(data, island, 0, sweeps);
  report.residual = std::max(report.residual, residual);
  if (residual > 1e-8) {
    report.status = std::max(report.status, LcpStatus::kIterationLimit);
  }
}

// Adds J W J^T of the nodes to the lower half of K.
void AddResponsesOfNodes(const Data& data, const Island& island,
                         Eigen::Ref<MatrixX> K) {
  for (ElasticIsland* elastic : island.elastic) {
    if (!elastic->active()) continue;
    for (int i = 0; i < island.num_rows; ++i) {
      if (!elastic->RespondTo(data.rows.entries(island.first_row + i))) {
        continue;
      }
      for (int j = i; j < island.num_rows; ++j) {
        for (const RowBuffer::Entry& entry :
             data.rows.entries(island.first_row + j)) {
          if (!elastic->Has(entry.body)) continue;
          K(j, i) += entry.linear.dot(elastic->response(entry.body));
        }
      }
    }
  }
}

void SolveIslandOnce(Data& data, Island& island,
                     const std::vector<Twist>& free_motion, bool tension,
                     std::vector<Twist>& change) {
  const int m = island.num_rows;
  // A dense matrix of more rows than this would take longer than sweeps.
  constexpr int kMostDenseRows = 600;
  const bool nodes =
      std::ranges::any_of(island.elastic, &ElasticIsland::active);
  if ((data.settings.solver == SolverKind::kGaussSeidel && !nodes) ||
      (!nodes && data.settings.solver == SolverKind::kAutomatic &&
       m > kMostDenseRows && !island.touches.empty())) {
    if (data.mean_lambda.size() < m) data.mean_lambda.resize(m);
    if (data.other_lambda.size() < m) data.other_lambda.resize(m);
    SolveByGaussSeidel(data, island, free_motion, tension, change);
    return;
  }
  if (data.K.rows() < m) {
    data.K.resize(m, m);
    data.c.resize(m);
    data.lo.resize(m);
    data.hi.resize(m);
    data.lambda.resize(m);
    data.other_lambda.resize(m);
  }
  if (data.normal.size() < Index(m)) {
    data.normal.resize(Index(m));
    data.friction.resize(Index(m));
  }
  if (data.touching.size() < data.bodies.size()) {
    data.touching.resize(data.bodies.size());
  }
  for (const int b : island.bodies) data.touching[Index(b)].clear();

  // c = J V - u, and which rows meet at which body.
  bool has_friction = false;
  for (int i = 0; i < m; ++i) {
    const int r = island.first_row + i;
    const RowBuffer::Row& row = data.rows.row(r);
    const RowTarget& target = data.targets[Index(r)];
    double speed = 0.0;
    const std::span<const RowBuffer::Entry> entries = data.rows.entries(r);
    for (int k = 0; k < row.num_entries; ++k) {
      const RowBuffer::Entry& entry = entries[Index(k)];
      const Twist& V = free_motion[Index(entry.body)];
      speed += entry.linear.dot(V.linear) + entry.angular.dot(V.angular);
      if (data.bodies[Index(entry.body)].dynamic()) {
        data.touching[Index(entry.body)].emplace_back(i, k);
      }
    }
    data.c[i] = speed - target.u;
    data.lo[i] = target.lo;
    data.hi[i] = target.hi;
    data.normal[Index(i)] =
        row.normal_row < 0 ? -1 : row.normal_row - island.first_row;
    data.friction[Index(i)] = row.friction;
    has_friction = has_friction || row.normal_row >= 0;
  }

  // K = J W J^T + S
  auto K = data.K.topLeftCorner(m, m);
  K.setZero();
  for (const int b : island.bodies) {
    const Body& body = data.bodies[Index(b)];
    const Matrix3& W_angular =
        tension ? body.step_inverse_inertia_W : body.inverse_inertia_W;
    const bool node = nodes && AnswersAsNode(island, b);
    for (const auto& [i, k] : data.touching[Index(b)]) {
      const RowBuffer::Entry& a =
          data.rows.entries(island.first_row + i)[Index(k)];
      Vector3 linear = body.inverse_mass * a.linear;
      if (node) linear.setZero();
      const Vector3 angular = W_angular * a.angular;
      for (const auto& [j, l] : data.touching[Index(b)]) {
        if (j > i) continue;
        const RowBuffer::Entry& other =
            data.rows.entries(island.first_row + j)[Index(l)];
        K(i, j) += linear.dot(other.linear) + angular.dot(other.angular);
      }
    }
  }
  if (nodes) AddResponsesOfNodes(data, island, K);
  for (int i = 0; i < m; ++i) {
    K(i, i) += data.targets[Index(island.first_row + i)].softness;
    for (int j = 0; j < i; ++j) K(j, i) = K(i, j);
  }

  if (m > 0) {
    LcpProblem problem{K, data.c.head(m), data.lo.head(m), data.hi.head(m)};
    if (has_friction) {
      problem.normal = {data.normal.data(), Index(m)};
      problem.mu = {data.friction.data(), Index(m)};
    }
    data.row_states.assign(Index(m), LcpRowState::kInterior);
    for (const int k : island.constraints) {
      const auto [first, count] = data.row_range[Index(k)];
      const std::vector<LcpRowState>& states =
          ConstraintAccess::row_states(*data.constraints[Index(k)]);
      if (states.size() != Index(count)) continue;
      std::copy(states.begin(), states.end(),
                data.row_states.begin() + (first - island.first_row));
    }
    if (!island.touches.empty()) {
      ReadContactStates(data, island,
                        data.row_states.data() +
                            (island.first_contact_row - island.first_row));
    }
    data.dantzig.SetWarmStart(data.row_states);
    const LcpResult& result = data.dantzig.Solve(problem);
    data.lambda.head(m) = result.lambda();
    data.row_states = result.state;
    StepReport& report = data.report;
    CountSolve(data, island, 1, 1);
    report.residual = std::max(report.residual, result.residual);
    report.status = std::max(report.status, result.status);
    report.friction_rounds =
        std::max(report.friction_rounds, result.friction_rounds);
    report.friction_settled =
        report.friction_settled && result.friction_settled;
    for (const int unmet : result.unmet_rows) {
      const int r = island.first_row + unmet;
      for (const int k : island.constraints) {
        const auto [first, count] = data.row_range[Index(k)];
        if (r < first || r >= first + count) continue;
        const Constraint* owner = data.constraints[Index(k)].get();
        if (std::find(report.unmet.begin(), report.unmet.end(), owner) ==
            report.unmet.end()) {
          report.unmet.push_back(owner);
        }
      }
    }
  }
  ImpulseResponse(
      data, island, data.lambda, tension, [](int) { return true; }, change);
}

// Drives with friction whose answer lies on the other one of their two rows
// take that. Whether there are any.
bool TakeOtherTargets(Data& data, const Island& island,
                      const std::vector<Twist>& free_motion,
                      const std::vector<Twist>& change) {
  constexpr double kMargin = 1e-9;  // [m/s or rad/s]
  bool any = false;
  for (int i = 0; i < island.num_rows; ++i) {
    RowTarget& target = data.targets[Index(island.first_row + i)];
    const LcpRowState state = data.row_states[Index(i)];
    if (!target.has_other || state == LcpRowState::kInterior) continue;
    RowTarget& other = data.other_targets[Index(island.first_row + i)];
    double rate = 0.0;
    for (const RowBuffer::Entry& entry :
         data.rows.entries(island.first_row + i)) {
      const Twist& V = free_motion[Index(entry.body)];
      rate += entry.linear.dot(V.linear) + entry.angular.dot(V.angular);
      if (!data.bodies[Index(entry.body)].dynamic()) continue;
      const Twist& z = change[Index(entry.body)];
      rate += entry.linear.dot(z.linear) + entry.angular.dot(z.angular);
    }
    // e at the bound that the two share.
    const bool at_lo = state == LcpRowState::kAtLo;
    if (at_lo ? other.hi != target.lo : other.lo != target.hi) continue;
    const double e =
        rate - other.u + other.softness * (at_lo ? target.lo : target.hi);
    if (at_lo ? e <= kMargin : e >= -kMargin) continue;
    std::swap(target, other);
    target.has_other = true;
    any = true;
  }
  return any;
}

}  // namespace

void SolveIsland(Data& data, Island& island,
                 const std::vector<Twist>& free_motion, bool tension,
                 std::vector<Twist>& change) {
  constexpr int kMostTimes = 12;
  for (int times = 0; times < kMostTimes; ++times) {
    SolveIslandOnce(data, island, free_motion, tension, change);
    if (data.closing) return;
    if (!TakeOtherTargets(data, island, free_motion, change)) return;
  }
}

void StoreImpulses(Data& data, const Island& island, const VectorX& lambda) {
  for (const int k : island.constraints) {
    Constraint& constraint = *data.constraints[Index(k)];
    const auto [first, count] = data.row_range[Index(k)];
    std::vector<double>& impulses = ConstraintAccess::impulses(constraint);
    std::vector<LcpRowState>& states = ConstraintAccess::row_states(constraint);
    impulses.resize(Index(count));
    states.resize(Index(count));
    for (int i = 0; i < count; ++i) {
      const int row = first - island.first_row + i;
      impulses[Index(i)] = lambda[row];
      states[Index(i)] = data.row_states[Index(row)];
    }
  }
  StoreContactRows(
      data, island,
      lambda.data() + (island.first_contact_row - island.first_row));
}

}  // namespace limber::dynamics::internal
