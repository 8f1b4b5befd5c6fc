// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Simbody: linear-time reduced coordinates with research integrators.
#include <cstdio>
#include <exception>

#include "bench/peers/engine.h"
#include "bench/peers/simbody_world.h"

namespace limber::bench {
namespace {

using scenes::Drive;
using scenes::PeerScene;
using scenes::Root;
using scenes::Segment;

SimbodyWorld::Triple ToTriple(const Vector3& v) {
  return {v.x(), v.y(), v.z()};
}

Vector3 ToVector(const SimbodyWorld::Triple& t) { return {t[0], t[1], t[2]}; }

std::vector<SimbodyWorld::Part> PartsOf(const PeerScene& scene) {
  std::vector<SimbodyWorld::Part> parts;
  for (const Segment& segment : scene.segments) {
    parts.push_back({segment.parent, segment.mass, ToTriple(segment.com),
                     ToTriple(segment.inertia), ToTriple(segment.joint),
                     segment.stiffness, segment.damping});
  }
  return parts;
}

SimbodyWorld::Settings SettingsOf(const PeerScene& scene, bool runge_kutta) {
  SimbodyWorld::Settings settings;
  settings.root_fixed = scene.root == Root::kFixed;
  settings.springs = scene.drive == Drive::kSpring;
  settings.gimbals = scene.drive != Drive::kNone;
  settings.runge_kutta = runge_kutta;
  settings.gravity = kGravity;
  settings.step = scene.step;
  settings.max_torque = scene.max_torque;
  return settings;
}

class SimbodyEngine : public Engine {
 public:
  SimbodyEngine(const PeerScene& scene, bool runge_kutta)
      : world_(PartsOf(scene), SettingsOf(scene, runge_kutta)),
        states_(scene.segments.size()) {}

  void Step(const StepTargets& step) override {
    const std::span<const JointTarget> targets = step.joints;
    targets_.resize(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      targets_[i] = {ToTriple(targets[i].angles), ToTriple(targets[i].rates),
                     ToTriple(targets[i].accelerations)};
    }
    world_.Step(targets_);
  }

  void Read(std::vector<SegmentState>& states) override {
    world_.Read(states_);
    for (std::size_t i = 0; i < states.size(); ++i) {
      const std::array<double, 9>& R = states_[i].R;
      states[i].p = ToVector(states_[i].p);
      states[i].v = ToVector(states_[i].v);
      states[i].w = ToVector(states_[i].w);
      states[i].R << R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8];
    }
  }

 private:
  SimbodyWorld world_;
  std::vector<SimbodyWorld::Target> targets_;
  std::vector<SimbodyWorld::State> states_;
};

Contender Make(std::string name, std::string remark, bool runge_kutta,
               std::function<bool(const PeerScene&)> plays) {
  return {std::move(name), std::move(remark), std::move(plays),
          [runge_kutta](const PeerScene& scene) {
            return std::make_unique<SimbodyEngine>(scene, runge_kutta);
          }};
}

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) {
  using limber::bench::Make;
  using limber::scenes::Drive;
  using limber::scenes::PeerScene;
  // A diverging integrator throws; each contender runs by itself.
  for (const limber::bench::Contender& contender :
       {Make("simbody-euler", "computed torque in S3", false,
             limber::bench::HasNoMarkers),
        Make("simbody-rk-merson", "four evaluations a step", true,
             [](const PeerScene& scene) {
               return scene.drive == Drive::kNone &&
                      limber::bench::HasNoMarkers(scene);
             })}) {
    try {
      limber::bench::RunContenders(argc, argv, {contender});
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %.200s\n", contender.name.c_str(),
                   error.what());
    }
  }
  return 0;
}
