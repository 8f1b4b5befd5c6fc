// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tree_island.h"

#include <algorithm>
#include <cmath>

#include "dynamics/internal/leapfrog.h"
#include "dynamics/internal/tree_island_parts.h"
#include "dynamics/internal/tree_solver_sweeps.h"

namespace limber::dynamics::internal {

using namespace tree_parts;

// The kick: velocities half a step on.

// Targets of the hard rows, u0 + share (u - u0); u0 = 0 for joints.
void TreeIsland::ApplyTargets(double share) {
  share_ = share;
  ApplyBallTargets();
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    TreeNode& node = solver_.nodes[i];
    if (link.joint == nullptr || link.ball != nullptr) continue;
    Form& form = forms_[Index(link.form)];
    node.offset_linear = node.offset_angular = Vec{};
    for (int k = 0; k < link.num_held; ++k) {
      form.held[k].share_u = share * form.held[k].u;
      node.offset_linear += form.held[k].share_u * form.column_linear[k];
      node.offset_angular += form.held[k].share_u * form.column_angular[k];
    }
  }
  for (const OuterRow& outer : outer_rows_) {
    if (!outer.hard) continue;
    solver_.aux_rows[Index(outer.index)].u =
        outer.rest + share * (outer.u - outer.rest);
  }
}

void TreeIsland::ReadImpulses(const Data& data) {
  impulse_squares_ = plain_work_ = 0.0;
  for (std::size_t i = 0; i < links_.size() && !forms_.empty(); ++i) {
    const Link& link = links_[i];
    const TreeNode& node = solver_.nodes[i];
    if (link.form < 0) continue;
    Form& form = forms_[Index(link.form)];
    for (int k = 0; k < link.num_held; ++k) {
      const double lambda = Dot(form.column_linear[k], node.F) +
                            Dot(form.column_angular[k], node.T);
      form.held[k].lambda = lambda;
      impulse_squares_ += lambda * lambda;
      plain_work_ += 0.5 * lambda * (form.held[k].rate + form.held[k].share_u);
    }
  }
  if (any_tight_) StartTorques(data);
  ReadBallImpulses();
}

// Work of the hard rows, lambda . (C'- + C'+) / 2, and what the tension inertia
// keeps back of it.
double TreeIsland::Work(bool first_lambda, bool first_rate) const {
  double work =
      BallWork(first_lambda, first_rate) + TightWork(first_lambda, first_rate);
  for (std::size_t i = 0; i < links_.size() && !forms_.empty(); ++i) {
    const Link& link = links_[i];
    if (link.form < 0) continue;
    const Form& form = forms_[Index(link.form)];
    for (int k = 0; k < link.num_held; ++k) {
      const HeldRow& row = form.held[k];
      work += 0.5 * (first_lambda ? form.first_lambda[k] : row.lambda) *
              (row.rate + (first_rate ? row.u : row.share_u));
    }
  }
  for (const OuterRow& outer : outer_rows_) {
    if (!outer.hard) continue;
    const TreeAuxRow& aux = solver_.aux_rows[Index(outer.index)];
    const double lambda = first_lambda ? outer.first_lambda : aux.lambda;
    const double after = (first_rate ? outer.u : aux.u) - outer.rest;
    work += 0.5 * lambda * (outer.rate + after);
  }
  return work;
}

// Holds joints back that would add energy the island has not lost before: the
// largest share c in [0, 1] of the targets for which they do no more work than
// the bank allows.
bool TreeIsland::LimitWork(Data& data, Island& island) {
  double bank = 0.0;
  double scale = impulse_squares_;
  for (const int b : island.bodies) bank += data.energy_bank[Index(b)];
  for (const OuterRow& outer : outer_rows_) {
    if (!outer.hard) continue;
    const double lambda = solver_.aux_rows[Index(outer.index)].lambda;
    scale += lambda * lambda;
  }
  scale /= mass_;
  bank = std::max(bank, -kCredit * energy_);
  // A debt (closing lifted bodies) need not be paid back, only not grow.
  const double allowed = std::max(0.0, -bank);
  double work = hard_outer_rows_ ? Work(false, false) : plain_work_;
  // Contacts take far more than this away.
  constexpr double kRounding = 1e-8;
  constexpr double kBesideContacts = 1e-5;
  const double share = solver_.touching ? kBesideContacts : kRounding;
  if (work > allowed + share * (energy_ + scale)) {
    const double w11 = work;
    first_lambda_.resize(blocks_.size());
    for (std::size_t n = 0; n < blocks_.size(); ++n) {
      first_lambda_[n] = blocks_[n].lambda;
    }
    KeepFirstTorques();
    for (Form& form : forms_) {
      for (int k = 0; k < 6; ++k) form.first_lambda[k] = form.held[k].lambda;
    }
    for (OuterRow& outer : outer_rows_) {
      if (!outer.hard) continue;
      outer.first_lambda = solver_.aux_rows[Index(outer.index)].lambda;
    }
    ApplyTargets(0.0);
    if (!solver_.Resolve() && !solver_.SolveBounded(true)) return false;
    ReadImpulses(data);
    // lambda(c) and C'+(c) are straight lines where no state changes, so the
    // work is a parabola in c.
    const double w00 = Work(false, false);
    const double mixed = Work(true, false) + Work(false, true);
    const double quadratic = w11 + w00 - mixed;
    const double linear = mixed - 2.0 * w00;
    const double kept = LargestShare(w00, linear, quadratic, allowed);
    ApplyTargets(kept);
    if (!solver_.Resolve() && !solver_.SolveBounded(true)) return false;
    ReadImpulses(data);
    work = w00 + kept * (linear + kept * quadratic);
  }
  for (const int b : island.bodies) data.energy_bank[Index(b)] = 0.0;
  data.energy_bank[Index(island.bodies.front())] = bank + work;
  return true;
}

// Whether all rows that held or pushed in the kick act within the island.
bool TreeIsland::IsFree(const Data& data, const Island& island) const {
  if (held_ || !solver_.point_rows.empty() || !island.touches.empty() ||
      island.pile >= 0) {
    return false;
  }
  for (const OuterRow& outer : outer_rows_) {
    const double lambda = outer.aux
                              ? solver_.aux_rows[Index(outer.index)].lambda
                              : solver_.body_rows[Index(outer.index)].lambda;
    if ((outer.hard || lambda != 0.0) && !IsInner(data, outer.row)) {
      return false;
    }
  }
  return true;
}

bool TreeIsland::Kick(Data& data, Island& island, double kick, double h) {
  return BeginKick(data, island, kick, h) && SolveRows(data, island) &&
         LookAgain(data, island, kick, h) && EndKick(data, island, kick, h);
}

// What the ball joint of node i hangs on. True if nothing acts along its
// directions: then the node is through.
inline bool TreeIsland::StartBall(const Data& data, std::size_t i,
                                  const BallStart& start) {
  const Link& link = links_[i];
  TreeNode& node = solver_.nodes[i];
  const std::size_t lane = i % kLanes;
  const Block& block = blocks_[i / kLanes];
  const Vec from_parent = OneOf(start.from_parent, lane);
  const double f = start.force[lane];
  tension_[i] = f * block.own_arm[lane];
  if (node.parent >= 0) {
    node.l = from_parent + solver_.nodes[Index(node.parent)].r;
    tension_[Index(node.parent)] += f * block.parent_arm[lane];
  } else {
    const BodyMotion& given = data.motions[Index(link.parent_body)];
    node.base_w = ToVec(given.w_WB);
    node.base_x = ToVec(given.v_WC) + Cross(node.base_w, from_parent);
  }
  node.limp_ball = link.num_drives == 0;
  node.simple = false;
  node.num_coordinates = 0;
  if (node.limp_ball) solver_.StartLimpBall(node);
  return node.limp_ball;
}

bool TreeIsland::BeginKick(Data& data, Island& island, double kick, double h) {
  const bool started = data.last_h > 0.0;
  solver_.factorisations = solver_.solves = 0;
  const double tension_scale = started ? h * h * kBeta / data.last_h : 0.0;
  bool has_history = started;
  solver_.Start();
  share_ = 1.0;
  beside_contacts_ = !island.touches.empty() || island.pile >= 0;
  solver_.touching = beside_contacts_ && IsPassive();
  // Four bodies go through all of it at once: of a long chain the caches do not
  // hold the whole.
  Lane energy = AllLanes(0.0);
  for (std::size_t n = 0; n < blocks_.size(); ++n) {
    const StateLanes state = ReadState(StatesAt(data, blocks_[n].body));
    const MatLanes R_WC = ToMat(state.q_WC);
    BallStart start;
    energy += StartBodies(data, n, state, R_WC, kick);
    if (blocks_[n].has_balls) {
      has_history =
          EvaluateBalls(data, n, state, R_WC, tension_scale, kick, h, start) &&
          has_history;
    }
    const std::size_t end = std::min(kLanes * (n + 1), links_.size());
    for (std::size_t k = kLanes * n; k < end; ++k) {
      const int i = static_cast<int>(k);
      const Link& link = links_[k];
      if (link.ball != nullptr) {
        if (!link.hard) return false;
        if (StartBall(data, k, start)) continue;
        StartDrives(data, k, start, kick, h);
      } else if (link.joint == nullptr) {
        solver_.nodes[k].r = Vec{};
        tension_[k] = 0.0;
      } else {
        const std::size_t num_last =
            ConstraintAccess::last_rates(*link.joint).size();
        const bool history = num_last >= Index(6 - link.joint->num_free());
        EvaluateJoint(data, i, history, kick, h);
        has_history = has_history && history;
        // Their bodies are always looked at: see AddTension.
        tension_[k] = kInfinity;
        const int parent = solver_.nodes[k].parent;
        if (parent >= 0) tension_[Index(parent)] = kInfinity;
      }
      solver_.StartNode(i);
    }
  }
  energy_ = Sum(energy);
  AddOuterRows(data, island, kick, h);
  AddContactRows(data, island);
  any_tight_ = false;
  bool any_tension = taut_outer_rows_;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    any_tension = any_tension || tension_[i] >= least_inertia_[i];
  }
  if (started && any_tension) AddTension(data, h);
  for (const Outer& outer : outer_) {
    const std::size_t k = Index(outer.constraint);
    has_history = has_history &&
                  ConstraintAccess::last_rates(*data.constraints[k]).size() ==
                      Index(data.row_range[k].second);
  }
  has_history_ = has_history;
  return true;
}

// Inertias and velocities without constraints of the bodies of block n. Returns
// their kinetic energies.
Lane TreeIsland::StartBodies(const Data& data, std::size_t n,
                             const StateLanes& state, const MatLanes& R_WC,
                             double kick) {
  const VecLanes gravity = AllLanes(ToVec(data.settings.gravity));
  const Block& block = blocks_[n];
  const SymLanes I = AlongAxes(R_WC, block.inertia);
  VecLanes v = state.v + kick * gravity;
  VecLanes w = state.w;
  for (std::size_t k = 0; k < kLanes && !data.shared.no_forces; ++k) {
    const Body& body = data.bodies[Index(block.body[k])];
    SetOne(v, k, OneOf(v, k) + (kick * body.inverse_mass) * ToVec(body.force));
    const Vector3& torque = body.torque;
    if (torque.x() == 0.0 && torque.y() == 0.0 && torque.z() == 0.0) continue;
    SetOne(w, k, OneOf(w, k) + kick * ToVec(body.inverse_inertia_W * torque));
  }
  const Places nodes = NodePlaces(n);
  // What comes after these in a node is set later.
  Scatter(I.xx, I.xy, I.xz, I.yy, nodes, kNodeInertia);
  Scatter(I.yz, I.zz, I.zz, I.zz, nodes, kNodeInertia + 4);
  Scatter(v.x, v.y, v.z, w.x, nodes, kNodeFree);
  Scatter(w.y, w.z, w.z, w.z, nodes, kNodeFree + 4);
  return block.real ? 0.5 * (block.mass * Dot(state.v, state.v) +
                             Dot(state.w, state.L))
                    : AllLanes(0.0);
}

// Gives `state` of the bodies of block n the velocities and momenta that the
// last solve means.
void TreeIsland::TakeVelocities(const Data& data, std::size_t n, double h,
                                StateLanes& state) const {
  const Block& block = blocks_[n];
  const auto body_of = [&](std::size_t k) -> const Body& {
    return data.bodies[Index(block.body[k])];
  };
  const ConstPlaces nodes = NodePlaces(n);
  const FourLanes i = Gather(nodes, kNodeInertia);
  const FourLanes j = Gather(nodes, kNodeInertia + 4);
  const FourLanes free_w = Gather(nodes, kNodeFree + 3);
  const FourLanes arm = Gather(nodes, kNodeR);
  // x, w, dx, dw
  const FourLanes a = Gather(nodes, kNodeX), b = Gather(nodes, kNodeX + 4);
  const FourLanes c = Gather(nodes, kNodeX + 8);
  SymLanes I = {i.a, i.b, i.c, i.d, j.a, j.b};
  if (any_tight_) {
    const LaneMask& which = tight_[n].which;
    const SymLanes& plain = tight_[n].inertia;
    I = {which ? plain.xx : I.xx, which ? plain.xy : I.xy,
         which ? plain.xz : I.xz, which ? plain.yy : I.yy,
         which ? plain.yz : I.yz, which ? plain.zz : I.zz};
  }
  VecLanes w = {a.d + c.b, b.a + c.c, b.b + c.d};
  VecLanes v = VecLanes{a.a + b.c, a.b + b.d, a.c + c.a} +
               Cross(w, VecLanes{arm.a, arm.b, arm.c});
  VecLanes w_before = {free_w.a, free_w.b, free_w.c};
  for (std::size_t k = 0; k < kLanes && !unloaded_.empty(); ++k) {
    const std::size_t i = std::min(kLanes * n + k, unloaded_.size() - 1);
    SetOne(w_before, k, unloaded_[i].w);
  }
  VecLanes L = state.L + I * (w - w_before);
  for (std::size_t k = 0; k < kLanes && !data.shared.no_forces; ++k) {
    SetOne(L, k, OneOf(L, k) + kick_ * ToVec(body_of(k).torque));
  }
  if (has_damping_) {
    Lane slower_v, slower_w;
    for (std::size_t k = 0; k < kLanes; ++k) {
      slower_v[k] = std::exp(-body_of(k).linear_damping * h);
      slower_w[k] = std::exp(-body_of(k).angular_damping * h);
    }
    v = slower_v * v;
    L = slower_w * L;
    w = slower_w * w;
  }
  state.v = v;
  state.w = w;
  state.L = L;
}

// The new velocities and momenta of the bodies of block n, also in `state`.
void TreeIsland::StoreBodies(Data& data, std::size_t n, double h,
                             StateLanes& state) {
  TakeVelocities(data, n, h, state);
  const auto& [q_WC, p_WC, v, w, L] = state;
  const Places states = StatesOf(BodiesOf(data, blocks_[n].body));
  Scatter(p_WC.x, p_WC.y, p_WC.z, v.x, states, kStateP);
  Scatter(v.y, v.z, w.x, w.y, states, 8);
  Scatter(w.z, L.x, L.y, L.z, states, 12);
}

// Impulses, rates and states of the rows of the joints of block n.
void TreeIsland::StoreJoints(Data& data, std::size_t n, double h) {
  const std::size_t end = std::min(kLanes * (n + 1), links_.size());
  for (std::size_t i = kLanes * n; i < end; ++i) {
    const Link& link = links_[i];
    if (link.ball != nullptr) {
      data.report.num_rows += StoreBall(i, share_ * KeptShare(data, link, h));
    } else if (link.joint != nullptr) {
      data.report.num_rows += StoreLink(data, i, h);
    }
  }
}

// The poses of the kick, which `state` has with the velocities after it, and
// the mean of the velocities before and after.
void TreeIsland::KeepInstants(Data& data, const Block& block,
                              const VecLanes& v_before,
                              const VecLanes& w_before,
                              const StateLanes& state) const {
  // Numbers lie in both in the same way.
  static_assert(offsetof(BodyInstant, p_WC) == kStateP * sizeof(double) &&
                offsetof(BodyInstant, v) == kStateV * sizeof(double) &&
                offsetof(BodyInstant, w) == kStateW * sizeof(double));
  const bool started = data.last_h > 0.0;
  const VecLanes v = started ? 0.5 * (v_before + state.v) : v_before;
  const VecLanes w = started ? 0.5 * (w_before + state.w) : w_before;
  Places instants;
  for (std::size_t k = 0; k < kLanes; ++k) {
    BodyInstant& instant = data.at_kick[Index(block.body[k])];
    instants[k] = reinterpret_cast<double*>(&instant);
  }
  WritePose(state.q_WC, state.p_WC, v.x, instants);
  Scatter(v.y, v.z, w.x, w.y, instants, kStateV + 1);
  ScatterOne(w.z, instants, kStateW + 2);
}

bool TreeIsland::EndKick(Data& data, Island& island, double kick, double h) {
  ReadImpulses(data);
  const bool driven = solver_.all_held() && FullyDriven();
  if (has_history_ && !driven && !LimitWork(data, island)) return false;
  TakeLoadsOff();

  island.free = IsFree(data, island);
  // Of what inner rows do to the momenta nothing should be left. The tension
  // inertia keeps back some of the torques.
  const bool loses = island.free && (any_tight_ || hard_outer_rows_);
  MissingMomentum lost;
  if (loses) {
    const Vec origin = ToVec(data.bodies[Index(island.bodies.front())].p_WC);
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const Link& link = links_[i];
      const TreeNode& node = solver_.nodes[i];
      const Vec dL = PlainInertia(i) * (node.NewSpin() - node.free_w);
      const Vec dP = node.mass * (node.NewVelocity() - node.free_v);
      const Vec p_WC = ToVec(data.bodies[Index(link.body)].p_WC);
      lost.linear -= dP;
      lost.angular -= dL + Cross(p_WC - origin, dP);
    }
  }
  // Where nobody asks before, the drift does it on its way.
  kick_ = kick;
  stored_ = loses || beside_contacts_ || !forms_.empty() || !outer_.empty();
  const int rows_before = data.report.num_rows;
  for (std::size_t n = 0; n < blocks_.size() && stored_; ++n) {
    StateLanes state = ReadState(StatesAt(data, blocks_[n].body));
    StoreBodies(data, n, h, state);
    StoreJoints(data, n, h);
  }
  if (loses) GiveMomentum(data, island, lost, true);
  if (!outer_.empty()) {
    StoreOuterRows(data);
    data.report.num_rows +=
        static_cast<int>(outer_rows_.size() + 3 * solver_.point_rows.size());
    island.num_rows = data.report.num_rows - rows_before;
  }
  if (!island.touches.empty()) StoreContacts(data, island);
  kick_factorisations_ = solver_.factorisations;
  kick_solves_ = solver_.solves;
  data.report.residual = std::max(
      {data.report.residual, solver_.residual, solver_.RowsResidual()});
  return true;
}

void TreeIsland::EndKickAnyway(Data& data, Island& island, double kick,
                               double h) {
  if (EndKick(data, island, kick, h)) return;
  ApplyTargets(1.0);
  solver_.SolveBounded(true);
  has_history_ = false;
  EndKick(data, island, kick, h);
}

// Share of the rates that damping leaves. It acts after the kick and alters all
// rates alike only for linear and angular parts of one rate; the small
// difference between the two is seen by the filter alone.
double TreeIsland::KeptShare(const Data& data, const Link& link,
                             double h) const {
  if (!has_damping_) return 1.0;
  return std::exp(-data.bodies[Index(link.body)].linear_damping * h);
}

// Impulses, rates and states of one joint's rows; returns their number.
int TreeIsland::StoreLink(const Data& data, std::size_t i, double h) {
  const Link& link = links_[i];
  const TreeNode& node = solver_.nodes[i];
  std::vector<double>& impulses = ConstraintAccess::impulses(*link.joint);
  std::vector<double>& rates = ConstraintAccess::last_rates(*link.joint);
  std::vector<LcpRowState>& states = ConstraintAccess::row_states(*link.joint);
  const Joint& joint = *link.joint;
  const int num_locked = 6 - joint.num_free();
  const Form& own = forms_[Index(link.form)];
  const JointForm& form = own.now;
  int count = num_locked;
  for (int k = 0; k < joint.num_free(); ++k) {
    count += RowsOf(joint.axis(k), form.free[Index(k)].has_position).count();
  }
  impulses.resize(Index(count));
  rates.resize(Index(count));
  states.resize(Index(count));
  const double kept = KeptShare(data, link, h);
  const TreeCoordinate* q = solver_.coordinates.data() + node.first_coordinate;
  for (int k = 0; k < num_locked; ++k) {
    if (link.num_held > 0) {
      impulses[Index(k)] = own.held[k].lambda;
      rates[Index(k)] = kept * own.held[k].share_u;
      states[Index(k)] = LcpRowState::kInterior;
    } else {
      impulses[Index(k)] = q->main_impulse;
      rates[Index(k)] = q->rate;
      states[Index(k)] = ToState(q->main_state);
      ++q;
    }
  }
  if (node.num_coordinates == 0) return count;
  std::size_t row = Index(num_locked);
  for (int k = 0; k < joint.num_free(); ++k, ++q) {
    const PoweredAxis& axis = joint.axis(k);
    const FreeRows act = RowsOf(axis, form.free[Index(k)].has_position);
    if (act.drive) {
      impulses[row] = std::clamp(q->main_impulse, q->lo, q->hi);
      rates[row] = q->rate - axis.target_speed;
      states[row++] = ToState(q->main_state);
    }
    if (act.lower) {
      const bool on = q->limit_state < 0;
      // Rounding must not show as a pull.
      impulses[row] = on ? std::max(0.0, q->limit_impulse) : 0.0;
      rates[row] = q->rate;
      states[row++] = on ? LcpRowState::kInterior : LcpRowState::kAtLo;
    }
    if (act.upper) {
      const bool on = q->limit_state > 0;
      impulses[row] = on ? std::min(0.0, q->limit_impulse) : 0.0;
      rates[row] = q->rate;
      states[row++] = on ? LcpRowState::kInterior : LcpRowState::kAtHi;
    }
  }
  return count;
}

}  // namespace limber::dynamics::internal
