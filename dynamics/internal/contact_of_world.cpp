// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/index.h"
#include "dynamics/internal/world_data.h"
#include "dynamics/internal/world_implementation.h"

// The calls of World that concern colliders and sleep.

namespace limber::dynamics {

namespace {

using internal::Body;
using internal::Collider;
using internal::Contacts;
using internal::Data;
using internal::Touch;

void CheckSurface(const ContactSurface& surface) {
  const auto check = [](const char* field, double value, double most) {
    if (value >= 0.0 && value <= most) return;
    throw std::invalid_argument("ContactSurface: " + std::string(field) +
                                " must be from 0 to " + std::to_string(most) +
                                ", is " + std::to_string(value));
  };
  constexpr double kMost = 1e6;
  check("static_friction", surface.static_friction, kMost);
  check("dynamic_friction", surface.dynamic_friction, surface.static_friction);
  check("restitution", surface.restitution, 1.0);
  check("restitution_speed", surface.restitution_speed, kMost);
  check("torsional_radius", surface.torsional_radius, kMost);
  check("rolling_radius", surface.rolling_radius, kMost);
  if (!surface.surface_velocity.allFinite()) {
    throw std::invalid_argument(
        "ContactSurface: surface_velocity is not finite");
  }
}

// How far the shape reaches from the body's mass centre; 0 for the endless.
double ReachOf(const ColliderSpec& spec, const Vector3& p_BC) {
  const BoundingBox box = spec.shape->BoxAt(spec.X_BS);
  const Vector3 far =
      (box.max - p_BC).cwiseAbs().cwiseMax((box.min - p_BC).cwiseAbs());
  return far.allFinite() ? far.norm() : 0.0;
}

void SetMember(std::vector<std::pair<int, int>>& pairs,
               const std::pair<int, int>& pair, bool member) {
  const auto place = std::lower_bound(pairs.begin(), pairs.end(), pair);
  const bool there = place != pairs.end() && *place == pair;
  if (member && !there) pairs.insert(place, pair);
  if (!member && there) pairs.erase(place);
}

}  // namespace

Contact internal::Readable(const Touch& touch) {
  Contact contact;
  contact.collider_a = {touch.collider_a};
  contact.collider_b = {touch.collider_b};
  contact.body_a = {touch.body_a};
  contact.body_b = {touch.body_b};
  contact.p_W = ToEigen(touch.p);
  contact.normal_W = ToEigen(touch.n);
  contact.distance = touch.distance;
  contact.normal_impulse = touch.lambda[0] + touch.impact;
  contact.friction_impulse_W = ToEigen(touch.friction + touch.impact_friction);
  contact.age = touch.age;
  contact.bounced = touch.bounced;
  if (contact.normal_impulse > 0.0) {
    contact.state =
        touch.sliding ? Contact::State::kSliding : Contact::State::kSticking;
  }
  return contact;
}

void internal::MarkColliders(Data& data, int body) {
  if (Index(body) >= data.contacts.colliders_of_body.size()) return;
  for (const int c : data.contacts.colliders_of_body[Index(body)]) {
    data.contacts.colliders[Index(c)].stale = true;
  }
}

void internal::RemoveCollidersOf(World& world, Data& data, BodyId body) {
  if (Index(body.value) >= data.contacts.colliders_of_body.size()) return;
  std::vector<int>& own = data.contacts.colliders_of_body[Index(body.value)];
  while (!own.empty()) world.RemoveCollider({own.back()});
}

ColliderId World::AddCollider(BodyId body, const ColliderSpec& spec) {
  Data& data = implementation_->data;
  internal::CheckBody(data, body, "AddCollider");
  if (spec.shape == nullptr) {
    throw std::invalid_argument("AddCollider: shape is missing");
  }
  if (!spec.X_BS.p.allFinite() ||
      !(std::abs(spec.X_BS.R.norm() - 1.0) < 1e-6)) {
    throw std::invalid_argument(
        "AddCollider: X_BS must be finite with a unit quaternion");
  }
  CheckSurface(spec.surface);
  const Body& owner = data.bodies[Index(body.value)];
  if (spec.shape->is_static() && owner.kind == BodyKind::kDynamic) {
    throw std::invalid_argument(
        "AddCollider: planes, meshes and height fields must belong to fixed or "
        "kinematic bodies, body " +
        std::to_string(body.value) + " is dynamic");
  }
  Contacts& contacts = data.contacts;
  const BodyMotion& motion = data.motions[Index(body.value)];
  Collider collider;
  collider.used = true;
  collider.body = body.value;
  collider.shape = spec.shape;
  collider.X_BS = {spec.X_BS.R.normalized(), spec.X_BS.p};
  collider.surface = spec.surface;
  collider.group = spec.group;
  collider.mask = spec.mask;
  collider.family = spec.family;
  collider.reach = ReachOf(spec, owner.mass.p_BC);
  collider.X_WS = Transform{motion.q_WB, motion.p_WB} * collider.X_BS;
  // Colliders of one body do not meet, and those of a family do not.
  constexpr std::int64_t kBodies = std::int64_t{1} << 40;
  collider.proxy = contacts.broad_phase.Add(
      collider.shape->BoxAt(collider.X_WS),
      spec.family != 0 ? spec.family : kBodies + body.value);
  // Colliders have the numbers of their proxies.
  if (Index(collider.proxy) >= contacts.colliders.size()) {
    contacts.colliders.resize(Index(collider.proxy) + 1);
  }
  contacts.colliders[Index(collider.proxy)] = collider;
  ++contacts.num_colliders;
  if (contacts.colliders_of_body.size() < data.bodies.size()) {
    contacts.colliders_of_body.resize(data.bodies.size());
  }
  contacts.colliders_of_body[Index(body.value)].push_back(collider.proxy);
  internal::WakeGroup(data, body.value);
  return {collider.proxy};
}

void World::RemoveCollider(ColliderId id) {
  Data& data = implementation_->data;
  internal::CheckCollider(data, id, "RemoveCollider");
  Contacts& contacts = data.contacts;
  Collider& collider = contacts.colliders[Index(id.value)];
  internal::WakeAll(data);
  contacts.broad_phase.Remove(collider.proxy);
  std::erase(contacts.colliders_of_body[Index(collider.body)], id.value);
  const auto of_this = [&](const auto& touch) {
    return touch.collider_a == id.value || touch.collider_b == id.value;
  };
  std::erase_if(contacts.touches, of_this);
  std::erase_if(contacts.last, of_this);
  std::erase_if(contacts.dormant, [&](const internal::DormantTouch& touch) {
    return of_this(touch.past);
  });
  contacts.readable_known = false;
  collider = Collider{};
  --contacts.num_colliders;
}

void World::SetSurface(ColliderId id, const ContactSurface& surface) {
  Data& data = implementation_->data;
  internal::CheckCollider(data, id, "SetSurface");
  CheckSurface(surface);
  data.contacts.colliders[Index(id.value)].surface = surface;
  internal::WakeAll(data);
}

void World::SetContact(BodyId a, BodyId b, bool allowed) {
  Data& data = implementation_->data;
  internal::CheckBody(data, a, "SetContact");
  internal::CheckBody(data, b, "SetContact");
  const std::pair<int, int> pair = std::minmax(a.value, b.value);
  SetMember(data.contacts.user_blocked, pair, !allowed);
  SetMember(data.contacts.user_allowed, pair, allowed);
  data.contacts.filters_known = false;
  internal::WakeGroup(data, a.value);
  internal::WakeGroup(data, b.value);
}

std::span<const Contact> World::contacts() const {
  Contacts& contacts = implementation_->data.contacts;
  if (!contacts.readable_known) {
    contacts.readable.clear();
    const std::vector<Body>& bodies = implementation_->data.bodies;
    for (const Touch& touch : contacts.touches) {
      // Those that fell asleep in this step are among the dormant.
      if (bodies[Index(touch.body_a)].asleep ||
          bodies[Index(touch.body_b)].asleep) {
        continue;
      }
      contacts.readable.push_back(Readable(touch));
    }
    for (const internal::DormantTouch& touch : contacts.dormant) {
      contacts.readable.push_back(touch.readable);
    }
    contacts.readable_known = true;
  }
  return contacts.readable;
}

std::vector<Contact> World::FindContacts(double margin) const {
  std::vector<Contact> found;
  internal::FindContactsNow(implementation_->data, margin, found);
  return found;
}

void World::SetEnabled(BodyId body, bool enabled) {
  Data& data = implementation_->data;
  internal::CheckBody(data, body, "SetEnabled");
  Body& changed = data.bodies[Index(body.value)];
  if (changed.disabled == !enabled) return;
  internal::WakeAll(data);
  changed.disabled = !enabled;
  if (changed.kind == BodyKind::kDynamic) {
    changed.v.setZero();
    changed.w.setZero();
    changed.L.setZero();
    internal::Refresh(data, body.value);
  }
  data.islands_known = false;
}

bool World::enabled(BodyId body) const {
  internal::CheckBody(implementation_->data, body, "enabled");
  return !implementation_->data.bodies[Index(body.value)].disabled;
}

bool World::asleep(BodyId body) const {
  internal::CheckBody(implementation_->data, body, "asleep");
  return implementation_->data.bodies[Index(body.value)].asleep;
}

void World::Wake(BodyId body) {
  internal::CheckBody(implementation_->data, body, "Wake");
  internal::WakeGroup(implementation_->data, body.value);
}

}  // namespace limber::dynamics
