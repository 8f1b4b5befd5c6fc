// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "dynamics/world.h"

namespace limber::dynamics {

/// How a group is moved.
struct GroupSettings {
  WorldSettings world;        ///< Scheme, solver, gravity, contacts.
  double step = 1.0 / 240.0;  ///< Longest step [s].
  /// Contact times are found by `EventStepper`; Scheme::kLeapfrog only.
  bool event_driven = false;
};

/// Names a body of `SimulationGroups`.
struct GroupBody {
  int value = -1;
  auto operator<=>(const GroupBody&) const = default;
};

/// Bodies in disjoint groups, each group a World of its own with its own scheme
/// and step. What joins bodies (joints, springs, other forces) joins their
/// groups; so does what comes near. A frame is a transaction:
///
///   1. every group that is not idle goes through the frame alone and remembers
///      the hulls its bodies sweep,
///   2. where hulls of two groups overlap, both go back to the start of the
///      frame, become one group, and go through it again, until none overlap,
///   3. groups fall apart whose parts are neither joined nor near.
///
/// A group takes the shortest step of its bodies, the settings that belong to
/// it, and is event driven if one of them is. It begins anew whenever it
/// changes: what solvers and controllers remember is lost, as is what `Joins`
/// functions changed afterwards in the world. A group whose bodies all sleep is
/// idle and costs nothing.
class SimulationGroups {
 public:
  /// Adds joints or forces among bodies to the world that holds them; called
  /// whenever their group changes. `bodies` are those given to `Join`, in
  /// order.
  using Joins = std::function<void(World& world, std::span<const BodyId>)>;

  /// A shape of the ground, which belongs to all groups.
  void AddGround(const ColliderSpec& collider);
  /// A dynamic body, alone in its group until something joins it.
  /// @throws std::invalid_argument if the body is not dynamic or the settings
  ///         cannot be used; as World::AddBody and World::AddCollider.
  GroupBody AddBody(const BodySpec& spec, std::vector<ColliderSpec> colliders,
                    const GroupSettings& settings = {});
  /// Joins `bodies`, and with them their groups.
  /// @throws std::invalid_argument if there is none, or a name is unknown.
  void Join(std::vector<GroupBody> bodies, Joins joins);

  /// Advances everything by `frame` > 0 seconds.
  void Advance(double frame);

  double time() const { return time_; }  ///< [s].
  int num_groups() const { return static_cast<int>(groups_.size()); }
  bool same_group(GroupBody a, GroupBody b) const;
  bool idle(GroupBody body) const;
  /// Pose and velocity, as World::motion.
  const BodyMotion& motion(GroupBody body) const;
  /// Groups that were merged, frames taken back, and groups that fell apart
  /// since the start.
  int num_merged() const { return num_merged_; }
  int num_taken_back() const { return num_taken_back_; }
  int num_split() const { return num_split_; }

 private:
  struct Member;
  struct Connection;
  struct Group;

  const Member& Find(GroupBody body, const char* function) const;
  std::unique_ptr<Group> MakeGroup(std::vector<int> members);
  void AdvanceGroup(Group& group, double frame);
  void TakeBack(Group& group);
  void ReadStates(const Group& group);
  bool MergeOverlapping(double frame);
  void MergeGroups(std::vector<int> which);
  void SplitGroups();
  bool IsIdle(const Group& group) const;

 public:
  SimulationGroups();
  ~SimulationGroups();

 private:
  std::vector<ColliderSpec> ground_;
  std::vector<Member> members_;
  std::vector<Connection> connections_;
  std::vector<std::unique_ptr<Group>> groups_;
  double time_ = 0.0;
  int num_merged_ = 0;
  int num_taken_back_ = 0;
  int num_split_ = 0;
};

}  // namespace limber::dynamics
