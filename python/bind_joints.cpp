// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Joints, rods, ropes, springs and relations. Their points are places of the
// world at the time they are added.
#include "dynamics/constraints/distance.h"
#include "dynamics/constraints/function_constraint.h"
#include "dynamics/constraints/rope.h"
#include "dynamics/forces/spring_damper.h"
#include "dynamics/joints/ball_joint.h"
#include "dynamics/joints/cylindrical_joint.h"
#include "dynamics/joints/hinge_joint.h"
#include "dynamics/joints/planar_joint.h"
#include "dynamics/joints/slider_joint.h"
#include "dynamics/joints/weld_joint.h"
#include "python/world_handles.h"

namespace limber::python {

namespace {

using dynamics::BodyId;
using dynamics::World;

JointHandle MakeHandle(const WorldHandle& world, JointParts parts) {
  return {world.shared, std::make_shared<JointParts>(std::move(parts))};
}

/// The frame at a place of the world, with z along `axis`, in a body.
Transform FrameIn(const World& world, BodyId body, const Vector3& point_W,
                  const Vector3& axis_W) {
  return world.X_WB(body).Inverse() * dynamics::FrameAlong(point_W, axis_W);
}

template <typename T>
JointHandle AddAxisJoint(const WorldHandle& self, const std::string& kind,
                         const py::object& parent, const py::object& child,
                         const py::object& point, const py::object& axis) {
  World& world = Changeable(self.shared);
  const BodyId p = IdOf(self, parent, "parent");
  const BodyId c = IdOf(self, child, "child");
  const Vector3 at = VectorOf(point, "point");
  const Vector3 along = VectorOf(axis, "axis");
  if (along.isZero(0.0)) {
    throw py::value_error("axis: expected a direction, found zero");
  }
  T& joint = world.Add(
      T(p, FrameIn(world, p, at, along), c, FrameIn(world, c, at, along)));
  return MakeHandle(self, {kind, &joint, &joint});
}

JointHandle AddJoint(const WorldHandle& self, const std::string& kind,
                     const py::object& parent, const py::object& child,
                     const py::object& point, const py::object& axis) {
  const auto add = kind == "hinge"    ? &AddAxisJoint<dynamics::HingeJoint>
                   : kind == "slider" ? &AddAxisJoint<dynamics::SliderJoint>
                   : kind == "weld"   ? &AddAxisJoint<dynamics::WeldJoint>
                   : kind == "cylindrical"
                       ? &AddAxisJoint<dynamics::CylindricalJoint>
                       : &AddAxisJoint<dynamics::PlanarJoint>;
  return add(self, kind, parent, child, point, axis);
}

JointHandle AddBall(const WorldHandle& self, const py::object& parent,
                    const py::object& child, const py::object& point) {
  World& world = Changeable(self.shared);
  const BodyId p = IdOf(self, parent, "parent");
  const BodyId c = IdOf(self, child, "child");
  const Transform X_WF{Quaternion::Identity(), VectorOf(point, "point")};
  auto& joint = world.Add(dynamics::BallJoint(
      p, world.X_WB(p).Inverse() * X_WF, c, world.X_WB(c).Inverse() * X_WF));
  return MakeHandle(self, {"ball", &joint, &joint});
}

JointHandle AddRod(const WorldHandle& self, const py::object& a,
                   const py::object& point_a, const py::object& b,
                   const py::object& point_b, bool rope,
                   const std::optional<double>& length) {
  World& world = Changeable(self.shared);
  const Vector3 from = VectorOf(point_a, "point_a");
  const Vector3 to = VectorOf(point_b, "point_b");
  const dynamics::BodyPoint first = PointIn(world, IdOf(self, a, "a"), from);
  const dynamics::BodyPoint second = PointIn(world, IdOf(self, b, "b"), to);
  const double metres = length.value_or((to - from).norm());
  if (rope) {
    auto& made = world.Add(dynamics::Rope(first, second, metres));
    return MakeHandle(self, {"rope", &made});
  }
  auto& made = world.Add(dynamics::DistanceRod(first, second, metres));
  return MakeHandle(self, {"rod", &made});
}

JointHandle AddSpring(const WorldHandle& self, const py::object& a,
                      const py::object& point_a, const py::object& b,
                      const py::object& point_b, double stiffness,
                      double damping,
                      const std::optional<double>& rest_length) {
  World& world = Changeable(self.shared);
  const Vector3 from = VectorOf(point_a, "point_a");
  const Vector3 to = VectorOf(point_b, "point_b");
  auto& made = world.Add(dynamics::SpringDamper(
      PointIn(world, IdOf(self, a, "a"), from),
      PointIn(world, IdOf(self, b, "b"), to),
      {stiffness, damping, rest_length.value_or((to - from).norm())}));
  return MakeHandle(self, {"spring", nullptr, nullptr, &made});
}

/// What a Python relation raised, until the step that called it ends.
std::exception_ptr& RelationError() {
  static thread_local std::exception_ptr error;
  return error;
}

/// Calls a relation and copies what it returns. @throws what it raises.
void CallRelation(const py::function& function, const std::vector<BodyId>& ids,
                  dynamics::BodyMotions motions, double time,
                  std::span<double> out) {
  py::list poses;
  for (const BodyId id : ids) {
    const dynamics::BodyMotion& motion = dynamics::MotionOf(motions, id);
    poses.append(py::make_tuple(ArrayOf(motion.p_WB), ArrayOf(motion.q_WB)));
  }
  const py::object answer = function(poses, time);
  std::vector<double> values;
  try {
    if (py::isinstance<py::float_>(answer) ||
        py::isinstance<py::int_>(answer)) {
      values.push_back(answer.cast<double>());
    } else {
      for (const py::handle& value : answer) {
        values.push_back(value.cast<double>());
      }
    }
  } catch (const py::cast_error&) {
    values.clear();
  }
  if (values.size() != out.size()) {
    throw py::value_error("error: the function returned " +
                          py::repr(answer).cast<std::string>() +
                          ", the relation has " + std::to_string(out.size()) +
                          " rows, each a number");
  }
  for (const double value : values) {
    if (!std::isfinite(value)) {
      throw py::value_error("error: the function returned " +
                            py::repr(answer).cast<std::string>() +
                            ", which is not finite");
    }
  }
  std::copy(values.begin(), values.end(), out.begin());
}

JointHandle AddRelation(const WorldHandle& self, const py::sequence& bodies,
                        int num_rows, const py::function& error, bool angular) {
  World& world = Changeable(self.shared);
  std::vector<BodyId> ids;
  for (const py::handle& body : bodies) {
    ids.push_back(
        IdOf(self, py::reinterpret_borrow<py::object>(body), "bodies"));
  }
  const auto shared = std::make_shared<py::function>(error);
  const auto call = [shared, ids](dynamics::BodyMotions motions, double time,
                                  std::span<double> out) {
    // After the first exception the rest of the step is of no interest.
    std::fill(out.begin(), out.end(), 0.0);
    if (RelationError()) return;
    try {
      CallRelation(*shared, ids, motions, time, out);
    } catch (...) {
      RelationError() = std::current_exception();
    }
  };
  auto& made = world.Add(dynamics::FunctionConstraint(std::move(ids), num_rows,
                                                      call, {}, angular));
  return MakeHandle(self, {"relation", &made});
}

/// The parts of a joint that is still there.
JointParts& PartsOf(const JointHandle& self) {
  if (self.parts->removed) {
    throw py::value_error("joint: this " + self.parts->kind +
                          " was removed from its world");
  }
  return *self.parts;
}

dynamics::Constraint& ConstraintOf(const JointHandle& self) {
  JointParts& parts = PartsOf(self);
  if (parts.constraint == nullptr) {
    throw py::value_error("joint: a " + parts.kind + " keeps nothing");
  }
  return *parts.constraint;
}

dynamics::PoweredAxis& AxisOf(const JointHandle& self, int index) {
  JointParts& parts = PartsOf(self);
  if (parts.joint == nullptr || parts.joint->num_free() == 0) {
    throw py::value_error("axis: a " + parts.kind + " has no free directions");
  }
  if (index < 0 || index >= parts.joint->num_free()) {
    throw py::value_error("axis: expected 0 to " +
                          std::to_string(parts.joint->num_free() - 1) +
                          ", found " + std::to_string(index));
  }
  return parts.joint->axis(index);
}

/// Sets an axis if it is valid whole.
template <typename Change>
void ChangeAxis(const JointHandle& self, int index, Change change) {
  Changeable(self.shared);
  dynamics::PoweredAxis& axis = AxisOf(self, index);
  dynamics::PoweredAxis changed = axis;
  change(changed);
  dynamics::Validate(changed);
  axis = changed;
}

void RemoveJoint(const WorldHandle& self, const JointHandle& joint) {
  World& world = Changeable(self.shared);
  if (joint.shared != self.shared) {
    throw py::value_error("joint: a " + joint.parts->kind +
                          " of another world");
  }
  JointParts& parts = PartsOf(joint);
  parts.removed = true;
  if (parts.force != nullptr) {
    world.Remove(*parts.force);
  } else {
    world.Remove(*parts.constraint);
  }
}

void BindDrives(py::class_<JointHandle>& joint) {
  using Drive = dynamics::PoweredAxis::Drive;
  joint
      .def("limit",
           [](const JointHandle& self, double lower, double upper, int axis) {
             ChangeAxis(self, axis, [=](dynamics::PoweredAxis& changed) {
               changed.lower = lower;
               changed.upper = upper;
             });
           })
      .def("drive_speed",
           [](const JointHandle& self, double speed, double max_force,
              int axis) {
             ChangeAxis(self, axis, [=](dynamics::PoweredAxis& changed) {
               changed.drive = Drive::kSpeed;
               changed.target_speed = speed;
               changed.max_force = max_force;
             });
           })
      .def("drive_position",
           [](const JointHandle& self, double position, double max_force,
              int axis) {
             ChangeAxis(self, axis, [=](dynamics::PoweredAxis& changed) {
               changed.drive = Drive::kPosition;
               changed.target_position = position;
               changed.max_force = max_force;
             });
           })
      .def("drive_spring",
           [](const JointHandle& self, double position, double stiffness,
              double damping, double max_force, int axis) {
             ChangeAxis(self, axis, [=](dynamics::PoweredAxis& changed) {
               changed.drive = Drive::kSpring;
               changed.target_position = position;
               changed.stiffness = stiffness;
               changed.damping = damping;
               changed.max_force = max_force;
             });
           })
      .def("drive_none", [](const JointHandle& self, int axis) {
        ChangeAxis(self, axis, [](dynamics::PoweredAxis& changed) {
          changed.drive = Drive::kNone;
        });
      });
}

}  // namespace

void ThrowRelationError() {
  if (RelationError()) {
    std::rethrow_exception(std::exchange(RelationError(), nullptr));
  }
}

void BindAdders(py::class_<WorldHandle>& world) {
  world.def("add_joint", &AddJoint)
      .def("add_ball", &AddBall)
      .def("add_rod", &AddRod)
      .def("add_spring", &AddSpring)
      .def("add_relation", &AddRelation)
      .def("remove", &RemoveJoint);
}

void BindJoints(py::module_& module) {
  py::class_<JointHandle> joint(module, "JointHandle");
  joint
      .def_property_readonly(
          "kind", [](const JointHandle& self) { return self.parts->kind; })
      .def_property_readonly(
          "removed",
          [](const JointHandle& self) { return self.parts->removed; })
      .def_property_readonly(
          "num_free",
          [](const JointHandle& self) {
            const JointParts& parts = PartsOf(self);
            return parts.joint == nullptr ? 0 : parts.joint->num_free();
          })
      .def("position",
           [](const JointHandle& self, int axis) {
             AxisOf(self, axis);
             return self.parts->joint->Position(self.shared->world.motions(),
                                                axis);
           })
      .def("speed",
           [](const JointHandle& self, int axis) {
             AxisOf(self, axis);
             return self.parts->joint->Speed(self.shared->world.motions(),
                                             axis);
           })
      .def("error",
           [](const JointHandle& self) {
             const dynamics::Constraint& constraint = ConstraintOf(self);
             // A relation is called for it, and may not call back.
             const double error = Changeable(self.shared).Error(constraint);
             ThrowRelationError();
             return error;
           })
      .def_property_readonly(
          "impulses",
          [](const JointHandle& self) {
            const std::span<const double> rows = ConstraintOf(self).impulses();
            return py::array_t<double>(static_cast<py::ssize_t>(rows.size()),
                                       rows.data());
          })
      .def_property(
          "enabled",
          [](const JointHandle& self) { return ConstraintOf(self).enabled(); },
          [](const JointHandle& self, bool enabled) {
            Changeable(self.shared);
            ConstraintOf(self).set_enabled(enabled);
          })
      .def("break_at",
           [](const JointHandle& self, double force, double torque) {
             Changeable(self.shared);
             ConstraintOf(self).set_breaking(force, torque);
           });
  BindDrives(joint);
}

}  // namespace limber::python
