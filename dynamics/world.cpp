// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/world.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "core/checkpoint.h"
#include "dynamics/internal/world_implementation.h"

namespace limber::dynamics {

using internal::Body;
using internal::BodyInstant;
using internal::ConstraintAccess;
using internal::Data;
using internal::Island;
using internal::Twist;

namespace {

std::size_t Index(BodyId body) { return static_cast<std::size_t>(body.value); }

}  // namespace

namespace internal {

void CheckBody(const Data& data, BodyId body, const char* function) {
  if (body.value < 0 || Index(body) >= data.bodies.size() ||
      data.bodies[Index(body)].removed) {
    throw std::invalid_argument(std::string(function) + ": no body " +
                                std::to_string(body.value));
  }
}

void CheckCollider(const Data& data, ColliderId collider,
                   const char* function) {
  const std::vector<Collider>& colliders = data.contacts.colliders;
  if (collider.value < 0 ||
      static_cast<std::size_t>(collider.value) >= colliders.size() ||
      !colliders[static_cast<std::size_t>(collider.value)].used) {
    throw std::invalid_argument(std::string(function) + ": no collider " +
                                std::to_string(collider.value));
  }
}

}  // namespace internal

namespace {

using internal::CheckBody;

void CheckFinite(const Vector3& value, const char* function,
                 const char* field) {
  if (!value.allFinite()) {
    throw std::invalid_argument(std::string(function) + ": " + field +
                                " is not finite");
  }
}

}  // namespace

World::World(const WorldSettings& settings)
    : implementation_(std::make_unique<Implementation>()) {
  set_settings(settings);
  Body ground;
  ground.name = "ground";
  implementation_->data.bodies.push_back(ground);
  implementation_->data.motions.emplace_back();
  internal::Refresh(implementation_->data, 0);
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

const WorldSettings& World::settings() const {
  return implementation_->data.settings;
}

void World::set_settings(const WorldSettings& settings) {
  CheckFinite(settings.gravity, "WorldSettings", "gravity");
  if (!(settings.ode_tolerance > 0.0)) {
    throw std::invalid_argument(
        "WorldSettings: ode_tolerance must be positive, is " +
        std::to_string(settings.ode_tolerance));
  }
  if (settings.threads < 0) {
    throw std::invalid_argument(
        "WorldSettings: threads must be zero or positive, is " +
        std::to_string(settings.threads));
  }
  const int threads =
      settings.threads > 0
          ? settings.threads
          : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  auto& pool = implementation_->pool;
  if (threads != (pool ? pool->num_threads() : 1)) {
    implementation_->shared.pool = nullptr;
    pool.reset();
    if (threads > 1) {
      pool = std::make_unique<internal::IslandPool>(implementation_->shared,
                                                    threads);
      implementation_->shared.pool = pool.get();
    }
  }
  implementation_->data.settings = settings;
  implementation_->data.islands_known = false;
  internal::WakeAll(implementation_->data);
}

BodyId World::AddBody(const BodySpec& spec) {
  Data& data = implementation_->data;
  CheckFinite(spec.X_WB.p, "AddBody", "X_WB.p");
  CheckFinite(spec.v_WC, "AddBody", "v_WC");
  CheckFinite(spec.w_WB, "AddBody", "w_WB");
  const double norm = spec.X_WB.R.norm();
  if (!(std::abs(norm - 1.0) < 1e-6)) {
    throw std::invalid_argument(
        "AddBody: X_WB.R must be a unit quaternion, "
        "its norm is " +
        std::to_string(norm));
  }
  if (!(spec.linear_damping >= 0.0) || !(spec.angular_damping >= 0.0)) {
    throw std::invalid_argument(
        "AddBody: linear_damping and angular_damping must be zero or "
        "positive, are " +
        std::to_string(spec.linear_damping) + " and " +
        std::to_string(spec.angular_damping));
  }
  Body body;
  body.kind = spec.kind;
  body.name = spec.name;
  body.linear_damping = spec.linear_damping;
  body.angular_damping = spec.angular_damping;
  if (spec.kind == BodyKind::kDynamic) {
    if (spec.point_mass) {
      if (!(spec.mass.mass > 0.0) || !std::isfinite(spec.mass.mass)) {
        throw std::invalid_argument(
            "AddBody: mass must be positive and finite, is " +
            std::to_string(spec.mass.mass));
      }
      body.mass.mass = spec.mass.mass;
      body.mass.p_BC = spec.mass.p_BC;
      body.mass.I_BC.setZero();
    } else {
      CheckMassProperties(spec.mass);
      body.mass = spec.mass;
      const PrincipalAxes principal = FindPrincipalAxes(spec.mass.I_BC);
      body.q_BC = principal.R_BP;
      body.flow = RotationFlow(principal.inertia);
      // The axis of symmetry becomes x, so that all bodies turn alike.
      if (const int a = body.flow.symmetry_axis(); a != 0) {
        const int b = (a + 1) % 3;
        const int c = (a + 2) % 3;
        Matrix3 axes;
        axes << Vector3::Unit(a), Vector3::Unit(b), Vector3::Unit(c);
        body.q_BC = (body.q_BC * Quaternion(axes)).normalized();
        const Vector3& inertia = principal.inertia;
        body.flow = RotationFlow(Vector3(inertia[a], inertia[b], inertia[c]));
      }
      body.turned = body.q_BC.w() != 1.0;
    }
    body.inverse_mass = 1.0 / body.mass.mass;
  }
  const Quaternion q_WB = spec.X_WB.R.normalized();
  body.q_WC = q_WB * body.q_BC;
  body.p_WC = spec.X_WB.p + q_WB * body.mass.p_BC;
  if (spec.kind != BodyKind::kFixed) {
    body.v = spec.v_WC;
    body.w = spec.w_WB;
    body.L = body.flow.AngularMomentum(body.q_WC, spec.w_WB);
  }
  data.bodies.push_back(body);
  data.motions.emplace_back();
  data.has_at_kick = false;
  data.islands_known = false;
  internal::Refresh(data, static_cast<int>(data.bodies.size()) - 1);
  return {static_cast<int>(data.bodies.size()) - 1};
}

void World::RemoveBody(BodyId body) {
  Data& data = implementation_->data;
  CheckBody(data, body, "RemoveBody");
  if (body == kGround) {
    throw std::invalid_argument("RemoveBody: the ground stays");
  }
  for (const auto& constraint : data.constraints) {
    const std::span<const BodyId> touched = constraint->bodies();
    if (std::find(touched.begin(), touched.end(), body) != touched.end()) {
      throw std::invalid_argument(
          "RemoveBody: a constraint still touches body " +
          std::to_string(body.value));
    }
  }
  for (const auto& force : data.forces) {
    const std::span<const BodyId> touched = force->bodies();
    if (std::find(touched.begin(), touched.end(), body) != touched.end()) {
      throw std::invalid_argument("RemoveBody: a force still touches body " +
                                  std::to_string(body.value));
    }
  }
  internal::WakeAll(data);
  internal::RemoveCollidersOf(*this, data, body);
  data.bodies[Index(body)].removed = true;
  data.islands_known = false;
}

int World::num_bodies() const {
  return static_cast<int>(implementation_->data.bodies.size());
}

void World::Own(std::unique_ptr<Constraint> constraint) {
  for (const BodyId body : constraint->bodies()) {
    CheckBody(implementation_->data, body, "Add");
  }
  for (const BodyId body : constraint->bodies()) {
    internal::WakeGroup(implementation_->data, body.value);
  }
  // Room for the usual number of rows beside the constraint. A thread that had
  // to find it in the first step might find it among what another one writes.
  constexpr std::size_t kUsualRows = 12;
  ConstraintAccess::impulses(*constraint).reserve(kUsualRows);
  ConstraintAccess::last_rates(*constraint).reserve(kUsualRows);
  ConstraintAccess::row_states(*constraint).reserve(kUsualRows);
  implementation_->data.constraints.push_back(std::move(constraint));
  implementation_->data.islands_known = false;
  implementation_->data.contacts.filters_known = false;
}

void World::Own(std::unique_ptr<Force> force) {
  if (!force->bodies().empty()) {
    auto rows = std::make_unique<internal::ForceRows>(*force);
    internal::ForceRows* added = rows.get();
    Own(std::unique_ptr<Constraint>(std::move(rows)));
    implementation_->shared.force_rows.push_back(added);
  }
  implementation_->data.forces.push_back(std::move(force));
}

void World::Remove(const Constraint& constraint) {
  for (const BodyId body : constraint.bodies()) {
    internal::WakeGroup(implementation_->data, body.value);
  }
  std::erase_if(implementation_->data.constraints,
                [&](const auto& owned) { return owned.get() == &constraint; });
  implementation_->data.islands_known = false;
  implementation_->data.contacts.filters_known = false;
}

void World::Remove(const Force& force) {
  auto& force_rows = implementation_->shared.force_rows;
  const auto rows = std::find_if(
      force_rows.begin(), force_rows.end(),
      [&](const auto* owned) { return &owned->force() == &force; });
  if (rows != force_rows.end()) {
    const Constraint& constraint = **rows;
    force_rows.erase(rows);
    Remove(constraint);
  }
  std::erase_if(implementation_->data.forces,
                [&](const auto& owned) { return owned.get() == &force; });
}

double World::time() const { return implementation_->data.time; }

const BodyMotion& World::motion(BodyId body) const {
  CheckBody(implementation_->data, body, "motion");
  return implementation_->data.motions[Index(body)];
}

BodyMotions World::motions() const { return implementation_->data.motions; }

std::vector<BodyMotion> World::SynchronisedMotions() const {
  const Data& data = implementation_->data;
  std::vector<BodyMotion> motions = data.motions;
  for (std::size_t b = 0; b < motions.size() && data.has_at_kick; ++b) {
    const BodyInstant& at_kick = data.at_kick[b];
    const Body& body = data.bodies[b];
    BodyMotion& motion = motions[b];
    motion.q_WB = at_kick.q_WC * body.q_BC.conjugate();
    motion.R_WB = motion.q_WB.toRotationMatrix();
    motion.p_WC = at_kick.p_WC;
    motion.p_WB = motion.p_WC - motion.R_WB * body.mass.p_BC;
    motion.v_WC = at_kick.v;
    motion.w_WB = at_kick.w;
  }
  return motions;
}

const MassProperties& World::mass(BodyId body) const {
  CheckBody(implementation_->data, body, "mass");
  return implementation_->data.bodies[Index(body)].mass;
}

Transform World::X_WB(BodyId body) const {
  const BodyMotion& now = motion(body);
  return {now.q_WB, now.p_WB};
}

void World::SetPose(BodyId body, const Transform& X_WB) {
  Data& data = implementation_->data;
  CheckBody(data, body, "SetPose");
  CheckFinite(X_WB.p, "SetPose", "X_WB.p");
  internal::WakeGroup(data, body.value);
  internal::MarkColliders(data, body.value);
  Body& changed = data.bodies[Index(body)];
  const Vector3 w = changed.w;
  changed.q_WC = X_WB.R.normalized() * changed.q_BC;
  changed.p_WC = X_WB.p + X_WB.R.normalized() * changed.mass.p_BC;
  changed.L = changed.flow.AngularMomentum(changed.q_WC, w);
  data.has_at_kick = false;
  data.shared.fixed_placed = false;
  internal::Refresh(data, body.value);
}

void World::SetVelocity(BodyId body, const Vector3& v_WC, const Vector3& w_WB) {
  Data& data = implementation_->data;
  CheckBody(data, body, "SetVelocity");
  CheckFinite(v_WC, "SetVelocity", "v_WC");
  CheckFinite(w_WB, "SetVelocity", "w_WB");
  Body& changed = data.bodies[Index(body)];
  if (changed.kind == BodyKind::kFixed) {
    throw std::invalid_argument("SetVelocity: body " +
                                std::to_string(body.value) + " is fixed");
  }
  internal::WakeGroup(data, body.value);
  changed.v = v_WC;
  changed.w = w_WB;
  changed.L = changed.flow.AngularMomentum(changed.q_WC, w_WB);
  data.has_at_kick = false;
  if (changed.dynamic()) {
    // The new velocity holds now, not half a step ago: start afresh.
    data.last_h = 0.0;
    for (const auto& constraint : data.constraints) {
      ConstraintAccess::last_rates(*constraint).clear();
    }
  }
  internal::Refresh(data, body.value);
}

void World::ApplyForce(BodyId body, const Vector3& p_BA, const Vector3& f_W) {
  CheckBody(implementation_->data, body, "ApplyForce");
  CheckFinite(f_W, "ApplyForce", "f_W");
  internal::WakeGroup(implementation_->data, body.value);
  implementation_->data.applied.AddForce(body, p_BA, f_W);
}

void World::ApplyTorque(BodyId body, const Vector3& t_W) {
  CheckBody(implementation_->data, body, "ApplyTorque");
  CheckFinite(t_W, "ApplyTorque", "t_W");
  internal::WakeGroup(implementation_->data, body.value);
  implementation_->data.applied.AddTorque(body, t_W);
}

void World::ApplyImpulse(BodyId body, const Vector3& p_BA,
                         const Vector3& impulse_W) {
  Data& data = implementation_->data;
  CheckBody(data, body, "ApplyImpulse");
  CheckFinite(impulse_W, "ApplyImpulse", "impulse_W");
  Body& hit = data.bodies[Index(body)];
  if (!hit.dynamic()) return;
  internal::WakeGroup(data, body.value);
  const BodyMotion& now = data.motions[Index(body)];
  hit.v += hit.inverse_mass * impulse_W;
  hit.L = hit.flow.Admissible(
      hit.q_WC, hit.L + (now.Point(p_BA) - now.p_WC).cross(impulse_W));
  data.has_at_kick = false;
  internal::Refresh(data, body.value);
}

void World::At(double time, std::function<void(World&)> action) {
  auto& schedule = implementation_->data.schedule;
  // Sorted by time, those of one time in the order they were given.
  const auto place = std::upper_bound(
      schedule.begin(), schedule.end(), time,
      [](double t, const auto& entry) { return t < entry.first; });
  schedule.insert(place, {time, std::move(action)});
}

const StepReport& World::Step(double h) {
  if (!(h > 0.0) || !std::isfinite(h)) {
    throw std::invalid_argument("Step: h must be positive and finite, is " +
                                std::to_string(h));
  }
  Checkpoint();
  Data& data = implementation_->data;
  // A time counts as reached when the clock's rounding alone keeps it away.
  while (!data.schedule.empty() &&
         data.schedule.front().first <= data.time + 1e-9 * h) {
    const std::function<void(World&)> action =
        std::move(data.schedule.front().second);
    data.schedule.erase(data.schedule.begin());
    data.events.push_back({Event::Kind::kScheduled, data.time});
    action(*this);
  }

  internal::SwitchForceRows(data);
  internal::FindIslands(data);

  data.report.status = LcpStatus::kSolved;
  data.report.residual = 0.0;
  data.report.num_rows = 0;
  data.report.factorisations = 0;
  data.report.solves = 0;
  data.report.unmet.clear();
  data.report.num_contacts = 0;
  data.report.friction_rounds = 0;
  data.report.friction_settled = true;
  data.breakable = false;
  const bool leapfrog = data.settings.scheme == Scheme::kLeapfrog;
  switch (data.settings.scheme) {
    case Scheme::kLeapfrog:
      internal::StepLeapfrog(data, h);
      break;
    case Scheme::kEuler:
      internal::StepEuler(data, h);
      break;
    case Scheme::kImprovedImplicit:
      internal::StepImprovedImplicit(data, h);
      break;
    case Scheme::kAcceleration:
      internal::StepAcceleration(data, h);
      break;
  }
  data.time += h;
  data.last_kick = leapfrog ? 0.5 * (data.last_h + h) : h;
  data.last_h = leapfrog ? h : 0.0;
  internal::EndForceRows(data, data.last_kick);
  data.applied.Clear();
  if (!leapfrog) internal::RefreshAll(data);
  if (data.settings.scheme == Scheme::kImprovedImplicit &&
      data.settings.velocity_projection) {
    const StepReport report = data.report;
    ProjectVelocities();
    data.report = report;
  }

  // The leapfrog lets the constraints of an island know when it is through.
  if (!leapfrog) {
    for (const auto& constraint : data.constraints) {
      ConstraintAccess::last_rates(*constraint).clear();
    }
    for (int n = 0; n < data.num_islands; ++n) {
      internal::AfterStep(
          data, data.islands[static_cast<std::size_t>(n)].constraints);
    }
  }
  internal::AfterStep(data, data.other_constraints);
  if (data.breakable) BreakOverloaded(h);
  return data.report;
}

void World::BreakOverloaded(double h) {
  Data& data = implementation_->data;
  for (std::size_t k = 0; k < data.constraints.size(); ++k) {
    Constraint& constraint = *data.constraints[k];
    if (!constraint.enabled() || (constraint.max_force() == kInfinity &&
                                  constraint.max_torque() == kInfinity)) {
      continue;
    }
    data.rows.Clear();
    constraint.AddRows(data.motions, data.time, data.rows);
    const std::span<const double> impulses = constraint.impulses();
    if (impulses.size() != static_cast<std::size_t>(data.rows.size())) continue;
    double force = 0.0;
    double torque = 0.0;
    for (int i = 0; i < data.rows.size(); ++i) {
      const double f = impulses[static_cast<std::size_t>(i)] / h;
      (data.rows.row(i).settings.angular ? torque : force) += f * f;
    }
    force = std::sqrt(force);
    torque = std::sqrt(torque);
    if (force > constraint.max_force() || torque > constraint.max_torque()) {
      constraint.set_enabled(false);
      data.events.push_back(
          {Event::Kind::kBroken, data.time, &constraint, force, torque});
    }
  }
}

const StepReport& World::report() const { return implementation_->data.report; }

std::vector<Event> World::TakeEvents() {
  return std::exchange(implementation_->data.events, {});
}

void World::ProjectVelocities() {
  Data& data = implementation_->data;
  internal::FindIslands(data);
  data.rows.Clear();
  data.free_motion.resize(data.bodies.size());
  data.change.resize(data.bodies.size());
  for (std::size_t b = 0; b < data.bodies.size(); ++b) {
    data.free_motion[b] = {data.bodies[b].v, data.bodies[b].w};
  }
  for (int n = 0; n < data.num_islands; ++n) {
    Island& island = data.islands[static_cast<std::size_t>(n)];
    internal::AddIslandRows(data, island);
    for (int r = island.first_row; r < island.first_row + island.num_rows;
         ++r) {
      // Equalities hold now; a one-sided row counts where it touches; what has
      // a bounded or soft force cannot change a velocity at once.
      const RowBuffer::Row& row = data.rows.row(r);
      const RowSettings& settings = row.settings;
      internal::RowTarget& target = data.targets[static_cast<std::size_t>(r)];
      target = {-row.rate_bias, 0.0, settings.lo, settings.hi};
      const bool springy =
          settings.stabilisation.springy() || settings.softness > 0.0;
      const bool room = internal::IsOneSided(settings) &&
                        (settings.hi > 0.0 ? row.error > 0.0 : row.error < 0.0);
      const bool bounded = std::isfinite(settings.lo) && settings.lo != 0.0;
      if (springy || room || bounded) target.lo = target.hi = 0.0;
    }
    internal::SolveIsland(data, island, data.free_motion, false, data.change);
    for (const int b : island.bodies) {
      Body& body = data.bodies[static_cast<std::size_t>(b)];
      const Twist& change = data.change[static_cast<std::size_t>(b)];
      body.v += change.linear;
      body.L += body.flow.AngularMomentum(body.q_WC, change.angular);
    }
  }
  internal::RefreshAll(data);
}

namespace {

// As `World::SynchronisedMotions`.
BodyInstant SynchronisedInstant(const Data& data, std::size_t b) {
  return data.has_at_kick ? data.at_kick[b]
                          : internal::InstantOf(data.bodies[b]);
}

}  // namespace

double World::KineticEnergy() const {
  const Data& data = implementation_->data;
  double energy = 0.0;
  for (std::size_t b = 0; b < data.bodies.size(); ++b) {
    const Body& body = data.bodies[b];
    if (!body.dynamic()) continue;
    const BodyInstant at = SynchronisedInstant(data, b);
    energy += 0.5 * (body.mass.mass * at.v.squaredNorm() +
                     at.w.dot(body.flow.AngularMomentum(at.q_WC, at.w)));
  }
  return energy;
}

double World::PotentialEnergy() const {
  const Data& data = implementation_->data;
  double energy = 0.0;
  for (std::size_t b = 0; b < data.bodies.size(); ++b) {
    const Body& body = data.bodies[b];
    if (!body.dynamic()) continue;
    const BodyInstant at = SynchronisedInstant(data, b);
    energy -= body.mass.mass * data.settings.gravity.dot(at.p_WC);
  }
  return energy;
}

Vector3 World::LinearMomentum() const {
  const Data& data = implementation_->data;
  Vector3 momentum = Vector3::Zero();
  for (std::size_t b = 0; b < data.bodies.size(); ++b) {
    const Body& body = data.bodies[b];
    if (!body.dynamic()) continue;
    momentum += body.mass.mass * SynchronisedInstant(data, b).v;
  }
  return momentum;
}

Vector3 World::AngularMomentum() const {
  const Data& data = implementation_->data;
  Vector3 momentum = Vector3::Zero();
  for (std::size_t b = 0; b < data.bodies.size(); ++b) {
    const Body& body = data.bodies[b];
    if (!body.dynamic()) continue;
    const BodyInstant at = SynchronisedInstant(data, b);
    momentum += body.mass.mass * at.p_WC.cross(at.v) +
                body.flow.AngularMomentum(at.q_WC, at.w);
  }
  return momentum;
}

double World::Error(const Constraint& constraint) const {
  const Data& data = implementation_->data;
  RowBuffer rows;
  constraint.AddRows(data.motions, data.time, rows);
  double largest = 0.0;
  for (int i = 0; i < rows.size(); ++i) {
    // Room left by a one-sided row is no error.
    const RowBuffer::Row& row = rows.row(i);
    const bool one_sided = internal::IsOneSided(row.settings);
    const double error = !one_sided              ? std::abs(row.error)
                         : row.settings.hi > 0.0 ? -row.error
                                                 : row.error;
    largest = std::max(largest, error);
  }
  return largest;
}

double World::MaxError() const {
  double largest = 0.0;
  for (const auto& constraint : implementation_->data.constraints) {
    // A spring that is stretched is no error.
    const bool force =
        dynamic_cast<const internal::ForceRows*>(constraint.get()) != nullptr;
    if (!constraint->enabled() || force) continue;
    largest = std::max(largest, Error(*constraint));
  }
  return largest;
}

}  // namespace limber::dynamics
