// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tree_island.h"

#include <algorithm>
#include <cmath>

#include "dynamics/internal/leapfrog.h"
#include "dynamics/internal/tolerances.h"
#include "dynamics/internal/tree_island_parts.h"
#include "dynamics/internal/tree_solver_sweeps.h"

namespace limber::dynamics::internal {

using namespace projection;

using namespace tree_parts;

// Closing: gaps of the held directions after the drift.

namespace {

// Gaps wait until they have grown to this [m]: second order, as the step, and
// at most that of 240 Hz.
double WaitingGap(double h) { return std::min(2e-6, 0.12 * h * h); }

double LargestOf(const Vec& a) {
  return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)});
}

}  // namespace

// Gaps of the ball joints of a block whose bodies are at the given poses, and
// the largest of each: how far the joint of the parent is from that of the
// body. 0 for other links.
inline Lane TreeIsland::BallGap(const Block& block, const Data& data,
                                const QuatLanes& q_WC, const VecLanes& p_WC,
                                VecLanes& offset) const {
  const ConstPlaces parents = StatesAt(data, block.parent_body);
  const FourLanes q = Gather(parents, 0), p = Gather(parents, kStateP);
  const VecLanes o = (VecLanes{p.a, p.b, p.c} - p_WC) +
                     ToMat(QuatLanes{q.d, q.a, q.b, q.c}) * block.parent_point -
                     ToMat(q_WC) * block.own_point;
  const Lane zero{};
  offset = Choose(block.ball, o, {zero, zero, zero});
  return Larger(Larger(Size(offset.x), Size(offset.y)), Size(offset.z));
}

// Gaps below this wait for a later step; 0 if none may [m].
double TreeIsland::LargestWaitingGap(double h) const {
  const bool may_wait = outer_.empty() && !solver_.all_held() &&
                        (beside_contacts_ ? solver_.touching : only_balls_);
  if (!may_wait) return 0.0;
  return solver_.touching ? kWaitingBesideContacts : WaitingGap(h);
}

// Moves the bodies by their velocities for h seconds, with the gaps of the ball
// joints there as offsets of the trees. Returns the largest. Velocities are
// refreshed as well if nothing is going to turn the bodies any more, or is not
// expected to, and poses if something `asks` for them before.
double TreeIsland::Drift(Data& data, double h, bool asks) {
  const bool waits = gap_left_ + gap_growth_ < LargestWaitingGap(h);
  const bool last = refreshed_ = solver_.all_held() || waits;
  closing_started_ = !waits && forms_.empty();
  Lane gap{}, turn{};
  // Parents come before children.
  for (std::size_t n = 0; n < blocks_.size(); ++n) {
    const Block& block = blocks_[n];
    const std::array<Body*, kLanes> bodies = BodiesOf(data, block.body);
    const Places states = StatesOf(bodies);
    StateLanes state = ReadState(states);
    const Places motions = MotionsAt(data.motions, block.body);
    VecLanes v_before = state.v, w_before = state.w;
    if (stored_) {
      const FourLanes a = Gather(Read(motions), kMotionV);
      const FourLanes b = Gather(Read(motions), kMotionV + 2);
      v_before = {a.a, a.b, a.c};
      w_before = {b.b, b.c, b.d};
    } else {
      StoreBodies(data, n, h, state);
      StoreJoints(data, n, h);
    }
    KeepInstants(data, block, v_before, w_before, state);
    turn = Larger(turn, Dot(state.w, state.w));
    const QuatLanes q_WC = RotationsAfter(state, block.flow, bodies, h);
    const VecLanes p_WC = state.p_WC + h * state.v;
    WritePose(q_WC, p_WC, state.v.x, states);
    if (last) {
      RefreshFour(q_WC, p_WC, state.v, state.L, block.frames, bodies, motions);
    } else if (asks) {
      WritePoses(PosesOf(q_WC, p_WC, block.frames), p_WC, state.v.x, motions);
    }
    VecLanes offset;
    gap = Larger(gap, BallGap(block, data, q_WC, p_WC, offset));
    const std::size_t end = std::min(kLanes * (n + 1), links_.size());
    for (std::size_t i = kLanes * n; i < end; ++i) {
      if (block.ball[i % kLanes] != 0) {
        solver_.nodes[i].offset_linear = OneOf(offset, i % kLanes);
      }
      if (closing_started_) solver_.StartClosing(static_cast<int>(i));
    }
  }
  stored_ = true;
  largest_turn_ = h * std::sqrt(Largest(turn));
  return Largest(gap);
}

// Gaps of the hard rows at the present pose as offsets of the trees; arms and
// directions stay those of the kick unless `move_nodes`. Returns the largest.
double TreeIsland::SetClosing(Data& data, Island& island, Closing closing,
                              double h) {
  const bool move_nodes = closing == Closing::kAnew;
  double gap = 0.0;
  std::vector<TreeNode>& nodes = solver_.nodes;
  for (int i = 0; i < static_cast<int>(links_.size()); ++i) {
    Link& link = links_[Index(i)];
    TreeNode& node = nodes[Index(i)];
    if (link.joint == nullptr) {
      continue;
    }
    const Joint& joint = *link.joint;
    const BodyMotion& parent = data.motions[Index(link.joint_parent)];
    const BodyMotion& child = data.motions[Index(link.joint_child)];
    if (link.ball != nullptr) {
      const BodyMotion& own = data.motions[Index(link.body)];
      const BodyMotion& other = data.motions[Index(link.parent_body)];
      const Vec offset = ToVec(other.p_WB) +
                         Rotated(other.R_WB, link.PointOfParent()) -
                         ToVec(own.p_WB) - Rotated(own.R_WB, link.OwnPoint());
      gap = std::max(gap, LargestOf(offset));
      node.offset_linear = offset;
      if (!move_nodes) continue;
      SetBase(data, i, ToVec(child.p_WB) + Rotated(child.R_WB, link.p_BM));
      if (node.kind == TreeNode::Kind::kMixed) {
        const Mat R_WF = ToMat(parent.R_WB) * ToMat(joint.R_PF());
        for (int k = 0; k < 3; ++k) {
          solver_.coordinates[Index(node.first_coordinate + k)].angular =
              link.sign * Column(R_WF, k);
        }
      }
      continue;
    }
    Form& own = forms_[Index(link.form)];
    JointForm& form = own.now;
    // What turns little, or is far from its limits, is not measured anew: the
    // points of the joint tell its gap, the kick its angles, up to the square
    // of the turn. So does the first look once a closing has moved the bodies.
    // The next step sees what that leaves.
    const int first_free = link.num_held > 0 ? 0 : form.num_locked;
    const bool again = closing == Closing::kAgain;
    if (closing == Closing::kFirst) {
      link.from_kick = link.sequence != nullptr && link.num_held > 0;
      for (int k = 0; k < form.num_free && link.from_kick; ++k) {
        const int q = node.first_coordinate + first_free + k;
        const double turn = h * solver_.coordinates[Index(q)].rate;
        const double position = form.free[Index(k)].position + turn;
        const PoweredAxis& axis = joint.axis(k);
        link.from_kick =
            (link.slow && std::abs(turn) < kSlowTurn) ||
            (std::abs(turn) < kFastTurn && position - axis.lower > kFarLimit &&
             axis.upper - position > kFarLimit);
      }
    }
    if (move_nodes) link.from_kick = false;
    const bool from_kick = link.from_kick;
    const bool from_points =
        from_kick || (again && link.sequence != nullptr && link.num_held > 0);
    if (!from_points && link.sequence != nullptr) {
      link.sequence->EvaluateSequence(parent, child, form);
    } else if (!from_points) {
      joint.Evaluate(parent, child, form);
    }
    // What the closing before turned the joint by.
    Vec closing_turn;
    if (from_points && again) {
      closing_turn = node.w + node.dw;
      if (node.parent >= 0) {
        const TreeNode& above = nodes[Index(node.parent)];
        closing_turn -= above.w + above.dw;
      }
      closing_turn = link.sign * closing_turn;
    }
    // Excess over limits, by free direction. One that did not hold in the kick
    // is closed with a new factor.
    double excess[6] = {};
    for (int k = 0; k < form.num_free; ++k) {
      TreeCoordinate& q =
          solver_.coordinates[Index(node.first_coordinate + first_free + k)];
      double position = form.free[Index(k)].position;
      if (from_kick) position += h * q.rate;
      if (from_points) {
        position += Dot(ToVec(form.free[Index(k)].row_angular), closing_turn);
      }
      const PoweredAxis& axis = joint.axis(k);
      const double over = !form.free[Index(k)].has_position ? 0.0
                          : position < axis.lower ? position - axis.lower
                          : position > axis.upper ? position - axis.upper
                                                  : 0.0;
      const bool surprise =
          !q.locked && q.limit_state == 0 && std::abs(over) > kSurprise;
      q.closes = q.s_limit == 0.0 &&
                 (q.limit_state != 0 || (move_nodes && over != 0.0));
      if (q.s_limit > 0.0 || (!q.closes && !surprise)) continue;
      if (!move_nodes && surprise) limit_surprise_ = true;
      excess[k] = std::clamp(over, -kMostAtOnce, kMostAtOnce);
      // What is left of a larger one waits for the next step.
      gap = std::max(gap, excess[k] == over
                              ? std::abs(over)
                              : std::min(std::abs(over), std::sqrt(kClosed)));
    }
    if (!move_nodes) {
      node.offset_linear = node.offset_angular = Vec{};
      if (from_points) {
        const BodyMotion& body = data.motions[Index(link.body)];
        const BodyMotion& other = data.motions[Index(link.parent_body)];
        node.offset_linear =
            ToVec(other.p_WB) + Rotated(other.R_WB, link.PointOfParent()) -
            ToVec(body.p_WB) - Rotated(body.R_WB, link.OwnPoint());
        gap = std::max(gap, LargestOf(node.offset_linear));
      }
      for (int k = 0; k < link.num_held && !from_points; ++k) {
        const double C = form.locked[Index(k)].error;
        gap = std::max(gap, std::abs(C));
        node.offset_linear -= C * own.column_linear[k];
        node.offset_angular -= C * own.column_angular[k];
      }
      for (int k = 0; k < form.num_free; ++k) {
        if (excess[k] == 0.0) continue;
        const int column = form.num_locked + k;
        node.offset_linear -= excess[k] * own.column_linear[column];
        node.offset_angular -= excess[k] * own.column_angular[column];
      }
      continue;
    }
    const Vec child_point = ToVec(form.child_point);
    const Vec parent_point = ToVec(form.parent_point);
    SetBase(data, i, link.sign > 0.0 ? child_point : parent_point);
    node.l += link.sign > 0.0 ? parent_point - child_point
                              : child_point - parent_point;
    Matrix6 columns;
    if (link.euler) {
      columns.setZero();
      for (int k = 0; k < 3; ++k) {
        columns.col(k).head<3>() = form.locked[Index(k)].linear;
        columns.col(3 + k).tail<3>() = form.free[Index(k)].column_angular;
      }
    } else {
      columns = RowsOfForm(form).inverse();
    }
    for (int k = 0; k < link.num_held; ++k) {
      gap = std::max(gap, std::abs(form.locked[Index(k)].error));
    }
    node.offset_linear = node.offset_angular = Vec{};
    const int first = link.num_held > 0 ? form.num_locked : 0;
    for (int k = 0; k < 6; ++k) {
      const Vec linear =
          link.sign * Vec{columns(0, k), columns(1, k), columns(2, k)};
      const Vec angular =
          link.sign * Vec{columns(3, k), columns(4, k), columns(5, k)};
      if (k < link.num_held) {
        const double C = form.locked[Index(k)].error;
        node.offset_linear -= C * linear;
        node.offset_angular -= C * angular;
      } else {
        TreeCoordinate& q =
            solver_.coordinates[Index(node.first_coordinate + k - first)];
        q.linear = linear;
        q.angular = angular;
        if (k >= form.num_locked) {
          node.offset_linear -= excess[k - form.num_locked] * linear;
          node.offset_angular -= excess[k - form.num_locked] * angular;
        }
      }
    }
  }

  solver_.aux_rows.clear();
  solver_.aux_entries.clear();
  if (outer_.empty()) return gap;
  data.rows.Clear();
  island.first_row = 0;
  for (const Outer& outer : outer_) {
    if (!outer.closes && !(keeps_limits_ && outer.limits != nullptr)) continue;
    const int first = data.rows.size();
    data.constraints[Index(outer.constraint)]->AddRows(data.motions, data.time,
                                                       data.rows);
    for (int r = first; r < data.rows.size(); ++r) {
      gap = std::max(gap, AddClosingRow(data, outer, r, r - first, h));
    }
  }
  return gap;
}

// Row `r` of data.rows, the `i`th one of `outer`, as a row of the closing if it
// takes part. Returns its gap.
double TreeIsland::AddClosingRow(const Data& data, const Outer& outer, int r,
                                 int i, double h) {
  const RowBuffer::Row& row = data.rows.row(r);
  const bool limit =
      keeps_limits_ && IsAngleLimit(row) && std::abs(row.error) < kNearLimit;
  SpringGap spring{row.error, 0.0};
  const bool takes_part =
      limit || IsHardJointRow(row) ||
      (outer.force && FindSpringGap(*data.constraints[Index(outer.constraint)],
                                    Index(i), row, h, spring));
  if (!takes_part) return 0.0;
  TreeAuxRow aux;
  if (limit) {
    // The room may be used up; what is passed already does not grow.
    const bool lower = row.settings.hi > 0.0;
    aux.u = lower ? -std::max(row.error, 0.0) : -std::min(row.error, 0.0);
    aux.lo = lower ? 0.0 : -kInfinity;
    aux.hi = lower ? kInfinity : 0.0;
    aux.state = lower ? LcpRowState::kAtLo : LcpRowState::kAtHi;
  } else {
    aux.u = -spring.gap;
    aux.s = spring.softness;
    aux.lo = -kInfinity;
    aux.hi = kInfinity;
  }
  aux.first_entry = static_cast<int>(solver_.aux_entries.size());
  for (const RowBuffer::Entry& entry : data.rows.entries(r)) {
    if (!data.bodies[Index(entry.body)].dynamic()) continue;
    const int n = node_of_body_[entry.body];
    const TreeNode& node = solver_.nodes[Index(n)];
    const Vec linear = ToVec(entry.linear);
    solver_.aux_entries.push_back(
        {n, linear, ToVec(entry.angular) + Cross(node.r, linear)});
    ++aux.num_entries;
  }
  solver_.aux_rows.push_back(aux);
  return limit ? 0.0 : std::abs(spring.gap);
}

// Moves the bodies by a share of what the closing found, and keeps their poses
// before that.
void TreeIsland::MoveBodies(double share, Data& data, Moved& moved) {
  const VecLanes gravity = AllLanes(ToVec(data.settings.gravity));
  const bool straight = solver_.all_held() && solver_.aux_rows.empty();
  const Lane zero{};
  Lane height = zero, largest = zero, turn = zero;
  VecLanes missing = {zero, zero, zero};
  for (std::size_t n = 0; n < blocks_.size(); ++n) {
    Block& block = blocks_[n];
    solver_.FinishClosing(
        static_cast<int>(kLanes * n),
        static_cast<int>(std::min(kLanes * (n + 1), links_.size())));
    const std::array<Body*, kLanes> bodies = BodiesOf(data, block.body);
    const Places states = StatesOf(bodies);
    const StateLanes state = ReadState(states);
    block.q_before = state.q_WC;
    block.p_before = state.p_WC;
    const ConstPlaces nodes = Read(NodePlaces(n));
    const FourLanes arm = Gather(nodes, kNodeR);
    // x, w, dx, dw
    const FourLanes a = Gather(nodes, kNodeX), b = Gather(nodes, kNodeX + 4);
    const FourLanes c = Gather(nodes, kNodeX + 8);
    const VecLanes w = {a.d + c.b, b.a + c.c, b.b + c.d};
    const VecLanes v = VecLanes{a.a + b.c, a.b + b.d, a.c + c.a} +
                       Cross(w, VecLanes{arm.a, arm.b, arm.c});
    const VecLanes dp = share * v;
    const VecLanes dw = share * w;
    const VecLanes p_WC = state.p_WC + dp;
    height += block.mass * Dot(gravity, dp);
    missing -= Cross(block.mass * dp, state.v);
    largest = Larger(largest, Dot(dp, dp));
    turn = Larger(turn, Dot(dw, dw));
    const LaneMask turns = (dw.x != zero) | (dw.y != zero) | (dw.z != zero);
    const Places motions = MotionsAt(data.motions, block.body);
    if (straight && !Any(turns)) {
      // Drift has refreshed all. Held hinges may have to turn, balls never do.
      Scatter(p_WC.x, p_WC.y, p_WC.z, state.v.x, states, kStateP);
      ConstPlaces from = Read(motions);
      const FourLanes p = Gather(from, 12);
      Scatter(p.a, p.b + dp.x, p.c + dp.y, p.d + dp.z, motions, 12);
      Scatter(p_WC.x, p_WC.y, p_WC.z, state.v.x, motions, kMotionC);
      continue;
    }
    QuatLanes q_WC = Turned(dw, state.q_WC);
    if (straight) {
      q_WC = {turns ? q_WC.w : state.q_WC.w, turns ? q_WC.x : state.q_WC.x,
              turns ? q_WC.y : state.q_WC.y, turns ? q_WC.z : state.q_WC.z};
    }
    WritePose(q_WC, p_WC, state.v.x, states);
    RefreshFour(q_WC, p_WC, state.v, state.L, block.frames, bodies, motions);
  }
  moved.height = Sum(height);
  moved.missing = {Sum(missing.x), Sum(missing.y), Sum(missing.z)};
  moved.turn = Largest(turn);
  moved.largest = std::max(Largest(largest), moved.turn);
}

// One closing: moves the bodies so that the offsets vanish, but none by more
// than kMaxClosing. Returns the largest gap that ball joints have then (0 where
// all is held), or a negative number if there is no answer.
double TreeIsland::Move(bool factorise, bool predicted, Data& data,
                        Island& island) {
  if (!solver_.SolveClosing(factorise, predicted)) return -1.0;
  Moved moved;
  MoveBodies(1.0, data, moved);
  if (moved.largest > kMaxClosing * kMaxClosing) {
    MoveBack(data);
    const double share = kMaxClosing / std::sqrt(moved.largest);
    MoveBodies(share, data, moved);
  }
  data.energy_bank[Index(island.bodies.front())] -= moved.height;
  missing_ += moved.missing;
  if (solver_.all_held()) return 0.0;
  // A turn by a of an arm r that is off by a turn b leaves a gap of at most
  // r a (a/2 + b), on both sides of a joint. Only what may be more than a share
  // of kSmallGap is measured.
  if (!factorise && moved.largest <= kMaxClosing * kMaxClosing) {
    const double a = std::sqrt(moved.turn);
    const double most = 2.0 * longest_arm_ * a * (a + 2.0 * largest_turn_);
    if (most < 0.5 * kSmallGap) return most;
  }
  VecLanes offset;
  Lane gaps{};
  for (const Block& block : blocks_) {
    const StateLanes state = ReadState(StatesAt(data, block.body));
    gaps = Larger(gaps, BallGap(block, data, state.q_WC, state.p_WC, offset));
  }
  return Largest(gaps);
}

void TreeIsland::MoveBack(Data& data) {
  for (const Block& block : blocks_) {
    const std::array<Body*, kLanes> bodies = BodiesOf(data, block.body);
    const Places states = StatesOf(bodies);
    const StateLanes state = ReadState(states);
    WritePose(block.q_before, block.p_before, state.v.x, states);
    RefreshFour(block.q_before, block.p_before, state.v, state.L, block.frames,
                bodies, MotionsAt(data.motions, block.body));
  }
}

// Motions and velocities from poses and momenta.
void TreeIsland::RefreshBodies(Data& data) {
  for (const Block& block : blocks_) {
    const std::array<Body*, kLanes> bodies = BodiesOf(data, block.body);
    const StateLanes state = ReadState(StatesOf(bodies));
    RefreshFour(state.q_WC, state.p_WC, state.v, state.L, block.frames, bodies,
                MotionsAt(data.motions, block.body));
  }
}

void TreeIsland::DriftAndClose(Data& data, Island& island, double h) {
  solver_.factorisations = kick_factorisations_;
  solver_.solves = kick_solves_;
  solver_.aux_rows.clear();
  missing_ = Vec{};
  closing_gain_ = 0.0;
  limit_surprise_ = false;
  const bool asks = !forms_.empty() || std::any_of(outer_.begin(), outer_.end(),
                                                   [](const Outer& outer) {
                                                     return outer.closes;
                                                   });
  double gap = Drift(data, h, asks);
  keeps_limits_ = false;
  if (asks) gap = SetClosing(data, island, Closing::kFirst, h);
  gap_growth_ = gap - gap_left_;
  gap_left_ = gap;
  const bool pushes = SetPushes(data, island);
  if (gap >= LargestWaitingGap(h) || pushes || limit_surprise_) {
    CloseGaps(gap, pushes, closing_started_ && !asks, data, island, h);
    gap_left_ = 0.0;
  } else if (!refreshed_) {
    RefreshBodies(data);
  }
  if (island.free) {
    GiveMomentum(data, island, {Vec{}, missing_, closing_gain_}, false);
  } else {
    PayForClosing(data, island, closing_gain_);
  }
  StepReport& report = data.report;
  report.factorisations =
      std::max(report.factorisations, solver_.factorisations);
  report.solves = std::max(report.solves, solver_.solves);
}

void TreeIsland::CloseGaps(double gap, bool pushes, bool predicted, Data& data,
                           Island& island, double h) {
  // Gaps below this are closed; of larger ones a twentieth may be left.
  // Contacts resist, and give way in the next steps.
  const double small_gap = solver_.touching ? kSmallBesideContacts : kSmallGap;
  SetRooms(data, island, h);
  keeps_limits_ =
      gap > kTurningGap &&
      std::any_of(outer_.begin(), outer_.end(),
                  [](const Outer& outer) { return outer.limits != nullptr; });
  // The kick's factor errs by about the turn of the step.
  const bool kick_factor =
      (gap > 0.0 || pushes) &&
      (largest_turn_ < kShareLeft || largest_turn_ * gap < small_gap) &&
      solver_.aux_rows.empty() && !limit_surprise_ && !keeps_limits_;
  if (kick_factor) {
    const double bank = data.energy_bank[Index(island.bodies.front())];
    double left = Move(false, predicted, data, island);
    // If everything moved in straight lines, it is exact.
    if (solver_.all_held()) return;
    if (!forms_.empty()) left = SetClosing(data, island, Closing::kAgain, h);
    const bool meets = MeetContacts();
    if (!meets && (left < small_gap || left < kShareLeft * gap)) return;
    MoveBack(data);
    SetPushes(data, island);
    SetRooms(data, island, h);
    data.energy_bank[Index(island.bodies.front())] = bank;
    missing_ = Vec{};
  } else if (!refreshed_) {
    RefreshBodies(data);
  }
  if (gap == 0.0 && !pushes) return;
  bool closed = false;
  const double before = SpinEnergy(data, island);
  for (int round = 0; round < kMaxClosings; ++round) {
    // Beside contacts the last closing may have passed limits that were open.
    if (closed && SetClosing(data, island, Closing::kAgain, h) <= kTurningGap)
      break;
    gap = SetClosing(data, island, Closing::kAnew, h);
    // Contradictory loops cannot be closed; the next kick reports them.
    if ((gap == 0.0 && !(pushes && round == 0)) ||
        Move(true, false, data, island) < 0.0) {
      break;
    }
    // A Newton step squares a gap below one.
    closed = !MeetContacts() && gap <= std::sqrt(kClosed);
    if (closed && (forms_.empty() || !solver_.touching)) break;
  }
  closing_gain_ = SpinEnergy(data, island) - before;
}

}  // namespace limber::dynamics::internal
