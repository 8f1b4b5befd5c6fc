// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "dynamics/internal/world_data.h"

// Impacts with restitution, one event after the other within the step. With V
// the velocity at the start of the step and a = J W F the free acceleration
// along the normal of a contact,
//
//     d(tau) = d + J V tau + a tau^2 / 2        its distance tau later
//     J V(tau) = J V + a tau
//
// The contacts that meet first, at one time tau, bounce together, by Newton's
// law  J V(tau+) = -e J V(tau) , and an impulse at tau instead of 0 leaves the
// bodies -tau (change of V) elsewhere. Contacts that approach only then bounce
// after that: a flat cube does not spin, and in Newton's cradle one ball
// leaves.

namespace limber::dynamics::internal {

namespace {

constexpr int kMostEvents = 200;
/// Contacts that meet within this share of a step meet together.
constexpr double kTogether = 1e-3;

// J . (motion of body a, motion of body b).
template <typename MotionOfBody>
double Along(const Touch& touch, const MotionOfBody& motion) {
  double sum = 0.0;
  for (int side = 0; side < 2; ++side) {
    Vec linear, angular;
    touch.Jacobian(0, side, linear, angular);
    const Twist twist = motion(side == 1 ? touch.body_b : touch.body_a);
    sum +=
        Dot(linear, ToVec(twist.linear)) + Dot(angular, ToVec(twist.angular));
  }
  return sum;
}

// The time at which d + v t + a t^2/2 first is zero and falling, at `now` or
// later; infinite if there is none.
double MeetingTime(double d, double v, double a, double now) {
  const double gap = d + now * (v + 0.5 * a * now);
  const double speed = v + a * now;
  if (gap <= 0.0) return speed < 0.0 ? now : kInfinity;
  // gap + speed t + a t^2/2 = 0, the smaller positive t.
  const double root2 = speed * speed - 2.0 * a * gap;
  if (root2 < 0.0) return kInfinity;
  const double q = -speed + std::sqrt(root2);
  if (speed >= 0.0 && a >= 0.0) return kInfinity;
  return q > 0.0 ? now + 2.0 * gap / q : kInfinity;
}

// The bodies of an island or pile, and their contacts that bounce.
void BounceGroup(Data& data, Island& group, const std::vector<int>& touches,
                 double h) {
  std::vector<Touch>& all = data.contacts.touches;
  std::vector<double>& distance = data.contacts.impact_distance;
  std::vector<double>& acceleration = data.contacts.impact_acceleration;
  std::vector<char>& used = data.contacts.impact_tried;
  distance.resize(touches.size());
  acceleration.resize(touches.size());
  const auto free_acceleration = [&data](int b) -> Twist {
    const Body& body = data.bodies[Index(b)];
    if (!body.moves()) return {};
    return {data.settings.gravity + body.inverse_mass * body.force,
            body.inverse_inertia_W * body.torque};
  };
  for (const int b : group.bodies) {
    Body& body = data.bodies[Index(b)];
    const Twist A = free_acceleration(b);
    body.step_inverse_inertia_W = body.inverse_inertia_W;
    data.free_motion[Index(b)] = {body.v + 0.5 * data.last_h * A.linear,
                                  body.w + 0.5 * data.last_h * A.angular};
  }
  const auto velocity = [&data](int b) { return data.free_motion[Index(b)]; };
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const Touch& touch = all[Index(touches[i])];
    distance[i] = touch.distance;
    acceleration[i] = Along(touch, free_acceleration);
  }

  double now = 0.0;
  for (int event = 0; event < kMostEvents; ++event) {
    // Who meets first.
    double first = kInfinity;
    used.assign(touches.size(), 0);
    for (std::size_t i = 0; i < touches.size(); ++i) {
      const Touch& touch = all[Index(touches[i])];
      const double v = Along(touch, velocity);
      const double time = MeetingTime(distance[i], v, acceleration[i], now);
      if (time > h) continue;
      if (v + acceleration[i] * time > -touch.restitution_speed) continue;
      used[i] = 1;
      first = std::min(first, time);
    }
    if (first == kInfinity) return;
    now = first;
    group.touches.clear();
    for (std::size_t i = 0; i < touches.size(); ++i) {
      if (used[i] == 0) continue;
      const Touch& touch = all[Index(touches[i])];
      const double v = Along(touch, velocity);
      const double time = MeetingTime(distance[i], v, acceleration[i], now);
      if (time <= now + kTogether * h) group.touches.push_back(touches[i]);
    }

    // Joints keep their speed, soft and bounded rows have no impulses, and the
    // contacts of this event bounce.
    data.rows.Clear();
    AddIslandRows(data, group);
    for (int r = group.first_row; r < group.first_contact_row; ++r) {
      const RowBuffer::Row& row = data.rows.row(r);
      const bool hard = IsHardJointRow(row);
      double speed = 0.0;
      for (const RowBuffer::Entry& entry : data.rows.entries(r)) {
        const Twist& V = data.free_motion[Index(entry.body)];
        speed += entry.linear.dot(V.linear) + entry.angular.dot(V.angular);
      }
      data.targets[Index(r)] = {speed, 0.0, hard ? -kInfinity : 0.0,
                                hard ? kInfinity : 0.0};
      data.rows.row(r).normal_row = -1;
    }
    int r = group.first_contact_row;
    for (const int t : group.touches) {
      Touch& touch = all[Index(t)];
      const std::size_t i = Index(
          static_cast<int>(std::lower_bound(touches.begin(), touches.end(), t) -
                           touches.begin()));
      const double speed = Along(touch, velocity) + acceleration[i] * now;
      RowTarget& target = data.targets[Index(r)];
      target.u = -touch.restitution * speed - acceleration[i] * now;
      target.softness = 0.0;
      touch.bounced = true;
      r += touch.num_rows;
    }
    const StepReport report = data.report;
    SolveIsland(data, group, data.free_motion, false, data.change);
    data.report = report;
    r = group.first_contact_row - group.first_row;
    for (const int t : group.touches) {
      Touch& touch = all[Index(t)];
      touch.impact += data.lambda[r];
      if (touch.num_rows >= 3) {
        touch.impact_friction +=
            data.lambda[r + 1] * touch.t1 + data.lambda[r + 2] * touch.t2;
      }
      r += touch.num_rows;
    }
    const auto change = [&data](int b) -> Twist {
      return data.bodies[Index(b)].moves() ? data.change[Index(b)] : Twist{};
    };
    for (std::size_t i = 0; i < touches.size(); ++i) {
      distance[i] -= now * Along(all[Index(touches[i])], change);
    }
    for (const int b : group.bodies) {
      Body& body = data.bodies[Index(b)];
      const Twist& z = data.change[Index(b)];
      if (z.linear == Vector3::Zero() && z.angular == Vector3::Zero()) continue;
      data.free_motion[Index(b)].linear += z.linear;
      data.free_motion[Index(b)].angular += z.angular;
      body.v += z.linear;
      body.L += body.flow.AngularMomentum(body.q_WC, z.angular);
      body.p_WC -= now * z.linear;
      body.q_WC = (ExpRotation(-now * z.angular) * body.q_WC).normalized();
      Refresh(data, b);
    }
  }
}

}  // namespace

void Bounce(Data& data, double /*kick*/, double h) {
  Contacts& contacts = data.contacts;
  std::vector<int>& groups = contacts.impact_groups;
  groups.clear();
  const double since = 0.5 * data.last_h;
  for (const Touch& touch : contacts.touches) {
    if (touch.restitution == 0.0) continue;
    const double v = Along(touch, [&](int b) -> Twist {
      const Body& body = data.bodies[Index(b)];
      if (!body.moves()) return {body.v, body.w};
      return {body.v + (since + h) * (data.settings.gravity +
                                      body.inverse_mass * body.force),
              body.w + (since + h) * (body.inverse_inertia_W * body.torque)};
    });
    // Slower ones cannot bounce in this step.
    if (v > -touch.restitution_speed || touch.distance + h * v > 0.0) continue;
    const int body = touch.dynamic_a ? touch.body_a : touch.body_b;
    const int island = data.bodies[Index(body)].island_number;
    const int pile = data.islands[Index(island)].pile;
    const int group =
        pile >= 0 ? contacts.piles[Index(pile)].islands.front() : island;
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) {
      groups.push_back(group);
    }
  }
  if (groups.empty()) return;

  data.free_motion.resize(data.bodies.size());
  data.change.resize(data.bodies.size());
  for (std::size_t b = 0; b < data.bodies.size(); ++b) {
    const Body& body = data.bodies[b];
    if (!body.moves()) data.free_motion[b] = {body.v, body.w};
  }
  std::vector<int>& touches = contacts.impact_touches;
  for (const int group : groups) {
    Island& all = data.merged_island;
    all.bodies.clear();
    all.constraints.clear();
    touches.clear();
    const auto add = [&](const Island& part) {
      all.bodies.insert(all.bodies.end(), part.bodies.begin(),
                        part.bodies.end());
      all.constraints.insert(all.constraints.end(), part.constraints.begin(),
                             part.constraints.end());
      touches.insert(touches.end(), part.touches.begin(), part.touches.end());
    };
    const int pile = data.islands[Index(group)].pile;
    if (pile < 0) {
      add(data.islands[Index(group)]);
    } else {
      for (const int n : contacts.piles[Index(pile)].islands) {
        add(data.islands[Index(n)]);
      }
      touches.insert(touches.end(), contacts.piles[Index(pile)].touches.begin(),
                     contacts.piles[Index(pile)].touches.end());
    }
    std::erase_if(touches, [&](int t) {
      return contacts.touches[Index(t)].restitution == 0.0;
    });
    std::sort(touches.begin(), touches.end());
    BounceGroup(data, all, touches, h);
    for (std::size_t i = 0; i < touches.size(); ++i) {
      Touch& touch = contacts.touches[Index(touches[i])];
      touch.distance = contacts.impact_distance[i];
      touch.u[0] = -std::max(0.0, touch.distance) / h;
    }
  }
}

}  // namespace limber::dynamics::internal
