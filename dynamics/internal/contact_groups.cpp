// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/index.h"
#include "dynamics/angle_limits.h"
#include "dynamics/internal/world_data.h"
#include "dynamics/joint.h"

// Which islands touch each other, and which of them sleep.

namespace limber::dynamics::internal {

namespace {

int RootOf(std::vector<int>& roots, int i) {
  while (roots[Index(i)] != i) {
    roots[Index(i)] = roots[Index(roots[Index(i)])];
    i = roots[Index(i)];
  }
  return i;
}

// Whether nothing acts on the island but contacts, gravity, joints that only
// resist and limits.
bool MaySleep(const Data& data, const Island& island) {
  for (const int k : island.constraints) {
    const Constraint* constraint = data.constraints[Index(k)].get();
    const auto* joint = dynamic_cast<const Joint*>(constraint);
    if (joint == nullptr) {
      if (dynamic_cast<const AngleLimits*>(constraint) != nullptr) continue;
      const auto* rows = dynamic_cast<const ForceRows*>(constraint);
      if (rows != nullptr && rows->force().OnlyResists()) continue;
      return false;
    }
    for (int i = 0; i < joint->num_free(); ++i) {
      if (!OnlyResists(joint->axis(i))) return false;
    }
  }
  return true;
}

}  // namespace

void GroupContacts(Data& data) {
  Contacts& contacts = data.contacts;
  contacts.num_piles = 0;
  // Where nothing touches or sleeps, and nothing did, islands are as they were.
  const bool was_grouped = contacts.grouped;
  contacts.grouped = !contacts.touches.empty() || data.num_asleep > 0;
  if (!contacts.grouped && !was_grouped) return;
  for (int n = 0; n < data.num_islands; ++n) {
    Island& island = data.islands[Index(n)];
    const Body& body = data.bodies[Index(island.bodies.front())];
    if (body.asleep && !MaySleep(data, island)) {
      WakeGroup(data, island.bodies.front());
    }
    island.asleep = body.asleep;
    island.touches.clear();
    island.pile = -1;
    data.island_weights[Index(n)] =
        island.asleep ? 0 : static_cast<int>(island.bodies.size());
  }
  if (contacts.touches.empty()) return;
  std::vector<int>& roots = contacts.island_root;
  roots.resize(Index(data.num_islands));
  for (int n = 0; n < data.num_islands; ++n) roots[Index(n)] = n;
  const auto island_of = [&data](int body) {
    return data.bodies[Index(body)].island_number;
  };
  bool any_moving = false;
  for (std::size_t t = 0; t < contacts.touches.size(); ++t) {
    const Touch& touch = contacts.touches[t];
    if (touch.moving()) {
      const int a = RootOf(roots, island_of(touch.body_a));
      const int b = RootOf(roots, island_of(touch.body_b));
      roots[Index(std::max(a, b))] = std::min(a, b);
      any_moving = true;
      continue;
    }
    const int body = touch.dynamic_a ? touch.body_a : touch.body_b;
    data.islands[Index(island_of(body))].touches.push_back(static_cast<int>(t));
  }
  if (!any_moving) return;

  for (std::size_t t = 0; t < contacts.touches.size(); ++t) {
    const Touch& touch = contacts.touches[t];
    if (!touch.moving()) continue;
    Island& root = data.islands[Index(RootOf(roots, island_of(touch.body_a)))];
    if (root.pile < 0) {
      root.pile = contacts.num_piles++;
      if (Index(root.pile) == contacts.piles.size()) {
        contacts.piles.emplace_back();
      }
      contacts.piles[Index(root.pile)].islands.clear();
      contacts.piles[Index(root.pile)].touches.clear();
    }
    contacts.piles[Index(root.pile)].touches.push_back(static_cast<int>(t));
  }
  for (int n = 0; n < data.num_islands; ++n) {
    const int pile = data.islands[Index(RootOf(roots, n))].pile;
    data.islands[Index(n)].pile = pile;
    if (pile < 0) continue;
    contacts.piles[Index(pile)].islands.push_back(n);
    data.island_weights[Index(n)] = 0;
  }
}

void WakeGroups(Data& data, std::span<const int> groups) {
  if (groups.empty()) return;
  const auto wakes = [&groups](const Body& body) {
    return std::ranges::binary_search(groups, body.sleep_group);
  };
  for (std::size_t b = 0; b < data.bodies.size(); ++b) {
    Body& body = data.bodies[b];
    if (!body.asleep || !wakes(body)) continue;
    body.asleep = false;
    body.still = 0.0;
    --data.num_asleep;
    if (b < data.contacts.colliders_of_body.size()) {
      for (const int c : data.contacts.colliders_of_body[b]) {
        data.contacts.colliders[Index(c)].stale = true;
      }
    }
  }
  // The contacts they slept in lend their impulses again.
  std::vector<DormantTouch>& dormant = data.contacts.dormant;
  std::vector<PastTouch>& last = data.contacts.last;
  const std::size_t before = last.size();
  const auto woken = [&](const DormantTouch& touch) {
    const Body& a = data.bodies[Index(touch.readable.body_a.value)];
    const Body& b = data.bodies[Index(touch.readable.body_b.value)];
    return (a.dynamic() && wakes(a)) || (b.dynamic() && wakes(b));
  };
  for (const DormantTouch& touch : dormant) {
    if (woken(touch)) last.push_back(touch.past);
  }
  if (last.size() == before) return;
  std::erase_if(dormant, woken);
  std::stable_sort(last.begin(), last.end(),
                   [](const PastTouch& a, const PastTouch& b) {
                     return std::pair(a.collider_a, a.collider_b) <
                            std::pair(b.collider_a, b.collider_b);
                   });
}

void WakeGroup(Data& data, int body) {
  if (!data.bodies[Index(body)].asleep) {
    data.bodies[Index(body)].still = 0.0;
    return;
  }
  const int group = data.bodies[Index(body)].sleep_group;
  WakeGroups(data, std::span(&group, 1));
}

void WakeAll(Data& data) {
  if (data.num_asleep == 0) return;
  std::vector<int> groups;
  for (const Body& body : data.bodies) {
    if (body.asleep) groups.push_back(body.sleep_group);
  }
  std::ranges::sort(groups);
  WakeGroups(data, groups);
}

void FallAsleep(Data& data, double h) {
  const ContactSettings& settings = data.settings.contact;
  if (!settings.sleeping || !data.contacts.any()) return;
  const auto rested = [&](const Island& island) {
    bool rests = true;
    for (const int b : island.bodies) {
      Body& body = data.bodies[Index(b)];
      // Time of rest. What is faster for a moment loses of it the time that
      // its way would take at the limit: a jerk now and then does not keep a
      // figure awake that lies still.
      const double excess = std::max(body.v.norm() / settings.sleep_speed,
                                     body.w.norm() / settings.sleep_spin);
      body.still = excess < 1.0 ? std::min(body.still + h, settings.sleep_time)
                                : std::max(0.0, body.still - excess * h);
      rests = rests && body.still >= settings.sleep_time;
    }
    return rests && MaySleep(data, island);
  };
  const auto keep = [&data](const std::vector<int>& touches) {
    for (const int t : touches) {
      const Touch& touch = data.contacts.touches[Index(t)];
      data.contacts.dormant.push_back({PastTouch(touch), Readable(touch)});
    }
  };
  const auto put_to_sleep = [&](const Island& island, int group) {
    for (const int b : island.bodies) {
      Body& body = data.bodies[Index(b)];
      body.asleep = true;
      body.sleep_group = group;
      body.v.setZero();
      body.w.setZero();
      body.L.setZero();
      body.sleep_force = body.force;
      body.sleep_torque = body.torque;
      ++data.num_asleep;
      Refresh(data, b);
    }
    keep(island.touches);
  };
  for (int n = 0; n < data.num_islands; ++n) {
    const Island& island = data.islands[Index(n)];
    if (island.asleep || island.pile >= 0) continue;
    if (rested(island) && !island.touches.empty()) {
      put_to_sleep(island, data.next_sleep_group++);
    }
  }
  for (int k = 0; k < data.contacts.num_piles; ++k) {
    const Pile& pile = data.contacts.piles[Index(k)];
    bool rests = true;
    bool held = false;
    for (const int n : pile.islands) {
      // Every body counts its time, so all are looked at.
      rests = rested(data.islands[Index(n)]) && rests;
      held = held || !data.islands[Index(n)].touches.empty();
    }
    if (!rests || !held) continue;
    const int group = data.next_sleep_group++;
    for (const int n : pile.islands)
      put_to_sleep(data.islands[Index(n)], group);
    keep(pile.touches);
  }
}

}  // namespace limber::dynamics::internal
