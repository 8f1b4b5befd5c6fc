// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "dynamics/internal/drive_friction.h"
#include "dynamics/internal/leapfrog.h"
#include "dynamics/internal/tree_island.h"
#include "dynamics/internal/tree_island_parts.h"

namespace limber::dynamics::internal {

using namespace tree_parts;

// Ball joints about the axes of F, without going through their form, four at a
// time.

namespace {

inline ConstPlaces PlacesOf(const std::vector<BodyMotion>& motions,
                            const std::array<int, kLanes>& bodies) {
  const auto at = [&](std::size_t k) {
    return NumbersOf(motions[Index(bodies[k])]);
  };
  return {at(0), at(1), at(2), at(3)};
}

inline QuatLanes ReadRotation(const ConstPlaces& motions) {
  const FourLanes q = Gather(motions, 0);
  return {q.d, q.a, q.b, q.c};
}

// The rotation vectors of four unit quaternions: the series of the arc sine,
//     asin(s) = s (1 + s^2/6 + 3 s^4/40 + ...) ,
// is exact to rounding up to half angles of 0.39 rad; beyond, one by one.
inline VecLanes Logarithm(const QuatLanes& q) {
  constexpr double kMost = 0.15;
  constexpr int kTerms = 18;
  static constexpr std::array<double, kTerms> kSeries = [] {
    std::array<double, kTerms> c{};
    double binomial = 1.0;  // (2k)! / (4^k k!^2)
    for (int k = 0; k < kTerms; ++k) {
      c[static_cast<std::size_t>(k)] = binomial / (2 * k + 1);
      binomial *= (2.0 * k + 1.0) / (2.0 * k + 2.0);
    }
    return c;
  }();
  const Lane t = q.x * q.x + q.y * q.y + q.z * q.z;
  Lane f = AllLanes(kSeries[kTerms - 1]);
#pragma GCC unroll 20
  for (int k = kTerms - 2; k >= 0; --k) {
    f = f * t + kSeries[static_cast<std::size_t>(k)];
  }
  const Lane g = (q.w < AllLanes(0.0) ? AllLanes(-2.0) : AllLanes(2.0)) * f;
  VecLanes o = {g * q.x, g * q.y, g * q.z};
  const LaneMask far = t > AllLanes(kMost);
  if (!Any(far)) return o;
  for (std::size_t k = 0; k < kLanes; ++k) {
    if (far[k] == 0) continue;
    SetOne(o, k,
           ToVec(LogRotation(Quaternion(q.w[k], q.x[k], q.y[k], q.z[k]))));
  }
  return o;
}

constexpr double kNothing[3] = {0.0, 0.0, 0.0};

}  // namespace

// Sees which drives the ball joint of node i has, and notes their numbers if
// they are alike.
void TreeIsland::ReadBallDrives(std::size_t i) {
  using Drive = PoweredAxis::Drive;
  Link& link = links_[i];
  const PoweredAxis& x = link.ball->axis(0);
  const PoweredAxis& y = link.ball->axis(1);
  const PoweredAxis& z = link.ball->axis(2);
  const auto aims = [](const PoweredAxis& axis) {
    return axis.drive == Drive::kPosition || axis.drive == Drive::kSpring;
  };
  const int num_drives = (x.drive != Drive::kNone) + (y.drive != Drive::kNone) +
                         (z.drive != Drive::kNone);
  // Not to be written for nothing.
  if (num_drives == 0 && link.num_drives == 0) return;
  link.num_drives = num_drives;
  link.aims = link.alike = false;
  if (num_drives == 0) return;
  link.aims = aims(x) || aims(y) || aims(z);
  link.alike = x.drive == y.drive && x.drive == z.drive &&
               x.softness == y.softness && x.softness == z.softness &&
               x.stiffness == y.stiffness && x.stiffness == z.stiffness &&
               x.damping == y.damping && x.damping == z.damping &&
               x.max_force > 0.0 && y.max_force > 0.0 && z.max_force > 0.0 &&
               x.friction + y.friction + z.friction == 0.0;
  if (!link.alike) return;
  const bool spring = x.drive == Drive::kSpring;
  if (spring && x.stiffness + x.damping <= 0.0) {
    link.alike = false;
    return;
  }
  Block& block = blocks_[i / kLanes];
  // The last node stands in all places that are left, and is written from each.
  const std::size_t first = i % kLanes;
  const std::size_t end = i + 1 == links_.size() ? kLanes : first + 1;
  for (std::size_t k = first; k < end; ++k) {
    block.spring[k] = spring ? -1 : 0;
    block.position[k] = x.drive == Drive::kPosition ? -1 : 0;
    block.softness[k] = x.softness;
    block.stiffness[k] = spring ? x.stiffness : 0.0;
    block.damping[k] = spring ? x.damping : 1.0;
    SetOne(block.speed, k, {x.target_speed, y.target_speed, z.target_speed});
    SetOne(block.most_force, k, {x.max_force, y.max_force, z.max_force});
  }
}

// Everything of the ball joints of block n that does not wait for the parent.
// Returns whether all of them remember their last rates.
bool TreeIsland::EvaluateBalls(const Data& data, std::size_t n,
                               const StateLanes& own, const MatLanes& own_R,
                               double tension_scale, double kick, double h,
                               BallStart& start) {
  Block& block = blocks_[n];
  TreeBallBlock& balls = solver_.balls[n];
  const StateLanes other = ReadState(StatesAt(data, block.parent_body));
  const MatLanes other_R = ToMat(other.q_WC);
  // The reference point is that of the joint's child; F is in its parent.
  const VecLanes own_arm = own_R * block.own_point;
  VecLanes r = -own_arm;
  VecLanes from_parent = (own.p_WC - other.p_WC) + own_arm;
  MatLanes R_WC = other_R;
  if (block.backward) {
    const LaneMask forward = block.sign > AllLanes(0.0);
    const VecLanes arm = other_R * block.parent_point;
    r = Choose(forward, r, (own.p_WC - other.p_WC) - arm);
    from_parent = Choose(forward, from_parent, arm);
    for (int i = 0; i < 9; ++i) {
      R_WC.m[i] = forward ? other_R.m[i] : own_R.m[i];
    }
  }
  balls.R_WF = block.parallel ? R_WC : R_WC * block.R_CF;
  const MatLanes& R_WF = balls.R_WF;
  start.from_parent = from_parent;

  // What the joints remember: rates of the held rows and their impulses.
  ConstPlaces last, impulses;
  std::array<double, kLanes> remembers;
  bool history = true;
  bool driven = false, aims = false, alike = false;
  for (std::size_t k = 0; k < kLanes; ++k) {
    const Link& link = links_[std::min(kLanes * n + k, links_.size() - 1)];
    last[k] = impulses[k] = kNothing;
    remembers[k] = 0.0;
    balls.simple[k] = 0;
    if (link.ball == nullptr) continue;
    driven = driven || link.num_drives > 0;
    aims = aims || link.aims;
    alike = alike || link.alike;
    const std::vector<double>& rates =
        ConstraintAccess::last_rates(*link.joint);
    if (rates.size() == Index(3 + link.num_drives)) {
      last[k] = rates.data();
      remembers[k] = 1.0;
    } else {
      history = false;
    }
    const std::span<const double> pushed = link.joint->impulses();
    if (pushed.size() >= 3) impulses[k] = pushed.data();
  }
  const VecLanes f = GatherVec(impulses, 0);
  block.lambda = f;
  start.force = tension_scale * SquareRoot(Dot(f, f));

  // Held: d_v in axes of F.
  const VecLanes apart =
      own.v - Cross(own.w, r) - other.v - Cross(other.w, from_parent);
  const VecLanes d_v = block.sign * TransposedTimes(R_WF, apart);
  const VecLanes before = GatherVec(last, 0);
  block.rate = d_v;
  const Lane mirrored =
      Lane{remembers[0], remembers[1], remembers[2], remembers[3]} *
      ShareOfMirror(Larger(Dot(own.w, own.w), Dot(other.w, other.w)), h,
                    JointsAlone());
  block.u = mirrored * ((0.5 * kFilter) * (d_v + before) - d_v);
  const VecLanes offset = block.sign * (R_WF * block.u);
  const Places nodes = NodePlaces(n);
  // What comes after these in a node is set later.
  Scatter(r.x, r.y, r.z, r.z, nodes, kNodeR);
  Scatter(offset.x, offset.y, offset.z, offset.z, nodes, kNodeOffset);
  if (!driven) return history;

  start.guess = block.sign * TransposedTimes(R_WF, own.w - other.w);
  const Lane zero = AllLanes(0.0);
  start.error = {zero, zero, zero};
  if (aims) {
    const ConstPlaces p = PlacesOf(data.predicted, block.joint_parent);
    const ConstPlaces c = PlacesOf(data.predicted, block.joint_child);
    const QuatLanes q_WF = ReadRotation(p) * block.q_PF;
    const QuatLanes q_WM = ReadRotation(c) * block.q_BM;
    // Coefficients lie as x, y, z, w.
    static constexpr double kStraight[4] = {0.0, 0.0, 0.0, 1.0};
    ConstPlaces targets;
    for (std::size_t k = 0; k < kLanes; ++k) {
      const Link& link = links_[std::min(kLanes * n + k, links_.size() - 1)];
      targets[k] = link.ball != nullptr ? link.ball->target().coeffs().data()
                                        : kStraight;
    }
    const QuatLanes target = ReadRotation(targets);
    start.error = Logarithm(Conjugate(q_WF) * q_WM * Conjugate(target));
  }
  if (!alike) return history;

  // C(t + h) = C of free drift + h (q'+ - q') shall be 0, and springs as
  // `LeapfrogTarget` says.
  const Lane per_h = AllLanes(1.0 / h);
  const Lane most_speed =
      (kMostTurn / h) * ShareOfSpin(Dot(start.guess, start.guess), h);
  const Lane hk_d = h * block.stiffness + block.damping;
  const Lane per_hk_d = 1.0 / hk_d;
  const auto u_of = [&](const Lane& guess, const Lane& error,
                        const Lane& speed) -> Lane {
    const Lane aimed =
        Larger(-most_speed, Smaller(most_speed, guess - error * per_h));
    const Lane sprung =
        (block.damping * speed - block.stiffness * (error - h * guess)) *
        per_hk_d;
    return block.spring ? sprung : block.position ? aimed : speed;
  };
  balls.u = {u_of(start.guess.x, start.error.x, block.speed.x),
             u_of(start.guess.y, start.error.y, block.speed.y),
             u_of(start.guess.z, start.error.z, block.speed.z)};
  balls.s = block.softness + (block.spring ? per_hk_d * per_h : zero);
  balls.most = kick * block.most_force;
  const VecLanes q0 = block.sign * (R_WF * balls.u);
  const Lane d = balls.s > zero ? 1.0 / balls.s : zero;
  Scatter(q0.x, q0.y, q0.z, d, nodes, kNodeDrive);
  return history;
}

// The drives of the ball joint of node i.
void TreeIsland::StartDrives(const Data& data, std::size_t i,
                             const BallStart& start, double kick, double h) {
  const Link& link = links_[i];
  TreeNode& node = solver_.nodes[i];
  const std::size_t lane = i % kLanes;
  const std::vector<LcpRowState>& states =
      ConstraintAccess::row_states(*link.joint);
  if (link.alike && !beside_contacts_) {
    const auto inside = [&](std::size_t row) {
      return row >= states.size() || states[row] == LcpRowState::kInterior;
    };
    if (inside(3) && inside(4) && inside(5)) {
      node.simple = true;
      solver_.balls[i / kLanes].simple[lane] = -1;
      return;
    }
  }
  node.num_coordinates = 3;
  const Mat R_WF = OneOf(solver_.balls[i / kLanes].R_WF, lane);
  const double guess[3] = {start.guess.x[lane], start.guess.y[lane],
                           start.guess.z[lane]};
  const double error[3] = {start.error.x[lane], start.error.y[lane],
                           start.error.z[lane]};
  const double per_h = 1.0 / h;
  const double spin2 =
      guess[0] * guess[0] + guess[1] * guess[1] + guess[2] * guess[2];
  const double most_speed = kMostTurn * per_h * ShareOfSpin(spin2, h);
  std::size_t row = 3;
  for (int k = 0; k < 3; ++k) {
    const PoweredAxis& axis = link.ball->axis(k);
    TreeCoordinate& q = solver_.coordinates[Index(node.first_coordinate + k)];
    q.angular = link.sign * Column(R_WF, k);
    q.guess = guess[k];
    q.s = axis.softness;
    q.lo = -axis.max_force * kick;
    q.hi = axis.max_force * kick;
    q.other = -1;
    q.has_main = axis.drive != PoweredAxis::Drive::kNone;
    switch (axis.drive) {
      case PoweredAxis::Drive::kNone:
        break;
      case PoweredAxis::Drive::kSpeed:
        q.u = axis.target_speed;
        break;
      case PoweredAxis::Drive::kPosition:
        q.u = std::clamp(q.guess - error[k] * per_h, -most_speed, most_speed);
        break;
      case PoweredAxis::Drive::kSpring: {
        const double stiffness = axis.stiffness;
        const double hk_d = h * stiffness + axis.damping;
        if (hk_d <= 0.0) {
          q.lo = q.hi = 0.0;
          break;
        }
        q.u = -(stiffness * (error[k] - h * q.guess) -
                axis.damping * axis.target_speed) /
              hk_d;
        q.s += 1.0 / (h * hk_d);
        break;
      }
    }
    if (axis.has_friction()) {
      StartFriction(axis, RowForceBefore(data, *link.joint, row), kick, q);
    }
    q.main_state = q.limit_state = 0;
    if (q.has_main) {
      if (row < states.size()) {
        q.main_state = ToInt(states[row]);
        if (solver_.touching) q.main_impulse = link.ball->impulses()[row];
      }
      ++row;
    }
  }
}

// Impulses of the held rows, lambda = +-R^T F, the sum of their squares and
// their work but for what the tension inertia keeps back.
void TreeIsland::ReadBallImpulses() {
  const Lane zero = AllLanes(0.0);
  Lane squares = zero, work = zero;
  // The sweep down has left the last ones in the cache.
  for (std::size_t n = blocks_.size(); n-- > 0;) {
    Block& block = blocks_[n];
    const FourLanes F = Gather(Read(NodePlaces(n)), kNodeForce);
    const VecLanes lambda =
        block.sign *
        TransposedTimes(solver_.balls[n].R_WF, VecLanes{F.a, F.b, F.c});
    block.lambda = lambda;
    const LaneMask counts = block.ball & block.real;
    squares += counts ? Dot(lambda, lambda) : zero;
    work += counts ? 0.5 * Dot(lambda, block.rate + share_ * block.u) : zero;
    if (any_tight_) work += ReadTightTorques(n);
  }
  impulse_squares_ += Sum(squares);
  plain_work_ += Sum(work);
}

// Work of the held rows by the present or the first impulses, for rates that
// are the present or the first ones.
double TreeIsland::BallWork(bool first_lambda, bool first_rate) const {
  const Lane zero = AllLanes(0.0);
  Lane work = zero;
  const double share = first_rate ? 1.0 : share_;
  for (std::size_t n = 0; n < blocks_.size(); ++n) {
    const Block& block = blocks_[n];
    const VecLanes& lambda = first_lambda ? first_lambda_[n] : block.lambda;
    work += block.ball & block.real
                ? 0.5 * Dot(lambda, block.rate + share * block.u)
                : zero;
  }
  return Sum(work);
}

// Targets of the held rows, u0 + share (u - u0), u0 = 0.
void TreeIsland::ApplyBallTargets() {
  for (std::size_t n = 0; n < blocks_.size(); ++n) {
    const Block& block = blocks_[n];
    const VecLanes offset =
        (share_ * block.sign) * (solver_.balls[n].R_WF * block.u);
    for (std::size_t k = 0; k < kLanes; ++k) {
      if (block.ball[k] == 0 || block.real[k] == 0) continue;
      solver_.nodes[kLanes * n + k].offset_linear = OneOf(offset, k);
    }
  }
}

// Stores impulses, rates and states of the rows of one ball joint; returns
// their number. `kept` is the share of the rates that damping leaves.
int TreeIsland::StoreBall(std::size_t i, double kept) {
  const Link& link = links_[i];
  const Block& block = blocks_[i / kLanes];
  const std::size_t lane = i % kLanes;
  std::vector<double>& impulses = ConstraintAccess::impulses(*link.joint);
  std::vector<double>& rates = ConstraintAccess::last_rates(*link.joint);
  std::vector<LcpRowState>& states = ConstraintAccess::row_states(*link.joint);
  const std::size_t count = Index(3 + link.num_drives);
  if (impulses.size() != count || rates.size() != count ||
      states.size() != count) {
    impulses.resize(count);
    rates.resize(count);
    // Held rows are never anything else.
    states.assign(count, LcpRowState::kInterior);
  }
  impulses[0] = block.lambda.x[lane];
  impulses[1] = block.lambda.y[lane];
  impulses[2] = block.lambda.z[lane];
  rates[0] = kept * block.u.x[lane];
  rates[1] = kept * block.u.y[lane];
  rates[2] = kept * block.u.z[lane];
  if (count == 3) return 3;
  const TreeNode& node = solver_.nodes[i];
  if (node.simple) {
    // rate = u - s lambda
    const TreeBallBlock& drive = solver_.balls[i / kLanes];
    const Vec lambda = OneOf(drive.lambda, lane);
    const Vec most = OneOf(drive.most, lane);
    const Vec speed = OneOf(block.speed, lane);
    const Vec rate = OneOf(drive.u, lane) - drive.s[lane] * lambda - speed;
    impulses[3] = std::clamp(lambda.x, -most.x, most.x);
    impulses[4] = std::clamp(lambda.y, -most.y, most.y);
    impulses[5] = std::clamp(lambda.z, -most.z, most.z);
    rates[3] = rate.x;
    rates[4] = rate.y;
    rates[5] = rate.z;
    states[3] = states[4] = states[5] = LcpRowState::kInterior;
    return 6;
  }
  const TreeCoordinate* q = solver_.coordinates.data() + node.first_coordinate;
  std::size_t row = 3;
  for (int k = 0; k < 3; ++k, ++q) {
    if (!q->has_main) continue;
    impulses[row] = std::clamp(q->main_impulse, q->lo, q->hi);
    rates[row] = q->rate - link.ball->axis(k).target_speed;
    states[row++] = ToState(q->main_state);
  }
  return static_cast<int>(count);
}

}  // namespace limber::dynamics::internal
