// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Worlds of bodies, and a stage on which a figure plays a clip. Handles of
// bodies and joints share their world, and nothing is ever taken out of one, so
// that no handle outlives what it names. Steps keep the interpreter's lock: two
// threads cannot step one world at the same time.
#include <cmath>
#include <optional>

#include "dynamics/constraints/distance.h"
#include "dynamics/constraints/function_constraint.h"
#include "dynamics/constraints/rope.h"
#include "dynamics/forces/spring_damper.h"
#include "dynamics/joints/ball_joint.h"
#include "dynamics/joints/hinge_joint.h"
#include "dynamics/joints/slider_joint.h"
#include "dynamics/joints/universal_joint.h"
#include "dynamics/joints/weld_joint.h"
#include "dynamics/world.h"
#include "figure/dynamic/colliders.h"
#include "figure/dynamic/stage.h"
#include "figure/make_figure.h"
#include "figure/motion_track.h"
#include "figure/smooth_motion.h"
#include "jobs/edit.h"
#include "python/handles.h"

namespace limber::python {

namespace {

using dynamics::BodyId;
using dynamics::World;

struct WorldHandle {
  std::shared_ptr<World> world;
};
struct BodyHandle {
  std::shared_ptr<World> world;
  BodyId id;
};
/// A joint, a rod, a rope, a relation or a spring; the world owns it.
struct JointHandle {
  std::shared_ptr<World> world;
  dynamics::Constraint* constraint = nullptr;
  dynamics::Joint* joint = nullptr;  ///< Where it is one with free directions.
};
struct ShapeHandle {
  dynamics::ShapePointer shape;
  /// For a mass [kg]; empty: a shape without inside.
  std::function<dynamics::MassProperties(double mass)> mass;
};
struct StateHandle {
  std::shared_ptr<World> world;
  std::shared_ptr<const World::State> state;
};

double Positive(double value, const char* name) {
  if (!(value > 0.0) || !std::isfinite(value)) {
    throw py::value_error(std::string(name) +
                          ": expected a positive number, found " +
                          std::to_string(value));
  }
  return value;
}

/// The body of this world, or the ground for None.
BodyId IdOf(const WorldHandle& world, const py::object& body,
            const char* name) {
  if (body.is_none()) return dynamics::kGround;
  if (!py::isinstance<BodyHandle>(body)) {
    throw py::type_error(std::string(name) +
                         ": expected a Body, or None for the ground, found " +
                         py::repr(body).cast<std::string>());
  }
  const auto& handle = *body.cast<BodyHandle*>();
  if (handle.world != world.world) {
    throw py::value_error(std::string(name) + ": a body of another world");
  }
  return handle.id;
}

/// The frame at a place of the world, with z along `axis`, in a body.
Transform FrameIn(const World& world, BodyId body, const Vector3& point_W,
                  const Vector3& axis_W) {
  const Transform X_WF = dynamics::FrameAlong(point_W, axis_W);
  return world.X_WB(body).Inverse() * X_WF;
}

dynamics::BodyPoint PointIn(const World& world, BodyId body,
                            const Vector3& point_W) {
  return {body, world.X_WB(body).Inverse() * point_W};
}

BodyHandle AddBody(const WorldHandle& self, double mass,
                   const py::object& shape, const py::object& inertia,
                   const py::object& position, const py::object& rotation,
                   const py::object& velocity,
                   const py::object& angular_velocity, const std::string& kind,
                   const std::string& name) {
  dynamics::BodySpec spec;
  spec.mass.mass = Positive(mass, "mass");
  if (!shape.is_none()) {
    const auto& solid = *shape.cast<ShapeHandle*>();
    if (!solid.mass) {
      throw py::value_error(
          "shape: a plane has no mass; give it to the world "
          "with add_collider");
    }
    spec.mass = solid.mass(mass);
  }
  if (!inertia.is_none()) {
    const Vector3 diagonal = VectorOf(inertia, "inertia");
    spec.mass.I_BC = diagonal.asDiagonal();
  } else if (shape.is_none()) {
    // A ball of 10 cm, where nothing is said.
    spec.mass.I_BC = 0.4 * mass * 0.01 * Matrix3::Identity();
  }
  spec.X_WB = {RotationOf(rotation, "rotation"),
               VectorOf(position, "position")};
  spec.v_WC = VectorOf(velocity, "velocity");
  spec.w_WB = VectorOf(angular_velocity, "angular_velocity");
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
  return {self.world, self.world->AddBody(spec)};
}

void AddCollider(const WorldHandle& self, const py::object& body,
                 const ShapeHandle& shape, const py::object& position,
                 const py::object& rotation, double friction,
                 double restitution) {
  dynamics::ColliderSpec spec;
  spec.shape = shape.shape;
  spec.X_BS = {RotationOf(rotation, "rotation"),
               VectorOf(position, "position")};
  spec.surface.static_friction = friction;
  spec.surface.dynamic_friction = friction;
  spec.surface.restitution = restitution;
  self.world->AddCollider(IdOf(self, body, "body"), spec);
}

template <typename T>
JointHandle AddAxisJoint(const WorldHandle& self, const py::object& parent,
                         const py::object& child, const py::object& point,
                         const py::object& axis) {
  World& world = *self.world;
  const BodyId p = IdOf(self, parent, "parent");
  const BodyId c = IdOf(self, child, "child");
  const Vector3 at = VectorOf(point, "point");
  const Vector3 along = VectorOf(axis, "axis");
  T& joint = world.Add(
      T(p, FrameIn(world, p, at, along), c, FrameIn(world, c, at, along)));
  return {self.world, &joint, &joint};
}

JointHandle AddBall(const WorldHandle& self, const py::object& parent,
                    const py::object& child, const py::object& point) {
  World& world = *self.world;
  const BodyId p = IdOf(self, parent, "parent");
  const BodyId c = IdOf(self, child, "child");
  const Vector3 at = VectorOf(point, "point");
  const Transform X_WF{Quaternion::Identity(), at};
  auto& joint = world.Add(dynamics::BallJoint(
      p, world.X_WB(p).Inverse() * X_WF, c, world.X_WB(c).Inverse() * X_WF));
  return {self.world, &joint, &joint};
}

JointHandle AddRod(const WorldHandle& self, const py::object& a,
                   const py::object& point_a, const py::object& b,
                   const py::object& point_b, bool rope,
                   const std::optional<double>& length) {
  World& world = *self.world;
  const Vector3 from = VectorOf(point_a, "point_a");
  const Vector3 to = VectorOf(point_b, "point_b");
  const dynamics::BodyPoint first = PointIn(world, IdOf(self, a, "a"), from);
  const dynamics::BodyPoint second = PointIn(world, IdOf(self, b, "b"), to);
  const double metres = length.value_or((to - from).norm());
  if (rope) {
    auto& made = world.Add(dynamics::Rope(first, second, metres));
    return {self.world, &made, nullptr};
  }
  auto& made = world.Add(dynamics::DistanceRod(first, second, metres));
  return {self.world, &made, nullptr};
}

void AddSpring(const WorldHandle& self, const py::object& a,
               const py::object& point_a, const py::object& b,
               const py::object& point_b, double stiffness, double damping,
               const std::optional<double>& rest_length) {
  World& world = *self.world;
  const Vector3 from = VectorOf(point_a, "point_a");
  const Vector3 to = VectorOf(point_b, "point_b");
  world.Add(dynamics::SpringDamper(
      PointIn(world, IdOf(self, a, "a"), from),
      PointIn(world, IdOf(self, b, "b"), to),
      {stiffness, damping, rest_length.value_or((to - from).norm())}));
}

/// What a Python relation raised, until the step that called it ends.
std::exception_ptr& RelationError() {
  static thread_local std::exception_ptr error;
  return error;
}

JointHandle AddRelation(const WorldHandle& self, const py::sequence& bodies,
                        int num_rows, const py::function& error, bool angular) {
  std::vector<BodyId> ids;
  for (const py::handle& body : bodies) {
    ids.push_back(
        IdOf(self, py::reinterpret_borrow<py::object>(body), "bodies"));
  }
  const auto shared = std::make_shared<py::function>(error);
  const auto call = [shared, ids](dynamics::BodyMotions motions, double time,
                                  std::span<double> out) {
    if (RelationError()) {
      std::fill(out.begin(), out.end(), 0.0);
      return;
    }
    try {
      py::list poses;
      for (const BodyId id : ids) {
        const dynamics::BodyMotion& motion = dynamics::MotionOf(motions, id);
        poses.append(
            py::make_tuple(ArrayOf(motion.p_WB), ArrayOf(motion.q_WB)));
      }
      const py::object answer = (*shared)(poses, time);
      std::vector<double> values;
      if (py::isinstance<py::float_>(answer) ||
          py::isinstance<py::int_>(answer)) {
        values.push_back(answer.cast<double>());
      } else {
        for (const py::handle& value : answer) {
          values.push_back(value.cast<double>());
        }
      }
      if (values.size() != out.size()) {
        throw py::value_error("error: the function returned " +
                              std::to_string(values.size()) +
                              " numbers, the relation has " +
                              std::to_string(out.size()) + " rows");
      }
      std::copy(values.begin(), values.end(), out.begin());
    } catch (...) {
      RelationError() = std::current_exception();
      std::fill(out.begin(), out.end(), 0.0);
    }
  };
  auto& made = self.world->Add(dynamics::FunctionConstraint(
      std::move(ids), num_rows, call, {}, angular));
  return {self.world, &made, nullptr};
}

void ThrowRelationError() {
  if (RelationError()) {
    std::rethrow_exception(std::exchange(RelationError(), nullptr));
  }
}

void Step(World& world, double h) {
  world.Step(Positive(h, "h"));
  ThrowRelationError();
}

/// Many steps; looks for Ctrl-C.
void RunWorld(World& world, double seconds, double h) {
  Positive(h, "h");
  if (!(seconds >= 0.0) || !(seconds / h < 1e9)) {
    throw py::value_error("seconds: expected zero or more, found " +
                          std::to_string(seconds));
  }
  const auto steps = static_cast<std::int64_t>(std::llround(seconds / h));
  for (std::int64_t i = 0; i < steps; ++i) {
    Step(world, h);
    if (i % 64 == 63 && PyErr_CheckSignals() != 0) {
      throw py::error_already_set();
    }
  }
}

dynamics::PoweredAxis& AxisOf(const JointHandle& self, int index) {
  if (self.joint == nullptr) {
    throw py::value_error("this joint has no free directions to drive");
  }
  if (index < 0 || index >= self.joint->num_free()) {
    throw py::value_error("axis: expected 0 to " +
                          std::to_string(self.joint->num_free() - 1) +
                          ", found " + std::to_string(index));
  }
  return self.joint->axis(index);
}

/// Sets an axis if it is valid whole.
template <typename Change>
void ChangeAxis(const JointHandle& self, int index, Change change) {
  dynamics::PoweredAxis& axis = AxisOf(self, index);
  dynamics::PoweredAxis changed = axis;
  change(changed);
  dynamics::Validate(changed);
  axis = changed;
}

void BindBodies(py::module_& module) {
  py::class_<ShapeHandle>(module, "ShapeHandle");
  module.def("sphere", [](double radius) {
    return ShapeHandle{dynamics::Shape::Sphere(Positive(radius, "radius")),
                       [=](double mass) {
                         return dynamics::MassOfSphere(
                             radius, dynamics::Material::WithMass(mass));
                       }};
  });
  module.def("box", [](const py::object& size) {
    const Vector3 extent = VectorOf(size, "size");
    return ShapeHandle{dynamics::Shape::Box(0.5 * extent), [=](double mass) {
                         return dynamics::MassOfBox(
                             extent, dynamics::Material::WithMass(mass));
                       }};
  });
  module.def("capsule", [](double radius, double length) {
    Positive(radius, "radius");
    Positive(length, "length");
    const auto shape = dynamics::Shape::Capsule(radius, 0.5 * length);
    return ShapeHandle{shape, [shape](double mass) {
                         dynamics::MassProperties part =
                             dynamics::MassOf(*shape, 1000.0);
                         part.I_BC *= mass / part.mass;
                         part.mass = mass;
                         return part;
                       }};
  });
  module.def("plane", [] { return ShapeHandle{dynamics::Shape::Plane(), {}}; });
  module.def(
      "hull", [](const py::array_t<double, py::array::c_style |
                                               py::array::forcecast>& points) {
        if (points.ndim() != 2 || points.shape(1) != 3) {
          throw py::value_error(
              "points: expected an array (points, 3), found shape " +
              py::str(points.attr("shape")).cast<std::string>());
        }
        std::vector<Vector3> corners;
        for (py::ssize_t i = 0; i < points.shape(0); ++i) {
          corners.emplace_back(points.at(i, 0), points.at(i, 1),
                               points.at(i, 2));
        }
        const auto shape = dynamics::Shape::ConvexHull(std::move(corners));
        return ShapeHandle{shape, [shape](double mass) {
                             dynamics::MassProperties part =
                                 dynamics::MassOf(*shape, 1000.0);
                             part.I_BC *= mass / part.mass;
                             part.mass = mass;
                             return part;
                           }};
      });
  const auto motion = [](const BodyHandle& self) -> const auto& {
    return self.world->motion(self.id);
  };
  py::class_<BodyHandle>(module, "BodyHandle")
      .def_property_readonly(
          "id", [](const BodyHandle& self) { return self.id.value; })
      .def_property(
          "position",
          [=](const BodyHandle& self) { return ArrayOf(motion(self).p_WB); },
          [](const BodyHandle& self, const py::object& value) {
            Transform X_WB = self.world->X_WB(self.id);
            X_WB.p = VectorOf(value, "position");
            self.world->SetPose(self.id, X_WB);
          })
      .def_property(
          "rotation",
          [=](const BodyHandle& self) { return ArrayOf(motion(self).q_WB); },
          [](const BodyHandle& self, const py::object& value) {
            Transform X_WB = self.world->X_WB(self.id);
            X_WB.R = RotationOf(value, "rotation");
            self.world->SetPose(self.id, X_WB);
          })
      .def_property(
          "velocity",
          [=](const BodyHandle& self) { return ArrayOf(motion(self).v_WC); },
          [=](const BodyHandle& self, const py::object& value) {
            const Vector3 w_WB = motion(self).w_WB;
            self.world->SetVelocity(self.id, VectorOf(value, "velocity"), w_WB);
          })
      .def_property(
          "angular_velocity",
          [=](const BodyHandle& self) { return ArrayOf(motion(self).w_WB); },
          [=](const BodyHandle& self, const py::object& value) {
            const Vector3 v_WC = motion(self).v_WC;
            self.world->SetVelocity(self.id, v_WC,
                                    VectorOf(value, "angular_velocity"));
          })
      .def_property_readonly(
          "mass",
          [](const BodyHandle& self) { return self.world->mass(self.id).mass; })
      .def("apply_force",
           [](const BodyHandle& self, const py::object& force,
              const py::object& point) {
             self.world->ApplyForce(self.id, VectorOf(point, "point"),
                                    VectorOf(force, "force"));
           })
      .def("apply_torque",
           [](const BodyHandle& self, const py::object& torque) {
             self.world->ApplyTorque(self.id, VectorOf(torque, "torque"));
           })
      .def("apply_impulse",
           [](const BodyHandle& self, const py::object& impulse,
              const py::object& point) {
             self.world->ApplyImpulse(self.id, VectorOf(point, "point"),
                                      VectorOf(impulse, "impulse"));
           })
      .def("set_enabled", [](const BodyHandle& self, bool enabled) {
        self.world->SetEnabled(self.id, enabled);
      });
}

void BindJoints(py::module_& module) {
  using Drive = dynamics::PoweredAxis::Drive;
  py::class_<JointHandle>(module, "JointHandle")
      .def_property_readonly(
          "num_free",
          [](const JointHandle& self) {
            return self.joint == nullptr ? 0 : self.joint->num_free();
          })
      .def("position",
           [](const JointHandle& self, int axis) {
             AxisOf(self, axis);
             return self.joint->Position(self.world->motions(), axis);
           })
      .def("speed",
           [](const JointHandle& self, int axis) {
             AxisOf(self, axis);
             return self.joint->Speed(self.world->motions(), axis);
           })
      .def("error",
           [](const JointHandle& self) {
             const double error = self.world->Error(*self.constraint);
             ThrowRelationError();
             return error;
           })
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

void BindWorldItself(py::module_& module) {
  py::class_<StateHandle>(module, "StateHandle");
  py::class_<WorldHandle>(module, "WorldHandle")
      .def(py::init([](const py::object& gravity) {
        dynamics::WorldSettings settings;
        settings.gravity = VectorOf(gravity, "gravity");
        return WorldHandle{std::make_shared<World>(settings)};
      }))
      .def("add_body", &AddBody)
      .def("add_collider", &AddCollider)
      .def("add_hinge", &AddAxisJoint<dynamics::HingeJoint>)
      .def("add_slider", &AddAxisJoint<dynamics::SliderJoint>)
      .def("add_weld", &AddAxisJoint<dynamics::WeldJoint>)
      .def("add_ball", &AddBall)
      .def("add_rod", &AddRod)
      .def("add_spring", &AddSpring)
      .def("add_relation", &AddRelation)
      .def("step",
           [](const WorldHandle& self, double h) { Step(*self.world, h); })
      .def("run", [](const WorldHandle& self, double seconds,
                     double h) { RunWorld(*self.world, seconds, h); })
      .def_property_readonly(
          "time", [](const WorldHandle& self) { return self.world->time(); })
      .def_property_readonly(
          "num_bodies",
          [](const WorldHandle& self) { return self.world->num_bodies(); })
      .def_property_readonly(
          "kinetic_energy",
          [](const WorldHandle& self) { return self.world->KineticEnergy(); })
      .def_property_readonly(
          "potential_energy",
          [](const WorldHandle& self) { return self.world->PotentialEnergy(); })
      .def_property_readonly("momentum",
                             [](const WorldHandle& self) {
                               return ArrayOf(self.world->LinearMomentum());
                             })
      .def_property_readonly("angular_momentum",
                             [](const WorldHandle& self) {
                               return ArrayOf(self.world->AngularMomentum());
                             })
      .def_property_readonly("max_error",
                             [](const WorldHandle& self) {
                               const double error = self.world->MaxError();
                               ThrowRelationError();
                               return error;
                             })
      .def_property_readonly(
          "contacts",
          [](const WorldHandle& self) {
            py::list list;
            for (const dynamics::Contact& contact : self.world->contacts()) {
              list.append(py::make_tuple(
                  contact.body_a.value, contact.body_b.value,
                  ArrayOf(contact.p_W), ArrayOf(contact.normal_W),
                  contact.distance, contact.normal_impulse,
                  ArrayOf(contact.friction_impulse_W)));
            }
            return list;
          })
      .def("save",
           [](const WorldHandle& self) {
             return StateHandle{self.world, self.world->Save()};
           })
      .def("restore", [](const WorldHandle& self, const StateHandle& state) {
        if (state.world != self.world) {
          throw py::value_error("state: saved by another world");
        }
        self.world->Restore(*state.state);
      });
}

/// A figure that plays a clip in a world of its own.
class StageHandle {
 public:
  StageHandle(const ClipHandle& clip, const py::object& figure, double rate,
              bool floor, double strength)
      : clip_(clip.motion) {
    if (clip_->num_frames() < 2) {
      throw py::value_error("clip: expected at least two frames");
    }
    model_ = figure.is_none()
                 ? Must(jobs::FigureForClip(*clip_, clip.origin.file))
                 : figure.cast<FigureHandle*>()->model;
    if (model_->skeleton->num_joints() != clip_->skeleton().num_joints()) {
      throw py::value_error("figure: its joints are not those of the clip");
    }
    stage_ = std::make_unique<figure::Stage>(
        figure::StageSettings{.world = {}, .rate_hz = Positive(rate, "rate")});
    figure::MotionTrack track;
    track.Append(std::make_shared<const figure::SmoothMotion>(*clip_));
    task_ = std::make_shared<figure::AnimationController>(
        std::move(track),
        figure::StrengthSchedule(
            model_->num_segments(),
            figure::Strength::Powered(Positive(strength, "strength"))));
    performer_ = &stage_->AddFigure("figure", model_, task_);
    // The root is helped as in an edit, not held.
    for (int s = 0; s < model_->num_segments(); ++s) {
      if (!performer_->figure().is_root(s)) continue;
      performer_->set_raw(
          s, std::make_shared<figure::RootServo>(
                 figure::RootServo::Helping(model_->total_mass())));
    }
    if (floor) {
      dynamics::ColliderSpec spec;
      spec.shape = dynamics::Shape::Plane();
      spec.X_BS.p.y() = figure::FloorHeight(*model_, *clip_);
      stage_->world().AddCollider(dynamics::kGround, spec);
    }
  }

  void Step() { stage_->Step(); }

  void Run(double seconds) {
    if (!(seconds >= 0.0) || !(seconds * 1e-6 < stage_->step())) {
      throw py::value_error("seconds: expected zero or more");
    }
    const auto steps =
        static_cast<std::int64_t>(std::llround(seconds / stage_->step()));
    for (std::int64_t i = 0; i < steps; ++i) {
      stage_->Step();
      if (i % 16 == 15 && PyErr_CheckSignals() != 0) {
        throw py::error_already_set();
      }
    }
  }

  void Push(const std::string& segment, const py::object& impulse) {
    const std::vector<int> found = jobs::SegmentsOfList(segment, *model_);
    const int s = found.back();
    stage_->Push(performer_->figure().body(s),
                 model_->segments[std::size_t(s)].p_JC,
                 VectorOf(impulse, "impulse"));
  }

  double time() const { return stage_->time(); }
  double step() const { return stage_->step(); }

  /// World positions of the segments' joints.
  py::array_t<double> Positions() const {
    py::array_t<double> array(
        {std::int64_t(model_->num_segments()), std::int64_t(3)});
    double* out = array.mutable_data();
    for (int s = 0; s < model_->num_segments(); ++s) {
      const Vector3 p = stage_->world().X_WB(performer_->figure().body(s)).p;
      out = std::copy_n(p.data(), 3, out);
    }
    return array;
  }

  ClipHandle Clip() const {
    if (stage_->time() <= 0.0) {
      throw py::value_error("nothing is played yet: step or run first");
    }
    const auto task = task_;
    return {std::make_shared<const figure::Motion>(stage_->recorder().Bake(
                *performer_, clip_->rate_hz(),
                [task](double time) { return task->PoseAt(time); },
                clip_->source())),
            {}};
  }

 private:
  std::shared_ptr<const figure::Motion> clip_;
  std::shared_ptr<const figure::FigureModel> model_;
  std::unique_ptr<figure::Stage> stage_;
  std::shared_ptr<figure::AnimationController> task_;
  figure::Performer* performer_ = nullptr;
};

}  // namespace

void BindWorld(py::module_& module) {
  BindBodies(module);
  BindJoints(module);
  BindWorldItself(module);
  py::class_<StageHandle>(module, "StageHandle")
      .def(py::init<const ClipHandle&, const py::object&, double, bool,
                    double>())
      .def("step", &StageHandle::Step)
      .def("run", &StageHandle::Run)
      .def("push", &StageHandle::Push)
      .def_property_readonly("time", &StageHandle::time)
      .def_property_readonly("h", &StageHandle::step)
      .def("positions", &StageHandle::Positions)
      .def("clip", &StageHandle::Clip);
}

}  // namespace limber::python
