// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Bullet: rigid bodies with constraints and sequential impulses. Built twice,
// with float and with BT_USE_DOUBLE_PRECISION. (Its multibody, too.)
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>

#include "bench/peers/engine.h"

namespace limber::bench {
namespace {

using scenes::Drive;
using scenes::PeerScene;
using scenes::Root;
using scenes::Segment;

btScalar ToScalar(double x) { return static_cast<btScalar>(x); }

btVector3 ToBullet(const Vector3& v) {
  return {ToScalar(v.x()), ToScalar(v.y()), ToScalar(v.z())};
}

Vector3 FromBullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

Matrix3 FromBullet(const btMatrix3x3& m) {
  Matrix3 R;
  for (int i = 0; i < 3; ++i) R.row(i) = FromBullet(m[i]).transpose();
  return R;
}

// The parts every Bullet world needs.
struct Parts {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSphereShape dot{ToScalar(0.01)};
};

class RigidEngine : public Engine {
 public:
  RigidEngine(const PeerScene& scene, int iterations) : scene_(scene) {
    world_.setGravity(btVector3(0, 0, ToScalar(-kGravity)));
    world_.getSolverInfo().m_numIterations = iterations;
    for (const Segment& segment : scene.segments) AddSegment(segment);
  }
  ~RigidEngine() override {
    for (const auto& joint : joints_) world_.removeConstraint(joint.get());
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void Step(const StepTargets& step) override {
    const std::span<const JointTarget> targets = step.joints;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      btGeneric6DofSpring2Constraint* motor = motors_[i];
      if (motor == nullptr) continue;
      motor->calculateTransforms();
      for (int a = 0; a < 3; ++a) {
        // Bullet measures the angles the other way round.
        motor->setTargetVelocity(
            3 + a, ToScalar(-0.5 * targets[i].rates[a] -
                            0.5 / scene_.step *
                                (targets[i].angles[a] + motor->getAngle(a))));
      }
    }
    world_.stepSimulation(ToScalar(scene_.step), 0);
  }

  void Read(std::vector<SegmentState>& states) override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      const btTransform& T = bodies_[i]->getWorldTransform();
      states[i] = {FromBullet(T.getOrigin()),
                   FromBullet(bodies_[i]->getLinearVelocity()),
                   FromBullet(bodies_[i]->getAngularVelocity()),
                   FromBullet(T.getBasis())};
    }
  }

 private:
  void AddSegment(const Segment& segment) {
    const bool fixed = segment.parent < 0 && scene_.root == Root::kFixed;
    btRigidBody::btRigidBodyConstructionInfo info(
        fixed ? 0 : ToScalar(segment.mass), nullptr, &parts_.dot,
        fixed ? btVector3(0, 0, 0) : ToBullet(segment.inertia));
    info.m_startWorldTransform =
        btTransform(btQuaternion::getIdentity(), ToBullet(segment.com));
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& body = *bodies_.back();
    body.setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(&body, 0, 0);
    motors_.push_back(nullptr);
    if (segment.parent < 0 && scene_.root != Root::kBall) return;

    const Vector3 on_child = segment.joint - segment.com;
    if (segment.parent < 0) {
      Keep(std::make_unique<btPoint2PointConstraint>(body, ToBullet(on_child)));
      return;
    }
    const std::size_t p = static_cast<std::size_t>(segment.parent);
    const Vector3 on_parent = segment.joint - scene_.segments[p].com;
    if (scene_.drive == Drive::kNone) {
      Keep(std::make_unique<btPoint2PointConstraint>(
          *bodies_[p], body, ToBullet(on_parent), ToBullet(on_child)));
      return;
    }
    // Bullet reads the relative rotation transposed: its ZYX angles, negated,
    // are our intrinsic x-y-z ones.
    auto joint = std::make_unique<btGeneric6DofSpring2Constraint>(
        *bodies_[p], body,
        btTransform(btQuaternion::getIdentity(), ToBullet(on_parent)),
        btTransform(btQuaternion::getIdentity(), ToBullet(on_child)), RO_ZYX);
    for (int a = 0; a < 3; ++a) {
      joint->setLimit(a, 0, 0);
      joint->setLimit(3 + a, 1, -1);
      if (scene_.drive == Drive::kSpring) {
        joint->enableSpring(3 + a, true);
        joint->setStiffness(3 + a, ToScalar(segment.stiffness), true);
        joint->setDamping(3 + a, ToScalar(segment.damping), true);
        joint->setEquilibriumPoint(3 + a, 0);
      } else {
        joint->enableMotor(3 + a, true);
        joint->setMaxMotorForce(3 + a, ToScalar(scene_.max_torque));
      }
    }
    if (scene_.drive == Drive::kTrack) motors_.back() = joint.get();
    Keep(std::move(joint));
  }

  void Keep(std::unique_ptr<btTypedConstraint> joint) {
    world_.addConstraint(joint.get(), true);
    joints_.push_back(std::move(joint));
  }

  const PeerScene& scene_;
  Parts parts_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&parts_.dispatcher, &parts_.broadphase,
                                 &solver_, &parts_.configuration};
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  std::vector<btGeneric6DofSpring2Constraint*> motors_;
};

// Reduced coordinates; ball joints are spherical links without drives and three
// revolute links (two of them without mass) with motors.
class MultiBodyEngine : public Engine {
 public:
  MultiBodyEngine(const PeerScene& scene, int iterations)
      : scene_(scene), links_(scene.segments.size()) {
    world_.setGravity(btVector3(0, 0, ToScalar(-kGravity)));
    world_.getSolverInfo().m_numIterations = iterations;
    const bool hanging = scene.root == Root::kBall;
    const bool spherical = scene.drive == Drive::kNone;
    int count = 0;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      links_[i] = i == 0 && !hanging ? -1 : (count += spherical ? 1 : 3) - 1;
    }
    const Segment& root = scene.segments.front();
    const btVector3 zero(0, 0, 0);
    body_ = std::make_unique<btMultiBody>(
        count, hanging ? 0 : ToScalar(root.mass),
        hanging ? zero : ToBullet(root.inertia), true, false);
    body_->setBasePos(hanging ? zero : ToBullet(root.com));
    body_->setLinearDamping(0);
    body_->setAngularDamping(0);
    body_->setHasSelfCollision(false);
    body_->setCanSleep(false);
    body_->setMaxAppliedImpulse(ToScalar(1e9));
    body_->setMaxCoordinateVelocity(ToScalar(1e9));
    for (std::size_t i = hanging ? 0 : 1; i < links_.size(); ++i) {
      AddLink(i, spherical);
    }
    body_->finalizeMultiDof();
    world_.addMultiBody(body_.get());
    motors_.assign(3 * links_.size(), nullptr);
    if (!spherical) AddMotors();
  }
  ~MultiBodyEngine() override {
    for (const auto& c : constraints_)
      world_.removeMultiBodyConstraint(c.get());
    world_.removeMultiBody(body_.get());
    for (const auto& c : colliders_) world_.removeCollisionObject(c.get());
  }

  void Step(const StepTargets& step) override {
    const std::span<const JointTarget> targets = step.joints;
    for (std::size_t i = 1; i < targets.size(); ++i) {
      for (int a = 0; a < 3; ++a) {
        btMultiBodyJointMotor* motor =
            motors_[3 * i + static_cast<std::size_t>(a)];
        motor->setVelocityTarget(ToScalar(targets[i].rates[a]), ToScalar(0.5));
        motor->setPositionTarget(ToScalar(targets[i].angles[a]), ToScalar(0.5));
        motor->setErp(1);
      }
    }
    world_.stepSimulation(ToScalar(scene_.step), 0);
  }

  void Read(std::vector<SegmentState>& states) override {
    btAlignedObjectArray<btVector3> spins, speeds, origins;
    btAlignedObjectArray<btQuaternion> turns;
    body_->forwardKinematics(turns, origins);
    spins.resize(body_->getNumLinks() + 1);
    speeds.resize(body_->getNumLinks() + 1);
    body_->compTreeLinkVelocities(&spins[0], &speeds[0]);
    for (std::size_t i = 0; i < states.size(); ++i) {
      const int link = links_[i];
      const btTransform T = link < 0
                                ? body_->getBaseWorldTransform()
                                : body_->getLink(link).m_cachedWorldTransform;
      states[i] = {FromBullet(T.getOrigin()),
                   FromBullet(T.getBasis() * speeds[link + 1]),
                   FromBullet(T.getBasis() * spins[link + 1]),
                   FromBullet(T.getBasis())};
    }
  }

 private:
  void AddLink(std::size_t i, bool spherical) {
    const Segment& segment = scene_.segments[i];
    const btQuaternion identity = btQuaternion::getIdentity();
    const btVector3 zero(0, 0, 0);
    int parent = -1;
    Vector3 from_parent = segment.joint;
    if (segment.parent >= 0) {
      const std::size_t p = static_cast<std::size_t>(segment.parent);
      parent = links_[p];
      from_parent -= scene_.segments[p].com;
    }
    const btVector3 a = ToBullet(from_parent);
    const btVector3 c = ToBullet(segment.com - segment.joint);
    const int link = links_[i];
    if (spherical) {
      body_->setupSpherical(link, ToScalar(segment.mass),
                            ToBullet(segment.inertia), parent, identity, a, c,
                            true);
      return;
    }
    body_->setupRevolute(link - 2, 0, zero, parent, identity,
                         btVector3(1, 0, 0), a, zero, true);
    body_->setupRevolute(link - 1, 0, zero, link - 2, identity,
                         btVector3(0, 1, 0), zero, zero, true);
    body_->setupRevolute(link, ToScalar(segment.mass),
                         ToBullet(segment.inertia), link - 1, identity,
                         btVector3(0, 0, 1), zero, c, true);
  }

  // A motor is solved only if its link has a collider: every link gets one
  // that collides with nothing.
  void AddMotors() {
    for (int link = -1; link < body_->getNumLinks(); ++link) {
      colliders_.push_back(
          std::make_unique<btMultiBodyLinkCollider>(body_.get(), link));
      btMultiBodyLinkCollider* collider = colliders_.back().get();
      collider->setCollisionShape(&parts_.dot);
      world_.addCollisionObject(collider, 0, 0);
      if (link < 0) {
        body_->setBaseCollider(collider);
      } else {
        body_->getLink(link).m_collider = collider;
      }
    }
    for (std::size_t i = 1; i < links_.size(); ++i) {
      for (int a = 0; a < 3; ++a) {
        auto motor = std::make_unique<btMultiBodyJointMotor>(
            body_.get(), links_[i] - 2 + a, ToScalar(0),
            ToScalar(scene_.max_torque * scene_.step));
        motor->finalizeMultiDof();
        world_.addMultiBodyConstraint(motor.get());
        motors_[3 * i + static_cast<std::size_t>(a)] = motor.get();
        constraints_.push_back(std::move(motor));
      }
    }
  }

  const PeerScene& scene_;
  std::vector<int> links_;
  Parts parts_;
  btMultiBodyConstraintSolver solver_;
  btMultiBodyDynamicsWorld world_{&parts_.dispatcher, &parts_.broadphase,
                                  &solver_, &parts_.configuration};
  std::unique_ptr<btMultiBody> body_;
  std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders_;
  std::vector<std::unique_ptr<btMultiBodyConstraint>> constraints_;
  std::vector<btMultiBodyJointMotor*> motors_;
};

template <typename EngineType>
Contender Make(std::string name, std::string remark, int iterations,
               bool springs) {
#ifdef BT_USE_DOUBLE_PRECISION
  name += "-f64";
#else
  name += "-f32";
#endif
  return {std::move(name), std::move(remark),
          [springs](const PeerScene& scene) {
            return HasNoMarkers(scene) &&
                   (springs || scene.drive != Drive::kSpring);
          },
          [iterations](const PeerScene& scene) {
            return std::make_unique<EngineType>(scene, iterations);
          }};
}

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) {
  using limber::bench::Make;
  using limber::bench::MultiBodyEngine;
  using limber::bench::RigidEngine;
  return limber::bench::RunContenders(
      argc, argv,
      {Make<RigidEngine>("bullet-rigid-10", "springs clipped in S2", 10, true),
       Make<RigidEngine>("bullet-rigid-50", "springs clipped in S2", 50, true),
       Make<MultiBodyEngine>("bullet-multibody-10", "no springs", 10, false)});
}
