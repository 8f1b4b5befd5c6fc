// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/simbody_world.h"

#include <Simbody.h>

#include <algorithm>

namespace limber::bench {

namespace {

constexpr double kComputedTorqueFrequency = 150.0;  // [rad/s]

SimTK::Vec3 ToVec3(const SimbodyWorld::Triple& v) { return {v[0], v[1], v[2]}; }

}  // namespace

struct SimbodyWorld::Implementation {
  Implementation(const std::vector<Part>& parts, const Settings& chosen)
      : settings(chosen),
        matter(system),
        forces(system),
        gravity(forces, matter, SimTK::Vec3(0, 0, -chosen.gravity)),
        actuators(forces, matter) {
    for (const Part& part : parts) AddPart(parts, part);
    const SimTK::State state = system.realizeTopology();
    if (settings.runge_kutta) {
      integrator = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system);
      integrator->setFixedStepSize(settings.step);
    } else {
      integrator = std::make_unique<SimTK::SemiExplicitEulerIntegrator>(
          system, settings.step);
    }
    stepper = std::make_unique<SimTK::TimeStepper>(system, *integrator);
    stepper->initialize(state);
  }

  void AddPart(const std::vector<Part>& parts, const Part& part) {
    const SimTK::Body::Rigid body(SimTK::MassProperties(
        part.mass, SimTK::Vec3(0),
        SimTK::Inertia(part.inertia[0], part.inertia[1], part.inertia[2])));
    SimTK::MobilizedBody parent = matter.Ground();
    SimTK::Vec3 on_parent = ToVec3(part.joint);
    if (part.parent >= 0) {
      const std::size_t p = static_cast<std::size_t>(part.parent);
      parent = bodies[p];
      on_parent -= ToVec3(parts[p].com);
    }
    const SimTK::Transform X(on_parent);
    const SimTK::Transform Y(ToVec3(part.joint) - ToVec3(part.com));
    if (part.parent < 0 && settings.root_fixed) {
      bodies.push_back(SimTK::MobilizedBody::Weld(parent, X, body, Y));
    } else if (!settings.gimbals) {
      bodies.push_back(SimTK::MobilizedBody::Ball(parent, X, body, Y));
    } else {
      bodies.push_back(SimTK::MobilizedBody::Gimbal(parent, X, body, Y));
      for (int a = 0; a < 3 && settings.springs; ++a) {
        SimTK::Force::MobilityLinearSpring(forces, bodies.back(),
                                           SimTK::MobilizerQIndex(a),
                                           part.stiffness, 0);
        SimTK::Force::MobilityLinearDamper(
            forces, bodies.back(), SimTK::MobilizerUIndex(a), part.damping);
      }
    }
  }

  // tau = inverse dynamics of the wanted acceleration, clamped.
  void ApplyComputedTorque(const std::vector<Target>& targets) {
    SimTK::State& state = integrator->updAdvancedState();
    system.realize(state, SimTK::Stage::Velocity);
    constexpr double w = kComputedTorqueFrequency;
    SimTK::Vector acceleration(matter.getNumMobilities(), 0.0);
    SimTK::Vector torque;
    for (std::size_t i = 1; i < bodies.size(); ++i) {
      for (int a = 0; a < 3; ++a) {
        const std::size_t k = static_cast<std::size_t>(a);
        acceleration[bodies[i].getFirstUIndex(state) + a] =
            targets[i].accelerations[k] +
            2.0 * w * (targets[i].rates[k] - bodies[i].getOneU(state, a)) +
            w * w *
                (targets[i].angles[k] - settings.step * targets[i].rates[k] -
                 bodies[i].getOneQ(state, a));
      }
    }
    system.realize(state, SimTK::Stage::Dynamics);
    matter.calcResidualForceIgnoringConstraints(state, SimTK::Vector(),
                                                gravity.getBodyForces(state),
                                                acceleration, torque);
    for (int i = 0; i < torque.size(); ++i) {
      torque[i] =
          std::clamp(torque[i], -settings.max_torque, settings.max_torque);
    }
    actuators.setAllMobilityForces(state, torque);
  }

  Settings settings;
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter;
  SimTK::GeneralForceSubsystem forces;
  SimTK::Force::Gravity gravity;
  SimTK::Force::DiscreteForces actuators;
  std::vector<SimTK::MobilizedBody> bodies;
  std::unique_ptr<SimTK::Integrator> integrator;
  std::unique_ptr<SimTK::TimeStepper> stepper;
  double time = 0.0;
};

SimbodyWorld::SimbodyWorld(const std::vector<Part>& parts,
                           const Settings& settings)
    : implementation_(std::make_unique<Implementation>(parts, settings)) {}

SimbodyWorld::~SimbodyWorld() = default;

void SimbodyWorld::Step(const std::vector<Target>& targets) {
  Implementation& self = *implementation_;
  self.time += self.settings.step;
  if (!targets.empty()) self.ApplyComputedTorque(targets);
  self.stepper->stepTo(self.time);
}

void SimbodyWorld::Read(std::vector<State>& states) {
  Implementation& self = *implementation_;
  const SimTK::State& state = self.integrator->getState();
  self.system.realize(state, SimTK::Stage::Velocity);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const SimTK::Transform& X = self.bodies[i].getBodyTransform(state);
    const SimTK::SpatialVec& V = self.bodies[i].getBodyVelocity(state);
    for (int a = 0; a < 3; ++a) {
      const std::size_t k = static_cast<std::size_t>(a);
      states[i].p[k] = X.p()[a];
      states[i].w[k] = V[0][a];
      states[i].v[k] = V[1][a];
      for (int b = 0; b < 3; ++b) {
        states[i].R[3 * k + static_cast<std::size_t>(b)] = X.R()[a][b];
      }
    }
  }
}

}  // namespace limber::bench
