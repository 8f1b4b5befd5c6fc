// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "dynamics/constraints/align.h"
#include "dynamics/constraints/distance.h"
#include "dynamics/constraints/edges.h"
#include "dynamics/constraints/function_constraint.h"
#include "dynamics/constraints/gear.h"
#include "dynamics/constraints/point_on_curve.h"
#include "dynamics/constraints/point_on_line.h"
#include "dynamics/constraints/point_on_surface.h"
#include "dynamics/constraints/point_to_point.h"
#include "dynamics/constraints/rope.h"
#include "dynamics/joints/ball_in_cylinder_joint.h"
#include "dynamics/joints/ball_joint.h"
#include "dynamics/joints/ball_on_plane_joint.h"
#include "dynamics/joints/cylinder_on_plane_joint.h"
#include "dynamics/joints/cylindrical_joint.h"
#include "dynamics/joints/free_joint.h"
#include "dynamics/joints/hinge_joint.h"
#include "dynamics/joints/planar_joint.h"
#include "dynamics/joints/screw_joint.h"
#include "dynamics/joints/slider_joint.h"
#include "dynamics/joints/universal_joint.h"
#include "dynamics/joints/weld_joint.h"

namespace limber::dynamics::test {

/// A constraint of a kind that is known only at run time.
class Forwarded : public Constraint {
 public:
  explicit Forwarded(Constraint& to) : to_(&to) {}
  std::span<const BodyId> bodies() const override { return to_->bodies(); }
  void AddRows(BodyMotions bodies, double time,
               RowBuffer& rows) const override {
    to_->AddRows(bodies, time, rows);
  }
  void AfterStep(BodyMotions bodies, double time) override {
    to_->AfterStep(bodies, time);
  }

 private:
  Constraint* to_;
};

/// A class of constraints between the bodies 1 and 2 (some also 3), made for
/// bodies that stand as `bodies` says.
struct Kind {
  const char* name;
  std::function<std::unique_ptr<Constraint>(BodyMotions)> make;
};

template <typename T>
std::unique_ptr<Constraint> Owned(T constraint) {
  return std::make_unique<T>(std::move(constraint));
}

/// The frames of a joint that coincide now.
inline std::array<Transform, 2> Frames(BodyMotions bodies) {
  const auto X_WB = [&](std::size_t b) {
    return Transform{bodies[b].q_WB, bodies[b].p_WB};
  };
  const Transform X_WF{ExpRotation(Vector3(0.3, -0.4, 0.2)),
                       Vector3(0.1, 0.4, -0.1)};
  return {X_WB(1).Inverse() * X_WF, X_WB(2).Inverse() * X_WF};
}

template <typename T>
Kind JointKind(const char* name) {
  return {name, [](BodyMotions bodies) {
            const auto [X_PF, X_BM] = Frames(bodies);
            return Owned(T(BodyId{1}, X_PF, BodyId{2}, X_BM));
          }};
}

/// Every class of this library that acts within a system and not against the
/// world.
inline std::vector<Kind> AllKinds() {
  const BodyId one{1}, two{2}, three{3};
  const BodyPoint a{one, Vector3(0.1, 0.3, 0.0)};
  const BodyPoint b{two, Vector3(0.0, -0.2, 0.1)};
  const BodyPoint c{three, Vector3(0.1, 0.1, 0.1)};
  return {
      JointKind<WeldJoint>("weld"),
      JointKind<BallJoint>("ball"),
      JointKind<HingeJoint>("hinge"),
      JointKind<UniversalJoint>("universal"),
      JointKind<SliderJoint>("slider"),
      JointKind<CylindricalJoint>("cylindrical"),
      JointKind<PlanarJoint>("planar"),
      JointKind<CylinderOnPlaneJoint>("cylinder on plane"),
      JointKind<BallInCylinderJoint>("ball in cylinder"),
      JointKind<BallOnPlaneJoint>("ball on plane"),
      {"screw",
       [](BodyMotions bodies) {
         const auto [X_PF, X_BM] = Frames(bodies);
         return Owned(ScrewJoint(BodyId{1}, X_PF, BodyId{2}, X_BM, 0.3));
       }},
      {"point to point",
       [=](BodyMotions) { return Owned(PointToPoint(a, b)); }},
      {"distance rod",
       [=](BodyMotions) { return Owned(DistanceRod(a, b, 0.9)); }},
      {"sphere on sphere",
       [=](BodyMotions) { return Owned(SphereOnSphere(a, 0.4, b, 0.5)); }},
      {"rope", [=](BodyMotions) { return Owned(Rope(a, b, 0.3)); }},
      {"rope over three",
       [=](BodyMotions) {
         return Owned(Rope(std::array{a, b, c}, 1.0, Rope::Kind::kMultibar));
       }},
      {"point on line",
       [=](BodyMotions) {
         return Owned(PointOnLine(a, b, Vector3(1.0, 2.0, -0.5)));
       }},
      {"point on plane",
       [=](BodyMotions) {
         return Owned(PointOnPlane(a, b, Vector3(1.0, 2.0, -0.5)));
       }},
      {"point on curve",
       [=](BodyMotions) {
         return Owned(PointOnCurve(
             a, two,
             std::make_shared<Circle>(Vector3::Zero(), Vector3::UnitZ(),
                                      Vector3::UnitX(), 1.0),
             0.0));
       }},
      {"point on surface",
       [=](BodyMotions) {
         return Owned(PointOnSurface(
             a, two,
             std::make_shared<Ellipsoid>(Transform{}, Vector3(1.0, 1.2, 0.8))));
       }},
      {"align axis",
       [=](BodyMotions) {
         return Owned(
             AlignAxis(one, Vector3::UnitX(), two, Vector3(1.0, 0.2, 0.1)));
       }},
      {"align orientation",
       [=](BodyMotions) {
         return Owned(
             AlignOrientation(one, two, ExpRotation(Vector3(0.2, 0.1, 0.0))));
       }},
      {"gear",
       [=](BodyMotions bodies) {
         return Owned(
             Gear(TurnAngle::FromNow(bodies, three, Vector3::UnitX(), one),
                  TurnAngle::FromNow(bodies, three, Vector3::UnitZ(), two),
                  -2.5, 0.1));
       }},
      {"edge angle",
       [=](BodyMotions) {
         return Owned(EdgeAngle({a, b}, {a, c}, 1.0));
       }},
      {"edges parallel",
       [=](BodyMotions bodies) {
         return Owned(EdgesParallel({a, b}, {c, b}, bodies));
       }},
      {"function",
       [=](BodyMotions) {
         return Owned(FunctionConstraint(
             {one, two}, 1,
             [=](BodyMotions bodies, double, std::span<double> phi) {
               phi[0] = (MotionOf(bodies, two).Point(b.p_BA) -
                         MotionOf(bodies, one).Point(a.p_BA))
                            .squaredNorm() -
                        0.5;
             }));
       }},
  };
}

}  // namespace limber::dynamics::test
