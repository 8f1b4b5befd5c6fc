// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Shapes, and the bodies of worlds.
#include <cmath>

#include "python/world_handles.h"

namespace limber::python {

namespace {

/// A solid of the same density everywhere, by its shape.
ShapeHandle Solid(dynamics::ShapePointer shape) {
  return {shape, [shape](double mass) {
            dynamics::MassProperties part = dynamics::MassOf(*shape, 1000.0);
            part.I_BC *= mass / part.mass;
            part.mass = mass;
            return part;
          }};
}

ShapeHandle MakeSphere(double radius) {
  return {dynamics::Shape::Sphere(Positive(radius, "radius")),
          [=](double mass) {
            return dynamics::MassOfSphere(radius,
                                          dynamics::Material::WithMass(mass));
          }};
}

ShapeHandle MakeBox(const py::object& size) {
  const Vector3 extent = VectorOf(size, "size");
  return {dynamics::Shape::Box(0.5 * extent), [=](double mass) {
            return dynamics::MassOfBox(extent,
                                       dynamics::Material::WithMass(mass));
          }};
}

ShapeHandle MakeCapsule(double radius, double length) {
  return Solid(dynamics::Shape::Capsule(Positive(radius, "radius"),
                                        0.5 * Positive(length, "length")));
}

ShapeHandle MakeHull(
    const py::array_t<double, py::array::c_style | py::array::forcecast>&
        points) {
  if (points.ndim() != 2 || points.shape(1) != 3) {
    throw py::value_error(
        "points: expected an array (points, 3), found shape " +
        py::str(points.attr("shape")).cast<std::string>());
  }
  std::vector<Vector3> corners;
  for (py::ssize_t i = 0; i < points.shape(0); ++i) {
    corners.emplace_back(points.at(i, 0), points.at(i, 1), points.at(i, 2));
  }
  return Solid(dynamics::Shape::ConvexHull(std::move(corners)));
}

const dynamics::BodyMotion& MotionOf(const BodyHandle& self) {
  return self.shared->world.motion(self.id);
}

void SetPosition(const BodyHandle& self, const py::object& value) {
  dynamics::World& world = Changeable(self.shared);
  Transform X_WB = world.X_WB(self.id);
  X_WB.p = VectorOf(value, "position");
  world.SetPose(self.id, X_WB);
}

void SetRotation(const BodyHandle& self, const py::object& value) {
  dynamics::World& world = Changeable(self.shared);
  Transform X_WB = world.X_WB(self.id);
  X_WB.R = RotationOf(value, "rotation");
  world.SetPose(self.id, X_WB);
}

void SetVelocity(const BodyHandle& self, const py::object& value) {
  const Vector3 w_WB = MotionOf(self).w_WB;
  Changeable(self.shared)
      .SetVelocity(self.id, VectorOf(value, "velocity"), w_WB);
}

void SetAngularVelocity(const BodyHandle& self, const py::object& value) {
  const Vector3 v_WC = MotionOf(self).v_WC;
  Changeable(self.shared)
      .SetVelocity(self.id, v_WC, VectorOf(value, "angular_velocity"));
}

/// World position of a point of the body.
py::array_t<double> PlaceOf(const BodyHandle& self, const py::object& point) {
  return ArrayOf(
      Vector3(self.shared->world.X_WB(self.id) * VectorOf(point, "point")));
}

void BindShapes(py::module_& module) {
  py::class_<ShapeHandle>(module, "ShapeHandle");
  module.def("sphere", &MakeSphere);
  module.def("box", &MakeBox);
  module.def("capsule", &MakeCapsule);
  module.def("plane", [] { return ShapeHandle{dynamics::Shape::Plane(), {}}; });
  module.def("hull", &MakeHull);
}

}  // namespace

void BindBodies(py::module_& module) {
  BindShapes(module);
  py::class_<BodyHandle>(module, "BodyHandle")
      .def_property_readonly(
          "id", [](const BodyHandle& self) { return self.id.value; })
      .def_property(
          "position",
          [](const BodyHandle& self) { return ArrayOf(MotionOf(self).p_WB); },
          &SetPosition)
      .def_property(
          "rotation",
          [](const BodyHandle& self) { return ArrayOf(MotionOf(self).q_WB); },
          &SetRotation)
      .def_property(
          "velocity",
          [](const BodyHandle& self) { return ArrayOf(MotionOf(self).v_WC); },
          &SetVelocity)
      .def_property(
          "angular_velocity",
          [](const BodyHandle& self) { return ArrayOf(MotionOf(self).w_WB); },
          &SetAngularVelocity)
      .def_property_readonly("mass",
                             [](const BodyHandle& self) {
                               return self.shared->world.mass(self.id).mass;
                             })
      .def_property_readonly("inertia",
                             [](const BodyHandle& self) {
                               const Matrix3 I_BC =
                                   self.shared->world.mass(self.id).I_BC;
                               return ArrayOf(Vector3(I_BC.diagonal()));
                             })
      .def_property(
          "enabled",
          [](const BodyHandle& self) {
            return self.shared->world.enabled(self.id);
          },
          [](const BodyHandle& self, bool enabled) {
            Changeable(self.shared).SetEnabled(self.id, enabled);
          })
      .def_property_readonly("asleep",
                             [](const BodyHandle& self) {
                               return self.shared->world.asleep(self.id);
                             })
      .def("place", &PlaceOf)
      .def("apply_force",
           [](const BodyHandle& self, const py::object& force,
              const py::object& point) {
             Changeable(self.shared)
                 .ApplyForce(self.id, VectorOf(point, "point"),
                             VectorOf(force, "force"));
           })
      .def("apply_torque",
           [](const BodyHandle& self, const py::object& torque) {
             Changeable(self.shared)
                 .ApplyTorque(self.id, VectorOf(torque, "torque"));
           })
      .def("apply_impulse",
           [](const BodyHandle& self, const py::object& impulse,
              const py::object& point) {
             Changeable(self.shared)
                 .ApplyImpulse(self.id, VectorOf(point, "point"),
                               VectorOf(impulse, "impulse"));
           });
}

}  // namespace limber::python
