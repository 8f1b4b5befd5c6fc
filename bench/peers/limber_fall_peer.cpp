// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Limber itself on S4 and S5, with its default settings but for sleep.
#include "bench/peers/fall_engine.h"

namespace limber::bench {
namespace {

using scenes::RagdollScene;

class LimberFall : public FallEngine {
 public:
  explicit LimberFall(const RagdollScene& scene)
      : scene_(scene), played_(scenes::Play(scene, Settings())) {}

  void Step() override { played_.world.Step(scene_.step); }

  void Read(std::vector<SegmentState>& states) override {
    for (std::size_t b = 0; b < states.size(); ++b) {
      const dynamics::BodyMotion& motion =
          played_.world.motion(played_.bodies[b]);
      states[b] = {motion.p_WC, motion.v_WC, motion.w_WB, motion.R_WB};
    }
  }

 private:
  static dynamics::WorldSettings Settings() {
    dynamics::WorldSettings settings;
    settings.contact.sleeping = false;
    return settings;
  }

  const RagdollScene& scene_;
  scenes::PlayedRagdolls played_;
};

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) {
  using namespace limber::bench;
  return RunFalls(
      argc, argv,
      {{"limber", "", [](const limber::scenes::RagdollScene& scene) {
          return std::make_unique<LimberFall>(scene);
        }}});
}
