// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Worlds of bodies. Steps keep the interpreter's lock.
#include <chrono>
#include <cmath>

#include "python/world_handles.h"

namespace limber::python {

using dynamics::BodyId;
using dynamics::World;

dynamics::World& Changeable(const WorldPointer& shared) {
  if (shared->stepping) {
    throw std::runtime_error(
        "world: it is in the middle of a step, where a relation only looks at "
        "the poses that it is given");
  }
  return shared->world;
}

double Positive(double value, const char* name) {
  if (!(value > 0.0) || !std::isfinite(value)) {
    throw py::value_error(std::string(name) +
                          ": expected a positive number, found " +
                          py::repr(py::float_(value)).cast<std::string>());
  }
  return value;
}

BodyId IdOf(const WorldHandle& world, const py::object& body,
            const char* name) {
  if (body.is_none()) return dynamics::kGround;
  if (!py::isinstance<BodyHandle>(body)) {
    throw py::type_error(std::string(name) +
                         ": expected a Body, or None for the ground, found " +
                         py::repr(body).cast<std::string>());
  }
  const auto& handle = *body.cast<BodyHandle*>();
  if (handle.shared != world.shared) {
    throw py::value_error(std::string(name) + ": a body of another world");
  }
  return handle.id;
}

dynamics::BodyPoint PointIn(const World& world, BodyId body,
                            const Vector3& point_W) {
  return {body, world.X_WB(body).Inverse() * point_W};
}

namespace {

dynamics::MassProperties MassOf(double mass, const py::object& shape,
                                const py::object& inertia) {
  dynamics::MassProperties properties;
  properties.mass = Positive(mass, "mass");
  if (!shape.is_none()) {
    const auto& solid = *shape.cast<ShapeHandle*>();
    if (!solid.mass) {
      throw py::value_error(
          "shape: a plane has no mass; give it to the world with "
          "add_collider");
    }
    properties = solid.mass(mass);
  }
  if (!inertia.is_none()) {
    properties.I_BC = VectorOf(inertia, "inertia").asDiagonal();
  } else if (shape.is_none()) {
    // A ball of radius 10 cm, where nothing is said.
    properties.I_BC = 0.4 * mass * 0.01 * Matrix3::Identity();
  }
  return properties;
}

BodyHandle AddBody(const WorldHandle& self, double mass,
                   const py::object& shape, const py::object& inertia,
                   const py::object& position, const py::object& rotation,
                   const py::object& velocity,
                   const py::object& angular_velocity, const std::string& kind,
                   const std::string& name, double linear_damping,
                   double angular_damping) {
  World& world = Changeable(self.shared);
  dynamics::BodySpec spec;
  spec.mass = MassOf(mass, shape, inertia);
  spec.X_WB = {RotationOf(rotation, "rotation"),
               VectorOf(position, "position")};
  spec.v_WC = VectorOf(velocity, "velocity");
  spec.w_WB = VectorOf(angular_velocity, "angular_velocity");
  spec.linear_damping = linear_damping;
  spec.angular_damping = angular_damping;
  if (kind == "fixed") {
    spec.kind = dynamics::BodyKind::kFixed;
  } else if (kind == "kinematic") {
    spec.kind = dynamics::BodyKind::kKinematic;
  } else if (kind == "particle") {
    spec.point_mass = true;
  } else if (kind != "dynamic") {
    throw py::value_error(
        "kind: expected \"dynamic\", \"kinematic\", \"fixed\" or \"particle\", "
        "found \"" +
        kind + "\"");
  }
  spec.name = name;
  return {self.shared, world.AddBody(spec)};
}

void AddCollider(const WorldHandle& self, const py::object& body,
                 const ShapeHandle& shape, const py::object& position,
                 const py::object& rotation, double friction,
                 double restitution) {
  World& world = Changeable(self.shared);
  dynamics::ColliderSpec spec;
  spec.shape = shape.shape;
  spec.X_BS = {RotationOf(rotation, "rotation"),
               VectorOf(position, "position")};
  spec.surface.static_friction = friction;
  spec.surface.dynamic_friction = friction;
  spec.surface.restitution = restitution;
  world.AddCollider(IdOf(self, body, "body"), spec);
}

/// One step, in which nobody else changes the world.
void Step(const WorldHandle& self, double h) {
  World& world = Changeable(self.shared);
  Positive(h, "h");
  struct Stepping {
    explicit Stepping(bool& flag) : on(flag) { on = true; }
    ~Stepping() { on = false; }
    bool& on;
  };
  {
    const Stepping stepping(self.shared->stepping);
    world.Step(h);
  }
  ThrowRelationError();
}

/// Many steps.
void Run(const WorldHandle& self, double seconds, double h) {
  Positive(h, "h");
  if (!(seconds >= 0.0) || !(seconds / h < 1e9)) {
    throw py::value_error("seconds: expected zero or more, found " +
                          py::repr(py::float_(seconds)).cast<std::string>());
  }
  const auto steps = static_cast<std::int64_t>(std::llround(seconds / h));
  Pause pause;
  for (std::int64_t i = 0; i < steps; ++i) {
    Step(self, h);
    pause.BetweenSteps();
  }
}

py::list ContactsOf(const WorldHandle& self) {
  py::list list;
  for (const dynamics::Contact& contact : self.shared->world.contacts()) {
    list.append(py::make_tuple(contact.body_a.value, contact.body_b.value,
                               ArrayOf(contact.p_W), ArrayOf(contact.normal_W),
                               contact.distance, contact.normal_impulse,
                               ArrayOf(contact.friction_impulse_W)));
  }
  return list;
}

void SetGravity(const WorldHandle& self, const py::object& gravity) {
  World& world = Changeable(self.shared);
  dynamics::WorldSettings settings = world.settings();
  settings.gravity = VectorOf(gravity, "gravity");
  world.set_settings(settings);
}

void Restore(const WorldHandle& self, const StateHandle& state) {
  World& world = Changeable(self.shared);
  if (state.shared != self.shared) {
    throw py::value_error("state: saved by another world");
  }
  world.Restore(*state.state);
}

void BindReadings(py::class_<WorldHandle>& world) {
  world
      .def_property_readonly(
          "time",
          [](const WorldHandle& self) { return self.shared->world.time(); })
      .def_property_readonly("num_bodies",
                             [](const WorldHandle& self) {
                               return self.shared->world.num_bodies();
                             })
      .def_property_readonly("kinetic_energy",
                             [](const WorldHandle& self) {
                               return self.shared->world.KineticEnergy();
                             })
      .def_property_readonly("potential_energy",
                             [](const WorldHandle& self) {
                               return self.shared->world.PotentialEnergy();
                             })
      .def_property_readonly(
          "momentum",
          [](const WorldHandle& self) {
            return ArrayOf(self.shared->world.LinearMomentum());
          })
      .def_property_readonly(
          "angular_momentum",
          [](const WorldHandle& self) {
            return ArrayOf(self.shared->world.AngularMomentum());
          })
      .def_property_readonly("max_error",
                             [](const WorldHandle& self) {
                               const double error =
                                   Changeable(self.shared).MaxError();
                               ThrowRelationError();
                               return error;
                             })
      .def_property_readonly("solved",
                             [](const WorldHandle& self) {
                               return self.shared->world.report().status ==
                                      dynamics::LcpStatus::kSolved;
                             })
      .def_property_readonly("contacts", &ContactsOf);
}

}  // namespace

void BindWorld(py::module_& module) {
  BindBodies(module);
  BindJoints(module);
  py::class_<StateHandle>(module, "StateHandle");
  py::class_<WorldHandle> world(module, "WorldHandle");
  world
      .def(py::init([](const py::object& gravity) {
        dynamics::WorldSettings settings;
        settings.gravity = VectorOf(gravity, "gravity");
        return WorldHandle{std::make_shared<SharedWorld>(settings)};
      }))
      .def("add_body", &AddBody)
      .def("add_collider", &AddCollider)
      .def_property(
          "gravity",
          [](const WorldHandle& self) {
            return ArrayOf(self.shared->world.settings().gravity);
          },
          &SetGravity)
      .def("step", &Step)
      .def("run", &Run)
      .def("save",
           [](const WorldHandle& self) {
             return StateHandle{self.shared, Changeable(self.shared).Save()};
           })
      .def("restore", &Restore);
  BindAdders(world);
  BindReadings(world);
  BindStage(module);
}

}  // namespace limber::python
