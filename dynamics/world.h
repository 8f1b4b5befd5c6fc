// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/body_motion.h"
#include "dynamics/constraint.h"
#include "dynamics/contact.h"
#include "dynamics/force.h"
#include "dynamics/lcp.h"
#include "dynamics/mass_properties.h"
#include "dynamics/ode.h"

namespace limber::dynamics {

/// How a step is taken; docs/dynamics.md section "Steps" derives them.
enum class Scheme {
  /// Default. Leapfrog with work-free joints, positions closed after the drift:
  /// second order, no energy gain, bounds and contacts included.
  kLeapfrog,
  /// First-order: rows J V+ = u, then q+ = q + h V+. As game engines do.
  kEuler,
  /// [Hong et al.] half-step multipliers, then a midpoint step; followed by a
  /// velocity projection unless switched off. For comparison only: it is
  /// marginally stable and not meant for rigid bodies.
  kImprovedImplicit,
  /// Accelerations from multipliers, integrated by an ODE method. Smooth motion
  /// and precision; no impacts, bounds as forces.
  kAcceleration,
};

/// Which solver finds the impulses. kAutomatic takes the linear-time tree
/// solver where the constraints allow it, else the dense one.
enum class SolverKind { kAutomatic, kDense, kTree, kGaussSeidel };

struct WorldSettings {
  Vector3 gravity = Vector3(0.0, -kGravity, 0.0);  ///< [m/s^2].
  Scheme scheme = Scheme::kLeapfrog;
  OdeMethod ode_method = OdeMethod::kRungeKutta4;  ///< For kAcceleration.
  double ode_tolerance = 1e-8;      ///< Local error of the adaptive method.
  bool velocity_projection = true;  ///< For kImprovedImplicit.
  SolverKind solver = SolverKind::kAutomatic;
  int gauss_seidel_sweeps = 50;
  ContactSettings contact = {};
  /// Threads that step islands (bodies that constraints or contacts join) at
  /// the same time under kLeapfrog, with the caller's; 0 takes as many as the
  /// machine has. Results are the same to the last bit for every number. With
  /// more than one, functions that the user gave to constraints of different
  /// islands are called at the same time.
  int threads = 1;
};

enum class BodyKind {
  kDynamic,    ///< Moved by forces.
  kKinematic,  ///< Moved by its velocity, which only the user changes.
  kFixed,      ///< Never moves.
};

struct BodySpec {
  MassProperties mass;  ///< Ignored for kinematic and fixed bodies.
  Transform X_WB;
  Vector3 v_WC = Vector3::Zero();  ///< Velocity of the mass centre [m/s].
  Vector3 w_WB = Vector3::Zero();  ///< Angular velocity [rad/s].
  BodyKind kind = BodyKind::kDynamic;
  /// Without rotation: a particle. Only the mass and the centre count.
  bool point_mass = false;
  /// Rate at which free motion dies away: v(t) = v(0) exp(-damping t) [1/s].
  double linear_damping = 0.0;
  double angular_damping = 0.0;
  std::string name;
};

/// Something that happened during a step.
struct Event {
  enum class Kind { kBroken, kScheduled };
  Kind kind = Kind::kBroken;
  double time = 0.0;                       ///< [s].
  const Constraint* constraint = nullptr;  ///< For kBroken.
  double force = 0.0;                      ///< That broke it [N].
  double torque = 0.0;                     ///< That broke it [N m].
};

/// What the last step cost and how exactly it was solved.
struct StepReport {
  LcpStatus status = LcpStatus::kSolved;
  double residual = 0.0;  ///< Complementarity, as `LcpResidual` defines it.
  int num_rows = 0;
  int factorisations = 0;  ///< Of the island that needed most.
  int solves = 0;          ///< Of the island that needed most.
  int num_contacts = 0;    ///< Points that touch or are about to.
  /// Rounds of friction bounds of the island that needed most, and whether
  /// bounds and normal impulses agree everywhere to 1 %.
  int friction_rounds = 0;
  bool friction_settled = true;
  /// Constraints with rows that could not be met (contradictory systems).
  std::vector<const Constraint*> unmet;
};

/// Bodies, constraints and forces, and the clock that moves them. A world is
/// independent of every other; the same calls give the same bits.
class World {
 public:
  explicit World(const WorldSettings& settings = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  const WorldSettings& settings() const;
  /// May be changed between steps; a change of scheme keeps the state.
  void set_settings(const WorldSettings& settings);

  /// @throws std::invalid_argument naming the field and its value.
  BodyId AddBody(const BodySpec& spec);
  /// Constraints and forces that touch the body must have been removed.
  void RemoveBody(BodyId body);
  int num_bodies() const;  ///< With the ground; removed bodies keep their id.

  /// Takes a constraint or force over; the reference stays valid until removed.
  template <typename T>
  T& Add(T object) {
    auto owned = std::make_unique<T>(std::move(object));
    T& reference = *owned;
    Own(std::move(owned));
    return reference;
  }
  void Remove(const Constraint& constraint);
  void Remove(const Force& force);

  /// Gives a body, or the ground, a shape that touches others. Bodies joined by
  /// a joint do not touch each other unless `SetContact` says so. Contacts act
  /// under kLeapfrog alone.
  /// @throws std::invalid_argument naming the field and its value.
  ColliderId AddCollider(BodyId body, const ColliderSpec& spec);
  void RemoveCollider(ColliderId collider);
  void SetSurface(ColliderId collider, const ContactSurface& surface);
  /// Whether two bodies may touch.
  void SetContact(BodyId a, BodyId b, bool allowed);
  /// The contacts of the last step.
  std::span<const Contact> contacts() const;
  /// Where bodies are nearer than `margin` [m] at the present poses; without
  /// impulses.
  std::vector<Contact> FindContacts(double margin) const;

  /// A disabled body stands still, and nothing touches it.
  void SetEnabled(BodyId body, bool enabled);
  bool enabled(BodyId body) const;
  /// A body at rest among others at rest sleeps: it costs nothing until
  /// something touches it or a call changes it, its joints or its forces.
  bool asleep(BodyId body) const;
  void Wake(BodyId body);

  double time() const;  ///< [s].
  /// Pose at `time()`. Under kLeapfrog the velocity is the mean over the last
  /// step, p(t) - p(t - h) = h v, and lags by h/2; see `SynchronisedMotions`.
  const BodyMotion& motion(BodyId body) const;
  BodyMotions motions() const;
  /// Poses and velocities that belong to one instant, to second order: under
  /// kLeapfrog the start of the last step, else (and before the first step)
  /// now. Energies and momenta are those of this instant.
  std::vector<BodyMotion> SynchronisedMotions() const;
  const MassProperties& mass(BodyId body) const;
  Transform X_WB(BodyId body) const;
  void SetPose(BodyId body, const Transform& X_WB);
  /// For kinematic bodies: the velocity until further notice.
  void SetVelocity(BodyId body, const Vector3& v_WC, const Vector3& w_WB);

  /// Forces for the next step only; point in body coordinates.
  void ApplyForce(BodyId body, const Vector3& p_BA, const Vector3& f_W);
  void ApplyTorque(BodyId body, const Vector3& t_W);
  /// Changes the velocity at once.
  void ApplyImpulse(BodyId body, const Vector3& p_BA, const Vector3& impulse_W);

  /// Calls `action` at the start of the first step at or after `time`.
  void At(double time, std::function<void(World&)> action);

  /// Advances by `h` > 0 seconds. Never changes nor divides h by itself.
  const StepReport& Step(double h);
  const StepReport& report() const;
  /// Events since the last call.
  std::vector<Event> TakeEvents();

  /// Changes velocities so that every enabled row's velocity demand holds now.
  void ProjectVelocities();

  double KineticEnergy() const;    ///< [J].
  double PotentialEnergy() const;  ///< In gravity; 0 at the origin [J].
  Vector3 LinearMomentum() const;
  Vector3 AngularMomentum() const;  ///< About the world's origin.
  /// Largest |C| over the rows of `constraint` now [m or rad].
  double Error(const Constraint& constraint) const;
  double MaxError() const;

  /// Everything a later step depends on, bit for bit, except what `At` was told
  /// to do: poses, velocities, memories of constraints, forces, controllers and
  /// integrators. Settings and what was added or removed since stay as they
  /// are.
  class State;
  std::shared_ptr<const State> Save() const;
  void Restore(const State& state);

 private:
  void Own(std::unique_ptr<Constraint> constraint);
  void Own(std::unique_ptr<Force> force);
  void BreakOverloaded(double h);

  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace limber::dynamics
