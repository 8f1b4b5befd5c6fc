// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Bullet on S4 and S5: rigid bodies with 6-dof constraints whose angular limits
// are those of the joints. Built twice, as bullet_peer.cpp.
#include <btBulletDynamicsCommon.h>

#include "bench/peers/fall_engine.h"

namespace limber::bench {
namespace {

using scenes::RagdollScene;
using scenes::RagdollSegment;

btScalar ToScalar(double x) { return static_cast<btScalar>(x); }

btVector3 ToBullet(const Vector3& v) {
  return {ToScalar(v.x()), ToScalar(v.y()), ToScalar(v.z())};
}

Vector3 FromBullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

btTransform ToBullet(const Transform& X) {
  return btTransform(btQuaternion(ToScalar(X.R.x()), ToScalar(X.R.y()),
                                  ToScalar(X.R.z()), ToScalar(X.R.w())),
                     ToBullet(X.p));
}

class BulletFall : public FallEngine {
 public:
  BulletFall(const RagdollScene& scene, int iterations) : scene_(scene) {
    world_.setGravity(btVector3(0, 0, ToScalar(-kGravity)));
    world_.getSolverInfo().m_numIterations = iterations;
    AddFixed(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0),
             Vector3::Zero());
    for (const scenes::StairBox& step : scene.steps) {
      AddFixed(std::make_unique<btBoxShape>(ToBullet(step.half_extents)),
               step.centre);
    }
    for (std::size_t f = 0; f < scene.figures.size(); ++f) {
      for (std::size_t i = 0; i < scene.segments.size(); ++i) AddSegment(f, i);
    }
  }
  ~BulletFall() override {
    for (const auto& joint : joints_) world_.removeConstraint(joint.get());
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    for (const auto& fixed : fixed_) world_.removeCollisionObject(fixed.get());
  }

  void Step() override { world_.stepSimulation(ToScalar(scene_.step), 0); }

  void Read(std::vector<SegmentState>& states) override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      const btTransform& T = bodies_[i]->getWorldTransform();
      Matrix3 R;
      for (int r = 0; r < 3; ++r) {
        R.row(r) = FromBullet(T.getBasis()[r]).transpose();
      }
      states[i] = {FromBullet(T.getOrigin()),
                   FromBullet(bodies_[i]->getLinearVelocity()),
                   FromBullet(bodies_[i]->getAngularVelocity()), R};
    }
  }

 private:
  static constexpr int kStatic = 1;

  void AddFixed(std::unique_ptr<btCollisionShape> shape, const Vector3& place) {
    auto fixed = std::make_unique<btCollisionObject>();
    fixed->setCollisionShape(shape.get());
    fixed->setWorldTransform(
        btTransform(btQuaternion::getIdentity(), ToBullet(place)));
    fixed->setFriction(1);  // Bullet multiplies the two coefficients.
    world_.addCollisionObject(fixed.get(), kStatic, ~kStatic);
    fixed_.push_back(std::move(fixed));
    shapes_.push_back(std::move(shape));
  }

  static std::unique_ptr<btCollisionShape> ShapeOf(
      const RagdollSegment& segment) {
    if (segment.box) {
      return std::make_unique<btBoxShape>(ToBullet(segment.half_extents));
    }
    const btScalar r = ToScalar(segment.radius);
    const btScalar length = ToScalar(2.0 * segment.half_length);
    if (segment.axis == 0) return std::make_unique<btCapsuleShapeX>(r, length);
    if (segment.axis == 1) return std::make_unique<btCapsuleShape>(r, length);
    return std::make_unique<btCapsuleShapeZ>(r, length);
  }

  void AddSegment(std::size_t figure, std::size_t i) {
    const RagdollSegment& segment = scene_.segments[i];
    shapes_.push_back(ShapeOf(segment));
    btRigidBody::btRigidBodyConstructionInfo info(ToScalar(segment.mass),
                                                  nullptr, shapes_.back().get(),
                                                  ToBullet(segment.inertia));
    info.m_startWorldTransform = ToBullet(StartOf(scene_, figure, i));
    info.m_friction = ToScalar(kFallFriction);
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& body = *bodies_.back();
    body.setActivationState(DISABLE_DEACTIVATION);
    const int group = 1 << (static_cast<int>(figure) + 1);
    world_.addRigidBody(&body, group, ~group);
    if (segment.parent < 0) return;
    const std::size_t p = static_cast<std::size_t>(segment.parent);
    btRigidBody& parent = *bodies_[figure * scene_.segments.size() + p];
    const auto at = [](const Vector3& place) {
      return btTransform(btQuaternion::getIdentity(), ToBullet(place));
    };
    // As in bullet_peer.cpp: the angles change sign.
    auto joint = std::make_unique<btGeneric6DofSpring2Constraint>(
        parent, body, at(segment.joint - scene_.segments[p].com),
        at(segment.joint - segment.com), RO_ZYX);
    for (int a = 0; a < 3; ++a) {
      joint->setLimit(a, 0, 0);
      joint->setLimit(3 + a, ToScalar(-segment.upper[a]),
                      ToScalar(-segment.lower[a]));
    }
    world_.addConstraint(joint.get(), true);
    joints_.push_back(std::move(joint));
  }

  const RagdollScene& scene_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_,
                                 &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btCollisionObject>> fixed_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

FallContender Make(int iterations) {
#ifdef BT_USE_DOUBLE_PRECISION
  const char* precision = "f64";
#else
  const char* precision = "f32";
#endif
  return {"bullet-rigid-" + std::to_string(iterations) + "-" + precision, "",
          [iterations](const RagdollScene& scene) {
            return std::make_unique<BulletFall>(scene, iterations);
          }};
}

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) {
  using limber::bench::Make;
  return limber::bench::RunFalls(argc, argv, {Make(10), Make(50)});
}
