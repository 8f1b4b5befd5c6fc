// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/peers/engine.h"
#include "tests/scenes/ragdoll_scenes.h"

namespace limber::bench {

/// One engine playing S4 or S5: limp figures that fall on the ground and on
/// stairs. No engine puts bodies to sleep, and the friction coefficient of
/// every contact is 0.8.
class FallEngine {
 public:
  virtual ~FallEngine() = default;
  /// Takes one step of the scene, collision detection included. Timed.
  virtual void Step() = 0;
  /// Body f * segments + i is segment i of figure f; not timed.
  virtual void Read(std::vector<SegmentState>& states) = 0;
};

inline constexpr double kFallFriction = 0.8;

/// Where segment i of a figure starts.
Transform StartOf(const scenes::RagdollScene& scene, std::size_t figure,
                  std::size_t segment);
/// Where the joint of segment i to its parent starts.
Vector3 JointOf(const scenes::RagdollScene& scene, std::size_t figure,
                std::size_t segment);

struct FallContender {
  std::string name;
  std::string remark;
  std::function<std::unique_ptr<FallEngine>(const scenes::RagdollScene&)> make;
};

/// As `RunContenders`, for the scenes S4 and S5.
int RunFalls(int argc, char** argv,
             const std::vector<FallContender>& contenders);

}  // namespace limber::bench
