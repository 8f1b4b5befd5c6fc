// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "dynamics/internal/body_refresh.h"
#include "dynamics/internal/leapfrog.h"

// Kick and closing of the leapfrog with all rows of an island in one matrix.
// step_leapfrog.cpp says what they are.

namespace limber::dynamics::internal {

namespace {

// Inertias of the bodies under tension; see `TensionInertia`.
void AddTensionInertia(Data& data, const Island& island, double h) {
  std::vector<Matrix3>& stiffness = data.tension_stiffness;
  std::vector<double>& bound = data.tension_bound;
  stiffness.assign(data.bodies.size(), Matrix3::Zero());
  bound.assign(data.bodies.size(), 0.0);
  for (const int k : island.constraints) {
    const auto [first, count] = data.row_range[Index(k)];
    const std::span<const double> impulses =
        data.constraints[Index(k)]->impulses();
    if (impulses.size() != Index(count)) continue;
    const bool force = dynamic_cast<const ForceRows*>(
                           data.constraints[Index(k)].get()) != nullptr;
    for (int i = 0; i < count; ++i) {
      const RowBuffer::Row& row = data.rows.row(first + i);
      // A spring that is taken at the end of the step pulls as a joint does.
      const bool stiff = force && row.settings.stabilisation.policy ==
                                      Stabilisation::Policy::kSpring;
      if (!stiff && !IsHardJointRow(row)) continue;
      const double force = impulses[Index(i)] / data.last_h;
      for (const RowBuffer::Entry& entry : data.rows.entries(first + i)) {
        const Body& body = data.bodies[Index(entry.body)];
        if (!body.dynamic()) continue;
        const Vector3 f = force * entry.linear;
        const Vector3& r = entry.arm;
        stiffness[Index(entry.body)] +=
            f.dot(r) * Matrix3::Identity() -
            0.5 * (f * r.transpose() + r * f.transpose());
        bound[Index(entry.body)] += 2.0 * f.norm() * r.norm();
      }
    }
  }
  for (const int b : island.bodies) {
    Body& body = data.bodies[Index(b)];
    const Vector3& inertia = body.flow.inertia();
    if (h * h * kBeta * bound[Index(b)] < inertia.minCoeff()) continue;
    if (inertia.minCoeff() <= 0.0) continue;
    Matrix3 I_eff;
    if (TensionInertia(inertia, body.q_WC.toRotationMatrix(),
                       stiffness[Index(b)], h, I_eff)) {
      body.step_inverse_inertia_W = I_eff.inverse();
    }
  }
}

// Bodies of an island where free drift at the present velocities would take
// them.
void PredictIsland(Data& data, const Island& island, double h) {
  ForFours(island.bodies, [&](const std::array<int, kLanes>& four) {
    const std::array<Body*, kLanes> bodies = BodiesOf(data, four);
    PredictFour(ReadState(StatesOf(bodies)), FlowsOf(Read(bodies)),
                FramesOf(Read(bodies)), bodies, h, false,
                MotionsAt(data.predicted, four));
  });
}

// Velocities of the bodies whose motion is given, and room for the others.
void PrepareGiven(Data& data) {
  data.free_motion.resize(data.bodies.size());
  data.change.resize(data.bodies.size());
  data.other_change.resize(data.bodies.size());
  for (const int b : data.given) {
    const Body& body = data.bodies[Index(b)];
    data.free_motion[Index(b)] = {body.v, body.w};
  }
  data.given_known = true;
}

// Velocities without constraints.
void PrepareDense(Data& data, const Island& island, double kick) {
  if (!data.given_known) PrepareGiven(data);
  for (const int b : island.bodies) {
    Body& body = data.bodies[Index(b)];
    data.free_motion[Index(b)] = FreeMotion(data, body, kick);
    body.step_inverse_inertia_W = body.inverse_inertia_W;
  }
}

// Work the hard rows do in a kick, lambda . (C'- + C'+) / 2, and what the
// tension inertia keeps back of it: w . (I I_eff^-1 - 1) torque, with w the
// mean spin and the torque that of these rows.
double WorkOfJoints(Data& data, const Island& island, const VectorX& lambda,
                    const std::vector<Twist>& change,
                    std::vector<Twist>& joint_change) {
  const auto hard = [&data](int r) { return IsHardJointRow(data.rows.row(r)); };
  ImpulseResponse(data, island, lambda, true, hard, joint_change);
  double work = 0.0;
  for (int i = 0; i < island.num_rows; ++i) {
    const int r = island.first_row + i;
    if (!hard(r)) continue;
    double twice_mean = 2.0 * data.rows.row(r).rate_bias;
    for (const RowBuffer::Entry& entry : data.rows.entries(r)) {
      const Body& body = data.bodies[Index(entry.body)];
      const Twist& V = data.free_motion[Index(entry.body)];
      twice_mean += entry.linear.dot(body.v + V.linear) +
                    entry.angular.dot(body.w + V.angular);
      if (!body.dynamic()) continue;
      const Twist& z = change[Index(entry.body)];
      twice_mean += entry.linear.dot(z.linear) + entry.angular.dot(z.angular);
      if (body.step_inverse_inertia_W == body.inverse_inertia_W) continue;
      const Vector3 w = 0.5 * (body.w + V.angular + z.angular);
      const Vector3 torque = lambda[i] * entry.angular;
      work += w.dot(body.flow.AngularMomentum(
                        body.q_WC, body.step_inverse_inertia_W * torque) -
                    torque);
    }
    work += 0.5 * lambda[i] * twice_mean;
  }
  return work;
}

// sum lambda^2 / mass over the hard rows: the energy their impulses deal with.
double ImpulseScale(const Data& data, const Island& island) {
  double squares = 0.0;
  double mass = 0.0;
  for (int i = 0; i < island.num_rows; ++i) {
    if (!IsHardJointRow(data.rows.row(island.first_row + i))) continue;
    squares += data.lambda[i] * data.lambda[i];
  }
  for (const int b : island.bodies) mass += data.bodies[Index(b)].mass.mass;
  return squares / mass;
}

// Solves the kick, and holds joints back that would add energy the island has
// not lost before: the largest c in [0, 1] for which u = c u1 does no more work
// than the bank allows.
void SolveKick(Data& data, Island& island, bool has_history) {
  const int m = island.num_rows;
  SolveIsland(data, island, data.free_motion, true, data.change);
  if (!has_history || m == 0) return;
  if (island.tree && island.tree->FullyDriven() &&
      std::all_of(data.row_states.begin(), data.row_states.end(),
                  [](LcpRowState s) { return s == LcpRowState::kInterior; })) {
    return;
  }

  const int home = island.bodies.front();
  double bank = 0.0;
  for (const int b : island.bodies) {
    bank += data.energy_bank[Index(b)];
    data.energy_bank[Index(b)] = 0.0;
  }
  bank = std::max(bank, -kCredit * KineticEnergyOf(data, island));
  // A debt (closing lifted bodies) need not be paid back, only not grow.
  const double allowed = std::max(0.0, -bank);
  double w1 =
      WorkOfJoints(data, island, data.lambda, data.change, data.other_change);
  const double tolerance =
      1e-8 * (KineticEnergyOf(data, island) + ImpulseScale(data, island));
  if (w1 <= allowed + tolerance) {
    data.energy_bank[Index(home)] = bank + w1;
    return;
  }

  // lambda(c) = c lambda1 + (1 - c) lambda0 makes w(c) a parabola.
  data.other_lambda.head(m) = data.lambda.head(m);
  std::vector<double>& u1 = data.reflected_targets;
  u1.resize(Index(m));
  bool bounded = false;
  for (int i = 0; i < m; ++i) {
    const int r = island.first_row + i;
    u1[Index(i)] = data.targets[Index(r)].u;
    if (IsHardJointRow(data.rows.row(r))) {
      data.targets[Index(r)].u = -data.rows.row(r).rate_bias;
    } else {
      bounded = true;
    }
  }
  std::vector<Twist>& change1 = data.mean_change;
  change1 = data.change;
  SolveIsland(data, island, data.free_motion, true, data.change);
  const double w0 =
      WorkOfJoints(data, island, data.lambda, data.change, data.other_change);
  for (const int b : island.bodies) {
    change1[Index(b)].linear =
        0.5 * (change1[Index(b)].linear + data.change[Index(b)].linear);
    change1[Index(b)].angular =
        0.5 * (change1[Index(b)].angular + data.change[Index(b)].angular);
  }
  if (data.mean_lambda.size() < m) data.mean_lambda.resize(m);
  data.mean_lambda.head(m) =
      0.5 * (data.lambda.head(m) + data.other_lambda.head(m));
  const double wh =
      WorkOfJoints(data, island, data.mean_lambda, change1, data.other_change);
  const double quadratic = 2.0 * (w1 + w0 - 2.0 * wh);
  const double linear = w1 - w0 - quadratic;
  const double low = LargestShare(w0, linear, quadratic, allowed);
  if (bounded) {
    for (int i = 0; i < m; ++i) {
      const int r = island.first_row + i;
      if (!IsHardJointRow(data.rows.row(r))) continue;
      RowTarget& target = data.targets[Index(r)];
      target.u = low * u1[Index(i)] + (1.0 - low) * target.u;
    }
    SolveIsland(data, island, data.free_motion, true, data.change);
  } else {
    data.lambda.head(m) =
        low * data.other_lambda.head(m) + (1.0 - low) * data.lambda.head(m);
    ImpulseResponse(
        data, island, data.lambda, true, [](int) { return true; }, data.change);
  }
  data.energy_bank[Index(home)] = bank + w0 + low * (linear + low * quadratic);
}

// The same where bodies are nodes of elements: Newton's method over the forces
// of these, each step a solve of the rows with the masses that the elements
// lend to the nodes.
void SolveElasticKick(Data& data, Island& island, bool has_history, double kick,
                      double h) {
  for (ElasticIsland* elastic : island.elastic) elastic->Begin(data, kick, h);
  const std::vector<RowTarget> targets = data.targets;
  std::vector<double> banks;
  for (const int b : island.bodies) {
    banks.push_back(data.energy_bank[Index(b)]);
  }
  bool solved = false;
  for (int round = 0; round < kMostElasticRounds && !solved; ++round) {
    for (std::size_t i = 0; i < banks.size(); ++i) {
      data.energy_bank[Index(island.bodies[i])] = banks[i];
    }
    std::ranges::copy(targets, data.targets.begin());
    bool answered = true;
    for (ElasticIsland* elastic : island.elastic) {
      answered = elastic->Linearise(data) && answered;
    }
    if (!answered) break;
    SolveKick(data, island, has_history);
    double step = 0.0, speed = 0.0;
    for (ElasticIsland* elastic : island.elastic) {
      const auto [own_step, own_speed] = elastic->Advance(data, data.change);
      step = std::max(step, own_step);
      speed = std::max(speed, own_speed);
    }
    solved = step <= kElasticSolved * speed;
  }
  for (ElasticIsland* elastic : island.elastic) {
    elastic->End(data, data.change);
  }
  if (!solved) {
    data.report.status =
        std::max(data.report.status, LcpStatus::kIterationLimit);
  }
}

// Nothing moves but by the closing itself.
void PrepareClosing(Data& data, const Island& island) {
  for (const int b : island.bodies) data.free_motion[Index(b)] = Twist{};
  for (int r = island.first_row; r < island.first_row + island.num_rows; ++r) {
    for (const RowBuffer::Entry& entry : data.rows.entries(r)) {
      data.free_motion[Index(entry.body)] = Twist{};
    }
  }
  data.given_known = false;
}

// One Newton step that closes the gaps of the hard joints at the present pose;
// velocities stay. Returns the largest error there was, and adds to `missing`
// the angular momentum that is lost by it.
double CloseGaps(Data& data, Island& island, Closes what, double h,
                 Vector3& missing) {
  data.rows.Clear();
  AddIslandRows(data, island);
  double gap = 0.0;
  double push = 0.0;
  for (int i = 0; i < island.num_rows; ++i) {
    const int r = island.first_row + i;
    const RowBuffer::Row& row = data.rows.row(r);
    const bool hard = IsHardJointRow(row);
    const double error = what == Closes::kSprings ? 0.0 : row.error;
    if (hard) gap = std::max(gap, std::abs(error));
    // Other rows take no part: their impulse is bound to zero.
    data.targets[Index(r)] = {-error, 0.0, hard ? -kInfinity : 0.0,
                              hard ? kInfinity : 0.0};
    data.rows.row(r).normal_row = -1;
  }
  for (const int k : island.constraints) {
    const Constraint& constraint = *data.constraints[Index(k)];
    if (dynamic_cast<const ForceRows*>(&constraint) == nullptr) continue;
    const auto [first, count] = data.row_range[Index(k)];
    for (int i = 0; i < count; ++i) {
      SpringGap spring;
      if (!FindSpringGap(constraint, Index(i), data.rows.row(first + i), h,
                         spring)) {
        continue;
      }
      gap = std::max(gap, std::abs(spring.gap));
      data.targets[Index(first + i)] = {-spring.gap, spring.softness,
                                        -kInfinity, kInfinity};
    }
  }
  int r = island.first_contact_row;
  for (const int t : island.touches) {
    Touch& touch = data.contacts.touches[Index(t)];
    // Where bodies press they may part, and not come nearer.
    if (touch.lambda[0] > 0.0) {
      data.targets[Index(r)] = {touch.push, touch.s[0], 0.0, kInfinity};
      push = std::max(push, touch.push);
    }
    touch.push = 0.0;
    r += touch.num_rows;
  }
  if (gap == 0.0 && push == 0.0) return 0.0;
  PrepareClosing(data, island);
  const StepReport kick_report = data.report;
  data.closing = true;
  SolveIsland(data, island, data.free_motion, false, data.change);
  data.closing = false;
  const int factorisations = data.report.factorisations;
  const int solves = data.report.solves;
  data.report = kick_report;
  data.report.factorisations = factorisations;
  data.report.solves = solves;

  double largest = 0.0;
  for (const int b : island.bodies) {
    largest = std::max({largest, data.change[Index(b)].linear.norm(),
                        data.change[Index(b)].angular.norm()});
  }
  const double share = largest > kMaxClosing ? kMaxClosing / largest : 1.0;
  double height = 0.0;
  for (const int b : island.bodies) {
    Body& body = data.bodies[Index(b)];
    const Twist& z = data.change[Index(b)];
    height += data.settings.gravity.dot(share * z.linear) / body.inverse_mass;
    missing -= (share * body.mass.mass * z.linear).cross(body.v);
    body.p_WC += share * z.linear;
    body.q_WC = (ExpRotation(share * z.angular) * body.q_WC).normalized();
    const Vector3 L = body.flow.Admissible(body.q_WC, body.L);
    missing += body.L - L;
    body.L = L;
    Refresh(data, b);
  }
  data.energy_bank[Index(island.bodies.front())] -= height;
  return gap;
}

}  // namespace

void CloseAll(Data& data, Island& island, Closes what, double h) {
  Vector3 missing = Vector3::Zero();
  const double before = SpinEnergy(data, island);
  double gap = CloseGaps(data, island, what, h, missing);
  // A Newton step squares a gap below one: nothing is left of a small one.
  for (int i = 1; i < kMaxClosings && gap > std::sqrt(kClosed); ++i) {
    gap = CloseGaps(data, island, what, h, missing);
  }
  const double gained = SpinEnergy(data, island) - before;
  if (island.free) {
    GiveMomentum(data, island, {Vec{}, ToVec(missing), gained}, false);
  } else {
    PayForClosing(data, island, gained);
  }
}

// The kick of an island with all its rows in one matrix.
void KickDense(Data& data, Island& island, double kick, double h) {
  PredictIsland(data, island, h);
  PrepareDense(data, island, kick);
  AddIslandRows(data, island);
  data.report.num_rows += island.num_rows;
  if (data.last_h > 0.0) AddTensionInertia(data, island, h);
  bool has_history = data.last_h > 0.0;
  const bool joints_alone =
      island.touches.empty() &&
      std::all_of(island.constraints.begin(), island.constraints.end(),
                  [&data](int k) {
                    return dynamic_cast<const Joint*>(
                               data.constraints[Index(k)].get()) != nullptr;
                  });
  for (const int k : island.constraints) {
    Constraint& constraint = *data.constraints[Index(k)];
    const auto [first, count] = data.row_range[Index(k)];
    const std::vector<double>& rates = ConstraintAccess::last_rates(constraint);
    has_history = has_history && rates.size() == Index(count);
    SetLeapfrogTargets(data, constraint, first, count, rates, kick, h,
                       joints_alone);
  }
  if (island.elastic.empty()) {
    SolveKick(data, island, has_history);
  } else {
    SolveElasticKick(data, island, has_history, kick, h);
  }
  island.free = IsFree(data, island) &&
                std::ranges::none_of(island.elastic, &ElasticIsland::held);

  // Of what inner rows do to the momenta nothing should be left.
  Vector3 lost_P = Vector3::Zero();
  Vector3 lost_L = Vector3::Zero();
  const Vector3 origin = data.bodies[Index(island.bodies.front())].p_WC;
  for (const int b : island.bodies) {
    Body& body = data.bodies[Index(b)];
    const Vector3 v_before = body.v;
    const Vector3 L_before = body.L;
    body.v = data.free_motion[Index(b)].linear + data.change[Index(b)].linear;
    const Vector3 dL =
        body.flow.AngularMomentum(body.q_WC, data.change[Index(b)].angular);
    const Vector3 dP = body.mass.mass * data.change[Index(b)].linear;
    lost_P -= dP;
    lost_L -= dL + (body.p_WC - origin).cross(dP);
    body.L += body.flow.Admissible(body.q_WC, kick * body.torque) + dL;
    body.v *= std::exp(-body.linear_damping * h);
    body.L *= std::exp(-body.angular_damping * h);
    body.w = body.inverse_inertia_W * body.L;
    // At the instant of the kick the momenta are the mean ones.
    BodyInstant& at_kick = data.at_kick[Index(b)];
    if (data.last_h > 0.0) {
      at_kick.v = 0.5 * (v_before + body.v);
      at_kick.w = 0.5 * (body.inverse_inertia_W * (L_before + body.L));
    }
  }
  if (island.free) {
    GiveMomentum(data, island, {ToVec(lost_P), ToVec(lost_L)},
                 data.last_h > 0.0);
  }
  StoreImpulses(data, island, data.lambda);
  for (const int k : island.constraints) {
    const auto [first, count] = data.row_range[Index(k)];
    std::vector<double>& rates =
        ConstraintAccess::last_rates(*data.constraints[Index(k)]);
    rates.resize(Index(count));
    for (int i = 0; i < count; ++i) {
      double rate = data.rows.row(first + i).rate_bias;
      for (const RowBuffer::Entry& entry : data.rows.entries(first + i)) {
        const Body& body = data.bodies[Index(entry.body)];
        rate += entry.linear.dot(body.v) + entry.angular.dot(body.w);
      }
      rates[Index(i)] = rate;
    }
  }
}

}  // namespace limber::dynamics::internal
