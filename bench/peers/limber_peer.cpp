// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Limber itself, through the public API and with its default settings.
#include "bench/peers/engine.h"

namespace limber::bench {
namespace {

using scenes::PeerScene;

class LimberEngine : public Engine {
 public:
  LimberEngine(const PeerScene& scene, const dynamics::WorldSettings& settings)
      : scene_(scene), played_(scenes::Play(scene, settings)) {}

  void Step(const StepTargets& targets) override {
    for (std::size_t i = 0; i < targets.joints.size(); ++i) {
      if (played_.joints[i] != nullptr) {
        played_.joints[i]->set_target(targets.joints[i].R);
      }
    }
    played_.MoveMarkers(targets.markers, scene_.step);
    played_.world.Step(scene_.step);
  }

  void Read(std::vector<SegmentState>& states) override {
    ReadFrom(played_.world.motions(), states);
  }

  void ReadForEnergy(std::vector<SegmentState>& states) override {
    ReadFrom(played_.world.SynchronisedMotions(), states);
  }

 private:
  void ReadFrom(dynamics::BodyMotions motions,
                std::vector<SegmentState>& states) const {
    for (std::size_t i = 0; i < states.size(); ++i) {
      const dynamics::BodyMotion& motion = MotionOf(motions, played_.bodies[i]);
      states[i] = {motion.p_WC, motion.v_WC, motion.w_WB, motion.R_WB};
    }
  }

  const PeerScene& scene_;
  scenes::PlayedScene played_;
};

Contender Make(std::string name, std::string remark,
               const dynamics::WorldSettings& settings,
               std::size_t most_bodies) {
  return {std::move(name), std::move(remark),
          [most_bodies](const PeerScene& scene) {
            return scene.segments.size() <= most_bodies;
          },
          [settings](const PeerScene& scene) {
            return std::make_unique<LimberEngine>(scene, settings);
          }};
}

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) {
  using limber::bench::Make;
  limber::dynamics::WorldSettings standard;
  limber::dynamics::WorldSettings dense;
  dense.solver = limber::dynamics::SolverKind::kDense;
  return limber::bench::RunContenders(
      argc, argv,
      {Make("limber", "", standard, 100000),
       Make("limber-dense", "reference solver", dense, 40)});
}
