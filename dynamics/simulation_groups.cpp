// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/simulation_groups.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/index.h"
#include "dynamics/event_stepper.h"

namespace limber::dynamics {
namespace {

// Parts of a set of things, joined pair by pair.
class Partition {
 public:
  explicit Partition(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t Root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void Unite(std::size_t a, std::size_t b) { parent_[Root(a)] = Root(b); }

  /// The members of each part, in order of their first ones.
  std::vector<std::vector<int>> Parts() {
    std::vector<std::vector<int>> parts;
    std::vector<int> part_of(parent_.size(), -1);
    for (std::size_t i = 0; i < parent_.size(); ++i) {
      int& part = part_of[Root(i)];
      if (part < 0) {
        part = static_cast<int>(parts.size());
        parts.emplace_back();
      }
      parts[Index(part)].push_back(static_cast<int>(i));
    }
    return parts;
  }

 private:
  std::vector<std::size_t> parent_;
};

// Calls `use(i, k)` for every two boxes that overlap.
template <typename Use>
void ForOverlaps(const std::vector<BoundingBox>& boxes, Use use) {
  std::vector<std::size_t> order(boxes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return boxes[a].min.x() < boxes[b].min.x();
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const BoundingBox& box = boxes[order[i]];
    for (std::size_t k = i + 1; k < order.size(); ++k) {
      if (boxes[order[k]].min.x() > box.max.x()) break;
      if (box.Overlaps(boxes[order[k]])) use(order[i], order[k]);
    }
  }
}

}  // namespace

struct SimulationGroups::Member {
  BodySpec spec;  // As it was when its group was made.
  std::vector<ColliderSpec> colliders;
  GroupSettings settings;
  Group* group = nullptr;
  BodyId body;
};

struct SimulationGroups::Connection {
  std::vector<int> members;
  Joins joins;
};

struct SimulationGroups::Group {
  explicit Group(const GroupSettings& given)
      : settings(given), world(given.world) {}

  GroupSettings settings;
  std::vector<int> members;
  World world;
  std::unique_ptr<EventStepper> stepper;
  std::shared_ptr<const World::State> start;  // Null: stood still.
  std::vector<BoundingBox> hulls;             // By member, over the frame.
};

SimulationGroups::SimulationGroups() = default;
SimulationGroups::~SimulationGroups() = default;

const SimulationGroups::Member& SimulationGroups::Find(
    GroupBody body, const char* function) const {
  if (body.value < 0 || Index(body.value) >= members_.size()) {
    throw std::invalid_argument(std::string("SimulationGroups::") + function +
                                ": no body has the id " +
                                std::to_string(body.value));
  }
  return members_[Index(body.value)];
}

void SimulationGroups::AddGround(const ColliderSpec& collider) {
  for (const std::unique_ptr<Group>& group : groups_) {
    group->world.AddCollider(kGround, collider);
  }
  ground_.push_back(collider);
}

GroupBody SimulationGroups::AddBody(const BodySpec& spec,
                                    std::vector<ColliderSpec> colliders,
                                    const GroupSettings& settings) {
  if (spec.kind != BodyKind::kDynamic) {
    throw std::invalid_argument(
        "SimulationGroups::AddBody: kind must be kDynamic; what is fixed "
        "belongs to the ground");
  }
  if (!(settings.step > 0.0) || !std::isfinite(settings.step)) {
    throw std::invalid_argument(
        "SimulationGroups::AddBody: step must be positive and finite, is " +
        std::to_string(settings.step));
  }
  const int id = static_cast<int>(members_.size());
  members_.push_back({spec, std::move(colliders), settings, nullptr, {}});
  try {
    groups_.push_back(MakeGroup({id}));
  } catch (...) {
    members_.pop_back();
    throw;
  }
  return {id};
}

void SimulationGroups::Join(std::vector<GroupBody> bodies, Joins joins) {
  if (bodies.empty()) {
    throw std::invalid_argument(
        "SimulationGroups::Join: bodies must not be "
        "empty");
  }
  Connection connection;
  std::vector<int> which;
  for (const GroupBody body : bodies) {
    const Group* group = Find(body, "Join").group;
    connection.members.push_back(body.value);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].get() == group) which.push_back(static_cast<int>(g));
    }
  }
  connection.joins = std::move(joins);
  connections_.push_back(std::move(connection));
  std::sort(which.begin(), which.end());
  which.erase(std::unique(which.begin(), which.end()), which.end());
  num_merged_ += static_cast<int>(which.size()) - 1;
  MergeGroups(which);
}

// A world of the members as they are now.
std::unique_ptr<SimulationGroups::Group> SimulationGroups::MakeGroup(
    std::vector<int> members) {
  std::sort(members.begin(), members.end());
  const int quickest =
      *std::min_element(members.begin(), members.end(), [this](int a, int b) {
        return members_[Index(a)].settings.step <
               members_[Index(b)].settings.step;
      });
  GroupSettings settings = members_[Index(quickest)].settings;
  std::vector<int> place(members_.size(), -1);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Member& member = members_[Index(members[i])];
    settings.event_driven =
        settings.event_driven || member.settings.event_driven;
    place[Index(members[i])] = static_cast<int>(i);
  }
  std::vector<const Connection*> inside;
  Partition parts(members.size());
  for (const Connection& connection : connections_) {
    const int first = place[Index(connection.members.front())];
    if (first < 0) continue;
    inside.push_back(&connection);
    for (const int member : connection.members) {
      parts.Unite(Index(first), Index(place[Index(member)]));
    }
  }
  // Parts that are not joined are here because they may touch.
  if (parts.Parts().size() > 1) settings.world.scheme = Scheme::kLeapfrog;

  auto group = std::make_unique<Group>(settings);
  for (const ColliderSpec& collider : ground_) {
    group->world.AddCollider(kGround, collider);
  }
  std::vector<BodyId> bodies(members_.size());
  for (const int m : members) {
    const Member& member = members_[Index(m)];
    const BodyId body = group->world.AddBody(member.spec);
    for (const ColliderSpec& collider : member.colliders) {
      group->world.AddCollider(body, collider);
    }
    bodies[Index(m)] = body;
  }
  for (const Connection* connection : inside) {
    std::vector<BodyId> joined;
    for (const int m : connection->members) joined.push_back(bodies[Index(m)]);
    connection->joins(group->world, joined);
  }
  if (settings.event_driven) {
    EventStepperSettings stepping;
    stepping.step = settings.step;
    group->stepper = std::make_unique<EventStepper>(group->world, stepping);
  }
  for (const int m : members) {
    members_[Index(m)].group = group.get();
    members_[Index(m)].body = bodies[Index(m)];
  }
  group->members = std::move(members);
  return group;
}

bool SimulationGroups::IsIdle(const Group& group) const {
  return std::all_of(group.members.begin(), group.members.end(), [&](int m) {
    return group.world.asleep(members_[Index(m)].body);
  });
}

// Through the frame alone; keeps the state at its start, and the hulls.
void SimulationGroups::AdvanceGroup(Group& group, double frame) {
  const auto extend = [&] {
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const Member& member = members_[Index(group.members[i])];
      const Transform X_WB = group.world.X_WB(member.body);
      for (const ColliderSpec& collider : member.colliders) {
        group.hulls[i].Extend(collider.shape->BoxAt(X_WB * collider.X_BS));
      }
    }
  };
  group.start = nullptr;
  const bool idle = IsIdle(group);
  if (idle && group.hulls.size() == group.members.size()) return;
  group.hulls.assign(group.members.size(), BoundingBox{});
  extend();
  if (idle) return;
  group.start = group.world.Save();
  const int num_steps = std::max(
      1, static_cast<int>(std::ceil(frame / group.settings.step - 1e-9)));
  for (int i = 0; i < num_steps; ++i) {
    const double h = frame / num_steps;
    if (group.stepper != nullptr) {
      group.stepper->Advance(h);
    } else {
      group.world.Step(h);
    }
    extend();
  }
}

void SimulationGroups::TakeBack(Group& group) {
  if (group.start == nullptr) return;
  group.world.Restore(*group.start);
  group.start = nullptr;
  ++num_taken_back_;
}

// The members as they are now, to make another group of them. Velocities of a
// leapfrog belong to the middle of the last step; those of now are
//
//     v(t) = v(t - h/2) + (v(t - h/2) - v(t - h))
//
// unless a contact has changed them at once.
void SimulationGroups::ReadStates(const Group& group) {
  const std::vector<BodyMotion> then = group.world.SynchronisedMotions();
  std::vector<bool> struck(members_.size(), false);
  for (const Contact& contact : group.world.contacts()) {
    if (contact.normal_impulse <= 0.0) continue;
    for (const int m : group.members) {
      const BodyId body = members_[Index(m)].body;
      if (body == contact.body_a || body == contact.body_b) {
        struck[Index(m)] = true;
      }
    }
  }
  // So has what is joined to it.
  for (bool again = true; again;) {
    again = false;
    for (const Connection& connection : connections_) {
      const auto is_struck = [&](int m) { return struck[Index(m)]; };
      const auto& members = connection.members;
      if (std::none_of(members.begin(), members.end(), is_struck) ||
          std::all_of(members.begin(), members.end(), is_struck)) {
        continue;
      }
      for (const int m : members) struck[Index(m)] = true;
      again = true;
    }
  }
  for (const int m : group.members) {
    Member& member = members_[Index(m)];
    const BodyMotion& now = group.world.motion(member.body);
    const BodyMotion& before = then[Index(member.body.value)];
    member.spec.X_WB = group.world.X_WB(member.body);
    member.spec.v_WC = now.v_WC;
    member.spec.w_WB = now.w_WB;
    if (struck[Index(m)]) continue;
    member.spec.v_WC += now.v_WC - before.v_WC;
    member.spec.w_WB += now.w_WB - before.w_WB;
  }
}

// `which` are places in groups_, in order.
void SimulationGroups::MergeGroups(std::vector<int> which) {
  std::vector<int> members;
  for (const int g : which) {
    Group& group = *groups_[Index(g)];
    TakeBack(group);
    ReadStates(group);
    members.insert(members.end(), group.members.begin(), group.members.end());
  }
  std::unique_ptr<Group> merged = MakeGroup(std::move(members));
  groups_[Index(which.front())] = std::move(merged);
  for (std::size_t i = which.size(); i-- > 1;) {
    groups_.erase(groups_.begin() + which[i]);
  }
}

// Merges groups whose hulls overlap and takes them through the frame again.
bool SimulationGroups::MergeOverlapping(double frame) {
  std::vector<BoundingBox> boxes;
  std::vector<std::size_t> owner;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const double margin = groups_[g]->settings.world.contact.margin;
    for (const BoundingBox& hull : groups_[g]->hulls) {
      boxes.push_back(hull.Grown(0.5 * margin));
      owner.push_back(g);
    }
  }
  Partition parts(groups_.size());
  bool any = false;
  ForOverlaps(boxes, [&](std::size_t a, std::size_t b) {
    if (owner[a] == owner[b]) return;
    parts.Unite(owner[a], owner[b]);
    any = true;
  });
  if (!any) return false;
  // By name: places change with every merge.
  std::vector<std::vector<const Group*>> merges;
  for (const std::vector<int>& part : parts.Parts()) {
    if (part.size() < 2) continue;
    std::vector<const Group*>& merge = merges.emplace_back();
    for (const int g : part) merge.push_back(groups_[Index(g)].get());
  }
  for (const std::vector<const Group*>& merge : merges) {
    std::vector<int> which;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (std::find(merge.begin(), merge.end(), groups_[g].get()) !=
          merge.end()) {
        which.push_back(static_cast<int>(g));
      }
    }
    num_merged_ += static_cast<int>(which.size()) - 1;
    MergeGroups(which);
    AdvanceGroup(*groups_[Index(which.front())], frame);
  }
  return true;
}

// Parts that are neither joined nor near go their own ways.
void SimulationGroups::SplitGroups() {
  constexpr double kApart = 0.05;  // [m], so that they do not meet at once.
  const std::size_t num_groups = groups_.size();
  for (std::size_t g = 0; g < num_groups; ++g) {
    Group& group = *groups_[g];
    if (group.members.size() < 2 || group.start == nullptr) continue;
    std::vector<int> place(members_.size(), -1);
    std::vector<BoundingBox> boxes;
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      place[Index(group.members[i])] = static_cast<int>(i);
      boxes.push_back(group.hulls[i].Grown(0.5 * kApart));
    }
    Partition parts(group.members.size());
    for (const Connection& connection : connections_) {
      const int first = place[Index(connection.members.front())];
      if (first < 0) continue;
      for (const int m : connection.members) {
        parts.Unite(Index(first), Index(place[Index(m)]));
      }
    }
    ForOverlaps(boxes,
                [&](std::size_t a, std::size_t b) { parts.Unite(a, b); });
    const std::vector<std::vector<int>> split = parts.Parts();
    if (split.size() < 2) continue;
    ReadStates(group);
    num_split_ += static_cast<int>(split.size()) - 1;
    const std::vector<int> all = group.members;
    std::unique_ptr<Group> old = std::move(groups_[g]);
    for (std::size_t p = 0; p < split.size(); ++p) {
      std::vector<int> members;
      for (const int i : split[p]) members.push_back(all[Index(i)]);
      std::unique_ptr<Group> part = MakeGroup(std::move(members));
      if (p == 0) {
        groups_[g] = std::move(part);
      } else {
        groups_.push_back(std::move(part));
      }
    }
  }
}

void SimulationGroups::Advance(double frame) {
  if (!(frame > 0.0) || !std::isfinite(frame)) {
    throw std::invalid_argument(
        "SimulationGroups::Advance: frame must be positive and finite, is " +
        std::to_string(frame));
  }
  for (const std::unique_ptr<Group>& group : groups_) {
    AdvanceGroup(*group, frame);
  }
  while (MergeOverlapping(frame)) {
  }
  SplitGroups();
  time_ += frame;
}

bool SimulationGroups::same_group(GroupBody a, GroupBody b) const {
  return Find(a, "same_group").group == Find(b, "same_group").group;
}

bool SimulationGroups::idle(GroupBody body) const {
  return IsIdle(*Find(body, "idle").group);
}

const BodyMotion& SimulationGroups::motion(GroupBody body) const {
  const Member& member = Find(body, "motion");
  return member.group->world.motion(member.body);
}

}  // namespace limber::dynamics
