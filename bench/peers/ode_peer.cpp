// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// ODE: dWorldStep (dense, exact) and dWorldQuickStep (iterative), with its
// default ERP 0.2 and CFM. Motors are velocity motors with a torque bound;
// markers are ball joints to the world with ERP and CFM of spring and damper.
#include <ode/ode.h>

#include "bench/peers/engine.h"

namespace limber::bench {
namespace {

using scenes::Drive;
using scenes::PeerScene;
using scenes::Root;
using scenes::Segment;

Vector3 ToVector(const dReal* p) { return {p[0], p[1], p[2]}; }

Matrix3 ToMatrix(const dReal* r) {
  Matrix3 R;
  R << r[0], r[1], r[2], r[4], r[5], r[6], r[8], r[9], r[10];
  return R;
}

class OdeEngine : public Engine {
 public:
  OdeEngine(const PeerScene& scene, int quick_iterations)
      : scene_(scene), quick_(quick_iterations > 0) {
    world_ = dWorldCreate();
    dWorldSetGravity(world_, 0, 0, -kGravity);
    dWorldSetERP(world_, 0.2);
    if (quick_) dWorldSetQuickStepNumIterations(world_, quick_iterations);
    for (const Segment& segment : scene.segments) AddSegment(segment);
    marker_places_ = scenes::MarkerTargets(scene, 0.0);
    for (std::size_t i = 0; i < scene.markers.size(); ++i) {
      AddMarker(scene.markers[i], marker_places_[i]);
    }
  }
  ~OdeEngine() override { dWorldDestroy(world_); }

  void Step(const StepTargets& targets) override {
    SetMotors(targets.joints);
    MoveMarkers(targets.markers);
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
  void SetMotors(std::span<const JointTarget> targets) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (motors_[i] == nullptr) continue;
      const std::size_t p = static_cast<std::size_t>(scene_.segments[i].parent);
      const Matrix3 R = ToMatrix(dBodyGetRotation(bodies_[p])).transpose() *
                        ToMatrix(dBodyGetRotation(bodies_[i]));
      // Half the error and half the reference rate, as for all velocity motors.
      const Vector3 speed =
          0.5 * targets[i].w_P +
          0.5 / scene_.step *
              LogRotation(targets[i].R * Quaternion(R).conjugate());
      dJointSetAMotorParam(motors_[i], dParamVel1, speed.x());
      dJointSetAMotorParam(motors_[i], dParamVel2, speed.y());
      dJointSetAMotorParam(motors_[i], dParamVel3, speed.z());
    }
  }

  // An anchor in the world has no speed of its own, so the damper's share of
  // the target's speed goes into the place: with a = x + (d / k) x',
  //
  //     f = -k (p + h v - a) - d v = -k (p + h v - x) - d (v - x')
  void MoveMarkers(std::span<const Vector3> targets) {
    const double lead =
        scene_.marker_damping / (scene_.marker_stiffness * scene_.step);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const Vector3 a = targets[i] + lead * (targets[i] - marker_places_[i]);
      dJointSetBallAnchor2(markers_[i], a.x(), a.y(), a.z());
      marker_places_[i] = targets[i];
    }
  }

  void AddMarker(const scenes::Marker& marker, const Vector3& place) {
    const dJointID ball = dJointCreateBall(world_, nullptr);
    dJointAttach(ball, bodies_[static_cast<std::size_t>(marker.segment)],
                 nullptr);
    dJointSetBallAnchor(ball, place.x(), place.y(), place.z());
    const double hk = scene_.step * scene_.marker_stiffness;
    dJointSetBallParam(ball, dParamERP, hk / (hk + scene_.marker_damping));
    dJointSetBallParam(ball, dParamCFM, 1.0 / (hk + scene_.marker_damping));
    markers_.push_back(ball);
  }

  void AddSegment(const Segment& segment) {
    const dBodyID body = dBodyCreate(world_);
    dBodySetPosition(body, segment.com.x(), segment.com.y(), segment.com.z());
    dMass mass;
    dMassSetParameters(&mass, segment.mass, 0, 0, 0, segment.inertia.x(),
                       segment.inertia.y(), segment.inertia.z(), 0, 0, 0);
    dBodySetMass(body, &mass);
    bodies_.push_back(body);
    motors_.push_back(nullptr);
    if (segment.parent < 0 && scene_.root == Root::kFixed) {
      dBodySetKinematic(body);
    }
    if (segment.parent < 0 && scene_.root != Root::kBall) return;
    const dBodyID parent =
        segment.parent < 0 ? nullptr
                           : bodies_[static_cast<std::size_t>(segment.parent)];
    const dJointID ball = dJointCreateBall(world_, nullptr);
    dJointAttach(ball, body, parent);
    dJointSetBallAnchor(ball, segment.joint.x(), segment.joint.y(),
                        segment.joint.z());
    if (scene_.drive == Drive::kNone) return;

    const dJointID motor = dJointCreateAMotor(world_, nullptr);
    if (scene_.drive == Drive::kTrack) {
      dJointAttach(motor, body, parent);
      dJointSetAMotorNumAxes(motor, 3);
      for (int k = 0; k < 3; ++k) {
        dJointSetAMotorAxis(motor, k, 2, k == 0, k == 1, k == 2);
        dJointSetAMotorParam(motor, dParamFMax + dParamGroup * k,
                             scene_.max_torque);
      }
      motors_.back() = motor;
      return;
    }
    // An implicit spring: stops at 0 whose ERP and CFM are k and d.
    dJointAttach(motor, parent, body);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(motor, 2, 2, 0, 0, 1);
    const double hk = scene_.step * segment.stiffness;
    for (int k = 0; k < 3; ++k) {
      const int group = dParamGroup * k;
      // Twice: ODE refuses a lower stop above the present upper one.
      dJointSetAMotorParam(motor, dParamLoStop + group, 0);
      dJointSetAMotorParam(motor, dParamHiStop + group, 0);
      dJointSetAMotorParam(motor, dParamLoStop + group, 0);
      dJointSetAMotorParam(motor, dParamStopERP + group,
                           hk / (hk + segment.damping));
      dJointSetAMotorParam(motor, dParamStopCFM + group,
                           1.0 / (hk + segment.damping));
    }
  }

  const PeerScene& scene_;
  bool quick_;
  dWorldID world_;
  std::vector<dBodyID> bodies_;
  std::vector<dJointID> motors_;
  std::vector<dJointID> markers_;
  std::vector<Vector3> marker_places_;  // of the last step
};

Contender Make(std::string name, int quick_iterations) {
  return {std::move(name), "", [](const PeerScene&) { return true; },
          [quick_iterations](const PeerScene& scene) {
            return std::make_unique<OdeEngine>(scene, quick_iterations);
          }};
}

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) {
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  using limber::bench::Make;
  return limber::bench::RunContenders(
      argc, argv,
      {Make("ode-step", 0), Make("ode-quick-20", 20),
       Make("ode-quick-100", 100)});
}
