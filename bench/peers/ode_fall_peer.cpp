// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// ODE on S4 and S5: ball joints with an angular motor in Euler mode whose stops
// are the limits; contacts of at most eight points a pair.
#include <ode/ode.h>

#include <array>

#include "bench/peers/fall_engine.h"

namespace limber::bench {
namespace {

using scenes::RagdollScene;
using scenes::RagdollSegment;

Vector3 ToVector(const dReal* p) { return {p[0], p[1], p[2]}; }

Matrix3 ToMatrix(const dReal* r) {
  Matrix3 R;
  R << r[0], r[1], r[2], r[4], r[5], r[6], r[8], r[9], r[10];
  return R;
}

class OdeFall : public FallEngine {
 public:
  OdeFall(const RagdollScene& scene, int quick_iterations)
      : scene_(scene),
        quick_(quick_iterations > 0),
        figures_(scene.figures.size()) {
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -kGravity);
    dWorldSetERP(world_, 0.2);
    dWorldSetContactSurfaceLayer(world_, 0.001);
    if (quick_) dWorldSetQuickStepNumIterations(world_, quick_iterations);
    dCreatePlane(space_, 0, 0, 1, 0);
    for (const scenes::StairBox& step : scene.steps) {
      const dGeomID box =
          dCreateBox(space_, 2.0 * step.half_extents.x(),
                     2.0 * step.half_extents.y(), 2.0 * step.half_extents.z());
      dGeomSetPosition(box, step.centre.x(), step.centre.y(), step.centre.z());
    }
    for (std::size_t f = 0; f < scene.figures.size(); ++f) {
      for (std::size_t i = 0; i < scene.segments.size(); ++i) AddSegment(f, i);
    }
  }
  ~OdeFall() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }

  void Step() override {
    dJointGroupEmpty(contacts_);
    dSpaceCollide(space_, this, &OdeFall::Near);
    if (quick_) {
      dWorldQuickStep(world_, scene_.step);
    } else {
      dWorldStep(world_, scene_.step);
    }
  }

  void Read(std::vector<SegmentState>& states) override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      states[i] = {ToVector(dBodyGetPosition(bodies_[i])),
                   ToVector(dBodyGetLinearVel(bodies_[i])),
                   ToVector(dBodyGetAngularVel(bodies_[i])),
                   ToMatrix(dBodyGetRotation(bodies_[i]))};
    }
  }

 private:
  // The data of a geometry is its figure; null for what does not move.
  static void Near(void* self, dGeomID a, dGeomID b) {
    if (dGeomGetData(a) == dGeomGetData(b)) return;
    OdeFall& own = *static_cast<OdeFall*>(self);
    std::array<dContact, 8> found{};
    const int count = dCollide(a, b, static_cast<int>(found.size()),
                               &found[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      dContact& contact = found[static_cast<std::size_t>(i)];
      contact.surface.mode = dContactApprox1;
      contact.surface.mu = kFallFriction;
      dJointAttach(dJointCreateContact(own.world_, own.contacts_, &contact),
                   dGeomGetBody(a), dGeomGetBody(b));
    }
  }

  void AddSegment(std::size_t figure, std::size_t i) {
    const RagdollSegment& segment = scene_.segments[i];
    const Transform X = StartOf(scene_, figure, i);
    const Matrix3 R = X.R.toRotationMatrix();
    const dBodyID body = dBodyCreate(world_);
    dMatrix3 rotation = {};
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) rotation[4 * r + c] = R(r, c);
    }
    dBodySetPosition(body, X.p.x(), X.p.y(), X.p.z());
    dBodySetRotation(body, rotation);
    dMass mass;
    dMassSetParameters(&mass, segment.mass, 0, 0, 0, segment.inertia.x(),
                       segment.inertia.y(), segment.inertia.z(), 0, 0, 0);
    dBodySetMass(body, &mass);
    bodies_.push_back(body);
    AddShape(segment, body, figure);
    if (segment.parent < 0) return;

    const dBodyID parent = bodies_[figure * scene_.segments.size() +
                                   static_cast<std::size_t>(segment.parent)];
    const Vector3 at = JointOf(scene_, figure, i);
    const dJointID ball = dJointCreateBall(world_, nullptr);
    dJointAttach(ball, body, parent);
    dJointSetBallAnchor(ball, at.x(), at.y(), at.z());
    // Euler mode measures the parent relative to the child: angles change sign.
    const dJointID motor = dJointCreateAMotor(world_, nullptr);
    dJointAttach(motor, parent, body);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, R(0, 0), R(1, 0), R(2, 0));
    dJointSetAMotorAxis(motor, 2, 2, R(0, 2), R(1, 2), R(2, 2));
    for (int k = 0; k < 3; ++k) {
      const int group = dParamGroup * k;
      // Twice: ODE refuses a lower stop above the present upper one.
      dJointSetAMotorParam(motor, dParamLoStop + group, -segment.upper[k]);
      dJointSetAMotorParam(motor, dParamHiStop + group, -segment.lower[k]);
      dJointSetAMotorParam(motor, dParamLoStop + group, -segment.upper[k]);
    }
  }

  void AddShape(const RagdollSegment& segment, dBodyID body,
                std::size_t figure) {
    dGeomID shape;
    if (segment.box) {
      const Vector3 size = 2.0 * segment.half_extents;
      shape = dCreateBox(space_, size.x(), size.y(), size.z());
      dGeomSetBody(shape, body);
    } else {
      // ODE's capsules lie along z.
      shape = dCreateCapsule(space_, segment.radius, 2.0 * segment.half_length);
      dGeomSetBody(shape, body);
      dMatrix3 turn;
      dRSetIdentity(turn);
      if (segment.axis == 0) dRFromAxisAndAngle(turn, 0, 1, 0, 0.5 * kPi);
      if (segment.axis == 1) dRFromAxisAndAngle(turn, 1, 0, 0, -0.5 * kPi);
      dGeomSetOffsetRotation(shape, turn);
    }
    dGeomSetData(shape, &figures_[figure]);
  }

  const RagdollScene& scene_;
  bool quick_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<dBodyID> bodies_;
  std::vector<char> figures_;  // their places are their names
};

FallContender Make(std::string name, int quick_iterations) {
  return {std::move(name), "", [quick_iterations](const RagdollScene& scene) {
            return std::make_unique<OdeFall>(scene, quick_iterations);
          }};
}

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) {
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  using limber::bench::Make;
  return limber::bench::RunFalls(argc, argv,
                                 {Make("ode-step", 0), Make("ode-quick-20", 20),
                                  Make("ode-quick-100", 100)});
}
