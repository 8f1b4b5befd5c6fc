// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "dynamics/constraint.h"
#include "dynamics/dantzig.h"
#include "dynamics/internal/contact_data.h"
#include "dynamics/internal/elastic_island.h"
#include "dynamics/internal/force_rows.h"
#include "dynamics/internal/tree_island.h"
#include "dynamics/rotation_flow.h"
#include "dynamics/world.h"

namespace limber::dynamics::internal {

/// The part of a constraint that only the world may touch.
class ConstraintAccess {
 public:
  static std::vector<double>& impulses(Constraint& constraint) {
    return constraint.impulses_;
  }
  static std::vector<double>& last_rates(Constraint& constraint) {
    return constraint.last_rates_;
  }
  static std::vector<LcpRowState>& row_states(Constraint& constraint) {
    return constraint.row_states_;
  }
};

/// State of a body. Kinematic and fixed bodies keep w, dynamic ones L. Sixteen
/// numbers without a gap, so that four bodies are read at once (lanes.h).
struct BodyState {
  Quaternion q_WC = Quaternion::Identity();
  Vector3 p_WC = Vector3::Zero();
  Vector3 v = Vector3::Zero();
  Vector3 w = Vector3::Zero();
  Vector3 L = Vector3::Zero();
};
static_assert(sizeof(BodyState) == 16 * sizeof(double));

/// Pose and velocity of a body at one instant, in the order of its state.
struct BodyInstant {
  Quaternion q_WC = Quaternion::Identity();
  Vector3 p_WC = Vector3::Zero();
  Vector3 v = Vector3::Zero();
  Vector3 w = Vector3::Zero();
};
inline BodyInstant InstantOf(const BodyState& state) {
  return {state.q_WC, state.p_WC, state.v, state.w};
}

/// A body as the stepping code sees it. C is the frame of the principal axes at
/// the mass centre.
struct alignas(64) Body : BodyState {
  // What every step reads or writes comes first.
  Matrix3 inverse_inertia_W = Matrix3::Zero();  ///< Derived from the state.
  BodyKind kind = BodyKind::kFixed;
  bool removed = false;
  bool turned = false;  ///< q_BC is not the identity.
  bool disabled = false;
  bool asleep = false;
  int island = -1;
  int island_number = -1;
  int sleep_group = -1;  ///< While asleep: what wakes together.
  double still = 0.0;    ///< How long it has been at rest [s].
  double inverse_mass = 0.0;

  RotationFlow flow{Vector3::Zero()};

  // The forces of this step.
  Vector3 force = Vector3::Zero();
  Vector3 torque = Vector3::Zero();

  MassProperties mass;
  Quaternion q_BC = Quaternion::Identity();
  double linear_damping = 0.0;
  double angular_damping = 0.0;
  Matrix3 step_inverse_inertia_W = Matrix3::Zero();  ///< With tension inertia.
  Vector3 sleep_force = Vector3::Zero();  ///< With which it fell asleep.
  Vector3 sleep_torque = Vector3::Zero();
  std::string name;

  bool dynamic() const {
    return kind == BodyKind::kDynamic && !removed && !disabled;
  }
  bool moves() const { return dynamic() && !asleep; }
};

/// Velocities of a body, or a change of them, or a small displacement.
struct Twist {
  Vector3 linear = Vector3::Zero();
  Vector3 angular = Vector3::Zero();
};

/// Right side of one row in a velocity-level solve.
struct RowTarget {
  double u = 0.0;
  double softness = 0.0;
  double lo = 0.0;  ///< Bounds of the impulse.
  double hi = 0.0;
  bool has_other = false;  ///< Goes on in Data::other_targets: AddFriction.
};

/// Bodies joined by enabled constraints, and the rows of these. In lines of the
/// cache of its own, since one thread steps it.
struct alignas(64) Island {
  std::vector<int> bodies;       ///< Dynamic ones.
  std::vector<int> constraints;  ///< Indices into Data::constraints.
  int first_row = 0;
  int num_rows = 0;
  std::vector<int> touches;  ///< Contacts with what does not move by forces.
  int first_contact_row = 0;
  int pile = -1;          ///< In Contacts::piles, if it touches other islands.
  bool reloaded = false;  ///< The sweeps changed an impulse on it.
  bool asleep = false;
  /// Nothing for one body without constraints, unless it touches a figure: a
  /// world of many such bodies has one for all, Data::lone_tree.
  std::unique_ptr<TreeIsland> tree;
  bool use_tree = false;                       ///< A tree suits the island.
  std::unique_ptr<ElasticIsland> own_elastic;  ///< If it has elements.
  std::vector<ElasticIsland*> elastic;         ///< Its own, or those of a pile.
  bool kicked_as_tree = false;
  int factorisations = 0;  ///< Of this step.
  int solves = 0;
  bool free = false;  ///< Nothing acted from outside in the last kick.
};

class IslandPool;

/// Everything a world is made of.
struct Shared {
  WorldSettings settings;
  double last_h = 0.0;  ///< Step before this one; 0 at the start.
  double last_kick = 0.0;
  Contacts contacts;
  int num_asleep = 0;
  int next_sleep_group = 0;
  std::vector<Body> bodies;
  std::vector<BodyMotion> motions;
  std::vector<BodyInstant> at_kick;  ///< With the mean of the velocities
  bool has_at_kick = false;          ///< before and after it.
  std::vector<std::unique_ptr<Constraint>> constraints;
  std::vector<std::unique_ptr<Force>> forces;
  std::vector<ForceRows*> force_rows;  ///< Among the constraints.
  ForceBuffer applied;                 ///< Given by the user for the next step.
  ForceBuffer collected;
  bool no_forces = false;  ///< Force and torque of every body are 0.
  std::vector<std::pair<double, std::function<void(World&)>>> schedule;
  std::vector<Event> events;
  std::vector<Island> islands;
  int num_islands = 0;
  /// By island: its bodies if it is awake and in no pile, else 0.
  std::vector<int> island_weights;
  std::vector<int> given;  ///< Bodies that are not dynamic.
  bool any_kinematic = false;
  bool fixed_placed = false;  ///< Fixed bodies: `predicted`, `at_kick`.
  std::vector<int> other_constraints;  ///< Of no island.
  Island merged_island;                ///< A pile taken as one.
  bool islands_known = false;  ///< No body or constraint came or went since.
  std::vector<char> enabled_then;  ///< Constraints switched on at that time.
  std::vector<int> island_of_root;
  std::vector<std::pair<int, int>>
      row_range;  ///< Per constraint: first, count.
  std::vector<BodyMotion> predicted;
  std::vector<double> energy_bank;  ///< Per body; the island's is the sum.
  /// By the first body of an island: see `GiveMomentum`.
  std::vector<double> given_energy;
  std::unique_ptr<OdeSolver> ode;
  VectorX ode_state;
  IslandPool* pool = nullptr;  ///< If there are several threads.
};

/// A world as one thread sees it: what all share, and a work space of its own,
/// kept so that a step does not allocate. The stepping schemes are functions on
/// it. Threads that step islands at the same time write only to what belongs to
/// their islands and to their own.
struct Data {
  explicit Data(Shared& world) : shared(world) {}

  Shared& shared;
  WorldSettings& settings = shared.settings;
  double& last_h = shared.last_h;
  double& last_kick = shared.last_kick;
  Contacts& contacts = shared.contacts;
  int& num_asleep = shared.num_asleep;
  int& next_sleep_group = shared.next_sleep_group;
  std::vector<Body>& bodies = shared.bodies;
  std::vector<BodyMotion>& motions = shared.motions;
  std::vector<BodyInstant>& at_kick = shared.at_kick;
  bool& has_at_kick = shared.has_at_kick;
  std::vector<std::unique_ptr<Constraint>>& constraints = shared.constraints;
  std::vector<std::unique_ptr<Force>>& forces = shared.forces;
  ForceBuffer& applied = shared.applied;
  ForceBuffer& collected = shared.collected;
  std::vector<std::pair<double, std::function<void(World&)>>>& schedule =
      shared.schedule;
  std::vector<Event>& events = shared.events;
  std::vector<Island>& islands = shared.islands;
  int& num_islands = shared.num_islands;
  std::vector<int>& island_weights = shared.island_weights;
  std::vector<int>& given = shared.given;
  bool& any_kinematic = shared.any_kinematic;
  std::vector<int>& other_constraints = shared.other_constraints;
  Island& merged_island = shared.merged_island;
  bool& islands_known = shared.islands_known;
  std::vector<char>& enabled_then = shared.enabled_then;
  std::vector<int>& island_of_root = shared.island_of_root;
  std::vector<std::pair<int, int>>& row_range = shared.row_range;
  std::vector<BodyMotion>& predicted = shared.predicted;
  std::vector<double>& energy_bank = shared.energy_bank;
  std::vector<double>& given_energy = shared.given_energy;
  std::unique_ptr<OdeSolver>& ode = shared.ode;
  VectorX& ode_state = shared.ode_state;

  double time = 0.0;  ///< Islands need not be through with a kick together.
  bool breakable = false;  ///< A constraint of this step has a strength.
  StepReport report;
  RowBuffer rows;
  RowBuffer predicted_rows;
  std::vector<RowTarget> targets;
  std::vector<RowTarget> other_targets;  ///< Of targets that have another.
  std::vector<Twist> free_motion;
  std::vector<Twist> change;
  std::vector<Twist> other_change;
  std::vector<Twist> mean_change;
  std::vector<Matrix3> tension_stiffness;
  std::vector<double> tension_bound;
  std::vector<double> reflected_targets;
  bool closing = false;  ///< The solve is for positions, not for velocities.
  bool given_known = false;  ///< `free_motion` of bodies moved by the user.
  MatrixX K;
  VectorX c, lo, hi, lambda, other_lambda, mean_lambda;
  std::vector<int> normal;
  std::vector<double> friction;
  std::vector<std::vector<std::pair<int, int>>> touching;  ///< Row, entry.
  std::vector<LcpRowState> row_states;
  DantzigSolver dantzig;
  TreeIsland lone_tree;  ///< Of the island at hand, if it has none.
};

/// Fills `motion` and the world inertia of body `i` from its state.
void Refresh(Data& data, int i);
void RefreshAll(Data& data);
/// The same for a list of dynamic bodies.
void RefreshBodies(Data& data, std::span<const int> list);

/// Sets force and torque of every body: gravity is not among them.
void CollectForces(Data& data, double h);

/// V + h W f: the velocities of a dynamic body without constraints.
inline Twist FreeMotion(const Data& data, const Body& body, double h) {
  return {body.v + h * (data.settings.gravity + body.inverse_mass * body.force),
          body.w + h * (body.inverse_inertia_W * body.torque)};
}

/// Checks the settings of the enabled constraints, splits these and the dynamic
/// bodies into islands, and those that suit it into trees. The islands stay
/// while the world has the same bodies and the same enabled constraints.
/// @throws std::invalid_argument, before anything is changed, as
///         `Constraint::CheckSettings` does for the first that is no good.
void FindIslands(Data& data);

/// The end of a step for constraints: enabled ones learn where it led, by
/// `data.time`, the others forget.
void AfterStep(Data& data, std::span<const int> constraints);

/// Evaluates the rows of one island at the present state into `data.rows`.
void AddIslandRows(Data& data, Island& island);

/// Solves, for the rows of `island` (data.targets filled for them),
///
///     e = J (V + W J^T lambda) - u + s lambda ,   lo <= lambda <= hi
///
/// where V is `free_motion` and W the inverse masses (`tension`: with the
/// tension inertia). Leaves lambda in `data.lambda` and W J^T lambda in
/// `change`. Adds to the report. Starts from the row states that
/// `StoreImpulses` kept with the constraints and leaves the new ones in
/// `data.row_states`.
void SolveIsland(Data& data, Island& island,
                 const std::vector<Twist>& free_motion, bool tension,
                 std::vector<Twist>& change);

/// Whether body `b` answers to impulses with the elements around it.
inline bool AnswersAsNode(const Island& island, int b) {
  for (const ElasticIsland* elastic : island.elastic) {
    if (elastic->active() && elastic->Has(b)) return true;
  }
  return false;
}

/// W J^T lambda of the island's rows, for the rows that `use` picks.
template <typename Use>
void ImpulseResponse(const Data& data, const Island& island,
                     const VectorX& lambda, bool tension, const Use& use,
                     std::vector<Twist>& change) {
  for (int b : island.bodies) change[static_cast<std::size_t>(b)] = Twist{};
  for (int i = 0; i < island.num_rows; ++i) {
    if (!use(island.first_row + i)) continue;
    for (const RowBuffer::Entry& entry :
         data.rows.entries(island.first_row + i)) {
      const std::size_t b = static_cast<std::size_t>(entry.body);
      if (!data.bodies[b].dynamic()) continue;
      change[b].linear += lambda[i] * entry.linear;
      change[b].angular += lambda[i] * entry.angular;
    }
  }
  for (ElasticIsland* elastic : island.elastic) {
    if (elastic->active()) elastic->Respond(change);
  }
  for (int index : island.bodies) {
    const std::size_t b = static_cast<std::size_t>(index);
    const Body& body = data.bodies[b];
    if (!AnswersAsNode(island, index)) change[b].linear *= body.inverse_mass;
    change[b].angular =
        (tension ? body.step_inverse_inertia_W : body.inverse_inertia_W) *
        change[b].angular;
  }
}

/// Whether the row is a hard position constraint of default policy: the kind
/// that the leapfrog reflects and closes.
bool IsHardJointRow(const RowBuffer::Row& row);
bool IsOneSided(const RowSettings& settings);

/// C'' of row `r` if no force acted from now on: its acceleration bias and the
/// gyroscopic change of w while L stays.
double CoastingAcceleration(const Data& data, int r);

/// u, softness and impulse bounds of a row by its own policy; `rate` is C' now,
/// `coasting` as `CoastingAcceleration` says.
/// kDefault counts as kImplicit, one-sided rows give way as in section
/// "Policies" of docs/dynamics.md.
RowTarget TargetOf(const RowBuffer::Row& row, double rate, double coasting,
                   double h);

/// Moves dynamic bodies by their velocities for h seconds, L kept, and
/// refreshes them.
void DriftBodies(Data& data, std::span<const int> bodies, double h);
/// Moves the kinematic bodies, and refreshes them.
void DriftGiven(Data& data, double h);
/// Moves every body.
void Drift(Data& data, double h);

/// Stores impulses and states of the rows with their constraints.
void StoreImpulses(Data& data, const Island& island, const VectorX& lambda);

void StepEuler(Data& data, double h);
void StepLeapfrog(Data& data, double h);
void StepImprovedImplicit(Data& data, double h);
void StepAcceleration(Data& data, double h);

}  // namespace limber::dynamics::internal
