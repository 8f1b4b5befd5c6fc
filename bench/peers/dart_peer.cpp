// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// DART: articulated bodies and a boxed LCP (Dantzig); tracking by servo
// actuators, which are bounded velocity rows of the LCP, or computed torque.
// Debian builds DART with assertions on, and a diverged state aborts.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <dart/dart.hpp>

#include "bench/peers/engine.h"

namespace limber::bench {
namespace {

using scenes::Drive;
using scenes::PeerScene;
using scenes::Root;
using scenes::Segment;

constexpr double kComputedTorqueFrequency = 150.0;  // [rad/s]

class DartEngine : public Engine {
 public:
  DartEngine(const PeerScene& scene, bool servo)
      : scene_(scene),
        servo_(servo),
        world_(dart::simulation::World::create()),
        skeleton_(dart::dynamics::Skeleton::create("figure")) {
    world_->setTimeStep(scene.step);
    world_->setGravity(Vector3(0, 0, -kGravity));
    for (std::size_t i = 0; i < scene.segments.size(); ++i) AddSegment(i);
    world_->addSkeleton(skeleton_);
  }

  void Step(const StepTargets& step) override {
    const std::span<const JointTarget> targets = step.joints;
    if (!targets.empty()) {
      if (servo_) {
        CommandServos(targets);
      } else {
        ApplyComputedTorque(targets);
      }
    }
    world_->step();
  }

  void Read(std::vector<SegmentState>& states) override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      const Eigen::Isometry3d T = bodies_[i]->getTransform();
      states[i] = {T.translation(), bodies_[i]->getCOMLinearVelocity(),
                   bodies_[i]->getAngularVelocity(), T.linear()};
    }
  }

 private:
  template <typename JointType>
  JointType* Add(std::size_t i, dart::dynamics::BodyNode* parent,
                 typename JointType::Properties properties) {
    const Segment& segment = scene_.segments[i];
    properties.mName = "j" + std::to_string(i);
    properties.mT_ParentBodyToJoint.setIdentity();
    properties.mT_ParentBodyToJoint.translation() = segment.joint;
    if (parent != nullptr) {
      properties.mT_ParentBodyToJoint.translation() -=
          scene_.segments[static_cast<std::size_t>(segment.parent)].com;
    }
    properties.mT_ChildBodyToJoint.setIdentity();
    properties.mT_ChildBodyToJoint.translation() = segment.joint - segment.com;
    dart::dynamics::BodyNode::Properties body;
    body.mName = "b" + std::to_string(i);
    body.mInertia = dart::dynamics::Inertia(segment.mass, Vector3::Zero(),
                                            segment.inertia.asDiagonal());
    const auto pair = skeleton_->createJointAndBodyNodePair<JointType>(
        parent, properties, body);
    bodies_.push_back(pair.second);
    return pair.first;
  }

  void AddSegment(std::size_t i) {
    const Segment& segment = scene_.segments[i];
    dart::dynamics::BodyNode* parent =
        segment.parent < 0 ? nullptr
                           : bodies_[static_cast<std::size_t>(segment.parent)];
    if (parent == nullptr && scene_.root == Root::kFixed) {
      Add<dart::dynamics::WeldJoint>(i, parent, {});
      return;
    }
    if (scene_.drive != Drive::kTrack) {
      auto* joint = Add<dart::dynamics::BallJoint>(i, parent, {});
      for (std::size_t a = 0; a < 3 && scene_.drive == Drive::kSpring; ++a) {
        joint->setSpringStiffness(a, segment.stiffness);
        joint->setDampingCoefficient(a, segment.damping);
      }
      return;
    }
    dart::dynamics::EulerJoint::Properties properties;
    properties.mAxisOrder = dart::dynamics::EulerJoint::AxisOrder::XYZ;
    auto* joint = Add<dart::dynamics::EulerJoint>(i, parent, properties);
    for (std::size_t a = 0; a < 3; ++a) {
      joint->setForceLowerLimit(a, -scene_.max_torque);
      joint->setForceUpperLimit(a, scene_.max_torque);
    }
    if (servo_) joint->setActuatorType(dart::dynamics::Joint::SERVO);
  }

  void CommandServos(std::span<const JointTarget> targets) {
    for (std::size_t i = 1; i < bodies_.size(); ++i) {
      dart::dynamics::Joint* joint = bodies_[i]->getParentJoint();
      for (std::size_t a = 0; a < 3; ++a) {
        const Eigen::Index k = static_cast<Eigen::Index>(a);
        joint->setCommand(
            a, 0.5 * targets[i].rates[k] +
                   0.5 / scene_.step *
                       (targets[i].angles[k] - joint->getPosition(a)));
      }
    }
  }

  void ApplyComputedTorque(std::span<const JointTarget> targets) {
    constexpr double w = kComputedTorqueFrequency;
    VectorX acceleration(static_cast<Eigen::Index>(skeleton_->getNumDofs()));
    for (std::size_t i = 1; i < bodies_.size(); ++i) {
      dart::dynamics::Joint* joint = bodies_[i]->getParentJoint();
      for (std::size_t a = 0; a < 3; ++a) {
        const Eigen::Index k = static_cast<Eigen::Index>(a);
        const JointTarget& target = targets[i];
        acceleration[static_cast<Eigen::Index>(joint->getIndexInSkeleton(a))] =
            target.accelerations[k] +
            2.0 * w * (target.rates[k] - joint->getVelocity(a)) +
            w * w *
                (target.angles[k] - scene_.step * target.rates[k] -
                 joint->getPosition(a));
      }
    }
    const VectorX torque = skeleton_->getMassMatrix() * acceleration +
                           skeleton_->getCoriolisAndGravityForces();
    skeleton_->setForces(
        torque.cwiseMax(-scene_.max_torque).cwiseMin(scene_.max_torque));
  }

  const PeerScene& scene_;
  bool servo_;
  dart::simulation::WorldPtr world_;
  dart::dynamics::SkeletonPtr skeleton_;
  std::vector<dart::dynamics::BodyNode*> bodies_;
};

std::string current_scene;

Contender Make(std::string name, std::string remark, bool servo,
               std::function<bool(const PeerScene&)> plays) {
  return {std::move(name), std::move(remark), std::move(plays),
          [servo](const PeerScene& scene) {
            current_scene = scene.name;
            return std::make_unique<DartEngine>(scene, servo);
          }};
}

void ReportAbort(int) {
  std::printf(
      "{\"engine\":\"dart\",\"scene\":\"%s\",\"diverged\":true,"
      "\"remark\":\"assertion in the library\"}\n",
      current_scene.c_str());
  std::fflush(stdout);
  _exit(0);
}

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) {
  using limber::bench::Make;
  using limber::scenes::Drive;
  using limber::scenes::PeerScene;
  std::signal(SIGABRT, limber::bench::ReportAbort);
  return limber::bench::RunContenders(
      argc, argv,
      {Make("dart", "servo rows in S3; assertions on", true,
            limber::bench::HasNoMarkers),
       Make("dart-computed-torque", "torques clamped; assertions on", false,
            [](const PeerScene& scene) {
              return scene.drive == Drive::kTrack;
            })});
}
