// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "dynamics/constraints/body_point.h"
#include "dynamics/force.h"
#include "dynamics/joint.h"
#include "dynamics/world.h"
#include "python/handles.h"

namespace limber::python {

/// A world that all handles of its parts share, so that none outlives it.
///
/// Calls keep the interpreter's lock, so that two threads never step one world
/// at the same time. But a relation written in Python runs in the middle of a
/// step, and there the interpreter may let another thread go on, or the
/// relation itself may call the world: `stepping` refuses what would change
/// the world then.
struct SharedWorld {
  explicit SharedWorld(const dynamics::WorldSettings& settings)
      : world(settings) {}

  dynamics::World world;
  bool stepping = false;
};
using WorldPointer = std::shared_ptr<SharedWorld>;

struct WorldHandle {
  WorldPointer shared;
};
struct BodyHandle {
  WorldPointer shared;
  dynamics::BodyId id;
};
/// A joint, rod, rope, relation or spring; the world owns it.
struct JointParts {
  std::string kind;  ///< "hinge".
  dynamics::Constraint* constraint = nullptr;
  dynamics::Joint* joint = nullptr;  ///< Where it has free directions.
  dynamics::Force* force = nullptr;  ///< Where it is a spring.
  bool removed = false;              ///< Then the pointers are no good.
};
struct JointHandle {
  WorldPointer shared;
  std::shared_ptr<JointParts> parts;
};
struct ShapeHandle {
  dynamics::ShapePointer shape;
  /// For a mass [kg]; empty: a shape without inside.
  std::function<dynamics::MassProperties(double mass)> mass;
};
struct StateHandle {
  WorldPointer shared;
  std::shared_ptr<const dynamics::World::State> state;
};

/// The world, to be changed. @throws RuntimeError in the middle of a step.
dynamics::World& Changeable(const WorldPointer& shared);

/// @throws py::value_error naming the argument.
double Positive(double value, const char* name);

/// The body of this world, or the ground for None.
dynamics::BodyId IdOf(const WorldHandle& world, const py::object& body,
                      const char* name);

/// A point of the world as a point of a body.
dynamics::BodyPoint PointIn(const dynamics::World& world, dynamics::BodyId body,
                            const Vector3& point_W);

/// Raises what a relation written in Python raised during the last call.
void ThrowRelationError();

void BindBodies(py::module_& module);
void BindJoints(py::module_& module);
void BindStage(py::module_& module);
/// What worlds are built of, beside bodies.
void BindAdders(py::class_<WorldHandle>& world);

}  // namespace limber::python
