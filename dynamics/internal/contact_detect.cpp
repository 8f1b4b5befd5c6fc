// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "dynamics/collision/collide.h"
#include "dynamics/internal/world_data.h"
#include "dynamics/joint.h"

// Which bodies touch, and where.

namespace limber::dynamics::internal {

namespace {

std::pair<int, int> Ordered(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

bool Holds(const std::vector<std::pair<int, int>>& pairs, int a, int b) {
  return std::binary_search(pairs.begin(), pairs.end(), Ordered(a, b));
}

// Bodies joined by a joint do not touch unless the user said so.
void FindBlockedPairs(Data& data) {
  Contacts& contacts = data.contacts;
  contacts.blocked = contacts.user_blocked;
  for (const auto& constraint : data.constraints) {
    const auto* joint = dynamic_cast<const Joint*>(constraint.get());
    if (joint == nullptr) continue;
    const std::pair<int, int> pair =
        Ordered(joint->parent().value, joint->child().value);
    if (!Holds(contacts.user_allowed, pair.first, pair.second)) {
      contacts.blocked.push_back(pair);
    }
  }
  std::sort(contacts.blocked.begin(), contacts.blocked.end());
  contacts.blocked_end.assign(data.bodies.size(), 0);
  for (const auto& [first, second] : contacts.blocked) {
    ++contacts.blocked_end[Index(first)];
  }
  int end = 0;
  for (int& own : contacts.blocked_end) own = end += own;
  contacts.filters_known = true;
}

// Bodies have few partners that they may not touch: these are looked through.
bool IsBlocked(const Contacts& contacts, int a, int b) {
  const auto [first, second] = Ordered(a, b);
  if (first >= static_cast<int>(contacts.blocked_end.size())) return false;
  const int begin = first == 0 ? 0 : contacts.blocked_end[Index(first - 1)];
  for (int i = begin; i < contacts.blocked_end[Index(first)]; ++i) {
    if (contacts.blocked[Index(i)].second == second) return true;
  }
  return false;
}

// Whether the body's colliders take part at all.
bool Takes(const Body& body) { return !body.removed && !body.disabled; }

bool Awake(const Body& body) {
  return (body.dynamic() && !body.asleep) ||
         (body.kind == BodyKind::kKinematic &&
          (body.v != Vector3::Zero() || body.w != Vector3::Zero()));
}

bool MayMeet(const Data& data, const Collider& a, const Collider& b) {
  if (!a.reached.Overlaps(b.reached)) return false;
  if (a.body == b.body) return false;
  if ((a.group & b.mask) == 0 || (b.group & a.mask) == 0) return false;
  if (a.family != 0 && a.family == b.family) return false;
  const Body& body_a = data.bodies[Index(a.body)];
  const Body& body_b = data.bodies[Index(b.body)];
  if (!Takes(body_a) || !Takes(body_b)) return false;
  if (!body_a.dynamic() && !body_b.dynamic()) return false;
  return !IsBlocked(data.contacts, a.body, b.body);
}

// Joints pass a blow on: it may give a body the speed of what strikes its
// island within the step, that of the fastest body of the island or of one near
// it.
void FindFastest(Data& data) {
  Contacts& contacts = data.contacts;
  std::vector<double>& fastest = contacts.fastest;
  fastest.assign(Index(data.num_islands), 0.0);
  for (const Body& body : data.bodies) {
    if (body.asleep || body.island_number < 0) continue;
    double& speed = fastest[Index(body.island_number)];
    speed = std::max(speed, body.v.squaredNorm());
  }
  for (double& speed : fastest) speed = std::sqrt(speed);
  for (const auto& [p, q] : contacts.broad_phase.last_pairs()) {
    const Collider& a = contacts.colliders[Index(p)];
    const Collider& b = contacts.colliders[Index(q)];
    if (!a.used || !b.used) continue;
    const Body& body_a = data.bodies[Index(a.body)];
    const Body& body_b = data.bodies[Index(b.body)];
    if (body_a.island_number < 0 || body_b.island_number < 0) continue;
    double& speed_a = fastest[Index(body_a.island_number)];
    double& speed_b = fastest[Index(body_b.island_number)];
    speed_a = speed_b = std::max(speed_a, speed_b);
  }
}

// The box of the collider, as far as a step may carry it or `margin` reaches.
void Place(Data& data, Collider& collider, double h, double margin) {
  const BodyMotion& motion = data.motions[Index(collider.body)];
  const Body& body = data.bodies[Index(collider.body)];
  collider.X_WS = Transform{motion.q_WB, motion.p_WB} * collider.X_BS;
  collider.speed =
      body.kind == BodyKind::kFixed
          ? 0.0
          : body.v.norm() + body.w.norm() * collider.reach +
                (body.dynamic() ? h * data.settings.gravity.norm() : 0.0);
  // What pushes the body does so within the step.
  if (body.dynamic()) {
    collider.speed +=
        h * (body.inverse_mass * body.force.norm() +
             collider.reach * (body.inverse_inertia_W * body.torque).norm());
  }
  if (body.dynamic() && !body.asleep && h > 0.0 && body.island_number >= 0 &&
      !data.islands[Index(body.island_number)].constraints.empty()) {
    collider.speed = std::max(collider.speed,
                              data.contacts.fastest[Index(body.island_number)] -
                                  data.settings.contact.margin / h);
  }
  collider.stale = false;
  collider.reached = collider.shape->BoxAt(collider.X_WS)
                         .Grown(0.5 * margin + h * collider.speed);
  data.contacts.broad_phase.Update(collider.proxy, collider.reached);
}

void CollidePair(Data& data, const Collider& a, const Collider& b, double h) {
  Contacts& contacts = data.contacts;
  contacts.manifolds.clear();
  Collide(*a.shape, a.X_WS, *b.shape, b.X_WS,
          data.settings.contact.margin + h * (a.speed + b.speed),
          contacts.manifolds);
}

// Whether the moving one of two bodies comes near the sleeping one within the
// step.
bool ComesNear(Data& data, const Collider& a, const Collider& b, double h) {
  const bool sleeps_a = data.bodies[Index(a.body)].asleep;
  CollidePair(data, a, b, h);
  const double sign = sleeps_a ? -1.0 : 1.0;
  const BodyMotion& mover = data.motions[Index(sleeps_a ? b.body : a.body)];
  for (const Manifold& manifold : data.contacts.manifolds) {
    for (const ContactPoint& point : manifold) {
      const double approach =
          sign * manifold.normal_W.dot(mover.PointVelocity(point.p_W));
      if (point.distance - h * approach <= data.settings.contact.slop) {
        return true;
      }
    }
  }
  return false;
}

// A moving body that comes near a sleeping one wakes it, and all that rest
// with it; these may wake others. All that wake together do so in one pass.
void WakeTouched(Data& data, double h) {
  Contacts& contacts = data.contacts;
  std::vector<int>& groups = contacts.waking;
  do {
    groups.clear();
    for (const auto& [p, q] : contacts.broad_phase.Pairs()) {
      const Collider& a = contacts.colliders[Index(p)];
      const Collider& b = contacts.colliders[Index(q)];
      const Body& body_a = data.bodies[Index(a.body)];
      const Body& body_b = data.bodies[Index(b.body)];
      if (body_a.asleep == body_b.asleep) continue;
      if (!Awake(body_a) && !Awake(body_b)) continue;
      if (!MayMeet(data, a, b) || !ComesNear(data, a, b, h)) continue;
      groups.push_back(body_a.asleep ? body_a.sleep_group : body_b.sleep_group);
    }
    std::ranges::sort(groups);
    WakeGroups(data, groups);
    for (Collider& collider : contacts.colliders) {
      if (!groups.empty() && collider.used && collider.stale)
        Place(data, collider, h, data.settings.contact.margin);
    }
  } while (!groups.empty());
}

}  // namespace

PastTouch::PastTouch(const Touch& touch)
    : collider_a(touch.collider_a),
      collider_b(touch.collider_b),
      feature(touch.feature),
      sliding(touch.sliding),
      age(touch.age),
      arm_a(touch.arm_a),
      arm_b(touch.arm_b),
      friction(touch.friction),
      slip(touch.slip) {
  std::copy(touch.lambda, touch.lambda + Touch::kMostRows, lambda);
}

void DetectContacts(Data& data, double h) {
  Contacts& contacts = data.contacts;
  if (!contacts.any()) {
    contacts.touches.clear();
    return;
  }
  contacts.readable_known = false;
  contacts.last.clear();
  contacts.last.reserve(contacts.touches.size());
  for (const Touch& touch : contacts.touches) contacts.last.emplace_back(touch);
  contacts.touches.clear();
  if (!contacts.filters_known) FindBlockedPairs(data);
  FindFastest(data);
  bool any_moves = false;
  for (Collider& collider : contacts.colliders) {
    if (!collider.used) continue;
    const Body& body = data.bodies[Index(collider.body)];
    const bool moves = (body.dynamic() && !body.asleep) ||
                       (body.kind == BodyKind::kKinematic && Takes(body));
    any_moves = any_moves || moves;
    if (moves || collider.stale)
      Place(data, collider, h, data.settings.contact.margin);
  }
  if (!any_moves) return;
  if (data.num_asleep > 0) WakeTouched(data, h);

  std::size_t old = 0;  // Both lists ascend by pair.
  for (const auto& [p, q] : contacts.broad_phase.Pairs()) {
    const Collider& a = contacts.colliders[Index(p)];
    const Collider& b = contacts.colliders[Index(q)];
    const Body& body_a = data.bodies[Index(a.body)];
    const Body& body_b = data.bodies[Index(b.body)];
    const bool moving_a = body_a.dynamic() && !body_a.asleep;
    const bool moving_b = body_b.dynamic() && !body_b.asleep;
    // A sleeping body that nothing woke is not near enough to matter.
    if (!moving_a && !moving_b) continue;
    if (body_a.asleep || body_b.asleep) continue;
    if (!MayMeet(data, a, b)) continue;
    CollidePair(data, a, b, h);
    if (contacts.manifolds.empty()) continue;
    const auto before = [pair = std::pair(p, q)](const PastTouch& touch) {
      return std::pair(touch.collider_a, touch.collider_b) < pair;
    };
    while (old < contacts.last.size() && before(contacts.last[old])) ++old;
    for (const Manifold& manifold : contacts.manifolds) {
      for (const ContactPoint& point : manifold) {
        if (!data.settings.contact.speculative &&
            point.distance > data.settings.contact.slop) {
          continue;
        }
        Touch& touch = contacts.touches.emplace_back();
        touch.body_a = a.body;
        touch.body_b = b.body;
        touch.collider_a = p;
        touch.collider_b = q;
        touch.feature = point.feature;
        touch.dynamic_a = moving_a;
        touch.dynamic_b = moving_b;
        touch.distance = point.distance;
        touch.p = ToVec(point.p_W);
        touch.n = ToVec(manifold.normal_W);
        touch.age = 0.0;
        for (std::size_t i = old; i < contacts.last.size(); ++i) {
          const PastTouch& match = contacts.last[i];
          if (match.collider_a != p || match.collider_b != q) break;
          if (match.feature != point.feature) continue;
          std::copy(match.lambda, match.lambda + Touch::kMostRows,
                    touch.lambda);
          touch.last_arm_a = match.arm_a;
          touch.last_arm_b = match.arm_b;
          touch.friction = match.friction;
          touch.sliding = match.sliding;
          touch.slip = match.slip;
          touch.age = match.age + data.last_h;
          break;
        }
      }
    }
  }
}

void FindContactsNow(Data& data, double margin, std::vector<Contact>& found) {
  Contacts& contacts = data.contacts;
  if (!contacts.filters_known) FindBlockedPairs(data);
  for (Collider& collider : contacts.colliders) {
    if (!collider.used) continue;
    // What is fixed keeps its small box: the others reach for it.
    const bool fixed =
        data.bodies[Index(collider.body)].kind == BodyKind::kFixed;
    const double own = data.settings.contact.margin;
    Place(data, collider, 0.0, fixed ? own : own + 2.0 * std::max(0.0, margin));
    collider.stale = !fixed;
  }
  for (const auto& [p, q] : contacts.broad_phase.Pairs()) {
    const Collider& a = contacts.colliders[Index(p)];
    const Collider& b = contacts.colliders[Index(q)];
    if (!MayMeet(data, a, b)) continue;
    contacts.manifolds.clear();
    Collide(*a.shape, a.X_WS, *b.shape, b.X_WS, margin, contacts.manifolds);
    for (const Manifold& manifold : contacts.manifolds) {
      for (const ContactPoint& point : manifold) {
        Contact& contact = found.emplace_back();
        contact.collider_a = {p};
        contact.collider_b = {q};
        contact.body_a = {a.body};
        contact.body_b = {b.body};
        contact.p_W = point.p_W;
        contact.normal_W = manifold.normal_W;
        contact.distance = point.distance;
      }
    }
  }
}

}  // namespace limber::dynamics::internal
