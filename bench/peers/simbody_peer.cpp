// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Simbody: linear-time reduced coordinates with research integrators.
#include <Simbody.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "bench/peers/engine.h"

namespace limber::bench {
namespace {

using scenes::Drive;
using scenes::PeerScene;
using scenes::Root;
using scenes::Segment;

constexpr double kComputedTorqueFrequency = 150.0;  // [rad/s]

SimTK::Vec3 ToVec3(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

class SimbodyEngine : public Engine {
 public:
  SimbodyEngine(const PeerScene& scene, bool runge_kutta)
      : scene_(scene),
        matter_(system_),
        forces_(system_),
        gravity_(forces_, matter_, SimTK::Vec3(0, 0, -kGravity)),
        actuators_(forces_, matter_) {
    for (const Segment& segment : scene.segments) AddSegment(segment);
    const SimTK::State state = system_.realizeTopology();
    if (runge_kutta) {
      integrator_ =
          std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system_);
      integrator_->setFixedStepSize(scene.step);
    } else {
      integrator_ = std::make_unique<SimTK::SemiExplicitEulerIntegrator>(
          system_, scene.step);
    }
    stepper_ = std::make_unique<SimTK::TimeStepper>(system_, *integrator_);
    stepper_->initialize(state);
  }

  void Step(std::span<const JointTarget> targets) override {
    time_ += scene_.step;
    if (!targets.empty()) ApplyComputedTorque(targets);
    stepper_->stepTo(time_);
  }

  void Read(std::vector<SegmentState>& states) override {
    const SimTK::State& state = integrator_->getState();
    system_.realize(state, SimTK::Stage::Velocity);
    for (std::size_t i = 0; i < states.size(); ++i) {
      const SimTK::Transform& X = bodies_[i].getBodyTransform(state);
      const SimTK::SpatialVec& V = bodies_[i].getBodyVelocity(state);
      for (int a = 0; a < 3; ++a) {
        states[i].p[a] = X.p()[a];
        states[i].w[a] = V[0][a];
        states[i].v[a] = V[1][a];
        for (int b = 0; b < 3; ++b) states[i].R(a, b) = X.R()[a][b];
      }
    }
  }

 private:
  void AddSegment(const Segment& segment) {
    const SimTK::Body::Rigid body(SimTK::MassProperties(
        segment.mass, SimTK::Vec3(0),
        SimTK::Inertia(segment.inertia.x(), segment.inertia.y(),
                       segment.inertia.z())));
    SimTK::MobilizedBody parent = matter_.Ground();
    Vector3 on_parent = segment.joint;
    if (segment.parent >= 0) {
      const std::size_t p = static_cast<std::size_t>(segment.parent);
      parent = bodies_[p];
      on_parent -= scene_.segments[p].com;
    }
    const SimTK::Transform X(ToVec3(on_parent));
    const SimTK::Transform Y(ToVec3(segment.joint - segment.com));
    if (segment.parent < 0 && scene_.root == Root::kFixed) {
      bodies_.push_back(SimTK::MobilizedBody::Weld(parent, X, body, Y));
    } else if (scene_.drive == Drive::kNone) {
      bodies_.push_back(SimTK::MobilizedBody::Ball(parent, X, body, Y));
    } else {
      bodies_.push_back(SimTK::MobilizedBody::Gimbal(parent, X, body, Y));
      for (int a = 0; a < 3 && scene_.drive == Drive::kSpring; ++a) {
        SimTK::Force::MobilityLinearSpring(forces_, bodies_.back(),
                                           SimTK::MobilizerQIndex(a),
                                           segment.stiffness, 0);
        SimTK::Force::MobilityLinearDamper(forces_, bodies_.back(),
                                           SimTK::MobilizerUIndex(a),
                                           segment.damping);
      }
    }
  }

  void ApplyComputedTorque(std::span<const JointTarget> targets) {
    SimTK::State& state = integrator_->updAdvancedState();
    system_.realize(state, SimTK::Stage::Velocity);
    constexpr double w = kComputedTorqueFrequency;
    SimTK::Vector acceleration(matter_.getNumMobilities(), 0.0);
    SimTK::Vector torque;
    for (std::size_t i = 1; i < bodies_.size(); ++i) {
      for (int a = 0; a < 3; ++a) {
        acceleration[bodies_[i].getFirstUIndex(state) + a] =
            targets[i].accelerations[a] +
            2.0 * w * (targets[i].rates[a] - bodies_[i].getOneU(state, a)) +
            w * w *
                (targets[i].angles[a] - scene_.step * targets[i].rates[a] -
                 bodies_[i].getOneQ(state, a));
      }
    }
    system_.realize(state, SimTK::Stage::Dynamics);
    matter_.calcResidualForceIgnoringConstraints(state, SimTK::Vector(),
                                                 gravity_.getBodyForces(state),
                                                 acceleration, torque);
    for (int i = 0; i < torque.size(); ++i) {
      torque[i] = std::clamp(torque[i], -scene_.max_torque, scene_.max_torque);
    }
    actuators_.setAllMobilityForces(state, torque);
  }

  const PeerScene& scene_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::Force::Gravity gravity_;
  SimTK::Force::DiscreteForces actuators_;
  std::vector<SimTK::MobilizedBody> bodies_;
  std::unique_ptr<SimTK::Integrator> integrator_;
  std::unique_ptr<SimTK::TimeStepper> stepper_;
  double time_ = 0.0;
};

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) {
  using limber::bench::Contender;
  using limber::scenes::Drive;
  using limber::scenes::PeerScene;
  const auto make = [](bool runge_kutta) {
    return [runge_kutta](const PeerScene& scene) {
      return std::make_unique<limber::bench::SimbodyEngine>(scene, runge_kutta);
    };
  };
  // A diverging integrator throws; each contender runs by itself.
  const std::vector<Contender> contenders = {
      {"simbody-euler", "computed torque in S3",
       [](const PeerScene&) { return true; }, make(false)},
      {"simbody-rk-merson", "four evaluations a step",
       [](const PeerScene& scene) { return scene.drive == Drive::kNone; },
       make(true)}};
  for (const Contender& contender : contenders) {
    try {
      limber::bench::RunContenders(argc, argv, {contender});
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %.200s\n", contender.name.c_str(),
                   error.what());
    }
  }
  return 0;
}
