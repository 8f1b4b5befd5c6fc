// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "dynamics/internal/tolerances.h"
#include "dynamics/internal/tree_island.h"
#include "dynamics/internal/tree_island_parts.h"

namespace limber::dynamics::internal {

using namespace tree_parts;

// Contacts with the ground and with bodies whose motion is given: rows on one
// body each, which never close a loop. docs/contact_world.md, section
// "Friction".

namespace {

/// A contact that parts faster is taken for open at first [m/s].
constexpr double kParting = 0.05;
/// Bounds of friction rows and normal impulses agree if they differ by less
/// than this share.
constexpr double kSettled = 1e-3;

}  // namespace

// Whether nothing acts but joints, limits, dampers, brakes and contacts.
bool TreeIsland::IsPassive() const {
  if (!outer_.empty()) return false;
  for (const Link& link : links_) {
    if (link.joint == nullptr) continue;
    for (int k = 0; k < link.joint->num_free(); ++k) {
      const PoweredAxis& axis = link.joint->axis(k);
      if (axis.drive != PoweredAxis::Drive::kNone &&
          (axis.has_friction() ||
           (axis.max_force < kInfinity && !OnlyResists(axis)))) {
        return false;
      }
    }
  }
  return true;
}

void TreeIsland::AddContactRows(const Data& data, const Island& island) {
  first_contact_row_ = solver_.body_rows.size();
  solver_.contacts.clear();
  for (const int t : island.touches) {
    const Touch& touch = data.contacts.touches[Index(t)];
    const int side = touch.dynamic_b ? 1 : 0;
    const int own = side == 1 ? touch.body_b : touch.body_a;
    const int n = node_of_body_[own];
    const Body& body = data.bodies[Index(own)];
    const Body& given =
        data.bodies[Index(side == 1 ? touch.body_a : touch.body_b)];
    const bool moved = given.kind == BodyKind::kKinematic;
    TreeContact& contact = solver_.contacts.emplace_back();
    contact.first_row = static_cast<int>(solver_.body_rows.size());
    contact.num_rows = touch.num_rows;
    contact.cone = solver_.touching && data.settings.contact.friction_cone;
    contact.response = touch.response;
    contact.bound = touch.bound;
    for (int k = 0; k < touch.num_rows; ++k) {
      TreeBodyRow row;
      row.node = n;
      row.contact = true;
      touch.Jacobian(k, side, row.linear, row.angular);
      row.u = touch.u[k];
      row.s = touch.s[k];
      if (moved) {
        Vec linear, angular;
        touch.Jacobian(k, 1 - side, linear, angular);
        row.u -= Dot(linear, ToVec(given.v)) + Dot(angular, ToVec(given.w));
      }
      row.in_cone = contact.cone && (k == 1 || k == 2);
      if (row.in_cone) {
        // What slides begins with the slip it had.
        contact.current[k - 1] =
            touch.age > 0.0 ? Dot(touch.Direction(k), touch.slip)
            : touch.sliding ? Dot(row.linear, ToVec(body.v)) +
                                  Dot(row.angular, ToVec(body.w)) - row.u
                            : 0.0;
      }
      if (k == 0) {
        // What touched goes on to do so unless it is about to part; what did
        // not must be about to meet.
        const double z = Dot(row.linear, ToVec(body.v)) +
                         Dot(row.angular, ToVec(body.w)) - row.u;
        const bool met = touch.age > 0.0 && touch.lambda[0] > 0.0;
        row.state = z < (met ? kParting : 0.0) ? 0 : -1;
        if (!solver_.touching) row.state = touch.bound > 0.0 ? 0 : -1;
        row.lo = 0.0;
        row.hi = kInfinity;
      }
      row.angular += Cross(solver_.nodes[Index(n)].r, row.linear);
      if (row.in_cone) {
        contact.linear[k - 1] = row.linear;
        contact.angular[k - 1] = row.angular;
        contact.u[k - 1] = row.u;
        contact.s = touch.s[1];
      }
      contact.mu[k] = row.in_cone ? touch.c[1] : touch.c[k];
      // What slides is held back by all the friction there is.
      if (k > 0) {
        row.state = touch.sliding && k == 1 ? -1 : 0;
        if (!solver_.touching) {
          row.hi = touch.c[k] * touch.bound;
          row.lo = -row.hi;
        }
      }
      solver_.body_rows.push_back(row);
    }
    if (solver_.body_rows[Index(contact.first_row)].state != 0) {
      contact.bound = 0.0;
    }
  }
}

bool TreeIsland::SolveRows(Data& data, const Island& island) {
  // Loads came after the prediction.
  const bool changed = !unloaded_.empty();
  if (!solver_.touching) {
    return solver_.SolveBounded(changed) && SettleFriction(data, island);
  }
  // Islands that touch others are solved again once the loads are known.
  if (island.pile >= 0) return solver_.Guess(changed);
  if (!solver_.SolveBounded(changed)) return false;
  ReportFriction(data);
  return true;
}

bool TreeIsland::SolveLoaded(Data& data, const Island& island, bool changed) {
  if (!changed && !solver_.touching) return true;
  if (!(changed ? solver_.SolveOtherBounds() : solver_.SolveGuessed())) {
    return false;
  }
  if (!solver_.touching) return SettleFriction(data, island);
  ReportFriction(data);
  return true;
}

// Beside motors with bounds. Friction bounded by the normal impulse is no LCP:
// fix the bounds, solve, let the bounds follow, until both agree or the rounds
// are used up. The last answer is exact for its bounds.
bool TreeIsland::SettleFriction(Data& data, const Island& island) {
  if (island.touches.empty()) return true;
  const int most = data.settings.contact.friction_rounds;
  bool settled = false;
  int round = 0;
  while (!settled && round < most) {
    settled = true;
    TreeBodyRow* row = solver_.body_rows.data() + first_contact_row_;
    for (const int t : island.touches) {
      Touch& touch = data.contacts.touches[Index(t)];
      const double normal = std::max(0.0, row[0].lambda);
      bool agrees = true;
      for (int k = 1; k < touch.num_rows; ++k) {
        const double bound = touch.c[k] * normal;
        const double used = std::abs(row[k].lambda);
        const double missing = row[k].state != 0 ? std::abs(bound - used)
                                                 : std::max(0.0, used - bound);
        agrees = agrees && missing <= kSettled * bound;
      }
      if (!agrees) {
        settled = false;
        // Later rounds go half of the way: bounds that swing come to rest.
        touch.bound = round < 2 ? normal : 0.5 * (touch.bound + normal);
        for (int k = 1; k < touch.num_rows; ++k) {
          row[k].hi = touch.c[k] * touch.bound;
          row[k].lo = -row[k].hi;
        }
      }
      row += touch.num_rows;
    }
    if (settled) break;
    ++round;
    if (!solver_.SolveOtherBounds()) return false;
  }
  StepReport& report = data.report;
  report.friction_rounds = std::max(report.friction_rounds, round);
  report.friction_settled = report.friction_settled && settled;
  return true;
}

void TreeIsland::ReportFriction(Data& data) const {
  StepReport& report = data.report;
  report.friction_rounds =
      std::max(report.friction_rounds, solver_.friction_rounds);
  report.friction_settled = report.friction_settled && solver_.friction_settled;
}

void TreeIsland::StoreContacts(Data& data, const Island& island) {
  if (solver_.capped > 0) {
    data.report.status =
        std::max(data.report.status, LcpStatus::kIterationLimit);
  }
  const TreeContact* contact = solver_.contacts.data();
  for (const int t : island.touches) {
    Touch& touch = data.contacts.touches[Index(t)];
    const TreeBodyRow* row = &solver_.body_rows[Index(contact->first_row)];
    for (int k = 0; k < touch.num_rows; ++k) {
      touch.lambda[k] = std::clamp(row[k].lambda, row[k].lo, row[k].hi);
    }
    touch.slip = Vec{};
    if (contact->cone && touch.num_rows >= 3) {
      const double along = touch.lambda[1];
      const double across = touch.lambda[2];
      touch.lambda[1] = contact->cosine * along - contact->sine * across;
      touch.lambda[2] = contact->sine * along + contact->cosine * across;
      if (contact->friction == TreeContact::Friction::kSlides) {
        double z[2];
        solver_.SlipOf(*contact, z);
        touch.slip = z[0] * touch.t1 + z[1] * touch.t2;
      }
    }
    if (solver_.touching) touch.bound = contact->bound;
    ++contact;
  }
}

void TreeIsland::AddLoad(int body, const Vec& linear, const Vec& angular) {
  if (unloaded_.empty()) {
    for (const TreeNode& node : solver_.nodes) {
      unloaded_.push_back({node.free_v, node.free_w});
    }
  }
  TreeNode& node = solver_.nodes[Index(node_of_body_[body])];
  node.free_v += (1.0 / node.mass) * linear;
  node.free_w += Inverse(node.inertia) * angular;
}

void TreeIsland::TakeLoadsOff() {
  for (std::size_t i = 0; i < unloaded_.size(); ++i) {
    solver_.nodes[i].free_v = unloaded_[i].v;
    solver_.nodes[i].free_w = unloaded_[i].w;
  }
  unloaded_.clear();
}

Vector6 TreeIsland::AtReference(int body, const Vec& linear,
                                const Vec& angular) const {
  const Vec at = angular + Cross(solver_.nodes[Index(NodeOf(body))].r, linear);
  Vector6 J;
  J << linear.x, linear.y, linear.z, at.x, at.y, at.z;
  return J;
}

Vector6 TreeIsland::Velocity(int body) const {
  const TreeNode& node = solver_.nodes[Index(NodeOf(body))];
  const Vec x = node.x + node.dx;
  const Vec w = node.w + node.dw;
  Vector6 V;
  V << x.x, x.y, x.z, w.x, w.y, w.z;
  return V;
}

// What the closing is to push out. False if nothing.
bool TreeIsland::SetPushes(Data& data, const Island& island) {
  bool any = false;
  TreeBodyRow* row = solver_.body_rows.data() + first_contact_row_;
  for (const int t : island.touches) {
    const Touch& touch = data.contacts.touches[Index(t)];
    row->push = row->state == 0 ? touch.push : 0.0;
    any = any || row->push > 0.0;
    row += touch.num_rows;
  }
  return any;
}

// What the drift leaves between the bodies, by the rates of the kick.
void TreeIsland::SetRooms(const Data& data, const Island& island, double h) {
  TreeBodyRow* row = solver_.body_rows.data() + first_contact_row_;
  for (const int t : island.touches) {
    const Touch& touch = data.contacts.touches[Index(t)];
    const int given = touch.dynamic_b ? touch.body_a : touch.body_b;
    row->room = data.bodies[Index(given)].kind == BodyKind::kKinematic
                    ? kInfinity
                    : touch.distance + h * row->rate;
    row += touch.num_rows;
  }
}

// Contacts that were open in the kick and that the last closing has brought
// together: they take part in the next one. False if there are none. Only in
// passive islands.
bool TreeIsland::MeetContacts() {
  bool any = false;
  if (!solver_.touching) return any;
  for (const TreeContact& contact : solver_.contacts) {
    TreeBodyRow& row = solver_.body_rows[Index(contact.first_row)];
    const TreeNode& node = solver_.nodes[Index(row.node)];
    row.room +=
        Dot(row.linear, node.x + node.dx) + Dot(row.angular, node.w + node.dw);
    if (row.state == 0 || row.room > -projection::kDeep) continue;
    row.state = 0;
    row.push = -row.room;
    any = true;
  }
  return any;
}

}  // namespace limber::dynamics::internal
