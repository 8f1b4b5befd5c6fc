// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "dynamics/internal/tree_island.h"
#include "dynamics/internal/tree_island_parts.h"

namespace limber::dynamics::internal {

using namespace tree_parts;

// Contacts with the ground and with bodies whose motion is given: rows on one
// body each, which never close a loop. docs/contact_world.md, section
// "Friction".

namespace {

// Bounds of the friction rows and the normal impulses agree if they differ by
// less than this share.
constexpr double kSettled = 1e-3;

}  // namespace

void TreeIsland::AddContactRows(const Data& data, const Island& island) {
  first_contact_row_ = solver_.body_rows.size();
  for (const int t : island.touches) {
    const Touch& touch = data.contacts.touches[Index(t)];
    const int side = touch.dynamic_b ? 1 : 0;
    const int n = node_of_body_[Index(side == 1 ? touch.body_b : touch.body_a)];
    const Body& given =
        data.bodies[Index(side == 1 ? touch.body_a : touch.body_b)];
    const bool moved = given.kind == BodyKind::kKinematic;
    for (int k = 0; k < touch.num_rows; ++k) {
      TreeBodyRow row;
      row.node = n;
      row.contact = true;
      touch.Jacobian(k, side, row.linear, row.angular);
      row.angular += Cross(solver_.nodes[Index(n)].r, row.linear);
      row.u = touch.u[k];
      if (moved) {
        Vec linear, angular;
        touch.Jacobian(k, 1 - side, linear, angular);
        row.u -= Dot(linear, ToVec(given.v)) + Dot(angular, ToVec(given.w));
      }
      row.s = touch.s[k];
      if (k == 0) {
        row.lo = 0.0;
        row.hi = kInfinity;
        row.state = touch.bound > 0.0 ? 0 : -1;
      } else {
        row.hi = touch.c[k] * touch.bound;
        row.lo = -row.hi;
        // What slides is held back by all the friction there is.
        row.state = touch.sliding && k == 1 ? -1 : 0;
      }
      solver_.body_rows.push_back(row);
    }
  }
}

// Friction bounded by the normal impulse is no LCP: fix the bounds, solve, let
// the bounds follow, until both agree.
bool TreeIsland::SolveRows(Data& data, const Island& island) {
  // Loads came after the prediction.
  const bool changed = any_tight_ || !unloaded_.empty();
  return solver_.SolveBounded(changed) && SettleFriction(data, island);
}

bool TreeIsland::SolveLoaded(Data& data, const Island& island) {
  return solver_.SolveOtherBounds() && SettleFriction(data, island);
}

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
  data.report.friction_rounds = std::max(data.report.friction_rounds, round);
  data.report.friction_settled = data.report.friction_settled && settled;
  return true;
}

void TreeIsland::StoreContacts(Data& data, const Island& island) {
  const TreeBodyRow* row = solver_.body_rows.data() + first_contact_row_;
  for (const int t : island.touches) {
    Touch& touch = data.contacts.touches[Index(t)];
    for (int k = 0; k < touch.num_rows; ++k, ++row) {
      touch.lambda[k] = std::clamp(row->lambda, row->lo, row->hi);
    }
  }
}

void TreeIsland::AddLoad(int body, const Vec& linear, const Vec& angular) {
  if (unloaded_.empty()) {
    for (const TreeNode& node : solver_.nodes) {
      unloaded_.push_back({node.free_v, node.free_w});
    }
  }
  TreeNode& node = solver_.nodes[Index(node_of_body_[Index(body)])];
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

void TreeIsland::Velocity(int body, Vec& v, Vec& w) const {
  const TreeNode& node = solver_.nodes[Index(node_of_body_[Index(body)])];
  v = node.NewVelocity();
  w = node.NewSpin();
}

void TreeIsland::Respond(int body, const Vec& linear, const Vec& angular) {
  const int n = node_of_body_[Index(body)];
  solver_.Respond(n, linear,
                  angular + Cross(solver_.nodes[Index(n)].r, linear));
}

void TreeIsland::Response(int body, Vec& v, Vec& w) const {
  const TreeNode& node = solver_.nodes[Index(node_of_body_[Index(body)])];
  v = node.dx + Cross(node.dw, node.r);
  w = node.dw;
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

}  // namespace limber::dynamics::internal
