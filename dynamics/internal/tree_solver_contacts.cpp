// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "dynamics/internal/tree_solver.h"

// Islands that touch something: Newton's method on phi with all contacts, their
// friction cones and the limits of the joints at once, the friction bounds
// following the normal impulses on the way. docs/contact_world.md, section
// "Solver".

namespace limber::dynamics::internal {

namespace {

double Length(double a, double b) { return std::sqrt(a * a + b * b); }

/// Rows may be off by this much: contacts [m/s], limits of joints [rad/s, m/s].
constexpr double kSpeed = 1e-4;
constexpr double kLimitSpeed = 1e-3;
/// Softness lent to hard limits, as a share of what the body alone answers.
constexpr double kLentShare = 3e-4;
/// The same for hard brakes; ten times more, since many of them change states
/// in a step (with 3e-4 seven in a hundred steps of a fall reached the cap).
constexpr double kBrakeShare = 3e-3;
/// What a limit or a brake that held takes out of its softness in the next
/// step, and the most of it [rad/s, m/s].
constexpr double kMemory = 0.9;
constexpr double kMostMemory = 0.2;
/// Where the line search goes by less than this share of the way cones become
/// softer by this factor, and drives with bounds are lent some softness.
constexpr double kShortStep = 0.5;
constexpr double kSofterCones = 30.0;
constexpr double kLentToDrives = 1e-7;
/// Islands that are faster keep the softer cones [m/s]; in the others they
/// become hard again.
constexpr double kFast = 0.2;
/// Rows may be off by up to this factor more where cones are or were softer,
/// and in islands faster than kSlow [m/s].
constexpr double kLooser = 10.0;
constexpr double kSlow = 0.1;
/// Friction and its bound agree if they differ by less than this share; where
/// rows may be off by more so may it, up to the second.
constexpr double kSettled = 0.02;
constexpr double kMostSettled = 0.1;
/// Solves at most, and those after which the bounds need not agree, in slow
/// islands and in fast ones.
constexpr int kMostSolves = 40;
/// Cones that became hard again and have not settled after so many become soft
/// for good, since soft ones did settle; not in what is slower than kSlow.
constexpr int kMostHardSolves = 16;
constexpr int kMostFollowing = 4;
constexpr int kMostFollowingFast = 2;
/// A cone is turned, or its softness changed, where it is off by more.
constexpr double kTurned = 0.02;
constexpr double kSofter = 0.1;

double SettledShare(double looser) {
  return std::min(looser * kSettled, kMostSettled);
}

// Speed of the island: root of the mean square over its masses.
double MeanSpeed(const std::vector<TreeNode>& nodes) {
  double squares = 0.0;
  double mass = 0.0;
  for (const TreeNode& node : nodes) {
    const Vec v = node.NewVelocity();
    squares += node.mass * Dot(v, v);
    mass += node.mass;
  }
  return std::sqrt(squares / mass);
}

}  // namespace

// What a limit gives way by a unit impulse, were the body alone, is
// 1 / (a . I a) with the inertia about the joint. A limit that held takes most
// of its softness out, as contacts do: what bears a load does not creep.
void TreeSolver::LendSoftness(const TreeNode& node, TreeCoordinate& q) const {
  const Vec v = q.linear + Cross(q.angular, node.r);
  const double inertia =
      node.mass * Dot(v, v) + Dot(q.angular, node.inertia * q.angular);
  q.s_lent = inertia > 0.0 ? kLentShare / inertia : kLentToDrives;
  q.s_brake = inertia > 0.0 ? kBrakeShare / inertia : kLentToDrives;
  const double creep = std::clamp(kMemory * q.s_lent * q.limit_impulse,
                                  -kMostMemory, kMostMemory);
  if (q.limit_state < 0) q.u_lower += creep;
  if (q.limit_state > 0) q.u_upper += creep;
  if (q.has_bounds() && q.s == 0.0 && q.main_state == 0) {
    q.u += kMemory * q.s_brake * std::clamp(q.main_impulse, q.lo, q.hi);
  }
}

// z_t of a cone that the last solve left, along the axes the rows came with.
void TreeSolver::SlipOf(const TreeContact& contact, double z[2]) const {
  const TreeBodyRow* row = &body_rows[Index(contact.first_row)];
  const double a = row[1].rate - row[1].u;
  const double b = row[2].rate - row[2].u;
  z[0] = contact.cosine * a - contact.sine * b;
  z[1] = contact.sine * a + contact.cosine * b;
}

// The rows of a cone at z_t. While sliding, lambda_t = -b z/|z| is, for small
// changes, -b along the slip and a row of softness |z|/b across.
void TreeSolver::SetFriction(TreeContact& contact, const double z[2]) {
  using Friction = TreeContact::Friction;
  TreeBodyRow* row = &body_rows[Index(contact.first_row)];
  const double b = contact.mu[1] * contact.bound;
  const double soft = ConeSoftness(contact);
  const double size = Length(z[0], z[1]);
  const Friction next = b <= 0.0           ? Friction::kLoose
                        : size <= soft * b ? Friction::kSticks
                                           : Friction::kSlides;
  row[1].lo = -b;
  row[1].hi = b;
  double cosine = 1.0, sine = 0.0, across = soft;
  if (next == Friction::kSlides) {
    cosine = z[0] / size;
    sine = z[1] / size;
    across = size / b;
  }
  if (next == contact.friction &&
      (next != Friction::kSlides ||
       (cosine * contact.cosine + sine * contact.sine >
            1.0 - 0.5 * kTurned * kTurned &&
        std::abs(across - row[2].s) < kSofter * row[2].s))) {
    return;
  }
  contact.friction = next;
  contact.cosine = cosine;
  contact.sine = sine;
  row[1].linear = cosine * contact.linear[0] + sine * contact.linear[1];
  row[1].angular = cosine * contact.angular[0] + sine * contact.angular[1];
  row[1].u = cosine * contact.u[0] + sine * contact.u[1];
  row[1].s = soft;
  row[1].state = next == Friction::kSticks ? 0 : -1;
  row[2].linear = cosine * contact.linear[1] - sine * contact.linear[0];
  row[2].angular = cosine * contact.angular[1] - sine * contact.angular[0];
  row[2].u = cosine * contact.u[1] - sine * contact.u[0];
  row[2].s = across;
  row[2].state = next == Friction::kLoose ? -1 : 0;
  row[2].lo = row[2].hi = 0.0;
  if (next != Friction::kLoose) {
    row[2].lo = -TreeCoordinate::kInfiniteImpulse;
    row[2].hi = TreeCoordinate::kInfiniteImpulse;
  }
  MarkDirty(row[1].node);
}

// Bounds of the rows that are not in a cone.
void TreeSolver::SetBounds(TreeContact& contact) {
  TreeBodyRow* row = &body_rows[Index(contact.first_row)];
  for (int k = contact.cone ? 3 : 1; k < contact.num_rows; ++k) {
    row[k].hi = contact.mu[k] * contact.bound;
    row[k].lo = -row[k].hi;
    if (row[k].hi == 0.0 && row[k].state == 0) {
      row[k].state = -1;
      MarkDirty(row[k].node);
    }
  }
}

void TreeSolver::StartContacts() {
  for (TreeContact& contact : contacts) {
    SetBounds(contact);
    if (contact.num_rows < 3 || !contact.cone) continue;
    // Not a state it may be in already: the rows are written in any case.
    contact.friction = contact.bound > 0.0 ? TreeContact::Friction::kLoose
                                           : TreeContact::Friction::kSticks;
    SetFriction(contact, contact.current);
  }
}

// Whether every row obeys its law, up to kSpeed. The bounds are taken as they
// are.
bool TreeSolver::FitsContacts(double looser) {
  const double contact_speed = looser * kSpeed;
  const double limit_speed = looser * kLimitSpeed;
  const double settled = SettledShare(looser);
  constexpr double kTolerance = 1e-9;
  for (TreeNode& node : nodes) {
    for (int k = 0; k < node.num_coordinates; ++k) {
      const TreeCoordinate& q = coordinates[Index(node.first_coordinate + k)];
      // The usual case: limits that are open and not reached.
      if (!q.has_main && q.limit_state == 0) {
        if ((q.has_lower && q.rate < q.u_lower - limit_speed) ||
            (q.has_upper && q.rate > q.u_upper + limit_speed)) {
          return false;
        }
        continue;
      }
      if (!q.bounded()) continue;
      int main_state = q.main_state;
      int limit_state = q.limit_state;
      const double response = q.s_lent / kLentShare;
      FittingStates(q, limit_speed, limit_speed / response, main_state,
                    limit_state);
      if (main_state != q.main_state || limit_state != q.limit_state) {
        return false;
      }
    }
  }
  for (const TreeBodyRow& row : body_rows) {
    if (row.contact) continue;
    if (row.state == 0 ? row.lambda < row.lo - kTolerance ||
                             row.lambda > row.hi + kTolerance
                       : row.lo < row.hi && row.state * (row.rate - row.u +
                                                         row.s * row.lambda) >
                                                kTolerance) {
      return false;
    }
  }
  for (const TreeContact& contact : contacts) {
    const TreeBodyRow* row = &body_rows[Index(contact.first_row)];
    const double impulse = contact_speed / contact.response;
    if (row[0].state == 0 ? row[0].lambda < -impulse
                          : row[0].rate - row[0].u < -contact_speed) {
      return false;
    }
    for (int k = contact.cone ? 3 : 1; k < contact.num_rows; ++k) {
      const double share = row[0].s / row[k].s;
      if (row[k].state == 0
              ? std::abs(row[k].lambda) > row[k].hi + share * impulse
              : row[k].hi > 0.0 && row[k].state * (row[k].rate - row[k].u +
                                                   row[k].s * row[k].lambda) >
                                       contact_speed) {
        return false;
      }
    }
    if (contact.num_rows < 3 || !contact.cone) continue;
    const double b = row[1].hi;
    switch (contact.friction) {
      case TreeContact::Friction::kLoose:
        break;
      case TreeContact::Friction::kSticks:
        if (Length(row[1].lambda, row[2].lambda) > b + impulse) {
          return false;
        }
        break;
      case TreeContact::Friction::kSlides: {
        const double along = row[1].rate - row[1].u;
        const double across = row[2].rate - row[2].u;
        const double size = Length(along, across);
        if (along < ConeSoftness(contact) * b - contact_speed) return false;
        const double scale = size > 0.0 ? b / size : 0.0;
        const double off =
            Length(b - scale * along, row[2].lambda + scale * across);
        if (size > contact_speed && off > settled * b + impulse) return false;
        break;
      }
    }
  }
  return true;
}

// Whether friction agrees with the normal impulses of the last solve; lets the
// bounds of those that do not follow.
bool TreeSolver::FollowNormals(double looser, bool half_way) {
  const double settled = SettledShare(looser);
  bool agrees = true;
  for (TreeContact& contact : contacts) {
    if (contact.num_rows == 1) continue;
    const TreeBodyRow* row = &body_rows[Index(contact.first_row)];
    const double normal =
        row[0].state == 0 ? std::max(0.0, row[0].lambda) : 0.0;
    const double margin = kSpeed / contact.response + settled * normal;
    bool fits = std::abs(normal - contact.bound) <= margin;
    if (!fits && contact.cone &&
        contact.friction == TreeContact::Friction::kSticks) {
      fits = Length(row[1].lambda, row[2].lambda) <=
             contact.mu[1] * (normal + margin);
      for (int k = 3; k < contact.num_rows; ++k) {
        fits = fits && row[k].state == 0 &&
               std::abs(row[k].lambda) <= contact.mu[k] * normal;
      }
    }
    agrees = agrees && fits;
    contact.bound = half_way && !fits ? 0.5 * (contact.bound + normal) : normal;
    SetBounds(contact);
  }
  return agrees;
}

void TreeSolver::StartCurrent() {
  for (TreeNode& node : nodes) node.current_v = node.current_w = Vec{};
  for (TreeCoordinate& q : coordinates) q.current = 0.0;
  for (TreeBodyRow& row : body_rows) row.current = 0.0;
  for (TreePointRow& row : point_rows) row.current = Vec{};
  for (TreeAuxRow& row : aux_rows) row.current = 0.0;
  for (TreeContact& contact : contacts) {
    contact.current[0] = contact.current[1] = 0.0;
  }
  TakeCurrent(1.0);
}

// States from the line search's base. `keep_sticking`: what sticks goes on to
// do so, whatever its slip; for cones that have just become harder.
void TreeSolver::ContactsFromCurrent(bool keep_sticking) {
  StatesFromCurrent();
  for (TreeContact& contact : contacts) {
    if (contact.num_rows < 3 || !contact.cone) continue;
    if (keep_sticking && contact.bound > 0.0 &&
        contact.friction == TreeContact::Friction::kSticks) {
      TreeBodyRow* row = &body_rows[Index(contact.first_row)];
      row[1].hi = contact.mu[1] * contact.bound;
      row[1].lo = -row[1].hi;
      continue;
    }
    SetFriction(contact, contact.current);
  }
}

// The line search's base as the answer. It was not solved for, so it need not
// conserve what it should; but it obeys the joints, and shortened to
//
//     V . M (V - V_free) <= sum of what surfaces that move put in
//
// it has no more energy than the bodies would have without the contacts.
void TreeSolver::AnswerCurrent() {
  double work = 0.0;
  double size = 0.0;
  for (const TreeNode& node : nodes) {
    const Vec& v = node.current_v;
    const Vec L = node.inertia * node.current_w;
    size += node.mass * Dot(v, v) + Dot(node.current_w, L);
    work += node.mass * Dot(v, v - node.free_v) +
            Dot(L, node.current_w - node.free_w);
  }
  for (const TreeBodyRow& row : body_rows) {
    const double lambda =
        std::clamp((row.u - row.current) / row.s, row.lo, row.hi);
    if (row.contact) work -= std::max(0.0, lambda * row.u);
  }
  bool driven = false;
  for (const TreeCoordinate& q : coordinates) driven = driven || q.has_main;
  constexpr double kAllowed = 1e-3;
  double share = 1.0;
  if (!driven && work > kAllowed * size) {
    share = std::max(0.0, 1.0 - work / size);
  }
  for (TreeNode& node : nodes) {
    node.w = share * node.current_w;
    node.x = share * node.current_v - Cross(node.w, node.r);
    node.dx = node.dw = Vec{};
  }
  for (TreeCoordinate& q : coordinates) q.rate = share * q.current;
  FinishBodyRows();
}

// Makes the cones softer, or as hard again as they were. Sticking and sliding
// change less abruptly where rows give way more.
void TreeSolver::SoftenContacts() {
  const bool soften = softer_cones_ == 1.0;
  softer_cones_ = soften ? kSofterCones : 1.0;
  if (soften) soften_ = kLentToDrives;
  MarkAllDirty();
  for (TreeContact& contact : contacts) {
    if (contact.friction != TreeContact::Friction::kSticks) continue;
    TreeBodyRow* row = &body_rows[Index(contact.first_row)];
    row[1].s = row[2].s = ConeSoftness(contact);
  }
}

bool TreeSolver::Guess(bool changed) {
  MarkAllDirty();
  friction_rounds = 0;
  StartContacts();
  return changed ? SolveLinear() : SolvePredicted();
}

bool TreeSolver::SolveOnce(Begin begin) {
  if (begin == Begin::kSolved) return true;
  return begin == Begin::kPredicted ? SolvePredicted() : SolveLinear();
}

bool TreeSolver::SolveTouching(Begin begin) {
  friction_settled = true;
  bool hard_again = false;
  bool has_base = false;  // Of the line search.
  for (int round = 0;; ++round) {
    if (!SolveOnce(round == 0 ? begin : Begin::kNothing)) {
      soften_ = 0.0;
      return false;
    }
    const double speed = MeanSpeed(nodes);
    const bool fast = speed > kFast;
    const bool soft = softer_cones_ > 1.0;
    const double by_speed = std::clamp(speed / kSlow, 1.0, kLooser);
    const bool fits = FitsContacts(soft || hard_again ? kLooser : by_speed);
    double step = 1.0;
    if (!fits && has_base) {
      step = LineSearch();
      TakeCurrent(step);
    }
    const bool agrees = FollowNormals(by_speed, round > 2);
    friction_rounds = std::max(friction_rounds, round);
    // Soft friction is as good a law, but what rests would creep.
    const bool harden =
        fits && soft && !fast && round + kMostFollowing < kMostHardSolves;
    const int following = fast ? kMostFollowingFast : kMostFollowing;
    if (fits && !harden && (agrees || round >= following)) {
      friction_settled = agrees;
      break;
    }
    if (!has_base) {
      StartCurrent();
    } else if (fits) {
      TakeCurrent(1.0);
    }
    if (round + 1 == kMostSolves) {
      friction_settled = false;
      ContactsFromCurrent(false);
      AnswerCurrent();
      ++capped;
      break;
    }
    const bool stuck = !fits && !soft && !hard_again && round > 0 &&
                       (step < kShortStep || round >= kMostFollowing);
    const bool give_up =
        hard_again && !soft && speed > kSlow && round >= kMostHardSolves;
    if (harden || stuck || give_up) SoftenContacts();
    hard_again = hard_again || harden;
    // From there on it is another function that is minimised.
    has_base = !harden;
    ContactsFromCurrent(harden);
  }
  soften_ = 0.0;
  return true;
}

}  // namespace limber::dynamics::internal
